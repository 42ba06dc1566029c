"""The state of the note in an SSP unit's path, and of events that wait for an ack."""

import pytest

from drivers.bills.path_notes import Stage
from drivers.bills.ssp.codec import Code, Event
from drivers.bills.ssp.path import Owed, PathNote


def test_a_note_is_named_by_its_channel_and_a_ticket_by_its_number() -> None:
    note = PathNote(channel=3, offered=True, stage=Stage.HELD)
    ticket = PathNote(channel=0, offered=True, stage=Stage.HELD, is_ticket=True, number="0032")
    assert (note.name, ticket.name) == ("note of channel 3", "ticket 0032")


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize(
    ("owed", "code", "channel", "same"),
    [
        (Code.CREDIT, Code.CREDIT, 4, True),
        (Code.CREDIT, Code.CREDIT, 5, False),
        (Code.CREDIT, Code.CLEARED_TO_CASHBOX, 4, True),
        (Code.CREDIT, Code.CLEARED_TO_CASHBOX, 0, True),
        (Code.CREDIT, Code.FRAUD, 4, False),
        (Code.FRAUD, Code.FRAUD, 4, True),
        (Code.FRAUD, Code.FRAUD, 0, False),
    ],
)
def test_a_credit_is_known_again_by_its_channel_also_as_cleared_to_the_cash_box(
    owed: Code, code: Code, channel: int, *, same: bool
) -> None:
    remembered = Owed(code=owed, channel=4, receipt=1, confirmed=False)
    assert remembered.is_repeated_by(Event(code=code, channel=channel)) is same
