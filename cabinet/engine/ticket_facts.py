"""What an acceptor reports of a ticket put in, with what the record of issued tickets says of it.

The record is looked up outside, at the moment the acceptor speaks; the answer comes with the fact, so that a replay
decides the same. Values without behaviour, like all inputs.
"""

from dataclasses import dataclass
from enum import Enum


class Standing(Enum):
    """What the record of issued tickets says of a ticket that is put in."""

    PAYABLE = "payable"
    UNKNOWN = "not issued here"
    USED = "used already"
    VOID = "void, its money went another way"
    EXPIRED = "expired"
    OPEN = "its printing is not settled"
    CLEARED = "issued before a memory clear, only the attendant may pay it"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketOffered:
    """A ticket is in escrow, as the record knows it; `sequence` None and no `cents` when it does not."""

    standing: Standing
    sequence: int | None = None
    cents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketStacked:
    """A ticket is the machine's, as the record knows it; `standing` None when the device cannot say which. Reported
    once per ticket."""

    sequence: int | None = None
    cents: int = 0
    standing: Standing | None = None
    recovered: bool = False
