"""Random bytes into every reader: hosts, simulated units, decoders. Nothing raises, and everything works afterwards.

The profile gives the number of bytes: a few ten thousand in the usual one, a million in the thorough one. Half of the
pieces are plain noise, half are made of bytes that have a meaning in some protocol.
"""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import settings
from support.acceptors import KINDS, till_of
from support.printer_bench import build_ticket
from support.till import Till
from support.wire import Wire

from drivers.bills.cctalk.exchange import Exchange
from drivers.bills.ebds import frame as ebds_frame
from drivers.bills.events import Return, Stack
from drivers.bills.id003 import frame as id003_frame
from drivers.bills.protocol_sniffer import ProtocolSniffer
from drivers.bills.ssp import frame as ssp_frame
from drivers.printers.catalog import LANGUAGES, PrinterSettings
from drivers.printers.document import Print, PrinterEvent, PrinterStarted, PrintOrder
from drivers.printers.escpos.bytes import PageStyle
from drivers.printers.paper import MM_80
from drivers.protocol import Confirm, WireProtocol
from drivers.simulated.pty_line import Device
from drivers.simulated.tcl_printer import SimulatedTclPrinter
from drivers.simulated.ticket_printer import SimulatedTicketPrinter

MEANT = bytes.fromhex(
    "7F 80 00 F0 EE EF E2 E8 FC 05 11 13 61 15 16 40 41 42 50 02 0B 08 20 21 03 10 1D 1B 04 12 0A 6B 72 56 2A 53 7C 5E "
    "28 01 9F 9A 81 44 8F 0F 3E 5E 0C 4C 48"
)


class Reader(Protocol):
    """What is fed."""

    def __call__(self, piece: bytes, now: float, /) -> object:
        """Takes a piece at a time."""


def noise(seed: int) -> list[bytes]:
    """Pieces of one byte and more, as many bytes as the profile wants."""
    lot = random.Random(seed)
    left, pieces = settings().max_examples * 500, []
    while left > 0:
        size = min(left, lot.choice((1, 2, 5, 30, 300)))
        pieces.append(lot.randbytes(size) if lot.random() < 0.5 else bytes(lot.choices(MEANT, k=size)))
        left -= size
    return pieces


def feed(read: Reader, *, now: float = 1000.0) -> float:
    """All the noise, now and then with a pause; returns the time at the end."""
    lot = random.Random(0)
    for piece in noise(1):
        now += lot.choice((0.0, 0.001, 0.02, 0.3))
        read(piece, now)
    return now


def host(protocol: WireProtocol[Any, Any], *orders: Any) -> Reader:
    """A protocol with ticks and bytes to send; it gets orders between."""
    protocol.opened(1000.0)
    count = 0

    def read(piece: bytes, now: float) -> None:
        nonlocal count
        protocol.receive(piece, now)
        protocol.tick(now)
        protocol.bytes_to_send()
        protocol.events()
        count += 1
        if orders and count % 7 == 0:
            protocol.order(orders[count // 7 % len(orders)], now)

    return read


def unit(device: Device) -> Reader:
    """A simulated device."""

    def read(piece: bytes, now: float) -> None:
        device.receive(piece, now)
        device.tick(now)
        device.bytes_to_send()

    return read


def exchange() -> Reader:
    """The asking side of ccTalk, which always waits for an answer."""
    asking = Exchange(address=40)
    asking.write(159)

    def read(piece: bytes, now: float) -> None:
        if asking.receive(piece, now) is not None:
            asking.write(159)

    return read


DECODERS: Mapping[str, Callable[[], Reader]] = {
    "ssp": lambda: _alone(ssp_frame.Decoder().feed),
    "id003": lambda: _alone(id003_frame.Decoder().feed),
    "ebds": lambda: _alone(ebds_frame.Decoder().feed),
    "cctalk": exchange,
    "protocol sniffer": lambda: _alone(ProtocolSniffer(ours="SSP").feed),
}


def _alone(read: Callable[[bytes], object]) -> Reader:
    return lambda piece, _now: read(piece)


@pytest.mark.parametrize("name", DECODERS)
def test_no_noise_makes_a_decoder_raise(name: str) -> None:
    feed(DECODERS[name]())


@pytest.mark.requirement("BA-11")
@pytest.mark.parametrize("name", KINDS)
def test_after_any_noise_a_host_takes_notes_again_when_its_line_is_opened_anew(name: str) -> None:
    kind, protocol = KINDS[name], KINDS[name].host()
    end = feed(host(protocol, Stack(), Return(), Confirm(receipt=1)))
    protocol.closed(end)
    protocol.bytes_to_send()
    protocol.events()
    simulated = kind.unit()
    till = Till(make=lambda: protocol, unit=simulated, on_connect=lambda: kind.connected(simulated), start_s=end)
    till.wire.run_until(lambda: till.taking and simulated.enabled, at_most_s=300.0)


@pytest.mark.parametrize("name", KINDS)
def test_after_any_noise_a_simulated_acceptor_takes_notes_from_a_host(name: str) -> None:
    till, simulated = till_of(KINDS[name])
    till.die_now()
    till.wire.now = feed(unit(simulated), now=till.wire.now)
    assert simulated.stacked == [], "there was no note"
    till.come_back()
    till.wire.run_until(lambda: till.taking and simulated.enabled, at_most_s=300.0)
    assert simulated.insert(500)
    till.wire.run_until(lambda: till.cabinet.credit == 500)


PRINTERS: Mapping[str, Callable[[Path], Any]] = {
    "escpos": lambda folder: SimulatedTicketPrinter(folder=folder),
    "tcl": lambda folder: SimulatedTclPrinter(folder=folder),
}


def printer_host(language: str) -> WireProtocol[PrinterEvent, PrintOrder]:
    """The host of a printer."""
    return LANGUAGES[language].build(PrinterSettings(style=PageStyle(paper=MM_80), baud=19_200))


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_any_noise_the_host_of_a_printer_finds_it_when_its_line_is_opened_anew(
    language: str, tmp_path: Path
) -> None:
    protocol = printer_host(language)
    end = feed(host(protocol, Print(job=1, document=build_ticket())))
    protocol.closed(end)
    protocol.bytes_to_send()
    protocol.events()
    wire = Wire(protocol, PRINTERS[language](tmp_path))
    wire.now = end
    wire.connect()
    wire.run_until_event(PrinterStarted)


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_any_noise_a_simulated_printer_starts_when_it_is_switched_off_and_on(
    language: str, tmp_path: Path
) -> None:
    printer = PRINTERS[language](tmp_path)
    end = feed(unit(printer))
    printer.power_off()
    printer.power_on()
    printer.refill()
    wire = Wire(printer_host(language), printer)
    wire.now = end
    wire.connect()
    wire.run_until_event(PrinterStarted)
