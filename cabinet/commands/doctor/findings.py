"""What the doctor finds: one finding for each check, good, poor or bad, with what to do about it. What is shown can
always be printed. Knows no check."""

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from cabinet.text.quoting import plain

if TYPE_CHECKING:
    from rich.console import Console


class Grade(Enum):
    """How a finding is to be taken."""

    GOOD = "good"
    POOR = "poor"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one check found, and what to do about it."""

    what: str
    grade: Grade
    found: str
    todo: str = ""


def good(what: str, found: str) -> Finding:
    """All is as it should be."""
    return Finding(what=what, grade=Grade.GOOD, found=plain(found))


def poor(what: str, found: str, todo: str) -> Finding:
    """The cabinet runs, with something missing."""
    return Finding(what=what, grade=Grade.POOR, found=plain(found), todo=plain(todo))


def bad(what: str, found: str, todo: str) -> Finding:
    """The cabinet could not run as configured."""
    return Finding(what=what, grade=Grade.BAD, found=plain(found), todo=plain(todo))


def show(findings: tuple[Finding, ...], console: "Console") -> None:
    """The findings as text, to be read in a narrow window too."""
    from rich.table import Table
    from rich.text import Text

    colours = {Grade.GOOD: "green", Grade.POOR: "yellow", Grade.BAD: "red"}
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in findings:
        words = Text(finding.found)
        if finding.todo:
            words.append(f"\n-> {finding.todo}", style=colours[finding.grade])
        grid.add_row(Text(finding.grade.value, style=colours[finding.grade]), Text(finding.what), words)
    console.print(grid)
    worst = sum(finding.grade is Grade.BAD for finding in findings)
    rest = sum(finding.grade is Grade.POOR for finding in findings)
    verdict = f"could not run as configured: {worst} bad" if worst else f"can run: nothing bad, {rest} poor"
    console.print(Text(f"The cabinet {verdict}."))
