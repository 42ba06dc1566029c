"""ID-003, the serial protocol of JCM's note acceptors (UBA, iVIZION, iPRO, Vega, DBV, TBV, WBA).

    host  FC len command ... crc crc        one command, then wait for the answer
    unit  FC len state|echo ... crc crc

Who sends: the unit only replies (communication mode "poll"). Repeats: a command without answer goes out again after
0.3 s. Frames carry no number, so an answer may belong to an earlier command of its kind: the outcome of a note comes
from states only, and a setting counts only when its echo equals what was sent.

Start-up: version first, because a status request looks exactly like "idle", and a line with an echo would pass for a
unit -> status. In a power-up state (40, 41, 42): RESET. In any other state the unit has kept its power, and a reset
would lose a credit it still has to send (15); so it may finish first, and notes in escrow go back. At rest: table of
notes -> settings, each checked by its echo -> `Started` -> denominations and inhibit of the last `Take` -> status
every `poll_interval_s`. A power-up or initialising state while running starts the unit again. A version text other
than the first one seen is an alarm.

Escrow: 13 is `Offered`. HOLD goes out every `hold_interval_s` until Stack (STACK-2, which sends its credit
only when the note is stored) or Return is ordered. A status request accepts nothing. Without a decision a
note goes back after `longest_hold_s`; notes and tickets that are not enabled go back at once. Escrow code
6F is a ticket, followed by its number: `TicketOffered`. A unit that refuses the ticket settings (C6, C7)
has no reader: `Started(reads_tickets=False)`.

Acknowledgement: the unit shows VEND VALID (15) until the ack (50), which is sent only after `Confirm(receipt)`; no
frame answers the ack. The 15 does not name the note: it has the value seen in escrow, or None after a restart of the
host, when the cabinet uses its own record. Re-reported after power-up: 42, the note is in the stacker; it is
`Stacked(recovered)` at once, and RESET waits for `Confirm`, so that the unit reports it again after a crash of the
cabinet. 41, the note comes out; it is `Returned(recovered)` when it is out. 40 says nothing about a note that was on
its way.

Faults: the unit shows a jam or a failure until an attendant clears it and switches the unit off and on; the host does
not reset it. A unit that stacks for longer than `stacking_patience_s` is jammed.

Not known: how long a HOLD lasts (sent again every 3 s); whether a unit sends a 15 after a 42 (both are
handled); the currency of a country number that the settings do not give: a table of one country counts as the
cabinet's own currency.

Source: JCM, ID-003 communication specification, as open implementations have it. Knows no credit, no line.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.bills.active_faults import StackerWatch
from drivers.bills.conversation import Ask, Pause, Send, SilentError, Talk, UnfitError
from drivers.bills.conversation_host import ECHO, ConversationHost, Timing
from drivers.bills.events import Take, Trouble
from drivers.bills.id003.codec import (
    AT_REST,
    INDISPENSABLE,
    INHIBIT,
    NOTES_AND_TICKETS,
    NOTES_BUT_NO_TICKETS,
    POWER_UPS,
    REFUSED,
    SETTINGS,
    TAKE_NOTES,
    TICKET_SETTINGS,
    Command,
    State,
    denominations,
    is_answer,
    name_channels,
    read_note_table,
    read_status,
)
from drivers.bills.id003.frame import Decoder, Frame, encode
from drivers.bills.id003.notes import Notes
from drivers.bills.path_notes import Stage
from drivers.protocol import LineSettings, Parity

LINE = LineSettings(baud=9600, parity=Parity.EVEN)
_CHECK = "check power, cable, and that the unit is set to ID-003, 9600 baud, even parity"
VERSION_REPEATS = 3
REFUSALS = 10

_Answer = Talk[Frame, Frame]
_Steps = Talk[Frame, None]


class _PowerLostError(Exception):
    """The unit shows a power-up state during its start-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Id003Timing(Timing):
    """The waits of the host."""

    poll_interval_s: float = 0.15
    reply_timeout_s: float = 0.3
    repeats: int = 10


