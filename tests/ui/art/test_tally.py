"""Drawing from scratch is counted, composing prepared pieces is not."""

from collections.abc import Callable

import pytest
from support.display import open_display

from cabinet.text.typefaces import Role
from cabinet.ui.art.buttons import BannerTone, amount_tag, banner, button, plaque
from cabinet.ui.art.fonts import figures, letter, text
from cabinet.ui.art.pictures import rendered
from cabinet.ui.art.tally import DRAWN
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.grounds import shade
from cabinet.ui.paint.pieces import Faded, Scaled, Shaded, Stretched, piece

pytestmark = pytest.mark.screen

GREEN = (12, 201, 13)
Make = Callable[[str], object]


def drawn_by(act: Callable[[], object]) -> int:
    before = DRAWN.count
    act()
    return DRAWN.count - before


@pytest.mark.parametrize(
    "make",
    [
        lambda words: text(Role.TITLE, 33, words, GREEN),
        lambda words: text(Role.TITLE, 35, words, GREEN, tracking=2),
        lambda words: figures(34, words, GREEN),
        lambda words: banner(words, 37, BannerTone.WIN),
        lambda words: amount_tag(words, 29),
        lambda words: button((151, 57), words, lit=True),
        lambda words: plaque(61, words, active=True, soft=True, soft_word=words),
    ],
)
def test_other_words_of_known_letters_are_put_together_and_not_drawn(make: Make):
    letter.cache_clear()
    assert drawn_by(lambda: make("12")) > 0
    assert drawn_by(lambda: make("21")) == 0


def test_scaled_shaded_and_stretched_copies_and_pictures_are_drawn():
    open_display((64, 64))
    assets, ground = Assets(2**20), piece(shade, (40, 40), GREEN)
    assets.get(ground)
    for asset in (Scaled(ground, (9, 9)), Shaded(ground, 100), Faded(ground, 100), Stretched(ground, 80, 5)):
        assert drawn_by(lambda asset=asset: assets.get(asset)) == 1
        assert drawn_by(lambda asset=asset: assets.get(asset)) == 0
    assert drawn_by(lambda: rendered("", (8, 8), (0, 0, 8, 8))) == 1
