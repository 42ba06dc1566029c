"""A pulse acceptor as a wire protocol: records in, release and inhibit out."""

import logging
import random

import pytest

from drivers.bills.events import Enabled, Offered, Return, Stack, Stacked, Started, Take, Unsolicited
from drivers.bills.pulse.line import INHIBIT, NO_LINE, RELEASE, REPEAT_S, PulseProtocol, write_edge, write_found

NOTES = {1: 100, 5: 500, 10: 1_000}
ALL = Take(channels=frozenset({1, 2, 3}))


class Counted:
    """A protocol whose wire a test moves; the cabinet answers every offer."""

    def __init__(self, answer: Stack | Return | None = None) -> None:
        self.protocol = PulseProtocol(NOTES, currency="USD")
        self.answer = answer or Stack()
        self.now = 50.0
        self.reported: list[object] = []
        self.said: list[bytes] = []
        self.protocol.opened(self.now)
        self.on_report(write_found(True, self.now))
        self.protocol.order(ALL, self.now)
        self.rest(1.0)

    def on_report(self, record: bytes) -> None:
        self.protocol.receive(record, self.now)
        self._digest()

    def rest(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.protocol.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.protocol.tick(self.now)
            self._digest()
        self.now = end

    def pulses(self, count: int) -> None:
        for _ in range(count):
            self.on_report(write_edge(False, self.now))
            self.rest(0.05)
            self.on_report(write_edge(True, self.now))
            self.rest(0.1)

    def _digest(self) -> None:
        if owed := self.protocol.bytes_to_send():
            self.said.append(owed)
        for event in self.protocol.events():
            self.reported.append(event)
            if isinstance(event, Offered):
                self.protocol.order(self.answer, self.now)
                self._digest()


def test_it_starts_with_its_notes_and_is_released_after_a_quiet_line() -> None:
    counted = Counted()
    started = counted.reported[0]
    assert isinstance(started, Started)
    assert [(each.value_cents, each.currency) for each in started.channels] == [
        (100, "USD"),
        (500, "USD"),
        (1_000, "USD"),
    ]
    assert counted.said[0] == INHIBIT
    assert counted.said[-1] == RELEASE
    assert counted.reported[1:] == [Enabled(taking=False), Enabled(taking=True)]
    assert counted.protocol.line is NO_LINE


@pytest.mark.requirement("BA-01", "BA-04")
@pytest.mark.parametrize("answer", [Stack(), Return()])
def test_a_whole_train_is_offered_and_stacked_whatever_is_answered(answer: Stack | Return) -> None:
    counted = Counted(answer)
    counted.reported.clear()
    counted.pulses(5)
    counted.rest(1.0)
    notes = [event for event in counted.reported if isinstance(event, Offered | Stacked)]
    assert notes == [Offered(channel=2, value_cents=500), Stacked(channel=2, value_cents=500, receipt=None)]


@pytest.mark.fault(21, 24)
@pytest.mark.requirement("BA-01", "BA-04")
@pytest.mark.parametrize(("lost", "reported_cents"), [(False, 400), (True, None)])
def test_a_train_that_is_no_note_is_unsolicited_and_inhibits(*, lost: bool, reported_cents: int | None) -> None:
    counted = Counted()
    counted.reported.clear()
    counted.pulses(4)
    if lost:
        counted.on_report(write_edge(True, counted.now))
    counted.rest(1.0)
    (unsolicited,) = (event for event in counted.reported if not isinstance(event, Enabled))
    assert isinstance(unsolicited, Unsolicited)
    assert unsolicited.reported_cents == reported_cents
    assert unsolicited.detail.startswith("4 good pulses worth 4.00 USD, ")
    assert counted.said[-1] == INHIBIT
    counted.protocol.order(ALL, counted.now)
    assert counted.protocol.bytes_to_send() == RELEASE


@pytest.mark.requirement("BA-04")
def test_the_release_is_repeated_and_an_inhibit_is_sent_at_once() -> None:
    counted = Counted()
    counted.said.clear()
    counted.rest(10 * REPEAT_S)
    assert counted.said
    assert set(counted.said) == {RELEASE}
    assert len(counted.said) >= 9
    counted.protocol.order(Take(channels=frozenset()), counted.now)
    assert counted.protocol.bytes_to_send() == INHIBIT
    counted.protocol.closed(counted.now)


def test_records_may_be_cut_anywhere_and_strange_ones_are_passed_over() -> None:
    counted = Counted()
    counted.reported.clear()
    wire = write_edge(False, counted.now) + b"?" + bytes(8) + write_edge(True, counted.now + 0.05)
    for byte in wire:
        counted.on_report(bytes((byte,)))
    counted.rest(1.0)
    assert Stacked(channel=1, value_cents=100, receipt=None) in counted.reported


def test_half_a_record_is_forgotten_with_the_line() -> None:
    counted = Counted()
    counted.on_report(write_edge(False, counted.now)[:4])
    counted.protocol.closed(counted.now)
    counted.reported.clear()
    counted.pulses(1)
    counted.rest(1.0)
    assert Stacked(channel=1, value_cents=100, receipt=None) in counted.reported


def test_a_train_that_goes_on_leaves_evidence_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    counted = Counted()
    with caplog.at_level(logging.WARNING):
        counted.pulses(10)
    assert "pulses since" in caplog.text


def test_no_records_however_bad_make_it_raise_or_find_money() -> None:
    chance = random.Random(5)
    counted = Counted()
    counted.reported.clear()
    for _ in range(300):
        counted.on_report(bytes(chance.randrange(256) for _ in range(chance.randrange(1, 20))))
        counted.rest(0.01)
    counted.protocol.closed(counted.now)
    assert not any(isinstance(event, Stacked) for event in counted.reported)
