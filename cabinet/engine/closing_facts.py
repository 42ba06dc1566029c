"""Closings: what an attendant ends and then counts, and the command that enters a count. See `closings`."""

from dataclasses import dataclass
from enum import Enum


class ClosingKind(Enum):
    """What a closing ends."""

    PERIOD = "period"
    CASH_BOX = "cash box"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterCount:
    """Enter the sum that a person has counted for closing no. `number`. `expected_cents` is the sum by the books, which
    the caller looks up in the journal."""

    kind: ClosingKind
    number: int
    cents: int
    expected_cents: int = 0
