"""The items in the queue of the cabinet's thread: presses, reports of the screen, facts, events of devices.

Rules: values only; other threads put them in, the cabinet's thread takes them out in order.
"""

from collections.abc import Callable
from dataclasses import dataclass

from cabinet.attendant.pages import PageTouch
from cabinet.engine.inputs import Button, Command, Fact
from cabinet.link import wire
from drivers.bills import events as bills
from drivers.printers import document as printer


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """A player's input from the screen or the keyboard, or a button whose legend was touched."""

    wish: Button | Command | PageTouch
    at_s: float
    """When it was made, on the monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGo:
    """A finger left a button on the screen."""

    button: Button
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Woken:
    """A pin has changed, or the cabinet must stop: poll the panel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """The screen has shown a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtScreen:
    """A player is at the screen."""

    reading: bool
    """True while a page covers the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PumpFailed:
    """A pump has met a fault of the program."""

    error: BaseException


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A reader's question to the journal."""

    question: wire.Question
    reply: Callable[[wire.Reply], None]
    """Receives the answer, on the cabinet's thread; it must be quick."""


Item = Pressed | LetGo | Fact | bills.BillEvent | printer.PrinterEvent | Woken | Framed | AtScreen | PumpFailed | Asked
