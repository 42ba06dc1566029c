"""The borders of what may be bet: what reaches a limit or the credit exactly is taken, one step more is refused."""

from dataclasses import replace

import pytest
from support.cases import case
from support.machines import Cabinet, one_table, seated
from support.rounds import seeded_draw

from cabinet.engine.bets import chips_down
from cabinet.engine.inputs import Bet, BetAll, ChooseChip, Deal, DoubleBet, Input, Rebet, TakeChip
from cabinet.engine.rules import EUROPEAN, Limits

SETTINGS = one_table(EUROPEAN, limits=Limits(min_cents=200, max_cents=800, chips_cents=(100, 200, 400)))
TWO_CHIPS = (ChooseChip(chip_cents=200), Bet(place=0), Bet(place=1))
LAST = (200, 400, 0, 0, 0)


def at_table(credit: int, *inputs: Input, last: tuple[int, ...] = ()) -> Cabinet:
    """A player with this credit who has bet `last` in the round before, and has done this since."""
    cabinet = seated(credit=credit, settings=SETTINGS, draw=seeded_draw(4))
    if last:
        cabinet.machine = replace(
            cabinet.machine, seat=replace(cabinet.machine.seat, last_bets={EUROPEAN.game_id: last})
        )
    cabinet.do(*inputs)
    return cabinet


@pytest.mark.requirement("CM-03")
def test_each_way_of_betting_may_take_all_of_the_credit_and_not_a_cent_more() -> None:
    for name, before, input_, total in (
        ("a chip", TWO_CHIPS, Bet(place=2), 600),
        ("a chip on top of another", TWO_CHIPS, Bet(place=1), 600),
        ("the last place of all", TWO_CHIPS[:1], BetAll(), 1_000),
        ("double", TWO_CHIPS, DoubleBet(), 800),
        ("double of the last round", (), DoubleBet(), 1_200),
        ("the last bets", (), Rebet(), 600),
        ("the last bets, dealt at once", (), Deal(), 600),
    ):
        with case(name=name):
            assert at_table(total, *before, last=LAST).refusal(input_) is None
        if not isinstance(input_, BetAll):
            with case(name=name, short=1):
                assert at_table(total - 1, *before, last=LAST).refusal(input_) == "NO_CREDIT"


def test_the_bet_on_all_leaves_out_the_place_that_the_credit_does_not_quite_cover() -> None:
    cabinet = at_table(999, *TWO_CHIPS[:1])
    cabinet.do(BetAll())
    assert chips_down(cabinet.settings, cabinet.machine) == (200, 200, 200, 200, 0)


def test_each_way_of_betting_may_reach_the_table_maximum_on_a_place_and_not_go_above_it() -> None:
    for name, before, input_, last in (
        ("a chip", (ChooseChip(chip_cents=400), Bet(place=0)), Bet(place=0), ()),
        ("double", (ChooseChip(chip_cents=400), Bet(place=0)), DoubleBet(), ()),
        ("double of the last round", (), DoubleBet(), (400, 0, 0, 0, 0)),
        ("the last bets on top", (ChooseChip(chip_cents=400), Bet(place=0)), Rebet(), (400, 0, 0, 0, 0)),
    ):
        with case(name=name):
            cabinet = at_table(100_000, *before, last=last)
            assert cabinet.refusal(input_) is None
            assert chips_down(cabinet.settings, cabinet.machine)[0] == 800
            assert cabinet.refusal(DoubleBet()) == "OVER_LIMIT"
            assert cabinet.refusal(Bet(place=0)) == "OVER_LIMIT"


def test_a_chip_back_leaves_the_minimum_and_takes_all_of_what_would_be_less() -> None:
    cabinet = at_table(100_000, ChooseChip(chip_cents=100), Bet(place=0), Bet(place=0))
    left = []
    for _ in range(2):
        cabinet.do(TakeChip(place=0))
        left.append(chips_down(cabinet.settings, cabinet.machine)[0])
    assert left == [200, 0]


def test_a_bet_of_exactly_the_minimum_is_dealt() -> None:
    cabinet = at_table(200, ChooseChip(chip_cents=100), Bet(place=0))
    assert cabinet.refusal(Deal()) is None
    assert cabinet.meter("coin_in") == 200
