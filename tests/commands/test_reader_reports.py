"""The reports of the log, the tickets and the state, as an attendant reads them."""

from support.reports import shown

from cabinet.commands.reader_reports import event_line, events_report, gap_line, status_report, tickets_report

EVENT = {
    "number": 40,
    "seq": 121,
    "wall_ms": 1_764_594_000_000,
    "clock_ok": False,
    "what": "note accepted",
    "detail": "",
    "cents": 2_000,
}
TICKET = {
    "sequence": 12,
    "tail": "7831",
    "cents": 1_250,
    "state": "redeemed",
    "wall_ms": 1_764_594_000_000,
    "clock_ok": True,
    "duplicates": 1,
    "settled_ms": 1_764_594_100_000,
    "settled_ok": True,
    "expires_days": 90,
}
STATUS = {
    "running": True,
    "uptime_s": 3_725,
    "state": "locked",
    "locks": [
        {"kind": "hand-pay", "detail": "above the limit", "cents": 5_000},
        {"kind": "main door", "detail": "", "cents": 0},
    ],
    "faults": ["paper out"],
    "open_doors": ["main"],
    "credit": 5_000,
    "cash_box": 12_000,
    "cash_box_by_denomination": {"2000": 1, "10000": 1, "500": 0},
    "last_note": {"cents": 2_000, "wall_ms": 1_764_594_000_000},
    "hand_pays_waiting": [5_000],
    "tickets_out": 1_250,
    "seq": 121,
    "row_hash": "0123456789abcdef0123",
    "row_ms": 1_764_594_000_000,
}


def test_an_entry_has_its_number_its_time_its_words_and_its_amount():
    line = event_line(EVENT)
    assert line.split()[0] == "40"
    assert " ?  note accepted" in line
    assert line.endswith("20.00")
    assert "20.00" in shown(events_report([EVENT]))


def test_an_entry_of_a_newer_program_is_shown_too():
    assert "a word of tomorrow" in event_line({**EVENT, "what": "a word of tomorrow"})


def test_a_gap_names_its_rows():
    assert "Rows 1 to 119" in gap_line(1, 119)


def test_a_ticket_has_its_state_and_the_end_of_its_number():
    text = shown(tickets_report([TICKET]))
    for part in ("000012", "7831", "redeemed, printed again 1x", "12.50"):
        assert part in text


def test_empty_lists_say_so():
    assert "Nothing has happened yet." in shown(events_report([]))
    assert "No ticket so far." in shown(tickets_report([]))


def test_the_status_names_everything_that_needs_a_person():
    text = shown(status_report(STATUS))
    for part in (
        "runs for 1:02:05",
        "hand-pay, above the limit, 50.00",
        "main door",
        "paper out",
        "120.00 (1 of 20.00, 1 of 100.00)",
        "12.50",
        "121, 0123456789abcdef",
    ):
        assert part in text


def test_a_machine_at_rest_says_none():
    rest = {
        **STATUS,
        "running": False,
        "locks": [],
        "faults": [],
        "open_doors": [],
        "hand_pays_waiting": [],
        "last_note": None,
    }
    text = shown(status_report(rest))
    assert "does not run" in text
    assert text.count("none") == 5
