"""Reports from the journal: meters, rounds, events, tickets. Read-only.

Amounts are cents. Times are milliseconds since 1970 of the machine's clock, with a flag whether it was valid.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from sqlite3 import Connection
from typing import Any, Concatenate, ParamSpec, TypeVar

from cabinet.engine.cards import code_of
from cabinet.engine.closings import box_growth
from cabinet.engine.effects import (
    CardDealt,
    Event,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
    RoundBegan,
    RoundSettled,
    RoundVoided,
)
from cabinet.engine.ledger import Account, Posting
from cabinet.engine.log import LogKind
from cabinet.engine.state import Machine
from cabinet.store import codec
from cabinet.store.opening import refusal_to_read
from cabinet.store.tickets import CLEARED, ISSUED, Ticket

__all__ = [
    "Connection",
    "EventRow",
    "TicketRow",
    "events",
    "meters",
    "newest_time_ms",
    "one_round",
    "recall",
    "tickets",
    "unpaid_tickets",
]

_P = ParamSpec("_P")
_T = TypeVar("_T")

NEWEST = 2**62
"""A number above every round and every ticket."""
HIDDEN = "??"
"""Stands for the dealer's face-down card while a round is open."""

_OUTSIDE_GAME = frozenset({"bill in", "ticket in", "suspended note credited", "cash-out undone", "cash-out", "jackpot"})


_ENDS = f"(events LIKE '%\"{RoundSettled.__name__}\"%' OR events LIKE '%\"{RoundVoided.__name__}\"%')"
"""Selects the row that ends a round, with the stored names of its events."""


