"""Stakes, insurance, decisions and results in money: what is taken, when, and what comes back."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.inputs import Hand
from support.machines import SETTINGS, Cabinet, dealt, left, one_table, seated
from support.rounds import seeded_draw

from cabinet.engine.effects import HandSettled, InsuranceAnswered, Refused, RoundSettled
from cabinet.engine.errors import EngineError
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    BillOffered,
    BillStacked,
    Button,
    ChangeInsurance,
    ChooseChip,
    Command,
    Deal,
    DeclineInsurance,
    Double,
    Hit,
    Input,
    Insure,
    Settlement,
    Split,
    Stand,
)
from cabinet.engine.ledger import Account
from cabinet.engine.log import LogKind
from cabinet.engine.machine import lit, starting
from cabinet.engine.play import (
    bets_to_deal,
    decks_in_play,
    insurance_choices,
    insurance_offer,
    open_round,
    places_asked,
)
from cabinet.engine.round import Outcome, Round, Stage
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, LateBlackjackTakes, Limits, Rules, Table, vary
from cabinet.engine.state import LockKind, Phase, Settings, State

PAIR = "8S 6D 8H 10C"
ACE_UP = "9S AD 8H 10C"


def offer(cabinet: Cabinet) -> int:
    """The insurance that is offered now."""
    return insurance_offer(cabinet.settings, cabinet.machine)


def lamps(cabinet: Cabinet) -> frozenset[Button]:
    """The lit buttons."""
    return lit(cabinet.settings, cabinet.machine)


# --- stakes -----------------------------------------------------------------------------------------------------


@pytest.mark.requirement("CM-03")
def test_a_stake_is_taken_once_when_it_is_committed() -> None:
    cabinet = seated("table", credit=1_000, cards=PAIR + " 3S 2S 10S 10S 5H")
    cabinet.do(Bet(place=0))
    assert (cabinet.credit, cabinet.balance(Account.TABLE)) == (1_000, 0)
    cabinet.do(Deal())
    assert (cabinet.credit, cabinet.balance(Account.TABLE), cabinet.meter("coin_in")) == (900, 100, 100)
    cabinet.do(Split())
    assert (cabinet.credit, cabinet.balance(Account.TABLE), cabinet.meter("coin_in")) == (800, 200, 200)
    cabinet.do(Double())
    assert (cabinet.credit, cabinet.balance(Account.TABLE), cabinet.meter("coin_in")) == (700, 300, 300)
    cabinet.do(Double())
    assert cabinet.state is State.SETTLED
    assert (cabinet.balance(Account.TABLE), cabinet.meter("coin_in")) == (0, 400)


@pytest.mark.requirement("CM-04", "CM-03")
def test_a_double_needs_the_credit_for_it() -> None:
    """'The Double Down option is only allowed if sufficient credits exist'; 'you may double down either of the first
    two cards or split both hands, but only if sufficient credits exist'"""
    cabinet = dealt("table", PAIR, credit=199)
    assert Button.DOUBLE not in lamps(cabinet)
    assert cabinet.refusal(Double()) == "NO_CREDIT"
    assert Button.DOUBLE in lamps(dealt("table", PAIR, credit=200))


@pytest.mark.requirement("CM-04", "CM-03")
def test_a_split_needs_the_credit_for_it() -> None:
    """'The Split option is only allowed if sufficient credits exist'; 'Each hand is only allowed one split assuming
    sufficient credits exist'"""
    cabinet = dealt("table", PAIR, credit=199)
    assert Button.SPLIT not in lamps(cabinet)
    assert cabinet.refusal(Split()) == "NO_CREDIT"
    cabinet = dealt("table", PAIR + " 3S 2S", credit=200)
    assert Button.SPLIT in lamps(cabinet)
    cabinet.do(Split())
    assert cabinet.refusal(Double()) == "NO_CREDIT"


