"""Tiles and charts of an attendant's page, painted."""

import itertools
from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, ink_of, pieces_of, showing, words_of
from support.cases import case
from support.contrast import contrast
from support.display import open_display
from support.figures import PAGES, lengthened, shown, unusual_data, with_lock
from support.fitting import words_set
from support.tables import SIZES as DISPLAYS

from cabinet.attendant.charts import Figure, Form, Tile, Tone
from cabinet.attendant.dashboard import dashboard_figures
from cabinet.engine.state import LockKind, Settings
from cabinet.tools.gallery_books import busy_data
from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.art import palette
from cabinet.ui.art.icons import icon
from cabinet.ui.layout.figures import SIZES, figure_rects, fitting_unit
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.figures import SIGNS, is_amount
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.lettering import amount, line
from cabinet.ui.view import Kind, Slot

pytestmark = pytest.mark.screen

SIZE = (1280, 720)
READABLE = 18.0
"""The smallest type on a screen that is 1080 high, in pixels."""
LEAST_MONEY = 7.0
sizes = pytest.mark.parametrize("size", DISPLAYS, ids=lambda size: f"{size[0]}x{size[1]}")


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(200 * 2**20)


def every_page() -> dict[str, tuple[Figure, ...]]:
    """Returns the figures of every page, of a busy machine."""
    data = busy_data(gallery()["betting"].snapshot.machine, Settings())
    return {name: figures(data) for name, figures in PAGES.items()}


def unusual_pages() -> dict[str, tuple[Figure, ...]]:
    """Returns the figures of every page, of machines at the limits."""
    return {
        f"{name}, {what}": figures(data) for what, data in unusual_data().items() for name, figures in PAGES.items()
    }


def too_small(figures: tuple[Figure, ...], size: tuple[int, int], least: float) -> list[str]:
    """Returns the texts that are cut, or smaller than `least` units."""
    px = int(least * min(size[0] / 1920, size[1] / 1080))
    return [found.words for found in words_set(shown(*figures), size) if found.share > 1 or found.px < px]


@sizes
def test_every_text_of_every_page_can_be_read(size: tuple[int, int]):
    for name, figures in every_page().items():
        with case(page=name):
            assert too_small(figures, size, READABLE) == []


@pytest.mark.sample(2)
@sizes
def test_no_text_of_a_machine_at_the_limits_is_cut(size: tuple[int, int]):
    for name, figures in unusual_pages().items():
        with case(page=name):
            assert too_small(figures, size, READABLE * SIZES[-1]) == []


@sizes
def test_no_text_of_a_longer_language_is_cut(size: tuple[int, int]):
    for name, figures in every_page().items():
        with case(page=name):
            assert too_small(tuple(lengthened(figure) for figure in figures), size, READABLE * SIZES[-1]) == []


@pytest.mark.parametrize("size", [(1280, 720), (1280, 1024)])
def test_what_to_do_about_any_lock_can_be_read(size: tuple[int, int]):
    for kind in LockKind:
        data = with_lock(kind)
        (lock,) = data.machine.locks
        three = replace(data, machine=replace(data.machine, locks=(lock, lock, lock)))
        with case(lock=kind):
            assert too_small(dashboard_figures(data), size, READABLE) == []
            assert too_small(dashboard_figures(three), size, READABLE * 0.9) == []


@sizes
def test_every_text_on_the_pages_of_the_menu_can_be_read(size: tuple[int, int]):
    px = int(READABLE * SIZES[-1] * min(size[0] / 1920, size[1] / 1080))
    seen = 0
    for name, exhibit in gallery().items():
        page = screen_of(exhibit).audit
        if page is not None and page.figures:
            seen += 1
            found = [each for each in words_set(screen_of(exhibit), size) if each.kind in {"line", "amount"}]
            with case(page=name):
                assert [each.words for each in found if each.share > 1 or each.px < px] == []
    assert seen > 6


