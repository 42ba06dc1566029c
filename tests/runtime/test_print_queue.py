"""One page at a time: the order of the queue, and the outcome for the attendant."""

import pytest

from cabinet.runtime.print_queue import MOST_WAITING, NO_TICKET, PrintQueue, Taken
from drivers.printers.document import Document, Print, Printed, PrinterStarted, PrintFailed, PrintUnknown

PAGE = Document(elements=())


def order(job: int) -> Print:
    return Print(job=job, document=PAGE)


@pytest.mark.requirement("TP-08", "CM-07")
def test_a_ticket_waits_for_a_page_that_is_on_its_way_and_goes_before_all_that_wait():
    sent = []
    queue = PrintQueue(sent.append)
    assert queue.put(order(NO_TICKET)) is Taken.PRINTING
    assert queue.put(order(NO_TICKET)) is Taken.WAITING
    assert queue.put(order(7)) is Taken.WAITING
    assert [each.job for each in sent] == [NO_TICKET]
    queue.on_event(Printed(job=NO_TICKET))
    assert [each.job for each in sent] == [NO_TICKET, 7]
    queue.on_event(Printed(job=7))
    assert [each.job for each in sent] == [NO_TICKET, 7, NO_TICKET]


def test_every_outcome_frees_the_printer_and_that_of_a_page_is_reported():
    sent = []
    queue = PrintQueue(sent.append)
    outcomes = (
        (Printed(job=NO_TICKET), "The page came out."),
        (PrintFailed(job=NO_TICKET, reason="no paper"), "The page did not come out: no paper."),
        (PrintUnknown(job=NO_TICKET, reason="line lost"), "It is not known whether the page came out: line lost."),
    )
    for number, (event, words) in enumerate(outcomes, start=1):
        assert queue.put(order(NO_TICKET)) is Taken.PRINTING
        assert len(sent) == number
        assert queue.on_event(event) == words
    queue.put(order(3))
    assert queue.on_event(PrintFailed(job=3, reason="no paper")) is None


def test_what_is_no_outcome_of_what_is_under_way_sends_nothing():
    sent = []
    queue = PrintQueue(sent.append)
    assert queue.on_event(Printed(job=NO_TICKET)) is None
    queue.put(order(4))
    queue.put(order(NO_TICKET))
    for event in (Printed(job=3), PrinterStarted(model="KR203")):
        assert queue.on_event(event) is None
    assert [each.job for each in sent] == [4]


@pytest.mark.requirement("TP-04", "TP-08")
def test_a_ticket_given_up_makes_room_and_its_late_outcome_sends_nothing():
    sent = []
    queue = PrintQueue(sent.append)
    for job in (7, NO_TICKET):
        queue.put(order(job))
    queue.want(7)
    assert [each.job for each in sent] == [7]
    queue.want(None)
    queue.put(order(8))
    assert [each.job for each in sent] == [7, NO_TICKET]
    assert queue.on_event(Printed(job=7)) is None
    assert [each.job for each in sent] == [7, NO_TICKET]


@pytest.mark.requirement("TP-04", "TP-08")
def test_a_cancelled_ticket_is_never_sent_and_blocks_no_other_page():
    sent = []
    queue = PrintQueue(sent.append)
    for job in (NO_TICKET, 7):
        queue.put(order(job))
    queue.want(None)
    queue.put(order(8))
    queue.on_event(Printed(job=NO_TICKET))
    assert [each.job for each in sent] == [NO_TICKET, 8]


def test_a_page_too_many_is_refused_aloud_and_a_ticket_never():
    sent = []
    queue = PrintQueue(sent.append)
    taken = [queue.put(order(NO_TICKET)) for _ in range(MOST_WAITING + 2)]
    assert taken == [Taken.PRINTING, *(Taken.WAITING for _ in range(MOST_WAITING)), Taken.REFUSED]
    assert queue.put(order(5)) is Taken.WAITING
