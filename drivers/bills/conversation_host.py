"""The shell that the hosts of bill acceptors share: line, orders, events, and the conversation with the unit.

    AcceptorHost        the events, what is ordered, and whether the unit accepts notes
    ConversationHost    also the conversation, for units that send only when asked

A protocol derives its host from one of them and adds what its unit must be asked, `_start_up` and `_serve`, and how
an answer is read. Its notes derive from `drivers.bills.path_notes`.

Rules:
- After an opened line the start-up runs; then the unit is served until the protocol wants a new start-up. A silent or
  unfit unit is a fault, and the start-up runs again after a pause.
- Without contact the unit counts as not accepting notes, and what it was set to is unknown.
- A unit other than the first one seen is a fault, and so is one without a note in the expected currency.
- Stack and Return count only while a note is held; Take and Confirm always.

Knows no wire protocol and no line.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Generic, assert_never

from drivers.bills.active_faults import STACKING_PATIENCE_S
from drivers.bills.conversation import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    AnswerT,
    Conversation,
    SilentError,
    Talk,
    UnfitError,
    keep_talking,
)
from drivers.bills.events import (
    TAKE_NOTHING,
    BillEvent,
    BillOrder,
    Channel,
    Enabled,
    Return,
    Stack,
    Started,
    Take,
    Trouble,
)
from drivers.bills.path_notes import PathNotes, Stage
from drivers.bills.protocol_sniffer import ProtocolSniffer
from drivers.protocol import Confirm, LineSettings

ECHO = "the line gives back what is sent; take out the loop-back plug or the adapter's echo"
_SWITCHING = "switching"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The waits of a host, in seconds, and the repeats of a question without answer.

    Without a decision a note goes back after `longest_hold_s`; a stacker that needs longer than `stacking_patience_s`
    is jammed. Settings that the unit does not apply are sent again after `apply_again_s`. The pauses are those between
    two attempts to start the unit.
    """

    poll_interval_s: float = 0.2
    reply_timeout_s: float = 1.0
    repeats: int = 5
    hold_interval_s: float = 3.0
    longest_hold_s: float = 30.0
    stacking_patience_s: float = STACKING_PATIENCE_S
    apply_again_s: float = 2.0
    first_pause_s: float = FIRST_PAUSE_S
    longest_pause_s: float = LONGEST_PAUSE_S


class AcceptorHost(ABC):
    """The events of a host and what the cabinet has ordered. `currency`: only notes of this ISO code are accepted."""

    def __init__(self, *, line: LineSettings, currency: str | None = None) -> None:
        self._line = line
        self._currency = currency
        self._channels: tuple[Channel, ...] = ()
        self._wanted = TAKE_NOTHING
        self._taking: bool | None = None
        self._out: list[BillEvent] = []

    @property
    def line(self) -> LineSettings:
        """The settings that the line must have."""
        return self._line

    def events(self) -> list[BillEvent]:
        """Returns the events since the last call, each once."""
        self._collect()
        out, self._out = self._out, []
        return out

    @abstractmethod
    def _collect(self) -> None:
        """Moves the events of the notes and of the faults to the events of the host."""

    def _fitting(self) -> frozenset[int]:
        """Returns the ordered channels that the unit has in the right currency."""
        ours = {each.number for each in self._channels if self._currency in (None, each.currency)}
        return self._wanted.channels & ours

    def _report_taking(self, taking: bool | None) -> None:
        """Reports whether the unit accepts notes; None: it no longer answers, so it accepts none."""
        if taking is not self._taking and (taking is not None or self._taking):
            self._out.append(Enabled(taking=bool(taking)))
        self._taking = taking


