"""Simulated devices at the far end of every wire of one cabinet, and the user actions on them.

The devices keep their state and refuse what real ones refuse. They use the same bytes and pins as real hardware and
have no other access to the cabinet.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from cabinet.config.settings import Config
from drivers.panel.layout import Level
from drivers.panel.pin_factory import make_factory
from drivers.printers.catalog import find_paper
from drivers.simulated.panel import SimulatedPanel
from drivers.simulated.printer_body import Ticket, TicketPrinter, newest_barcode
from drivers.simulated.printer_units import make_printer
from drivers.simulated.pty_line import FarEnd, PtyFarEnd
from drivers.simulated.units import Acceptor, Hand, Pace, PulseWires, SerialAcceptor, Unit, make_unit

NOTES_CENTS = (100, 500, 1_000, 2_000, 5_000, 10_000)
"""The notes of a simulated acceptor whose notes the settings do not define."""

NOTE_KEYS = "123456"
"""The keys that insert notes, from the smallest."""


class CannotError(Exception):
    """The simulated device cannot do this; the message has the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchAction:
    """A user action on a device. `act` is quick and idempotent.

    `key` is the key of the keyboard that does it, as the window names keys. `cannot` says why this device has no such
    thing; then `act` does nothing.
    """

    name: str
    key: str
    description: str
    act: Callable[[], object]
    cannot: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedDevices:
    """The simulated devices of one cabinet."""

    factory: Any
    panel: SimulatedPanel
    unit: Unit
    acceptor_line: FarEnd
    printer: TicketPrinter
    printer_line: PtyFarEnd

    notes_cents: tuple[int, ...]
    """The notes of the acceptor, in cents."""
    ticket_folder: Path
    """Where the printer leaves its tickets."""

    @property
    def acceptor(self) -> Acceptor:
        """The acceptor itself."""
        return self.unit.device

    @property
    def acceptor_path(self) -> str:
        """The stable name of the acceptor's line; empty for one on pins."""
        return self.acceptor_line.path if isinstance(self.acceptor_line, PtyFarEnd) else ""

    @property
    def printer_path(self) -> str:
        """The stable name of the printer's line."""
        return self.printer_line.path

    def insert(self, cents: int) -> bool:
        """Inserts a note if the acceptor takes notes; False if it does not draw it in."""
        return self.acceptor_line.call(lambda: self.acceptor.enabled and self.acceptor.insert(cents))

    def tickets(self) -> tuple[Ticket, ...]:
        """Every ticket printed so far."""
        return self.printer_line.call(lambda: tuple(self.printer.tickets))

    def actions(self) -> tuple[BenchAction, ...]:
        """Returns every user action except the player's buttons."""
        return (
            *_note_actions(self),
            _ticket_action(self),
            *_acceptor_actions(self),
            *_printer_actions(self),
            *panel_actions(self.panel),
        )

    def do(self, name: str) -> None:
        """Runs an action. Raises KeyError for an unknown name, CannotError if this device cannot do it."""
        action = {action.name: action for action in self.actions()}[name]
        if action.cannot:
            raise CannotError(f"{action.description}: {action.cannot}")
        action.act()

    def with_printer(self, act: Callable[[TicketPrinter], Any]) -> None:
        """Runs an action on the printer."""
        self.printer_line.call(lambda: act(self.printer))


_Row = tuple[str, str, str, Callable[[], object]]


def _made(rows: Iterable[_Row]) -> tuple[BenchAction, ...]:
    return tuple(BenchAction(name=name, key=key, description=words, act=act) for name, key, words, act in rows)


def _note_actions(simulated_devices: SimulatedDevices) -> tuple[BenchAction, ...]:
    """Yields the actions that insert notes; the acceptor may not draw a note in."""
    call, insert = simulated_devices.acceptor_line.call, simulated_devices.acceptor.insert
    usual = (
        tuple(cents for cents in simulated_devices.notes_cents if cents in NOTES_CENTS) or simulated_devices.notes_cents
    )
    return _made(
        (f"note_{cents // 100}", key, f"put in a note of {cents // 100}", partial(call, partial(insert, cents)))
        for key, cents in zip(NOTE_KEYS, usual, strict=False)
    )


NO_READER = "this acceptor reads no bar codes"
LAST_TICKET_KEY = "o"


def _ticket_action(simulated_devices: SimulatedDevices) -> BenchAction:
    """Inserts the newest ticket of value into the acceptor; a second time, its copy."""
    put = simulated_devices.unit.put_ticket

    def act() -> None:
        number = newest_barcode(simulated_devices.ticket_folder)
        if put is not None and number is not None:
            simulated_devices.acceptor_line.call(partial(put, number))

    return BenchAction(
        name="ticket_insert",
        key=LAST_TICKET_KEY,
        description="put in the last printed ticket, or its copy",
        act=act,
        cannot="" if put is not None else NO_READER,
    )


