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


def _function(docstring: str, decorator: str = "") -> str:
    return f"{decorator}\ndef do():\n    {docstring!r}\n"


def test_a_docstring_that_begins_with_a_bare_verb_is_found(checker: ModuleType):
    for docstring, word in (("Return the amount.", "Return"), ("Set, or lower it.", "Set"), ("Wait.", "Wait")):
        findings = list(checker.find_imperatives("cabinet/a.py", _function(docstring)))
        assert [(found.number, found.word) for found in findings] == [(3, word)], docstring
        assert findings[0].advice.startswith("the third person")


def test_a_docstring_in_the_third_person_and_a_noun_phrase_are_no_finding(checker: ModuleType):
    for docstring in ("Returns the amount.", "True if it is set.", "The set of names.", "Settings of one part.", ""):
        assert list(checker.find_imperatives("cabinet/a.py", _function(docstring))) == [], docstring


def test_the_help_text_of_a_command_may_be_an_imperative_and_nothing_else_of_the_commands(checker: ModuleType):
    for decorator in ("@click.command()", "@main.command(short_help='x')"):
        text = _function("Show the meters.", decorator)
        assert list(checker.find_imperatives("cabinet/commands/a.py", text)) == []
        assert len(list(checker.find_imperatives("cabinet/engine/a.py", text))) == 1
    assert len(list(checker.find_imperatives("cabinet/commands/a.py", _function("Show the meters.")))) == 1


def test_each_word_has_an_advice(checker: ModuleType):
    assert checker.Finding(1, "Nobody").advice.startswith("name the person")  # plain: ok


@pytest.mark.breadth
def test_no_file_has_such_a_word(checker: ModuleType):
    """`make lint` runs the checker too, as a part of `make test`."""
    assert checker.complaints() == []
