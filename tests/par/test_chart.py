"""Reading a chart."""

import pytest

from cabinet.engine.round import Action
from cabinet.par.chart import Advice, Chart, read_rows, write_rows

CHART = Chart(
    hard=read_rows({"10": "HDDDDDDDDH", "16": "HSSSSSHHHH"}),
    soft=read_rows({"18": "HSddddSSHH"}),
    pairs=read_rows({"8": "PPPPPPPPPH", "5": "HDDDDDDDDH"}),
)


@pytest.mark.parametrize(
    ("total", "soft", "pair", "up", "can_double", "can_split", "action"),
    [
        (10, False, None, 6, True, False, Action.DOUBLE),
        (10, False, None, 6, False, False, Action.HIT),
        (10, False, None, 10, True, False, Action.HIT),
        (16, False, None, 1, True, False, Action.HIT),
        (16, False, None, 6, True, False, Action.STAND),
        (18, True, None, 4, True, False, Action.DOUBLE),
        (18, True, None, 4, False, False, Action.STAND),
        (16, False, 8, 6, True, True, Action.SPLIT),
        (16, False, 8, 10, True, True, Action.HIT),
        (16, False, 8, 6, True, False, Action.STAND),
        (10, False, 5, 9, True, True, Action.DOUBLE),
        (10, False, 5, 9, False, True, Action.HIT),
    ],
)
def test_the_chart_says_what_to_do(
    total: int, soft: bool, pair: int | None, up: int, can_double: bool, can_split: bool, action: Action
):
    assert CHART.action(total, pair, up, soft=soft, can_double=can_double, can_split=can_split) is action


def test_a_cell_is_found_by_the_upcards_value():
    assert CHART.advice(18, None, 2, soft=True) is Advice.STAND
    assert CHART.advice(18, None, 1, soft=True) is Advice.HIT


def test_rows_come_back_as_they_were_written():
    assert read_rows(write_rows(CHART.pairs)) == CHART.pairs


def test_a_letter_that_is_no_advice_is_refused():
    with pytest.raises(ValueError, match="X"):
        read_rows({"8": "XXXXXXXXXX"})
