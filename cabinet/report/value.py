"""A report as a value: data for programs, sections of words for people, and the verdict.

Rules: `data` has every figure as a number, under the keys that programs read; the sections have the same figures as
text. A tone names a meaning, never a colour. Knows no terminal, no paper and no command.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias


class Tone(Enum):
    """The meaning of words; each writer chooses how to mark it."""

    PLAIN = auto()
    STRONG = auto()
    GOOD = auto()
    WARNING = auto()
    BAD = auto()
    FIELD_1 = auto()
    """The first of five kinds of fields in a chart."""
    FIELD_2 = auto()
    FIELD_3 = auto()
    FIELD_4 = auto()
    FIELD_5 = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Words with a tone."""

    text: str
    tone: Tone


Words: TypeAlias = str | Span | tuple[str | Span, ...]
"""A paragraph or the content of a cell; a line break is part of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table. Words may be folded; `figures` never are, and are aligned to the right in a frame."""

    name: str = ""
    figures: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows with a cell for each column. `total` separates the last row; without `framed` there are no lines."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Words, ...], ...]
    framed: bool = True
    total: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Shares as bars, the largest of full length."""

    rows: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Tables beside each other, where there is room."""

    tables: tuple[Table, ...]


Block: TypeAlias = Words | Table | Bars | Beside


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Blocks under a title; without a title they follow the section before."""

    blocks: tuple[Block, ...]
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of a command. `ok` is the verdict: the command exits with 0 or 1."""

    data: Any
    """Values of JSON: numbers, texts, lists, objects; dataclasses and enums become objects and their values."""
    sections: tuple[Section, ...]
    title: str = ""
    ok: bool = True


def words(first: str, *figures: str) -> tuple[Column, ...]:
    """Returns the columns of a table whose first column has words, and the others figures."""
    return (Column(name=first), *(Column(name=name, figures=True) for name in figures))


def plain_text(content: Words) -> str:
    """Returns the text of words without their tones."""
    match content:
        case str():
            return content
        case Span():
            return content.text
        case _:
            return "".join(map(plain_text, content))
