"""The checker of the house style finds each ruled-out word where a person reads it, and nothing else."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[1] / ".ci" / "plain_english.py"


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    """The checker, which is a script outside the packages."""
    spec = importlib.util.spec_from_file_location("plain_english", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_comment_a_text_and_a_name_are_read(checker: ModuleType):
    code = '# whoever\ndef _told():  # fine\n    """One\n    so many."""\n    return f"it lays {1}"\n'  # plain: ok
    words = [(found.number, found.word) for found in checker.find_words("a.py", code)]
    assert words == [(1, "whoever"), (2, "told"), (4, "so many"), (5, "lays")]  # plain: ok


def test_a_part_of_a_longer_word_is_no_finding(checker: ModuleType):
    assert list(checker.find_words("a.py", "delay = layout = intelligent = heedless = teller = 1\n")) == []


def test_a_line_of_a_document_that_quotes_a_word_on_purpose_is_no_finding(checker: ModuleType):
    text = "nobody\nnobody <!-- plain: ok -->\n"  # plain: ok
    assert [found.number for found in checker.find_words("a.md", text)] == [1]


def test_a_stored_name_is_no_finding(checker: ModuleType):
    assert list(checker.find_words("a.py", "told_cents = lock.told_cents  # told_cents\n")) == []


def test_each_word_has_an_advice(checker: ModuleType):
    assert checker.Finding(1, "Nobody").advice.startswith("name the person")  # plain: ok


@pytest.mark.breadth
def test_no_file_has_such_a_word(checker: ModuleType):
    """`make lint` runs the checker too, as a part of `make test`."""
    assert checker.complaints() == []
