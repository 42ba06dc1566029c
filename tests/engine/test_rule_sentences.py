"""The table of rule sentences is complete: each sentence on the play of the cards has its tests, and they exist."""

import ast
import tomllib
from pathlib import Path

import pytest
from support.source import find_functions

from cabinet.engine.rules import GAMES

TESTS = Path(__file__).parents[1]
TABLE = tomllib.loads((Path(__file__).parent / "rule_sentences.toml").read_text(encoding="utf-8"))
OTHER_SUBJECTS = {"bets", "credit", "screen", "return"}
"""What a sentence may be about without being proved by the play of the cards."""


def read_test_names(file: str) -> set[str]:
    """The tests in a file, as `file::name`."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {f"{file}::{function.name}" for function in find_functions(tree)}


def test_every_game_has_its_sentences() -> None:
    assert TABLE.keys() == GAMES.keys()


@pytest.mark.parametrize("game", sorted(TABLE))
def test_every_named_test_exists(game: str) -> None:
    named = {test for sentence in TABLE[game] for test in sentence.get("tests", ())}
    existing = {test for file in {test.partition("::")[0] for test in named} for test in read_test_names(file)}
    assert named - existing == set()


@pytest.mark.parametrize("game", sorted(TABLE))
def test_every_sentence_on_the_play_of_the_cards_is_proved(game: str) -> None:
    open_ = [
        sentence["says"]
        for sentence in TABLE[game]
        if not sentence.get("tests") and sentence.get("about") not in OTHER_SUBJECTS
    ]
    assert open_ == []


@pytest.mark.parametrize("game", sorted(TABLE))
def test_no_sentence_stands_twice(game: str) -> None:
    sentences = [sentence["says"] for sentence in TABLE[game]]
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize("game", sorted(TABLE))
def test_every_rule_test_proves_a_sentence(game: str) -> None:
    named = {test for sentence in TABLE[game] for test in sentence.get("tests", ())}
    file = f"engine/test_rules_{game}.py"
    assert {test for test in read_test_names(file) if "::test_" in test} - named == set()