def errors_explained(report: Callable[Concatenate[Connection, _P], _T]) -> Callable[Concatenate[Connection, _P], _T]:
    """Wraps a report: an error while reading names the file and what to do."""

    @wraps(report)
    def read(connection: Connection, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return report(connection, *args, **kwargs)
        except sqlite3.DatabaseError as error:
            raise refusal_to_read(error, connection) from error

    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """An entry of the significant-event log."""

    number: int
    wall_ms: int
    clock_ok: bool
    what: str
    detail: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketRow:
    """A ticket with its state. `settled_ms` is when it became worthless or, while it is good, when its newest duplicate
    was printed; 0 before that."""

    sequence: int
    number: str
    cents: int
    state: str
    wall_ms: int
    clock_ok: bool
    duplicates: int
    settled_ms: int = 0
    settled_ok: bool = False
    expires_days: int = 0

    def expired_days(self, now_ms: int) -> int:
        """Returns for how many days a ticket that is out has been expired; 0 for a good one, and for `now_ms` 0."""
        listed = Ticket(self.number, self.cents, self.state, self.wall_ms, self.clock_ok, 0, self.expires_days)
        return listed.expired_days(now_ms)


@errors_explained
def events(connection: Connection, *, limit: int, what: Iterable[str] = (), first: int = 0) -> tuple[EventRow, ...]:
    """Returns the newest log entries from number `first` on, newest first; only the kinds in `what`, if it names
    any."""
    kinds = tuple(what)
    where = f"WHERE what IN ({_places(kinds)})" if kinds else ""
    query = (
        "SELECT number, wall_ms, clock_ok, what, detail, cents "
        f"FROM events {where} ORDER BY number DESC LIMIT ? OFFSET ?"
    )
    return tuple(
        EventRow(number=n, wall_ms=w, clock_ok=bool(ok), what=what_, detail=d, cents=c)
        for n, w, ok, what_, d, c in connection.execute(query, (*kinds, limit, first))
    )


@errors_explained
def events_of_step(connection: Connection, number: int) -> tuple[EventRow, ...]:
    """Returns the log entries of the step that made the entry of this number, oldest first; none where the log no
    longer has it."""
    query = (
        "SELECT number, wall_ms, clock_ok, what, detail, cents FROM events "
        "WHERE seq = (SELECT seq FROM events WHERE number = ?) ORDER BY number"
    )
    return tuple(
        EventRow(number=n, wall_ms=w, clock_ok=bool(ok), what=what, detail=d, cents=c)
        for n, w, ok, what, d, c in connection.execute(query, (number,))
    )


def _places(values: tuple[str, ...]) -> str:
    """Returns a question mark for each value."""
    return ", ".join("?" * len(values))


@errors_explained
def count_events(connection: Connection, *, what: Iterable[str]) -> int:
    """Returns the number of log entries of these kinds."""
    kinds = tuple(what)
    query = f"SELECT count(*) FROM events WHERE what IN ({_places(kinds)})"
    return int(connection.execute(query, kinds).fetchone()[0])


@errors_explained
def tickets(connection: Connection, *, limit: int, states: Iterable[str] = (), first: int = 0) -> tuple[TicketRow, ...]:
    """Returns the newest tickets from number `first` on, newest first; only in these states, if it names any."""
    among = tuple(states)
    return _tickets(connection, _in_states(among), limit, among, first=first)


@errors_explained
def count_tickets(connection: Connection, *, states: Iterable[str] = ()) -> int:
    """Returns the number of tickets in these states; of all without a state."""
    among = tuple(states)
    return int(connection.execute(f"SELECT count(*) FROM tickets WHERE {_in_states(among)}", among).fetchone()[0])


def _in_states(states: tuple[str, ...]) -> str:
    return f"state IN ({_places(states)})" if states else "TRUE"


@errors_explained
def tickets_ending(connection: Connection, digits: str, *, limit: int) -> tuple[TicketRow, ...]:
    """Returns the newest tickets whose validation number or printed number ends with these digits."""
    ends = "number LIKE ? OR printf('%06d', sequence) LIKE ?"
    return _tickets(connection, ends, limit, (f"%{digits}", f"%{digits}"))


@errors_explained
def tickets_before(connection: Connection, *, before: int, limit: int) -> tuple[TicketRow, ...]:
    """Returns the newest tickets before a sequence, newest first."""
    return _tickets(connection, "sequence < ?", limit, (before,))


@errors_explained
def unpaid_tickets(connection: Connection) -> tuple[TicketRow, ...]:
    """Returns every listed ticket that is out and unpaid, newest first."""
    return _tickets(connection, f"state IN ('{ISSUED}', '{CLEARED}')", -1)


def _tickets(
    connection: Connection, which: str, limit: int, values: tuple[str | int, ...] = (), *, first: int = 0
) -> tuple[TicketRow, ...]:
    query = (
        "SELECT sequence, number, cents, state, wall_ms, clock_ok, duplicates, settled_ms, settled_ok, expires_days "
        f"FROM tickets WHERE {which} ORDER BY sequence DESC LIMIT ? OFFSET ?"
    )
    return tuple(
        TicketRow(
            sequence=s,
            number=n,
            cents=c,
            state=st,
            wall_ms=w,
            clock_ok=bool(ok),
            duplicates=d,
            settled_ms=at,
            settled_ok=bool(sure),
            expires_days=days,
        )
        for s, n, c, st, w, ok, d, at, sure, days in connection.execute(query, (*values, limit, first))
    )


@errors_explained
def ticket_issued(connection: Connection, sequence: int) -> tuple[int, bool] | None:
    """Returns when a ticket was issued, in milliseconds since 1970, and whether the clock was valid; a duplicate
    changes neither. None for an unknown ticket."""
    found = connection.execute("SELECT wall_ms, clock_ok FROM tickets WHERE sequence = ?", (sequence,)).fetchone()
    return None if found is None else (found[0], bool(found[1]))


@errors_explained
def newest_time_ms(connection: Connection) -> int:
    """Returns the newest trusted time in the journal, counted from the row in which the technician last confirmed the
    present time; 0 for none."""
    (base,) = connection.execute(
        "SELECT coalesce(max(seq), 0) FROM events WHERE what = ?", (LogKind.TIME_CONFIRMED.value,)
    ).fetchone()
    (found,) = connection.execute(
        "SELECT max(coalesce((SELECT max(wall_ms) FROM steps WHERE clock_ok = 1 AND seq >= ?1), 0), "
        "coalesce((SELECT wall_ms FROM checkpoint WHERE seq >= ?1), 0))",
        (base,),
    ).fetchone()
    return int(found)


# --- meters -----------------------------------------------------------------------------------------------------

_PLAIN = (
    "coin_in",
    "coin_out",
    "bills_in",
    "bills_rejected",
    "bills_refused",
    "bills_returned",
    "tickets_out",
    "tickets_out_count",
    "tickets_in",
    "tickets_in_count",
    "hand_paid",
    "hand_pays",
    "cancelled_credit",
    "jackpots",
    "games_played",
    "games_won",
    "games_lost",
    "games_pushed",
    "hands_played",
    "blackjacks",
    "doubles",
    "splits",
    "pushes",
    "insurance_taken",
    "insurance_won",
    "dealer_blackjacks",
    "voided",
    "voided_rounds",
    "undone",
    "suspended",
    "suspense_credited",
    "suspense_paid",
    "suspense_kept",
    "tickets_paid",
    "tickets_paid_count",
    "old_tickets_paid",
    "memory_clears",
    "tickets_reprinted",
    "cashbox_removals",
    "cashbox_at_clear",
    "power_ups",
)
_PER_GAME = ("coin_in", "coin_out", "games_played", "games_won", "games_lost", "games_pushed")


def _one_period(meters: Mapping[str, int], game_ids: Iterable[str]) -> dict[str, Any]:
    report: dict[str, Any] = {name: meters.get(name, 0) for name in _PLAIN}
    report["bills_by_denomination"] = _named(meters, "bills:")
    report["bills_rejected_by_reason"] = _named(meters, "bills_rejected:")
    report["bills_refused_by_reason"] = _named(meters, "bills_refused:")
    report["hand_pays_by_kind"] = _named(meters, "hand_pays:")
    report["closings"] = _named(meters, "closings:")
    report["by_game"] = {
        game_id: {name: meters.get(f"{game_id}.{name}", 0) for name in _PER_GAME} for game_id in game_ids
    }
    report["doors"] = _named(meters, "doors:")
    report["total_drop"] = report["bills_in"] + report["tickets_in"]
    # A large win is in coin out when it is won. Paid by hand it leaves the credit, as a cancelled credit does.
    report["total_won"] = report["coin_out"]
    report["total_hand_paid"] = report["cancelled_credit"] + report["jackpots"] + report["suspense_paid"]
    return report


def _named(meters: Mapping[str, int], prefix: str) -> dict[str, int]:
    found = {name.removeprefix(prefix): value for name, value in meters.items() if name.startswith(prefix)}
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), item[0])))


