"""An accepted note or ticket that an SSP unit no longer shows: it ends by a report of the unit, or in doubt."""

from collections.abc import Sequence
from itertools import product

import pytest
from support.cases import case
from support.notes import ALL, CHANNELS, TAKE_ALL, Keeper
from support.scripted_unit import ScriptedUnit
from support.ssp_bench import SspWire, events_after, running
from support.wire import Wire

from drivers.bills.events import (
    BillEvent,
    Enabled,
    Offered,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    TicketOffered,
    TicketStacked,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.ssp.codec import COUNTER_NAMES, Command, write_counters
from drivers.bills.ssp.host import SspProtocol, SspTiming
from drivers.simulated.nv9 import NV9, Timings

NUMBER = "003217654321098765"
OTHER = "001111222233334444"
NO_COUNTERS = {Command.COUNTERS: b"\xf2"}


def counted(stacked: int) -> bytes:
    """The reply with this count of notes kept."""
    return b"\xf0" + write_counters(dict.fromkeys(COUNTER_NAMES, 0) | {"stacked": stacked})


def placed(place: int, number: str = NUMBER) -> bytes:
    """The reply with the place of the last ticket."""
    return bytes((0xF0, place, len(number))) + number.encode()


def outcome(events: Sequence[BillEvent]) -> list[BillEvent]:
    """How notes and tickets ended; a new start-up leaves an open intent in doubt."""
    return [event for event in events if isinstance(event, Stacked | TicketStacked | Returned | Started)]


def accepted(unit: ScriptedUnit, *polls: str, wants_ack: bool = True) -> SspWire:
    """A note of channel 5 was just accepted; these are the next replies, and nothing after them."""
    wire = running(unit, SspProtocol(wants_ack=wants_ack))
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report(*polls)
    return wire


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("knows_counters", [True, False])
@pytest.mark.parametrize("knows_acks", [True, False])
def test_a_note_freed_by_hand_after_a_jam_ends_by_the_count_or_in_doubt(
    *, knows_acks: bool, knows_counters: bool
) -> None:
    nv9 = NV9(CHANNELS, knows_acks=knows_acks, knows_counters=knows_counters)
    wire = running(nv9)
    nv9.insert(500)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: nv9.phase == "stacking")
    nv9.jam()
    assert outcome(events_after(wire, 30.0)) == []
    nv9.clear_jam()
    (ended,) = outcome(events_after(wire, 10.0))
    assert isinstance(ended, Returned if knows_counters else Started)
    assert nv9.returned == [500]


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("answer_s", [0.0, 0.015, 0.04])
@pytest.mark.parametrize(
    ("counters", "expected"), [(counted(7), Returned), (b"\xf2", Started)], ids=["counts", "counts nothing"]
)
def test_an_escrow_reported_once_without_a_note_ends_when_stack_comes_before_the_refusal_of_hold(
    counters: bytes, expected: type, answer_s: float
) -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counters, Command.HOLD: b"\xf5", Command.REJECT: b"\xf5"})
    wire = running(unit)
    wire.damage = lambda chunk: [(answer_s, chunk)]
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    (ended,) = outcome(events_after(wire, 10.0))
    assert isinstance(ended, expected)


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("lost", ["BC 01 EE 05 EB", "BC EE"])
def test_a_credit_in_an_unreadable_reply_of_a_unit_without_counters_ends_in_doubt(lost: str) -> None:
    unit = ScriptedUnit(answers=dict(NO_COUNTERS))
    wire = accepted(unit, "CC", lost, "EB", wants_ack=False)
    received = events_after(wire, 10.0)
    assert [type(event) for event in outcome(received)] == [Started]
    alarms = [event.detail for event in received if isinstance(event, TroubleBegan)]
    assert alarms[-1] == "the note of channel 5 was accepted and is no longer shown"


@pytest.mark.requirement("BA-02")
def test_a_credit_that_was_never_readable_is_found_by_the_count_once_replies_can_be_read() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit, "CC", *["BC EE 05"] * 50)
    unit.answers[Command.COUNTERS] = counted(8)
    assert outcome(events_after(wire, 10.0)) == []
    assert outcome(events_after(wire, 5.0)) == [Stacked(channel=5, value_cents=2000, receipt=None, recovered=True)]


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("polls", [("CC", "EB"), ("EB",)])
def test_stacked_without_its_credit_ends_by_the_count(polls: tuple[str, ...]) -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit, *polls)
    unit.answers[Command.COUNTERS] = counted(8)
    assert outcome(events_after(wire, 5.0)) == [Stacked(channel=5, value_cents=2000, receipt=None, recovered=True)]


@pytest.mark.parametrize("shown", ["E7", "EA", "E0", "BC EE 05"])
def test_nothing_is_decided_while_a_fault_may_hold_the_note_up_or_replies_cannot_be_read(shown: str) -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit, "CC", *[shown] * 100)
    assert outcome(events_after(wire, 15.0)) == []
    unit.polls = []
    (ended,) = outcome(events_after(wire, 10.0))
    assert isinstance(ended, Returned)


