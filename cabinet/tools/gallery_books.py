"""The books of a busy cabinet for the pictures of the attendant's pages: hours of 31 days, meters, notes, tickets.

Rules: believable and always the same; the meters of the period are the sums of its hours. They lead to no machine: only
pages read them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from cabinet.attendant.data import AttendantData, Closing, Hour, TicketRow
from cabinet.engine.closing_facts import ClosingKind
from cabinet.engine.state import Machine, Settings
from cabinet.runtime.signed_statement import StatementSigner

TODAY = date(2031, 3, 5)
DAYS = 31
SECRET = bytes(32)
"""The secret with which the pictures are signed; no machine has it."""
PERIOD_DAYS = 9
BEFORE = 40
"""The lifetime in periods of these hours."""
RETURNS = {"european": 0.9949, "table": 0.9954, "classic": 0.9954}
SPREADS = {"european": 1.15, "table": 1.16, "classic": 1.14}
GAMES = {"european": (55, 9_946), "table": (27, 9_912), "classic": (18, 9_905)}
"""Each game's share of the stakes in hundredths, and what it has paid of 10,000."""
STAKE_CENTS = 1_500
"""The mean stakes of a game."""
BUSY = (14, 8, 3, 0, 0, 0, 0, 0, 0, 0, 2, 4, 6, 7, 8, 9, 11, 14, 18, 23, 28, 31, 27, 20)
"""How busy each hour of the day is."""
REASONS = ("not recognised", "not recognised", "credit limit", "inserted askew", "not recognised", "string detected")
"""Why notes go back."""
NOTES = {500: 9, 1_000: 14, 2_000: 41, 5_000: 22, 10_000: 14}
"""The notes of a hundred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """What belongs together: the hours, and the reports of the store."""

    hours: tuple[Hour, ...]
    meters: Mapping[str, Any]


def busy_data(machine: Machine, settings: Settings, *, sign: str = "$", language: str = "en") -> AttendantData:
    """Returns the attendant's data of a machine with busy books."""
    books = busy_books()
    return AttendantData(
        machine=machine,
        settings=settings,
        sign=sign,
        language=language,
        meters=books.meters,
        hours=books.hours,
        returns=RETURNS,
        spreads=SPREADS,
        unpaid=_tickets(),
        closings=(_collection(),),
        today=_name(TODAY),
        time="05 Mar 2031 14:32:20",
        stacker_notes=600,
        machine_name="0042",
        venue="Blackjack Cabinet",
        statement=StatementSigner(SECRET, lambda: (48_210, b"^" * 32)).statement,
    )


def busy_books() -> Books:
    """Returns the books of a cabinet that is played every day, most in the evenings of Friday and Saturday."""
    hours = tuple(hour for before in reversed(range(DAYS)) for hour in _hours(TODAY - timedelta(days=before)))
    first = TODAY - timedelta(days=PERIOD_DAYS - 1)
    begins = next(number for number, hour in enumerate(hours) if hour.day == _name(first))
    period = _sum(hours[begins:])
    lifetime = Counter({name: BEFORE * value for name, value in _sum(hours).items()})
    boxed = {name: value // 4 for name, value in _notes(period).items()}
    meters = {
        "period": _report(period),
        "lifetime": _report(lifetime),
        "in_cashbox_by_denomination": boxed,
        "in_cashbox": sum(int(cents) * count for cents, count in boxed.items()),
    }
    return Books(hours=hours, meters=meters)


def _name(day: date) -> str:
    return f"{day:%d %b %Y}"


def _hours(day: date) -> Iterator[Hour]:
    weekend = {4: 16, 5: 19, 6: 12}.get(day.weekday(), 9)
    for hour, busy in enumerate(BUSY):
        luck = (day.toordinal() * 7_919 + hour * 104_729) % 1_000
        games = busy * weekend * (400 + luck) // 6_000
        if games and not (day == TODAY and hour > 14):
            yield Hour(day=_name(day), hour=hour, weekday=day.weekday(), meters=_growth(games, luck))


def _growth(games: int, luck: int) -> dict[str, int]:
    """Returns the meters of an hour: its luck decides whether the machine wins."""
    found = {"games_played": games, "coin_in": 0, "coin_out": 0, "tickets_in": games * 90 // 500 * 500}
    for game_id, (share, paid) in GAMES.items():
        staked = games * STAKE_CENTS * share // 100 // 500 * 500
        back = staked * (paid + (luck * 31 % 1_000 - 480) * 3) // 10_000 // 50 * 50
        found |= {
            f"{game_id}.coin_in": staked,
            f"{game_id}.coin_out": back,
            f"{game_id}.games_played": games * share // 100,
        }
        found["coin_in"] += staked
        found["coin_out"] += back
    for cents, share in NOTES.items():
        found[f"bills:{cents}"] = (games * share + luck % 100) // 550
    found["bills_in"] = sum(cents * found[f"bills:{cents}"] for cents in NOTES)
    reason = REASONS[luck % len(REASONS)]
    if luck % 7 == 0 and reason == "credit limit":
        found |= {"bills_refused": 1, f"bills_refused:{reason}": 1}
    elif luck % 7 == 0:
        found |= {"bills_rejected": 1, f"bills_rejected:{reason}": 1}
    return found


def _sum(hours: tuple[Hour, ...]) -> Counter[str]:
    found: Counter[str] = Counter()
    for hour in hours:
        found.update(hour.meters)
    return found


def _notes(meters: Mapping[str, int]) -> dict[str, int]:
    return {f"{cents}": meters.get(f"bills:{cents}", 0) for cents in NOTES}


def _named(meters: Mapping[str, int], prefix: str) -> dict[str, int]:
    return {name.removeprefix(prefix): value for name, value in meters.items() if name.startswith(prefix)}


def _report(meters: Mapping[str, int]) -> dict[str, Any]:
    names = ("coin_in", "coin_out", "games_played")
    return {
        **meters,
        "tickets_out": meters["tickets_in"] * 5,
        "total_hand_paid": 184_500,
        "bills_by_denomination": _notes(meters),
        "bills_rejected_by_reason": _named(meters, "bills_rejected:"),
        "bills_refused_by_reason": _named(meters, "bills_refused:"),
        "by_game": {game_id: {name: meters[f"{game_id}.{name}"] for name in names} for game_id in GAMES},
        "doors": {"main door": 3, "cash box door": 2},
    }


def _tickets() -> tuple[TicketRow, ...]:
    return tuple(
        TicketRow(
            sequence=810 + number,
            when="05 Mar 2031 11:20:00",
            cents=3_150 + 1_275 * number,
            state="issued",
            tail="0042",
            duplicates=0,
        )
        for number in range(6)
    )


def _collection() -> Closing:
    return Closing(
        kind=ClosingKind.CASH_BOX,
        number=17,
        began="18 Feb 2031 09:02:11",
        ended="25 Feb 2031 09:14:38",
        meters={},
        notes={2_000: 212, 5_000: 84, 10_000: 51},
        expected_cents=1_354_000,
        counted_cents=1_354_000,
    )
