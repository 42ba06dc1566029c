"""Builds a cabinet from its settings, real or simulated: the only list of parts.

A simulated cabinet has the same protocols, pumps, pins and journal. Only the far ends differ: they speak the same bytes
on pseudo-terminals and move the same (mock) pins.
"""

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hmac import compare_digest
from pathlib import Path
from typing import Any

from cabinet.attendant.audit_ticket import audit_rows, closing_rows
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu import Extra, PrintClosing, PrintReceipt
from cabinet.attendant.receipts import COPY, RECEIPT, receipt_rows, settled
from cabinet.config.key_names import unguarded
from cabinet.config.return_check import check_return
from cabinet.config.settings import Config
from cabinet.engine.effects import PrintTicket
from cabinet.runtime import shoe, startup, ticket
from cabinet.runtime.attendant_data import AttendantDataReader
from cabinet.runtime.attendant_export import Exporter
from cabinet.runtime.board_sensors import conditions
from cabinet.runtime.clock import Clock, read_confirmed, read_wall_ms
from cabinet.runtime.controller import Controller
from cabinet.runtime.dependencies import Dependencies
from cabinet.runtime.housekeeping import Housekeeping, make_housekeeping
from cabinet.runtime.inbox import Asked
from cabinet.runtime.live import LiveFigures
from cabinet.runtime.signed_statement import StatementSigner
from cabinet.runtime.simulated import SimulatedDevices, build_bench
from cabinet.runtime.watchdog import FRAME, Health, ServiceManager, Watchdog, make_limits, read_watchdog_interval
from cabinet.store.errors import StoreError
from cabinet.store.ground import ANY, Ground, firm, remember_books
from cabinet.store.journal import Journal
from cabinet.store.mounts import read_mounts
from cabinet.store.record import Progress
from cabinet.text.messages import LANGUAGES
from drivers.bills.catalog import USUAL, Timings, make_protocol
from drivers.bills.events import BillEvent, BillOrder
from drivers.bills.pulse.line import PulseProtocol
from drivers.panel.gpio import Panel
from drivers.panel.pin_factory import library_of, make_factory
from drivers.panel.pulse_link import PulseLink
from drivers.printers.catalog import PrinterSettings, find_language
from drivers.printers.document import Document, PrinterEvent, PrintOrder
from drivers.protocol import WireProtocol
from drivers.pump import STOP_GRACE_S, Pump
from drivers.serial_link import Link, open_link
from drivers.simulated.units import Pace

_log = logging.getLogger(__name__)

ACCEPTOR, PRINTER = "acceptor", "printer"
EXPORTS = "exports"
"""The folder below the data for files that an attendant has saved."""
RUNNING = "running"
"""The usual status for the service manager."""
CONTROLLER_ENDS_S = 8.0
"""How long to wait for the end of the cabinet's thread; after that it is stuck. The service manager waits longer."""
PUMPS_END_S = 5.0
"""Both lines together, for one may still be loading what it speaks; with the thread less than the manager waits."""


@dataclass(slots=True, kw_only=True)
class Cabinet:
    """A built cabinet; `stop` ends its parts in the right order."""

    config: Config
    journal: Journal
    controller: Controller
    manager: ServiceManager
    simulated_devices: SimulatedDevices | None
    parts: ExitStack
    pumps: tuple[Pump[BillEvent, BillOrder] | Pump[PrinterEvent, PrintOrder], ...]
    live: LiveFigures
    stopped: bool | None = None
    """The result of `stop`; None before."""

    def start(self) -> None:
        """Starts the machine first, then the lines, so that the machine receives every event."""
        self.controller.start()
        for pump in self.pumps:
            pump.start()
        try:
            self.live.start()
        except OSError as error:
            _log.warning("no figures for other programs while the cabinet runs: %s", error)
        self.manager.ready()
        self.manager.status(RUNNING)

    def stop(self, *, crashed: bool = False) -> bool:
        """Ends the cabinet in order, once; True if every part ended in time and the journal has the end.

        `crashed` leaves the end out of the journal, so the next start reports a crash. A cabinet's thread that does
        not end keeps the journal, the pins and the folder, because it may be in a commit; it ends with the process.
        """
        if self.stopped is None:
            self.stopped = self._go_down(crashed=crashed)
        return self.stopped

    def _go_down(self, *, crashed: bool) -> bool:
        self.manager.stopping()
        self.live.stop()
        controller_ended = self.controller.stop(CONTROLLER_ENDS_S)
        for pump in self.pumps:
            pump.stop(0.0)  # all of them say their last words at the same time
        until_s = time.monotonic() + PUMPS_END_S
        ended = False not in [pump.stop(max(0.0, until_s - time.monotonic())) for pump in self.pumps]
        if not controller_ended:
            _log.critical("the cabinet's thread does not end: the data is left to it, the next start checks every row")
            return False
        try:
            fine = ended and self.controller.failure is None and not crashed
            if fine:
                startup.close_run(self.journal)
        except StoreError as error:
            _log.critical("the end of this run could not be recorded, the next start reports a crash: %s", error)
            fine = False
        finally:
            self.parts.close()
        return fine


