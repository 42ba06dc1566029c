"""The bench: simulated devices at the far end of every wire of one cabinet, and the hands that work them.

The devices keep their own state and refuse what real ones refuse. Everything goes over the same bytes and pins as with
real hardware; nothing here reaches into the cabinet.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabinet.config import Config
from drivers.bills.events import Channel
from drivers.panel.gpio import make_factory
from drivers.printers.catalog import find_paper
from drivers.simulated.nv9 import NV9, Timings
from drivers.simulated.panel import SimulatedPanel
from drivers.simulated.pty_line import PtyFarEnd
from drivers.simulated.ticket_printer import SimulatedTicketPrinter, Ticket, Traits

NOTES_CENTS = (100, 500, 1_000, 2_000, 5_000, 10_000)
"""The notes the simulated acceptor knows."""

ACCEPTOR_PROTOCOL = "ssp"
"""What the simulated acceptor speaks."""

BRISK = Timings(reading_s=0.2, stacking_s=0.3, rejecting_s=0.2, boot_s=0.5)
"""Quicker than the real unit, so that nobody waits for a demonstration."""

BRISK_PRINTER = Traits(dot_lines_per_s=2_400, boot_s=0.5)
"""The same for the printer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchAction:
    """Something a hand can do to the devices. `act` is quick, and doing it twice is as good as doing it once.

    `key` is the key of the keyboard that does it, as the window names keys.
    """

    name: str
    key: str
    description: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The simulated devices of one cabinet."""

    factory: Any
    panel: SimulatedPanel
    acceptor: NV9
    acceptor_line: PtyFarEnd
    printer: SimulatedTicketPrinter
    printer_line: PtyFarEnd

    @property
    def acceptor_path(self) -> str:
        """The stable name of the acceptor's line."""
        return self.acceptor_line.path

    @property
    def printer_path(self) -> str:
        """The stable name of the printer's line."""
        return self.printer_line.path

    def insert(self, cents: int) -> bool:
        """Put a note in; False when the acceptor does not draw it in."""
        return self.acceptor_line.call(lambda: self.acceptor.insert(cents))

    def tickets(self) -> tuple[Ticket, ...]:
        """Every ticket printed so far."""
        return self.printer_line.call(lambda: tuple(self.printer.tickets))

    def with_acceptor(self, act: Callable[[NV9], Any]) -> None:
        """Do something to the acceptor."""
        self.acceptor_line.call(lambda: act(self.acceptor))

    def actions(self) -> tuple[BenchAction, ...]:
        """Everything a hand can do beside pressing the player's buttons."""
        return (*_note_actions(self), *_acceptor_actions(self), *_printer_actions(self), *_door_actions(self))

    def do(self, name: str) -> None:
        """Do one of the actions. Raises KeyError for a name that is none."""
        {action.name: action for action in self.actions()}[name].act()

    def with_printer(self, act: Callable[[SimulatedTicketPrinter], Any]) -> None:
        """Do something to the printer."""
        self.printer_line.call(lambda: act(self.printer))


_Row = tuple[str, str, str, Callable[[], None]]


def _made(rows: Iterable[_Row]) -> tuple[BenchAction, ...]:
    return tuple(BenchAction(name=name, key=key, description=words, act=act) for name, key, words, act in rows)


def _note_actions(bench: Bench) -> tuple[BenchAction, ...]:
    """Notes: what the acceptor does not draw in stays in the hand."""

    def insert(cents: int) -> Callable[[], None]:
        return lambda: bench.with_acceptor(lambda unit: unit.insert(cents))

    return _made(
        (f"note_{cents // 100}", key, f"put in a note of {cents // 100}", insert(cents))
        for key, cents in zip("123456", NOTES_CENTS, strict=True)
    )


def _acceptor_actions(bench: Bench) -> tuple[BenchAction, ...]:
    def hand(work: Callable[[NV9], object]) -> Callable[[], None]:
        return lambda: bench.with_acceptor(work)

    return _made(
        (
            ("bad_note", "7", "put in something that is no note", hand(lambda unit: unit.insert_bad())),
            ("cheat", "8", "pull a note back on a string", hand(lambda unit: unit.cheat())),
            ("bill_jam", "9", "jam the acceptor", hand(lambda unit: unit.jam())),
            ("bill_jam_clear", "0", "free the acceptor", hand(lambda unit: unit.clear_jam())),
            ("cashbox_out", "-", "take the cash box out", hand(lambda unit: unit.remove_cashbox())),
            ("cashbox_in", "=", "put the cash box back, empty", hand(lambda unit: unit.replace_cashbox())),
            ("stacker_full", "[", "fill the cash box", hand(lambda unit: unit.fill())),
            ("stacker_empty", "]", "make room in the cash box", hand(lambda unit: unit.empty())),
            ("acceptor_power", "/", "cut the acceptor's power for a moment", hand(lambda unit: unit.power_cycle())),
            ("acceptor_unplug", ",", "unplug the acceptor's line", bench.acceptor_line.unplug),
            ("acceptor_replug", ".", "plug the acceptor's line in", bench.acceptor_line.replug),
        )
    )


