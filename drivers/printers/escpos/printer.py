"""ESC/POS receipt printers: start-up, status, and pages with a proved outcome.

    host                                   printer
    DLE EOT n    10 04 n          ->
                                  <-       0xx1xx10            at once, even while printing
    GS r 1       1D 72 01         ->
                                  <-       0xx0xxxx            in print order, only while online
    GS I 67      1D 49 43         ->
                                  <-       5F model 00         in print order, only while online
    a page       1B 40 ... 1D 56  ->                           no answer

The host always sends first. Neither side repeats anything. After power-up the printer does not report its earlier
work: a page that it had begun is lost or, if only paper was missing, kept and printed after the refill.

Rules:
- start-up: DLE EOT 1 to 4, then GS I and GS r. Only a printer that answers DLE EOT 1, 2, 4 and GS r is
  started: it can report its status and prove what it printed. Another board is reported as such and asked
  again every few seconds;
- a question without an answer is silence, and silence is a fault: the link is down and the start-up begins again;
- fixed bits identify each byte; unknown bytes are dropped. Only a name may have bytes with the highest bit set: with
  other such bytes during start-up all answers may be noise, and the start-up begins again;
- one page at a time; its outcome is reported exactly once and survives a lost line (see
  `drivers.printers.escpos.job`);
- automatic status is on while no page is printed, so that an open cover or the end of the paper is reported at once
  and not with the next question. It is off during start-up, around each page and after a doubtful one, because its
  bytes look like in-order answers. An automatic status that arrives then is still read.

Source: Epson's ESC/POS reference (DLE EOT, GS r, GS I, GS a, ESC @). Knows no money and no meaning of a page.
"""

from collections.abc import Sequence
from enum import Enum

from drivers.errors import ConfigurationError
from drivers.printers.document import (
    CANNOT_REPORT,
    Print,
    PrinterEvent,
    PrinterStarted,
    PrinterStatus,
    PrintFailed,
    PrintOrder,
)
from drivers.printers.escpos.bytes import (
    ASK_MODEL,
    AUTOMATIC_STATUS,
    NO_AUTOMATIC_STATUS,
    PageStyle,
    encode_document,
    prepare,
)
from drivers.printers.escpos.job import Delivery, Markers, Timing, pack
from drivers.printers.escpos.rounds import Round, Rounds
from drivers.printers.escpos.status import (
    NEEDED,
    QUESTIONS,
    ROLL,
    AutomaticStatus,
    Condition,
    Kind,
    classify,
    is_paper_answer,
    read_answers,
    read_automatic,
)
from drivers.protocol import Confirm, LineSettings

_FILLER = bytes(32)  # completes a command cut by a lost line; an idle printer ignores it
_NO_ANSWER_FROM = 0x80
_NAME_HEAD = 0x5F
_NAME_LIMIT = 80
_NO_ANSWER = f"no answer: switched off, unplugged, or it {CANNOT_REPORT}"
_NO_STATUS = f"{CANNOT_REPORT}: what it answers is none; check its speed and that it is set to ESC/POS"
_NOISE = f"{CANNOT_REPORT}: noise among its answers; check its speed and cable, and that it is set to ESC/POS"


class _Phase(Enum):
    CLOSED = "line closed"
    RESTING = "waiting to try again"
    PROBING = "asking what it can report"
    OFFLINE = "reports its status, not yet online"
    NAMING = "asking its model"
    PROVING = "asking for an in-order answer"
    READY = "ready for pages"


