"""What a screen says of itself."""

from cabinet.ui.view import DealerView, HandView, PlaceView, TableView


def table_of(places: int) -> TableView:
    """An empty table with so many places."""
    empty = HandView()
    laid = tuple(PlaceView(number=number, hands=(empty, empty)) for number in range(places))
    return TableView(felt_lines=(), plate=(), dealer=DealerView(hand=empty), places=laid)


def test_a_table_with_one_place_has_the_felt_to_itself():
    assert table_of(1).alone
    assert not table_of(2).alone
    assert not table_of(5).alone
