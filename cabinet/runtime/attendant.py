"""The attendant at the machine: where the menu stands, and what its requests do.

Rules that hold: what the menu asks of the machine becomes a step like any other; a ticket is paid as the journal knows
it at that moment; the menu opens anew each time. Lives on the cabinet's thread; knows no devices, lamps or screens.
"""

from collections.abc import Callable
from dataclasses import replace

from cabinet.attendant import menu as attendant
from cabinet.attendant.advice import said
from cabinet.attendant.pages import Page
from cabinet.attendant.till import EXPIRED_MEANWHILE, TicketChosen, outcome
from cabinet.engine.inputs import Button, Command, Fact, PinEntered, RecallViewed, SettleLock, Settlement
from cabinet.engine.state import Machine
from cabinet.runtime.dependencies import Dependencies
from cabinet.runtime.print_queue import PrintQueue
from cabinet.store.tickets import to_pay


class AttendantSession:
    """The menu of one cabinet, and the way from its requests to steps and pages."""

    def __init__(self, deps: Dependencies, pages: PrintQueue, step: Callable[[Command | Fact], None]) -> None:
        """`step` takes a step and has made it durable when it returns."""
        self._deps = deps
        self._pages = pages
        self._step = step
        self._menu = attendant.open_menu()

    def lit(self, machine: Machine) -> frozenset[Button]:
        """The buttons that do something in the menu."""
        return attendant.lit(self._menu, self._deps.data(machine))

    @property
    def testing(self) -> bool:
        """Whether lamps and buttons are being tested."""
        return attendant.testing(self._menu)

    def page(self, machine: Machine) -> Page:
        """What the attendant sees."""
        return attendant.page(self._menu, self._deps.data(machine))

    def leave(self) -> None:
        """The attendant has gone: the next one begins at the top."""
        self._menu = attendant.open_menu()

    def tell(self, words: str) -> None:
        """Say what became of the last thing that was asked for."""
        self._menu = replace(self._menu, outcome=words)

    def press(self, button: Button, machine: Machine) -> None:
        """A button moves the bar, and with it perhaps the machine."""
        data, recalling = self._deps.data(machine), attendant.recalling(self._menu)
        self._menu, request = attendant.press(self._menu, button, data)
        if attendant.recalling(self._menu) and not recalling:
            self._step(RecallViewed())
        match request:
            case attendant.Extra():
                self.tell(self._pages.put_page(self._deps.extra(request, data)).value)
            case attendant.PinTyped(digits=digits):
                self._step(PinEntered(right=self._deps.pin_fits(digits)))
            case TicketChosen():
                self._pay_ticket(request, machine.next_receipt)
            case SettleLock(how=Settlement.TIME_IS_RIGHT) if self._deps.housekeeping.clock.is_unset:
                self.tell("This time cannot be right. Set the clock first.")
            case None:
                pass
            case _:
                known = self._deps.journal.seq
                self._step(request)
                self.tell(said(request, done=self._deps.journal.seq != known))

    def _pay_ticket(self, chosen: TicketChosen, receipt: int) -> None:
        """Pay an issued ticket by hand as the journal knows it now, and say what came of it. One that has expired is
        paid only after the second question."""
        connection, now_ms = self._deps.journal.connection, self._deps.housekeeping.clock.believed_ms
        command = to_pay(connection, chosen.sequence, now_ms)
        if command is not None and command.expired_days and not chosen.expired:
            self.tell(EXPIRED_MEANWHILE)
            return
        if command is not None:
            self._step(command)
        paid = command is not None and to_pay(connection, chosen.sequence, now_ms) is None
        self.tell(outcome(chosen.sequence, receipt if paid else None))
