"""The attendant's charts: their sums are those of the meters."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.attendant_data import keep
from support.books import day_name, desk, hour_of, oldest_first, report
from support.machines import seated

from cabinet.attendant import statistics
from cabinet.attendant.charts import Columns, Shares, Tile
from cabinet.attendant.data import AttendantData, Hour
from cabinet.config.settings import Config
from cabinet.engine.inputs import Bet, BillOffered, BillStacked, Deal, Stand
from cabinet.runtime.attendant_data import AttendantDataReader
from cabinet.runtime.startup import RELEASED_MS

MONEY = ("bills_in", "tickets_in", "coin_in", "coin_out", "voided")
growth = st.fixed_dictionaries({}, optional={name: st.integers(1, 10**9) for name in MONEY})
hours = st.lists(
    st.builds(
        lambda before, hour, meters: hour_of(before, hour, **meters), st.integers(0, 40), st.integers(0, 23), growth
    ),
    max_size=60,
).map(oldest_first)


def columns_sum(chart: Columns) -> int:
    return sum(cents for _, cents in chart.columns)


def meters_sum(found: tuple[Hour, ...], days: int, amount: Callable[..., int]) -> int:
    """Returns the growth of the meters in the last days."""
    wanted = {day_name(before) for before in range(days)}
    return sum(amount(hour.meters) for hour in found if hour.day in wanted)


# --- sums ---------------------------------------------------------------------------------------------------------


@given(hours)
def test_the_days_sum_to_the_notes_and_tickets_put_in(found: tuple[Hour, ...]):
    expected = meters_sum(found, 30, lambda m: m.get("bills_in", 0) + m.get("tickets_in", 0))
    assert columns_sum(statistics.drop_per_day(desk(*found))) == expected


@given(hours)
def test_the_hours_of_a_week_sum_to_the_win_of_seven_days(found: tuple[Hour, ...]):
    expected = meters_sum(found, 7, lambda m: m.get("coin_in", 0) - m.get("coin_out", 0) - m.get("voided", 0))
    assert columns_sum(statistics.win_per_hour(desk(*found))) == expected


@given(hours)
def test_seven_days_are_today_yesterday_and_the_five_before(found: tuple[Hour, ...]):
    data = desk(*found)
    parts = [
        statistics.sum_of_days(data, statistics.drop_cents, first=first, last=last)
        for first, last in ((0, 0), (1, 1), (6, 2))
    ]
    assert sum(parts) == statistics.sum_of_days(data, statistics.drop_cents, first=6)


@given(st.dictionaries(st.sampled_from((100, 500, 1_000, 2_000, 10_000)), st.integers(0, 10**6)))
def test_the_mix_of_notes_has_every_note_once(notes: dict[int, int]):
    chart = statistics.note_shares(desk(), {f"{cents}": count for cents, count in notes.items()}, "Notes")
    counts = [int(words.partition(" = ")[0].replace(",", "")) for _, _, words in chart.rows]
    assert sum(counts) == sum(notes.values())
    assert sum(share for _, share, _ in chart.rows) == pytest.approx(1.0 if sum(notes.values()) else 0.0)


@given(st.lists(st.integers(0, 10**9), min_size=3, max_size=3))
def test_the_shares_of_the_games_sum_to_all_stakes(staked: list[int]):
    games = {name: (cents, 0, 1) for name, cents in zip(("european", "table", "classic"), staked, strict=True)}
    chart = statistics.game_mix(desk(meters={"period": report(games=games)}))[3]
    assert isinstance(chart, Shares)
    assert sum(share for _, share, _ in chart.rows) == pytest.approx(1.0 if sum(staked) else 0.0)


def test_a_game_that_is_no_longer_offered_keeps_its_share_of_all_stakes():
    span = report(games={"classic": (1_000, 0, 2)}, coin_in=4_000, games_played=5)
    chart = statistics.game_mix(desk(meters={"period": span}))[3]
    assert isinstance(chart, Shares)
    assert [(name, share) for name, share, _ in chart.rows] == [
        ("Classic Blackjack", 0.25),
        ("Games no longer offered", 0.75),
    ]
    assert chart.rows[-1][2] == "75.0% · games: 3"
    assert chart.note == "By stakes, all: $40.00"


def test_the_charts_of_a_journal_are_its_meters(tmp_path: Path):
    with ExitStack() as undo:
        kept = keep(tmp_path, seated("table", credit=0, cards="9S 6D 8H 10C 5D"), undo)
        kept.do(BillOffered(cents=10_000), BillStacked(cents=10_000))
        kept.do(Bet(), Deal(), Stand())
        moment = (RELEASED_MS + 60_000, True)
        data = AttendantDataReader(Config(), kept.journal, tmp_path, moment=lambda: moment).data(kept.cabinet.machine)
    lifetime = data.meters["lifetime"]
    win = lifetime["coin_in"] - lifetime["coin_out"] - lifetime["voided"]
    assert columns_sum(statistics.drop_per_day(data)) == lifetime["total_drop"] == 10_000
    assert columns_sum(statistics.win_per_hour(data)) == win == 100


# --- columns ------------------------------------------------------------------------------------------------------


def test_a_day_without_growth_is_a_column_of_zero():
    chart = statistics.drop_per_day(desk(hour_of(2, bills_in=2_000)))
    assert [cents for _, cents in chart.columns] == [0] * 27 + [2_000, 0, 0]


def test_the_days_are_in_the_order_of_the_calendar_with_their_months():
    chart = statistics.drop_per_day(desk())
    assert [label for label, _ in chart.columns][-3:] == ["29", "30", "1"]
    assert chart.groups == (("November 2026", 29), ("December 2026", 1))


def test_saturdays_and_sundays_are_marked():
    chart = statistics.drop_per_day(desk())
    assert [label for number, (label, _) in enumerate(chart.columns) if number in chart.shaded] == [
        "7",
        "8",
        "14",
        "15",
        "21",
        "22",
        "28",
        "29",
    ]


def test_a_week_has_every_hour_of_seven_named_days():
    chart = statistics.win_per_hour(desk(hour_of(0, 23, coin_in=700), hour_of(6, 0, coin_in=100, coin_out=350)))
    assert len(chart.columns) == 168
    assert (chart.columns[0], chart.columns[-1]) == (("0", -250), ("", 700))
    assert [name for name, _ in chart.groups][:2] == ["Wednesday 25", "Thursday 26"]


def test_an_hour_that_the_clock_had_twice_is_one_column():
    chart = statistics.win_per_hour(desk(hour_of(1, 2, coin_in=100), hour_of(1, 2, coin_in=30)))
    assert sorted(cents for _, cents in chart.columns if cents) == [130]


def test_the_grid_holds_the_loss_of_an_hour():
    chart = statistics.win_per_hour(desk(hour_of(0, 5, coin_out=90_000)))
    assert chart.scale[0][0] <= -90_000
    assert chart.scale[0][1] == "-$1,000"


def test_without_a_valid_clock_the_chart_ends_with_the_last_known_day_and_says_so():
    chart = statistics.drop_per_day(desk(hour_of(3, bills_in=500), today=""))
    assert chart.columns[-1] == ("28", 500)
    assert "the clock is not valid" in chart.note


def test_without_any_day_there_is_no_column_and_the_reason():
    chart = statistics.drop_per_day(desk(today=""))
    assert (chart.columns, chart.note) == ((), "No day is known yet: the clock was never valid.")


def test_sums_of_days_are_not_known_without_a_valid_clock():
    assert statistics.sum_of_days(desk(hour_of(0, bills_in=500), today=""), statistics.drop_cents, first=6) is None


def test_a_huge_sum_is_exact():
    data = desk(hour_of(0, bills_in=10**9 + 1))
    assert (
        statistics.drop_per_day(data).note == "Last 30 days: $10,000,000.01 · highest: $10,000,000.01 · lowest: $0.00"
    )


# --- mixes, acceptance, spans -------------------------------------------------------------------------------------


def test_notes_are_listed_from_the_lowest_with_their_value():
    chart = statistics.note_shares(desk(), {"10000": 1, "500": 3}, "Notes")
    assert chart.rows == (("$5", 0.75, "3 = $15.00"), ("$100", 0.25, "1 = $100.00"))
    assert chart.note == "Notes: 4 · together: $115.00"


def test_a_mix_without_a_note_says_so():
    assert statistics.note_shares(desk(), {"500": 0}, "Notes").note == "No note"


def accepted(notes: dict[int, int] | None = None, **meters: object) -> tuple[Tile, Shares]:
    """Returns the acceptance of the period, and why notes went back in it."""
    tile, _, shares, _ = statistics.acceptance(desk(meters={"period": report(notes, **meters)}))  # type: ignore[arg-type]
    assert isinstance(tile, Tile)
    assert isinstance(shares, Shares)
    return tile, shares


def test_acceptance_is_the_share_of_notes_that_stayed():
    tile, _ = accepted({500: 6}, bills_rejected=1, bills_refused=2, bills_returned=1)
    assert (tile.value, tile.level, tile.detail) == ("60.0%", 0.6, "Accepted: 6 · went back: 4")


def test_acceptance_without_a_note_is_not_known():
    tile, shares = accepted()
    assert (tile.value, tile.level, shares.rows) == ("-", None, ())


def test_each_reason_has_its_count_and_the_most_frequent_is_first():
    _, shares = accepted(
        bills_rejected=3,
        bills_refused=1,
        bills_returned=1,
        bills_rejected_by_reason={"string detected": 1, "not recognised": 2},
        bills_refused_by_reason={"credit limit": 1},
    )
    assert shares.rows[0] == ("Not recognised", 0.4, "2 = 40.0%")
    assert {label for label, _, _ in shares.rows[1:]} == {
        "String detected",
        "Credit limit",
        "Came back after it was accepted",
    }


reasons = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.integers(1, 10**6), max_size=20)


@given(reasons, reasons, st.integers(0, 9), st.integers(0, 9))
def test_all_reasons_together_are_the_notes_that_went_back(
    rejected: dict[str, int], refused: dict[str, int], returned: int, before: int
):
    """`before` are notes that were counted when reasons were not."""
    total = sum(rejected.values()) + sum(refused.values()) + returned + before
    _, shares = accepted(
        bills_rejected=sum(rejected.values()) + before,
        bills_refused=sum(refused.values()),
        bills_returned=returned,
        bills_rejected_by_reason=rejected,
        bills_refused_by_reason=refused,
    )
    assert sum(int(words.partition(" = ")[0].replace(",", "")) for _, _, words in shares.rows) == total
    assert len(shares.rows) <= statistics.MOST_REASONS + 1


def test_each_amount_of_the_period_has_that_of_the_lifetime_beside_it():
    meters = {"period": report(bills_in=500), "lifetime": report(bills_in=10**9)}
    first = statistics.note_mix(desk(meters=meters))[0]
    assert first == Tile(label="Drop, this period", value="$5.00", detail="Lifetime: $10,000,000.00")


def test_the_win_of_the_games_is_without_voided_stakes():
    meters = {"period": report(games={"table": (1_000, 700, 4)}, voided=50), "lifetime": report()}
    assert statistics.game_mix(desk(meters=meters))[2] == Tile(
        label="Win, this period", value="$2.50", detail="Lifetime: $0.00"
    )


def test_the_band_of_a_span_has_a_row_for_each_game():
    data = desk(meters={"period": report(games={"table": (1_000, 900, 4), "classic": (0, 0, 0)})})
    assert [row.games for row in statistics.return_band(data, "period", "Returns").rows] == [4, 0]


@pytest.mark.parametrize("data", [desk(), desk(today=""), desk(sign="CHF ", language="de")], ids=["", "clock", "de"])
def test_every_page_of_charts_is_there_for_empty_books(data: AttendantData):
    assert all(figures(data) for figures in statistics.pages.values())