@dataclass(slots=True)
class _Bell:
    """Reaches the controller when a pin changes or a reader asks; does nothing before there is one."""

    controller: Controller | None = None

    def ring(self) -> None:
        if self.controller is not None:
            self.controller.wake()

    def put(self, asked: Asked) -> None:
        if self.controller is not None:
            self.controller.put(asked)


def build(
    config: Config,
    data: Path,
    *,
    simulate: bool,
    human_pace: bool = True,
    wall_ms: Callable[[], int] = read_wall_ms,
    confirmed: Callable[[], bool] = read_confirmed,
    mounts: Callable[[], str] = read_mounts,
    pace: Pace = Pace.BRISK,
    printer_patience: float = 1.0,
    acceptor_timings: Timings = USUAL,
    pump_grace_s: float = STOP_GRACE_S,
) -> Cabinet:
    """Builds a cabinet on the data folder.

    Raises StoreError, DriverError, ChanceError or ConfigError with a sentence that says what to do.

    `simulate` puts simulated devices at the far end of every wire; `human_pace` False skips animations; `wall_ms`
    returns the time of day, `confirmed` whether a time server confirms it; `mounts` is the kernel's list of file
    systems, which a simulated cabinet does not read. `pace` is that of the simulated devices; `printer_patience`
    multiplies the time for which a printer may be silent, `acceptor_timings` are the waits for the acceptor,
    `pump_grace_s` is the time that each line has for its last orders.
    """
    shoe.self_test()
    ground = _make_ground(config, data, mounts, simulate=simulate)
    _check_returns(config, data)
    with ExitStack() as parts:
        manager = ServiceManager()
        journal, start = _open_journal(config, data, parts, ground, partial(_report_work, manager), simulate=simulate)
        simulated_devices = parts.enter_context(build_bench(config, data, pace)) if simulate else None
        factory = simulated_devices.factory if simulated_devices else make_factory(config.panel.factory)
        _log.info("pins by %s", library_of(config.panel.factory) if simulated_devices is None else "mock")
        parts.callback(factory.close)
        bell = _Bell()
        panel = Panel(config.wiring(), bell.ring, factory, press_s=config.panel.press_ms / 1_000)
        parts.callback(panel.close)
        wires = _pulse_wires(config, factory, parts)
        clock = Clock(wall_ms=wall_ms, floor_ms=start.clock_floor_ms, confirmed=confirmed)
        housekeeping = _housekeeping(config, data, journal, clock, simulate=simulate)
        reading = _attendants_reading(config, data, journal, clock, start, simulate=simulate)
        live = LiveFigures(journal, data, bell.put)
        deps = _surroundings(config, reading, journal, start, panel, housekeeping, live, human_pace=human_pace)
        bell.controller = controller = _controller(deps, manager)
        taker, writer = make_taker(config, acceptor_timings), make_writer(config, printer_patience)
        acceptor, printing = _lines(config, taker, writer, simulated_devices, wires, controller, pump_grace_s)
        controller.attach(acceptor, printing)
        return Cabinet(
            config=config,
            journal=journal,
            controller=controller,
            manager=manager,
            simulated_devices=simulated_devices,
            parts=parts.pop_all(),
            pumps=(acceptor, printing),
            live=live,
        )


def _check_returns(config: Config, data: Path) -> None:
    """Checks the return of each game, before anything is opened or written."""
    for table in config.settings().tables:
        check_return(table.rules, data)


def _make_ground(config: Config, data: Path, mounts: Callable[[], str], *, simulate: bool) -> Ground:
    """Returns the conditions of the data folders: the books are this machine's; only a real cabinet has others."""
    own_partition = config.data.own_partition
    ground = ANY if simulate else firm(mounts(), data, config.data.marks(), own_partition=own_partition)
    return replace(ground, not_ours=partial(startup.whose, number=config.machine.number))


