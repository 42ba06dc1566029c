"""What the events of a ccTalk bill validator mean for the one note in the path, and for faults.

The note in the path goes through these stages:

    HELD       offered to the cabinet, the escrow extended again and again
    ACCEPTED   the cabinet ordered Stack: our route has still to go out
    STACKING   routed to the stacker; only the unit can say how that ends
    GOING      to be given back: our route has still to go out
    BACK       given back, or gone from escrow by itself; the unit will say so

Rules:
- Only (type, stacked) makes a `Stacked`. It has a receipt, and no further note is let in before it is confirmed: so at
  any time at most one stacked note may be unknown to the cabinet, and it is the last thing that happened to a note.
- No time-out ever turns an accepted note into a returned one.
- After a restart of ours nobody remembers what of the ring was read. What is last is certain: a stacked note with
  nothing of a note after it is the last one that the cabinet ordered in, or one that it has already booked as its
  latest. A return is certain only when the ring still holds all since the last reset and no stacked note among it;
  otherwise a stacked note may have been pushed out by a later one, put in while nobody listened. Where nothing is
  certain nothing is claimed, and the cabinet treats an open intent as a note in doubt.

Knows no headers, no counters, no time and no line.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import count

from drivers.bills.active_faults import ActiveFaults
from drivers.bills.cctalk.codec import OUR_OWN_RETURN, REJECTS, Event, Ring, Status
from drivers.bills.events import BillEvent, Channel, Offered, Rejected, Returned, Stacked, Trouble, TroubleBegan

_PATH, _STACKER, _ANTI_STRING = "path", "stacker", "anti-string"

_BEGINS: Mapping[Status, tuple[Trouble, str, str]] = {
    Status.UNSAFE_JAM: (Trouble.JAM, "where a hand from outside can reach it", _PATH),
    Status.SAFE_JAM: (Trouble.JAM, "deep in the unit, where no hand from outside reaches it", _PATH),
    Status.STACKER_JAM: (Trouble.JAM, "a note is stuck in the stacker", _STACKER),
    Status.STACKER_BLOCKED: (Trouble.JAM, "the stacker is blocked", _STACKER),
    Status.STACKER_REMOVED: (Trouble.CASHBOX_REMOVED, "", _STACKER),
    Status.STACKER_FULL: (Trouble.STACKER_FULL, "", _STACKER),
    Status.STACKER_FAULTY: (Trouble.HARDWARE, "the stacker is faulty", _STACKER),
    Status.ANTI_STRING_FAULTY: (Trouble.HARDWARE, "the anti-string mechanism is faulty", _ANTI_STRING),
}
"""Faults that last: what begins, the detail, the cause."""

_ENDS: Mapping[Status, tuple[Trouble, ...]] = {
    Status.STACKER_OK: (Trouble.CASHBOX_REMOVED, Trouble.STACKER_FULL, Trouble.JAM, Trouble.HARDWARE),
    Status.STACKER_INSERTED: (Trouble.CASHBOX_REMOVED, Trouble.STACKER_FULL),
}
"""Faults of the stacker that are over with these."""

_FRAUDS: Mapping[Status, str] = {
    Status.PULLED_BACK: "a note was pulled back",
    Status.TAMPER: "the acceptor was tampered with",
    Status.OPTICAL_FRAUD: "the sensors were deceived",
    Status.STRING_FRAUD: "a note on a string",
}


class Stage(Enum):
    """Where the note in the path stands."""

    HELD = auto()
    ACCEPTED = auto()
    STACKING = auto()
    GOING = auto()
    BACK = auto()


@dataclass(slots=True, kw_only=True)
class _Note:
    """The note in the path; `offered`: the cabinet knows of it, from us or from before our restart."""

    channel: int
    offered: bool
    stage: Stage


class Notes:
    """Memory of one acceptor's notes; it outlives the line."""

    def __init__(self) -> None:
        self.levels = ActiveFaults(named_once=(Trouble.CASHBOX_REMOVED, Trouble.STACKER_FULL))
        self._values: dict[int, int] = {}
        self._note: _Note | None = None
        self._unconfirmed: set[int] = set()
        self._receipts = count(1)
        self._starting = True
        self._out: list[BillEvent] = []

    @property
    def stage(self) -> Stage | None:
        """Where the note in the path stands; None without one."""
        return self._note.stage if self._note else None

    @property
    def confirmed(self) -> bool:
        """Every stacked note is durable in the cabinet."""
        return not self._unconfirmed

    @property
    def faulty(self) -> bool:
        """A fault stands whose end the ring will not tell."""
        return Trouble.JAM in self.levels or Trouble.HARDWARE in self.levels

    def know_channels(self, channels: Iterable[Channel]) -> None:
        """The note values of the device."""
        self._values = {channel.number: channel.value_cents for channel in channels}

    def begin_start_up(self) -> None:
        """The device is being started (again)."""
        self._starting = True

    def finish_start_up(self) -> None:
        """The device is well and has reported all it had kept; a note still unknown by now is not reported in time."""
        for trouble in (Trouble.LINK, Trouble.WRONG_DEVICE, Trouble.HARDWARE, Trouble.JAM):
            self.levels.end(trouble)
        self.levels.answer_again()
        self._starting = False
        self._note = None

    def lose_contact(self) -> None:
        """Line or device are silent: a note that was not routed yet goes back, whatever was decided."""
        if self._note and self._note.stage in (Stage.HELD, Stage.ACCEPTED):
            self._note.stage = Stage.GOING

    def lose(self, detail: str) -> None:
        """Alarm: events are lost that may have been about money."""
        self._out.append(TroubleBegan(trouble=Trouble.LOST_EVENTS, detail=detail))

    def give_up(self, why: str) -> None:
        """Nobody will say any more what became of the note; alarm if the cabinet waits for it."""
        note, self._note = self._note, None
        if note is not None and note.offered:
            self.lose(f"the note of type {note.channel}: {why}")

    def order_stack(self) -> None:
        """The cabinet takes the note, if there is one to take."""
        self._move(Stage.ACCEPTED, only_from=(Stage.HELD,))

    def order_return(self) -> None:
        """The note shall go back, if it still can."""
        self._move(Stage.GOING, only_from=(Stage.HELD,))

    def route(self) -> None:
        """Our route to the stacker goes out now; from here on only the unit knows."""
        self._move(Stage.STACKING, only_from=(Stage.ACCEPTED,))

    def route_failed(self, *, tired: bool) -> None:
        """The unit refused to stack: try again, or when tired of trying give the note back."""
        self._move(Stage.GOING if tired else Stage.ACCEPTED, only_from=(Stage.STACKING,))

    def given_back(self) -> None:
        """The note left escrow by our route back or by itself; one that was routed to the stacker did not."""
        self._move(Stage.BACK, only_from=(Stage.HELD, Stage.GOING))

    def confirm(self, receipt: int) -> None:
        """The event with this receipt is durable now."""
        self._unconfirmed.discard(receipt)

    def healthy(self) -> None:
        """The unit's self-check finds nothing wrong."""
        self.levels.end(Trouble.JAM)
        self.levels.end(Trouble.HARDWARE)

    def recover(self, ring: Ring) -> None:
        """Read a ring of which nobody knows how much was read before; see the module's head for what is claimed."""
        for event in ring.events:
            if event.status is not None:
                self._watch_levels(event.status)
        told = [event for event in ring.events if event.of_a_note]
        never_stacked = ring.whole and not any(event.stacked for event in told)
        if told and told[-1].stacked:
            self._take_stacked(told[-1].first)
        elif told and told[-1].escrow:
            self._note = _Note(channel=told[-1].first, offered=never_stacked, stage=Stage.GOING)
        elif told and never_stacked:
            self._out.append(Returned(recovered=True))
        self._collect_edges()

    def take_in(self, events: Iterable[Event], *, allowed: frozenset[int], unbroken: bool = True) -> None:
        """Digest new events, oldest first. `allowed`: the types now wanted.

        Not `unbroken`: the device has lost its memory, or events before these are lost. A note whose end is not among
        them is forgotten, as nobody will say where it went; the cabinet treats its open intent as a note in doubt.
        """
        before = self._note
        for event in events:
            if event.stacked:
                self._take_stacked(event.first)
            elif event.escrow:
                self._take_escrow(event.first, allowed)
            elif event.status is not None:
                self._take_status(event.status)
            else:
                self.lose(f"unknown event ({event.first},{event.second})")
            self._collect_edges()
        if not unbroken and self._note is before:
            self._note = None

    def events(self) -> list[BillEvent]:
        """What has happened since the last call, in order."""
        self._collect_edges()
        out, self._out = self._out, []
        return out

    def _move(self, stage: Stage, *, only_from: tuple[Stage, ...]) -> None:
        if self._note is not None and self._note.stage in only_from:
            self._note.stage = stage

    def _take_stacked(self, channel: int) -> None:
        self._note = None
        self.levels.end(Trouble.JAM, _PATH)
        receipt = next(self._receipts)
        self._unconfirmed.add(receipt)
        self._out.append(
            Stacked(channel=channel, value_cents=self._values.get(channel), receipt=receipt, recovered=self._starting)
        )

    def _take_escrow(self, channel: int, allowed: frozenset[int]) -> None:
        self._close_unresolved()
        self.levels.end(Trouble.JAM, _PATH)
        if self._starting or channel not in allowed:
            self._note = _Note(channel=channel, offered=False, stage=Stage.GOING)
        else:
            self._note = _Note(channel=channel, offered=True, stage=Stage.HELD)
            self._out.append(Offered(channel=channel, value_cents=self._values.get(channel, 0)))

    def _close_unresolved(self) -> None:
        """Another note is in escrow, so the one before has left the path; say what became of it."""
        if self.stage is Stage.STACKING:
            self.give_up("accepted, and its end was never told")
        elif self._note is not None and self._note.offered:
            self._out.append(Returned(recovered=self._starting))

    def _take_status(self, status: Status) -> None:
        self._watch_levels(status)
        if status is Status.RETURNED:
            self._take_returned()
        elif status in REJECTS:
            self._out.append(Rejected(code=status, reason=REJECTS[status]))
        elif status in _FRAUDS:
            self._out.append(TroubleBegan(trouble=Trouble.CHEAT, detail=_FRAUDS[status]))
        elif status is Status.TICKET_READ:
            self._note = self._note or _Note(channel=0, offered=False, stage=Stage.GOING)

    def _take_returned(self) -> None:
        note, self._note = self._note, None
        self.levels.end(Trouble.JAM, _PATH)
        if note is not None and note.offered:
            self._out.append(Returned(recovered=self._starting))
        else:
            self._out.append(Rejected(code=OUR_OWN_RETURN, reason="sent back by the cabinet"))

    def _watch_levels(self, status: Status) -> None:
        if status in _BEGINS:
            trouble, detail, cause = _BEGINS[status]
            self.levels.begin(trouble, detail, cause)
        for trouble in _ENDS.get(status, ()):
            self.levels.end(trouble, _STACKER)

    def _collect_edges(self) -> None:
        self._out.extend(self.levels.edges())
