"""The stages of one page on a TCL printer, status by status."""

import pytest

from drivers.printers.document import Printed, PrintFailed, PrintUnknown
from drivers.printers.tcl.codec import Flag, Report
from drivers.printers.tcl.job import Pieces, TclJob, Timing

TIMING = Timing()


def job(*, ticket: bool = True, pieces: tuple[bytes, ...] = (b"PAGE",)) -> TclJob:
    return TclJob(job=5, pieces=Pieces(bytes=pieces, ticket=ticket), timing=TIMING, now=0.0)


def on_report(page: TclJob, now: float, *flags: Flag) -> None:
    page.on_report(Report(firmware="X", flags=frozenset(flags)), now, asked_at=now)


def sent(*, ticket: bool = True) -> TclJob:
    """A page whose last byte went out at 2 s."""
    page = job(ticket=ticket)
    on_report(page, 1.0)
    on_report(page, 2.0)
    page.bytes_to_send()
    return page


def test_a_status_asked_for_before_the_order_decides_nothing() -> None:
    page = job()
    page.on_report(Report(firmware="X", flags=frozenset({Flag.JAM})), 1.0, asked_at=-1.0)
    assert page.outcome is None
    assert page.poll_in_s(-1.0) == 0.0


def test_errors_are_cleared_before_the_page() -> None:
    page = job()
    on_report(page, 1.0)
    assert page.bytes_to_send() == b"^C|^"
    on_report(page, 1.5, Flag.VALIDATION_DONE)
    assert page.bytes_to_send() == b"^C|^"
    on_report(page, 2.0)
    assert page.bytes_to_send() == b"PAGE"


def test_a_unit_that_forgets_the_ticket_before_only_when_it_prints_must_be_seen_to_do_so() -> None:
    page = job()
    for now in (1.0, 2.0, 2.5, 3.0):
        on_report(page, now, Flag.VALIDATION_DONE)
    assert page.bytes_to_send().endswith(b"PAGE")
    on_report(page, 3.5, Flag.VALIDATION_DONE)
    assert page.outcome is None
    on_report(page, 4.0, Flag.BUSY)
    on_report(page, 8.0, Flag.VALIDATION_DONE)
    assert page.outcome == Printed(job=5)


def test_a_unit_that_never_seems_to_forget_the_ticket_before_proves_nothing() -> None:
    page = job()
    for now in (1.0, 2.0, 2.5, 3.0, 8.0, 27.0):
        on_report(page, now, Flag.VALIDATION_DONE)
    page.tick(29.0, held=False)
    assert isinstance(page.outcome, PrintUnknown)


@pytest.mark.parametrize("flag", [Flag.BUSY, Flag.XOFF, Flag.TICKET_IN_CHUTE])
def test_a_busy_printer_is_waited_for_and_at_last_given_up(flag: Flag) -> None:
    page = job()
    for now in range(1, 45):
        on_report(page, float(now), flag)
        page.tick(float(now), held=False)
    assert page.outcome is None
    assert page.bytes_to_send() == b""
    page.tick(46.0, held=False)
    assert isinstance(page.outcome, PrintFailed)


@pytest.mark.parametrize("extra", [(), (Flag.TICKET_IN_CHUTE,), (Flag.BUSY, Flag.TICKET_IN_CHUTE), (Flag.PAPER_OUT,)])
def test_validation_done_that_rises_after_the_page_is_a_ticket(extra: tuple[Flag, ...]) -> None:
    page = sent()
    on_report(page, 3.0, Flag.BUSY)
    on_report(page, 7.0, Flag.VALIDATION_DONE, *extra)
    assert page.outcome == Printed(job=5)


def test_validation_done_while_the_paper_still_moves_is_not_yet_a_ticket() -> None:
    page = sent()
    on_report(page, 5.0, Flag.VALIDATION_DONE, Flag.BUSY)
    assert page.outcome is None