def _printer_actions(bench: Bench) -> tuple[BenchAction, ...]:
    def hand(work: Callable[[SimulatedTicketPrinter], object]) -> Callable[[], None]:
        return lambda: bench.with_printer(work)

    return _made(
        (
            ("paper_out", "q", "let the paper end", hand(lambda unit: unit.paper_out())),
            ("paper_low", "w", "let the paper run low", hand(lambda unit: unit.paper_low())),
            ("paper_refill", "e", "put in a new roll", hand(lambda unit: unit.refill())),
            ("cover_open", "t", "open the printer's cover", hand(lambda unit: unit.open_cover())),
            ("cover_close", "y", "close the printer's cover", hand(lambda unit: unit.close_cover())),
            ("printer_jam", "u", "jam the printer's cutter", hand(lambda unit: unit.jam())),
            ("printer_jam_clear", "i", "free the printer's cutter", hand(lambda unit: unit.clear_jam())),
            ("printer_off", "j", "switch the printer off", hand(lambda unit: unit.power_off())),
            ("printer_on", "k", "switch the printer on", hand(lambda unit: unit.power_on())),
            ("printer_unplug", "v", "unplug the printer's line", bench.printer_line.unplug),
            ("printer_replug", "m", "plug the printer's line in", bench.printer_line.replug),
            ("ticket_take", "g", "take the ticket", hand(lambda unit: unit.take())),
        )
    )


def _door_actions(bench: Bench) -> tuple[BenchAction, ...]:
    panel = bench.panel

    def door(name: str, *, opens: bool) -> Callable[[], None]:
        return (lambda: panel.open_door(name)) if opens else (lambda: panel.close_door(name))

    def key(name: str, *, on: bool) -> Callable[[], None]:
        return lambda: panel.turn_key(name, on=on)

    return _made(
        (
            ("main_door_open", "f2", "open the main door", door("main_door", opens=True)),
            ("main_door_close", "f3", "close the main door", door("main_door", opens=False)),
            ("cashbox_door_open", "f4", "open the cash box door", door("cashbox_door", opens=True)),
            ("cashbox_door_close", "f5", "close the cash box door", door("cashbox_door", opens=False)),
            ("logic_door_open", "f6", "open the logic door", door("logic_door", opens=True)),
            ("logic_door_close", "f7", "close the logic door", door("logic_door", opens=False)),
            ("audit_key_on", "f8", "turn the audit key", key("audit_key", on=True)),
            ("audit_key_off", "f9", "turn the audit key back", key("audit_key", on=False)),
            ("reset_key_on", "f10", "turn the reset key", key("reset_key", on=True)),
            ("reset_key_off", "f11", "turn the reset key back", key("reset_key", on=False)),
        )
    )


@contextmanager
def build_bench(config: Config, data: Path) -> Iterator[Bench]:
    """Set the bench up; its lines, folders and pins go with the context. Tickets are drawn into `data/tickets`."""
    tickets = data / "tickets"
    tickets.mkdir(parents=True, exist_ok=True)
    factory = make_factory("mock")
    currency = config.machine.currency
    channels = tuple(
        Channel(number=n, value_cents=cents, currency=currency) for n, cents in enumerate(NOTES_CENTS, start=1)
    )
    acceptor = NV9(channels, timings=BRISK)
    wide = find_paper(config.printer.paper).width_dots
    printer = SimulatedTicketPrinter(folder=tickets, width_dots=wide, traits=BRISK_PRINTER)
    lines = (PtyFarEnd(acceptor, name="acceptor"), PtyFarEnd(printer, name="printer"))
    try:
        for line in lines:
            line.start()
        yield Bench(
            factory=factory,
            panel=SimulatedPanel(config.wiring(), factory),
            acceptor=acceptor,
            acceptor_line=lines[0],
            printer=printer,
            printer_line=lines[1],
        )
    finally:
        for line in lines:
            line.stop()
