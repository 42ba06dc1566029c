"""Asks the connected devices for identity and state: the part of the doctor that opens lines.

Rules:
- It asks no device while a cabinet owns the data folder or the line, or while the books have an open note: some
  acceptors report the outcome of a note only once, and the cabinet must receive it.
- The acceptor stays inhibited; a note in its path is returned. If it still reports a note in its box, the finding has a
  warning, because no books have it.
- Every wait has a limit of time and of events. The module knows no protocol: it uses the protocol objects and pumps of
  the cabinet.
"""

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from cabinet.commands.doctor.findings import Finding, bad, good, poor
from cabinet.config.settings import Config
from cabinet.engine.money import plain_amount
from cabinet.runtime.build import make_taker, make_writer
from drivers.bills import events as bills
from drivers.bills.catalog import PROTOCOLS, PULSES, USUAL, Timings
from drivers.errors import LineError
from drivers.printers import document as printer
from drivers.printers import verdict
from drivers.protocol import LineSettings, WireProtocol
from drivers.pump import Pump
from drivers.serial_link import Link, describe

EventT = TypeVar("EventT")
OrderT = TypeVar("OrderT")

UNIT_PATIENCE_S = verdict.PATIENCE_S
"""Seconds until the slowest device has started and the slowest printer is known to be silent."""
MOST_EVENTS = 10_000
"""More than any device has to say; one that says more chatters."""
ACCEPTOR, PRINTER = "Acceptor's answer", "Printer's answer"
OpenLine = Callable[[str, LineSettings], Link]


def _converse(
    protocol: WireProtocol[EventT, OrderT],
    open_line: Callable[[], Link],
    enough: Callable[[EventT], bool],
    patience_s: float,
    answer: Callable[[EventT], OrderT | None] = lambda _: None,
) -> list[EventT]:
    """Returns what a device says until `enough` has heard what it waits for, patience is over or it says too much.

    `enough` hears every event once; `answer` gives the order that an event calls for.
    """
    inbox: SimpleQueue[EventT] = SimpleQueue()
    failures: list[BaseException] = []
    pump = Pump("doctor", protocol, open_line, inbox.put, failed=failures.append)
    events: list[EventT] = []
    pump.start()
    until = time.monotonic() + patience_s
    try:
        while not failures and len(events) < MOST_EVENTS and (left_s := until - time.monotonic()) > 0:
            events.append(inbox.get(timeout=left_s))
            if (order := answer(events[-1])) is not None:
                pump.order(order)
            if enough(events[-1]):
                break
    except Empty:
        pass
    finally:
        pump.stop()
    events.extend(inbox.get_nowait() for _ in range(min(inbox.qsize(), MOST_EVENTS)))
    if failures:
        raise failures[0]
    return events


def ask_acceptor(
    config: Config, open_line: OpenLine, patience_s: float = UNIT_PATIENCE_S, *, timings: Timings = USUAL
) -> Finding:
    """Who answers on the acceptor's line, what it takes and what it complains of."""
    name = config.acceptor.protocol
    if name == PULSES.name:
        todo = f"after a power cut it can promise {PULSES.after_power_cut}; prefer an acceptor with a serial line"
        if 1 in config.acceptor.pulse.table():
            todo += (
                "; a single pulse is a note here, so a disturbance can be one: set two or more for the smallest note"
            )
        return poor(ACCEPTOR, "pulses on pins: the unit cannot be asked", todo)
    port, facts = config.acceptor.port, PROTOCOLS[name]
    try:
        open_line(port, facts.line).close()
    except LineError as error:
        return _not_opened(ACCEPTOR, error)
    events = _converse(
        make_taker(config, timings),
        lambda: open_line(port, facts.line),
        lambda event: isinstance(event, bills.Started),
        patience_s,
        lambda event: bills.Return() if isinstance(event, bills.Offered) else None,
    )
    return _judge_acceptor(config, events, f"{facts.title} on {port}, {describe(facts.line)}")


