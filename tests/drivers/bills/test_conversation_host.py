"""The shell of an acceptor host, with a protocol of whole words: each chunk of bytes is one answer."""

import pytest

from drivers.bills.conversation import Ask, Pause, SilentError, Talk
from drivers.bills.conversation_host import ConversationHost, Timing
from drivers.bills.ebds.frame import Frame, Kind, encode
from drivers.bills.events import (
    TAKE_NOTHING,
    Channel,
    Enabled,
    Offered,
    Return,
    Stack,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.path_notes import NoteInPath, PathNotes, Stage
from drivers.protocol import Confirm, LineSettings

LINE = LineSettings(baud=1200)
FIVE, TEN = (Channel(number=number, value_cents=100 * number, currency="USD") for number in (5, 10))
TIMING = Timing(reply_timeout_s=1.0, repeats=1, longest_hold_s=7.0, apply_again_s=3.0, first_pause_s=0.5)


class WordNotes(PathNotes[NoteInPath]):
    """Notes that keep their receipts."""

    def __init__(self) -> None:
        super().__init__()
        self.confirmed: list[int] = []

    def confirm(self, receipt: int) -> None:
        """Marks the event with this receipt as durable."""
        self.confirmed.append(receipt)

    def _report_lost_note(self, note: NoteInPath) -> None:
        self.report_lost(f"note {note.channel}")

    def arrive(self) -> None:
        """Offers a note of five."""
        self._offer(NoteInPath(channel=5, stage=Stage.HELD))


class WordHost(ConversationHost[str]):
    """Asks the unit for its number, sets it, and then asks for its state every second.

    The unit answers its state with `note` while it holds one, refuses a setting with `no`, and has no number with
    `none`.
    """

    _notes: WordNotes

    def __init__(self) -> None:
        super().__init__(
            line=LINE, name="SSP", hint="check the cable", notes=WordNotes(), timing=TIMING, currency="USD"
        )
        self.channels = (FIVE, TEN)
        self.reads_tickets = False
        self.forgotten = self.decided = 0

    @property
    def notes(self) -> WordNotes:
        """The notes."""
        return self._notes

    @property
    def allowed(self) -> Take:
        """What the unit is to accept."""
        return self._allowed()

    def _ask(self, question: bytes) -> Talk[str, str]:
        answer = yield Ask(question)
        if answer is None:
            raise SilentError
        return answer

    def _start_up(self) -> Talk[str, None]:
        self._notes.begin_start_up()
        name = (yield from self._ask(b"who")).removeprefix("none")
        self._check_identity(name, kind="number ")
        self._use_channels(self.channels)
        self._reads_tickets = self.reads_tickets
        self._report_started(model="word", firmware="1", serial=name)

    def _serve(self) -> Talk[str, None]:
        while True:
            if self._must_switch(self._allowed()):
                take = self._allowed()
                answer = yield from self._ask(b"set")
                self._switched(take, refusal=": no" if answer == "no" else None)
            before = self._notes.stage
            answer = yield from self._ask(b"state")
            if answer == "reset":
                return
            if answer == "note" and before is None:
                self._notes.arrive()
            self._follow_hold(before)
            if self._is_held_too_long():
                self._notes.order_return()
            self._report_taking(self._applied not in (None, TAKE_NOTHING))
            self._apply_again_if(differs=answer == "off")
            yield Pause(self._now + 1.0, orders_end_it=True)

    def _read_answer(self, data: bytes) -> str | None:
        return data.decode("ascii") if self._conversation.is_asking and data.isalnum() else None

    def _forget_frame(self) -> None:
        self.forgotten += 1

    def _on_decision(self) -> None:
        self.decided += 1


class Unit:
    """Answers each question of a host from its dictionary."""

    def __init__(self) -> None:
        self.host = WordHost()
        self.answers = {b"who": "7", b"set": "yes", b"state": "idle"}
        self.asked: list[bytes] = []
        self.now = 100.0

    def open(self) -> None:
        """Opens the line."""
        self.host.opened(self.now)
        self.settle()

    def settle(self) -> None:
        """Answers until the host waits."""
        while question := self.host.bytes_to_send():
            self.asked.append(question)
            answer = self.answers.get(question)
            if answer is not None:
                self.host.receive(answer.encode(), self.now)

    def order(self, order: Stack | Return | Take | Confirm) -> None:
        """Gives the host an order."""
        self.host.order(order, self.now)
        self.settle()

    def run(self, seconds: float) -> None:
        """Lets this much time pass."""
        until = self.now + seconds
        while (due := self.host.due()) is not None and due <= until:
            self.now = due
            self.host.tick(due)
            self.settle()
        self.now = until


@pytest.fixture
def unit() -> Unit:
    unit = Unit()
    unit.open()
    return unit


STARTED = Started(model="word", firmware="1", serial="7", channels=(FIVE, TEN))


def test_an_opened_line_starts_the_unit_and_has_the_settings_of_the_protocol(unit: Unit) -> None:
    assert unit.host.line == LINE
    assert unit.host.events() == [STARTED, Enabled(taking=False)]
    assert unit.asked[:2] == [b"who", b"set"]


@pytest.mark.requirement("BA-01")
def test_a_take_is_sent_at_once_and_only_for_channels_of_the_currency_and_tickets_if_they_are_read() -> None:
    unit = Unit()
    unit.host.channels = (FIVE, Channel(number=6, value_cents=600, currency="EUR"))
    for reads, tickets in ((False, False), (True, True)):
        unit.host.reads_tickets = reads
        unit.open()
        unit.order(Take(channels=frozenset({5, 6}), tickets=True))
        assert unit.host.allowed == Take(channels=frozenset({5}), tickets=tickets)
        assert Enabled(taking=True) in unit.host.events()


@pytest.mark.requirement("BA-08")
def test_a_closed_line_ends_the_acceptance_and_is_a_fault_until_the_unit_has_started_again(unit: Unit) -> None:
    unit.order(Take(channels=frozenset({5})))
    unit.host.events()
    unit.host.closed(unit.now)
    assert unit.host.events() == [
        Enabled(taking=False),
        TroubleBegan(trouble=Trouble.LINK, detail="the line is gone"),
    ]
    assert (unit.host.due(), unit.host.bytes_to_send()) == (None, b"")
    settings = unit.asked.count(b"set")
    unit.open()
    assert unit.host.events() == [TroubleEnded(trouble=Trouble.LINK), STARTED, Enabled(taking=True)]
    assert unit.asked.count(b"set") == settings + 1


@pytest.mark.requirement("BA-03")
def test_a_note_held_when_the_line_is_gone_goes_back_and_a_late_stack_does_not_count(unit: Unit) -> None:
    unit.answers[b"state"] = "note"
    unit.run(1.0)
    assert Offered(channel=5, value_cents=500) in unit.host.events()
    unit.host.closed(unit.now)
    unit.host.order(Stack(), unit.now)
    assert (unit.host.notes.stage, unit.host.decided) == (Stage.GOING, 0)
    assert Enabled(taking=False) not in unit.host.events()


@pytest.mark.parametrize(("order", "stage"), [(Stack(), Stage.STACKING), (Return(), Stage.GOING)])
def test_the_first_decision_on_a_held_note_counts(unit: Unit, order: Stack | Return, stage: Stage) -> None:
    unit.order(order)
    unit.answers[b"state"] = "note"
    unit.run(1.0)
    assert (unit.host.notes.stage, unit.host.decided) == (Stage.HELD, 0)
    unit.order(order)
    unit.order(Return())
    assert (unit.host.notes.stage, unit.host.decided) == (stage, 1)


def test_a_note_without_a_decision_goes_back_after_a_while(unit: Unit) -> None:
    unit.answers[b"state"] = "note"
    unit.run(1.0)
    unit.run(TIMING.longest_hold_s - 1.0)
    assert unit.host.notes.stage is Stage.HELD
    unit.run(1.0)
    assert unit.host.notes.stage is Stage.GOING


@pytest.mark.requirement("BA-02")
def test_a_receipt_reaches_the_notes_with_or_without_a_line(unit: Unit) -> None:
    unit.order(Confirm(receipt=3))
    unit.host.closed(unit.now)
    unit.host.order(Confirm(receipt=4), unit.now)
    assert unit.host.notes.confirmed == [3, 4]


@pytest.mark.requirement("BA-08")
def test_a_silent_unit_is_a_fault_with_a_hint_and_is_tried_again_after_a_pause(unit: Unit) -> None:
    unit.order(Take(channels=frozenset({5})))
    unit.host.events()
    del unit.answers[b"state"]
    unit.run(1.0)
    asked = len(unit.asked)
    unit.run(2.0)
    assert unit.host.events() == [
        Enabled(taking=False),
        TroubleBegan(trouble=Trouble.LINK, detail="no answer; check the cable"),
    ]
    unit.run(TIMING.first_pause_s - 0.1)
    assert unit.asked[asked:] == [b"state"]
    unit.run(0.1)
    assert unit.asked[asked + 1] == b"who"
    assert TroubleEnded(trouble=Trouble.LINK) in unit.host.events()


def test_half_a_frame_is_dropped_with_each_attempt_and_each_opening(unit: Unit) -> None:
    del unit.answers[b"state"]
    unit.run(1.0)
    forgotten = unit.host.forgotten
    unit.run(2.0)
    assert unit.host.forgotten == forgotten + 2
    unit.host.closed(unit.now)
    unit.open()
    assert unit.host.forgotten == forgotten + 4


@pytest.mark.parametrize(
    ("reopened", "fault"),
    [
        (False, TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail="this looks like EBDS, but SSP is configured")),
        (True, TroubleBegan(trouble=Trouble.LINK, detail="no answer; check the cable")),
    ],
)
def test_bytes_of_another_protocol_name_it_and_are_forgotten_with_the_line(
    *, reopened: bool, fault: TroubleBegan
) -> None:
    unit = Unit()
    unit.answers.clear()
    unit.open()
    unit.host.receive(encode(Frame(kind=Kind.REPLY, ack=False, data=bytes(6))) * 2, unit.now)
    if reopened:
        unit.open()
    unit.run(2.0)
    assert unit.host.events() == [fault]


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize(
    ("first", "later", "words"),
    [("7", "8", "8, expected 7"), ("7", "none", "unknown, expected 7"), ("none", "7", "7, expected unknown")],
)
def test_another_unit_than_the_first_one_is_the_wrong_device(first: str, later: str, words: str) -> None:
    unit = Unit()
    for name in (first, later):
        unit.host.events()
        unit.answers[b"who"] = name
        unit.open()
    detail = f"number {words}; if it was replaced on purpose, restart the cabinet"
    assert unit.host.events() == [TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail=detail)]


