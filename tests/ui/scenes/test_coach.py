"""The coach on the table."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.snapshot import FACTS, Player, at, notes

from cabinet.engine.inputs import Bet, ChooseGame, Deal, Hit, Input, Split, Stand
from cabinet.engine.rules import CLASSIC, EUROPEAN
from cabinet.par import value_of_hand
from cabinet.par.coach import make_coach
from cabinet.text.messages import LANGUAGES
from cabinet.ui.scenes.bars import top_bar
from cabinet.ui.scenes.coach import advice
from cabinet.ui.scenes.speech import speech
from cabinet.ui.ui_state import MachineInfo, UiState
from cabinet.ui.view import TopItem

ASKED = UiState(coached=True)
ACE_UP = "10S 9D 10H AC"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> MachineInfo:
    folder: Path = tmp_path_factory.mktemp("par")
    coaches = {rules.game_id: make_coach(rules, folder) for rules in (CLASSIC, EUROPEAN)}
    return replace(FACTS, coaches=coaches)


def dealt(
    facts: MachineInfo, cards: str, game: str = "classic", ui: UiState = ASKED, seat: tuple[Input, ...] = ()
) -> Player:
    """Returns a hand of one chip of 25 dealt from these cards, after its animation."""
    return Player(ui=ui, facts=facts).put(*(seat or at(game)), Bet(), Deal(), cards=cards).settle()


def cost(cards: tuple[int, ...], up: int, of: str, stake_cents: int) -> int:
    """Returns the cost of an action against the best one, in cents of the stake, straight from the analysis."""
    worths = {action.value: worth for action, worth in value_of_hand(CLASSIC, cards, up).items()}
    return round((max(worths.values()) - worths[of]) * stake_cents)


def test_the_best_action_is_named_with_the_costs_of_the_others(facts: MachineInfo):
    message, hint = speech(dealt(facts, "10S 6S 6H 10D").moment())

    stand, double = cost((10, 6), 10, "stand", 2_500), cost((10, 6), 10, "double", 2_500)
    assert message == "Coach: best is HIT"
    assert hint == f"Average cost: STAND $0.{stand:02d} · DOUBLE ${double / 100:.2f}"


def test_the_coach_names_only_actions_that_the_credit_covers(facts: MachineInfo):
    texts = advice(dealt(facts, "8S 6S 8H 10D", seat=at("classic", chip_cents=10_000, credit_cents=10_000)).moment())

    assert texts is not None
    assert "SPLIT" not in " ".join(texts)
    assert "DOUBLE" not in " ".join(texts)


def test_a_pair_that_should_be_split_is(facts: MachineInfo):
    texts = advice(dealt(facts, "8S 6S 8H 10D").moment())

    assert texts is not None
    assert texts[0] == "Coach: best is SPLIT"


def test_each_hand_of_a_split_pair_is_judged_by_its_own_cards(facts: MachineInfo):
    player = dealt(facts, "8S 6S 8H 10D").put(Split(), cards="3C 9H").settle()

    texts = advice(player.moment())

    assert texts is not None
    assert texts[0] == "Coach: best is DOUBLE", "eight and three against a six"


def test_insurance_is_declined_with_its_cost(facts: MachineInfo):
    player = dealt(facts, ACE_UP)

    message, hint = speech(player.moment())

    assert message == "Coach: no insurance"
    assert hint == "Insurance costs $1.09 on average"


def test_the_coach_is_silent_about_insurance_beyond_the_credit(facts: MachineInfo):
    player = dealt(facts, ACE_UP, seat=at("classic", chip_cents=10_000, credit_cents=10_000))

    message, hint = speech(player.moment())

    assert message == "Insurance for $50.00?"
    assert hint == "Insert a note to insure; STAND is no"


@pytest.mark.parametrize("ui", [UiState(), ASKED], ids=["not asked", "asked"])
def test_the_coach_is_silent_where_it_is_not_offered(ui: UiState):
    moment = dealt(FACTS, "10S 6S 6H 10D", ui=ui).moment()

    assert advice(moment) is None
    assert TopItem.COACH not in {item.item for item in top_bar(moment).items}


def test_the_coach_is_silent_until_asked(facts: MachineInfo):
    moment = dealt(facts, "10S 6S 6H 10D", ui=UiState()).moment()

    assert advice(moment) is None
    assert [item.on for item in top_bar(moment).items if item.item is TopItem.COACH] == [False]


def test_the_coach_is_silent_before_the_cards_are_shown_and_after_the_round(facts: MachineInfo):
    player = Player(ui=ASKED, facts=facts).put(*at("classic"), Bet(), Deal(), cards="10S 6S 6H 10D")
    assert speech(player.moment())[0] == "Good luck"

    assert advice(player.put(Stand(), cards="9H").settle().moment()) is None


@pytest.mark.parametrize("inputs", [(), notes(10_000), at("classic"), (*at("classic"), Bet())])
def test_the_coach_is_not_offered_without_a_decision(facts: MachineInfo, inputs: tuple[Input, ...]):
    moment = Player(ui=ASKED, facts=facts).put(*inputs).settle().moment()

    assert TopItem.COACH not in {item.item for item in top_bar(moment).items}


def test_one_action_needs_no_advice(facts: MachineInfo):
    """At a soft 21 only standing is left."""
    player = dealt(facts, "AS 6C 5H", game="european").put(Hit(), cards="5D").settle()

    assert advice(player.moment()) is None


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_coach_speaks_every_language(language, facts: MachineInfo):
    texts = advice(dealt(facts, "8S 6S 8H 10D", ui=replace(ASKED, language=language)).moment())

    assert texts is not None
    assert len(texts[1].split(" · ")) == 3


def test_a_game_without_coach_has_none(facts: MachineInfo):
    player = Player(ui=ASKED, facts=facts).put(*notes(30_000), ChooseGame(game_id="table"), Bet(), Deal()).settle()

    assert advice(player.moment()) is None