def meters(machine: Machine, game_ids: Iterable[str]) -> dict[str, Any]:
    """Returns every meter, for the lifetime and for the period, with the present credit."""
    lifetime = machine.books.meters
    period = {name: value - machine.period_start.get(name, 0) for name, value in lifetime.items()}
    ids = tuple(game_ids)
    credit = machine.books.credit_cents
    played = machine.books.meter("games_played")
    boxed = box_growth(lifetime, machine.marks)
    return {
        "credit": credit,
        "lifetime": {"credit": credit, **_one_period(lifetime, ids)},
        "period": {"credit": credit, **_one_period(period, ids)},
        "games_since_power_up": played - machine.marks.get("power_up.games_played", 0),
        "games_since_door_close": played - machine.marks.get("door_close.games_played", 0),
        "in_cashbox": boxed.get("bills_in", 0),
        "in_cashbox_by_denomination": _named(boxed, "bills:"),
        "tickets_outstanding": machine.books.balance(Account.TICKETS),
        "accounts": {account.value: machine.books.balance(account) for account in Account},
    }


# --- recall -----------------------------------------------------------------------------------------------------


@errors_explained
def recall(connection: Connection, *, rounds: int, before: int = NEWEST) -> list[dict[str, Any]]:
    """Returns the last rounds before a number, oldest first, the open one included: every card in draw order, choice,
    stake and result. The dealer's hole card of an open round stays hidden. A round whose first rows were dropped is
    left out."""
    found = connection.execute(
        "SELECT DISTINCT round FROM steps "
        "WHERE round > coalesce((SELECT round FROM steps JOIN checkpoint USING (seq)), 0) AND round < ? "
        "ORDER BY round DESC LIMIT ?",
        (before, rounds),
    ).fetchall()
    return [one_round(connection, number) for (number,) in reversed(found)]


