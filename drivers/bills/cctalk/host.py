"""ccTalk, the bus of many coin and note validators; here for bill validators (NV9 in ccTalk form, Alberici, others).

    host  40  0   1 159 sum                              one command, then its echo and one reply
    unit   1 11  40   0 counter A B A B A B A B A B sum

Who sends: the unit only replies. On the one wire the host receives its own bytes; only what follows its intact echo
counts. Repeats: a command without reply goes out again. Every command may be executed twice without harm, except the
route to the stacker. When that one gets no reply, the host first inhibits all notes, then sends the route again if
nothing has moved.

Start-up: poll with both kinds of check sum, one after the other -> maker, category, product, serial number -> events
-> route "return" -> master inhibit -> note types and their values -> meaning of the events -> events until the path
is empty and every reported event is confirmed -> reset -> self-check -> stacker and escrow mode -> `Started` ->
inhibits of the last `Take`. A serial number other than the first one seen is an alarm.

Why the events come first: a reset deletes them. Why there is a reset, and only when the ring holds events of notes:
the unit keeps its events, and a restarted host does not know which of them it has already reported. So it reports the
last stacked note again (`recovered`), and empties the ring once that is confirmed; then no later start can report it
again. A note that was given up may still move: the reset waits until the ring shows it. Why "return" comes so early:
after any gap a note still in escrow goes back, because the cabinet has not decided on it.

Escrow: (type, 1) is `Offered`; the host extends the escrow until Stack or Return. Without a decision the note goes
back after `longest_hold_s`. A note routed to the stacker inhibits the unit until it is confirmed: one note at a time.

Acknowledgement: reading the events changes nothing in the unit, so the counter is the acknowledgement: the host
remembers it, and later events are new. A changed counter counts after two equal reads, because the simple check sum
is weak. A ring that does not follow from the last one means that the unit has restarted or that events are lost. It
is an alarm unless the ring holds everything since a restart; a note whose end is not in it is in doubt. Re-reported
after power-up of the unit: nothing; its counter begins at 0 and may have counted on.

Source: ccTalk Serial Communication Protocol, Generic Specification, parts 1 to 3. Knows no credit, no line.
"""

from dataclasses import dataclass

from drivers.bills.cctalk.codec import (
    ESCROW_EMPTY,
    RING_SIZE,
    STACKER_AND_ESCROW,
    Answer,
    Header,
    Ring,
    Route,
    count_new,
    follows,
    inhibits,
)
from drivers.bills.cctalk.exchange import Exchange
from drivers.bills.cctalk.frame import Check, Frame
from drivers.bills.cctalk.notes import Notes
from drivers.bills.cctalk.questions import BUSY_PAUSE_S, Questions, show
from drivers.bills.conversation import Pause, SilentError, Talk, UnfitError
from drivers.bills.conversation_host import ConversationHost, Timing
from drivers.bills.events import TAKE_NOTHING, Take, Trouble
from drivers.bills.path_notes import Stage
from drivers.protocol import LineSettings

LINE = LineSettings(baud=9600)

