"""What may lie in the inbox of the cabinet's thread: wishes of people, news of the screen, facts, events of devices.

Rules: values only; whatever waits there was put in from another thread and is taken out by that one, in order.
"""

from dataclasses import dataclass

from cabinet.engine.inputs import Button, Command, Fact
from drivers.bills import events as bills
from drivers.printers import document as printer


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """A player's wish from the screen or the keyboard, or a button whose legend was touched."""

    wish: Button | Command
    at_s: float
    """When it was made, on the monotonic clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LetGo:
    """A finger left a button on the screen."""

    button: Button
    at_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Woken:
    """A pin has moved or the cabinet is to stop: have a look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """The screen has shown a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtScreen:
    """Somebody is at the screen."""

    reading: bool
    """Whether a page lies over the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PumpFailed:
    """A pump met our own mistake."""

    error: BaseException


Item = Pressed | LetGo | Fact | bills.BillEvent | printer.PrinterEvent | Woken | Framed | AtScreen | PumpFailed
