"""The audit ticket is short and complete; the slip of a closing has what was frozen and room for a count."""

from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import bare_desk, keep
from support.machines import seated

from cabinet.attendant.audit_ticket import WRITTEN, audit_rows, closing_rows
from cabinet.attendant.data import Closing
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.inputs import Bet, Deal, Stand

BOX = Closing(
    kind=ClosingKind.CASH_BOX,
    number=4,
    began="01 Nov 2026 08:00:00",
    ended="02 Nov 2026 08:00:00",
    meters={},
    notes={500: 3, 2_000: 0, 10_000: 1},
    expected_cents=11_500,
)
PERIOD = replace(BOX, kind=ClosingKind.PERIOD, number=7)


@pytest.fixture
def data(tmp_path):
    """A machine on which one hand has lost a dollar, with a period and a cash box before."""
    with ExitStack() as undo:
        found = keep(tmp_path, seated("table", credit=10_000, cards="9S 6D 8H 10C 4D"), undo)
        found.do(Bet(), Deal(), Stand())
        yield replace(found.data(), closings=(BOX, PERIOD), time="03 Nov 2026 12:00:00")


@pytest.mark.requirement("ME-11", "AT-10")
def test_the_audit_ticket_has_machine_period_lifetime_box_and_signatures(data):
    rows = audit_rows(data)
    labels = [label for label, _ in rows]
    assert rows[0] == ("Venue", "Blackjack Cabinet")
    heads = ["THIS PERIOD", "LIFETIME", "IN THE CASH BOX", "COUNT AND SIGNATURES"]
    assert [label for label, words in rows if not words] == heads
    assert labels.count("Expected amount") == 1
    assert labels.count("Coin in (all stakes)") == labels.count("Net win") == labels.count("Hold") == 2
    assert len(rows) < 60
    assert [words for _, words in rows[-4:]] == [WRITTEN] * 4


def test_the_audit_ticket_says_from_when_the_period_is_and_what_it_won(data):
    rows = dict(reversed(audit_rows(data)))
    assert (rows["Period number"], rows["From"], rows["To"]) == ("8", PERIOD.ended, "03 Nov 2026 12:00:00")
    assert (rows["Net win"], rows["Hold"]) == ("$1.00", "100.00%")
    first = dict(reversed(audit_rows(replace(data, closings=()))))
    assert (first["Period number"], first["From"]) == ("1", "the machine was new")


@pytest.mark.requirement("AT-10")
def test_a_slip_has_what_was_frozen_and_room_for_the_count():
    rows = dict(closing_rows(bare_desk(seated()), BOX))
    assert (rows["Cash box"], rows["From"], rows["To"]) == ("4", BOX.began, BOX.ended)
    assert (rows["$5.00"], rows["$100.00"], "$20.00" in rows) == ("3 = $15.00", "1 = $100.00", False)
    assert (rows["Expected amount"], rows["Counted"], rows["Difference"]) == ("$115.00", WRITTEN, WRITTEN)
    counted = dict(closing_rows(bare_desk(seated()), replace(BOX, counted_cents=11_000)))
    assert (counted["Counted"], counted["Difference"]) == ("$110.00", "-$5.00")
    assert len(rows) <= 20


def test_the_audit_ticket_has_the_public_key_of_the_machine(data):
    named = replace(data, identity=(*data.identity, ("Public key", "mufalT129piy=")))
    assert ("Public key", "mufalT129piy=") in audit_rows(named)
