"""The booklet: everything of the money as one value, which survives JSON."""

import json
from dataclasses import replace

from support.books import desk, hour_of, report

from cabinet.attendant.data import Closing
from cabinet.attendant.reports import METERS
from cabinet.booklet.value import booklet, from_plain, to_plain
from cabinet.engine.closing_facts import ClosingKind

GAMES = {"european": (10_000, 9_000, 20)}
DATA = replace(
    desk(hour_of(0, bills_in=5_000), hour_of(3, coin_in=10_000, coin_out=9_000)),
    meters={
        "lifetime": report({2_000: 3}, GAMES, bills_in=6_000),
        "period": report({2_000: 1}, GAMES, bills_in=2_000),
        "credit": 0,
    },
    machine_name="0042",
    venue="Hall",
    time="1 Dec 2026 14:00",
    closings=(
        Closing(
            kind=ClosingKind.CASH_BOX,
            number=3,
            began="30 Nov 2026 10:00",
            ended="1 Dec 2026 10:00",
            meters={"bills_in": 4_000, "coin_in": 900, "coin_out": 400},
            notes={2_000: 2},
            expected_cents=4_000,
            counted_cents=3_500,
        ),
    ),
)


def test_the_booklet_names_the_machine_and_the_time():
    found = booklet(DATA)
    assert (found.title, found.venue, found.time) == ("Machine 0042", "Hall", "1 Dec 2026 14:00")


def test_every_meter_stands_with_its_period_and_its_lifetime():
    rows = {row[0]: row[1:] for section in booklet(DATA).sections for row in section.rows}
    assert rows["Notes in"] == ("$20.00", "$60.00")
    assert {meter.label for group in METERS.values() for meter in group} <= rows.keys()


def test_a_counted_closing_has_its_difference():
    rows = [row for section in booklet(DATA).sections for row in section.rows if row[0] == "3"]
    assert rows == [
        (
            "3",
            "Cash box",
            "30 Nov 2026 10:00",
            "1 Dec 2026 10:00",
            "$40.00",
            "$35.00",
            "-$5.00",
            "$40.00",
            "$5.00",
        )
    ]


def test_a_closing_without_a_count_has_no_difference():
    uncounted = replace(DATA, closings=(replace(DATA.closings[0], counted_cents=None),))
    [row] = [row for section in booklet(uncounted).sections for row in section.rows if row[0] == "3"]
    assert row[5:7] == ("", "")


def test_the_booklet_survives_json():
    found = booklet(DATA)
    assert from_plain(json.loads(json.dumps(to_plain(found)))) == found
    assert {type(figure).__name__ for section in found.sections for figure in section.figures} == {
        "Tile",
        "Columns",
        "Shares",
        "Band",
    }


def test_a_new_machine_has_a_booklet_too():
    assert booklet(desk()).sections
