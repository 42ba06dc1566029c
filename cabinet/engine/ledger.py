"""Where money is, and the only ways it moves.

Every movement is a transfer along a named route from one account to another, so all accounts always sum to zero.
Meters are totals per reason; they only grow. Credit, table, in transit, suspense and tickets never go below zero.
Knows accounts, routes and meters. Does not know cards, notes' channels, or the reason for a transfer.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from cabinet.engine.errors import LedgerError, SelfAuditError
from cabinet.engine.money import plain_amount


class Account(Enum):
    """Where money can be. Cash box, house and hand-paid face the outside and may have either sign.

    The tickets account is what this machine owes on tickets that are out; it never pays more than that.
    """

    CASHBOX = "cashbox"
    CREDIT = "credit"
    TABLE = "table"
    HOUSE = "house"
    IN_TRANSIT = "in_transit"
    TICKETS = "tickets"
    HAND_PAID = "hand_paid"
    SUSPENSE = "suspense"


NEVER_NEGATIVE = frozenset({Account.CREDIT, Account.TABLE, Account.IN_TRANSIT, Account.SUSPENSE, Account.TICKETS})
_NEVER_NEGATIVE_NAMES = tuple(sorted(account.value for account in NEVER_NEGATIVE))


class Route(Enum):
    """The ways money moves."""

    BILL_IN = "bill in"
    TICKET_IN = "ticket in"
    WAGER = "wager"
    STAKE_BACK = "stake back"
    WIN = "win"
    LOSS = "loss"
    CASH_OUT = "cash-out"
    TICKET_OUT = "ticket out"
    TICKET_PAID = "ticket paid by hand"
    OLD_TICKET_PAID = "ticket of before a memory clear paid by hand"
    CANCELLED = "cancelled credit"
    UNDONE = "cash-out undone"
    JACKPOT = "jackpot"
    VOIDED = "round voided"
    SUSPENDED = "note suspended"
    TICKET_SUSPENDED = "ticket suspended"
    SUSPENSE_CREDITED = "suspended note credited"
    SUSPENSE_PAID = "suspended note paid by hand"
    SUSPENSE_KEPT = "suspended note owed to nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteRule:
    """From where to where a route goes, and which money meters it moves."""

    source: Account
    target: Account
    meters: tuple[str, ...] = ()


ROUTES: Mapping[Route, RouteRule] = {
    Route.BILL_IN: RouteRule(source=Account.CASHBOX, target=Account.CREDIT, meters=("bills_in",)),
    Route.TICKET_IN: RouteRule(source=Account.TICKETS, target=Account.CREDIT, meters=("tickets_in",)),
    Route.WAGER: RouteRule(source=Account.CREDIT, target=Account.TABLE, meters=("coin_in",)),
    Route.STAKE_BACK: RouteRule(source=Account.TABLE, target=Account.CREDIT, meters=("coin_out",)),
    Route.WIN: RouteRule(source=Account.HOUSE, target=Account.CREDIT, meters=("coin_out",)),
    Route.LOSS: RouteRule(source=Account.TABLE, target=Account.HOUSE),
    Route.CASH_OUT: RouteRule(source=Account.CREDIT, target=Account.IN_TRANSIT),
    Route.TICKET_OUT: RouteRule(source=Account.IN_TRANSIT, target=Account.TICKETS, meters=("tickets_out",)),
    Route.TICKET_PAID: RouteRule(source=Account.TICKETS, target=Account.HAND_PAID, meters=("tickets_paid",)),
    Route.OLD_TICKET_PAID: RouteRule(source=Account.HOUSE, target=Account.HAND_PAID, meters=("old_tickets_paid",)),
    Route.CANCELLED: RouteRule(
        source=Account.IN_TRANSIT, target=Account.HAND_PAID, meters=("cancelled_credit", "hand_paid")
    ),
    Route.UNDONE: RouteRule(source=Account.IN_TRANSIT, target=Account.CREDIT, meters=("undone",)),
    Route.JACKPOT: RouteRule(source=Account.CREDIT, target=Account.HAND_PAID, meters=("jackpots", "hand_paid")),
    Route.VOIDED: RouteRule(source=Account.TABLE, target=Account.CREDIT, meters=("voided",)),
    Route.SUSPENDED: RouteRule(source=Account.CASHBOX, target=Account.SUSPENSE, meters=("bills_in", "suspended")),
    Route.TICKET_SUSPENDED: RouteRule(
        source=Account.TICKETS, target=Account.SUSPENSE, meters=("tickets_in", "suspended")
    ),
    Route.SUSPENSE_CREDITED: RouteRule(source=Account.SUSPENSE, target=Account.CREDIT, meters=("suspense_credited",)),
    Route.SUSPENSE_PAID: RouteRule(
        source=Account.SUSPENSE, target=Account.HAND_PAID, meters=("suspense_paid", "hand_paid")
    ),
    Route.SUSPENSE_KEPT: RouteRule(source=Account.SUSPENSE, target=Account.HOUSE, meters=("suspense_kept",)),
}
"""The only list of the ways money moves; `undone` takes back what `cash-out` had set apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One transfer, as it goes into the journal."""

    route: Route
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """All balances and all lifetime meters. A missing name is zero."""

    balances: Mapping[str, int] = field(default_factory=dict)
    meters: Mapping[str, int] = field(default_factory=dict)

    def balance(self, account: Account) -> int:
        """Returns an account's balance in cents."""
        return self.balances.get(account.value, 0)

    def meter(self, name: str) -> int:
        """Returns a meter's lifetime value."""
        return self.meters.get(name, 0)

    @property
    def credit_cents(self) -> int:
        """Returns what the player may bet or cash out, in cents."""
        return self.balances.get(Account.CREDIT.value, 0)