@pytest.mark.requirement("CM-04", "CM-03")
def test_insurance_needs_the_credit_for_it() -> None:
    """'An Insurance Bet is only allowed if sufficient credits exist'"""
    cabinet = dealt("table", ACE_UP, credit=149)
    assert lamps(cabinet) == {Button.STAND, Button.SERVICE}
    assert cabinet.refusal(Insure()) == "NO_CREDIT"
    assert Button.HIT in lamps(dealt("table", ACE_UP, credit=150))


@pytest.mark.requirement("CM-04", "BA-05")
def test_a_note_put_in_while_deciding_pays_for_the_double() -> None:
    cabinet = dealt("table", PAIR + " 3S 10S", credit=100)
    assert Button.DOUBLE not in lamps(cabinet)
    cabinet.do(BillOffered(cents=100), BillStacked(cents=100))
    assert Button.DOUBLE in lamps(cabinet)
    cabinet.do(Double())
    assert cabinet.meter("coin_in") == 200


def test_a_press_the_rules_forbid_is_refused() -> None:
    cabinet = dealt("table", "9S 6D 8H 10C")
    assert cabinet.refusal(Split()) == "RULES"
    cabinet = dealt("table", PAIR + " 2S")
    cabinet.do(Hit())
    assert cabinet.refusal(Double()) == "RULES"


def test_asking_for_a_round_that_is_not_there_is_our_mistake() -> None:
    assert open_round(dealt("table", PAIR).machine).rules is TABLE
    with pytest.raises(EngineError, match="no round is open in betting"):
        open_round(seated("table").machine)


def test_deal_stakes_the_chips_down_or_the_last_bets() -> None:
    cabinet = seated("table", cards="AS 6D KH 10C")
    assert bets_to_deal(cabinet.settings, cabinet.machine) is None
    cabinet.do(Bet(place=0))
    assert bets_to_deal(cabinet.settings, cabinet.machine) == (100,)
    cabinet.do(Deal(), Bet(place=0), Bet(place=0))
    assert bets_to_deal(cabinet.settings, cabinet.machine) == (200,)


# --- insurance --------------------------------------------------------------------------------------------------


def test_half_of_the_bet_is_the_insurance_of_table_and_classic() -> None:
    """'another bet equal to half of your original wager will automatically be placed'"""
    for game_id, cards in (("table", ACE_UP), ("classic", "9S 10D 8H AC")):
        cabinet = dealt(game_id, cards, chips=3)
        assert insurance_choices(cabinet.settings, cabinet.machine) == (150,)
        assert cabinet.refusal(Insure(cents=100)) == "RULES"
        assert cabinet.refusal(ChangeInsurance()) == "RULES"
        cabinet.do(Insure())
        assert cabinet.meter("coin_in") == 450
        assert cabinet.meter("insurance_taken") == 1


def test_european_insurance_may_be_any_chip_up_to_half() -> None:
    """'insurance is limited to ½ of the wager per hand'"""
    cabinet = dealt("european", "9S AD 8H", chips=12)
    assert insurance_choices(cabinet.settings, cabinet.machine) == (600, 500, 100)
    offered = [offer(cabinet)]
    for _ in range(3):
        cabinet.do(ChangeInsurance())
        offered.append(offer(cabinet))
    assert offered == [600, 500, 100, 600]
    assert cabinet.refusal(Insure(cents=700)) == "RULES"
    cabinet.do(Insure(cents=500))
    assert cabinet.meter("european.coin_in") == 1_700


@pytest.mark.requirement("CM-04")
def test_only_insurance_that_the_credit_covers_is_offered() -> None:
    cabinet = dealt("european", "9S AD 8H", chips=12, credit=1_700)
    assert offer(cabinet) == 500
    cabinet.do(ChangeInsurance(), ChangeInsurance())
    assert offer(cabinet) == 500
    broke = dealt("european", "9S AD 8H", chips=12, credit=1_200)
    assert broke.refusal(ChangeInsurance()) == "NO_CREDIT"
    assert lamps(broke) == {Button.STAND, Button.SERVICE}


