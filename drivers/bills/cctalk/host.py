"""ccTalk, the bus of many coin and note validators; here for bill validators (NV9 in ccTalk form, Alberici, others).

    host  40  0   1 159 sum                              one command, then its echo and one reply
    unit   1 11  40   0 counter A B A B A B A B A B sum

Who speaks: only the host asks; on one wire it hears itself, and believes only what follows its own intact echo.
Repeats: a command without answer goes out again; all of them may be executed twice without harm, except the route to
the stacker. When that gets no answer, further notes are locked out first, then it goes out again if nothing happened.

Start-up: poll with both kinds of check sum, one after the other -> maker, category, product, serial number -> events
-> route "return" -> master inhibit -> note types and what they are worth -> what the events mean -> events until
nothing is in the path and all that was told is confirmed -> reset -> self-check -> stacker and escrow mode ->
`Started` -> inhibits as the last `Take` says. A serial number other than the first one seen is an alarm.

Why the events come first: a reset wipes them out. Why there is a reset at all, and only when the ring tells of notes:
the unit never forgets by itself, and after a restart of ours nobody knows what of the ring was told before. So the last
stacked note is told again (`recovered`), and once that is confirmed the ring is emptied, so that it cannot be told a
second time. A note that was given up may still move: then the reset waits until the ring shows it. Why "return"
comes so early: after any gap a note still in escrow goes back, as nobody has decided on it.

Escrow: (type, 1) is `Offered`; the escrow is extended until Stack or Return. A note nobody decides on goes back after
`longest_hold_s`. A note routed to the stacker inhibits the unit until it is confirmed: one note at a time.

Acknowledgement: reading the events changes nothing in the unit, so the counter is the acknowledgement: we remember it,
and what lies behind it is new. A counter that has moved is believed once two reads in a row say the same, because the
simple check sum is weak. A ring that does not follow from the last one: the unit has restarted, or events are lost. It
is an alarm unless the ring holds all since a restart; a note whose end is not among it is in doubt. Re-reported after
power-up of the unit: nothing; its counter begins at 0 and may have moved on.

Source: ccTalk Serial Communication Protocol, Generic Specification, parts 1 to 3. Knows no credit, no line.
"""

from typing import assert_never

from drivers.bills.active_faults import STACKING_PATIENCE_S
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
from drivers.bills.cctalk.notes import Notes, Stage
from drivers.bills.cctalk.questions import (
    Ask,
    Pause,
    Talk,
    Unit,
    ask,
    check_itself,
    identify,
    read_channels,
    read_events,
    read_firmware,
    read_poll_interval,
    set_mode,
    show,
)
from drivers.bills.conversation import SilentError, UnfitError
from drivers.bills.events import BillEvent, BillOrder, Channel, Enabled, Return, Stack, Started, Take, Trouble
from drivers.bills.protocol_sniffer import ProtocolSniffer
from drivers.protocol import Confirm, LineSettings

LINE = LineSettings(baud=9600)
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
RESET_S = 4.0
BOOT_PATIENCE_S = 20.0
START_UP_PATIENCE_S = 20.0
BACK_PATIENCE_S = 10.0
AGAIN_S = 0.5
WATCH_INTERVAL_S = 2.0
SELF_CHECK_INTERVAL_S = 5.0
_SWITCHING = "switching"


