"""A simulated TCL ticket printer: the far end of the driver's wire, with tickets, a head, a chute and a plug.

    bytes in -> commands, or lines while in journal mode -> job memory -> 4.5 s of printing -> the chute

Written only from the form of the commands and without code of the driver's encoder. Behaviour that a
driver must handle:
- a caret begins a command and the next one ends it, with any bytes between: a cut command swallows the next caret;
- in journal mode everything is printed, even questions, until ESC [^] ESC;
- a page that cannot be printed now is kept and printed later, until it is dropped (^F|A|^) or the unit is reset;
- when idle after power-up it reports validation done, top of form and power reset. As printing begins the first
  two are cleared; validation done is set when the ticket's number is on paper, top of form when the next ticket
  is in place;
- system error is set together with its cause: no paper, head up;
- the paper sensor is before the head: while the last ticket is printed it reports no paper;
- a power cut deletes job and flags, and half a ticket stays in the printer;
- a unit may execute only the last of several commands that arrive together (`TclTraits`);
- the next ticket waits until the one in the chute is taken;
- a unit may not answer while it prints, or never (`TclTraits`, `silent`).

Sources: the flags and their order in time are those of the PayCheck 4 emulator
(github.com/kcondict/Paycheck4, TclProtocol.cs), ^F|A|^ and the paper sensor those of the Monaco host; the flag
characters with "system error" are quoted from real units.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from drivers.simulated.printer_body import Ticket, TicketPrinter
from drivers.simulated.tcl_form import (
    FIELDS,
    JOURNAL_WIDTH_DOTS,
    WIDTH_DOTS,
    journal_strips,
    ticket_lines,
    ticket_strips,
)
from drivers.simulated.ticket_picture import draw_ticket

FULL_STACK = 200
NEAR_END = 20

_CARET, _ESCAPE = "^", "\x1b"
_LEAVE_JOURNAL = "\x1b[^]\x1b"
_COMMAND = re.compile(r"\^[^^]*\^")
_BASE = 0x40
_TOP_AFTER_S = 1.0  # seconds from the ticket's edge to the next ticket in its place

# (character, bit) of what it reports
_BUSY, _SYSTEM_ERROR, _HEAD_UP, _PAPER_OUT = (0, 0x20), (0, 0x10), (0, 0x08), (0, 0x04)
_NO_FORM, _BAD_DATA, _OVERFLOW = (1, 0x10), (1, 0x08), (1, 0x02)
_BAD_COMMAND, _IN_CHUTE, _OFFLINE = (2, 0x20), (2, 0x08), (2, 0x02)
_JOURNAL, _JAM, _LOW = (3, 0x08), (3, 0x02), (3, 0x01)
_DONE, _AT_TOP, _BARS_BEGUN, _RESET = (4, 0x20), (4, 0x10), (4, 0x02), (4, 0x01)
_FRESH = frozenset({_DONE, _AT_TOP, _RESET})


@dataclass(frozen=True, slots=True, kw_only=True)
class TclTraits:
    """The differences of this unit from others."""

    firmware: str = "SIMGEN2.0"
    print_s: float = 4.5
    begin_s: float = 0.0  # from the command to the first movement
    number_done_at: float = 0.7  # the share of the ticket at which its number is on paper
    answers_while_printing: bool = True
    clear_forgets_done: bool = True  # or only the next ticket clears it
    clear_forgets_reset: bool = True  # or nothing clears it
    knows_drop: bool = True  # the command that drops the pages in memory
    drops_bursts: bool = False  # only the last command in a write is executed
    nonsense: bytes = b""  # what it sends instead of a status
    boot_s: float = 1.5
    taken_after_s: float | None = None  # seconds until the player takes the ticket; None: only `take`


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """A page that waits in the job memory or is being printed: fields of the form, or lines."""

    fields: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class SimulatedTclPrinter(TicketPrinter):
    """One unit; the cover is its head. What stops it stops the page, which is kept and printed again."""

    def __init__(self, *, folder: Path, traits: TclTraits | None = None, silent: bool = False) -> None:
        super().__init__(folder, silent=silent)
        self.traits = traits or TclTraits()
        self.stack = FULL_STACK
        self._latched: set[tuple[int, int]] = set(_FRESH)
        self._command: str | None = None
        self._journal: str | None = None
        self._job: _Page | None = None
        self._begin_at = 0.0
        self._top_at: float | None = None
        self._printing_since: float | None = None
        self._hanging_since: float | None = None
        self._questions_waiting = 0

    # The wire

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""
        self.tick(now)
        if not self._awake:
            return
        self._begin_at = now + self.traits.begin_s if self._job is None else self._begin_at
        text = data.decode("latin-1")
        if self.traits.drops_bursts and len(found := list(_COMMAND.finditer(text))) > 1:
            text = text[found[-1].start() :]
        for sign in text:
            self._on_sign(sign)
        self.tick(now)

    def tick(self, now: float) -> None:
        """Continues to print, as far as tickets, head, chute and speed permit."""
        self._let_take(now)
        self._boot(now, self.traits.boot_s)
        if not self._awake:
            return
        if self._top_at is not None and now >= self._top_at:
            self._latched.add(_AT_TOP)
            self._top_at = None
        if self._printing_since is None:
            self._begin_printing(now)
        else:
            self._go_on_printing(now, self._printing_since)
        if self._questions_waiting and self._may_answer():
            self._send(self._status() * self._questions_waiting)
            self._questions_waiting = 0

    def due(self) -> float | None:
        """Returns the time of the next step on paper, or of the end of the start-up."""
        if self._booting:
            return self._boot_until
        times = [] if self._top_at is None else [self._top_at]
        if self._job is not None and self._waits_to_begin():
            times.append(self._begin_at)
        if self._printing_since is not None:
            number_to_come = self._job is not None and self._job.fields and _DONE not in self._latched
            share = self.traits.number_done_at if number_to_come else 1.0
            times.append(self._printing_since + share * self.traits.print_s)
        if self._hanging_since is not None and self.traits.taken_after_s is not None:
            times.append(self._hanging_since + self.traits.taken_after_s)
        return min(times, default=None)

    # Actions of users

    def paper_out(self) -> None:
        """Ends the stack now."""
        self.stack = 0
        self._interrupt()

    def paper_low(self) -> None:
        """Leaves only the last tickets in the stack."""
        self.stack = NEAR_END

    def refill(self) -> None:
        """Puts in a new stack; a kept page is printed on it."""
        self.stack = FULL_STACK

    def clear_jam(self) -> None:
        """Frees the jam; it is reported until clear error."""
        super().clear_jam()
        self._latched.add(_JAM)

    def power_on(self) -> None:
        """Plugs the printer in; it is silent while it starts."""
        if not self.powered:
            self._latched = set(_FRESH)
        super().power_on()

    def take(self) -> Ticket | None:
        """Takes the oldest ticket in the mouth; None without one."""
        self._hanging_since = None
        return super().take()

    def _lose_power(self) -> None:
        """Deletes the job; a half-printed ticket falls out."""
        if self._printing_since is not None and self._job is not None:
            self._deliver_page(self._job, cut=False)
        self._job = self._command = self._journal = None
        self._printing_since = self._top_at = None
        self._questions_waiting = 0

    # Status

    @property
    def online(self) -> bool:
        """True if it is ready to print."""
        return not (self.cover_is_open or self.is_jammed or self.switched_offline or self.stack <= 0)

    def _status(self) -> bytes:
        if self.traits.nonsense:
            return self.traits.nonsense
        tray_is_empty = self.stack <= (0 if self._printing_since is None else 1)
        now_true = {
            _BUSY: self._job is not None and not self._waits_to_begin(),
            _SYSTEM_ERROR: self.cover_is_open or tray_is_empty,
            _HEAD_UP: self.cover_is_open,
            _PAPER_OUT: tray_is_empty,
            _IN_CHUTE: bool(self.in_chute),
            _OFFLINE: self.switched_offline,
            _JOURNAL: self._journal is not None,
            _JAM: self.is_jammed,
            _LOW: self.stack <= NEAR_END and not tray_is_empty,
        }
        raised = self._latched | {flag for flag, there in now_true.items() if there}
        flags = [_BASE | sum(bit for at, bit in raised if at == place) for place in range(5)]
        shown = "".join(f"{chr(flag)}|" for flag in flags)
        return f"*S|0|{self.traits.firmware:9.9}|{shown}P0|*".encode("ascii")

    def _waits_to_begin(self) -> bool:
        return self._printing_since is None and self.online and not self.in_chute

    def _may_answer(self) -> bool:
        return self.traits.answers_while_printing or self._printing_since is None

    # Commands

    def _on_sign(self, sign: str) -> None:
        if self._journal is not None:
            self._journal += sign
            if self._journal.endswith(_LEAVE_JOURNAL):
                self._print_journal(self._journal.removesuffix(_LEAVE_JOURNAL))
        elif sign != _CARET:
            if self._command is not None:
                self._command += sign
        elif self._command is None:
            self._command = ""
        else:
            command, self._command = self._command, None
            self._obey(command)

    def _obey(self, command: str) -> None:
        match command.split("|"):
            case ["Se", ""]:
                self._questions_waiting += 1
                if self._may_answer():
                    self._send(self._status())
                    self._questions_waiting -= 1
            case ["C", ""]:
                self._clear_errors(but=frozenset({_JAM}))
            case ["C", "j", ""]:
                self._clear_errors(but=frozenset())
            case ["F", "A", ""] if self.traits.knows_drop:
                self._job = self._printing_since = None
            case ["r", ""]:
                self._job = self._printing_since = self._top_at = None
                self._latched = set(_FRESH)
            case ["f", "I", ""]:
                pass
            case ["j", ""]:
                self._journal = ""
            case ["P", form, copies, *fields]:
                self._on_page(form, copies, fields)
            case _:
                self._latched.add(_BAD_COMMAND)

    def _clear_errors(self, *, but: frozenset[tuple[int, int]]) -> None:
        stays = {_AT_TOP, *but}
        stays |= set() if self.traits.clear_forgets_done else {_DONE}
        stays |= set() if self.traits.clear_forgets_reset else {_RESET}
        self._latched &= stays

    def _on_page(self, form: str, copies: str, fields: list[str]) -> None:
        if form != "0":
            self._latched.add(_NO_FORM)
        elif copies != "1" or len(fields) != FIELDS + 1 or fields[FIELDS] or ticket_strips(tuple(fields)) is None:
            self._latched.add(_BAD_DATA)
        else:
            self._keep(_Page(fields=tuple(fields[:FIELDS])))

    def _print_journal(self, text: str) -> None:
        self._journal = None
        if text:
            self._keep(_Page(lines=tuple(text.replace("\r", "").rstrip("\n").split("\n"))))

    def _keep(self, page: _Page) -> None:
        if self._job is None:
            self._job = page
        else:
            self._latched.add(_OVERFLOW)

    # Printing

    def _let_take(self, now: float) -> None:
        if self.in_chute and self._hanging_since is None:
            self._hanging_since = now
        patience_s = self.traits.taken_after_s
        if self._hanging_since is not None and patience_s is not None and now >= self._hanging_since + patience_s:
            self.take()

    def _begin_printing(self, now: float) -> None:
        if self._job is not None and self.online and not self.in_chute and now >= self._begin_at:
            self._printing_since = now
            self._top_at = None
            self._latched -= {_DONE, _AT_TOP, _BARS_BEGUN}

    def _go_on_printing(self, now: float, since: float) -> None:
        page = self._job
        if page is None:
            return
        if page.fields and now > since:
            self._latched.add(_BARS_BEGUN)
        if page.fields and now >= since + self.traits.print_s * self.traits.number_done_at:
            self._latched.add(_DONE)
            self._latched.discard(_BARS_BEGUN)
        if now >= since + self.traits.print_s:
            self._job = self._printing_since = None
            self._top_at = now + _TOP_AFTER_S
            self.stack -= 1
            self._deliver_page(page, cut=True)
            self._let_take(now)

    def _interrupt(self) -> None:
        """Stops printing; the page is kept, and its printed part is invalid."""
        self._printing_since = None

    def _deliver_page(self, page: _Page, *, cut: bool) -> None:
        if not page.fields:
            picture = draw_ticket(journal_strips(page.lines), width_dots=JOURNAL_WIDTH_DOTS, torn=not cut)
            self._deliver(picture, lines=page.lines, barcode=None, cut=cut)
            return
        whole = _DONE in self._latched
        strips, lines = ticket_strips(page.fields) or (), ticket_lines(page.fields)
        kept = strips if whole else strips[: len(strips) // 3]
        picture = draw_ticket(kept, width_dots=WIDTH_DOTS, torn=not cut, edge=page.fields[0])
        number = page.fields[FIELDS - 1] if whole else None
        self._deliver(picture, lines=lines if whole else lines[:3], barcode=number, cut=cut)