@pytest.mark.requirement("CM-04")
@pytest.mark.parametrize(
    ("left", "choices"),
    [(325, (600, 500, 325, 100)), (339, (600, 500, 325, 100)), (75, (600, 500, 100, 75)), (24, (600, 500, 100))],
)
def test_what_the_credit_covers_may_be_insured_in_whole_credits(left: int, choices: tuple[int, ...]) -> None:
    cabinet = dealt("european", "9S AD 8H", chips=12, credit=1_200 + left)
    assert insurance_choices(cabinet.settings, cabinet.machine) == choices
    assert offer(cabinet) == next((cents for cents in choices if cents <= left), 600)


def test_a_small_bet_is_insured_for_what_the_credit_covers() -> None:
    cabinet = dealt("european", "9S AD 8H 10C", credit=130)
    assert insurance_choices(cabinet.settings, cabinet.machine) == (50, 25)
    cabinet.do(Insure(), Stand())
    assert cabinet.credit == 5 + 75


def test_what_is_paid_on_an_odd_part_is_whole_credits_at_any_ratio() -> None:
    rules = vary(EUROPEAN, insurance_pays=(3, 2))
    cabinet = dealt("european", "9S AD 8H 10C", chips=4, credit=400 + 99, settings=one_table(rules))
    assert insurance_choices(cabinet.settings, cabinet.machine) == (200, 100, 50)
    cabinet.do(Insure(cents=50), Stand())
    assert cabinet.credit == 49 + 125


def test_an_amount_that_the_rules_do_not_part_is_offered_whole_only() -> None:
    cabinet = dealt("table", ACE_UP, chips=12, credit=1_300)
    assert insurance_choices(cabinet.settings, cabinet.machine) == (600,)


@pytest.mark.requirement("CM-04", "BA-05")
def test_a_note_during_the_question_raises_what_is_offered() -> None:
    cabinet = dealt("european", "9S AD 8H 10C", credit=130)
    cabinet.do(BillOffered(cents=100), BillStacked(cents=100))
    assert offer(cabinet) == 50
    cabinet.do(Insure())
    assert cabinet.meter("coin_in") == 150


# --- several places asked ---------------------------------------------------------------------------------------

FIVE_WITH_AN_ACE = "9S 9H 9D 9C 10S AD 8H 8S 8D 8C 8H"


def asked(cabinet: Cabinet) -> list[int]:
    """The numbers of the places that the question is about."""
    return [place.number for place in places_asked(cabinet.settings, cabinet.machine)]


def all_five(credit: int, settings: Settings = SETTINGS) -> Cabinet:
    """A bet on each of five places against an ace."""
    cabinet = seated("european", credit=credit, cards=FIVE_WITH_AN_ACE + " 9S", settings=settings)
    cabinet.do(BetAll(), Deal())
    return cabinet


@pytest.mark.requirement("CM-04")
def test_places_without_credit_for_insurance_are_asked_in_one_question() -> None:
    cabinet = all_five(500)
    assert asked(cabinet) == [0, 1, 2, 3, 4]
    assert lamps(cabinet) == {Button.STAND, Button.SERVICE}
    cabinet.do(DeclineInsurance())
    assert cabinet.state is State.DECIDING
    answers = [event for event in cabinet.events if isinstance(event, InsuranceAnswered)]
    assert answers == [InsuranceAnswered(place=place, cents=0) for place in range(5)]


def test_places_are_asked_one_by_one_while_the_credit_covers_some_insurance() -> None:
    cabinet = all_five(580)
    assert asked(cabinet) == [0]
    cabinet.do(DeclineInsurance())
    assert asked(cabinet) == [1]
    cabinet.do(Insure())
    assert (asked(cabinet), offer(cabinet)) == ([2], 25)
    cabinet.do(Insure())
    assert asked(cabinet) == [3, 4]
    cabinet.do(DeclineInsurance())
    assert cabinet.state is State.DECIDING
    assert cabinet.meter("coin_in") == 575


