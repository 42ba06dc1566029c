"""The attendant's texts in a language, found by their English text.

Rules: the source has the English sentence; `locale/<language>/LC_MESSAGES/attendant.po` has its translation. A text
without a translation is shown in English. Parts to fill in have names. Each file is read once. Does not know pages.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from cabinet.text.po_files import CATALOGUES, SOURCE, read_texts

__all__ = ["path_of", "say", "text", "translations"]

FILE: Final = "attendant.po"


def text(english: str) -> str:
    """Marks an English text of a table for the catalogue, and returns it; `say` translates it where it is shown."""
    return english


def say(language: str, english: str, /, **parts: object) -> str:
    """Returns the text in the language, with its parts filled in. KeyError when a part is missing, which is a
    programming error."""
    words = english if language == SOURCE else translations(language).get(english, english)
    return words.format(**parts) if parts else words


def path_of(language: str, folder: Path = CATALOGUES) -> Path:
    """Returns the file with the attendant's texts of a language."""
    return folder / language / "LC_MESSAGES" / FILE


@cache
def translations(language: str) -> Mapping[str, str]:
    """Returns the translation of each English text; empty for a language without a file. Raises CatalogueError."""
    path = path_of(language)
    return {english: forms[0] for english, forms in read_texts(path)[0].items()} if path.exists() else {}