_Steps = Talk[Frame, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CcTalkTiming(Timing):
    """The waits of the host.

    After a reset the unit gets `reset_s` before the first question and `boot_patience_s` to answer it. A start-up waits
    `start_up_patience_s` for the end of a note, and a returned note may take `back_patience_s`. A refused route goes
    out again after `route_again_s`, a command to a busy unit after `busy_pause_s`. An enabled unit is asked for its
    inhibit every `watch_interval_s`, a faulty one for its self-check every `self_check_interval_s`.
    """

    repeats: int = 3
    reset_s: float = 4.0
    boot_patience_s: float = 20.0
    start_up_patience_s: float = 20.0
    back_patience_s: float = 10.0
    route_again_s: float = 0.5
    watch_interval_s: float = 2.0
    self_check_interval_s: float = 5.0
    busy_pause_s: float = BUSY_PAUSE_S


class CcTalkProtocol(ConversationHost[Frame]):
    """The host's side of one ccTalk bill validator; a `WireProtocol[BillEvent, BillOrder]`.

    `currency`: only note types of this ISO code are accepted.
    """

    _notes: Notes
    _timing: CcTalkTiming

    def __init__(
        self,
        *,
        address: int = 40,
        currency: str | None = None,
        timing: CcTalkTiming = CcTalkTiming(),
    ) -> None:
        super().__init__(line=LINE, name="ccTalk", hint="", notes=Notes(), timing=timing, currency=currency)
        self._poll_interval_s = timing.poll_interval_s
        self._patience_s = {Stage.STACKING: timing.stacking_patience_s, Stage.BACK: timing.back_patience_s}
        self._exchange = Exchange(address=address)
        self._questions = Questions(self._exchange, self._conversation, busy_pause_s=timing.busy_pause_s)
        self._known: Ring | None = None
        self._note_astray = self._ring_kept = False
        self._staged_at = self._next_route = self._next_watch = self._next_self_check = 0.0

    def _forget_frame(self) -> None:
        self._exchange.begin_attempt()

    def _read_answer(self, data: bytes) -> Frame | None:
        return self._exchange.receive(data, self._now) if self._conversation.is_asking else None

    def _why_silent(self) -> tuple[Trouble, str]:
        return self._sniffer.find_fault(otherwise=self._exchange.why_silent)

    # Start-up.

    def _start_up(self) -> _Steps:
        self._notes.begin_start_up()
        self._ring_kept = False
        yield from self._find_unit()
        unit = yield from self._questions.identify()
        self._check_identity(unit.serial, kind="serial number ")
        ring = yield from self._read_ring()
        yield from self._questions.ask(Header.ROUTE, bytes((Route.RETURN,)))
        yield from self._questions.ask(Header.SET_MASTER_INHIBIT, b"\0")
        channels = yield from self._questions.read_channels()
        self._use_channels(channels)
        self._apply_first(ring)
        yield from self._read_kept_events()
        yield from self._empty_ring()
        yield from self._questions.check_itself()
        yield from self._questions.set_mode()
        firmware = yield from self._questions.read_firmware()
        longest_s = yield from self._questions.read_poll_interval()
        self._poll_interval_s = min(self._poll_interval_s, longest_s or self._poll_interval_s)
        model = f"ccTalk {unit.product} by {unit.maker}, {self._exchange.check.value}"
        self._report_started(model=model, firmware=firmware, serial=unit.serial)

    def _find_unit(self) -> _Steps:
        """Polls with the last working check sum, then with the other one."""
        for check in sorted(Check, key=lambda check: check is not self._exchange.check):
            self._exchange.check = check
            reply = yield from self._questions.send(Header.POLL)
            if reply is not None:
                return
        raise SilentError

    def _read_ring(self) -> Talk[Frame, Ring]:
        """Reads the events; new ones count after two equal reads in a row."""
        ring = yield from self._questions.read_events()
        while ring != self._known:
            again = yield from self._questions.read_events()
            if again == ring:
                break
            ring = again
        self._next_poll = self._now + self._poll_interval_s
        return ring

    def _apply_first(self, ring: Ring) -> None:
        if self._known is None:
            self._known = ring
            self._notes.recover(ring)
        else:
            self._apply(ring)

    def _apply(self, ring: Ring) -> bool:
        """Applies the new events of the ring. Returns False when events are lost and the start-up must run again."""
        before, self._known = self._known or Ring(counter=0, events=()), ring
        unbroken = follows(before, ring)
        if not unbroken and not ring.whole:
            self._notes.report_lost(
                f"the unit has restarted, or more than {RING_SIZE} events came since its counter was {before.counter}:"
                f" {ring}; a note may lie in its box uncounted"
            )
        new = count_new(before.counter, ring.counter) if unbroken else ring.counter if ring.whole else RING_SIZE
        stage = self._notes.stage
        events = ring.events[RING_SIZE - min(new, RING_SIZE) :]
        if self._note_astray and any(event.of_a_note for event in events):
            self._note_astray, self._ring_kept = False, True
        self._notes.apply(events, allowed=self._fitting(), unbroken=unbroken)
        if self._follow_hold(stage):
            self._next_route = self._now
        return unbroken

    def _read_kept_events(self) -> _Steps:
        """Reads events until the path is empty and every reported event is confirmed."""
        patience_until = self._now + self._timing.start_up_patience_s
        while (self._notes.stage and self._now < patience_until) or not self._notes.confirmed:
            if self._notes.stage is Stage.GOING:
                yield from self._give_back()
            yield Pause(self._now + self._poll_interval_s, orders_end_it=True)
            ring = yield from self._read_ring()
            self._apply(ring)

    def _empty_ring(self) -> _Steps:
        """Resets the unit so that a restarted host does not find settled notes again; not while a note may move."""
        before = self._known
        if (
            self._note_astray
            or before is None
            or self._notes.stage
            or not any(event.of_a_note for event in before.events)
        ):
            return
        yield from self._questions.send(Header.RESET)
        yield Pause(self._now + self._timing.reset_s)
        yield from self._await_boot()
        ring = yield from self._read_ring()
        if ring == before:
            raise UnfitError(Trouble.HARDWARE, f"the unit keeps its events across a reset: {ring}")
        self._known = Ring(counter=0, events=())
        self._apply(ring)

    def _await_boot(self) -> _Steps:
        until = self._now + self._timing.boot_patience_s
        while self._now < until:
            reply = yield from self._questions.send(Header.POLL)
            if reply is not None:
                return
        raise SilentError

    # The running unit.

    def _serve(self) -> _Steps:
        """Serves the running unit. Returns when the start-up must run again."""
        self._next_poll = self._next_watch = self._apply_not_before = self._now
        while (yield from self._do_next()):
            pass

    def _rest(self) -> _Steps:
        yield Pause(self._now + self._timing.first_pause_s)

    def _do_next(self) -> Talk[Frame, bool]:
        """Does the most urgent action. Returns False when the unit must be started again."""
        stage = self._notes.stage
        if stage is Stage.GOING and self._now >= self._next_route:
            yield from self._give_back()
        elif stage is Stage.ACCEPTED and self._now >= self._next_route:
            yield from self._accept()
        elif stage is Stage.HELD and self._now >= self._next_hold:
            yield from self._hold()
        elif stage not in (Stage.HELD, Stage.ACCEPTED, Stage.GOING) and self._must_switch(self._types_to_enable()):
            yield from self._apply_take()
        elif self._ring_kept and stage is None and self._notes.confirmed:
            return False
        elif self._notes.faulty and self._now >= self._next_self_check:
            yield from self._check_recovery()
        elif self._taking and stage is None and self._now >= self._next_watch:
            return (yield from self._is_still_on())
        elif self._now >= self._next_poll:
            ring = yield from self._read_ring()
            return self._apply(ring) and not self._is_out_of_patience()
        else:
            yield Pause(self._next_poll, orders_end_it=True)
        return True

    def _accept(self) -> _Steps:
        """Routes the note to the stacker. Only the events show the outcome, with or without a reply."""
        self._notes.route()
        self._staged_at = self._now
        reply = yield from self._questions.send(Header.ROUTE, bytes((Route.STACK,)), once=True)
        if reply is None:
            yield from self._confirm_route()
        elif _refused(reply):
            self._next_route = self._now + self._timing.route_again_s
            self._notes.route_failed(give_back=self._now >= self._held_since + self._timing.longest_hold_s)

    def _confirm_route(self) -> _Steps:
        """Handles a route without a reply. A repeat could stack a later note, so notes are inhibited first."""
        yield from self._questions.ask(Header.SET_MASTER_INHIBIT, b"\0")
        ring = yield from self._read_ring()
        if ring == self._known:
            self._notes.route_failed(give_back=False)
        self._applied = None

    def _give_back(self) -> _Steps:
        reply = yield from self._questions.ask(Header.ROUTE, bytes((Route.RETURN,)))
        if _refused(reply):
            self._next_route = self._now + self._timing.route_again_s
        else:
            self._notes.begin_return()
            self._staged_at = self._next_poll = self._now

    def _hold(self) -> _Steps:
        """Extends the escrow; a note that has left escrow by itself is on its way back."""
        if self._is_held_too_long():
            self._notes.order_return()
            return
        reply = yield from self._questions.ask(Header.ROUTE, bytes((Route.HOLD,)))
        self._next_hold = self._now + self._timing.hold_interval_s
        if reply.data[:1] == bytes((ESCROW_EMPTY,)):
            self._notes.begin_return()
            self._staged_at = self._now

    def _is_out_of_patience(self) -> bool:
        """Returns True if the note has taken too long: a new start-up reports it as in doubt. A jam restarts the
        time."""
        stage = self._notes.stage
        if stage is Stage.STACKING and Trouble.JAM in self._notes.faults:
            self._staged_at = self._now
        patience_s = self._patience_s.get(stage) if stage else None
        if patience_s is None or self._now < self._staged_at + patience_s:
            return False
        self._note_astray = stage is Stage.STACKING
        self._notes.give_up(f"its outcome was not reported within {patience_s:g} s")
        return True

    def _types_to_enable(self) -> Take:
        """Returns the types to enable now: none while a note is in the path or not yet confirmed."""
        return self._allowed() if self._notes.stage is None and self._notes.confirmed else TAKE_NOTHING

    def _apply_take(self) -> _Steps:
        """Sets the inhibits as ordered; tries again later when the unit refuses."""
        take = self._types_to_enable()
        refusal = yield from self._switch(take.channels)
        self._switched(take, refusal=f": {show(refusal)}" if refusal is not None else None)
        if refusal is None:
            self._report_taking(bool(take.channels))
            self._next_watch = self._now + self._timing.watch_interval_s

    def _switch(self, types: frozenset[int]) -> Talk[Frame, Frame | None]:
        """Enables these types. Returns the refusing reply, or None. A power cut in between leaves the unit inhibited.

        The escrow mode, which a power cut resets too, is set between the two commands that enable notes together.
        """
        replies = [(yield from self._questions.ask(Header.SET_MASTER_INHIBIT, bytes((bool(types),))))]
        if types:
            replies.append((yield from self._questions.ask(Header.SET_OPERATING_MODE, bytes((STACKER_AND_ESCROW,)))))
        replies.append((yield from self._questions.ask(Header.SET_INHIBITS, inhibits(types))))
        return next((reply for reply in replies if reply.header != Answer.OK), None)

    def _is_still_on(self) -> Talk[Frame, bool]:
        """Returns True if an enabled unit reports that it is enabled; otherwise it has restarted and lost its
        settings."""
        reply = yield from self._questions.ask(Header.MASTER_INHIBIT)
        self._next_watch = self._now + self._timing.watch_interval_s
        return reply.header != Answer.OK or reply.data[:1] != b"\0"

    def _check_recovery(self) -> _Steps:
        """Runs the self-check: the ring reports only the begin of a fault, the self-check its end."""
        reply = yield from self._questions.ask(Header.SELF_CHECK)
        self._next_self_check = self._now + self._timing.self_check_interval_s
        if reply.header == Answer.OK and reply.data[:1] == b"\0":
            self._notes.end_checked_faults()


def _refused(reply: Frame) -> bool:
    """Returns True if the unit refused a route although a note is there. An empty escrow is no refusal."""
    return reply.header != Answer.OK or (bool(reply.data) and reply.data[0] != ESCROW_EMPTY)