def test_a_note_during_the_question_for_several_places_asks_them_one_by_one() -> None:
    cabinet = all_five(500)
    cabinet.do(BillOffered(cents=100), BillStacked(cents=100))
    assert asked(cabinet) == [0]
    cabinet.do(Insure(), Insure())
    assert asked(cabinet) == [2, 3, 4]


def test_a_place_that_the_credit_covers_is_asked_by_itself() -> None:
    rules = vary(EUROPEAN, insurance_partial=False)
    cabinet = seated("european", credit=1_500 + 99, cards="9S 9H 9D AD 8H 8S 8D 8S", settings=one_table(rules))
    dear = (Bet(place=0), Bet(place=0), Bet(place=0), Bet(place=0), Bet(place=0))
    cabinet.do(*dear, ChooseChip(chip_cents=500), Bet(place=1), ChooseChip(chip_cents=100))
    cabinet.do(Bet(place=2), Bet(place=2), Deal())
    assert cabinet.credit == 399
    assert asked(cabinet) == [0]
    poor = seated("european", credit=1_299, cards="9S 9H 9D AD 8H 8S 8D 8S", settings=one_table(rules))
    poor.do(*dear, ChooseChip(chip_cents=500), Bet(place=1), ChooseChip(chip_cents=100), Bet(place=2), Deal())
    assert poor.credit == 199
    assert asked(poor) == [0, 1]
    poor.do(DeclineInsurance())
    assert asked(poor) == [2]
    poor.do(Insure())
    assert poor.state is State.DECIDING


def test_no_place_is_asked_outside_the_question() -> None:
    assert asked(dealt("table", PAIR)) == []


def test_each_place_is_asked_and_pays_for_itself() -> None:
    cabinet = seated("european", cards="9S 5S AD 8H 6H 10C")
    cabinet.do(Bet(place=0), Bet(place=3), ChooseChip(chip_cents=500), Bet(place=3), Deal())
    cabinet.do(Insure())
    assert offer(cabinet) == 300
    cabinet.do(DeclineInsurance(), Stand(), Stand())
    assert left(cabinet) == []
    assert cabinet.meter("insurance_won") == 1
    # 100 and 600 lost to the blackjack, insurance of 50 paid 2 to 1
    assert cabinet.credit == 100_000 - 700 + 100


# --- results ----------------------------------------------------------------------------------------------------

INSURED = {"insurance_taken"}
OUTCOMES = (
    ("table", "AS 6D KH 10C", (), 250, {"games_won", "blackjacks"}),
    ("table", "10S 10D 9H 8C", (Stand(),), 200, {"games_won"}),
    ("table", "10S 10D 8H 8C", (Stand(),), 100, {"games_pushed", "pushes"}),
    ("table", "10S 10D 8H 9C", (Stand(),), 0, {"games_lost"}),
    ("table", "10S 10D 6H 7C 6S", (Hit(),), 0, {"games_lost"}),
    ("table", "6S 5D 5H 10C 10S 2H", (Double(),), 400, {"games_won", "doubles"}),
    (
        "table",
        "9S AD 8H KC",
        (Insure(),),
        150,
        {"games_pushed", "insurance_taken", "insurance_won", "dealer_blackjacks"},
    ),
    ("table", "9S AD 9H 7C", (Insure(), Stand()), 100, {"games_lost", "pushes", *INSURED}),
    ("classic", "8S 10C 8H 7D 10S 2S 10H", (Split(), Stand(), Hit(), Stand()), 400, {"games_won", "splits"}),
)


