"""The attendant's charts, made from hours, meters and notes: money over time, mixes, acceptance, returns. Pure.

Rules: the sum of a chart is the growth of the meters in its time, to the cent. A day without growth is a column of
zero. While the clock is not valid, a chart ends with the last day that is known, and says so.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any

from cabinet.attendant.charts import Band, Columns, Figure, Shares, Tile, scale_of
from cabinet.attendant.data import AttendantData, Hour
from cabinet.attendant.returns import return_row
from cabinet.text.attendant_words import text
from cabinet.text.calendar_names import month_and_year, weekday_and_day

DAYS = 30
WEEK = 7
MOST_REASONS = 7
"""Reasons with a bar of their own."""
HOURS = 24
LABEL_EVERY = 6
"""Hours from one label of the axis to the next."""
PERIOD, LIFETIME = "period", "lifetime"
SPANS = {PERIOD: text("This period"), LIFETIME: text("Lifetime")}
"""The two spans of the store's report, by its names."""
_DAY = "%d %b %Y"
Amount = Callable[[Mapping[str, int]], int]


def drop_cents(meters: Mapping[str, int]) -> int:
    """Returns the value of the notes and tickets that were put in."""
    return meters.get("bills_in", 0) + meters.get("tickets_in", 0)


def win_cents(meters: Mapping[str, int]) -> int:
    """Returns what the machine has won: stakes less what was paid and what voided games gave back."""
    return meters.get("coin_in", 0) - meters.get("coin_out", 0) - meters.get("voided", 0)


# --- money over time --------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def date_of(day: str) -> date:
    """Returns the date of a day as `Hour.day` writes it."""
    return datetime.strptime(day, _DAY).date()  # noqa: DTZ007 - a day of the calendar has no zone


def last_day(data: AttendantData) -> date | None:
    """Returns today; while the clock is not valid, the newest day that is known. None without any."""
    if data.today:
        return date_of(data.today)
    return max((date_of(hour.day) for hour in data.hours), default=None)


def sum_of_days(data: AttendantData, amount: Amount, *, first: int, last: int = 0) -> int | None:
    """Returns the sum over the days from `first` to `last` days before today; None while the clock is not valid."""
    if not data.today:
        return None
    today = date_of(data.today)
    wanted = {today - timedelta(days=before) for before in range(last, first + 1)}
    return sum(amount(hour.meters) for hour in data.hours if date_of(hour.day) in wanted)


def drop_per_day(data: AttendantData) -> Columns:
    """Returns the drop of each of the last 30 days, oldest first."""
    days = _days_to(last_day(data), DAYS)
    found = _sums(data.hours, drop_cents, lambda hour: date_of(hour.day))
    amounts = [found[day] for day in days]
    return Columns(
        title=data.say("Notes and tickets put in, per day"),
        columns=tuple((f"{day.day}", cents) for day, cents in zip(days, amounts, strict=True)),
        unit=data.sign,
        note=_note_of_sum(data, amounts, data.say("Last {count} days", count=DAYS)),
        scale=scale_of(amounts, lambda cents: short_money(data, cents)),
        groups=_grouped(month_and_year(day, data.language) for day in days),
        shaded=frozenset(number for number, day in enumerate(days) if _is_weekend(day)),
        shaded_means=data.say("Shaded: Saturday and Sunday"),
    )


def win_per_hour(data: AttendantData) -> Columns:
    """Returns the win of each hour of the last seven days, oldest first."""
    days = _days_to(last_day(data), WEEK)
    found = _sums(data.hours, win_cents, lambda hour: (date_of(hour.day), hour.hour))
    hours = [(day, hour) for day in days for hour in range(HOURS)]
    amounts = [found[each] for each in hours]
    return Columns(
        title=data.say("Stakes less what was paid, per hour"),
        columns=tuple(
            ("" if hour % LABEL_EVERY else f"{hour}", cents) for (_, hour), cents in zip(hours, amounts, strict=True)
        ),
        unit=data.sign,
        note=_note_of_sum(data, amounts, data.say("Last {count} days", count=WEEK)),
        scale=scale_of(amounts, lambda cents: short_money(data, cents)),
        groups=_grouped(weekday_and_day(day, data.language) for day, _ in hours),
        shaded=frozenset(number for number, (day, _) in enumerate(hours) if _is_weekend(day)),
        shaded_means=data.say("Shaded: Saturday and Sunday"),
    )


