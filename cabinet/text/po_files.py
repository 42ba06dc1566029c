"""Reads a language's texts: one gettext file (.po) per language, in `locale` beside this module.

Rules: a text is found by the name of its key. A name in capitals in braces stands for a button or a switch of the top
bar, so that every sentence uses the word of the legend. A missing text is given in English. Each file is read once,
when its language is first used. Does not know when a text is shown.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cabinet.text.message_keys import Key

CATALOGUES: Final = Path(__file__).parent / "locale"
"""One folder for each language, in gettext's layout."""
SOURCE: Final = "en"
"""The language that the others are translated from."""
_NAMED = re.compile(r"\{([A-Z_]+)\}")


class CatalogueError(Exception):
    """A language's texts cannot be read; the message names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language by its two letters, and the folder that holds its texts."""

    code: str
    folder: Path = CATALOGUES

    def __hash__(self) -> int:
        # Every text of a frame is found by its language, and a folder takes long to hash.
        return hash(self.code)

    @property
    def path(self) -> Path:
        """The file with its texts."""
        return self.folder / self.code / "LC_MESSAGES" / "player.po"


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """A language's texts. A text that depends on a number has several forms; `plural` gives the form for a number."""

    texts: Mapping[Key, tuple[str, ...]]
    plural: Callable[[int], int]


@cache
def catalogue_of(language: Language) -> Catalogue:
    """Returns the language's texts, ready to be filled in. Raises CatalogueError."""
    texts, plural = read_texts(language.path)
    if language.code != SOURCE:
        texts = read_texts(Language(code=SOURCE).path)[0] | texts
    return Catalogue(
        texts={key: tuple(_with_names(form, texts) for form in texts[key.name]) for key in Key}, plural=plural
    )


def read_texts(path: Path) -> tuple[dict[str, tuple[str, ...]], Callable[[int], int]]:
    """Returns the texts of a file by the names of their keys, as written, and the file's rule for plurals.

    Texts without a translation, or with an uncertain one, are left out. Raises CatalogueError.
    """
    # Babel takes as long to import as the rest of this package; commands without a screen do without it.
    from gettext import c2py

    from babel.messages.pofile import PoFileError, read_po

    try:
        with path.open("rb") as file:
            found = read_po(file, abort_invalid=True)
        texts = {_key(entry.id): _forms(entry.string) for entry in found if entry.id and not entry.fuzzy}
        plural: Callable[[int], int] = c2py(found.plural_expr)
    except (OSError, PoFileError, ValueError) as error:
        raise CatalogueError(f"{path}: the texts cannot be read: {error}; install the program again") from error
    return {name: forms for name, forms in texts.items() if all(forms)}, plural


def _key(name: object) -> str:
    return str(name[0] if isinstance(name, (tuple, list)) else name)


def _forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else (str(text),)


def _with_names(text: str, texts: Mapping[str, tuple[str, ...]]) -> str:
    """Returns the text with the names of buttons and switches. KeyError for an unknown one, which is a programming
    error."""

    def name(found: re.Match[str]) -> str:
        button = f"BUTTON_{found[1]}"
        return texts[button if button in texts else f"ITEM_{found[1]}"][0]

    return _NAMED.sub(name, text)