def _judge_acceptor(config: Config, events: list[bills.BillEvent], asked: str) -> Finding:
    name = config.acceptor.protocol
    troubles = _standing(events)
    complaints = "; ".join(f"{trouble.value}: {detail}" if detail else trouble.value for trouble, detail in troubles)
    kept = [event for event in events if isinstance(event, bills.Stacked | bills.Unsolicited)]
    if kept:
        cents = kept[0].value_cents if isinstance(kept[0], bills.Stacked) else kept[0].reported_cents
        worth = "of unknown value" if cents is None else f"of {plain_amount(cents)}"
        todo = "write this down for the attendant: no cabinet has booked it, and the unit may not report it again"
        return bad(ACCEPTOR, f"the unit reports a note {worth} in its box", todo)
    started = next((event for event in events if isinstance(event, bills.Started)), None)
    if started is None:
        todo = "check the protocol, the cable, the unit's power and its switches; `cabinet devices` lists the protocols"
        silence = "no answer" if len(events) < MOST_EVENTS else "it sends bytes and never starts"
        return bad(ACCEPTOR, f"{asked}: {complaints or silence}", todo)
    found = f"{_name(started)} ({asked}); notes: {_notes(started)}; inhibited, as it should be"
    if not _fits(config, started):
        return bad(
            ACCEPTOR, found, f"none of these notes is taken: see money.notes_cents and {config.machine.currency}"
        )
    if complaints:
        return poor(ACCEPTOR, f"{found}; {complaints}", "check the acceptor")
    return good(ACCEPTOR, f"{found}. After a power cut: {PROTOCOLS[name].after_power_cut}")


def _standing(events: list[bills.BillEvent]) -> list[tuple[bills.Trouble, str]]:
    """Returns the troubles that began and did not end."""
    standing: dict[bills.Trouble, str] = {}
    for event in events:
        if isinstance(event, bills.TroubleBegan):
            standing[event.trouble] = event.detail
        elif isinstance(event, bills.TroubleEnded):
            standing.pop(event.trouble, None)
    return list(standing.items())


def _name(started: bills.Started) -> str:
    parts = (
        started.model,
        started.firmware and f"firmware {started.firmware}",
        started.serial and f"serial number {started.serial}",
    )
    return ", ".join(part for part in parts if part)


def _notes(started: bills.Started) -> str:
    return ", ".join(f"{each.currency} {each.value_cents / 100:g} ({each.number})" for each in started.channels)


def _fits(config: Config, started: bills.Started) -> bool:
    wanted = set(config.money.notes_cents)
    return not wanted or any(
        each.currency == config.machine.currency and each.value_cents in wanted for each in started.channels
    )


def ask_printer(config: Config, open_line: OpenLine, patience_s: float = UNIT_PATIENCE_S) -> Finding:
    """Reports whether the printer answers and can report its status, and its state."""
    writer = make_writer(config)
    port = config.printer.port
    try:
        open_line(port, writer.line).close()
    except LineError as error:
        return _not_opened(PRINTER, error)
    events = _converse(writer, lambda: open_line(port, writer.line), _until_known(), patience_s)
    asked = f"{config.printer.protocol} on {port}, {describe(writer.line)}"
    status = next((each for each in reversed(events) if isinstance(each, printer.PrinterStatus)), None)
    started = next((each for each in events if isinstance(each, printer.PrinterStarted)), None)
    found = verdict.judge(events)
    if found.verdict is not verdict.Verdict.REPORTS:
        todo = (
            "a printer that cannot report its status may not print tickets: check protocol, speed, cable and power, or "
            "take another printer; `cabinet devices` lists those that fit"
        )
        return bad(PRINTER, f"{asked}: {found.detail or 'no answer'}", todo)
    if started is None:
        return poor(PRINTER, f"{asked}: {found.detail}", "check the printer, and run doctor again")
    name = f"{started.model or 'a printer'} ({asked}), reports its status"
    if status is not None and not status.can_print:
        return poor(PRINTER, f"{name}; {_say_status(status)}", "check the printer")
    if status is not None and status.paper is printer.Paper.LOW:
        return poor(PRINTER, f"{name}; paper low", "put in a new roll")
    return good(PRINTER, f"{name}, is ready")


def _until_known() -> Callable[[printer.PrinterEvent], bool]:
    """True from when it has started and has said how it is."""
    missing = {"start", "status"}

    def hear(event: printer.PrinterEvent) -> bool:
        if isinstance(event, printer.PrinterStarted):
            missing.discard("start")
        elif isinstance(event, printer.PrinterStatus) and event.link:
            missing.discard("status")
        return not missing

    return hear


def _say_status(status: printer.PrinterStatus) -> str:
    events = (
        (not status.online, "offline"),
        (status.cover_open, "cover open"),
        (status.jam, "jam"),
        (status.paper is not printer.Paper.OK, f"paper {status.paper.value}"),
        (bool(status.fault), status.fault),
    )
    return ", ".join(words for there, words in events if there) or "not ready"


def _not_opened(what: str, error: LineError) -> Finding:
    return bad(what, str(error), "if a cabinet is running, stop it first: it owns the line")
