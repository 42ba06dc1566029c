"""A set of US notes on an NV9, and the smallest cabinet that can take them."""

from dataclasses import dataclass, field

from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Channel,
    Offered,
    Returned,
    Stack,
    Stacked,
    Started,
    Take,
    Unsolicited,
)
from drivers.protocol import Confirm

VALUES_CENTS = (100, 200, 500, 1000, 2000, 5000, 10000)
CHANNELS = tuple(
    Channel(number=number, value_cents=cents, currency="USD") for number, cents in enumerate(VALUES_CENTS, start=1)
)
ALL = frozenset(channel.number for channel in CHANNELS)
TAKE_ALL = Take(channels=ALL)


@dataclass(slots=True)
class Keeper:
    """What a cabinet must remember of notes: an intent before the note is stacked, one outcome for each intent. An
    intent still open when the acceptor has started is decided by the acceptor's counter, where it has one.

    `handle` returns the orders an event asks for. `forget_unsaved` plays a crash; all that is here is on disk.
    `unexpected` counts stacked notes without an intent: no credit, a case for the attendant. One of another value than
    the intent's leaves that in doubt.
    """

    credited: list[int] = field(default_factory=list)
    intent_cents: int | None = None
    intent_counter: int | None = None
    doubtful: list[int] = field(default_factory=list)
    unexpected: list[int | None] = field(default_factory=list)
    returned: int = 0

    def handle(self, event: BillEvent) -> list[BillOrder]:
        """Digest one event as the cabinet would."""
        match event:
            case Offered(value_cents=value_cents, counter=counter):
                if self.intent_cents is not None:
                    self.doubtful.append(self.intent_cents)
                self.intent_cents, self.intent_counter = value_cents, counter
                return [Stack()]
            case Stacked(value_cents=value_cents, receipt=receipt):
                self._close(value_cents)
                return [Confirm(receipt=receipt)] if receipt is not None else []
            case Unsolicited(reported_cents=value_cents):
                self.unexpected.append(value_cents)
            case Returned():
                self.intent_cents = None
                self.returned += 1
            case Started(counter=counter):
                self._settle_by_count(counter)
            case _:
                pass
        return []

    def _settle_by_count(self, counter: int | None) -> None:
        if self.intent_cents is None:
            return
        before = self.intent_counter
        if before is None or counter not in (before, before + 1):
            self.doubtful.append(self.intent_cents)
        elif counter == before:
            self.returned += 1
        else:
            self.credited.append(self.intent_cents)
        self.intent_cents = None

    def _close(self, value_cents: int | None) -> None:
        if self.intent_cents is not None and value_cents in (None, self.intent_cents):
            self.credited.append(self.intent_cents)
        else:
            self.doubtful.extend(cents for cents in (self.intent_cents,) if cents is not None)
            self.unexpected.append(value_cents)
        self.intent_cents = None