@errors_explained
def one_round(connection: Connection, number: int) -> dict[str, Any]:
    """Returns one round card by card, its results in order of place and hand.

    `money` lists money put in or taken out until the next round, with `after` for money after the end of the round.
    `staked` is the sum of the stakes so far. `returned` is None while the round is open; for a voided round it is the
    stakes given back. After the end of the round only rows that move money are read, because a machine may idle for
    days.
    """
    (end,) = connection.execute(f"SELECT min(seq) FROM steps WHERE round = ? AND {_ENDS}", (number,)).fetchone()
    rows = connection.execute(
        "SELECT seq, wall_ms, clock_ok, drawn, postings, events FROM steps "
        "WHERE round = ?1 AND (?2 IS NULL OR seq <= ?2 OR postings <> '[]') ORDER BY seq",
        (number, end),
    ).fetchall()
    story = _begin_story(number)
    if rows:
        seq, began_ms, clock_ok, *_ = rows[0]
        story.update(began_ms=began_ms, clock_ok=bool(clock_ok), credit_before=_credit_before(connection, seq))
    for seq, wall_ms, _, drawn, postings, events in rows:
        if end is None or seq <= end:
            _add_step(story, codec.decode_plain(drawn), codec.decode_events(events), wall_ms)
        _add_money(story, postings, wall_ms, after=end is not None and seq > end)
        if not story["open"] and story["credit_after"] is None:
            story["credit_after"] = _credit_before(connection, seq + 1)
    if story["open"]:
        _hide_hole(story)
    story["results"].sort(key=lambda result: (result["place"], result["hand"]))
    story["insurance"].sort(key=lambda result: result["place"])
    return story


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A row of a round as it was recorded. `credit_cents` is the credit after it, `money` what moved beside the stakes:
    stored word and cents."""

    wall_ms: int
    clock_ok: bool
    credit_cents: int
    drawn: tuple[int, ...]
    events: tuple[Event, ...]
    money: tuple[tuple[str, int], ...]


@errors_explained
def game_rows(connection: Connection, number: int) -> tuple[GameRow, ...]:
    """Returns the rows of one round, oldest first, up to the row that ended it. The dealer's hole card of an open round
    is among the drawn cards."""
    (end,) = connection.execute(f"SELECT min(seq) FROM steps WHERE round = ? AND {_ENDS}", (number,)).fetchone()
    rows = connection.execute(
        "SELECT wall_ms, clock_ok, credit, drawn, postings, events FROM steps "
        "WHERE round = ?1 AND (?2 IS NULL OR seq <= ?2) ORDER BY seq",
        (number, end),
    )
    return tuple(
        GameRow(
            wall_ms=wall_ms,
            clock_ok=bool(clock_ok),
            credit_cents=credit,
            drawn=tuple(codec.decode_plain(drawn)),
            events=tuple(codec.decode_events(events)),
            money=tuple((each.route.value, each.cents) for each in _beside_stakes(postings)),
        )
        for wall_ms, clock_ok, credit, drawn, postings, events in rows
    )


def _begin_story(number: int) -> dict[str, Any]:
    """Returns the report of a round without steps."""
    return {
        "number": number,
        "game": "",
        "open": True,
        "voided": False,
        "began_ms": 0,
        "clock_ok": False,
        "credit_before": 0,
        "credit_after": None,
        "bets": [],
        "cards": [],
        "dealt": [],
        "choices": [],
        "results": [],
        "insurance": [],
        "money": [],
        "staked": 0,
        "returned": None,
    }


def _hide_hole(story: dict[str, Any]) -> None:
    """Cards are dealt in the order they are drawn, so the face-down card has the same place in both lists."""
    for place, dealt in enumerate(story["dealt"]):
        if dealt["card"] is None:
            story["cards"][place] = HIDDEN


def _add_step(story: dict[str, Any], drawn: list[int], events: Iterable[object], wall_ms: int) -> None:
    story["cards"].extend(code_of(card) for card in drawn)
    for event in events:
        match event:
            case RoundBegan():
                story.update(game=event.game_id, bets=list(event.bets), staked=sum(event.bets), began_ms=wall_ms)
            case HandPlayed():
                story["staked"] += event.added_cents
                story["choices"].append(
                    {"place": event.place, "hand": event.hand, "choice": event.action, "added": event.added_cents}
                )
            case InsuranceAnswered():
                story["staked"] += event.cents
                story["choices"].append({"place": event.place, "hand": 0, "choice": "insurance", "added": event.cents})
            case CardDealt() | HoleTurned():
                story["dealt"].append(_dealt(event))
            case HandSettled():
                story["results"].append(_result(event) | {"hand": event.hand, "outcome": event.outcome.value})
            case InsuranceSettled():
                story["insurance"].append(_result(event))
            case RoundSettled():
                story.update(open=False, staked=event.staked_cents, returned=event.returned_cents)
            case RoundVoided():
                story.update(open=False, voided=True, returned=event.cents)
            case _:
                pass


def _dealt(event: CardDealt | HoleTurned) -> dict[str, Any]:
    if isinstance(event, HoleTurned):
        return {"to": "dealer", "card": code_of(event.card), "turned": True}
    card = None if event.face_down else code_of(event.card)
    to = "dealer" if event.place is None else f"place {event.place + 1} hand {event.hand + 1}"
    return {"to": to, "card": card}


def _result(event: HandSettled | InsuranceSettled) -> dict[str, Any]:
    return {"place": event.place, "stake": event.stake_cents, "returned": event.returned_cents}


def _add_money(story: dict[str, Any], postings: str, wall_ms: int, *, after: bool) -> None:
    for posting in _beside_stakes(postings):
        moved = {"kind": posting.route.value, "cents": posting.cents, "at_ms": wall_ms, "after": after}
        story["money"].append(moved)


def _beside_stakes(postings: str) -> tuple[Posting, ...]:
    """Returns the transfers that put money in or take it out."""
    return tuple(each for each in codec.decode_postings(postings) if each.route.value in _OUTSIDE_GAME)


def _credit_before(connection: Connection, seq: int) -> int:
    """Returns the credit just before step `seq`."""
    found = connection.execute("SELECT credit FROM steps WHERE seq = ?", (seq - 1,)).fetchone()
    return int(found[0]) if found else 0
