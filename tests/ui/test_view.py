"""The properties of a screen."""

from cabinet.ui.view import DealerView, HandView, PlaceView, TableView


def table_of(places: int) -> TableView:
    """Returns an empty table with this number of places."""
    empty = HandView()
    empty_places = tuple(PlaceView(number=number, hands=(empty, empty)) for number in range(places))
    return TableView(felt_lines=(), plate=(), dealer=DealerView(hand=empty), places=empty_places)


def test_a_table_with_one_place_has_the_felt_to_itself():
    assert table_of(1).alone
    assert not table_of(2).alone
    assert not table_of(5).alone