class CcTalkProtocol:
    """The host's side of one ccTalk bill validator; a `WireProtocol[BillEvent, BillOrder]`.

    `currency` restricts what is taken to note types of that ISO code.
    """

    def __init__(
        self,
        *,
        address: int = 40,
        currency: str | None = None,
        poll_interval_s: float = 0.2,
        reply_timeout_s: float = 1.0,
        repeats: int = 3,
        hold_interval_s: float = 3.0,
        longest_hold_s: float = 30.0,
        stacking_patience_s: float = STACKING_PATIENCE_S,
    ) -> None:
        self._currency = currency
        self._poll_interval_s = poll_interval_s
        self._hold_interval_s = hold_interval_s
        self._longest_hold_s = longest_hold_s
        self._patience_s = {Stage.STACKING: stacking_patience_s, Stage.BACK: BACK_PATIENCE_S}
        self._ears = ProtocolSniffer(ours="ccTalk")
        self._exchange = Exchange(address=address, reply_timeout_s=reply_timeout_s, repeats=repeats)
        self._notes = Notes()
        self._talk: Talk[None] | None = None
        self._pause: Pause | None = None
        self._pause_ends = 0.0
        self._now = 0.0
        self._known: Ring | None = None
        self._note_astray = self._ring_kept = False
        self._serial: str | None = None
        self._channels: tuple[Channel, ...] = ()
        self._wanted: frozenset[int] = frozenset()
        self._applied: frozenset[int] | None = None
        self._taking: bool | None = None
        self._held_since = self._staged_at = 0.0
        self._next_poll = self._next_hold = self._next_route = 0.0
        self._next_watch = self._next_self_check = self._apply_not_before = 0.0
        self._out: list[BillEvent] = []

    @property
    def line(self) -> LineSettings:
        """9600 baud, 8 data bits, no parity, 1 stop bit."""
        return LINE

    def opened(self, now: float) -> None:
        """Begin the start-up from the top."""
        self._lose_contact()
        self._now = now
        self._exchange.forget()
        self._talk = self._converse()
        self._resume(None)

    def closed(self, now: float) -> None:
        """The line is gone; what is known of notes and counters stays."""
        self._now = now
        self._lose_contact()
        self._exchange.forget()
        self._talk = self._pause = None
        self._notes.levels.fall_silent(Trouble.LINK, "the line is gone")
        self._collect()

    def receive(self, data: bytes, now: float) -> None:
        """Bytes came in."""
        self._now = now
        reply = self._exchange.receive(data, now)
        if reply is None:
            self._ears.hear(data)
            return
        self._ears.forget()
        self._resume(reply)

    def order(self, order: BillOrder, now: float) -> None:
        """Stack and Return count only while a note is held; Take and Confirm always."""
        self._now = now
        match order:
            case Stack():
                self._notes.order_stack()
            case Return():
                self._notes.order_return()
            case Take(channels=channels):
                self._wanted = channels
                self._apply_not_before = now
            case Confirm(receipt=receipt):
                self._notes.confirm(receipt)
            case _:
                assert_never(order)
        if self._pause is not None and self._pause.orders_end_it:
            self._resume(None)

    def tick(self, now: float) -> None:
        """Repeat, give up, or go on after a pause."""
        self._now = now
        self._exchange.tick(now)
        if self._exchange.silent:
            self._exchange.silent = False
            self._resume(None)
        elif self._pause is not None and now >= self._pause_ends:
            self._resume(None)

    def due(self) -> float | None:
        """When the next repeat, poll, hold or attempt is due."""
        return self._pause_ends if self._pause is not None else self._exchange.due()

    def bytes_to_send(self) -> bytes:
        """The command owed to the unit."""
        return self._exchange.bytes_to_send()

    def events(self) -> list[BillEvent]:
        """What has happened, each event once."""
        self._collect()
        out, self._out = self._out, []
        return out

    # The conversation: a generator that yields what to send or how long to wait, and is resumed with the reply.

    def _resume(self, reply: Frame | None) -> None:
        """Let the conversation take its next step. A None after an ask means that nobody answered."""
        if self._talk is None:
            return
        self._pause = None
        step = self._talk.send(reply)
        match step:
            case Pause(seconds=seconds):
                self._pause, self._pause_ends = step, self._now + seconds
            case Ask(header=header, data=data, once=once):
                self._exchange.ask(header, data, self._now, once=once)
            case _:
                assert_never(step)

    def _converse(self) -> Talk[None]:
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                yield from self._start_up()
                pause_s = FIRST_PAUSE_S
                yield from self._serve()
            except SilentError:
                self._notes.levels.fall_silent(*self._ears.name_stranger(otherwise=self._exchange.why_silent))
            except UnfitError as unfit:
                self._notes.levels.fall_silent(unfit.trouble, str(unfit))
            self._lose_contact()
            yield Pause(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _lose_contact(self) -> None:
        self._notes.lose_contact()
        self._tell_taking(None)
        self._applied = None

    def _tell_taking(self, taking: bool | None) -> None:
        """Report what the wire says; None: it says nothing any more, so that nothing can be taken."""
        if taking is not self._taking and (taking is not None or self._taking):
            self._out.append(Enabled(taking=bool(taking)))
        self._taking = taking

    def _start_up(self) -> Talk[None]:
        self._notes.begin_start_up()
        self._ring_kept = False
        yield from self._find_unit()
        unit = yield from identify()
        self._check_serial(unit.serial)
        ring = yield from self._read_ring()
        yield from ask(Header.ROUTE, bytes((Route.RETURN,)))
        yield from ask(Header.SET_MASTER_INHIBIT, b"\0")
        self._channels = yield from read_channels()
        self._check_currency()
        self._notes.know_channels(self._channels)
        self._take_in_first(ring)
        yield from self._hear_what_was_kept()
        yield from self._empty_ring()
        yield from check_itself()
        yield from set_mode()
        firmware = yield from read_firmware()
        longest_s = yield from read_poll_interval()
        self._poll_interval_s = min(self._poll_interval_s, longest_s or self._poll_interval_s)
        self._report_started(unit, firmware)

    def _find_unit(self) -> Talk[None]:
        """Poll with the kind of check sum that was right last, then with the other one."""
        for check in sorted(Check, key=lambda check: check is not self._exchange.check):
            self._exchange.check = check
            reply = yield Ask(Header.POLL)
            if reply is not None:
                return
        raise SilentError

    def _check_serial(self, serial: str) -> None:
        if self._serial is not None and serial != self._serial:
            raise UnfitError(
                Trouble.WRONG_DEVICE,
                f"serial number {serial}, expected {self._serial}; if it was replaced on purpose, restart the cabinet",
            )
        self._serial = serial

    def _check_currency(self) -> None:
        if not any(self._currency in (None, channel.currency) for channel in self._channels):
            found = ", ".join(sorted({channel.currency for channel in self._channels})) or "no notes at all"
            raise UnfitError(Trouble.WRONG_DEVICE, f"the unit reads {found}, expected {self._currency or 'some'}")

    def _read_ring(self) -> Talk[Ring]:
        """The events; when there are new ones, as two reads in a row agree on them."""
        ring = yield from read_events()
        while ring != self._known:
            again = yield from read_events()
            if again == ring:
                break
            ring = again
        self._next_poll = self._now + self._poll_interval_s
        return ring

    def _take_in_first(self, ring: Ring) -> None:
        if self._known is None:
            self._known = ring
            self._notes.recover(ring)
        else:
            self._take_in(ring)

    def _take_in(self, ring: Ring) -> bool:
        """Digest what is new in the ring; False when what came before is lost and everything must begin again."""
        before, self._known = self._known or Ring(counter=0, events=()), ring
        unbroken = follows(before, ring)
        if not unbroken and not ring.whole:
            self._notes.lose(
                f"the unit has restarted, or more than {RING_SIZE} events came since its counter was {before.counter}:"
                f" {ring}; a note may lie in its box uncounted"
            )
        new = count_new(before.counter, ring.counter) if unbroken else ring.counter if ring.whole else RING_SIZE
        stage = self._notes.stage
        events = ring.events[RING_SIZE - min(new, RING_SIZE) :]
        if self._note_astray and any(event.of_a_note for event in events):
            self._note_astray, self._ring_kept = False, True
        self._notes.take_in(events, allowed=self._fitting(), unbroken=unbroken)
        if stage is not Stage.HELD and self._notes.stage is Stage.HELD:
            self._held_since = self._next_hold = self._next_route = self._now
        return unbroken

    def _hear_what_was_kept(self) -> Talk[None]:
        """Read events until no note is in the path and all that was told is confirmed."""
        patience_until = self._now + START_UP_PATIENCE_S
        while (self._notes.stage and self._now < patience_until) or not self._notes.confirmed:
            if self._notes.stage is Stage.GOING:
                yield from self._give_back()
            yield Pause(self._poll_interval_s, orders_end_it=True)
            ring = yield from self._read_ring()
            self._take_in(ring)

    def _empty_ring(self) -> Talk[None]:
        """Make the unit forget settled notes, so that no restart of ours finds them again; not while one may move."""
        before = self._known
        if (
            self._note_astray
            or before is None
            or self._notes.stage
            or not any(event.of_a_note for event in before.events)
        ):
            return
        yield Ask(Header.RESET)
        yield Pause(RESET_S)
        yield from self._await_boot()
        ring = yield from self._read_ring()
        if ring == before:
            raise UnfitError(Trouble.HARDWARE, f"the unit keeps its events across a reset: {ring}")
        self._known = Ring(counter=0, events=())
        self._take_in(ring)

    def _await_boot(self) -> Talk[None]:
        until = self._now + BOOT_PATIENCE_S
        while self._now < until:
            reply = yield Ask(Header.POLL)
            if reply is not None:
                return
        raise SilentError

    def _report_started(self, unit: Unit, firmware: str) -> None:
        self._notes.finish_start_up()
        self._collect()
        model = f"ccTalk {unit.product} by {unit.maker}, {self._exchange.check.value}"
        self._out.append(Started(model=model, firmware=firmware, serial=unit.serial, channels=self._channels))

    def _serve(self) -> Talk[None]:
        """The running unit, one most urgent thing at a time; returns when everything must begin again."""
        self._next_poll = self._next_watch = self._apply_not_before = self._now
        while True:
            stage = self._notes.stage
            if stage is Stage.GOING and self._now >= self._next_route:
                yield from self._give_back()
            elif stage is Stage.ACCEPTED and self._now >= self._next_route:
                yield from self._accept()
            elif stage is Stage.HELD and self._now >= self._next_hold:
                yield from self._hold()
            elif stage not in (Stage.HELD, Stage.ACCEPTED, Stage.GOING) and self._wishes_differ():
                yield from self._apply_wishes()
            elif self._ring_kept and stage is None and self._notes.confirmed:
                return
            elif self._notes.faulty and self._now >= self._next_self_check:
                yield from self._look_for_recovery()
            elif self._taking and stage is None and self._now >= self._next_watch:
                if not (yield from self._is_still_on()):
                    return
            elif self._now >= self._next_poll:
                ring = yield from self._read_ring()
                if not self._take_in(ring) or self._is_out_of_patience():
                    return
            else:
                yield Pause(self._next_poll - self._now, orders_end_it=True)

    def _accept(self) -> Talk[None]:
        """Route the note to the stacker; whatever becomes of the answer, only the events say how it ends."""
        self._notes.route()
        self._staged_at = self._now
        reply = yield Ask(Header.ROUTE, bytes((Route.STACK,)), once=True)
        if reply is None:
            yield from self._make_sure_of_the_note()
        elif _refused(reply):
            self._next_route = self._now + AGAIN_S
            self._notes.route_failed(tired=self._now >= self._held_since + self._longest_hold_s)

    def _make_sure_of_the_note(self) -> Talk[None]:
        """Nobody answered to a route. Said again it could let in a later note, unless that is kept out first."""
        yield from ask(Header.SET_MASTER_INHIBIT, b"\0")
        ring = yield from self._read_ring()
        if ring == self._known:
            self._notes.route_failed(tired=False)
        self._applied = None

    def _give_back(self) -> Talk[None]:
        reply = yield from ask(Header.ROUTE, bytes((Route.RETURN,)))
        if _refused(reply):
            self._next_route = self._now + AGAIN_S
        else:
            self._notes.given_back()
            self._staged_at = self._next_poll = self._now

    def _hold(self) -> Talk[None]:
        """Extend the escrow; a note that has left it by itself is on its way back."""
        if self._now >= self._held_since + self._longest_hold_s:
            self._notes.order_return()
            return
        reply = yield from ask(Header.ROUTE, bytes((Route.HOLD,)))
        self._next_hold = self._now + self._hold_interval_s
        if reply.data[:1] == bytes((ESCROW_EMPTY,)):
            self._notes.given_back()
            self._staged_at = self._now

    def _is_out_of_patience(self) -> bool:
        """Whether a note is in doubt: a new start says so. The time begins anew with the end of a jam."""
        stage = self._notes.stage
        if stage is Stage.STACKING and Trouble.JAM in self._notes.levels:
            self._staged_at = self._now
        patience_s = self._patience_s.get(stage) if stage else None
        if patience_s is None or self._now < self._staged_at + patience_s:
            return False
        self._note_astray = stage is Stage.STACKING
        self._notes.give_up(f"its end was not told within {patience_s:g} s")
        return True

    def _fitting(self) -> frozenset[int]:
        """The types wanted that the unit has, in the right currency."""
        return self._wanted & {each.number for each in self._channels if self._currency in (None, each.currency)}

    def _wishes(self) -> frozenset[int]:
        """What the unit shall take now: nothing while a note is under way or not yet confirmed."""
        return self._fitting() if self._notes.stage is None and self._notes.confirmed else frozenset()

    def _wishes_differ(self) -> bool:
        return self._applied != self._wishes() and self._now >= self._apply_not_before

    def _apply_wishes(self) -> Talk[None]:
        """Make the unit take what is wanted now; tried again later when it refuses."""
        wishes = self._wishes()
        refusal = yield from self._switch(wishes)
        if refusal is None:
            self._applied = wishes
            self._tell_taking(bool(wishes))
            self._notes.levels.end(Trouble.HARDWARE, _SWITCHING)
            self._next_watch = self._now + WATCH_INTERVAL_S
        else:
            self._applied = None  # half of it may hold, so whatever is wanted next has to be said
            self._apply_not_before = self._now + WATCH_INTERVAL_S
            detail = f"the unit refuses to be switched: {show(refusal)}"
            self._notes.levels.begin(Trouble.HARDWARE, detail, _SWITCHING)

    def _switch(self, types: frozenset[int]) -> Talk[Frame | None]:
        """Let these types through; returns a refusal. A unit that loses its power in between ends up switched off.

        So the escrow mode, which it loses as well, stands between the two commands that only together let notes in.
        """
        replies = [(yield from ask(Header.SET_MASTER_INHIBIT, bytes((bool(types),))))]
        if types:
            replies.append((yield from ask(Header.SET_OPERATING_MODE, bytes((STACKER_AND_ESCROW,)))))
        replies.append((yield from ask(Header.SET_INHIBITS, inhibits(types))))
        return next((reply for reply in replies if reply.header != Answer.OK), None)

    def _is_still_on(self) -> Talk[bool]:
        """Whether a unit that was switched on says so; one that does not has restarted and lost its settings."""
        reply = yield from ask(Header.MASTER_INHIBIT)
        self._next_watch = self._now + WATCH_INTERVAL_S
        return reply.header != Answer.OK or reply.data[:1] != b"\0"

    def _look_for_recovery(self) -> Talk[None]:
        """The ring tells when a fault begins; that it is over only the self-check says."""
        reply = yield from ask(Header.SELF_CHECK)
        self._next_self_check = self._now + SELF_CHECK_INTERVAL_S
        if reply.header == Answer.OK and reply.data[:1] == b"\0":
            self._notes.healthy()

    def _collect(self) -> None:
        self._out.extend(self._notes.events())


def _refused(reply: Frame) -> bool:
    """Whether a route was not carried out although there is a note. An empty escrow is none."""
    return reply.header != Answer.OK or (bool(reply.data) and reply.data[0] != ESCROW_EMPTY)