@pytest.mark.parametrize(
    "flag",
    [
        Flag.POWER_RESET,
        Flag.JAM,
        Flag.HEAD_UP,
        Flag.DRAWER_OPEN,
        Flag.DATA_ERROR,
        Flag.NO_INDEX_MARK,
        Flag.SYSTEM_ERROR,
    ],
)
@pytest.mark.parametrize("done", [True, False])
def test_every_other_report_then_is_an_unknown_outcome(flag: Flag, done: bool) -> None:
    page = sent()
    on_report(page, 5.0, flag, *([Flag.VALIDATION_DONE] if done else []))
    assert isinstance(page.outcome, PrintUnknown)
    assert page.doubtful


def test_the_end_of_the_paper_is_waited_for_and_then_an_outcome_that_is_not_known() -> None:
    page = sent()
    on_report(page, 5.0, Flag.PAPER_OUT, Flag.SYSTEM_ERROR)
    assert page.outcome is None
    page.tick(27.0, held=False)
    assert page.outcome == PrintUnknown(job=5, reason="out of tickets")


@pytest.mark.parametrize("flag", [Flag.BARCODE_BEGUN, Flag.AT_TOP_OF_FORM])
def test_a_hint_is_neither_a_proof_nor_a_fault(flag: Flag) -> None:
    page = sent()
    on_report(page, 5.0, flag)
    assert page.outcome is None
    on_report(page, 6.0, flag, Flag.VALIDATION_DONE, Flag.TICKET_IN_CHUTE)
    assert page.outcome == Printed(job=5)


def test_a_standing_power_reset_is_no_power_cut_but_one_that_rises_again_is() -> None:
    for after, expected in (
        ((Flag.VALIDATION_DONE,), Printed),
        ((Flag.VALIDATION_DONE, Flag.POWER_RESET), PrintUnknown),
    ):
        page = job()
        for now in (1.0, 2.0, 2.5, 3.0):
            on_report(page, now, Flag.POWER_RESET)
        assert page.bytes_to_send().endswith(b"PAGE")
        on_report(page, 3.5)
        on_report(page, 4.0, *after)
        assert isinstance(page.outcome, expected)


def test_a_page_that_is_never_done_is_given_up() -> None:
    page = sent()
    on_report(page, 26.0)
    page.tick(27.0, held=False)
    assert page.outcome == PrintUnknown(job=5, reason="the printer did not report that the page is done")


def test_an_outcome_is_final() -> None:
    page = sent()
    page.stop("first")
    page.stop("second")
    on_report(page, 7.0, Flag.VALIDATION_DONE)
    assert page.outcome == PrintUnknown(job=5, reason="first")
    assert page.due() is None


def test_a_journal_counts_when_the_printer_was_busy_or_after_five_seconds() -> None:
    seen, unseen = sent(ticket=False), sent(ticket=False)
    on_report(seen, 2.5, Flag.BUSY)
    on_report(seen, 3.0)
    on_report(unseen, 3.0)
    assert (seen.outcome, unseen.outcome) == (Printed(job=5), None)
    on_report(unseen, 7.5)
    assert unseen.outcome == Printed(job=5)


def test_pieces_go_out_one_at_a_time_and_wait_while_the_printer_requests_it() -> None:
    page = job(ticket=False, pieces=(b"1", b"2", b"3"))
    on_report(page, 1.0)
    on_report(page, 2.0)
    assert (page.bytes_to_send(), page.quiet) == (b"^C|^1", True)
    page.tick(2.2, held=True)
    assert page.bytes_to_send() == b""
    page.tick(2.4, held=False)
    page.tick(2.6, held=False)
    assert (page.bytes_to_send(), page.quiet) == (b"23", False)


def test_a_printer_that_never_ends_its_wait_is_given_up() -> None:
    page = job(ticket=False, pieces=(b"1", b"2"))
    on_report(page, 1.0)
    on_report(page, 2.0)
    page.tick(2.0 + TIMING.print_s + 1, held=True)
    assert page.outcome == PrintUnknown(job=5, reason="the printer did not accept the rest of the page")