def test_a_note_under_a_removed_cash_box_waits_until_the_box_is_back() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit, "CC", "E3")
    assert outcome(events_after(wire, 15.0)) == []
    unit.report("E4")
    assert outcome(events_after(wire, 5.0)) == [Returned()]


@pytest.mark.requirement("TP-12")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (placed(2), TicketStacked(number=NUMBER, receipt=None, recovered=True)),
        (placed(3), Returned()),
        (placed(1), None),
        (placed(2, OTHER), None),
        (b"\xf5", None),
    ],
    ids=["stacked", "rejected", "in escrow", "another ticket", "no answer"],
)
def test_a_ticket_no_longer_shown_ends_at_the_place_that_the_unit_reports(
    answer: bytes, expected: BillEvent | None
) -> None:
    reader = {Command.BAR_CODE_READERS: bytes.fromhex("F0 03 00 01 06"), Command.BAR_CODE_DATA: placed(1)}
    unit = ScriptedUnit(answers=reader)
    wire = running(unit)
    wire.order(Take(channels=ALL, tickets=True))
    wire.run(1.0)
    unit.report("E5")
    wire.run_until_event(TicketOffered)
    wire.order(Stack())
    unit.report("CC", "E9")
    unit.answers[Command.BAR_CODE_DATA] = answer
    (ended,) = outcome(events_after(wire, 10.0))
    assert ended == expected or (expected is None and isinstance(ended, Started))


@pytest.mark.requirement("BA-08")
def test_a_stacker_that_never_ends_is_a_jam_until_the_note_is_gone() -> None:
    nv9 = NV9(CHANNELS, timings=Timings(stacking_s=10_000.0))
    wire = running(nv9, SspProtocol(timing=SspTiming(stacking_patience_s=3.0)))
    nv9.insert(5000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    assert events_after(wire, 2.0) == []
    jam = wire.run_until_event(TroubleBegan)
    assert (jam.trouble, jam.detail) == (Trouble.JAM, "a note is on its way into the stacker for more than 3 s")
    assert events_after(wire, 140.0) == []
    nv9.jam()
    nv9.clear_jam()
    received = events_after(wire, 10.0)
    assert [event for event in received if isinstance(event, TroubleEnded)] == [TroubleEnded(trouble=Trouble.JAM)]
    assert outcome(received) == [Returned()]


def kept(unit: ScriptedUnit, keeper: Keeper, *, wants_ack: bool) -> SspWire:
    """A cabinet with books, on a running unit."""
    wire: SspWire = Wire(
        SspProtocol(wants_ack=wants_ack),
        unit,
        on_event=lambda event: [wire.protocol.order(order, wire.now) for order in keeper.handle(event)] and None,
    )
    wire.connect()
    wire.order(TAKE_ALL)
    wire.run_until_event(Enabled)
    return wire


@pytest.mark.requirement("BA-02", "BA-03")
def test_a_note_reported_again_at_power_up_is_not_credited_for_an_escrow_report_that_came_late() -> None:
    """The unit still shows the first note in escrow in a reply that came late, and repeats its credit at power-up."""
    ends = {NO_COUNTERS[Command.COUNTERS]: (1, 1), counted(1): (1, 0), counted(2): (2, 0)}
    for cleared, stacked, wants_ack, (count, (credited, doubtful)) in product(
        ("E2 05", "E2 00"), ("", "EB"), (True, False), ends.items()
    ):
        unit, keeper = ScriptedUnit(answers={Command.COUNTERS: count}), Keeper()
        with case(cleared=cleared, stacked=stacked, wants_ack=wants_ack, count=count.hex()):
            if count != NO_COUNTERS[Command.COUNTERS]:
                unit.answers[Command.COUNTERS] = counted(1)
            wire = kept(unit, keeper, wants_ack=wants_ack)
            unit.report("EF 05", "CC", "EE 05 CC", stacked)
            wire.run(3.0)
            unit.report("EF 05")
            wire.run(0.5)
            unit.answers[Command.COUNTERS] = count
            unit.report(f"F1 {cleared} E8")
            wire.run(20.0)
            assert (keeper.credited, keeper.doubtful) == ([2000] * credited, [2000] * doubtful)
            assert (keeper.unexpected, keeper.intent_cents) == ([], None)


def test_a_note_that_was_never_accepted_and_is_cleared_to_the_cash_box_is_reported() -> None:
    unit, keeper = ScriptedUnit(answers=NO_COUNTERS), Keeper()
    wire = kept(unit, keeper, wants_ack=True)
    unit.report("EF 05", "CC", "EE 05 CC", "EB")
    wire.run(3.0)
    wire.order(Take(channels=frozenset()))
    wire.run(1.0)
    unit.report("EF 05")
    wire.run(0.5)
    unit.report("F1 E2 05 E8")
    wire.run(20.0)
    assert (keeper.credited, keeper.unexpected) == ([2000], [2000])
