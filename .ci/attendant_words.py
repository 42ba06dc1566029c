"""Write the list of the attendant's English texts from the source, and print how many each language lacks.

`attendant.po` of English has each text that the source passes to `say` or marks with `text`, sorted. A translator
copies entries from it. Run this script after a change of a text: it changes only the English file.
"""

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("cabinet/attendant/**/*.py", "cabinet/booklet/*.py", "cabinet/runtime/attendant*.py")
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "say": None,
    "text": None,
    "_say": (1, 2),
    "_cents": (1,),
    "_count": (1,),
}
LOCALE = ROOT / "cabinet" / "text" / "locale"


def source_texts() -> set[str]:
    """Returns each English text of the attendant's pages, with the stored words that they show."""
    paths = (path for pattern in SOURCES for path in sorted(ROOT.glob(pattern)))
    # Babel reports each f-string on the standard error; one that is a part of a sentence is no text.
    with contextlib.redirect_stderr(io.StringIO()):
        return _stored_words() | {found for path in paths for found in _texts(path)}


def _stored_words() -> set[str]:
    from cabinet.engine.inputs import Door, Settlement
    from cabinet.engine.log import LogKind
    from cabinet.engine.state import LockKind

    begun = {each.value.capitalize() for kind in (Door, LockKind, Settlement) for each in kind}
    return begun | {each.value for kind in (LockKind, LogKind) for each in kind}


def _texts(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for _, name, message, _ in extract_python(file, KEYWORDS, (), {}):
            found = dict(enumerate(message if isinstance(message, tuple) else (message,), start=1))
            yield from filter(None, map(found.get, KEYWORDS[name] or (1,)))


def listed_texts(language: str) -> set[str]:
    """Returns the texts that a language's file has with a translation."""
    path = LOCALE / language / "LC_MESSAGES" / "attendant.po"
    if not path.exists():
        return set()
    with path.open("rb") as file:
        return {str(entry.id) for entry in read_po(file, abort_invalid=True) if entry.id and entry.string}


def untranslated(language: str) -> set[str]:
    """Returns the texts of the source without a translation in a language."""
    return source_texts() - listed_texts(language)


def write_english() -> None:
    """Writes the English file: each text is its own translation."""
    found = Catalog(locale="en", fuzzy=False)
    for words in sorted(source_texts()):
        found.add(words, words)
    lines = [b"# The attendant's texts. .ci/attendant_words.py writes this file from the source.\n"]
    path = LOCALE / "en" / "LC_MESSAGES" / "attendant.po"
    with path.open("wb") as file:
        file.writelines(lines)
        write_po(file, found, width=0, omit_header=True, sort_output=True)


def main() -> None:
    """Writes the English file and prints the count of each other language."""
    write_english()
    count = len(source_texts())
    for language in sorted(folder.name for folder in LOCALE.iterdir() if folder.name != "en"):
        sys.stdout.write(f"{language}: {len(untranslated(language))} of {count} texts are not translated\n")


if __name__ == "__main__":
    main()
