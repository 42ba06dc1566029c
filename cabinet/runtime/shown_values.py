"""How times and ticket numbers are shown to an attendant, on every page and in every command. Pure."""

from datetime import UTC, datetime
from typing import Final

TAIL: Final = 4
"""Digits of a ticket's number that may be shown; the whole number is worth money."""


def when(wall_ms: int, *, clock_ok: bool) -> str:
    """Returns a time as text, with a question mark if the clock was not valid."""
    moment = datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone()
    return f"{moment:%d %b %Y %H:%M:%S}{'' if clock_ok else ' ?'}"


def day(wall_ms: int) -> str:
    """Returns a day as text."""
    return f"{datetime.fromtimestamp(wall_ms / 1000, tz=UTC).astimezone():%d %b %Y}"