def _housekeeping(config: Config, data: Path, journal: Journal, clock: Clock, *, simulate: bool) -> Housekeeping:
    """Builds the housekeeping; a simulated cabinet does not check its program and its board."""
    return make_housekeeping(
        journal,
        tuple(filter(None, (data, config.data.second()))),
        clock,
        check_program=not simulate,
        board=tuple if simulate else conditions,
        session_gap_s=config.session.gap_s,
    )


def _attendants_reading(
    config: Config, data: Path, journal: Journal, clock: Clock, start: startup.Boot, *, simulate: bool
) -> tuple[AttendantDataReader, Exporter]:
    """Builds what reads the books for the attendant, and signs with the machine's key."""
    signer = StatementSigner(start.secret, lambda: (journal.seq, journal.row_hash))
    reader = AttendantDataReader(config, journal, data, simulated=simulate, moment=lambda: clock.moment, signer=signer)
    return reader, Exporter(data / EXPORTS, signer, journal)


def _surroundings(
    config: Config,
    reading: tuple[AttendantDataReader, Exporter],
    journal: Journal,
    start: startup.Boot,
    panel: Panel,
    housekeeping: Housekeeping,
    live: LiveFigures,
    *,
    human_pace: bool,
) -> Dependencies:
    return Dependencies(
        settings=config.settings(),
        journal=journal,
        draws=shoe.make_draw,
        panel=panel,
        boot=start.number,
        facts=start.facts,
        currency=config.machine.currency,
        ticket=partial(_ticket, config, start.secret),
        data=reading[0].data,
        exporter=reading[1],
        extra=partial(_extra, config),
        pin_fits=partial(_pin_fits, config.attendant.technician_pin),
        housekeeping=housekeeping,
        attract_after_s=config.display.attract_after_s,
        abandoned_after_s=config.display.abandoned_after_s,
        acknowledge=partial(startup.acknowledge, journal, start),
        publish=live.publish,
        human_pace=human_pace,
        escrow=config.acceptor.pins() is None,
    )


def _controller(deps: Dependencies, manager: ServiceManager) -> Controller:
    """Builds the controller with its watchdog; autoplay has no screen to watch."""
    limits = make_limits(ACCEPTOR, PRINTER)
    if not deps.human_pace:
        limits.pop(FRAME)
    return Controller(deps, Watchdog(manager, read_watchdog_interval()), Health(limits, time.monotonic()))


def _open_journal(
    config: Config, data: Path, parts: ExitStack, ground: Ground, progress: Progress, *, simulate: bool
) -> tuple[Journal, startup.Boot]:
    secret: list[bytes] = []

    def number_of(sequence: int) -> str:
        return ticket.validation_number(secret[0], config.machine.number, sequence)

    second = config.data.second()
    journal = parts.enter_context(Journal(data, number_of, second=second, ground=ground, progress=progress))
    if not simulate:
        _leave_mark(config, data)
    start = startup.open_run(
        journal,
        config.settings(),
        check_program=not simulate,
        identity=guarded_identity(config),
        others=unguarded(config),
    )
    secret.append(start.secret)
    return journal, start


def _report_work(manager: ServiceManager, done: int, rows: int) -> None:
    """Reports long work on many rows, so that the service manager keeps waiting."""
    if done < rows:
        manager.at_work(f"at work on the books: row {done:,} of {rows:,}")
    else:
        manager.status(RUNNING)


def _leave_mark(config: Config, data: Path) -> None:
    """Records outside the data that this machine has books. A failure is only logged: the cabinet can run."""
    marks = config.data.marks()
    if marks is None:
        return
    try:
        remember_books(data, marks)
    except StoreError as error:
        _log.warning("%s", error)


def guarded_identity(config: Config) -> dict[str, str | int]:
    """Returns the values besides the engine's settings that give money and tickets their meaning."""
    return {
        "currency": config.machine.currency,
        "machine_number": config.machine.number,
        "ticket_expires_days": config.money.ticket_expires_days,
    }


