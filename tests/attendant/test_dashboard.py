"""The first page after the key."""

from dataclasses import replace

import pytest
from support.books import desk, hour_of, report
from support.machines import Cabinet, seated

from cabinet.attendant.advice import ADVICE
from cabinet.attendant.charts import Band, Form, Shares, Tile, Tone
from cabinet.attendant.dashboard import dashboard_figures
from cabinet.attendant.data import AttendantData, Closing, TicketRow
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    CashOut,
    Deal,
    Door,
    DoorOpened,
    Fault,
    FaultBegan,
    Key,
    KeyTurned,
    PrinterStarted,
    SetOutOfService,
)
from cabinet.engine.ledger import Books
from cabinet.engine.state import LockKind, Machine, Settings


def tiles(data: AttendantData) -> dict[str, Tile]:
    """Returns the tiles of the dashboard by label."""
    return {each.label: each for each in dashboard_figures(data) if isinstance(each, Tile)}


def notices(data: AttendantData) -> list[Tile]:
    return [each for each in dashboard_figures(data) if isinstance(each, Tile) and each.form is Form.NOTICE]


def cabinet(*inputs: object) -> Cabinet:
    found = seated("table", credit=10_000)
    found.do(*inputs)
    return found


def at(*inputs: object, **changes: object) -> AttendantData:
    return desk(machine=cabinet(*inputs).machine, **changes)


def fault(kind: Fault) -> FaultBegan:
    return FaultBegan(fault=kind)


# --- state and locks ----------------------------------------------------------------------------------------------


def test_a_quiet_machine_is_in_service_and_asks_for_nothing():
    state = tiles(at(PrinterStarted(model="printer")))["State"]
    assert (state.value, state.detail, state.tone) == ("In service", "Nothing to do.", Tone.OK)
    assert notices(at(PrinterStarted(model="printer"))) == []


def test_a_lock_says_what_has_happened_and_what_to_do():
    data = at(DoorOpened(door=Door.MAIN))
    (notice,) = notices(data)
    assert (notice.value, notice.detail) == (ADVICE[LockKind.MAIN_DOOR].what, ADVICE[LockKind.MAIN_DOOR].to_do)
    assert (notice.tone, tiles(data)["State"].tone) == (Tone.BAD, Tone.BAD)


def test_the_lock_of_the_highest_priority_is_the_first_to_settle():
    data = at(fault(Fault.PAPER_LOW), DoorOpened(door=Door.MAIN), fault(Fault.BILL_JAM))
    assert [notice.label for notice in notices(data)] == [
        "1 · main door · do this first",
        "2 · bill jam",
        "3 · paper low",
    ]
    assert [notice.value for notice in notices(data)] == [
        ADVICE[kind].what for kind in (LockKind.MAIN_DOOR, LockKind.BILL_JAM, LockKind.PAPER_LOW)
    ]


def test_only_the_first_lock_says_what_to_do():
    data = at(fault(Fault.PAPER_LOW), DoorOpened(door=Door.MAIN))
    assert [notice.detail for notice in notices(data)] == [ADVICE[LockKind.MAIN_DOOR].to_do, ""]


def test_more_locks_than_there_is_room_for_are_counted():
    faults = (Fault.PAPER_LOW, Fault.BILL_JAM, Fault.OVER_TEMPERATURE, Fault.CASHBOX_NEAR_FULL)
    data = at(*(fault(each) for each in faults))
    assert tiles(data)["State"].detail == "Locks: 4. The first 3 are here."
    assert len(notices(data)) == 3


def test_a_fault_that_stops_no_play_leaves_the_machine_in_service():
    state = tiles(at(fault(Fault.PAPER_LOW)))["State"]
    assert (state.value, state.tone) == ("In service, with faults", Tone.WARN)


def test_a_machine_out_of_service_says_so():
    state = tiles(at(KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=True)))["State"]
    assert state.value == "Out of service"


def test_an_amount_that_a_lock_holds_is_on_its_notice():
    table = seated("table", credit=10_000, settings=Settings(ticket_max_cents=500))
    table.do(CashOut())
    assert notices(desk(machine=table.machine))[0].label == "1 · hand-pay · $100.00"


# --- money --------------------------------------------------------------------------------------------------------

BOXED = {"in_cashbox": 62_000, "in_cashbox_by_denomination": {"2000": 1, "10000": 6}}


def test_the_cash_box_has_its_value_its_notes_and_no_level_where_its_room_is_not_known():
    box = tiles(at(meters=BOXED))["Cash box"]
    assert (box.value, box.detail, box.level) == ("$620.00", "Notes: 7 · filled: -", None)


def test_a_cash_box_of_known_room_shows_how_full_it_is():
    box = tiles(at(meters=BOXED, stacker_notes=70))["Cash box"]
    assert (box.detail, box.level, box.tone) == ("Notes: 7 · filled: 10%", 0.1, Tone.PLAIN)


def test_tickets_in_the_box_take_room_and_are_no_cash():
    machine = replace(Machine(), books=Books(meters={"tickets_in_count": 3}))
    box = tiles(desk(machine=machine, meters=BOXED, stacker_notes=100))["Cash box"]
    assert (box.value, box.detail) == ("$620.00", "Notes: 7 · tickets: 3 · filled: 10%")


