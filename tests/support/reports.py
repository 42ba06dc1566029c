"""Reports as people read them."""

from io import StringIO
from typing import Literal

from rich.console import Console

from cabinet.report.terminal import write
from cabinet.report.value import Report


def shown(report: Report, width: int = 100, *, colour: bool = False) -> str:
    """Returns what a terminal of that width shows of a report."""
    paper = StringIO()
    system: Literal["standard"] | None = "standard" if colour else None
    write(report, Console(file=paper, width=width, highlight=False, force_terminal=colour, color_system=system))
    return paper.getvalue()
