"""The cache of surfaces: made once, within the budget, pinned surfaces stay."""

import pygame
import pytest
from support.display import open_display, pixels_of

from cabinet.ui.paint.assets import Assets, budget_for
from cabinet.ui.paint.pieces import Asset, Faded, Pile, Scaled, Shaded, Stretched, piece

pytestmark = pytest.mark.screen

BLOCK_BYTES = 100 * 100 * 4


def block(number: int, side: int = 100) -> pygame.Surface:
    """Returns a clear-cornered square of one colour."""
    surface = pygame.Surface((side, side), pygame.SRCALPHA)
    surface.fill((number, 200, 100, 255), (10, 10, side - 20, side - 20))
    return surface


def ground(side: int) -> pygame.Surface:
    """Returns a square without alpha."""
    return pygame.Surface((side, side))


@pytest.fixture
def assets() -> Assets:
    open_display((320, 200))
    return Assets(3 * BLOCK_BYTES)


def test_a_surface_is_made_once(assets: Assets):
    assert assets.get(piece(block, 1)) is assets.get(piece(block, 1))
    assert assets.made == 1


def test_surfaces_are_in_the_format_of_the_display(assets: Assets):
    assert assets.get(piece(ground, 10)).get_bitsize() == pygame.display.get_surface().get_bitsize()
    assert not assets.get(piece(ground, 10)).get_flags() & pygame.SRCALPHA
    assert assets.get(piece(block, 1)).get_flags() & pygame.SRCALPHA


def test_the_least_recently_used_goes_first_when_the_budget_is_exceeded(assets: Assets):
    first, second = assets.get(piece(block, 1)), assets.get(piece(block, 2))
    assets.get(piece(block, 3))
    assert assets.get(piece(block, 1)) is first
    assets.get(piece(block, 4))
    assert assets.used_bytes == 3 * BLOCK_BYTES
    assert assets.get(piece(block, 1)) is first
    assert assets.get(piece(block, 2)) is not second


def test_pinned_surfaces_stay(assets: Assets):
    assert assets.pin(piece(block, 1))
    assert not assets.pin(piece(block, 1))
    pinned = assets.get(piece(block, 1))
    for number in range(2, 9):
        assets.get(piece(block, number))
    assert assets.get(piece(block, 1)) is pinned
    assert assets.used_bytes == 3 * BLOCK_BYTES


def test_pinning_an_existing_asset_makes_nothing(assets: Assets):
    kept = assets.get(piece(block, 1))
    assert not assets.pin(piece(block, 1))
    assert assets.get(piece(block, 1)) is kept
    assert assets.made == 1
    assert assets.used_bytes == BLOCK_BYTES


def test_surfaces_prepared_for_a_target_are_kept_in_runs_and_look_the_same(assets: Assets):
    target, plain = pygame.display.get_surface(), pygame.Surface((120, 120)).convert()
    target.fill((20, 90, 60))
    plain.fill((20, 90, 60))
    before = pixels_of(target)
    assets.aim_at(target)
    assets.pin(piece(block, 1))
    assert pixels_of(target) == before, "it does not show"
    surface = assets.get(piece(block, 1))
    assert surface.get_flags() & pygame.RLEACCEL
    target.blit(surface, (5, 5))
    plain.blit(block(1), (5, 5))
    assert pixels_of(target, (0, 0, 120, 120)) == pixels_of(plain)


def soft(side: int) -> pygame.Surface:
    """Returns a square with an edge that is half clear."""
    surface = block(250, side)
    pygame.draw.rect(surface, (255, 255, 255, 100), (8, 8, side - 16, side - 16), width=3)
    return surface


@pytest.mark.parametrize(
    "made",
    [
        Pile((60, 50), ((piece(soft, 40), 10, 5), (piece(soft, 40), 0, 0))),
        Stretched(piece(soft, 40), 70, 12),
        Scaled(piece(soft, 40), (30, 30)),
        Shaded(piece(soft, 40), 120),
        Faded(piece(soft, 40), 120),
    ],
    ids=lambda asset: type(asset).__name__,
)
def test_an_asset_made_from_a_prepared_one_looks_the_same(made: Asset):
    target, pictures = open_display((320, 200)), []
    for prepared in (False, True):
        assets = Assets(10 * BLOCK_BYTES)
        assets.aim_at(target)
        if prepared:
            assets.pin(piece(soft, 40))
            assert assets.get(piece(soft, 40)).get_flags() & pygame.RLEACCEL
        pictures.append(pygame.image.tobytes(assets.get(made), "RGBA"))
    assert pictures[0] == pictures[1]


def test_a_mostly_half_clear_surface_is_blended(assets: Assets):
    assets.aim_at(pygame.display.get_surface())
    for asset in (Faded(piece(ground, 20), 90), piece(ground, 20), Faded(piece(block, 1), 128)):
        assets.pin(asset)
    assert not assets.get(piece(ground, 20)).get_flags() & pygame.RLEACCEL


def test_opaque_pixels_stay_opaque_when_scaled(assets: Assets):
    scaled = assets.get(Scaled(piece(block, 200), (37, 41)))
    assert scaled.get_at((18, 20)).a == 255
    assert scaled.get_at((0, 0)).a == 0


def test_an_asset_can_be_scaled_shaded_faded_and_piled(assets: Assets):
    base = piece(block, 200)
    assert assets.get(Scaled(base, (20, 30))).get_size() == (20, 30)
    assert assets.get(Shaded(base, 128)).get_at((50, 50))[:3] == pytest.approx((100, 100, 50), abs=1)
    assert assets.get(Faded(base, 128)).get_at((50, 50)).a == pytest.approx(128, abs=1)
    assert assets.get(Faded(base, 128)).get_at((50, 50))[:3] == (200, 200, 100)
    heap = assets.get(Pile((100, 120), ((base, 0, 20), (piece(block, 10), 0, 0))))
    assert heap.get_at((50, 105))[:3] == (200, 200, 100)
    assert heap.get_at((50, 50))[:3] == (10, 200, 100)
    assert heap.get_at((2, 2)).a == 0


def test_no_surface_has_alpha_of_both_kinds(assets: Assets):
    for asset in (piece(block, 1), Faded(piece(block, 1), 90), Shaded(piece(block, 1), 90)):
        assert assets.get(asset).get_alpha() == 255


def test_the_budget_grows_with_the_display_and_is_stated():
    assert round(budget_for((1920, 1080)) / 2**20) == 277
    assert round(budget_for((3840, 2160)) / 2**20) == 1013


@pytest.mark.parametrize("height", [40, 100, 160])
def test_a_stretched_asset_keeps_its_upper_and_lower_edge(assets: Assets, height: int):
    surface = assets.get(Stretched(piece(block, 200), height, 15))
    assert surface.get_size() == (100, height)
    for y in (0, 9, height - 1, height - 10):
        assert surface.get_at((50, y)).a == 0
    for y in (10, height // 2, height - 11):
        assert surface.get_at((50, y))[:3] == pytest.approx((200, 200, 100), abs=1)


def test_the_source_of_a_pinned_asset_is_pinned_too(assets: Assets):
    assets.pin(Scaled(piece(block, 1), (50, 50)))
    assert not assets.pin(piece(block, 1))
