"""The table of simulated acceptors: one for each protocol, as in the settings, with its possible user actions."""

import pytest

from drivers.bills.catalog import PROTOCOLS, PULSES, AcceptorSettings
from drivers.panel.pin_factory import make_factory
from drivers.simulated.units import SIMULATED, Hand, PulseWires, SerialAcceptor, Unit, make_unit

NOTES_CENTS = (100, 500, 2_000)
SET_CENTS = (100, 0, 1_000)


def made(protocol: str) -> Unit:
    settings = AcceptorSettings(currency="USD", values_cents=SET_CENTS if protocol in {"ict", "pyramid"} else None)
    wires = None
    if protocol == PULSES.name:
        wires = PulseWires(pulse=15, release=9, idle_high=True, notes={1: 100, 5: 500}, factory=make_factory("mock"))
    return make_unit(protocol, settings, NOTES_CENTS, wires)


def test_every_protocol_has_a_unit() -> None:
    assert set(SIMULATED) == {*PROTOCOLS, PULSES.name}


@pytest.mark.parametrize("protocol", SIMULATED)
def test_every_user_action_works_or_gives_the_reason(protocol: str) -> None:
    unit = made(protocol)
    on_the_line = {Hand.UNPLUG, Hand.REPLUG} if isinstance(unit.device, SerialAcceptor) else set()
    assert unit.hands.keys() | unit.cannot.keys() | on_the_line == set(Hand)
    assert not unit.hands.keys() & unit.cannot.keys()
    assert all("acceptor" in reason for reason in unit.cannot.values())
    for act in (*unit.hands.values(), *unit.hands.values()):
        act()


@pytest.mark.parametrize("protocol", SIMULATED)
def test_a_unit_without_a_host_takes_nothing(protocol: str) -> None:
    unit = made(protocol)
    assert not unit.device.enabled
    assert unit.device.stacked == []


@pytest.mark.parametrize(
    ("protocol", "notes"),
    [("ssp", NOTES_CENTS), ("ict", (100, 1_000)), ("pyramid", (100, 1_000)), ("pulse", (100, 500))],
)
def test_a_unit_knows_the_notes_that_the_settings_give_it(protocol: str, notes: tuple[int, ...]) -> None:
    assert made(protocol).notes_cents == notes


def test_the_pulse_wires_can_be_pulled_and_put_back() -> None:
    unit = made("pulse")
    unit.hands[Hand.UNPLUG]()
    assert not unit.device.insert(100)
    unit.hands[Hand.REPLUG]()
    assert unit.device.returned == [100]
