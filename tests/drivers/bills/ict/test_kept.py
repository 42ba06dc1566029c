"""Notes that an ICT unit keeps without an accept: its escrow is off, or it does not receive the host."""

import pytest
from support.ict_bench import Script, join, running, said, scripted
from support.notes import CHANNELS

from drivers.bills.events import Return, Stack, Stacked, Started, Take, Trouble, TroubleBegan, Unsolicited
from drivers.simulated.ict import Ict

TWENTY = Stacked(channel=5, value_cents=2000, receipt=None)
KEPT = "the acceptor kept a note of type 44 that was to go back"
NOT_ACCEPTED = TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="the unit says stacked (10), but no note was accepted")


@pytest.mark.requirement("BA-01")
def test_stacked_before_the_cabinet_has_decided_is_an_alarm_and_no_money() -> None:
    wire, unit = scripted()
    said(wire, unit, "81 44")
    assert said(wire, unit, "10") == [NOT_ACCEPTED]
    wire.order(Stack())
    assert said(wire, unit, "10") == [TWENTY]


@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("later", ["", "81 41"])
def test_a_note_called_stacked_that_the_cabinet_then_sends_back_was_kept(later: str) -> None:
    wire, unit = scripted()
    said(wire, unit, "81 44 10")
    wire.order(Return())
    assert TWENTY in said(wire, unit, later, seconds=15.0)


@pytest.mark.requirement("BA-01")
def test_a_unit_that_loses_its_power_after_a_note_called_stacked_has_kept_it() -> None:
    wire, unit = scripted()
    said(wire, unit, "81 44 10")
    assert Unsolicited(reported_cents=2000, detail=KEPT) in said(wire, unit, "80 8F")


@pytest.mark.requirement("BA-01", "BA-04")
@pytest.mark.parametrize("channels", [frozenset(), frozenset({5})])
def test_a_note_kept_while_it_is_not_wanted_has_its_value(channels: frozenset[int]) -> None:
    """Escrow is switched off in the unit, or the host's bytes do not arrive; the cabinet has no intent for the note."""
    wire, unit = scripted()
    wire.order(Take(channels=channels))
    wire.run(0.1)
    assert said(wire, unit, "81 41 10") == [Stacked(channel=2, value_cents=200, receipt=None)]


def test_a_note_kept_that_was_to_go_back_has_its_value() -> None:
    wire, unit = scripted()
    said(wire, unit, "81 44")
    wire.order(Return())
    assert said(wire, unit, "10") == [TWENTY]
    assert said(wire, unit, "", seconds=15.0) == []


def test_a_note_kept_of_a_type_that_is_not_in_the_table_has_no_value() -> None:
    wire, unit = scripted()
    assert said(wire, unit, "81 49 10") == [Stacked(channel=10, value_cents=None, receipt=None)]


def test_a_note_kept_on_a_noisy_line_is_an_alarm_and_no_money() -> None:
    wire, unit = scripted()
    wire.order(Take(channels=frozenset()))
    wire.run(0.1)
    detail = f"among unknown bytes: {KEPT}"
    assert said(wire, unit, "81 44 99 10") == [TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail)]


def test_a_note_kept_during_the_start_up_closes_no_intent() -> None:
    unit = Script()
    wire = join(unit)
    unit.say("81 44 10")
    wire.run_until_event(Started)
    assert Unsolicited(reported_cents=2000, detail=KEPT) in wire.events
    assert not [event for event in wire.events if isinstance(event, Stacked)]


@pytest.mark.requirement("BA-01")
def test_every_note_in_the_box_of_a_unit_without_escrow_is_reported_once() -> None:
    unit = Ict(CHANNELS, escrow=False)
    wire = running(unit)
    wire.order(Take(channels=frozenset({3})))
    for cents in (2000, 100, 10000):
        assert unit.insert(cents)
        wire.run(4.0)
    reported_cents = [event.value_cents for event in wire.events if isinstance(event, Stacked)]
    assert reported_cents == unit.stacked == [2000, 100, 10000]
