"""The effects of the events of a ccTalk unit, without a line."""

import pytest
from support.cctalk_vectors import decimal
from support.notes import ALL, CHANNELS

from drivers.bills.cctalk.codec import Event, Ring, read_ring
from drivers.bills.cctalk.notes import Notes
from drivers.bills.events import (
    BillEvent,
    Offered,
    Rejected,
    Returned,
    Stacked,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.path_notes import Stage


def running() -> Notes:
    notes = Notes()
    notes.set_channels(CHANNELS)
    notes.finish_start_up()
    return notes


def events_after(notes: Notes, *pairs: tuple[int, int]) -> list[BillEvent]:
    notes.apply([Event(first=first, second=second) for first, second in pairs], allowed=ALL)
    return notes.events()


def ring(*oldest_first: tuple[int, int]) -> Ring:
    pairs = [(0, 0)] * (5 - len(oldest_first)) + list(oldest_first)
    found = read_ring(bytes((len(oldest_first), *(byte for pair in reversed(pairs) for byte in pair))))
    assert found is not None
    return found


def recovered(*oldest_first: tuple[int, int]) -> Notes:
    notes = Notes()
    notes.set_channels(CHANNELS)
    notes.recover(ring(*oldest_first))
    return notes


TWENTY = Stacked(channel=5, value_cents=2000, receipt=1)


@pytest.mark.requirement("BA-01")
def test_escrow_is_an_offer_and_stacked_is_money() -> None:
    notes = running()
    assert events_after(notes, (5, 1)) == [Offered(channel=5, value_cents=2000)]
    notes.order_stack()
    notes.route()
    assert events_after(notes, (5, 0)) == [TWENTY]
    assert notes.stage is None


def test_a_stacked_note_is_unconfirmed_until_its_receipt_comes_back() -> None:
    notes = running()
    events_after(notes, (5, 0))
    notes.confirm(2)
    assert not notes.confirmed
    notes.confirm(1)
    assert notes.confirmed


@pytest.mark.requirement("BA-01")
def test_a_note_stacked_out_of_nowhere_is_reported_as_it_is() -> None:
    assert events_after(running(), (5, 0)) == [TWENTY]


def test_a_type_without_a_known_value_has_none() -> None:
    assert events_after(running(), (12, 0)) == [Stacked(channel=12, value_cents=None, receipt=1)]


def test_a_note_that_went_back_was_returned_if_it_was_offered_and_rejected_if_not() -> None:
    notes = running()
    events_after(notes, (5, 1))
    assert events_after(notes, (0, 1)) == [Returned()]
    assert events_after(notes, (12, 1)) == []
    assert notes.stage is Stage.GOING
    assert events_after(notes, (0, 1)) == [Rejected(code=1, reason="sent back by the cabinet")]


def test_the_stages_follow_orders_only_as_far_as_they_still_can() -> None:
    notes = running()
    notes.order_stack()
    assert notes.stage is None
    events_after(notes, (5, 1))
    notes.order_stack()
    notes.order_return()
    assert notes.stage is Stage.ACCEPTED
    notes.route()
    notes.begin_return()
    notes.lose_contact()
    assert notes.stage is Stage.STACKING


@pytest.mark.parametrize(("tired", "stage"), [(False, Stage.ACCEPTED), (True, Stage.GOING)])
def test_a_failed_route_is_tried_again_until_tired(*, tired: bool, stage: Stage) -> None:
    notes = running()
    events_after(notes, (5, 1))
    notes.order_stack()
    notes.route()
    notes.route_failed(give_back=tired)
    assert notes.stage is stage


@pytest.mark.parametrize("accept", [False, True])
def test_lost_contact_sends_back_what_was_not_routed(*, accept: bool) -> None:
    notes = running()
    events_after(notes, (5, 1))
    if accept:
        notes.order_stack()
    notes.lose_contact()
    assert notes.stage is Stage.GOING


def test_a_second_note_in_escrow_settles_the_first() -> None:
    notes = running()
    events_after(notes, (5, 1))
    assert events_after(notes, (3, 1)) == [Returned(), Offered(channel=3, value_cents=500)]


@pytest.mark.requirement("BA-03")
def test_an_accepted_note_of_which_nothing_was_reported_is_an_alarm_and_never_a_return() -> None:
    notes = running()
    events_after(notes, (5, 1))
    notes.order_stack()
    notes.route()
    alarm, offer = events_after(notes, (3, 1))
    assert isinstance(alarm, TroubleBegan)
    assert alarm.trouble is Trouble.LOST_EVENTS
    assert offer == Offered(channel=3, value_cents=500)


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        (6, Trouble.JAM),
        (7, Trouble.JAM),
        (11, Trouble.CASHBOX_REMOVED),
        (13, Trouble.HARDWARE),
        (14, Trouble.STACKER_FULL),
        (15, Trouble.JAM),
        (16, Trouble.JAM),
        (19, Trouble.HARDWARE),
    ],
)
def test_lasting_faults_begin_once(code: int, trouble: Trouble) -> None:
    (began,) = events_after(running(), (0, code), (0, code))
    assert isinstance(began, TroubleBegan)
    assert began.trouble is trouble


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize("code", [8, 9, 17, 18])
def test_each_fraud_is_reported_each_time(code: int) -> None:
    events = events_after(running(), (0, code), (0, code))
    assert [event.trouble for event in events if isinstance(event, TroubleBegan)] == [Trouble.CHEAT] * 2


