"""The counters of an SSP unit: what they decide where a credit is reported once only, or a reply was unreadable."""

import pytest
from support.notes import ALL, CHANNELS, Keeper
from support.scripted_unit import ScriptedUnit
from support.ssp_bench import ACK, SspWire, events_after, join, running
from support.wire import Wire

from drivers.bills.events import BillEvent, Enabled, Offered, Stack, Stacked, Started, Take, Trouble, TroubleBegan
from drivers.bills.ssp.codec import COUNTER_NAMES, Command, write_counters
from drivers.bills.ssp.host import SspProtocol
from drivers.protocol import Confirm
from drivers.simulated.nv9 import NV9

COUNT = bytes((Command.COUNTERS,))


def counted(stacked: int, *, stored: int = 0) -> bytes:
    """The reply with this count of kept notes."""
    return b"\xf0" + write_counters(dict.fromkeys(COUNTER_NAMES, 0) | {"stacked": stacked, "stored": stored})


def plain(unit: ScriptedUnit) -> SspWire:
    return running(unit, SspProtocol(wants_ack=False))


def test_a_plain_poll_offers_and_starts_with_the_count_of_notes_kept() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(40, stored=2)})
    wire = join(unit, SspProtocol(wants_ack=False))
    assert wire.run_until_event(Started).counter == 42
    unit.report("EF 05")
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000, counter=42)


def test_the_count_is_read_anew_after_each_note_and_not_trusted_before() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = plain(unit)
    unit.answers[Command.COUNTERS] = counted(8)
    unit.report("EE 04 EF 05")
    assert wire.run_until_event(Offered) == Offered(channel=5, value_cents=2000, counter=None)
    wire.order(Stack())
    unit.report("EE 05 EB", "", "EF 01")
    assert wire.run_until_event(Offered) == Offered(channel=1, value_cents=100, counter=8)


@pytest.mark.parametrize("answer", [b"\xf2", b"\xf0", b"\xf0\x04" + bytes(20)])
def test_a_unit_without_counters_has_none(answer: bytes) -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: answer})
    wire = join(unit, SspProtocol(wants_ack=False))
    assert wire.run_until_event(Started).counter is None
    unit.report("EF 05")
    assert wire.run_until_event(Offered).counter is None


def test_with_poll_with_ack_the_count_is_read_once_the_credit_is_acknowledged() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = running(unit)
    unit.received.clear()
    unit.report("EE 04", "EE 04")
    assert events_after(wire) == [Stacked(channel=4, value_cents=1000, receipt=1)]
    assert COUNT not in unit.received
    wire.order(Confirm(receipt=1))
    wire.run(1.0)
    assert unit.received.count(COUNT) == 1
    assert unit.received.index(COUNT) > unit.received.index(bytes((ACK,)))


# A crash of the host only.


class Cabinet:
    """The cabinet's books at a wire with a good line."""

    def __init__(self, nv9: NV9) -> None:
        self.keeper = Keeper()
        self.nv9 = nv9
        self.wire: SspWire = Wire(SspProtocol(), nv9, on_event=self._act)
        self.wire.connect()
        self.wire.order(Take(channels=ALL))

    def _act(self, event: BillEvent) -> None:
        for order in self.keeper.handle(event):
            self.wire.protocol.order(order, self.wire.now)

    def die(self) -> None:
        self.wire.restart_host(SspProtocol())
        self.wire.order(Take(channels=ALL))
        self.wire.run(10.0)


@pytest.mark.no_cover
@pytest.mark.requirement("BA-02", "BA-03")
@pytest.mark.fault(1)
@pytest.mark.parametrize("knows_acks", [True, False])
def test_a_host_that_dies_at_any_moment_leaves_no_note_in_doubt(*, knows_acks: bool) -> None:
    for moment in range(60):
        cabinet = Cabinet(NV9(CHANNELS, knows_acks=knows_acks))
        cabinet.wire.run(3.0)
        cabinet.nv9.insert(2000)
        cabinet.wire.run(moment * 0.05)
        cabinet.die()
        keeper = cabinet.keeper
        assert (keeper.doubtful, keeper.unexpected, keeper.intent_cents) == ([], [], None), f"moment {moment}"
        assert keeper.credited == cabinet.nv9.stacked, f"moment {moment}"


