"""The reader builds the attendant's data from the journal, once per step."""

import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from support.attendant_data import keep, number_of
from support.machines import SETTINGS, seated

from cabinet.config.settings import Config, MachineSection
from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.inputs import (
    BetAll,
    BillOffered,
    BillStacked,
    CallAttendant,
    CashOut,
    Deal,
    DeclineInsurance,
    Door,
    DoorClosed,
    DoorOpened,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    ProgramChecked,
    ResetPeriod,
    Stand,
    TicketPrinted,
)
from cabinet.engine.state import Phase
from cabinet.runtime.attendant_data import EVENTS_SHOWN, AttendantDataReader, identity, returns_of, spreads_of
from cabinet.runtime.program import program_version
from cabinet.runtime.shown_values import TAIL, day, when
from cabinet.runtime.signed_statement import StatementSigner
from cabinet.runtime.startup import RELEASED_MS
from cabinet.statement.signing import check
from cabinet.statement.text import read_lines

LONGEST_S = 0.25
"""Far more of a slow processor than a desk takes; what is kept takes none of it."""


@pytest.fixture
def kept(tmp_path):
    with ExitStack() as undo:
        yield keep(tmp_path, seated("european", credit=100_000), undo)


def _play(kept, rounds: int) -> None:
    """Rounds at five places."""
    for _ in range(rounds):
        kept.do(BetAll(), Deal())
        while kept.cabinet.machine.phase is not Phase.SETTLED:
            kept.do(_next(kept))


def _next(kept):
    return DeclineInsurance() if kept.cabinet.machine.phase is Phase.INSURANCE else Stand()


@pytest.mark.requirement("TP-09")
def test_of_a_ticket_only_the_end_of_its_number_is_handed_over(kept):
    kept.do(CashOut(), TicketPrinted(sequence=1))
    (ticket,) = kept.data().tickets
    assert ticket.tail == number_of(1)[-TAIL:]
    assert number_of(1) not in repr(kept.data())


def test_notes_and_hand_pays_are_lists_of_their_own(kept):
    kept.do(BillOffered(cents=500), BillStacked(cents=500), KeyTurned(key=Key.AUDIT, on=True))
    data = kept.data()
    assert [event.what for event in data.notes] == ["note accepted"]
    assert data.hand_pays == ()
    assert data.events[0].what == "attendant menu entered"


def test_the_same_data_is_returned_until_the_next_step(kept):
    kept.do(BillOffered(cents=500))
    first = kept.data()
    assert kept.data() is first
    kept.do(BillStacked(cents=500))
    second = kept.data()
    assert second is not first
    assert second.machine is kept.cabinet.machine


def test_the_data_of_ten_full_rounds_is_built_quickly(kept):
    _play(kept, 12)
    began = time.thread_time()
    data = kept.data()
    assert time.thread_time() - began < LONGEST_S
    assert len(data.rounds) == 10


def test_each_game_has_its_theoretical_return():
    returns = returns_of(SETTINGS, None)
    assert returns.keys() == {"european", "table", "classic"}
    assert all(0.98 < each < 1 for each in returns.values())


@pytest.mark.requirement("ME-09")
def test_the_spread_of_a_round_is_that_of_the_sheet_per_amount_staked():
    spreads = spreads_of(SETTINGS, None)
    assert spreads["classic"] == pytest.approx(1.3142**0.5 / 1.1274, rel=1e-4)
    assert spreads.keys() == {"european", "table", "classic"}


@pytest.mark.requirement("PD-25", "EV-07")
def test_a_time_reads_one_way_only_and_a_doubtful_clock_is_marked():
    text = when(RELEASED_MS, clock_ok=True)
    assert datetime.strptime(text, "%d %b %Y %H:%M:%S").astimezone().timestamp() * 1000 == RELEASED_MS
    assert when(RELEASED_MS, clock_ok=False) == f"{text} ?"


@pytest.mark.requirement("AT-04")
def test_the_machine_says_who_it_is_and_that_there_is_one_copy():
    config = replace(Config(), machine=MachineSection(number=7, venue="Corner House"))
    found = dict(identity(config))
    assert found["Venue"] == "Corner House"
    assert found["Machine"] == "0007"
    assert found["Program"] == program_version()
    assert found["Acceptor"] == "ssp, on /dev/cabinet/acceptor"
    assert found["Printer"] == "escpos, 80mm paper, on /dev/cabinet/printer"
    assert found["Second copy of the data"].startswith("none")
    assert "SIMULATED" not in found


def test_a_simulated_machine_says_so_and_names_no_line_of_a_real_one():
    found = dict(identity(Config(), simulated=True))
    assert found["SIMULATED"].endswith("no real money")
    assert found["Acceptor"] == "ssp, simulated"
    assert "/dev/" not in " ".join(found.values())


@pytest.mark.requirement("SE-02")
def test_the_last_ten_changes_of_the_program_are_on_the_desk_with_time_and_versions(kept):
    for number in range(12):
        kept.do(ProgramChecked(version=f"{number}.0", program_hash=f"{number:032x}"))
    changes = [words for name, words in kept.data().identity if name == "Program changed"]
    assert len(changes) == 10
    assert "10.0 to 11.0" in changes[0]
    assert changes[0].startswith(when(RELEASED_MS + 11_000, clock_ok=True))


