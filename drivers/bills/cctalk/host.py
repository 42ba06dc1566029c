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
from drivers.bills.conversation import FIRST_PAUSE_S, LONGEST_PAUSE_S, SilentError, UnfitError
from drivers.bills.events import BillEvent, BillOrder, Channel, Enabled, Return, Stack, Started, Take, Trouble
from drivers.bills.protocol_sniffer import ProtocolSniffer
from drivers.protocol import Confirm, LineSettings

LINE = LineSettings(baud=9600)
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

    `currency`: only note types of this ISO code are accepted.
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
        self._sniffer = ProtocolSniffer(ours="ccTalk")
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
        """Begins the start-up."""
        self._lose_contact()
        self._now = now
        self._exchange.forget()
        self._talk = self._converse()
        self._resume(None)

    def closed(self, now: float) -> None:
        """Handles a closed line; keeps what is known of notes and counters."""
        self._now = now
        self._lose_contact()
        self._exchange.forget()
        self._talk = self._pause = None
        self._notes.levels.fall_silent(Trouble.LINK, "the line is gone")
        self._collect()

    def receive(self, data: bytes, now: float) -> None:
        """Handles received bytes."""
        self._now = now
        reply = self._exchange.receive(data, now)
        if reply is None:
            self._sniffer.feed(data)
            return
        self._sniffer.forget()
        self._resume(reply)

    def order(self, order: BillOrder, now: float) -> None:
        """Applies an order. Stack and Return count only while a note is held; Take and Confirm always."""
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
        """Repeats a command, gives it up, or continues after a pause."""
        self._now = now
        self._exchange.tick(now)
        if self._exchange.silent:
            self._exchange.silent = False
            self._resume(None)
        elif self._pause is not None and now >= self._pause_ends:
            self._resume(None)

    def due(self) -> float | None:
        """Returns when the next repeat, poll, hold or attempt is due."""
        return self._pause_ends if self._pause is not None else self._exchange.due()

    def bytes_to_send(self) -> bytes:
        """Returns the command to send."""
        return self._exchange.bytes_to_send()

    def events(self) -> list[BillEvent]:
        """Returns the events since the last call, each once."""
        self._collect()
        out, self._out = self._out, []
        return out

    # The conversation: a generator that yields a command or a pause and is resumed with the reply.

    def _resume(self, reply: Frame | None) -> None:
        """Runs the next step of the conversation. None after an `Ask` means that no reply came."""
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
                self._notes.levels.fall_silent(*self._sniffer.find_fault(otherwise=self._exchange.why_silent))
            except UnfitError as unfit:
                self._notes.levels.fall_silent(unfit.trouble, str(unfit))
            self._lose_contact()
            yield Pause(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _lose_contact(self) -> None:
        self._notes.lose_contact()
        self._report_taking(None)
        self._applied = None

    def _report_taking(self, taking: bool | None) -> None:
        """Reports whether the unit accepts notes; None: it no longer replies, so it accepts none."""
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
        self._notes.set_channels(self._channels)
        self._apply_first(ring)
        yield from self._read_kept_events()
        yield from self._empty_ring()
        yield from check_itself()
        yield from set_mode()
        firmware = yield from read_firmware()
        longest_s = yield from read_poll_interval()
        self._poll_interval_s = min(self._poll_interval_s, longest_s or self._poll_interval_s)
        self._report_started(unit, firmware)

    def _find_unit(self) -> Talk[None]:
        """Polls with the last working check sum, then with the other one."""
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
        """Reads the events; new ones count after two equal reads in a row."""
        ring = yield from read_events()
        while ring != self._known:
            again = yield from read_events()
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
            self._notes.lose(
                f"the unit has restarted, or more than {RING_SIZE} events came since its counter was {before.counter}:"
                f" {ring}; a note may lie in its box uncounted"
            )
        new = count_new(before.counter, ring.counter) if unbroken else ring.counter if ring.whole else RING_SIZE
        stage = self._notes.stage
        events = ring.events[RING_SIZE - min(new, RING_SIZE) :]
        if self._note_astray and any(event.of_a_note for event in events):
            self._note_astray, self._ring_kept = False, True
        self._notes.apply(events, allowed=self._fitting(), unbroken=unbroken)
        if stage is not Stage.HELD and self._notes.stage is Stage.HELD:
            self._held_since = self._next_hold = self._next_route = self._now
        return unbroken

    def _read_kept_events(self) -> Talk[None]:
        """Reads events until the path is empty and every reported event is confirmed."""
        patience_until = self._now + START_UP_PATIENCE_S
        while (self._notes.stage and self._now < patience_until) or not self._notes.confirmed:
            if self._notes.stage is Stage.GOING:
                yield from self._give_back()
            yield Pause(self._poll_interval_s, orders_end_it=True)
            ring = yield from self._read_ring()
            self._apply(ring)

    def _empty_ring(self) -> Talk[None]:
        """Resets the unit so that a restarted host does not find settled notes again; not while a note may move."""
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
        self._apply(ring)

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
        """Serves the running unit, the most urgent action first. Returns when the start-up must run again."""
        self._next_poll = self._next_watch = self._apply_not_before = self._now
        while True:
            stage = self._notes.stage
            if stage is Stage.GOING and self._now >= self._next_route:
                yield from self._give_back()
            elif stage is Stage.ACCEPTED and self._now >= self._next_route:
                yield from self._accept()
            elif stage is Stage.HELD and self._now >= self._next_hold:
                yield from self._hold()
            elif stage not in (Stage.HELD, Stage.ACCEPTED, Stage.GOING) and self._take_differs():
                yield from self._apply_take()
            elif self._ring_kept and stage is None and self._notes.confirmed:
                return
            elif self._notes.faulty and self._now >= self._next_self_check:
                yield from self._check_recovery()
            elif self._taking and stage is None and self._now >= self._next_watch:
                if not (yield from self._is_still_on()):
                    return
            elif self._now >= self._next_poll:
                ring = yield from self._read_ring()
                if not self._apply(ring) or self._is_out_of_patience():
                    return
            else:
                yield Pause(self._next_poll - self._now, orders_end_it=True)

    def _accept(self) -> Talk[None]:
        """Routes the note to the stacker. Only the events show the outcome, with or without a reply."""
        self._notes.route()
        self._staged_at = self._now
        reply = yield Ask(Header.ROUTE, bytes((Route.STACK,)), once=True)
        if reply is None:
            yield from self._confirm_route()
        elif _refused(reply):
            self._next_route = self._now + AGAIN_S
            self._notes.route_failed(tired=self._now >= self._held_since + self._longest_hold_s)

    def _confirm_route(self) -> Talk[None]:
        """Handles a route without a reply. A repeat could stack a later note, so notes are inhibited first."""
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
        """Extends the escrow; a note that has left escrow by itself is on its way back."""
        if self._now >= self._held_since + self._longest_hold_s:
            self._notes.order_return()
            return
        reply = yield from ask(Header.ROUTE, bytes((Route.HOLD,)))
        self._next_hold = self._now + self._hold_interval_s
        if reply.data[:1] == bytes((ESCROW_EMPTY,)):
            self._notes.given_back()
            self._staged_at = self._now

    def _is_out_of_patience(self) -> bool:
        """Whether the note has taken too long: a new start-up reports it as in doubt. A jam restarts the time."""
        stage = self._notes.stage
        if stage is Stage.STACKING and Trouble.JAM in self._notes.levels:
            self._staged_at = self._now
        patience_s = self._patience_s.get(stage) if stage else None
        if patience_s is None or self._now < self._staged_at + patience_s:
            return False
        self._note_astray = stage is Stage.STACKING
        self._notes.give_up(f"its outcome was not reported within {patience_s:g} s")
        return True

    def _fitting(self) -> frozenset[int]:
        """Returns the ordered types that the unit has in the right currency."""
        return self._wanted & {each.number for each in self._channels if self._currency in (None, each.currency)}

    def _types_to_enable(self) -> frozenset[int]:
        """Returns the types to enable now: none while a note is in the path or not yet confirmed."""
        return self._fitting() if self._notes.stage is None and self._notes.confirmed else frozenset()

    def _take_differs(self) -> bool:
        return self._applied != self._types_to_enable() and self._now >= self._apply_not_before

    def _apply_take(self) -> Talk[None]:
        """Sets the inhibits as ordered; tries again later when the unit refuses."""
        types = self._types_to_enable()
        refusal = yield from self._switch(types)
        if refusal is None:
            self._applied = types
            self._report_taking(bool(types))
            self._notes.levels.end(Trouble.HARDWARE, _SWITCHING)
            self._next_watch = self._now + WATCH_INTERVAL_S
        else:
            self._applied = None  # a part may have been applied, so the next setting must be sent
            self._apply_not_before = self._now + WATCH_INTERVAL_S
            detail = f"the unit refuses to be switched: {show(refusal)}"
            self._notes.levels.begin(Trouble.HARDWARE, detail, _SWITCHING)

    def _switch(self, types: frozenset[int]) -> Talk[Frame | None]:
        """Enables these types. Returns the refusing reply, or None. A power cut in between leaves the unit inhibited.

        The escrow mode, which a power cut resets too, is set between the two commands that enable notes together.
        """
        replies = [(yield from ask(Header.SET_MASTER_INHIBIT, bytes((bool(types),))))]
        if types:
            replies.append((yield from ask(Header.SET_OPERATING_MODE, bytes((STACKER_AND_ESCROW,)))))
        replies.append((yield from ask(Header.SET_INHIBITS, inhibits(types))))
        return next((reply for reply in replies if reply.header != Answer.OK), None)

    def _is_still_on(self) -> Talk[bool]:
        """Whether an enabled unit reports that it is enabled; otherwise it has restarted and lost its settings."""
        reply = yield from ask(Header.MASTER_INHIBIT)
        self._next_watch = self._now + WATCH_INTERVAL_S
        return reply.header != Answer.OK or reply.data[:1] != b"\0"

    def _check_recovery(self) -> Talk[None]:
        """Runs the self-check: the ring reports only the begin of a fault, the self-check its end."""
        reply = yield from ask(Header.SELF_CHECK)
        self._next_self_check = self._now + SELF_CHECK_INTERVAL_S
        if reply.header == Answer.OK and reply.data[:1] == b"\0":
            self._notes.healthy()

    def _collect(self) -> None:
        self._out.extend(self._notes.events())


def _refused(reply: Frame) -> bool:
    """Whether the unit refused a route although a note is there. An empty escrow is no refusal."""
    return reply.header != Answer.OK or (bool(reply.data) and reply.data[0] != ESCROW_EMPTY)
