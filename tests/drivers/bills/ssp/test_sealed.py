"""SSP on an encrypted line, in virtual time: when it is sealed, how a key is lost, the effects of a lossy line."""

import random

import pytest
from support.notes import CHANNELS
from support.scripted_unit import ScriptedUnit
from support.ssp_bench import SspWire, draw, events_after, join, running, sealed_host
from support.wire import Harm, Wire

from drivers.bills.events import (
    Enabled,
    Offered,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.ssp.codec import KEY_EXCHANGE, Command
from drivers.bills.ssp.frame import Decoder
from drivers.bills.ssp.host import SspProtocol
from drivers.bills.ssp.secret import SEALED, Secrecy
from drivers.protocol import Confirm
from drivers.simulated.nv9 import NV9


def commands_sent(wire: SspWire) -> list[int]:
    """First bytes of all that went out."""
    decoder = Decoder()
    return [frame.data[0] for chunk in wire.sent for frame in decoder.feed(chunk)]


def take_a_note(wire: SspWire, nv9: NV9) -> Stacked:
    wire.run_until(lambda: nv9.insert(2000), at_most_s=300.0)
    wire.run_until_event(Offered, at_most_s=300.0)
    wire.order(Stack())
    stacked = wire.run_until_event(Stacked, at_most_s=300.0)
    assert isinstance(stacked, Stacked)
    if stacked.receipt is not None:
        wire.order(Confirm(receipt=stacked.receipt))
    wire.run(1.0)
    return stacked


@pytest.mark.requirement("BA-02", "BA-07")
@pytest.mark.fault(15)
def test_a_unit_that_demands_encryption_gets_it_and_its_notes_are_credited() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded")
    wire = join(nv9, sealed_host())
    assert wire.run_until_event(Started).model == "SSP note validator, protocol 7, encrypted"
    wire.run_until_event(Enabled)
    assert take_a_note(wire, nv9) == Stacked(channel=5, value_cents=2000, receipt=1)
    assert take_a_note(wire, nv9).receipt == 2
    assert nv9.stacked == [2000, 2000]
    assert not [event for event in wire.events if isinstance(event, TroubleBegan)]


def test_a_unit_that_only_offers_encryption_is_spoken_to_in_the_clear() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9, sealed_host())
    take_a_note(wire, nv9)
    assert SEALED not in commands_sent(wire)


def test_always_means_that_nothing_but_the_exchange_goes_out_in_the_clear() -> None:
    nv9 = NV9(CHANNELS)
    wire = running(nv9, sealed_host(always=True))
    take_a_note(wire, nv9)
    assert set(commands_sent(wire)) == {SEALED, *KEY_EXCHANGE}


@pytest.mark.fault(15)
@pytest.mark.parametrize("unit_type", [0x06, 0x07, 0x0E])
def test_units_that_pay_out_are_sealed_and_found_at_another_address(unit_type: int) -> None:
    nv9 = NV9(CHANNELS, unit_type=unit_type, address=5, protocol_version=8)
    wire = running(nv9, sealed_host(address=5))
    take_a_note(wire, nv9)
    assert nv9.stacked == [2000]
    assert commands_sent(wire)[-1] == SEALED


@pytest.mark.fault(13)
@pytest.mark.parametrize("version", [5, 6, 7, 8])
@pytest.mark.parametrize("unit_type", [0x06, 0x07])
def test_what_a_payout_unit_reports_its_payout_at_every_start_is_no_fault(unit_type: int, version: int) -> None:
    nv9 = NV9(CHANNELS, unit_type=unit_type, protocol_version=version)
    wire = join(nv9, sealed_host())
    for _ in range(3):
        nv9.power_cycle()
        for event in ("C6", "C7", "C8", "C0", "B0"):
            nv9.report(bytes.fromhex(event))
        wire.run_until_event(Started, at_most_s=60.0)
        assert not [event for event in wire.events if isinstance(event, TroubleBegan)]
        wire.events.clear()
    take_a_note(wire, nv9)
    assert nv9.stacked == [2000]