class ConversationHost(AcceptorHost, Generic[AnswerT]):
    """The host of a unit that sends only when asked; a `WireProtocol[BillEvent, BillOrder]`.

    `name` is the protocol in messages, `hint` says what to check when no byte comes.
    """

    def __init__(
        self, *, line: LineSettings, name: str, hint: str, notes: PathNotes[Any], timing: Timing, currency: str | None
    ) -> None:
        super().__init__(line=line, currency=currency)
        self._hint = hint
        self._notes = notes
        self._timing = timing
        self._sniffer = ProtocolSniffer(ours=name)
        self._conversation: Conversation[AnswerT] = Conversation(
            reply_timeout_s=timing.reply_timeout_s, repeats=timing.repeats
        )
        self._identity: str | None = None
        self._reads_tickets = False
        self._applied: Take | None = None
        self._applied_at = self._apply_not_before = 0.0
        self._next_poll = self._next_hold = self._held_since = 0.0

    @property
    def _now(self) -> float:
        return self._conversation.now

    def opened(self, now: float) -> None:
        """Begins the start-up."""
        self._lose_contact()
        self._forget_frame()
        self._sniffer.forget()
        talk = keep_talking(
            self._conversation,
            start_up=self._start_up,
            serve=self._serve_until_lost,
            give_up=self._give_up,
            first_pause_s=self._timing.first_pause_s,
            longest_pause_s=self._timing.longest_pause_s,
        )
        self._conversation.begin(talk, now)

    def closed(self, now: float) -> None:
        """Handles a closed line; keeps what is known of notes and credits."""
        self._conversation.now = now
        self._lose_contact()
        self._forget_frame()
        self._conversation.stop()
        self._notes.faults.fall_silent(Trouble.LINK, "the line is gone")

    def receive(self, data: bytes, now: float) -> None:
        """Handles received bytes."""
        self._conversation.now = now
        self._sniffer.feed(data)
        answer = self._read_answer(data)
        if answer is not None:
            self._sniffer.forget()
            self._conversation.answer(answer, now)

    def order(self, order: BillOrder, now: float) -> None:
        """Applies an order. Stack and Return count only while a note is held; Take and Confirm always."""
        match order:
            case Stack():
                if self._notes.order_stack():
                    self._on_decision()
            case Return():
                if self._notes.order_return():
                    self._on_decision()
            case Take():
                self._wanted = order
                self._apply_not_before = now
            case Confirm(receipt=receipt):
                self._notes.confirm(receipt)
            case _:
                assert_never(order)
        self._conversation.notice_order(now)

    def tick(self, now: float) -> None:
        """Repeats a question, gives it up, or continues after a pause."""
        if self._conversation.tick(now):
            self._forget_frame()

    def due(self) -> float | None:
        """Returns when the next repeat, poll, hold or attempt is due."""
        return self._conversation.due()

    def bytes_to_send(self) -> bytes:
        """Returns the question to send."""
        return self._conversation.bytes_to_send()

    # The part of each protocol.

    @abstractmethod
    def _start_up(self) -> Talk[AnswerT, None]:
        """Starts the unit and reports it with `_report_started`."""

    @abstractmethod
    def _serve(self) -> Talk[AnswerT, None]:
        """Serves the running unit. Returns when the unit needs a new start-up."""

    @abstractmethod
    def _read_answer(self, data: bytes) -> AnswerT | None:
        """Returns the answer to the open question, once these bytes complete it."""

    @abstractmethod
    def _forget_frame(self) -> None:
        """Drops the received part of a frame."""

    def _rest(self) -> Talk[AnswerT, None]:
        """Waits before the next start-up of a unit that has been served; most units need no wait."""
        yield from ()

    def _on_decision(self) -> None:
        """Handles an order that has decided on the held note."""

    def _why_silent(self) -> tuple[Trouble, str]:
        """Returns the fault for a unit that does not answer."""
        return self._sniffer.explain(self._hint)

    # Contact.

    def _serve_until_lost(self) -> Talk[AnswerT, None]:
        yield from self._serve()
        self._lose_contact()
        yield from self._rest()

    def _give_up(self, reason: SilentError | UnfitError) -> None:
        if isinstance(reason, UnfitError):
            self._notes.faults.fall_silent(reason.trouble, str(reason))
        else:
            self._notes.faults.fall_silent(*self._why_silent())
        self._lose_contact()

    def _lose_contact(self) -> None:
        self._notes.lose_contact()
        self._report_taking(None)
        self._applied = None

    # Start-up.

    def _check_identity(self, found: str, *, kind: str = "") -> None:
        """Raises UnfitError for another unit than the first one seen. `kind` says what `found` is."""
        if self._identity is None:
            self._identity = found
        elif found != self._identity:
            raise UnfitError(
                Trouble.WRONG_DEVICE,
                f"{kind}{found.strip() or 'unknown'}, expected {self._identity.strip() or 'unknown'}; "
                "if it was replaced on purpose, restart the cabinet",
            )

    def _use_channels(self, channels: tuple[Channel, ...], *, why_unfit: str = "") -> None:
        """Sets the note types of the unit. Raises UnfitError when none has the expected currency; `why_unfit` says it
        for a unit that reports no currencies."""
        if not any(self._currency in (None, each.currency) for each in channels):
            found = ", ".join(sorted({each.currency for each in channels})) or "no notes at all"
            expected = f"the unit reads {found}, expected {self._currency or 'some'}"
            raise UnfitError(Trouble.WRONG_DEVICE, why_unfit or expected)
        self._channels = channels
        self._notes.set_channels(channels)

    def _report_started(self, *, model: str, firmware: str, serial: str, counter: int | None = None) -> None:
        self._notes.finish_start_up()
        self._collect()
        self._out.append(
            Started(
                model=model,
                firmware=firmware,
                serial=serial,
                channels=self._channels,
                reads_tickets=self._reads_tickets,
                counter=counter,
            )
        )

    # The running unit.

    def _follow_hold(self, before: Stage | None) -> bool:
        """Begins the time of a note that is held now. Returns False when there is none, or it was held `before`."""
        begins = before is not Stage.HELD and self._notes.stage is Stage.HELD
        if begins:
            self._held_since = self._next_hold = self._now
        return begins

    def _is_held_too_long(self) -> bool:
        return self._notes.stage is Stage.HELD and self._now >= self._held_since + self._timing.longest_hold_s

    # Switching on and off.

    def _allowed(self) -> Take:
        """Returns what is ordered and possible: fitting channels, and tickets if the unit reads them."""
        return Take(channels=self._fitting(), tickets=self._wanted.tickets and self._reads_tickets)

    def _must_switch(self, wanted: Take) -> bool:
        """Returns True if the unit must be set to `wanted`, and may be now."""
        return self._applied != wanted and self._now >= self._apply_not_before

    def _switched(self, applied: Take, *, refusal: str | None) -> None:
        """Records the settings sent; `refusal` is why the unit refused, None when it applied all of them."""
        self._applied_at = self._now
        if refusal is None:
            self._applied = applied
            self._notes.faults.end(Trouble.HARDWARE, _SWITCHING)
        else:
            self._applied = None  # a part may have been applied, so the next setting must be sent
            self._apply_not_before = self._now + self._timing.apply_again_s
            detail = f"the unit refuses to be switched{refusal}"
            self._notes.faults.begin(Trouble.HARDWARE, detail, _SWITCHING)

    def _apply_again_if(self, *, differs: bool) -> None:
        """Has the settings sent again when the unit differs from them for a while."""
        if differs and self._now >= self._applied_at + self._timing.apply_again_s:
            self._applied = None

    def _collect(self) -> None:
        self._out.extend(self._notes.events())
