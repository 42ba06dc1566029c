"""Assets are values."""

from cabinet.ui.art.cards import card_back
from cabinet.ui.paint.pieces import Faded, Scaled, Shaded, piece


def test_an_asset_is_equal_to_one_made_the_same_way():
    assert piece(card_back, 100) == piece(card_back, 100)
    assert hash(piece(card_back, 100)) == hash(piece(card_back, 100))
    assert piece(card_back, 100) != piece(card_back, 101)
    assert Scaled(piece(card_back, 100), (20, 28)) == Scaled(piece(card_back, 100), (20, 28))


def test_options_may_be_given_in_any_order():
    def draw(*, a: int, b: int) -> None:
        """Never called: only its name counts."""

    assert piece(draw, a=1, b=2) == piece(draw, b=2, a=1)


def test_ways_of_changing_an_asset_are_kept_apart():
    assert Faded(piece(card_back, 100), 90) != Shaded(piece(card_back, 100), 90)
