"""Decides whether the printer at a line may print tickets of value: it must report its status and prove
what it printed.

Rules:
- only a started printer may: it has answered every question that a ticket needs;
- one with other or incomplete answers cannot report its status: it gets no ticket, and cash-outs are paid by hand;
- a silent one may be switched off; a line without its transmit wire cannot be distinguished from that.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from drivers.printers.document import CANNOT_REPORT, PrinterEvent, PrinterStarted, PrinterStatus

PATIENCE_S = 14.0
"""Seconds to wait for the verdict: longer than any start-up, and longer than any pause before silence is reported."""


class Verdict(Enum):
    """The verdict on a printer."""

    REPORTS = "reports its status: fit for tickets of value"
    CANNOT_REPORT = f"{CANNOT_REPORT}: not fit for tickets of value, cash-outs are paid by hand"
    SILENT = "does not answer: switched off, unplugged, or its transmit wire is not connected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """The result of the events so far. `detail` is the printer's name, or its present fault; may be empty."""

    verdict: Verdict
    detail: str = ""


def judge(events: Iterable[PrinterEvent]) -> Examination:
    """Returns the verdict of the events so far."""
    model, status = "", None
    for event in events:
        if isinstance(event, PrinterStarted):
            model = event.model
        elif isinstance(event, PrinterStatus):
            status = event
    if model:
        trouble = status.fault if status is not None else ""
        return Examination(verdict=Verdict.REPORTS, detail=", ".join(part for part in (model, trouble) if part))
    if status is not None and not status.reports:
        return Examination(verdict=Verdict.CANNOT_REPORT, detail=status.fault)
    if status is not None and status.link:
        return Examination(verdict=Verdict.REPORTS, detail=_name_obstacle(status))
    return Examination(verdict=Verdict.SILENT, detail=status.fault if status is not None else "")


def _name_obstacle(status: PrinterStatus) -> str:
    troubles = {
        "its cover is open": status.cover_open,
        "jammed": status.jam,
        f"paper {status.paper.value}": True,
        "offline": not status.online,
    }
    return ", ".join(words for words, there in troubles.items() if there)
