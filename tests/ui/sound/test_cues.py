"""The sounds that play, and those that do not."""

import random
from dataclasses import replace

import pytest
from support.machines import seated
from support.snapshot import Player, at, snapshot_of

from cabinet.attendant.pages import Page
from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    BillOffered,
    BillRejected,
    BillReturned,
    Command,
    Deal,
    DeclineInsurance,
    Door,
    DoorClosed,
    DoorOpened,
    Double,
    Fact,
    Hit,
    Input,
    Insure,
    Split,
    Stand,
)
from cabinet.presentation.snapshot import skip_animation
from cabinet.ui.sound.cues import Cue, alarm_now, cues_between, result_cue

WINS = {Cue.WIN_SMALL, Cue.WIN_MEDIUM, Cue.WIN_LARGE}
WISHES: tuple[Command, ...] = (Split(), Double(), Hit(), Stand(), Insure(), DeclineInsurance())


def cues_of(player: Player, seconds: float = 10.0) -> list[Cue]:
    """Returns every cue from now on, frame by frame."""
    found: list[Cue] = []
    start_s = player.now_s - 0.001
    for frame in range(int(seconds * 60)):
        found += cues_between(player.snapshot, start_s + frame / 60, start_s + (frame + 1) / 60, turbo=False)
    return found


def test_every_card_of_a_deal_sounds_once():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    assert cues_of(player).count(Cue.CARD) == 4


@pytest.mark.requirement("PD-19")
def test_nothing_celebrates_a_return_that_is_not_above_the_stake():
    won = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
    pushed = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="10S 9S 9H 10D")
    lost = Player().put(*at("classic"), Bet(), Deal(), Hit(), cards="10S 9S 6H 10D KD")
    assert WINS & set(cues_of(won)) == {Cue.WIN_SMALL}
    assert WINS & set(cues_of(pushed)) == set()
    assert Cue.PUSH in cues_of(pushed)
    assert (WINS | {Cue.PUSH}) & set(cues_of(lost)) == set()


@pytest.mark.sample(2)
@pytest.mark.requirement("PD-19")
@pytest.mark.parametrize("seed", range(6))
def test_a_win_sounds_only_in_rounds_that_return_more_than_their_stakes(seed: int):
    chance, player = random.Random(seed), Player(seed=seed).put(*at("european", 2_500, 300_000))
    results = []
    for _ in range(12):
        found = cues_of(player.put(BetAll(), Deal()))
        while player.machine.results is None:
            wishes = [wish for wish in WISHES if engine.why_not(player.settings, player.machine, wish) is None]
            found += cues_of(player.put(Split() if Split() in wishes else chance.choice(wishes)))
        results.append((player.machine.results, found))
    for result, found in results:
        assert bool(WINS & set(found)) == (result.returned_cents > result.staked_cents)
        assert (Cue.PUSH in found) == (result.returned_cents == result.staked_cents)
    assert {result.returned_cents > result.staked_cents for result, _ in results} == {True, False}


PUSHES = {
    "one hand": ((Bet(), Deal(), Stand()), "10S 9S 9H 10D"),
    "doubled": ((Bet(), Deal(), Double()), "5S 9S 6H 10D 8C"),
    "split, one won and one lost": ((Bet(), Deal(), Split(), Stand(), Stand()), "10S 8S 10H 9D KC 6C"),
    "insured against a blackjack": ((Bet(), Deal(), Insure()), "10S AS 9H KD"),
}


@pytest.mark.requirement("PD-19")
@pytest.mark.parametrize(("given", "cards"), PUSHES.values(), ids=PUSHES)
def test_every_return_equal_to_the_stake_sounds_as_a_push(given: tuple[Input, ...], cards: str):
    found = cues_of(Player().put(*at("table"), *given, cards=cards))
    assert Cue.PUSH in found
    assert not WINS & set(found)


@pytest.mark.parametrize(
    ("staked", "returned", "cue"),
    [
        (100, 0, None),
        (100, 99, None),
        (100, 100, Cue.PUSH),
        (100, 101, Cue.WIN_SMALL),
        (100, 300, Cue.WIN_MEDIUM),
        (100, 600, Cue.WIN_LARGE),
    ],
)
def test_the_sound_of_a_result_follows_from_its_size(staked: int, returned: int, cue: Cue | None):
    assert result_cue(staked, returned) is cue


def test_chips_and_refusals_sound():
    assert Cue.CHIP in cues_of(Player().put(*at("classic"), Bet()))
    assert cues_of(Player().put(*at("classic"), Hit())) == [Cue.REFUSAL]


@pytest.mark.parametrize(
    "facts",
    [
        [BillRejected(reason="note not recognised")],
        [BillOffered(cents=2_000), BillReturned()],
        [BillOffered(cents=777), BillReturned()],
    ],
    ids=["refused by the acceptor", "taken and given back by the acceptor", "refused by the machine"],
)
def test_a_returned_note_sounds_once(facts: list[Fact]):
    player = Player()
    cues = [cue for fact in facts for cue in cues_of(player.put(fact))]
    assert cues == [Cue.REFUSAL]


def test_each_of_several_chips_sounds_when_it_lands():
    player = Player().put(*at("classic"), Bet())
    found = []
    for frame in range(60):
        now_s = player.now_s + frame / 60
        found += cues_between(player.snapshot, now_s - 1 / 60, now_s, turbo=False)
        if frame in {4, 8}:
            player.now_s += frame / 60
            player.step(Bet())
            player.now_s -= frame / 60
    assert found.count(Cue.CHIP) == 3


def test_an_animation_that_has_ended_is_silent():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()
    assert cues_of(player) == []


def test_a_skipped_animation_still_sounds_its_result():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH").wait(0.1)
    player.snapshot = skip_animation(player.snapshot, player.now_s)
    assert cues_of(player) == [Cue.WIN_SMALL]
    assert cues_of(player.wait(0.1)) == []


def test_the_alarm_follows_the_machine_alone():
    player = Player().put(*at("classic"))
    assert not alarm_now(player.machine)
    player.put(DoorOpened(door=Door.MAIN))
    assert alarm_now(player.machine)
    player.put(DoorClosed(door=Door.MAIN))
    assert not alarm_now(player.machine)


@pytest.mark.requirement("AT-06")
def test_the_attendants_test_sound_plays_once_when_its_page_opens():
    page = Page(title="TEST: sound", sound=Cue.ALARM.value)
    snapshot = replace(snapshot_of(seated().machine, now_s=5.0), attendant=page)
    cues_at = [at_s for at_s in range(10) if cues_between(snapshot, at_s - 1, at_s, turbo=False)]
    assert cues_at == [5]
    assert cues_between(snapshot, 4, 5, turbo=False) == (Cue.ALARM,)