def test_texts_stand_in_their_figure_and_apart(assets: Assets):
    for name, figures in (every_page() | unusual_pages()).items():
        screen = shown(*figures)
        where = layout(SIZE, screen)
        body = where.rect(Slot(Kind.AUDIT_BODY))
        rooms = figure_rects(body, figures, fitting_unit(body, figures, where.unit))
        blits = [
            blit
            for blit in composed(screen, SIZE, assets)
            if any(p.make in {line, amount} for p in pieces_of(blit.asset))
        ]
        inks = [(words_of(blit), ink_of(blit, assets)) for blit in blits]
        inside = [(words, ink) for words, ink in inks if any(ink.meets(room) for room in rooms)]
        with case(page=name):
            assert inside
            assert [words for words, ink in inside if not any(ink.within(room) for room in rooms)] == []
            touching = [(a, b) for (a, one), (b, other) in itertools.combinations(inside, 2) if one.meets(other)]
            assert touching == []


def test_every_word_of_a_tile_is_on_the_screen(assets: Assets):
    tile = Tile(label="Cash box", value="$2,490.00", detail="Notes: 76", tone=Tone.WARN)
    assert {"Cash box", "$2,490.00", "Notes: 76"} <= all_words(composed(shown(tile), SIZE, assets))


def test_a_detail_that_is_too_long_for_a_line_breaks_between_its_parts(assets: Assets):
    tiles = [Tile(label="Drop", value="$1.00", detail="Yesterday: CHF 12,345.00 · 7 days: CHF 12,345,678.00")] * 4
    words = all_words(composed(shown(*tiles), SIZE, assets))
    assert {"Yesterday: CHF 12,345.00", "7 days: CHF 12,345,678.00"} <= words


@pytest.mark.parametrize("form", Form)
def test_every_tone_but_the_plain_one_has_a_sign_beside_its_colour(assets: Assets, form: Form):
    for tone, (colour, name) in SIGNS.items():
        blits = composed(shown(Tile(label="State", value="In service", tone=tone, form=form)), SIZE, assets)
        signs = [blit for blit in showing(blits, icon) if any(p.args[0] == name for p in pieces_of(blit.asset))]
        with case(tone=tone):
            assert bool(signs) == (tone is not Tone.PLAIN)
            assert name or tone is Tone.PLAIN
            assert contrast(colour, palette.FIGURE_GROUND) >= 4.5


def test_money_has_the_highest_contrast():
    assert contrast(palette.PAPER, palette.FIGURE_GROUND) >= LEAST_MONEY
    assert contrast(palette.CREAM, palette.FIGURE_GROUND) >= LEAST_MONEY


def test_all_amounts_of_a_page_have_one_size(assets: Assets):
    tiles = (Tile(label="Credit", value="$1.00"), *(Tile(label="Box", value="CHF 10,000,000,000.99"),) * 3)
    blits = composed(shown(*tiles), SIZE, assets)
    heights = {
        piece.args[0]
        for blit in blits
        for piece in pieces_of(blit.asset)
        if piece.make is amount and piece.args[1] in {tile.value for tile in tiles}
    }
    assert len(heights) == 1


@pytest.mark.parametrize(("level", "share"), [(0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (1.7, 1.0)])
def test_the_bar_of_a_level_is_as_long_as_the_level(assets: Assets, level: float, share: float):
    blits = composed(shown(Tile(label="Box", value="$1.00", level=level)), SIZE, assets)
    (track,) = [box_of(blit) for blit in showing(blits, shade) if _colour(blit) == palette.FIGURE_TRACK]
    bars = [
        box_of(blit).w for blit in showing(blits, shade) if _colour(blit) == palette.BRASS and box_of(blit).h == track.h
    ]
    assert sum(bars) == pytest.approx(track.w * share, abs=1)


def test_a_tile_without_a_level_has_no_bar(assets: Assets):
    blits = composed(shown(Tile(label="Box", value="$1.00")), SIZE, assets)
    assert [blit for blit in showing(blits, shade) if _colour(blit) == palette.FIGURE_TRACK] == []


def _colour(blit: object) -> object:
    (piece,) = pieces_of(blit.asset)  # type: ignore[attr-defined]
    return piece.args[1]


def test_an_amount_is_set_in_figures_and_a_word_is_not():
    for words, figures in (
        ("$2,490.00", True),
        ("CHF 12.00", True),
        ("89.1%", True),
        ("-", False),
        ("Paper ok", False),
    ):
        with case(words=words):
            assert is_amount(words) == figures
