"""Every setting by its key in the file, with its value, the value as delivered, and what it may be. Pure.

Rules: a secret has no value, only whether it is set.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_type_hints

from cabinet.config.key_names import shown_value
from cabinet.config.reader import allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSetting:
    """A setting as text. `delivered` is its value without a settings file."""

    key: str
    value: str
    delivered: str
    allowed: str

    @property
    def changed(self) -> bool:
        """True if the settings file gives it another value than delivered."""
        return self.value != self.delivered


def list_settings(config: Any, delivered: Any, path: str = "") -> Iterator[ListedSetting]:
    """Yields the settings of `config` in the order of the file, beside those of `delivered`."""
    hints = get_type_hints(type(config), include_extras=True)
    for item in fields(config):
        key, value, usual = f"{path}{item.name}", getattr(config, item.name), getattr(delivered, item.name)
        if is_dataclass(value):
            yield from list_settings(value, usual, f"{key}.")
            continue
        found, known = (shown_value(each, secret=not item.repr) for each in (value, usual))
        yield ListedSetting(key=key, value=found, delivered=known, allowed=allowed(hints[item.name]))
