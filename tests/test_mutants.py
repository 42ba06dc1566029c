"""That the list of mutants is true: each one applies to the code as it is, and its test is there. `make mutants` runs
them."""

from pathlib import Path

import pytest
from support.cases import case
from support.mutants import (
    Mutant,
    Trial,
    Verdict,
    explain_mutant,
    judge,
    read_mutants,
    summarise,
    try_mutant,
)

LEAST = {"cabinet/engine/": 25, "cabinet/store/": 12, "drivers/": 13, "cabinet/": 47}
"""Mutants there must be at least, by the beginning of the file's name."""

PRODUCT = "def may_bet(bet, limit):\n    return bet <= limit\n"
TESTS = "from product import may_bet\n\ndef test_limit():\n    assert may_bet(5, 5)\n"


def one(**changes: str) -> Mutant:
    """A mutant of the small product above, which its test kills."""
    fields = {
        "file": "product.py",
        "rule": "The limit itself may be bet.",
        "before": "bet <= limit",
        "after": "bet < limit",
        "test": "test_product.py::test_limit",
    }
    return Mutant(**{**fields, **changes})


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A product of one file and its test."""
    (tmp_path / "product.py").write_text(PRODUCT)
    (tmp_path / "test_product.py").write_text(TESTS)
    return tmp_path


def test_every_mutant_applies_to_the_code_and_names_a_test():
    assert [words for mutant in read_mutants() if (words := explain_mutant(mutant))] == []


def test_every_guarded_folder_has_its_mutants():
    files = [mutant.file for mutant in read_mutants()]
    for folder, least in LEAST.items():
        with case(folder=folder):
            assert sum(file.startswith(folder) for file in files) >= least


def test_no_mutant_is_listed_twice():
    changes = [(mutant.file, mutant.before, mutant.after) for mutant in read_mutants()]
    assert len(set(changes)) == len(changes)


def test_a_line_of_the_list_that_is_not_true_is_explained(tree: Path):
    for changes, words in (
        ({}, None),
        ({"file": "other.py"}, "other.py: no such file"),
        ({"before": "bet > limit"}, "product.py: found 0 times, expected once: bet > limit"),
        ({"before": "bet"}, "product.py: found 3 times, expected once: bet"),
        ({"after": "bet <"}, "product.py: does not compile: bet <"),
        ({"after": "(bet <= limit)"}, "product.py: means the same as before: (bet <= limit)"),
        ({"test": "test_other.py::test_limit"}, "test_other.py::test_limit: no such file"),
        ({"test": "test_product.py::test_other"}, "test_product.py::test_other: no such test"),
        ({"test": "test_product.py"}, "test_product.py: no such test"),
    ):
        with case(**changes):
            assert explain_mutant(one(**changes), tree) == words


def test_only_a_failed_test_kills_a_mutant():
    line = "FAILED tests/test_x.py::test_limit[a - b] - {}\n1 failed in 0.1s"
    for code, output, verdict in (
        (0, "1 passed", Verdict.SURVIVED),
        (1, line.format("AssertionError: assert 5 == 4"), Verdict.KILLED),
        (1, line.format("assert False"), Verdict.KILLED),
        (1, line.format("Failed: DID NOT RAISE <class 'ValueError'>"), Verdict.KILLED),
        (1, "FAILED tests/test_x.py::test_limit\n1 failed in 0.1s", Verdict.KILLED),
        (1, line.format("AttributeError: no such field"), Verdict.BROKEN),
        (1, line.format("Failed: Timeout (>120.0s) from pytest-timeout."), Verdict.BROKEN),
        (1, "ERROR tests/test_x.py::test_limit - ValueError\n1 error in 0.1s", Verdict.BROKEN),
        (2, "ERROR tests/test_x.py\n1 error in 0.1s", Verdict.BROKEN),
        (-1, "", Verdict.BROKEN),
    ):
        with case(code=code, output=output):
            assert judge(code, output)[0] is verdict


def test_a_mutant_is_tried_and_taken_back(tree: Path):
    (tree / "pytest.ini").write_text("[pytest]\n")
    assert try_mutant(tree, one()).verdict is Verdict.KILLED
    assert (tree / "product.py").read_text() == PRODUCT


def test_a_mutant_whose_code_has_changed_is_named(tree: Path):
    trial = try_mutant(tree, one(before="bet > limit"))
    assert trial.verdict is Verdict.NOT_FOUND


def test_the_last_line_names_what_is_not_killed():
    killed, alive = (Trial(mutant=one(), verdict=verdict) for verdict in (Verdict.KILLED, Verdict.SURVIVED))
    assert summarise([killed]) == ("1 of 1 mutants are killed", True)
    words = "1 of 2 mutants are killed\n  not killed: product.py: The limit itself may be bet."
    assert summarise([killed, alive]) == (words, False)
