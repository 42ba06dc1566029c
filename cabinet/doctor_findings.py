"""What the doctor finds: one finding for each check, good, poor or bad, with what to do about it. What is shown can
always be printed. Knows no check."""

from dataclasses import dataclass
from enum import Enum

from cabinet.quoting import plain


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
