"""`cabinet par`: the sheet as text, data and page."""

import json
import time
from pathlib import Path

import pytest
from support.commands import call, is_one_sentence

from cabinet.commands.par.command import run_hand
from cabinet.engine.rules import CLASSIC, vary
from cabinet.par import analyse

QUICK = ["--set", "splits_max=0"]


@pytest.mark.sample(1)
@pytest.mark.requirement("PD-12")
@pytest.mark.parametrize(
    ("game", "best", "chart"),
    [("european", 0.994859, 0.994824), ("table", 0.995431, 0.995401), ("classic", 0.995431, 0.995401)],
)
def test_the_sheet_of_each_game_is_computed_in_little_time(game: str, best: float, chart: float):
    began_s = time.thread_time()
    document = json.loads(call("par", game, "--json").stdout)

    assert (document["return_best"], document["return_chart"]) == pytest.approx((best, chart), abs=5e-7)
    assert document["seconds"] > 0
    assert time.thread_time() - began_s < 30, "however busy the machine is"


def test_rules_can_be_varied():
    document = json.loads(call("par", "classic", *QUICK, "--set", "decks=8", "--json").stdout)
    assert document["rules"]["decks"] == 8
    assert document["ev_best"] == analyse(vary(CLASSIC, splits_max=0, decks=8)).ev_best


def test_text_and_page_say_the_same(tmp_path: Path):
    page = tmp_path / "par.html"
    text = call("par", "classic", *QUICK)
    written = call("par", "classic", *QUICK, "--html", page)

    assert (text.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert "return to player" in text.stdout
    assert "return to player" in page.read_text(encoding="utf-8")
    assert "par.html" in written.stderr


def test_a_page_that_cannot_be_written_is_reported(tmp_path: Path):
    result = call("par", "classic", *QUICK, "--html", tmp_path / "missing" / "par.html")
    assert result.exit_code == 1
    assert "check the path" in result.stderr


def test_one_hand_has_the_worth_of_every_action():
    document = json.loads(call("par", "european", "--hand", "A,7", "--up", "9", "--json").stdout)
    worths = {action: f"{worth:+.8f}" for action, worth in document["actions"].items()}

    assert worths == {"stand": "-0.18263994", "hit": "-0.09846902", "double": "-0.28482493"}
    assert document["best"] == "hit"
    assert "against 9" in call("par", "european", "--hand", "A,7", "--up", "9").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["par", "poker"], 2, "found 'poker', expected one of"),
        (["par", "classic", "--set", "decks=99"], 2, "decks is 99"),
        (["par", "classic", "--hand", "A,7"], 2, "belong together"),
        (["par", "classic", "--hand", "A,7", "--up", "9", "--effects"], 2, "answered alone"),
        (["par", "classic", "--hand", "A,11", "--up", "9"], 2, "'11' is no card"),
        (["par", "classic", "--hand", "10,10,2", "--up", "9"], 2, "two or more cards of at most 21"),
        (["par", "classic", "--hand", "A", "--up", "9"], 2, "two or more cards"),
    ],
)
def test_a_wrong_call_is_reported_in_one_sentence(arguments: list[str], code: int, words: str):
    result = call(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert is_one_sentence(result.stderr)
    assert words in result.stderr


def test_a_hand_is_answered_without_the_command_line_too():
    assert run_hand(CLASSIC, "8,8", "10").data["actions"].keys() == {"stand", "hit", "double", "split"}


@pytest.mark.breadth
def test_the_effects_of_changing_rules_are_listed():
    effects = json.loads(call("par", "classic", *QUICK, "--effects", "--json").stdout)["effects"]
    reported = {each["change"]: each["difference"] for each in effects}
    assert reported["blackjack pays 6 to 5"] == pytest.approx(-0.0136, abs=1e-4)
    assert "up to 1 splits" in reported
