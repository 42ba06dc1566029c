"""Every word the player reads on the screen, and how amounts, times and dates are written.

Rules: one catalogue; a text is found by its key, never written elsewhere; parts to fill in are named, so that another
language may put them in another order. Short and plain; no exclamation mark except on a real win; nothing tells a
player that the cash box is full. A language is one more mapping from the same keys. (The rules in words are generated
by `rules_text`, the attendant's pages by `attendant`.)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from cabinet.ui.messages_en import ENGLISH
from cabinet.ui.messages_keys import Key

__all__ = ["CATALOGUES", "Key", "Language", "MoneyStyle", "Words"]


class Language(Enum):
    """The languages on offer, by their two letters."""

    EN = "en"


CATALOGUES: Mapping[Language, Mapping[Key, str]] = {Language.EN: ENGLISH}
"""Each language's texts; every one has every key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyStyle:
    """How amounts are written: sign before the figures, marks for thousands and decimals."""

    sign: str = "$"
    thousands: str = ","
    decimal: str = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A language and a way of writing money; what the presenter speaks with."""

    language: Language = Language.EN
    style: MoneyStyle = MoneyStyle()

    def say(self, key: Key, **parts: object) -> str:
        """The text of a key with its parts filled in. KeyError when a part is missing, which is our own mistake."""
        return CATALOGUES[self.language][key].format(**parts)

    def money(self, cents: int) -> str:
        """An amount with two decimals, `$1,250.00`; a minus sign stands before the currency."""
        whole, part = divmod(abs(cents), 100)
        figures = f"{whole:,}".replace(",", self.style.thousands)
        return f"{'−' if cents < 0 else ''}{self.style.sign}{figures}{self.style.decimal}{part:02d}"

    def signed(self, cents: int) -> str:
        """An amount with its sign, `+$25.00` or `−$50.00`."""
        return ("+" if cents >= 0 else "") + self.money(cents)

    def short_money(self, cents: int) -> str:
        """An amount without decimals where there are none: `$100`, `$2.50`."""
        text = self.money(cents)
        return text[:-3] if cents % 100 == 0 else text

    def chip(self, cents: int) -> str:
        """What is printed on a chip: `25`, `0.50`."""
        return self.short_money(cents).removeprefix(self.style.sign)

    def count(self, number: int) -> str:
        """A whole number with its thousands marked."""
        return f"{number:,}".replace(",", self.style.thousands)

    def clock(self, wall: datetime) -> str:
        """The time of day on 24 hours, `14:32`."""
        return f"{wall:%H:%M}"

    def date(self, wall: datetime) -> str:
        """A date that cannot be misread: `5 March 2031`."""
        months = self.say(Key.MONTHS).split()
        return f"{wall.day} {months[wall.month - 1]} {wall.year}"
