"""A simulated ESC/POS ticket printer: the far end of the driver's wire, with paper, a cover, a cutter and a plug.

    bytes in -> real-time questions are answered at once -> receive buffer -> one command at a time -> paper

Behaviour of real printers that a driver must handle:
- while paper is out or the cover is open the printer is offline, keeps the received bytes, and
  prints them afterwards;
- in-order answers (GS r, GS I) come only when everything before is printed, and never while offline;
- a power cut deletes the buffer and all modes; after power-up the printer is silent for a moment;
- bytes that overflow the buffer are lost; a bar code that is too wide is blank;
- a cheap board may never answer (`silent`), or answer only some questions (`Traits`).

Source: Epson's ESC/POS reference.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from drivers.simulated.escpos_parser import Command, Op, read_command
from drivers.simulated.printer_body import TicketPrinter
from drivers.simulated.ticket_page import CODE_PAGES, Page, read_barcode, read_lines
from drivers.simulated.ticket_picture import Strip, draw_ticket

FULL_ROLL_DOTS = 640_000  # 80 m
NEAR_END_DOTS = 24_000  # 3 m

_DLE, _EOT = 0x10, 0x04
_XON, _XOFF = b"\x11", b"\x13"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The differences of this model from others."""

    model: str = "SIM-TP80"
    answers: frozenset[int] = frozenset({1, 2, 3, 4})  # the known numbers of DLE EOT
    error_answer: int | None = None  # its constant answer to DLE EOT 3, right or wrong
    paper_absent_bits: int = 0x6C
    answers_in_order: bool = True
    starts_chinese: bool = True  # like many cheap boards
    code_pages: Mapping[int, str] = field(default_factory=lambda: CODE_PAGES)
    nonsense: bytes = b""  # what it sends for every DLE EOT instead of an answer
    buffer_bytes: int = 4096
    flow_control: bool = False
    dot_lines_per_s: int = 1200
    boot_s: float = 1.5


MUTE = Traits(answers=frozenset(), answers_in_order=False)
"""A printer that prints and never answers."""