ACCEPTOR_HANDS = (
    (Hand.BAD_NOTE, "7", "put in something that is no note"),
    (Hand.CHEAT, "8", "pull a note back on a string"),
    (Hand.JAM, "9", "jam the acceptor"),
    (Hand.FREE, "0", "free the acceptor"),
    (Hand.BOX_OUT, "-", "take the cash box out"),
    (Hand.BOX_IN, "=", "put the cash box back, empty"),
    (Hand.FULL, "[", "fill the cash box"),
    (Hand.ROOM, "]", "make room in the cash box"),
    (Hand.POWER, "/", "cut the acceptor's power for a moment"),
    (Hand.UNPLUG, ",", "unplug the acceptor's line"),
    (Hand.REPLUG, ".", "plug the acceptor's line in"),
)
"""The actions on any acceptor: action, key and description."""


def _acceptor_actions(simulated_devices: SimulatedDevices) -> tuple[BenchAction, ...]:
    """Yields the unit's actions; a line is unplugged at the line, pins at the unit."""
    unit, line = simulated_devices.unit, simulated_devices.acceptor_line
    acts: dict[Hand, Callable[[], object]] = {hand: partial(line.call, act) for hand, act in unit.hands.items()}
    if isinstance(line, PtyFarEnd):
        acts |= {Hand.UNPLUG: line.unplug, Hand.REPLUG: line.replug}
    return tuple(
        BenchAction(
            name=hand.value,
            key=key,
            description=words,
            act=acts.get(hand, _do_nothing),
            cannot="" if hand in acts else unit.cannot[hand],
        )
        for hand, key, words in ACCEPTOR_HANDS
    )


def _do_nothing() -> None:
    return None


def _printer_actions(simulated_devices: SimulatedDevices) -> tuple[BenchAction, ...]:
    def hand(work: Callable[[TicketPrinter], object]) -> Callable[[], None]:
        return lambda: simulated_devices.with_printer(work)

    return _made(
        (
            ("paper_out", "q", "let the paper end", hand(lambda unit: unit.paper_out())),
            ("paper_low", "w", "let the paper run low", hand(lambda unit: unit.paper_low())),
            ("paper_refill", "e", "put in a new roll", hand(lambda unit: unit.refill())),
            ("cover_open", "t", "open the printer's cover", hand(lambda unit: unit.open_cover())),
            ("cover_close", "y", "close the printer's cover", hand(lambda unit: unit.close_cover())),
            ("printer_jam", "u", "jam the printer", hand(lambda unit: unit.jam())),
            ("printer_jam_clear", "i", "free the printer", hand(lambda unit: unit.clear_jam())),
            ("printer_off", "j", "switch the printer off", hand(lambda unit: unit.power_off())),
            ("printer_on", "k", "switch the printer on", hand(lambda unit: unit.power_on())),
            ("printer_unplug", "v", "unplug the printer's line", simulated_devices.printer_line.unplug),
            ("printer_replug", "m", "plug the printer's line in", simulated_devices.printer_line.replug),
            ("ticket_take", "g", "take the ticket", hand(lambda unit: unit.take())),
        )
    )


def panel_actions(panel: SimulatedPanel) -> tuple[BenchAction, ...]:
    """Returns the actions on doors and keys."""

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
def build_bench(config: Config, data: Path, pace: Pace = Pace.BRISK) -> Iterator[SimulatedDevices]:
    """Starts the simulated devices; lines, folders and pins end with the context. `data/tickets` has the tickets."""
    tickets = data / "tickets"
    tickets.mkdir(parents=True, exist_ok=True)
    factory = make_factory("mock")
    unit = _make_acceptor(config, factory, pace)
    wide = find_paper(config.printer.paper).width_dots
    printer = make_printer(config.printer.protocol, tickets, wide, pace)
    acceptor_line = _line_of(unit)
    printer_line = PtyFarEnd(printer, name="printer")
    lines = (acceptor_line, printer_line)
    try:
        for line in lines:
            line.start()
        yield SimulatedDevices(
            factory=factory,
            panel=SimulatedPanel(config.wiring(), factory),
            unit=unit,
            acceptor_line=acceptor_line,
            printer=printer,
            printer_line=printer_line,
            notes_cents=unit.notes_cents,
            ticket_folder=tickets,
        )
    finally:
        for line in lines:
            line.stop()


def _make_acceptor(config: Config, factory: Any, pace: Pace) -> Unit:
    """Builds the unit that the settings describe."""
    acceptor = config.acceptor
    pins = acceptor.pins()
    wires = None
    if pins is not None:
        wires = PulseWires(
            pulse=pins.pulse,
            release=pins.release,
            idle_high=pins.active is Level.LOW,
            notes=acceptor.pulse.table(),
            factory=factory,
        )
    return make_unit(acceptor.protocol, acceptor.chosen(config.machine.currency), NOTES_CENTS, wires, pace)


def _line_of(unit: Unit) -> FarEnd:
    """Opens a pseudo-terminal for a unit on a line, or a thread for a unit on pins."""
    if isinstance(unit.device, SerialAcceptor):
        return PtyFarEnd(unit.device, name="acceptor")
    return FarEnd(unit.device, name="acceptor")
