"""The names that types and fields have in stored journals where the program now has other names.

A stored name never changes; this is the only place that maps one, except for the fields of the machine
(`stored_machine.py`). Does not know values.
"""

from collections.abc import Mapping
from typing import Final

STORED: Final[Mapping[str, str]] = {"LogEntry": "Logged", "LogKind": "Significant"}
"""Name of a type in the program -> its name in every journal."""

STORED_FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "BillUnasked": {"reported_cents": "told_cents"},
    "Lock": {"reported_cents": "told_cents"},
}
"""Name of a type in the program -> name of its field there -> name of the field in every journal. Only types
of inputs and events, and `Lock`: the newest form renames no field of another type inside them."""


def stored_name(type_: type) -> str:
    """Returns the name of a type in a journal."""
    return STORED.get(type_.__name__, type_.__name__)


def stored_field(type_: type, field: str) -> str:
    """Returns the name of a field of this type in a journal."""
    return STORED_FIELDS.get(type_.__name__, {}).get(field, field)
