"""The queue of pages for a printer that takes one at a time.

Rules: a ticket goes before an attendant's pages; no page is sent while another is on its way; the outcome of that page
frees the printer for the next, and so does a ticket that is given up; a ticket that is given up is never sent; a page
that cannot wait is refused with a message. The module knows no money, no machine and no printer language.
"""

from collections import deque
from collections.abc import Callable
from enum import Enum

from drivers.printers.document import Document, Print, Printed, PrinterEvent, PrintFailed, PrintUnknown

NO_TICKET = 0
"""The job number of pages that are no tickets; the engine knows no ticket of this number."""
MOST_WAITING = 3
"""Highest number of waiting attendant's pages."""


class Taken(Enum):
    """The state of a page, in the words of the attendant's menu."""

    PRINTING = "The page is being printed."
    WAITING = "The printer is busy; the page comes after what it prints now."
    REFUSED = "The printer is busy and other pages wait already. Ask again when they are out."


class PrintQueue:
    """The pages of one printer; `send` orders one. For one thread."""

    def __init__(self, send: Callable[[Print], None]) -> None:
        self._send = send
        self._under_way: Print | None = None
        self._tickets: deque[Print] = deque()
        self._pages: deque[Print] = deque()

    def put(self, order: Print) -> Taken:
        """Prints this as soon as possible. A ticket is never refused."""
        waiting = self._pages if order.job == NO_TICKET else self._tickets
        if order.job == NO_TICKET and len(waiting) >= MOST_WAITING:
            return Taken.REFUSED
        waiting.append(order)
        self._next()
        return Taken.PRINTING if self._under_way is order else Taken.WAITING

    def put_page(self, page: Document) -> Taken:
        """Prints a page that is no ticket, for the attendant."""
        return self.put(Print(job=NO_TICKET, document=page))

    def on_event(self, event: PrinterEvent) -> str | None:
        """Applies an outcome and sends the next page. Returns the outcome of an attendant's page as text, else None."""
        under_way = self._under_way
        if under_way is None or not isinstance(event, Printed | PrintFailed | PrintUnknown):
            return None
        if event.job != under_way.job:
            return None
        self._under_way = None
        self._next()
        return _outcome(event) if event.job == NO_TICKET else None

    def want(self, job: int | None) -> None:
        """Removes every ticket but this one: their outcomes are decided. A ticket that was removed while it waited has
        waited longer than a page takes, so the printer will not report the page before it."""
        waited = any(order.job != job for order in self._tickets)
        self._tickets = deque(order for order in self._tickets if order.job == job)
        if self._under_way is not None and (waited or self._under_way.job not in {job, NO_TICKET}):
            self._under_way = None
            self._next()

    def _next(self) -> None:
        waiting = self._tickets or self._pages
        if self._under_way is None and waiting:
            self._under_way = waiting.popleft()
            self._send(self._under_way)


def _outcome(event: Printed | PrintFailed | PrintUnknown) -> str:
    match event:
        case Printed():
            return "The page came out."
        case PrintFailed(reason=reason):
            return f"The page did not come out: {reason}."
        case PrintUnknown(reason=reason):
            return f"It is not known whether the page came out: {reason}."
