"""The desk writes amounts the way people read them."""

import pytest
from support.attendant_data import bare_desk
from support.machines import seated

from cabinet.attendant import data
from cabinet.store import tickets


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "$0.00"), (5, "$0.05"), (123_456_789, "$1,234,567.89"), (-150, "-$1.50"), (-5, "-$0.05")]
)
def test_an_amount_is_written_with_sign_groups_and_both_parts(cents, text):
    assert bare_desk(seated()).money(cents) == text


def test_the_desk_names_the_states_of_a_ticket_as_the_store_does():
    assert (data.ISSUED, data.IN_DOUBT) == (tickets.ISSUED, tickets.IN_DOUBT)