def post(books: Books, postings: Iterable[Posting]) -> Books:
    """Returns the books after these transfers. Raises LedgerError when one is not positive or an account would go below
    zero."""
    balances, meters = dict(books.balances), dict(books.meters)
    for posting in postings:
        if posting.cents <= 0:
            raise LedgerError(f"{posting.route.value}: {posting.cents} cents, expected more than nothing")
        rule = ROUTES[posting.route]
        _move(balances, rule.source, -posting.cents, posting)
        _move(balances, rule.target, posting.cents, posting)
        for name in rule.meters:
            meters[name] = meters.get(name, 0) + posting.cents
    return Books(balances=balances, meters=meters)


def _move(balances: dict[str, int], account: Account, cents: int, posting: Posting) -> None:
    after = balances.get(account.value, 0) + cents
    if after < 0 and account in NEVER_NEGATIVE:
        raise LedgerError(f"{posting.route.value} of {posting.cents} cents would leave {account.value} at {after}")
    balances[account.value] = after


def count(books: Books, counts: Mapping[str, int]) -> Books:
    """Returns the books with these counting meters raised. Raises LedgerError when one would fall."""
    meters = dict(books.meters)
    for name, step in counts.items():
        if step < 0:
            raise LedgerError(f"meter {name} would fall by {-step}; meters only grow")
        meters[name] = meters.get(name, 0) + step
    return Books(balances=books.balances, meters=meters)


NEVER_CLEARED = ("memory_clears",)
"""Meters that outlive a memory clear."""


def cleared(meters: Mapping[str, int]) -> dict[str, int]:
    """Returns the meters that a memory clear keeps; it keeps no balance."""
    return {name: meters[name] for name in NEVER_CLEARED if name in meters}


def faults_of(books: Books) -> tuple[str, ...]:
    """Returns what is wrong with the books, in words; empty when accounts sum to zero and meters explain the balances.

    Source: CM-05, credit = ins + wins - outs - wagers, with money in transit and in suspense shown separately. A
    ticket that the attendant pays left the credit when it was printed, so it is neither in nor out here.
    """
    return (*_faults_of_credit(books), *_faults_of_accounts(books))


def _faults_of_credit(books: Books) -> Iterator[str]:
    """Yields errors unless all accounts sum to zero and the player's money agrees with the meters."""
    meter, balance = books.meter, books.balance
    total = sum(books.balances.values())
    if total:
        yield f"accounts sum to {plain_amount(total)}, expected 0"
    inside = meter("bills_in") + meter("tickets_in") + meter("coin_out") + meter("voided")
    outside = meter("coin_in") + meter("tickets_out") + meter("hand_paid") + meter("suspense_kept")
    held, expected = balance(Account.CREDIT) + balance(Account.IN_TRANSIT) + balance(Account.SUSPENSE), inside - outside
    if held != expected:
        yield f"credit, transit and suspense hold {plain_amount(held)}, the meters say {plain_amount(expected)}"


def _faults_of_accounts(books: Books) -> Iterator[str]:
    """Yields errors unless each account agrees with its meters, and none is below zero that cannot be."""
    meter, balance = books.meter, books.balance
    bills_in = meter("bills_in")
    notes = sum(int(name.rpartition(":")[2]) * n for name, n in books.meters.items() if name.startswith("bills:"))
    if notes != bills_in:
        yield f"notes by denomination are worth {plain_amount(notes)}, bills in says {plain_amount(bills_in)}"
    if -balance(Account.CASHBOX) != bills_in:
        yield "the cash box account disagrees with bills in"
    if balance(Account.TICKETS) != meter("tickets_out") - meter("tickets_in") - meter("tickets_paid"):
        yield "the tickets account disagrees with tickets out less tickets in and paid"
    if balance(Account.HAND_PAID) != meter("hand_paid") + meter("tickets_paid") + meter("old_tickets_paid"):
        yield "the hand-paid account disagrees with hand-paid and tickets paid"
    yield from (f"{name} is below zero" for name in _NEVER_NEGATIVE_NAMES if books.balances.get(name, 0) < 0)


def audit(books: Books) -> None:
    """Raises SelfAuditError when the books contradict themselves."""
    faults = faults_of(books)
    if faults:
        raise SelfAuditError("; ".join(faults))
