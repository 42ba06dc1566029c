"""The attendant's menu as a value: where it is, and what a press or a touch does.

Rules: opening, reading and leaving change nothing; a change of the machine needs a second confirmation; the machine
decides whether it accepts the request.
"""

from cabinet.attendant.menu.moves import entries, open_menu, press, touch
from cabinet.attendant.menu.shown import lit, page, recalling, testing
from cabinet.attendant.menu.table import GROUPS
from cabinet.attendant.menu.values import (
    Entry,
    Extra,
    Menu,
    PinTyped,
    PrintClosing,
    PrintReceipt,
    Request,
    UseLanguage,
)

__all__ = [
    "GROUPS",
    "Entry",
    "Extra",
    "Menu",
    "PinTyped",
    "PrintClosing",
    "PrintReceipt",
    "Request",
    "UseLanguage",
    "entries",
    "lit",
    "open_menu",
    "page",
    "press",
    "recalling",
    "testing",
    "touch",
]
