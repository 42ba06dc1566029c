"""An invented language: English with other letters, in brackets, and far longer. Whatever is not in the
catalogue stays plain English beside it, and whatever has too little room for a language shows."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from cabinet.text.messages import ENGLISH, LANGUAGES
from cabinet.text.po_files import SOURCE, Language, catalogue_of, read_texts
from cabinet.tools.screens_gallery import SAMPLE_FACTS
from cabinet.ui.ui_state import MachineInfo

PSEUDO = "pseudo"
TONGUES = (*LANGUAGES, PSEUDO)

LONGER = 0.4
"""By how much each text is longer."""
LETTERS = str.maketrans("aceinouyACEINOUY", "äçéîñöüýÄÇÉÎÑÖÜÝ")
FILLER = "öüéñç"
_PART = re.compile(r"(\{\w+\}|\|)")


@cache
def spoken() -> Mapping[str, MachineInfo]:
    """A cabinet for each language there is, with the money of a country where it is spoken; and for the one there is
    not, with the money that takes most room."""
    facts = {
        code: replace(SAMPLE_FACTS, language=language, currency="USD" if code == SOURCE else "EUR")
        for code, language in LANGUAGES.items()
    }
    return MappingProxyType(facts | {PSEUDO: replace(SAMPLE_FACTS, language=pseudo_language(), currency="CHF")})


@cache
def pseudo_language() -> Language:
    """The language, read from a file like any other."""
    with TemporaryDirectory() as folder:
        language = Language(code=SOURCE, folder=Path(folder))
        _write(language)
        catalogue_of(language)
    return language


def _write(language: Language) -> None:
    texts, _ = read_texts(ENGLISH.path)
    plural = "nplurals=2; plural=(n != 1);"
    entries = [f'msgid ""\nmsgstr ""\n"Language: {SOURCE}\\n"\n"Plural-Forms: {plural}\\n"\n']
    for name, forms in texts.items():
        longer = [pseudo(form, name) for form in forms]
        several = len(longer) > 1
        head = f'msgid "{name}"\n' + (f'msgid_plural "{name}"\n' if several else "")
        lines = (f'msgstr{f"[{nth}]" if several else ""} "{text}"' for nth, text in enumerate(longer))
        entries.append(head + "\n".join(lines) + "\n")
    language.path.parent.mkdir(parents=True)
    language.path.write_text("\n".join(entries), encoding="utf-8")


def pseudo(text: str, name: str) -> str:
    """A text of the language; a sign of a chart and a list of names keep their shape."""
    if "|" in text:
        head, *rest = text.split("|")
        first = head if name.startswith("CHART_") else _longer(head)
        return "|".join((first, *map(_longer, rest)))
    return _longer(text)


def _longer(text: str) -> str:
    bare = _PART.sub("", text)
    longer = "".join(part if _PART.fullmatch(part) else part.translate(LETTERS) for part in _PART.split(text))
    more = max(0, ceil(LONGER * len(bare)) - 2)
    # More words where there are words, a longer word where there is one.
    filler = f" {FILLER}" if " " in bare.strip() else FILLER
    return f"[{longer}{(filler * 60)[:more]}]"