class EscPosProtocol:
    """The conversation with one ESC/POS printer; a `WireProtocol[PrinterEvent, PrintOrder]`."""

    def __init__(
        self,
        *,
        style: PageStyle,
        status_interval_s: float = 1.0,
        baud: int = 19200,
        timing: Timing | None = None,
    ) -> None:
        self._style = style
        self._status_interval_s = status_interval_s
        self._line = LineSettings(baud=baud)
        self._timing = timing or Timing()
        self._phase = _Phase.CLOSED
        self._phase_until: float | None = None
        self._poll_at: float | None = None
        self._rounds = Rounds(timeout_s=self._timing.answer_s)
        self._automatic = AutomaticStatus()
        self._automatic_until: float | None = None
        self._asks: tuple[int, ...] = QUESTIONS
        self._name = b""
        self._held = False
        self._received_any = False  # bytes arrived during the questions of the start-up
        self._noise = False  # bytes arrived since then that no printer sends
        self._markers = Markers()
        self._delivery: Delivery | None = None
        self._status: PrinterStatus | None = None
        self._known: Condition | None = None
        self._out = b""
        self._events: list[PrinterEvent] = []

    @property
    def line(self) -> LineSettings:
        """Eight bits, no parity; the speed of the settings."""
        return self._line

    def opened(self, now: float) -> None:
        """Begins the start-up; the first question goes out with the next tick."""
        self._forget_line()
        prepare()  # may take seconds on a small computer; then `now` is out of date
        self._enter(_Phase.RESTING, now)

    def closed(self, now: float) -> None:
        """Handles a closed line: a page in progress ends here."""
        if self._delivery is not None:
            self._delivery.line_lost()
            self._after_delivery(now)
        self._forget_line()
        self._phase = _Phase.CLOSED
        self._publish(PrinterStatus(link=False, fault="the line is gone"))

    def receive(self, data: bytes, now: float) -> None:
        """Handles received bytes, cut anywhere."""
        if self._phase is _Phase.CLOSED:
            return
        self._received_any = self._received_any or bool(data)
        for byte in data:
            if self._phase is _Phase.NAMING:
                self._on_name(byte, now)
            else:
                self._on_byte(byte, now)

    def order(self, order: PrintOrder, now: float) -> None:
        """Prints a page; its outcome is an event. A confirmation has no effect."""
        if isinstance(order, Confirm):
            return
        if self._delivery is not None:
            if self._delivery.job != order.job:
                self._refuse(order, "busy")
        elif self._phase is not _Phase.READY:
            self._refuse(order, f"the printer is not ready: {self._phase.value}")
        else:
            self._begin(order, now)

    def tick(self, now: float) -> None:
        """Handles what is due at `now`: deadlines and questions."""
        if self._automatic_until is not None and now >= self._automatic_until:
            self._drop_automatic()
        self._rounds.tick(now)
        self._after_round(now)
        if self._phase_until is not None and now >= self._phase_until:
            self._end_phase(now)
        if self._delivery is not None:
            self._delivery.tick(now)
            self._after_delivery(now)
        poll_at = self._next_poll()
        if poll_at is not None and now >= poll_at:
            self._poll_at = None
            self._rounds.begin(self._asks, now, patient=False)

    def due(self) -> float | None:
        """Returns the nearest deadline."""
        times = (
            self._rounds.due(),
            self._phase_until,
            self._next_poll(),
            self._automatic_until,
            self._delivery.due() if self._delivery is not None else None,
        )
        return min((time for time in times if time is not None), default=None)

    def bytes_to_send(self) -> bytes:
        """Returns the bytes of questions and pages to send, each once."""
        owed, self._out = self._out + self._rounds.questions(), b""
        return owed

    def events(self) -> Sequence[PrinterEvent]:
        """Returns the events since the last call, each once."""
        happened, self._events = tuple(self._events), []
        return happened

    # Bytes in

    def _on_byte(self, byte: int, now: float) -> None:
        kind = classify(byte)
        self._noise = self._noise or byte >= _NO_ANSWER_FROM
        if kind is Kind.IN_ORDER and self._automatic.gathering:
            self._on_automatic(byte, now)
        elif kind is Kind.IN_ORDER:
            self._on_in_order(byte, now)
        elif kind is Kind.ASB_HEAD:
            self._automatic.begin(byte)
            self._automatic_until = now + self._timing.answer_s
        elif kind is Kind.REAL_TIME:
            self._rounds.answer(byte, now)
            self._after_round(now)
        elif kind in {Kind.XON, Kind.XOFF}:
            self._held = kind is Kind.XOFF
            if self._delivery is not None:
                self._delivery.hold(now, held=self._held)
                self._after_delivery(now)

    def _on_automatic(self, byte: int, now: float) -> None:
        frame = self._automatic.add(byte)
        if frame is not None:
            self._automatic_until = None
            if self._phase in {_Phase.OFFLINE, _Phase.READY}:
                self._learn(read_automatic(frame), now, asked_at=now)

    def _on_in_order(self, byte: int, now: float) -> None:
        if not is_paper_answer(byte):
            return
        self._markers.answer()
        if self._phase is _Phase.PROVING:
            self._start(now)
        elif self._delivery is not None:
            self._delivery.in_order_answer(now)
            self._after_delivery(now)

    def _on_name(self, byte: int, now: float) -> None:
        if not self._name and byte != _NAME_HEAD:
            self._noise = self._noise or byte >= _NO_ANSWER_FROM
            if classify(byte) is Kind.IN_ORDER:  # boards that send a one-byte model number instead
                self._name = f"_ESC/POS {byte:02X}".encode()
                self._prove(now)
        elif byte == 0 or len(self._name) > _NAME_LIMIT:
            self._prove(now)
        else:
            self._name += bytes([byte])

    # Start-up

    def _probe(self, now: float) -> None:
        self._enter(_Phase.PROBING, None)
        self._received_any = self._noise = False
        self._poll_at = None
        self._rounds.begin(QUESTIONS, now, patient=True)

    def _rest(self, now: float, status: PrinterStatus) -> None:
        self._publish(status)
        self._enter(_Phase.RESTING, now + self._timing.retry_s)
        self._poll_at = None

    def _judge_probe(self, done: Round, now: float) -> None:
        missing = NEEDED - done.answers.keys()
        if done.answers and self._noise:
            self._rest(now, PrinterStatus(link=True, fault=_NOISE, reports=False))
        elif not done.answers and self._received_any:
            self._rest(now, PrinterStatus(link=True, fault=_NO_STATUS, reports=False))
        elif not done.answers:
            self._rest(now, PrinterStatus(link=False, fault=_NO_ANSWER))
        elif missing:
            silent = ", ".join(str(number) for number in sorted(missing))
            sensor = ", so the paper sensor cannot be read" if ROLL in missing else ""
            fault = f"{CANNOT_REPORT}: no answer to DLE EOT {silent}{sensor}"
            self._rest(now, PrinterStatus(link=True, fault=fault, reports=False))
        else:
            self._asks = tuple(number for number in QUESTIONS if number in done.answers)
            self._enter(_Phase.OFFLINE, None)
            self._learn(read_answers(done.answers), now, asked_at=done.begun_at)

    def _ask_name(self, now: float) -> None:
        self._enter(_Phase.NAMING, now + self._timing.answer_s)
        self._poll_at = None
        self._name = b""
        self._out += _FILLER + NO_AUTOMATIC_STATUS + ASK_MODEL

    def _prove(self, now: float) -> None:
        self._enter(_Phase.PROVING, now + self._timing.proof_s)
        self._out += self._markers.ask(1)

    def _start(self, now: float) -> None:
        if self._noise:
            self._rest(now, PrinterStatus(link=True, online=True, fault=_NOISE, reports=False))
            return
        self._enter(_Phase.READY, None)
        self._poll_at = now + self._status_interval_s
        self._out += b"" if self._markers.doubtful else AUTOMATIC_STATUS
        name = "".join(chr(byte) for byte in self._name[1:] if 0x20 <= byte < 0x7F)
        self._events.append(PrinterStarted(model=name or "ESC/POS printer"))
        if self._known is not None:
            self._publish(self._known.status)

    def _end_phase(self, now: float) -> None:
        if self._phase is _Phase.NAMING:
            self._prove(now)
        elif self._phase is _Phase.PROVING:
            fault = f"{CANNOT_REPORT}: no answer to GS r, so it cannot prove a page"
            self._rest(now, PrinterStatus(link=True, online=True, fault=fault, reports=False))
        else:
            self._probe(now)

    # Status

    def _after_round(self, now: float) -> None:
        done = self._rounds.finished()
        if done is None:
            return
        if self._phase is _Phase.PROBING:
            self._judge_probe(done, now)
        elif done.unanswered:
            self._fall_silent(now)
        else:
            self._learn(read_answers(done.answers), now, asked_at=done.begun_at)

    def _fall_silent(self, now: float) -> None:
        if self._delivery is not None:
            self._delivery.on_status(None, now, asked_at=now)
            self._after_delivery(now)
        self._publish(PrinterStatus(link=False, fault="stopped answering"))
        self._probe(now)

    def _learn(self, condition: Condition, now: float, *, asked_at: float) -> None:
        self._known = condition
        self._poll_at = now + self._status_interval_s
        if self._delivery is not None:
            self._delivery.on_status(condition, now, asked_at=asked_at)
            self._after_delivery(now)
        if self._phase is _Phase.OFFLINE and condition.online and not self._rounds.running:
            self._ask_name(now)
        else:
            self._publish(condition.status)

    def _publish(self, status: PrinterStatus) -> None:
        if status != self._status:
            self._status = status
            self._events.append(status)

    def _next_poll(self) -> float | None:
        if self._rounds.running or self._phase not in {_Phase.OFFLINE, _Phase.READY}:
            return None
        wanted = self._delivery.poll_at if self._delivery is not None else None
        return min((time for time in (self._poll_at, wanted) if time is not None), default=None)

    # Pages

    def _begin(self, order: Print, now: float) -> None:
        try:
            pieces = encode_document(order.document, self._style)
        except ConfigurationError as fault:
            self._refuse(order, str(fault))
            return
        self._out += NO_AUTOMATIC_STATUS
        self._delivery = Delivery(
            job=order.job, chunks=pack(pieces), markers=self._markers, timing=self._timing, now=now
        )
        self._delivery.hold(now, held=self._held)

    def _refuse(self, order: Print, reason: str) -> None:
        self._events.append(PrintFailed(job=order.job, reason=reason))

    def _after_delivery(self, now: float) -> None:
        if self._delivery is None:
            return
        self._out += self._delivery.bytes_to_send()
        if self._delivery.outcome is not None:
            self._events.append(self._delivery.outcome)
            self._delivery = None
            self._poll_at = now + self._status_interval_s
            if self._phase is _Phase.READY and not self._markers.doubtful:
                self._out += AUTOMATIC_STATUS

    # Small things

    def _enter(self, phase: _Phase, until: float | None) -> None:
        self._phase = phase
        self._phase_until = until

    def _drop_automatic(self) -> None:
        self._automatic.give_up()
        self._automatic_until = None

    def _forget_line(self) -> None:
        self._rounds.stop()
        self._drop_automatic()
        self._enter(_Phase.CLOSED, None)
        self._poll_at = None
        self._held = False
        self._out = b""