@pytest.mark.requirement("BA-08")
@pytest.mark.parametrize(
    ("begin", "end", "trouble"),
    [
        ((0, 11), (0, 12), Trouble.CASHBOX_REMOVED),
        ((0, 14), (0, 12), Trouble.STACKER_FULL),
        ((0, 14), (0, 10), Trouble.STACKER_FULL),
        ((0, 15), (0, 10), Trouble.JAM),
        ((0, 13), (0, 10), Trouble.HARDWARE),
        ((0, 6), (3, 1), Trouble.JAM),
        ((0, 16), (0, 1), Trouble.JAM),
    ],
)
def test_faults_end_with_the_events_that_end_them(
    begin: tuple[int, int], end: tuple[int, int], trouble: Trouble
) -> None:
    assert TroubleEnded(trouble=trouble) in events_after(running(), begin, end)


@pytest.mark.parametrize(("begin", "end"), [((0, 6), (0, 10)), ((0, 15), (3, 1)), ((0, 19), (0, 10))])
def test_faults_of_another_place_stand(begin: tuple[int, int], end: tuple[int, int]) -> None:
    notes = running()
    assert not [event for event in events_after(notes, begin, end) if isinstance(event, TroubleEnded)]
    assert notes.faulty
    notes.end_checked_faults()
    assert len(notes.events()) == 1
    assert not notes.faulty


@pytest.mark.parametrize("code", [0, 2, 3, 4, 5])
def test_a_note_refused_before_escrow_is_reported_with_the_reason(code: int) -> None:
    (rejected,) = events_after(running(), (0, code))
    assert isinstance(rejected, Rejected)
    assert rejected.code == code


def test_a_ticket_goes_back_without_being_offered() -> None:
    notes = running()
    assert events_after(notes, (0, 20)) == []
    assert notes.stage is Stage.GOING


@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize("pair", [(0, 21), (0, 255), (5, 2)])
def test_an_unknown_event_is_an_alarm(pair: tuple[int, int]) -> None:
    (alarm,) = events_after(running(), pair)
    assert alarm == TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=f"unknown event ({pair[0]},{pair[1]})")


# After a restart of the host.

STACKED = [Stacked(channel=5, value_cents=2000, receipt=1, recovered=True)]
RETURNED = [Returned(recovered=True)]


@pytest.mark.requirement("BA-02", "BA-03")
@pytest.mark.parametrize(
    ("ring_of", "claims"),
    [
        ((), []),
        (((5, 1), (5, 0)), STACKED),
        (((3, 1), (3, 0), (5, 1), (5, 0)), STACKED),
        (((5, 1), (5, 0), (0, 2), (0, 4)), STACKED),
        (((5, 1), (0, 1)), RETURNED),
        (((3, 1), (0, 1), (5, 1), (0, 1)), RETURNED),
        (((3, 1), (0, 1), (0, 2), (5, 1), (0, 1)), []),
        (((3, 1), (3, 0), (5, 1), (0, 1)), []),
        (((0, 2), (0, 3), (0, 8)), []),
    ],
)
def test_only_what_is_certain_is_claimed(ring_of: tuple[tuple[int, int], ...], claims: list[BillEvent]) -> None:
    assert recovered(*ring_of).events() == claims


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize(
    ("ring_of", "end", "claims"),
    [
        (((5, 1),), (5, 0), STACKED),
        (((3, 0), (5, 1)), (5, 0), STACKED),
        (((5, 1),), (0, 1), RETURNED),
        (((3, 0), (5, 1)), (0, 1), [Rejected(code=1, reason="sent back by the cabinet")]),
    ],
)
def test_a_note_found_in_escrow_is_sent_back_and_its_end_is_waited_for(
    ring_of: tuple[tuple[int, int], ...], end: tuple[int, int], claims: list[BillEvent]
) -> None:
    notes = recovered(*ring_of)
    assert (notes.events(), notes.stage) == ([], Stage.GOING)
    assert events_after(notes, end) == claims


def test_a_lasting_fault_of_before_is_found_again() -> None:
    assert recovered((0, 11), (0, 8)).events() == [TroubleBegan(trouble=Trouble.CASHBOX_REMOVED)]


def test_a_ring_as_on_the_wire_is_recovered() -> None:
    notes = Notes()
    found = read_ring(decimal("2 5 0 5 1 0 0 0 0 0 0"))
    assert found is not None
    notes.recover(found)
    assert notes.events() == [Stacked(channel=5, value_cents=None, receipt=1, recovered=True)]


@pytest.mark.parametrize("offered", [True, False])
def test_giving_up_is_an_alarm_only_where_the_cabinet_waits(*, offered: bool) -> None:
    notes = running()
    events_after(notes, (5 if offered else 12, 1))
    notes.give_up("why")
    assert len(notes.events()) == offered
    assert notes.stage is None