def _lines(
    config: Config,
    taker: WireProtocol[BillEvent, BillOrder],
    writer: WireProtocol[PrinterEvent, PrintOrder],
    simulated_devices: SimulatedDevices | None,
    wires: PulseLink | None,
    controller: Controller,
    grace_s: float,
) -> tuple[Pump[BillEvent, BillOrder], Pump[PrinterEvent, PrintOrder]]:
    """The two devices with their protocols, each on its line or its pins."""
    acceptor_port = simulated_devices.acceptor_path if simulated_devices else config.acceptor.port
    printer_port = simulated_devices.printer_path if simulated_devices else config.printer.port
    open_acceptor = partial(_return, wires) if wires else partial(open_link, acceptor_port, taker.line)
    open_printer = partial(open_link, printer_port, writer.line)
    put, failed = controller.put, controller.pump_failed
    return (
        Pump(ACCEPTOR, taker, open_acceptor, put, failed=failed, stop_grace_s=grace_s),
        Pump(PRINTER, writer, open_printer, put, failed=failed, stop_grace_s=grace_s),
    )


def _return(link: Link) -> Link:
    return link


def make_writer(config: Config, patience: float = 1.0) -> WireProtocol[PrinterEvent, PrintOrder]:
    """Builds the protocol of the configured printer. Raises ConfigurationError."""
    style = config.printer.style(config.bar_code())
    settings = PrinterSettings(style=style, baud=config.printer.baud, patience=patience)
    return find_language(config.printer.protocol).build(settings)


def make_taker(config: Config, timings: Timings = USUAL) -> WireProtocol[BillEvent, BillOrder]:
    """Builds the protocol of the configured acceptor with its waits. Raises ConfigurationError."""
    acceptor, currency = config.acceptor, config.machine.currency
    if acceptor.pins() is not None:
        return PulseProtocol(acceptor.pulse.table(), currency=currency, timing=acceptor.pulse.timing())
    return make_protocol(acceptor.protocol, replace(acceptor.chosen(currency), timings=timings))


def _pulse_wires(config: Config, factory: Any, parts: ExitStack) -> PulseLink | None:
    """Opens the pins of a pulse acceptor, inhibited; they close with the other parts."""
    pins = config.acceptor.pins()
    if pins is None:
        return None
    link = PulseLink(pulse=pins.pulse, release=pins.release, active=pins.active, factory=factory)
    parts.callback(link.close)
    return link


def _ticket(config: Config, secret: bytes, effect: PrintTicket, moment: datetime, *, clock_trusted: bool) -> Document:
    """Builds the page of a cash-out."""
    return ticket.ticket_document(
        ticket.TicketFacts(
            kind=ticket.TicketKind.CASH_OUT,
            venue=config.machine.venue,
            location=config.machine.location,
            machine_id=f"{config.machine.number:04d}",
            number=ticket.validation_number(secret, config.machine.number, effect.sequence),
            sequence=effect.sequence,
            amount_cents=effect.cents,
            currency=config.machine.currency,
            issued_at=moment,
            clock_trusted=clock_trusted,
            expires_days=effect.expires_days or None,
            duplicate=effect.duplicate,
            language=LANGUAGES[config.display.language],
        )
    )


def _pin_fits(pin: str, digits: str) -> bool:
    """True if the digits are the PIN; False without a PIN. The duration does not depend on the digits."""
    return bool(pin) and compare_digest(pin, digits)


def _extra(config: Config, wanted: Extra | PrintClosing | PrintReceipt, data: AttendantData) -> Document | None:
    """Builds an audit ticket, the slip of a closing, a receipt, or a test ticket; None for what is no longer listed."""
    moment = datetime.now(tz=UTC).astimezone()
    printed = (data.say("Printed"), f"{ticket.write_moment(moment)}{'' if data.time_believed else ' ?'}")
    if isinstance(wanted, PrintClosing):
        found = (each for each in data.closings if (each.kind, each.number) == (wanted.kind, wanted.number))
        closing = next(found, None)
        if closing is None:
            return None
        return ticket.audit_document((printed, *closing_rows(data, closing)), title=data.say("CLOSING"))
    if isinstance(wanted, PrintReceipt):
        one = settled(data, wanted.number)
        title = data.say(COPY if wanted.copy else RECEIPT)
        return None if one is None else ticket.audit_document((printed, *receipt_rows(data, one)), title=title)
    if wanted is Extra.AUDIT_TICKET:
        return ticket.audit_document((printed, *audit_rows(data)))
    return ticket.ticket_document(
        ticket.TicketFacts(
            kind=ticket.TicketKind.TEST,
            venue=config.machine.venue,
            location=config.machine.location,
            machine_id=f"{config.machine.number:04d}",
            number="",
            sequence=0,
            amount_cents=0,
            currency=config.machine.currency,
            issued_at=moment,
            clock_trusted=data.time_believed,
            expires_days=None,
        )
    )
