"""The attendant's quick card: one page to print, with the keys, what is done most, and what to do about each lock.

Rules: the names of pages and locks are those of the menu, from the same catalogue, so that the card never names a page
that is not there. One A4 page in every language. It is a picture (SVG) that every browser prints. Lengths are in
millimetres.
"""

from collections.abc import Iterable
from html import escape
from textwrap import wrap
from typing import Final, NamedTuple

from cabinet.attendant.advice import ADVICE
from cabinet.engine.state import LockKind
from cabinet.text import attendant_words
from cabinet.text.attendant_words import text

WIDE: Final = 210.0
HIGH: Final = 297.0
EDGE: Final = 12.0
GAP: Final = 8.0
COLUMN: Final = (WIDE - 2 * EDGE - GAP) / 2
TYPE: Final = 2.85
"""The size of a sentence; a name is set in bold, a head larger."""
LEADING: Final = 1.36
SIGN: Final = 0.53
"""The average width of a sign, as a share of the size of the type."""
_INK, _BRASS, _PALE = "#1d1d1d", "#8a6a1f", "#f4efe2"

TITLE: Final = text("Quick card for attendants")
CALLS: Final = text("Telephone of the technician")
KEYS: Final = (
    text("Turn the audit key: the first page shows what the machine holds, and what to do first."),
    text("CHIP and BET move the bar, DEAL chooses, CLEAR goes back. A button opens the line beside which it stands."),
    text("Every line can be touched, too. A change always asks once more."),
    text("Turn the key back to leave. Players cannot play while it is turned."),
    text("The reset key settles a simple lock, and says that a hand-pay is paid."),
    text("The technician opens the logic door, too, and enters the PIN where there is one."),
)
TASKS: Final = (
    (text("Settle a lock"), text("First page, First lock. Read what happened, check the money, choose, then Yes.")),
    (
        text("Pay a ticket by hand"),
        text("First page, Pay ticket. Choose it by its number, compare the paper, then Yes. Keep the paper."),
    ),
    (
        text("Pay a hand-pay"),
        text("Pay the amount on the page, then choose Paid by hand. Write the receipt number down."),
    ),
    (
        text("Empty the cash box"),
        text(
            "Open its door, change the box, close the door. Count, then enter the count under Money, Closed periods "
            "and cash boxes."
        ),
    ),
    (text("Close the period"), text("Money, Close the period, then Yes. Its amounts stay, and can be printed.")),
    (text("Put in paper"), text("Open the main door, put in a new roll, close the door. The lock ends by itself.")),
    (text("Answer about a game"), text("Games, Last games: each card, choice and amount.")),
)
MONEY: Final = (
    text("If you do not know whether money was paid, pay nothing and choose nothing. Call the technician."),
    text("Do not switch the machine off while it takes a note or prints."),
    text("A figure or a time with a question mark may be wrong."),
)
LOCKS: Final = (
    LockKind.MAIN_DOOR,
    LockKind.CASHBOX_REMOVED,
    LockKind.CASHBOX_FULL,
    LockKind.BILL_JAM,
    LockKind.NOTE_IN_DOUBT,
    LockKind.UNEXPECTED_NOTE,
    LockKind.TICKET_IN_DOUBT,
    LockKind.PRINT_UNKNOWN,
    LockKind.PRINTER_JAM,
    LockKind.PAPER_OUT,
    LockKind.HAND_PAY,
    LockKind.LARGE_WIN,
    LockKind.SECOND_COPY_LOST,
    LockKind.CLOCK_INVALID,
    LockKind.PROGRAM_CHANGED,
    LockKind.MEMORY,
)
"""The locks that an attendant meets, in the order of the card."""


class Piece(NamedTuple):
    """A paragraph: a head over a line, or a name with its sentences."""

    name: str
    sentences: str = ""
    head: bool = False


def quick_card(language: str) -> str:
    """Returns the card in a language, by its two letters, as SVG text."""

    def say(english: str) -> str:
        return attendant_words.say(language, english)

    left = (
        Piece(say("Keys and access"), head=True),
        *(Piece("", say(each)) for each in KEYS),
        Piece(say("What is done most"), head=True),
        *(Piece(say(name), say(steps)) for name, steps in TASKS),
        Piece(say("Money"), head=True),
        *(Piece("", say(each)) for each in MONEY),
    )
    right = (Piece(say("Locks and how to settle them"), head=True), *(_lock(language, kind) for kind in LOCKS))
    body = f"{_column(left, EDGE)}{_column(right, EDGE + COLUMN + GAP)}"
    title = _words(EDGE, EDGE + 3, say(TITLE), 6.4, bold=True)
    ground = f'<rect width="{WIDE}" height="{HIGH}" fill="#ffffff"/><rect width="{WIDE}" height="22" fill="{_PALE}"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}mm" height="{HIGH}mm">'
    calls = _words(EDGE, HIGH - EDGE, f"{say(CALLS)}: {'_' * 30}", TYPE)
    return f"{head}\n<title>{escape(say(TITLE))}</title>{ground}{title}{body}{calls}\n</svg>\n"


def _lock(language: str, kind: LockKind) -> Piece:
    """Returns a lock with what has happened and the first thing to do."""
    first = attendant_words.say(language, ADVICE[kind].to_do).partition(". ")[0].rstrip(".")
    what = attendant_words.say(language, ADVICE[kind].what)
    return Piece(attendant_words.say(language, kind.value.capitalize()), f"{what} {first}.")


def _column(pieces: Iterable[Piece], left: float) -> str:
    """Returns paragraphs below each other. Raises ValueError where they are longer than the page."""
    parts, y = [], 30.0
    for piece in pieces:
        if piece.head:
            y += 3.0
            parts.append(_words(left, y, piece.name, 4.2, bold=True, colour=_BRASS))
            parts.append(f'<path d="M{left} {y + 1.6:.1f} h{COLUMN}" stroke="{_BRASS}" stroke-width="0.3"/>')
            y += 6.2
            continue
        if piece.name:
            parts.append(_words(left, y, piece.name, TYPE, bold=True))
            y += TYPE * LEADING
        for line in wrap(piece.sentences, int(COLUMN / (TYPE * SIGN)), break_on_hyphens=False):
            parts.append(_words(left, y, line, TYPE))
            y += TYPE * LEADING
        y += 1.5
    if y > HIGH - EDGE - LEADING * TYPE:
        raise ValueError(f"the card is {y:.0f} mm high, more than a page")
    return "".join(parts)


def _words(x: float, y: float, words: str, size: float, *, bold: bool = False, colour: str = _INK) -> str:
    weight = ' font-weight="700"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="DejaVu Sans, Verdana, sans-serif"'
    return f'\n<text {place} fill="{colour}"{weight}>{escape(words)}</text>'
