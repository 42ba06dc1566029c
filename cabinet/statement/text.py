"""The text of a statement: one figure a line, in English, for people and programs.

Rules: the first line names the kind and its version; the lines after it are `name: value`. A line feed or a colon in a
name would make two readings, so neither can be written. Ticket numbers are worth money and are never in it.
"""

from dataclasses import dataclass
from typing import Final

FIRST_LINE: Final = "BLACKJACK CABINET STATEMENT 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The figures of one machine after one row of its journal. `row_hash` is the row's hash, 64 hexadecimal digits; it
    proves that the figures belong to this journal and to no other."""

    machine: str
    venue: str
    time: str
    row: int
    row_hash: str
    figures: tuple[tuple[str, str], ...] = ()


def statement_text(statement: Statement) -> str:
    """Returns the text, not yet signed. Raises ValueError for a name or value that would not read back."""
    lines = (
        ("Machine", statement.machine),
        ("Venue", statement.venue),
        ("Time", statement.time),
        ("Row", str(statement.row)),
        ("Hash", statement.row_hash[:32]),
        *statement.figures,
    )
    for name, value in lines:
        if ":" in name or any(not each.isprintable() for each in (name, value)):
            raise ValueError(f"a line of a statement cannot hold {name!r}: {value!r}")
    return "".join(f"{line}\n" for line in (FIRST_LINE, *(f"{name}: {value}" for name, value in lines)))


def read_lines(text: str) -> tuple[tuple[str, str], ...]:
    """Returns the names and values of a statement's text. ValueError for a text with another first line."""
    first, *lines = text.splitlines()
    if first != FIRST_LINE:
        raise ValueError(f"the first line must be {FIRST_LINE!r}, not {first[:60]!r}")
    return tuple((name, value) for name, _, value in (line.partition(": ") for line in lines))