@pytest.mark.fault(12)
def test_a_unit_that_refuses_the_version_and_then_wants_a_key_gets_both() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded", protocol_version=5)
    wire = running(nv9, sealed_host())
    take_a_note(wire, nv9)
    assert nv9.stacked == [2000]


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize(
    ("protocol", "nv9", "words"),
    [
        (SspProtocol(), NV9(CHANNELS, encryption="demanded"), "requires an encrypted line"),
        (sealed_host(always=True), NV9(CHANNELS, encryption="unknown"), "does not exchange keys: 4A is answered F2"),
        (sealed_host(fixed_key=1), NV9(CHANNELS, encryption="demanded"), "its fixed key is different"),
    ],
    ids=["never", "always", "other key"],
)
def test_a_line_that_cannot_be_as_set_is_a_hardware_fault(protocol: SspProtocol, nv9: NV9, words: str) -> None:
    wire = join(nv9, protocol)
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is Trouble.HARDWARE
    assert words in fault.detail
    wire.run(30.0)
    assert not nv9.enabled
    assert not [event for event in wire.events if isinstance(event, Started)]


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({0x7E: b"\xfa", 0x4C: b"\xf0\x05" + bytes(7)}, "no key (FA), although one was just agreed"),
        ({0x4C: b"\xf0\x01" + bytes(7)}, "gives no usable key"),
        ({0x4C: b"\xf0\x05"}, "gives no usable key"),
        ({0x4C: b"\xf5"}, "does not exchange keys: 4C is answered F5"),
    ],
)
def test_a_failed_exchange_gives_the_reason(answers: dict[int, bytes | None], words: str) -> None:
    wire = join(ScriptedUnit(answers=answers), sealed_host(always=True))
    fault = wire.run_until_event(TroubleBegan)
    assert fault.trouble is Trouble.HARDWARE
    assert words in fault.detail


@pytest.mark.requirement("BA-03", "BA-11")
def test_a_unit_that_lost_its_key_with_its_power_gets_another_and_its_note_is_recovered() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded")
    wire = running(nv9, sealed_host())
    nv9.insert(1000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: nv9.phase == "stacking")
    nv9.power_cycle()
    wire.run_until_event(Started)
    credited = [event for event in wire.events if isinstance(event, Stacked)]
    assert credited == [Stacked(channel=4, value_cents=1000, receipt=1, recovered=True)]
    wire.order(Confirm(receipt=1))
    wire.run(2.0)
    assert nv9.enabled


def test_a_unit_that_resets_without_a_gap_reports_no_key_and_is_started_again() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded")
    nv9.timings = nv9.timings.__class__(boot_s=0.0)
    wire = running(nv9, sealed_host())
    nv9.power_cycle()
    received = events_after(wire, 5.0)
    assert not [event for event in received if isinstance(event, TroubleBegan | TroubleEnded)]
    assert [type(event) for event in received] == [Enabled, Started, Enabled]
    assert nv9.enabled


def test_a_repeat_is_the_same_sealed_bytes_and_is_not_executed_again() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded")
    wire = running(nv9, sealed_host())
    wire.damage = lambda _chunk: []
    sent = len(wire.sent)
    wire.run(3.5)
    repeated = wire.sent[sent:]
    assert len(repeated) >= 3
    assert len(set(repeated)) == 1
    wire.damage = lambda chunk: [(0.0, chunk)]
    take_a_note(wire, nv9)
    assert not [event for event in wire.events if isinstance(event, TroubleBegan)]


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("seed", range(3))
def test_twenty_percent_loss_each_way_only_slows_a_sealed_line_down(seed: int) -> None:
    nv9 = NV9(CHANNELS, encryption="demanded")
    wire: SspWire = Wire(sealed_host(), nv9, damage=Harm(lost=0.2).by(random.Random(seed)))
    wire.connect()
    wire.order(Take(channels=frozenset({5})))
    for _ in range(3):
        take_a_note(wire, nv9)
    assert nv9.stacked == [2000] * 3


def test_a_poll_cut_off_by_unplugging_is_repeated_with_the_same_key() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded", knows_acks=False)
    wire = running(nv9, sealed_host())
    nv9.insert(2000)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: nv9.stacked == [2000])
    wire.damage = lambda chunk: [] if len(chunk) > 20 and nv9.stacked and not nv9.busy else [(0.0, chunk)]
    wire.run(0.3)
    wire.disconnect()
    wire.run(2.0)
    wire.damage = lambda chunk: [(0.0, chunk)]
    wire.connect()
    assert wire.run_until_event(Stacked) == Stacked(channel=5, value_cents=2000, receipt=None, recovered=True)


def test_the_secret_number_is_drawn_anew_for_each_exchange() -> None:
    drawn: list[int] = []

    def watched(size: int) -> bytes:
        drawn.append(size)
        return draw(size)

    nv9 = NV9(CHANNELS)
    wire = running(nv9, SspProtocol(secrecy=Secrecy(draw=watched, always=True)))
    nv9.power_cycle()
    wire.run_until_event(Started)
    assert commands_sent(wire).count(Command.EXCHANGE_KEYS) == 2
    assert drawn.count(8) >= 2
