"""The attendant's session: the state of the menu, and the effect of its requests.

Rules: a request to the machine becomes a step; a ticket is paid by its record in the journal at that moment; each
session begins at the top of the menu. It runs on the cabinet's thread and knows no devices, lamps or screens.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from cabinet.attendant import menu as attendant
from cabinet.attendant.advice import said
from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Page, PageTouch
from cabinet.attendant.receipts import SETTLED_KINDS
from cabinet.attendant.technician import pin_outcome
from cabinet.attendant.till import EXPIRED_MEANWHILE, TicketChosen, outcome
from cabinet.engine.closing_facts import EnterCount
from cabinet.engine.effects import Event, MemoryCleared
from cabinet.engine.inputs import (
    Button,
    Command,
    Fact,
    PinEntered,
    PrepareMemoryClear,
    RecallViewed,
    SettleLock,
    Settlement,
)
from cabinet.engine.log import LogEntry, LogKind
from cabinet.engine.state import Machine
from cabinet.presentation.meanings import READY_AFTER_S
from cabinet.runtime.dependencies import Dependencies
from cabinet.runtime.print_queue import PrintQueue
from cabinet.store.closings import count_to_enter
from cabinet.store.reports import events
from cabinet.store.tickets import to_pay
from cabinet.text.attendant_words import say
from cabinet.text.messages import ENGLISH


class AttendantSession:
    """The menu of one cabinet; turns its requests into steps and pages."""

    def __init__(self, deps: Dependencies, pages: PrintQueue, step: Callable[[Command | Fact], None]) -> None:
        """`step` steps an input; it is durable when `step` returns."""
        self._deps = deps
        self._pages = pages
        self._step = step
        self._menu = attendant.open_menu()
        self._language = ""
        """The language that the attendant has chosen; empty for the one of the settings."""
        self._say: Callable[..., str] = partial(say, ENGLISH.code)
        """Texts in the language of the newest data."""
        self._asked_s = float("-inf")
        """When the question on the page appeared, on the monotonic clock."""

    def lit(self, machine: Machine) -> frozenset[Button]:
        """Returns the buttons with a meaning in the menu."""
        return attendant.lit(self._menu, self._data(machine))

    @property
    def testing(self) -> bool:
        """True during the test of lamps and buttons."""
        return attendant.testing(self._menu)

    def page(self, machine: Machine) -> Page:
        """Returns the page on the screen."""
        return attendant.page(self._menu, self._data(machine))

    def _data(self, machine: Machine) -> AttendantData:
        data = self._deps.data(machine)
        wait_s = self._deps.housekeeping.pins.left_s
        if wait_s or self._language:
            data = replace(data, pin_wait_s=wait_s, language=self._language or data.language)
        self._say = data.say
        return data

    def show_outcome(self, words: str) -> None:
        """Shows the outcome of the last request on the page."""
        self._menu = replace(self._menu, outcome=words)

    def due_s(self, now: float) -> float:
        """Returns when `work` is wanted next; infinity while the attendant waits for nothing."""
        return float("inf") if self._deps.exporter is None else self._deps.exporter.due_s(now)

    def work(self) -> bool:
        """Does one part of what takes several turns; True when its outcome is on the page."""
        words = None if self._deps.exporter is None else self._deps.exporter.work()
        if words is not None:
            self.show_outcome(words)
        return words is not None

    def follow(self, made: Iterable[Event], *, within: bool) -> None:
        """Shows what a durable step did to a prepared memory clear, and offers the receipt of a settlement: the reset
        key and the door are no part of the menu. Without `within` no session goes on, and the next one begins at the
        top."""
        if not within:
            if self._deps.exporter is not None:
                self._deps.exporter.leave()
            self._menu, self._language = attendant.open_menu(), ""
            return
        for event in made:
            match event:
                case MemoryCleared(number=number):
                    self.show_outcome(self._say("The memory is cleared: clear no. {number}.", number=number))
                case LogEntry(what=LogKind.MEMORY_CLEAR_LEFT):
                    self.show_outcome(said(PrepareMemoryClear(on=False), self._say, done=True))
                case LogEntry(what=LogKind.SETTLED | LogKind.TICKET_PAID):
                    self._menu = replace(self._menu, settled=self._newest_settlement())

    def _newest_settlement(self) -> int:
        """Returns the number of the log entry of the settlement that was just made durable."""
        kinds = (kind.value for kind in SETTLED_KINDS)
        (row,) = events(self._deps.journal.connection, limit=1, what=kinds)
        return row.number

    def press(self, wish: Button | PageTouch, machine: Machine, at_s: float) -> None:
        """Applies a button or a touch of the page, made at `at_s` on the monotonic clock, and its request to the
        machine.

        A touch that follows at once on a question is the second of a quick pair, which was not meant for it.
        """
        data, before = self._data(machine), self._menu
        if isinstance(wish, Button):
            self._menu, request = attendant.press(before, wish, data)
        elif before.asking is None or at_s >= self._asked_s + READY_AFTER_S:
            self._menu, request = attendant.touch(before, wish, data)
        else:
            return
        if self._menu.asking != before.asking:
            self._asked_s = at_s
        if attendant.recalling(self._menu) and not attendant.recalling(before):
            self._step(RecallViewed())
        if request is not None:
            self._apply(request, data)

    def _apply(self, request: attendant.Request, data: AttendantData) -> None:
        """Applies a request and shows its outcome."""
        machine = data.machine
        match request:
            case attendant.Extra.SAVE_FILES:
                exporter = self._deps.exporter
                nowhere = data.say("Nothing is saved: this machine has no folder for files")
                self.show_outcome(nowhere if exporter is None else exporter.begin(data))
            case attendant.Extra() | attendant.PrintClosing() | attendant.PrintReceipt():
                page = self._deps.extra(request, data)
                gone = data.say("It is no longer listed, so nothing is printed")
                self.show_outcome(gone if page is None else data.say(self._pages.put_page(page).value))
            case attendant.PinTyped(digits=digits):
                self._step(PinEntered(right=self._deps.pin_fits(digits)))
                self.show_outcome(pin_outcome(self._deps.journal.machine or machine, self._say))
            case TicketChosen():
                self._pay_ticket(request, machine.printer.next_receipt)
            case SettleLock(how=Settlement.TIME_IS_RIGHT) if self._deps.housekeeping.clock.is_unset:
                self.show_outcome(self._say("This time cannot be right. Set the clock first."))
            case attendant.UseLanguage(code=code):
                self._language = code
            case EnterCount():
                self._enter_count(request)
            case _:
                self._request(request)

    def _request(self, request: Command) -> None:
        """Steps a request to the machine and shows its outcome."""
        known = self._deps.journal.seq
        self._step(request)
        self.show_outcome(said(request, self._say, done=self._deps.journal.seq != known))

    def _enter_count(self, counted: EnterCount) -> None:
        """Enters a count with what the books expect. A closing that is no longer listed has no such amount."""
        known = count_to_enter(self._deps.journal.connection, counted)
        if known is None:
            self.show_outcome(self._say("This closing is no longer listed"))
        else:
            self._request(known)

    def _pay_ticket(self, chosen: TicketChosen, receipt: int) -> None:
        """Pays an issued ticket by hand, by its present record in the journal, and shows the outcome. An expired ticket
        needs the second question."""
        connection, now_ms = self._deps.journal.connection, self._deps.housekeeping.clock.believed_ms
        command = to_pay(connection, chosen.sequence, now_ms)
        if command is not None and command.expired_days and not chosen.expired:
            self.show_outcome(self._say(EXPIRED_MEANWHILE))
            return
        if command is not None:
            self._step(command)
        paid = command is not None and to_pay(connection, chosen.sequence, now_ms) is None
        self.show_outcome(outcome(chosen.sequence, receipt if paid else None, self._say))
