"""The player's texts on the screen, and the formats of amounts, times and dates.

Rules: each language has one catalogue (`locale/*/LC_MESSAGES/player.po`). A text is found by its key and written only
there. Parts to fill in have names, so that another language may order them differently. Texts are short and plain, with
an exclamation mark only for a real win, and none says that the cash box is full. The attendant's pages are not in it:
they are in English, in `attendant`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from cabinet.engine.rules import GAMES, Rules
from cabinet.text.message_keys import Key
from cabinet.text.number_formats import Style, date_of, style_of, time_of
from cabinet.text.po_files import Language, catalogue_of

__all__ = ["ENGLISH", "LANGUAGES", "Key", "Language", "Words", "sentence"]

ENGLISH: Final = Language(code="en")
LANGUAGES: Final[Mapping[str, Language]] = MappingProxyType(
    {language.code: language for language in (ENGLISH, *(Language(code=code) for code in ("de", "fr", "es")))}
)
"""The languages by their two letters."""
_TITLES: Final = {"european": Key.GAME_EUROPEAN, "table": Key.GAME_TABLE, "classic": Key.GAME_CLASSIC}


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A language and a currency: the source of all texts of the presenter."""

    language: Language = ENGLISH
    currency: str = "USD"

    def prepare(self) -> None:
        """Reads now what the first text in this language would read."""
        catalogue_of(self.language)
        style_of(self.language.code, self.currency)

    def say(self, key: Key, **parts: object) -> str:
        """Returns the text of a key with its parts filled in. KeyError when a part is missing, which is a programming
        error."""
        return catalogue_of(self.language).texts[key][0].format(**parts)

    def say_count(self, key: Key, count: int, **parts: object) -> str:
        """Returns the text for a count; `{count}` is the number in figures, `{number}` in a word."""
        catalogue = catalogue_of(self.language)
        text = catalogue.texts[key][catalogue.plural(count)]
        return sentence(text.format(count=self.count(count), number=self.number(count), **parts))

    def listed(self, key: Key, nth: int) -> str:
        """Returns one text of a list, counted from 0."""
        return self.say(key).split("|")[nth]

    def number(self, count: int) -> str:
        """Returns a small number in a word, a larger one in figures."""
        names = self.say(Key.NUMBERS).split("|")
        return names[count] if count < len(names) else self.count(count)

    def ratio(self, pays: tuple[int, int]) -> str:
        """Returns a payoff and its stake, `3 to 2`."""
        paid, staked = pays
        return self.say(Key.RATIO, paid=paid, staked=staked)

    def title(self, rules: Rules) -> str:
        """Returns the name of a game; a game that is not one of the shipped three keeps its configured name."""
        key = _TITLES.get(rules.game_id)
        known = key is not None and rules.title == GAMES[rules.game_id].title
        return self.say(key) if key is not None and known else rules.title

    # --- figures --------------------------------------------------------------------------------------------------

    @property
    def _style(self) -> Style:
        return style_of(self.language.code, self.currency)

    def money(self, cents: int) -> str:
        """Returns an amount with two decimals, `$1,250.00`; a minus sign stands before the currency."""
        return self._style.money(cents)

    def coded_money(self, cents: int) -> str:
        """Returns an amount with two decimals and its currency code, `USD 1,250.00`, for a printer without signs."""
        return f"{self.currency} {self._style.plain(cents)}"

    def signed(self, cents: int) -> str:
        """Returns an amount with its sign, `+$25.00` or `−$50.00`."""
        return ("+" if cents >= 0 else "") + self.money(cents)

    def short_money(self, cents: int) -> str:
        """Returns an amount without decimals when it has no cents: `$100`, `$2.50`."""
        return self._style.short_money(cents)

    def chip(self, cents: int) -> str:
        """Returns the print on a chip: `25`, `0.50`."""
        return self._style.figures(cents)

    def count(self, number: int) -> str:
        """Returns a whole number with its thousands marked."""
        return self._style.count(number)

    def percent(self, share: float) -> str:
        """Returns a share of one as a percentage with two decimals, `99.54%`."""
        return self._style.share(share)

    def clock(self, wall: datetime) -> str:
        """Returns the time of day on a 24-hour clock, `14:32`."""
        return time_of(wall)

    def date(self, wall: datetime) -> str:
        """Returns an unambiguous date: `March 5, 2031`."""
        return date_of(self.language.code, self.currency, wall)


def sentence(text: str) -> str:
    """Returns the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
