"""The stages of one page, step by step."""

from drivers.printers.document import Paper, Printed, PrintFailed, PrintUnknown
from drivers.printers.escpos.job import Delivery, Markers, Timing, pack
from drivers.printers.escpos.status import Condition

WELL = Condition(online=True, paper=Paper.OK)
QUESTION = bytes.fromhex("1D 72 01")
SYNC = bytes.fromhex("1D 61 00") + QUESTION


def begin(markers: Markers, *chunks: bytes) -> Delivery:
    return Delivery(job=1, chunks=chunks, markers=markers, timing=Timing(), now=0.0)


def answer(delivery: Delivery, markers: Markers, now: float) -> bytes:
    markers.answer()
    delivery.in_order_answer(now)
    return delivery.bytes_to_send()


def test_each_chunk_goes_out_on_the_answer_to_the_one_before_and_two_answers_end_the_page() -> None:
    markers = Markers()
    delivery = begin(markers, b"first", b"last")
    assert delivery.bytes_to_send() == b""
    delivery.on_status(WELL, 0.1, asked_at=0.05)
    assert delivery.bytes_to_send() == SYNC
    assert answer(delivery, markers, 0.2) == b"first" + QUESTION
    assert answer(delivery, markers, 0.3) == b"last" + QUESTION * 2
    assert answer(delivery, markers, 0.4) == b""
    assert answer(delivery, markers, 0.5) == b""

    delivery.on_status(WELL, 0.6, asked_at=0.45)  # asked before the last answer: proves nothing
    assert delivery.outcome is None
    delivery.on_status(WELL, 0.7, asked_at=0.6)
    assert delivery.outcome == Printed(job=1)
    assert markers.owed == 0


def test_a_status_from_before_the_order_does_not_count_as_fresh() -> None:
    delivery = begin(Markers(), b"page")
    delivery.on_status(WELL, 0.1, asked_at=-0.1)
    assert delivery.bytes_to_send() == b""
    assert delivery.poll_at == 0.1


def test_an_earlier_page_that_is_still_printing_keeps_this_one_from_beginning() -> None:
    delivery = begin(Markers(), b"page")
    delivery.on_status(WELL, 0.0, asked_at=0.0)
    assert delivery.due() == 10.0
    delivery.tick(10.0)
    assert delivery.outcome == PrintFailed(job=1, reason="the printer is still busy with an earlier page")
    assert delivery.due() is None


def test_answers_still_owed_by_an_unknown_page_are_waited_for() -> None:
    markers = Markers()
    markers.ask(2)
    markers.doubtful = True
    delivery = begin(markers, b"page")
    delivery.on_status(WELL, 0.0, asked_at=0.0)
    assert delivery.bytes_to_send() == b"\x1b@\x1c.\x1bd\x06\x1dV\x00" + SYNC
    assert answer(delivery, markers, 0.1) == b""
    assert answer(delivery, markers, 0.2) == b""
    assert answer(delivery, markers, 0.3) == b"page" + QUESTION * 2
    assert not markers.doubtful


def test_answers_that_never_come_are_given_up_a_second_after_the_first() -> None:
    markers = Markers()
    markers.ask(2)
    delivery = begin(markers, b"page")
    delivery.on_status(WELL, 0.0, asked_at=0.0)
    delivery.bytes_to_send()
    assert answer(delivery, markers, 0.1) == b""
    assert delivery.due() == 1.1
    delivery.tick(1.1)
    assert delivery.bytes_to_send() == b"page" + QUESTION * 2


def test_no_answer_at_the_end_is_unknown_after_ten_seconds() -> None:
    markers = Markers()
    delivery = begin(markers, b"page")
    delivery.on_status(WELL, 0.0, asked_at=0.0)
    answer(delivery, markers, 1.0)
    delivery.tick(10.9)
    assert delivery.outcome is None
    delivery.tick(11.0)
    assert delivery.outcome == PrintUnknown(job=1, reason="the printer did not report that the page is done")
    assert markers.doubtful


def test_nothing_changes_an_outcome() -> None:
    delivery = begin(Markers(), b"page")
    delivery.line_lost()
    reported = delivery.outcome
    delivery.on_status(WELL, 0.1, asked_at=0.1)
    delivery.in_order_answer(0.2)
    delivery.hold(0.3, held=False)
    delivery.tick(100.0)
    delivery.line_lost()
    assert delivery.outcome is reported
    assert delivery.bytes_to_send() == b""


def test_pieces_are_gathered_to_chunks_of_256_bytes_without_cutting_one() -> None:
    pieces = [b"a" * 100, b"b" * 100, b"c" * 57, b"d" * 300, b"e"]
    assert pack(pieces) == (b"a" * 100 + b"b" * 100, b"c" * 57, b"d" * 300, b"e")
    assert b"".join(pack(pieces)) == b"".join(pieces)
