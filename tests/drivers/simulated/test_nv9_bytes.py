"""The simulated NV9 against the known bytes of the maker, both ways."""

import pytest
from support.notes import CHANNELS
from support.nv9_host import Host
from support.ssp_vectors import VECTORS

from drivers.simulated.nv9 import NV9, Timings

WIRE = {meaning: wire for meaning, _, _, wire in VECTORS}


@pytest.fixture
def unit() -> NV9:
    return NV9(CHANNELS, timings=Timings(boot_s=0.0))


@pytest.fixture
def host(unit: NV9) -> Host:
    return Host(unit)


def say(host: Host, meaning: str) -> bytes:
    """The bytes that come back for the bytes of a known command, whose sequence bit is set: one with a clear bit ahead
    of it makes it a new one."""
    host.ask("0C", sequence=False)
    host.unit.receive(WIRE[meaning], host.now)
    return host.unit.bytes_to_send()


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("sync", "ok"),
        ("host protocol version 8", "fail"),
        ("let channels 1 to 3 through", "ok"),
        ("let all channels through", "ok"),
        ("enable", "ok"),
        ("disable", "ok"),
        ("serial number", "serial number 1873452"),
        ("bar code configuration", "ok"),
        ("bar code inhibit", "ok"),
        ("poll", "reset and disabled"),
    ],
)
def test_known_commands_have_known_answers_byte_for_byte(command: str, answer: str) -> None:
    host = Host(NV9(CHANNELS, has_reader=True, timings=Timings(boot_s=0.0)))
    assert say(host, command) == WIRE[answer]


def test_what_happens_to_a_note_is_reported_in_the_known_bytes(unit: NV9, host: Host) -> None:
    host.enable()
    unit.insert(100)
    assert say(host, "poll") == WIRE["reading"]
    host.wait(0.6)
    host.ask("07", sequence=False)
    host.ask("07", sequence=True)
    host.wait(1.1)
    assert say(host, "poll") == WIRE["credit of channel 1, stacked"]
    unit.insert(500)
    host.wait(0.6)
    assert say(host, "poll") == WIRE["escrow of channel 3"]
    host.ask("08", sequence=False)
    assert say(host, "poll") == WIRE["rejecting"]
    host.wait(3.0)
    assert say(host, "poll") == WIRE["rejected"]
    assert say(host, "last reject") == WIRE["rejected by the host"]


def test_a_fraud_and_switched_off_channels_are_reported_in_the_known_bytes(unit: NV9, host: Host) -> None:
    host.enable()
    unit.insert(200)
    host.wait(0.6)
    host.ask("07", sequence=False)
    host.ask("07", sequence=True)
    unit.cheat()
    assert say(host, "poll") == WIRE["fraud on channel 2"]
    host.ask("02 00 00", sequence=False)
    assert say(host, "poll") == WIRE["all channels inhibited"]
    host.ask("09", sequence=False)
    assert say(host, "poll") == WIRE["disabled"]