class Id003Protocol(ConversationHost[Frame]):
    """The host's side of one ID-003 note acceptor; a `WireProtocol[BillEvent, BillOrder]`.

    `currency`: only channels of this ISO code are accepted. `countries` gives the currency of each country number in
    the unit's table, needed only for tables of several countries.
    """

    _notes: Notes

    def __init__(
        self,
        *,
        currency: str | None = None,
        countries: Mapping[int, str] | None = None,
        timing: Id003Timing = Id003Timing(),
    ) -> None:
        super().__init__(line=LINE, name="ID-003", hint=_CHECK, notes=Notes(), timing=timing, currency=currency)
        self._countries = countries or {}
        self._decoder = Decoder()
        self._stacker = StackerWatch(self._notes.faults, patience_s=timing.stacking_patience_s)
        self._question = Command.STATUS
        self._model = ""
        self._lets_tickets_in = False

    def _forget_frame(self) -> None:
        self._decoder.forget()

    def _read_answer(self, data: bytes) -> Frame | None:
        """Returns the answer. Frames behind it do not count: they were sent before the next question."""
        asking, frames = self._conversation.is_asking, self._decoder.feed(data)
        return next((frame for frame in frames if asking and is_answer(self._question, frame.code)), None)

    def _ask(self, command: Command, data: bytes = b"", *, repeats: int | None = None) -> _Answer:
        self._question = command
        frame = yield Ask(encode(Frame(code=command, data=data)), repeats)
        if frame is None:
            raise SilentError
        return frame

    def _ask_status(self) -> _Steps:
        frame = yield from self._ask(Command.STATUS)
        self._next_poll = self._now + self._timing.poll_interval_s
        status = read_status(frame.code, frame.data)
        if status is None or status.state is State.COMMUNICATION_ERROR:
            return
        before = self._notes.stage
        allowed = self._allowed()
        self._notes.apply(status, allowed=allowed.channels, tickets=allowed.tickets)
        self._stacker.watch(stacking=status.state is State.STACKING, now=self._now)
        self._follow_hold(before)
        self._collect()
        self._watch_enabled(status.state)

    def _start_up(self) -> _Steps:
        """Starts the unit, and again when it loses its power meanwhile."""
        started = False
        while not started:
            self._notes.begin_start_up()
            try:
                yield from self._begin()
                started = True
            except _PowerLostError:
                continue

    def _begin(self) -> _Steps:
        version = yield from self._ask_version(repeats=VERSION_REPEATS)
        if version:
            self._check_identity(version, kind="version ")
        yield from self._ask_status()
        yield from self._come_to(*AT_REST, State.INITIALISING)
        yield from self._read_table()
        yield from self._set_up()
        yield from self._come_to(*AT_REST, already_reset=True)
        if not version:
            version = yield from self._ask_version()
            self._check_identity(version, kind="version ")
        self._report_started(model=self._model, firmware=version, serial="")

    def _ask_version(self, *, repeats: int | None = None) -> Talk[Frame, str]:
        """Reads the version text; empty when the unit does not report it now."""
        try:
            frame = yield from self._ask(Command.VERSION, repeats=repeats)
        except SilentError:
            return ""
        if frame.code == REFUSED:
            return ""
        if not frame.data:
            raise UnfitError(Trouble.LINK, ECHO)
        return "".join(chr(byte) for byte in frame.data if 0x20 <= byte < 0x7F).strip()

    def _come_to(self, *states: State, already_reset: bool = False) -> _Steps:
        """Waits until the unit is in one of these states."""
        while self._notes.state not in states:
            if self._notes.state in POWER_UPS and already_reset:
                raise _PowerLostError
            if self._notes.state in POWER_UPS:
                yield from self._reset()
            elif not (yield from self._act()):
                yield from self._poll_or_wait()

    def _reset(self) -> _Steps:
        """Resets a unit after a power cut; a reported note in the stacker must be durable first."""
        if self._notes.awaits_confirmation:
            yield Pause(self._now + self._timing.poll_interval_s, orders_end_it=True)
            yield from self._ask_status()
        else:
            yield from self._command(Command.RESET)
            yield Pause(self._now + self._timing.poll_interval_s)

    def _insist(self, command: Command, data: bytes = b"", *, refusals: int = REFUSALS) -> _Answer:
        """Repeats a command until the unit accepts it. The unit may refuse while it initialises, and at rest
        `refusals` times."""
        while True:
            frame = yield from self._ask(command, data)
            refusals -= self._notes.state in AT_REST
            if (frame.code == command and data in (b"", frame.data)) or refusals <= 0:
                return frame
            yield Pause(self._now + self._timing.poll_interval_s)
            yield from self._ask_status()
            if self._notes.state in POWER_UPS:
                raise _PowerLostError

    def _read_table(self) -> _Steps:
        frame = yield from self._insist(Command.NOTE_TABLE)
        table = read_note_table(frame.data) if frame.code == Command.NOTE_TABLE else None
        if table is None:
            raise UnfitError(Trouble.HARDWARE, f"not a table of notes: {frame.data.hex(' ').upper() or 'refused'}")
        named = name_channels(table, currency=self._currency, countries=self._countries)
        numbers = ", ".join(f"{country:02X}" for country in sorted({note.country for note in table})) or "none"
        why_unfit = f"none of the notes (countries {numbers}) is known as {self._currency}"
        self._use_channels(named or (), why_unfit=why_unfit)
        self._model = f"ID-003 note acceptor, countries {numbers}"

    def _set_up(self) -> _Steps:
        """Sends every setting and checks its echo; a unit may refuse a setting that it does not know."""
        refusals: set[int] = set()
        for command, data in SETTINGS:
            frame = yield from self._insist(command, data, refusals=REFUSALS if command in INDISPENSABLE else 2)
            refused = frame.code == REFUSED and command not in INDISPENSABLE
            refusals |= {command} if refused else set()
            if not refused and frame != Frame(code=command, data=data):
                answer = encode(frame).hex(" ").upper()
                raise UnfitError(Trouble.HARDWARE, f"the unit refuses setting {command:02X}; it answers {answer}")
        self._reads_tickets, self._lets_tickets_in = not refusals & TICKET_SETTINGS, False

    def _serve(self) -> _Steps:
        """Serves the running unit, the most urgent action first. Returns when the unit needs a new start-up."""
        self._next_poll = self._now
        while self._notes.state not in (*POWER_UPS, State.INITIALISING) and not self._notes.unresolved:
            if (yield from self._act()):
                continue
            if self._notes.state in AT_REST and self._must_switch(self._allowed()):
                yield from self._apply_take()
            else:
                yield from self._poll_or_wait()

    def _act(self) -> Talk[Frame, bool]:
        """Sends what the note in the path needs now. Returns False when it needs nothing."""
        notes, now = self._notes, self._now
        if self._is_held_too_long():
            notes.order_return()
        if notes.return_due:
            yield from self._command(Command.RETURN)
        elif notes.stack_due:
            yield from self._command(Command.STACK_2)
        elif notes.ack_due:
            yield Send(encode(Frame(code=Command.ACK)))
            notes.acknowledged()
            self._next_poll = now + self._timing.poll_interval_s
        elif notes.stage is Stage.HELD and notes.in_escrow and now >= self._next_hold:
            self._next_hold = now + self._timing.hold_interval_s
            yield from self._command(Command.HOLD)
        else:
            return False
        return True

    def _command(self, command: Command) -> _Steps:
        """Sends a command about the note, once: the next state shows whether it is still needed."""
        self._notes.command_sent()
        self._question = command
        yield Ask(encode(Frame(code=command)), 0)
        self._next_poll = self._now

    def _poll_or_wait(self) -> _Steps:
        if self._now < self._next_poll:
            yield Pause(self._next_poll, orders_end_it=True)
        else:
            yield from self._ask_status()

    # Switching on and off.

    def _apply_take(self) -> _Steps:
        """Sets denominations and inhibit as ordered; tries again later when the unit refuses."""
        allowed = self._allowed()
        settings_to_send = [(Command.SET_INHIBIT, TAKE_NOTES if _lets_in(allowed) else INHIBIT)]
        if _lets_in(allowed):
            settings_to_send.insert(0, (Command.SET_DENOMINATIONS, denominations(allowed.channels)))
        if allowed.tickets is not self._lets_tickets_in:
            settings_to_send.insert(
                0, (Command.SET_TICKET_INHIBIT, NOTES_AND_TICKETS if allowed.tickets else NOTES_BUT_NO_TICKETS)
            )
        agreed = True
        for command, data in settings_to_send:
            frame = yield from self._ask(command, data)
            agreed = agreed and frame == Frame(code=command, data=data)
        self._lets_tickets_in = allowed.tickets if agreed else self._lets_tickets_in
        self._switched(allowed, refusal=None if agreed else "")
        self._next_poll = self._now

    def _watch_enabled(self, state: State) -> None:
        """Reports whether the unit accepts notes, and sets it again when it differs from its setting."""
        if self._applied is None or state not in AT_REST:
            return
        wanted, taking = _lets_in(self._applied), state is State.IDLE
        self._report_taking(wanted and taking)
        self._apply_again_if(differs=taking is not wanted)


def _lets_in(take: Take) -> bool:
    """Returns True if any document is enabled."""
    return bool(take.channels) or take.tickets