def _days_to(end: date | None, count: int) -> list[date]:
    return [] if end is None else [end - timedelta(days=before) for before in reversed(range(count))]


def _sums(hours: Iterable[Hour], amount: Amount, key: Callable[[Hour], object]) -> Counter[object]:
    """Returns the sum of each key. An hour may be there twice, when the clock was set back by one."""
    found: Counter[object] = Counter()
    for hour in hours:
        found[key(hour)] += amount(hour.meters)
    return found


def _grouped(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple((name, len(list(same))) for name, same in groupby(names))


def _is_weekend(day: date) -> bool:
    return day.weekday() >= WEEK - 2


def _note_of_sum(data: AttendantData, amounts: list[int], span: str) -> str:
    if not amounts:
        return data.say("No day is known yet: the clock was never valid.")
    words = data.say(
        "{span}: {sum} · highest: {high} · lowest: {low}",
        span=span,
        sum=data.money(sum(amounts)),
        high=data.money(max(amounts)),
        low=data.money(min(amounts)),
    )
    return words if data.today else data.say("{words} (the clock is not valid: the last known days)", words=words)


def short_money(data: AttendantData, cents: int) -> str:
    """Returns an amount as text, without cents where it has none."""
    return data.money(cents).removesuffix(".00")


# --- mixes ------------------------------------------------------------------------------------------------------


def report_of(data: AttendantData, span: str) -> Mapping[str, Any]:
    """Returns the meters of a span; empty where none was read."""
    found: Mapping[str, Any] = data.meters.get(span, {})
    return found


_PUT_IN: tuple[tuple[str, Amount], ...] = (
    (text("Drop"), drop_cents),
    (text("Notes in"), lambda meters: meters.get("bills_in", 0)),
    (text("Tickets in"), lambda meters: meters.get("tickets_in", 0)),
)
_PLAYED: tuple[tuple[str, Amount], ...] = (
    (text("Stakes"), lambda meters: meters.get("coin_in", 0)),
    (text("Paid to the credit"), lambda meters: meters.get("coin_out", 0)),
    (text("Win"), win_cents),
)


def _side_by_side(data: AttendantData, amounts: tuple[tuple[str, Amount], ...]) -> Iterator[Tile]:
    """Yields amounts of the period, each with that of the lifetime."""
    period, lifetime = report_of(data, PERIOD), report_of(data, LIFETIME)
    for name, amount in amounts:
        detail = data.say("Lifetime: {amount}", amount=data.money(amount(lifetime)))
        label = data.say("{name}, this period", name=data.say(name))
        yield Tile(label=label, value=data.money(amount(period)), detail=detail)


def note_shares(data: AttendantData, notes: Mapping[str, int], title: str) -> Shares:
    """Returns a bar for each denomination, by its count of notes, lowest first."""
    there = {int(cents): count for cents, count in notes.items() if count}
    total = sum(there.values())
    return Shares(
        title=title,
        rows=tuple(
            (short_money(data, cents), count / total, f"{count:,} = {data.money(cents * count)}")
            for cents, count in sorted(there.items())
        ),
        note=data.say(
            "Notes: {count} · together: {sum}",
            count=f"{total:,}",
            sum=data.money(sum(cents * count for cents, count in there.items())),
        )
        if there
        else data.say("No note"),
    )


def note_mix(data: AttendantData) -> tuple[Figure, ...]:
    """Returns the money put in, and its notes by denomination, for the period and the lifetime."""
    mixes = (
        note_shares(data, report_of(data, span).get("bills_by_denomination", {}), data.say(name))
        for span, name in SPANS.items()
    )
    return (*_side_by_side(data, _PUT_IN), *mixes)


def game_mix(data: AttendantData) -> tuple[Figure, ...]:
    """Returns the money played, and each game's share of the stakes, for the period and the lifetime."""
    mixes = (_game_shares(data, report_of(data, span), data.say(name)) for span, name in SPANS.items())
    return (*_side_by_side(data, _PLAYED), *mixes)


def _game_shares(data: AttendantData, report: Mapping[str, Any], title: str) -> Shares:
    games: Mapping[str, Mapping[str, int]] = report.get("by_game", {})
    staked, played = report.get("coin_in", 0), report.get("games_played", 0)
    parts = [
        (data.settings.table(game_id).rules.title, meters["coin_in"], meters["games_played"])
        for game_id, meters in games.items()
    ]
    others = (staked - sum(cents for _, cents, _ in parts), played - sum(count for *_, count in parts))
    if any(others):
        parts.append((data.say("Games no longer offered"), *others))
    rows = []
    for title, cents, count in parts:
        share = cents / staked if staked else 0.0
        rows.append((title, share, data.say("{share} · games: {count}", share=f"{share:.1%}", count=f"{count:,}")))
    note = data.say("By stakes, all: {sum}", sum=data.money(staked)) if staked else data.say("No game yet")
    return Shares(title=title, rows=tuple(rows), note=note)


def acceptance(data: AttendantData) -> tuple[Figure, ...]:
    """Returns the share of notes that stayed, and why the others went back, for the period and the lifetime."""
    spans = [(report_of(data, span), data.say(name)) for span, name in SPANS.items()]
    tiles = tuple(_acceptance_tile(data, report, name) for report, name in spans)
    return (*tiles, *(_reason_shares(data, report, name) for report, name in spans))


def _acceptance_tile(data: AttendantData, report: Mapping[str, Any], label: str) -> Tile:
    taken, back = sum(report.get("bills_by_denomination", {}).values()), _went_back(report)
    if not taken + back:
        return Tile(label=label, value="-", detail=data.say("No note yet"))
    rate = taken / (taken + back)
    detail = data.say("Accepted: {taken} · went back: {back}", taken=f"{taken:,}", back=f"{back:,}")
    return Tile(label=label, value=f"{rate:.1%}", detail=detail, level=rate)


def _went_back(report: Mapping[str, Any]) -> int:
    return sum(report.get(name, 0) for name in ("bills_rejected", "bills_refused", "bills_returned"))


def _reason_shares(data: AttendantData, report: Mapping[str, Any], title: str) -> Shares:
    """Returns a bar for each reason, the most frequent first. All bars together are the notes that went back."""
    back, found = _went_back(report), Counter[str]()
    for name in ("bills_rejected_by_reason", "bills_refused_by_reason"):
        found.update({_capital(data.say(reason)): count for reason, count in report.get(name, {}).items()})
    found[data.say("Came back after it was accepted")] += report.get("bills_returned", 0)
    found[data.say("Reason not recorded")] += max(0, back - sum(found.values()))
    listed = [(reason, count) for reason, count in found.most_common() if count]
    others = sum(count for _, count in listed[MOST_REASONS:])
    shown = [*listed[:MOST_REASONS], *([(data.say("Other reasons"), others)] if others else [])]
    rows = tuple((reason, count / back, f"{count:,} = {count / back:.1%}") for reason, count in shown)
    note = data.say("Notes that went back: {count}", count=f"{back:,}") if back else data.say("No note went back")
    return Shares(title=title, rows=rows, note=note)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


# --- returns -----------------------------------------------------------------------


def returns(data: AttendantData) -> tuple[Figure, ...]:
    """Returns actual against theoretical return by game, for the period and the lifetime."""
    return tuple(replace(return_band(data, span, data.say(name)), over_games=True) for span, name in SPANS.items())


def return_band(data: AttendantData, span: str, title: str) -> Band:
    """Returns actual against theoretical return by game in a span."""
    games = report_of(data, span).get("by_game", {})
    return Band(
        title=title,
        rows=tuple(return_row(data, game_id, meters) for game_id, meters in games.items()),
        note=data.say("Of 100 actual returns, 99 are in the band.") if games else data.say("No game yet"),
    )


pages: Mapping[str, Callable[[AttendantData], tuple[Figure, ...]]] = {
    text("Drop per day"): lambda data: (drop_per_day(data),),
    text("Win per hour"): lambda data: (win_per_hour(data),),
    text("Mix of notes"): note_mix,
    text("Mix of games"): game_mix,
    text("Acceptance of notes"): acceptance,
    text("Return of the games"): returns,
}
"""The charts by their name in the menu."""
