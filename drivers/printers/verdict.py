"""Whether the printer at a line may print tickets of value: can it say how it is, and prove what it printed.

Rules:
- only a printer that has started may: starting means that it answered every question a ticket needs;
- one that answers otherwise, or not with all of it, cannot report: it gets no ticket, and cash-outs are paid by hand;
- one that is silent may be switched off, and a line that only goes to the printer looks the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from drivers.printers.document import CANNOT_REPORT, PrinterEvent, PrinterStarted, PrinterStatus

PATIENCE_S = 14.0
"""How long to wait for the verdict: longer than any start-up, and than any silence that is not one yet."""


class Verdict(Enum):
    """What is known of a printer."""

    REPORTS = "reports its status: fit for tickets of value"
    CANNOT_REPORT = f"{CANNOT_REPORT}: not fit for tickets of value, cash-outs are paid by hand"
    SILENT = "does not answer: switched off, unplugged, or a line that only goes to the printer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What the events so far show. `detail` is the printer's name, or what is wrong with it now; may be empty."""

    verdict: Verdict
    detail: str = ""


def judge(events: Iterable[PrinterEvent]) -> Examination:
    """What the events so far say of the printer."""
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