@pytest.mark.requirement("BA-02", "BA-03")
@pytest.mark.parametrize(("knows_counters", "credited", "doubtful"), [(True, [2000], []), (False, [], [2000])])
def test_a_credit_reported_to_a_dying_host_is_found_by_the_count_or_stays_in_doubt(
    *, knows_counters: bool, credited: list[int], doubtful: list[int]
) -> None:
    cabinet = Cabinet(NV9(CHANNELS, knows_acks=False, knows_counters=knows_counters))
    cabinet.wire.run(3.0)
    cabinet.nv9.insert(2000)
    keeper = cabinet.keeper
    cabinet.wire.run_until(lambda: keeper.intent_cents is not None)
    intent = keeper.intent_cents
    cabinet.wire.run_until(lambda: keeper.credited == [2000])
    keeper.intent_cents, keeper.credited = intent, []  # it crashed before that was durable
    cabinet.die()
    assert (keeper.credited, keeper.doubtful) == (credited, doubtful)


# An unreadable reply.


def accepted(unit: ScriptedUnit) -> SspWire:
    """A plainly polled unit, its counter at 7, with a note of channel 5 just accepted."""
    wire = plain(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.events.clear()
    return wire


@pytest.mark.requirement("BA-02")
@pytest.mark.fault(13)
def test_a_credit_behind_an_unknown_event_is_found_by_the_count() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit)
    unit.report("CC", "BC 01 EE 05 EB")
    unit.answers[Command.COUNTERS] = counted(8)
    alarm, stacked = events_after(wire)
    assert isinstance(alarm, TroubleBegan)
    assert alarm == TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="unreadable part of a poll reply: BC 01 EE 05 EB")
    assert stacked == Stacked(channel=5, value_cents=2000, receipt=None, recovered=True)


@pytest.mark.requirement("BA-02")
def test_a_credit_that_comes_after_the_unknown_event_counts_once() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit)
    unit.report("CC", "BC", "EE 05 EB")
    unit.answers[Command.COUNTERS] = counted(8)
    stacked = [event for event in events_after(wire, 5.0) if isinstance(event, Stacked)]
    assert stacked == [Stacked(channel=5, value_cents=2000, receipt=None)]


def test_a_count_that_does_not_fit_claims_nothing_and_a_late_credit_still_counts() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(7)})
    wire = accepted(unit)
    unit.report("CC", "BC")
    unit.answers[Command.COUNTERS] = counted(9)
    received = [event for event in events_after(wire, 10.0) if not isinstance(event, Enabled)]
    assert [type(event) for event in received] == [TroubleBegan, TroubleBegan, Started]
    unit.report("EE 05")
    assert wire.run_until_event(Stacked).value_cents == 2000


def test_with_poll_with_ack_the_credit_behind_an_unknown_event_comes_again() -> None:
    unit = ScriptedUnit(answers={Command.COUNTERS: counted(8)})
    wire = running(unit)
    unit.report("EF 05")
    wire.run_until_event(Offered)
    wire.order(Stack())
    unit.report("CC", "BC EE 05", "EE 05", "EE 05")
    stacked = [event for event in events_after(wire, 5.0) if isinstance(event, Stacked)]
    assert stacked == [Stacked(channel=5, value_cents=2000, receipt=1)]


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize("code", ["CA", "CB"])
def test_a_note_that_a_payout_unit_moved_at_power_up_is_an_alarm(code: str) -> None:
    unit = ScriptedUnit()
    wire = running(unit)
    unit.report(f"{code} 88 13 00 00 55 53 44 EE 01")
    alarm, stacked = events_after(wire)
    assert isinstance(alarm, TroubleBegan)
    assert (alarm.trouble, code in alarm.detail) == (Trouble.LOST_EVENTS, True)
    assert stacked == Stacked(channel=1, value_cents=100, receipt=1)


def test_a_unit_that_knows_no_versions_is_read_in_short_forms() -> None:
    newer = ScriptedUnit()
    wire = running(newer)
    newer.report("CE 88")
    assert isinstance(events_after(wire)[0], TroubleBegan)
    older = ScriptedUnit(answers={Command.HOST_VERSION: b"\xf2"})
    wire = running(older)
    older.report("CE EE 01")
    assert events_after(wire) == [Stacked(channel=1, value_cents=100, receipt=1)]