@pytest.mark.requirement("AT-04", "SE-01")
def test_the_hash_of_the_program_is_on_the_desk(kept):
    assert dict(kept.data().identity)["Program hash"] == kept.cabinet.machine.program.files_hash


def test_the_data_names_the_machine_and_its_venue_and_a_day_only_while_the_clock_is_valid(kept):
    config = replace(Config(), machine=MachineSection(number=7, venue="Corner House"))
    for believed, today in ((True, day(RELEASED_MS)), (False, "")):
        reader = AttendantDataReader(
            config, kept.journal, Path("unused"), moment=lambda believed=believed: (RELEASED_MS, believed)
        )
        data = reader.data(kept.cabinet.machine)
        assert (data.machine_name, data.venue, data.today) == ("0007", "Corner House", today)


def test_a_machine_with_a_key_names_it_and_signs_the_figures_of_the_newest_row(kept):
    signer = StatementSigner(bytes(32), lambda: (kept.journal.seq, kept.journal.row_hash))
    data = AttendantDataReader(Config(), kept.journal, Path("unused"), signer=signer).data(kept.cabinet.machine)
    assert dict(data.identity)["Public key"] == signer.public_key
    assert data.statement is not None
    found = dict(read_lines(check(data.statement(data), signer.public_key).text))
    assert found["Row"] == f"{kept.journal.seq}"
    assert found["Hash"] == kept.journal.row_hash.hex()[:32]


def test_the_data_has_the_room_of_the_cash_box(kept):
    config = replace(Config(), acceptor=replace(Config().acceptor, stacker_notes=600))
    assert AttendantDataReader(config, kept.journal, Path("unused")).data(kept.cabinet.machine).stacker_notes == 600
    assert kept.data().stacker_notes == 0


# --- closings, hours and the log --------------------------------------------------------------------------------

OUT, BACK = FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED)


def _note(kept, cents: int) -> None:
    kept.do(BillOffered(cents=cents), BillStacked(cents=cents))


@pytest.mark.requirement("AT-10")
def test_the_amount_to_count_stays_readable_after_the_cash_box_was_taken_out(kept):
    _note(kept, 500)
    _note(kept, 2_000)
    kept.do(OUT)
    data = kept.data()
    assert data.meters["in_cashbox"] == 0
    (closing,) = data.closings
    assert (closing.kind, closing.number, closing.counted_cents) == (ClosingKind.CASH_BOX, 1, None)
    assert closing.expected_cents == sum(cents * number for cents, number in closing.notes.items()) >= 2_500
    assert closing.ended == when(RELEASED_MS + (kept.steps - 1) * 1_000, clock_ok=True)
    kept.do(BACK)
    assert kept.data().closings == (closing,)


@pytest.mark.requirement("AT-10")
def test_a_closing_has_its_count_and_the_newest_closing_is_the_first(kept):
    kept.do(OUT, BACK)
    kept.do(KeyTurned(key=Key.AUDIT, on=True), EnterCount(kind=ClosingKind.CASH_BOX, number=1, cents=7), ResetPeriod())
    period, box = kept.data().closings
    assert (period.kind, period.number) == (ClosingKind.PERIOD, 1)
    assert box.counted_cents == 7


@pytest.mark.requirement("ME-01")
def test_the_hours_grow_with_the_steps_and_are_in_local_time(kept):
    _note(kept, 500)
    (hour,) = kept.data().hours
    _note(kept, 2_000)
    (later,) = kept.data().hours
    assert later.meters["bills_in"] - hour.meters["bills_in"] == 2_000
    moment = datetime.fromtimestamp(RELEASED_MS / 1000).astimezone()
    assert (later.day, later.hour, later.weekday) == (f"{moment:%d %b %Y}", moment.hour, moment.weekday())


def test_an_hour_without_growth_is_the_same_value_and_only_31_days_are_handed_over(kept):
    _note(kept, 500)
    kept.steps += 3_600
    _note(kept, 500)
    first, _ = kept.data().hours
    kept.steps += 3_600
    _note(kept, 500)
    assert kept.data().hours[0] is first
    assert len(kept.data().hours) == 3
    kept.steps += 31 * 24 * 3_600
    _note(kept, 500)
    assert len(kept.data().hours) == 1


@pytest.mark.requirement("AT-04", "EV-05")
def test_a_player_who_presses_service_all_day_hides_no_door_from_the_log(kept):
    kept.do(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN))
    kept.do(*(CallAttendant() for _ in range(EVENTS_SHOWN + 10)))
    events = kept.data().events
    assert [event.what for event in events[-2:]] == ["door closed", "door opened"]
    assert [event.number for event in events] == sorted((event.number for event in events), reverse=True)
    before = events[-1]
    kept.do(CallAttendant())
    assert kept.data().events[-1] is before
    assert kept.data().events[0].number == events[0].number + 1


def test_a_step_behind_a_full_journal_costs_the_data_little_more_than_its_own_rows(kept):
    _play(kept, 12)
    kept.data()
    kept.do(CallAttendant())
    began = time.thread_time()
    kept.data()
    assert time.thread_time() - began < LONGEST_S
