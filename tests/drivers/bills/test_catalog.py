"""The list of bill acceptor protocols."""

from typing import Literal

import pytest
from support.notes import CHANNELS
from support.wire import Wire

from drivers.bills.catalog import PROTOCOLS, AcceptorSettings, Timings, make_protocol
from drivers.bills.cctalk.host import CcTalkTiming
from drivers.bills.ebds.host import EbdsTiming
from drivers.bills.events import Started, TroubleBegan
from drivers.bills.ict.host import IctTiming
from drivers.bills.id003.host import Id003Timing
from drivers.bills.ssp.host import SspTiming
from drivers.errors import ConfigurationError
from drivers.simulated.cashflow import Cashflow
from drivers.simulated.nv9 import NV9


@pytest.mark.parametrize("name", PROTOCOLS)
def test_each_entry_makes_a_protocol_on_its_own_line_settings(name: str) -> None:
    protocol = make_protocol(name, AcceptorSettings(currency="USD", values_cents=(100, 500)))
    assert PROTOCOLS[name].name == name
    assert protocol.line == PROTOCOLS[name].line


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match=r"'mdb'; expected one of: .*ssp"):
        make_protocol("mdb", AcceptorSettings())


def test_pulses_are_no_protocol_of_a_serial_line() -> None:
    with pytest.raises(ConfigurationError, match="pulses on a pin"):
        make_protocol("pulse", AcceptorSettings())


@pytest.mark.parametrize("address", [-1, 0x7E])
def test_an_impossible_address_is_refused(address: int) -> None:
    with pytest.raises(ConfigurationError, match="expected 0 to 125, the addresses of SSP"):
        make_protocol("ssp", AcceptorSettings(address=address))


def test_the_address_reaches_the_wire() -> None:
    protocol = make_protocol("ssp", AcceptorSettings(address=0x10))
    protocol.opened(0.0)
    assert protocol.bytes_to_send()[1] & 0x7F == 0x10


@pytest.mark.parametrize(("address", "on_the_wire"), [(0, 40), (41, 41)])
def test_a_cctalk_validator_is_at_its_usual_address_unless_another_is_given(address: int, on_the_wire: int) -> None:
    protocol = make_protocol("cctalk", AcceptorSettings(address=address))
    protocol.opened(0.0)
    assert protocol.bytes_to_send()[0] == on_the_wire


@pytest.mark.parametrize("values_cents", [None, ()])
def test_an_ict_acceptor_needs_the_values_of_its_notes(values_cents: tuple[int, ...] | None) -> None:
    with pytest.raises(ConfigurationError, match="the values of its notes"):
        make_protocol("ict", AcceptorSettings(values_cents=values_cents))


def test_a_note_type_without_a_value_is_no_channel() -> None:
    protocol = make_protocol("ict", AcceptorSettings(currency="USD", values_cents=(100, 0, 500)))
    protocol.opened(0.0)
    protocol.receive(b"\x3e", 0.1)
    protocol.tick(5.0)
    (started,) = protocol.events()
    assert isinstance(started, Started)
    assert [(channel.number, channel.value_cents) for channel in started.channels] == [(1, 100), (3, 500)]


def test_a_pyramid_acceptor_has_the_table_of_its_currency_unless_another_is_given() -> None:
    make_protocol("pyramid", AcceptorSettings(currency="USD"))
    make_protocol("pyramid", AcceptorSettings(currency="EUR", values_cents=(0, 500, 1000, 2000)))
    for currency in ("EUR", None):
        with pytest.raises(
            ConfigurationError,
            match=r"expected the values of its note indexes.* a table is known of USD only, not of",
        ):
            make_protocol("pyramid", AcceptorSettings(currency=currency))


@pytest.mark.fault(29)
@pytest.mark.parametrize("name", ["ebds", "pyramid"])
def test_an_ebds_acceptor_is_polled_at_least_every_tenth_of_a_second(name: str) -> None:
    protocol = make_protocol(name, AcceptorSettings(currency="USD", poll_interval_s=0.5))
    wire = Wire(protocol, Cashflow(CHANNELS, extended=name == "ebds"))
    wire.connect()
    wire.run(5.0)
    wire.sent.clear()
    wire.run(2.0)
    assert len(wire.sent) >= 15


@pytest.mark.parametrize(
    ("setting", "unit", "outcome"),
    [
        ("auto", "offered", "SSP note validator, protocol 7"),
        ("auto", "demanded", "SSP note validator, protocol 7, encrypted"),
        ("always", "offered", "SSP note validator, protocol 7, encrypted"),
        ("always", "unknown", "the unit does not exchange keys"),
        ("never", "offered", "SSP note validator, protocol 7"),
        ("never", "demanded", "the unit requires an encrypted line"),
    ],
)
def test_an_ssp_line_is_encrypted_as_set(
    setting: Literal["auto", "always", "never"], unit: Literal["offered", "demanded", "unknown"], outcome: str
) -> None:
    protocol = make_protocol("ssp", AcceptorSettings(encryption=setting, fixed_key=5))
    wire = Wire(protocol, NV9(CHANNELS, encryption=unit, fixed_key=5))
    wire.connect()
    wire.run_until(lambda: any(isinstance(event, Started | TroubleBegan) for event in wire.events))
    (first,) = wire.events
    if isinstance(first, Started):
        assert first.model == outcome
    else:
        assert isinstance(first, TroubleBegan)
        assert outcome in first.detail


def test_every_new_protocol_draws_its_own_bytes() -> None:
    draw = AcceptorSettings().draw
    assert len(draw(8)) == 8
    assert draw(8) != draw(8)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_waits_of_a_protocol_are_an_argument(name: str) -> None:
    slow = Timings(
        cctalk=CcTalkTiming(reply_timeout_s=9.0),
        ebds=EbdsTiming(reply_timeout_s=9.0),
        ict=IctTiming(status_interval_s=9.0, settle_s=9.0),
        id003=Id003Timing(reply_timeout_s=9.0),
        ssp=SspTiming(reply_timeout_s=9.0),
    )
    protocol = make_protocol(name, AcceptorSettings(currency="USD", values_cents=(100, 500), timings=slow))
    protocol.opened(100.0)
    assert protocol.due() == 109.0
