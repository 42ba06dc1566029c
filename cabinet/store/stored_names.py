"""The names that types have in stored journals, where the program now calls them something else.

A stored name never changes; this is the only place that maps one. Does not know fields or values.
"""

from collections.abc import Mapping
from typing import Final

STORED: Final[Mapping[str, str]] = {"LogEntry": "Logged", "LogKind": "Significant"}
"""Name of a type in the program -> its name in every journal."""


def stored_name(type_: type) -> str:
    """The name of a type in a journal."""
    return STORED.get(type_.__name__, type_.__name__)