@pytest.mark.requirement("ME-01", "ME-10")
@pytest.mark.parametrize(("game_id", "cards", "presses", "back", "moved"), OUTCOMES)
def test_each_result_pays_and_moves_its_meters_once(
    game_id: str, cards: str, presses: tuple[Command, ...], back: int, moved: set[str]
) -> None:
    cabinet = dealt(game_id, cards, credit=1_000)
    cabinet.do(*presses)
    assert cabinet.state is State.SETTLED
    staked = cabinet.meter("coin_in")
    assert cabinet.credit == 1_000 - staked + back
    assert (cabinet.machine.shown.last_paid_cents, cabinet.meter("coin_out")) == (back, back)
    assert cabinet.balance(Account.TABLE) == 0
    assert (cabinet.meter(f"{game_id}.coin_in"), cabinet.meter(f"{game_id}.coin_out")) == (staked, back)
    outcome_meters = {"games_won", "games_lost", "games_pushed", "blackjacks", "pushes", "doubles", "splits",
                      "insurance_taken", "insurance_won", "dealer_blackjacks"}  # fmt: skip
    assert {name for name in outcome_meters if cabinet.meter(name)} == moved
    assert all(cabinet.meter(name) == 1 for name in moved)
    assert cabinet.meter("games_played") == cabinet.meter(f"{game_id}.games_played") == 1
    others = [name for name in cabinet.machine.books.meters if name.split(".")[0] in {"european", "table", "classic"}]
    assert {name.split(".")[0] for name in others} == {game_id}