class SimulatedTicketPrinter(TicketPrinter):
    """One unit. A jam is one of the cutter."""

    def __init__(
        self, *, folder: Path, width_dots: int = 576, traits: Traits | None = None, silent: bool = False
    ) -> None:
        super().__init__(folder, silent=silent)
        self.traits = traits or Traits()
        self.paper_left_dots = FULL_ROLL_DOTS
        self.bytes_lost = 0
        self.page = Page(
            width_dots=width_dots, starts_chinese=self.traits.starts_chinese, code_pages=self.traits.code_pages
        )
        self._width_dots = width_dots
        self._buffer = b""
        self._question = b""  # the beginning of an incomplete real-time question
        self._automatic_mask = 0
        self._last_automatic = b""
        self._busy_until = 0.0
        self._held = False
        self._waiting = False  # the buffer holds an incomplete command

    # The wire

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""
        self.tick(now)
        if not self._awake:
            return
        self._answer_at_once(data)
        room = self.traits.buffer_bytes - len(self._buffer)
        self._buffer += data[:room]
        self.bytes_lost += max(0, len(data) - room)
        self._waiting = False
        self.tick(now)

    def tick(self, now: float) -> None:
        """Continues to print, as far as paper, cover, cutter and speed permit."""
        self._boot(now, self.traits.boot_s)
        while self._can_work() and self._busy_until <= now and not self._waiting:
            self._work(now)
        self._control_flow()
        self._report_automatically()

    def due(self) -> float | None:
        """Returns when the head is free for the next command, or the start-up ends."""
        if self._booting:
            return self._boot_until
        return self._busy_until if self._can_work() and self._buffer and not self._waiting else None

    # Actions of users

    def paper_out(self) -> None:
        """Ends the roll now."""
        self.paper_left_dots = 0

    def paper_low(self) -> None:
        """Leaves only the last metres of the roll."""
        self.paper_left_dots = NEAR_END_DOTS

    def refill(self) -> None:
        """Puts in a new roll; a half-printed page is torn off, and its rest is printed on the new paper."""
        if not self.page.is_blank:
            self._deliver_strips(self.page.tear_off(), cut=False)
        self.paper_left_dots = FULL_ROLL_DOTS

    def _interrupt(self) -> None:
        """Has nothing to stop: it prints line by line while it is online."""

    def _lose_power(self) -> None:
        """Deletes buffer and modes; half a ticket stays in the slot."""
        self._buffer = self._question = b""
        self._automatic_mask = 0
        self._held = False
        self.page.power_up()

    # Status

    @property
    def bytes_waiting(self) -> int:
        """The number of received bytes that are not executed yet."""
        return len(self._buffer)

    @property
    def paper_is_out(self) -> bool:
        """True if the sensor before the head detects no paper."""
        return self.paper_left_dots <= 0

    @property
    def paper_is_low(self) -> bool:
        """True if the near-end sensor detects the core."""
        return self.paper_left_dots <= NEAR_END_DOTS

    @property
    def online(self) -> bool:
        """True if it is ready to execute commands of the buffer."""
        return not (self.cover_is_open or self.paper_is_out or self.is_jammed or self.switched_offline)

    def _answer_at_once(self, data: bytes) -> None:
        for byte in data:
            self._question = (self._question + bytes([byte]))[-3:]
            if self._question[:2] == bytes([_DLE, _EOT]) and len(self._question) == 3:
                self._send(self._real_time_answer(self._question[2]))

    def _real_time_answer(self, number: int) -> bytes:
        if self.traits.nonsense:
            return self.traits.nonsense
        if number not in self.traits.answers:
            return b""
        if number == 1:
            bits = 0 if self.online else 0x08
        elif number == 2:
            bits = self.cover_is_open * 0x04 | self.paper_is_out * 0x20 | self.is_jammed * 0x40
        elif number == 3:
            if self.traits.error_answer is not None:
                return bytes([self.traits.error_answer])
            bits = self.is_jammed * 0x08
        else:
            bits = self.paper_is_low * 0x0C
            bits = self.traits.paper_absent_bits if self.paper_is_out else bits
        return bytes([0x12 | bits])

    def _automatic_status(self) -> bytes:
        head = 0x10 | (0 if self.online else 0x08) | self.cover_is_open * 0x20
        roll = self.paper_is_low * 0x03 | self.paper_is_out * 0x0C
        return bytes([head, self.is_jammed * 0x08, roll, 0])

    def _report_automatically(self) -> None:
        if self._awake and self._automatic_mask:
            status = self._automatic_status()
            if status != self._last_automatic:
                self._last_automatic = status
                self._send(status)

    def _control_flow(self) -> None:
        if not self.traits.flow_control:
            return
        fill = len(self._buffer) / self.traits.buffer_bytes
        if not self._held and fill > 0.8:
            self._held = True
            self._send(_XOFF)
        elif self._held and fill < 0.5:
            self._held = False
            self._send(_XON)

    # Printing

    def _can_work(self) -> bool:
        return self._awake and self.online

    def _work(self, now: float) -> None:
        found = read_command(self._buffer)
        if found is None:
            self._waiting = True
            return
        command, length = found
        self._buffer = self._buffer[length:]
        self._execute(command, now)

    def _execute(self, command: Command, now: float) -> None:
        if command.op is Op.ASK_SENSOR:
            self._answer_in_order(self.paper_is_low * b"\x03" or b"\x00")
        elif command.op is Op.ASK_IDENTITY:
            self._answer_in_order(
                b"_" + self.traits.model.encode("ascii") + b"\x00" if command.value >= 65 else b"\x20"
            )
        elif command.op is Op.AUTOMATIC:
            self._automatic_mask = command.value
            self._last_automatic = b""
        else:
            used_dots = self.page.take(command)
            self.paper_left_dots = max(0, self.paper_left_dots - used_dots)
            self._busy_until = now + used_dots / self.traits.dot_lines_per_s
            if command.op is Op.CUT:
                self._deliver_strips(self.page.cut(), cut=True)

    def _answer_in_order(self, answer: bytes) -> None:
        if self.traits.answers_in_order:
            self._send(answer)

    def _deliver_strips(self, strips: tuple[Strip, ...], *, cut: bool) -> None:
        picture = draw_ticket(strips, width_dots=self._width_dots, torn=not cut)
        self._deliver(picture, lines=read_lines(strips), barcode=read_barcode(strips), cut=cut)