@pytest.mark.parametrize(("notes", "level"), [(7, 1.0), (5, 1.0)])
def test_a_box_with_as_many_notes_as_it_holds_is_full_and_never_more(notes: int, level: float):
    box = tiles(at(meters=BOXED, stacker_notes=notes))["Cash box"]
    assert (box.level, box.tone) == (level, Tone.WARN)


def test_the_acceptor_knows_best_that_its_box_is_full():
    box = tiles(at(fault(Fault.CASHBOX_FULL), meters=BOXED, stacker_notes=1_000))["Cash box"]
    assert (box.tone, box.detail) == (Tone.BAD, "full · Notes: 7 · filled: 1%")


def test_each_denomination_in_the_box_has_a_bar():
    (bars,) = [each for each in dashboard_figures(at(meters=BOXED)) if isinstance(each, Shares)]
    assert [(label, words) for label, _, words in bars.rows] == [("$20", "1 = $20.00"), ("$100", "6 = $600.00")]


def test_the_credit_and_the_stakes_on_the_table_are_apart():
    table = seated("table", credit=10_000)
    table.cards("9S 6D 8H 10C")
    table.do(Bet(), Deal())
    credit = tiles(desk(machine=table.machine))["Credit"]
    stake = 10_000 - table.machine.books.credit_cents
    assert (credit.value, credit.detail) == (f"${100 - stake // 100}.00", f"on the table: ${stake // 100}.00")


def ticket(sequence: int, expired: int = 0) -> TicketRow:
    return TicketRow(
        sequence=sequence, when="", cents=1_050, state="issued", tail="0042", duplicates=0, expired_days=expired
    )


def test_tickets_that_are_out_are_counted_and_summed():
    found = tiles(at(unpaid=(ticket(1), ticket(2), ticket(3, expired=4))))["Tickets out, not paid"]
    assert (found.value, found.detail) == ("$31.50", "Tickets: 3 · expired: 1")


def test_drop_and_win_are_of_today_yesterday_and_seven_days():
    hours = (
        hour_of(6, bills_in=100),
        hour_of(1, bills_in=1_000, coin_out=500),
        hour_of(0, bills_in=2_000, coin_in=300),
    )
    found = tiles(desk(*hours))
    assert (found["Drop today"].value, found["Drop today"].detail) == ("$20.00", "Yesterday: $10.00 · 7 days: $31.00")
    assert (found["Win today"].value, found["Win today"].detail) == ("$3.00", "Yesterday: -$5.00 · 7 days: -$2.00")


def test_drop_and_win_are_not_known_without_a_valid_clock():
    found = tiles(desk(hour_of(0, bills_in=500), today=""))["Drop today"]
    assert (found.value, found.detail) == ("-", "The clock is not valid.")


CLOSED = Closing(
    kind=ClosingKind.CASH_BOX,
    number=3,
    began="",
    ended="30 Nov 2026 09:12:00",
    meters={},
    notes={2_000: 5},
    expected_cents=10_000,
)


def test_the_last_collection_has_its_amount_its_time_and_its_count():
    period = replace(CLOSED, kind=ClosingKind.PERIOD, expected_cents=1)
    for counted, tone, words in (
        (None, Tone.PLAIN, "not counted"),
        (10_000, Tone.OK, "count agrees"),
        (9_500, Tone.WARN, "difference: -$5.00"),
    ):
        found = tiles(at(closings=(period, replace(CLOSED, counted_cents=counted))))["Last cash collection"]
        assert (found.value, found.detail, found.tone) == ("$100.00", f"30 Nov 2026 09:12:00 · {words}", tone)


def test_without_a_collection_there_is_a_dash():
    assert tiles(at())["Last cash collection"].value == "-"


def test_the_band_has_the_lifetime_of_each_game():
    data = at(meters={"lifetime": report(games={"table": (1_000, 900, 4)}), "period": report()})
    (band,) = [each for each in dashboard_figures(data) if isinstance(each, Band)]
    assert [row.games for row in band.rows] == [4]


# --- devices ------------------------------------------------------------------------------------------------------


def test_the_printer_has_a_word_for_each_state():
    for given, value, tone in (
        ((), "Not known", Tone.PLAIN),
        ((PrinterStarted(model="printer"),), "Paper ok", Tone.OK),
        ((PrinterStarted(model="printer"), fault(Fault.PAPER_LOW)), "Paper low", Tone.WARN),
        ((PrinterStarted(model="printer"), fault(Fault.PAPER_OUT)), "No paper", Tone.BAD),
        ((fault(Fault.PAPER_LOW), fault(Fault.PRINTER_LINK)), "Does not answer", Tone.BAD),
    ):
        machine = replace(cabinet(*given).machine)
        if not given:
            machine = replace(machine, printer=replace(machine.printer, ready=False))
        found = tiles(desk(machine=machine))["Printer"]
        assert (found.value, found.tone) == (value, tone)


def test_open_doors_are_named():
    found = tiles(at(DoorOpened(door=Door.MAIN), DoorOpened(door=Door.CASHBOX)))["Doors"]
    assert (found.value, found.tone) == ("Open: main door, cash box door", Tone.BAD)


def test_closed_doors_show_how_often_they_were_opened():
    found = tiles(at(meters={"period": {"doors": {"main door": 2, "logic door": 1}}}))["Doors"]
    assert (found.value, found.detail) == ("All closed", "Opened in this period: 3")


def test_a_note_that_was_put_in_is_in_the_credit():
    assert tiles(at(BillOffered(cents=2_000), BillStacked(cents=2_000)))["Credit"].value == "$120.00"
