"""Applies the events of a ccTalk bill validator to the one note in the path and to faults.

The note in the path goes through these stages:

    HELD       offered to the cabinet; the host extends the escrow
    ACCEPTED   the cabinet ordered Stack; the route is not sent yet
    STACKING   routed to the stacker; only the unit reports the outcome
    GOING      to be returned; the route is not sent yet
    BACK       returned, or gone from escrow by itself; the unit will report it

Rules:
- Only (type, stacked) makes a `Stacked`. It has a receipt, and no further note is accepted before it is confirmed. So
  the cabinet can miss one stacked note at most, and it is the last event of a note in the ring.
- No time-out ever turns an accepted note into a returned one.
- A restarted host does not know which events it has read. Only the last one is certain: a stacked note without a later
  event of a note is the last note that the cabinet accepted, or the last one that it has booked. A return is certain
  only when the ring holds every event since the last reset and none of a stacked note; otherwise a later note may have
  pushed a stacked one out of the ring while the host was off. Without certainty nothing is reported, and the cabinet
  treats an open intent as a note in doubt.

Knows no headers, no counters, no time and no line.
"""

from collections.abc import Iterable, Mapping

from drivers.bills.cctalk.codec import OUR_OWN_RETURN, REJECTS, Event, Ring, Status
from drivers.bills.events import Rejected, Returned, Trouble
from drivers.bills.path_notes import NoteInPath, PathNotes, Stage

_PATH, _STACKER, _ANTI_STRING = "path", "stacker", "anti-string"

_BEGINS: Mapping[Status, tuple[Trouble, str, str]] = {
    Status.UNSAFE_JAM: (Trouble.JAM, "in the outer part of the path, within reach from outside", _PATH),
    Status.SAFE_JAM: (Trouble.JAM, "deep in the unit, out of reach from outside", _PATH),
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
"""Statuses that end the faults of the stacker."""

_FRAUDS: Mapping[Status, str] = {
    Status.PULLED_BACK: "a note was pulled back",
    Status.TAMPER: "the acceptor was tampered with",
    Status.OPTICAL_FRAUD: "the sensors were deceived",
    Status.STRING_FRAUD: "a note on a string",
}


class Notes(PathNotes[NoteInPath]):
    """The notes of one acceptor; kept across a closed line. A note is `offered` by this run or by an earlier one."""

    NAMED_ONCE = (Trouble.CASHBOX_REMOVED, Trouble.STACKER_FULL)
    OVER_WHEN_STARTED = ((Trouble.HARDWARE, None), (Trouble.JAM, None))
    STACK_ORDERED = Stage.ACCEPTED

    def __init__(self) -> None:
        super().__init__()
        self._unconfirmed: set[int] = set()

    @property
    def confirmed(self) -> bool:
        """True if every stacked note is durable in the cabinet."""
        return not self._unconfirmed

    @property
    def faulty(self) -> bool:
        """True if a fault is active whose end the ring does not report."""
        return Trouble.JAM in self.faults or Trouble.HARDWARE in self.faults

    def give_up(self, why: str) -> None:
        """Gives up the note: its outcome stays unknown. Raises the alarm if the cabinet waits for it."""
        note, self._note = self._note, None
        if note is not None and note.offered:
            self.report_lost(f"the note of type {note.channel}: {why}")

    def route(self) -> None:
        """Marks the route to the stacker as sent; from here on only the unit reports the outcome."""
        self._move(Stage.STACKING, only_from=(Stage.ACCEPTED,))

    def route_failed(self, *, give_back: bool) -> None:
        """Handles a refused route to the stacker: try again, or return the note if `give_back`."""
        self._move(Stage.GOING if give_back else Stage.ACCEPTED, only_from=(Stage.STACKING,))

    def confirm(self, receipt: int) -> None:
        """Marks the event with this receipt as durable."""
        self._unconfirmed.discard(receipt)

    def end_checked_faults(self) -> None:
        """Ends the faults that the self-check covers; it found none."""
        self.faults.end(Trouble.JAM)
        self.faults.end(Trouble.HARDWARE)

    def recover(self, ring: Ring) -> None:
        """Reads a ring after a restart of the host; the module's head gives what is reported."""
        for event in ring.events:
            if event.status is not None:
                self._watch_faults(event.status)
        reported = [event for event in ring.events if event.of_a_note]
        never_stacked = ring.whole and not any(event.stacked for event in reported)
        if reported and reported[-1].stacked:
            self._on_stacked(reported[-1].first)
        elif reported and reported[-1].escrow:
            self._note = NoteInPath(channel=reported[-1].first, offered=never_stacked, stage=Stage.GOING)
        elif reported and never_stacked:
            self._out.append(Returned(recovered=True))
        self._collect_edges()

    def apply(self, events: Iterable[Event], *, allowed: frozenset[int], unbroken: bool = True) -> None:
        """Applies new events, oldest first. `allowed`: the types enabled now.

        `unbroken` False: the device has lost its memory, or earlier events are lost. A note whose end is not among
        these is dropped; the cabinet treats its open intent as a note in doubt.
        """
        before = self._note
        for event in events:
            if event.stacked:
                self._on_stacked(event.first)
            elif event.escrow:
                self._on_escrow(event.first, allowed)
            elif event.status is not None:
                self._on_status(event.status)
            else:
                self.report_lost(f"unknown event ({event.first},{event.second})")
            self._collect_edges()
        if not unbroken and self._note is before:
            self._note = None

    def _on_stacked(self, channel: int) -> None:
        self._note = None
        self.faults.end(Trouble.JAM, _PATH)
        receipt = next(self._receipts)
        self._unconfirmed.add(receipt)
        self._report_stacked(channel, receipt=receipt, recovered=self._starting)

    def _on_escrow(self, channel: int, allowed: frozenset[int]) -> None:
        self._close_earlier()
        self.faults.end(Trouble.JAM, _PATH)
        if self._starting or channel not in allowed:
            self._note = NoteInPath(channel=channel, stage=Stage.GOING)
        else:
            self._offer(NoteInPath(channel=channel, stage=Stage.HELD))

    def _report_lost_note(self, note: NoteInPath) -> None:
        self.report_lost(f"the note of type {note.channel}: accepted, and its outcome was never reported")

    def _on_status(self, status: Status) -> None:
        self._watch_faults(status)
        if status is Status.RETURNED:
            self._on_returned()
        elif status in REJECTS:
            self._out.append(Rejected(code=status, reason=REJECTS[status]))
        elif status in _FRAUDS:
            self._report_fraud(_FRAUDS[status])
        elif status is Status.TICKET_READ:
            self._note = self._note or NoteInPath(channel=0, stage=Stage.GOING)

    def _on_returned(self) -> None:
        note, self._note = self._note, None
        self.faults.end(Trouble.JAM, _PATH)
        offered = note is not None and note.offered
        self._report_back(offered=offered, code=OUR_OWN_RETURN, reason="sent back by the cabinet")

    def _watch_faults(self, status: Status) -> None:
        if status in _BEGINS:
            trouble, detail, cause = _BEGINS[status]
            self.faults.begin(trouble, detail, cause)
        for trouble in _ENDS.get(status, ()):
            self.faults.end(trouble, _STACKER)