def test_awards_are_whole_credits() -> None:
    """'All Awards will be shown in credits': every result is a whole number of the table's credits"""
    for bet in range(100, 10_001, 100):
        for returned in (bet + bet * 3 // 2, 2 * bet, bet // 2 * 3):
            assert returned % SETTINGS.tables[1].limits.credit_cents == 0


@pytest.mark.no_cover
@pytest.mark.requirement("CM-02")
@pytest.mark.parametrize("rules", [EUROPEAN, TABLE, CLASSIC], ids=lambda rules: rules.game_id)
def test_every_bet_the_chips_allow_balances_to_the_cent(rules: Rules) -> None:
    """Blackjack at 3 to 2 and half a bet of insurance come out whole for each bet from the minimum to the maximum."""
    settings = one_table(rules, limits=Limits(min_cents=50, chips_cents=(50, 100, 500)))
    chance = seeded_draw(21)
    hand = Hand(21, settings)
    for bet in range(50, 10_001, 50):
        cabinet = seated(settings=settings, credit=200_000, draw=chance)
        cabinet.do(*_chips_for(bet), Deal())
        _finish_somehow(cabinet, hand)
        assert cabinet.credit == 200_000 - cabinet.meter("coin_in") + cabinet.meter("coin_out")


def _chips_for(bet: int) -> Iterator[Input]:
    for chip in (500, 100, 50):
        count, bet = divmod(bet, chip)
        if count:
            yield ChooseChip(chip_cents=chip)
            yield from [Bet(place=0)] * count


def _finish_somehow(cabinet: Cabinet, hand: Hand) -> None:
    while cabinet.state is not State.SETTLED:
        cabinet.attempt(hand.choose((Hit(), Stand(), Double(), Split(), Insure(), DeclineInsurance())))


def test_a_late_blackjack_can_be_set_to_take_the_original_stake_only() -> None:
    rules = vary(EUROPEAN, late_blackjack_takes=LateBlackjackTakes.ORIGINAL_STAKES)
    cabinet = dealt("european", "6S 10D 5H 10S AC", credit=1_000, settings=one_table(rules))
    cabinet.do(Double())
    assert (cabinet.credit, cabinet.meter("coin_in"), cabinet.meter("coin_out")) == (900, 200, 100)


@pytest.mark.requirement("PD-03", "PD-15")
def test_the_win_is_credit_in_the_step_that_ends_the_round() -> None:
    cabinet = dealt("table", "10S 10D 9H 8C")
    step = cabinet.do(Stand())
    assert step.machine.books.credit_cents == 100_100
    assert RoundSettled(number=1, staked_cents=100, returned_cents=200) in step.events
    assert step.machine.round is not None
    assert cabinet.refusal(Hit()) == "NOT_NOW"


def test_the_reported_results_of_hands_are_what_is_paid() -> None:
    cabinet = dealt("classic", "8S 10C 8H 7D 10S 2S 10H")
    cabinet.do(Split(), Stand(), Hit())
    step = cabinet.do(Stand())
    reported = [
        (event.hand, event.outcome, event.returned_cents) for event in step.events if isinstance(event, HandSettled)
    ]
    assert sorted(reported) == [(0, Outcome.WIN, 200), (1, Outcome.WIN, 200)]


# --- large wins -------------------------------------------------------------------------------------------------


def _large(large: int, cards: str, *presses: Command) -> Cabinet:
    settings = one_table(CLASSIC, large_win_cents=large)
    cabinet = dealt("classic", cards, settings=settings)
    cabinet.do(*presses)
    return cabinet


@pytest.mark.requirement("CM-09")
def test_a_large_win_is_judged_on_the_whole_round() -> None:
    """Two split hands that win 100 each are a win of 200; neither alone reaches the limit."""
    cards, presses = "8S 10C 8H 7D 10S 2S 10H", (Split(), Stand(), Hit(), Stand())
    assert _large(200, cards, *presses).locked() == [LockKind.LARGE_WIN]
    assert _large(201, cards, *presses).locked() == []
    assert _large(0, cards, *presses).locked() == []


@pytest.mark.requirement("CM-09")
def test_one_split_hand_winning_and_one_losing_is_no_large_win() -> None:
    cabinet = _large(100, "8S 10C 8H 7D 10S 7S 10H", Split(), Stand(), Hit())
    assert cabinet.state is State.SETTLED
    assert [event.outcome for event in cabinet.events if isinstance(event, HandSettled)] == [Outcome.BUST, Outcome.WIN]
    assert cabinet.locked() == []


@pytest.mark.requirement("CM-09", "CM-11")
def test_a_large_win_is_paid_by_hand_or_left_in_the_credit_and_metered_apart() -> None:
    by_hand = _large(150, "AS 6D KH 10C")
    assert by_hand.state is State.LOCKED
    assert by_hand.refusal(Deal()) == "LOCKED"
    assert LogKind.LARGE_WIN in by_hand.logged()
    by_hand.settle(LockKind.LARGE_WIN, Settlement.PAID_BY_HAND)
    assert (by_hand.credit, by_hand.meter("jackpots"), by_hand.meter("hand_paid")) == (100_000, 150, 150)
    assert by_hand.meter("cancelled_credit") == 0
    to_credit = _large(150, "AS 6D KH 10C")
    to_credit.settle(LockKind.LARGE_WIN, Settlement.CLEAR)
    assert (to_credit.credit, to_credit.meter("jackpots"), to_credit.locked()) == (100_150, 0, [])


# --- audit ------------------------------------------------------------------------------------------------------


@given(st.integers(0, 10_000))
def test_whole_rounds_of_any_game_keep_every_cent(seed: int) -> None:
    hand = Hand(seed, SETTINGS)
    cabinet = seated(("european", "table", "classic")[seed % 3], credit=50_000, draw=seeded_draw(seed))
    for _ in range(2):
        cabinet.attempt(hand.choose((Bet(place=0), ChooseChip(chip_cents=500))))
        cabinet.attempt(Bet(place=0))
        cabinet.do(Deal())
        _finish_somehow(cabinet, hand)
    assert cabinet.credit == 50_000 - cabinet.meter("coin_in") + cabinet.meter("coin_out")
    assert cabinet.balance(Account.HOUSE) == cabinet.meter("coin_in") - cabinet.meter("coin_out")
    assert cabinet.meter("games_played") == sum(cabinet.meter(f"games_{end}") for end in ("won", "lost", "pushed"))
    assert not [event for event in cabinet.events if isinstance(event, Refused) and event.command == "Deal"]


def test_cards_are_drawn_from_the_decks_of_the_open_round_else_of_the_table() -> None:
    table = Table(rules=vary(CLASSIC, decks=2), limits=Limits())
    settings = Settings(tables=(table,))
    machine = replace(starting(settings), round=None)
    open_hand = replace(machine, phase=Phase.DECIDING, round=Round(TABLE, (), (), (), Stage.DECIDING, (0, 0)))

    assert decks_in_play(settings, machine) == 2
    assert decks_in_play(settings, open_hand) == 6