@pytest.mark.requirement("BA-07")
@pytest.mark.parametrize(
    ("channels", "found"), [((), "no notes at all"), ((Channel(number=1, value_cents=500, currency="EUR"),), "EUR")]
)
def test_a_unit_without_notes_of_the_currency_is_the_wrong_device(channels: tuple[Channel, ...], found: str) -> None:
    unit = Unit()
    unit.host.channels = channels
    unit.open()
    detail = f"the unit reads {found}, expected USD"
    assert unit.host.events() == [TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail=detail)]


def test_a_refused_setting_is_a_fault_and_is_sent_again_until_the_unit_applies_it(unit: Unit) -> None:
    unit.host.events()
    unit.answers[b"set"] = "no"
    unit.order(Take(channels=frozenset({5})))
    assert TroubleBegan(trouble=Trouble.HARDWARE, detail="the unit refuses to be switched: no") in unit.host.events()
    unit.answers[b"set"] = "yes"
    asked = unit.asked.count(b"set")
    unit.run(TIMING.apply_again_s - 0.1)
    assert unit.asked.count(b"set") == asked
    unit.run(1.1)
    assert TroubleEnded(trouble=Trouble.HARDWARE) in unit.host.events()


def test_after_a_refusal_the_next_take_is_sent_at_once_even_if_the_unit_had_it_before(unit: Unit) -> None:
    before, refused = Take(channels=frozenset({5})), Take(channels=frozenset({5, 10}))
    unit.order(before)
    unit.answers[b"set"] = "no"
    unit.order(refused)
    unit.answers[b"set"] = "yes"
    asked = unit.asked.count(b"set")
    unit.order(before)
    assert unit.asked.count(b"set") == asked + 1
    assert TroubleEnded(trouble=Trouble.HARDWARE) in unit.host.events()


def test_a_unit_that_differs_from_its_setting_is_set_again_after_a_while(unit: Unit) -> None:
    unit.order(Take(channels=frozenset({5})))
    asked = unit.asked.count(b"set")
    unit.answers[b"state"] = "off"
    unit.run(TIMING.apply_again_s - 0.1)
    assert unit.asked.count(b"set") == asked
    unit.run(2.0)
    assert unit.asked.count(b"set") == asked + 1


def test_a_unit_that_needs_a_new_start_gets_it_at_once_and_accepts_nothing_meanwhile(unit: Unit) -> None:
    unit.order(Take(channels=frozenset({5})))
    unit.host.events()
    unit.answers[b"state"] = "reset"
    del unit.answers[b"who"]
    unit.run(1.0)
    assert unit.asked[-1] == b"who"
    assert unit.host.events() == [Enabled(taking=False)]
