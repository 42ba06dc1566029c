"""What the doctor finds: one finding for each check, good, poor or bad, with what to do about it. What is shown can
always be printed. Knows no check."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from cabinet.report.value import Column, Report, Section, Span, Table, Tone, Words
from cabinet.text.quoting import plain

SET_UP: Final = "run `cabinet setup`"
"""What to do about what the set-up puts in force."""


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


_TONES = {Grade.GOOD: Tone.GOOD, Grade.POOR: Tone.WARNING, Grade.BAD: Tone.BAD}


def findings_report(findings: tuple[Finding, ...]) -> Report:
    """Returns the findings and whether the cabinet can run. Not ok when one is bad."""
    worst = sum(finding.grade is Grade.BAD for finding in findings)
    rest = sum(finding.grade is Grade.POOR for finding in findings)
    verdict = f"could not run as configured: {worst} bad" if worst else f"can run: nothing bad, {rest} poor"
    table = Table(columns=(Column(),) * 3, rows=tuple(map(_row, findings)), framed=False)
    data = {"ok": not worst, "findings": findings}
    return Report(data=data, sections=(Section(blocks=(table, f"The cabinet {verdict}.")),), ok=not worst)


def _row(finding: Finding) -> tuple[Words, ...]:
    tone = _TONES[finding.grade]
    todo = (Span(text=f"\n-> {finding.todo}", tone=tone),) if finding.todo else ()
    return Span(text=finding.grade.value, tone=tone), finding.what, (finding.found, *todo)
