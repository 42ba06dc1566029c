"""The attendant's reports of meters, lists and returns, as lines of text. Pure.

Rules: labels are the names of the standard meters; every meter of the machine is on a page, its period beside its
lifetime. An actual return is judged by its band only. `recall` has the games, `machine_reports` the machine.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from cabinet.attendant.data import IN_ACCEPTOR, IN_DOUBT, ISSUED, AttendantData, LogRow, TicketRow
from cabinet.attendant.pages import Line, LineStyle, sentences
from cabinet.attendant.returns import half_band
from cabinet.attendant.sas_codes import code_of
from cabinet.engine.inputs import Door
from cabinet.engine.log import LogKind
from cabinet.engine.ticket_redemption import expired_words
from cabinet.text.attendant_words import text

LOG_WIDE = 64
"""Longest line of a log entry, in characters."""
SPANS = ("period", "lifetime")
"""The columns of a page of meters, by their names in the store's report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterRow:
    """A meter: its label, its name in the store, and whether it counts cents."""

    label: str
    name: str
    money: bool = False


def _cents(label: str, name: str) -> MeterRow:
    return MeterRow(label=label, name=name, money=True)


def _count(label: str, name: str) -> MeterRow:
    return MeterRow(label=label, name=name)


METERS: Mapping[str, tuple[MeterRow, ...]] = {
    text("Play"): (
        _cents(text("Coin in (all stakes)"), "coin_in"),
        _cents(text("Coin out (paid to credit)"), "coin_out"),
        _cents(text("Won, total"), "total_won"),
        _cents(text("Stakes of voided games"), "voided"),
        _count(text("Games played"), "games_played"),
        _count(text("Games won"), "games_won"),
        _count(text("Games lost"), "games_lost"),
        _count(text("Games pushed"), "games_pushed"),
        _count(text("Games voided"), "voided_rounds"),
    ),
    text("Money in"): (
        _cents(text("Notes in"), "bills_in"),
        _cents(text("Tickets in"), "tickets_in"),
        _count(text("Tickets in, count"), "tickets_in_count"),
        _cents(text("Drop, total"), "total_drop"),
        _count(text("Notes refused by the acceptor"), "bills_rejected"),
        _count(text("Notes refused by the machine"), "bills_refused"),
        _count(text("Accepted notes that came back"), "bills_returned"),
        _cents(text("Unexpected notes and tickets"), "suspended"),
        _cents(text("  of these credited"), "suspense_credited"),
        _cents(text("  of these paid by hand"), "suspense_paid"),
        _cents(text("  of these owed to no player"), "suspense_kept"),
    ),
    text("Money out"): (
        _cents(text("Tickets out"), "tickets_out"),
        _count(text("Tickets out, count"), "tickets_out_count"),
        _count(text("Tickets printed again"), "tickets_reprinted"),
        _cents(text("Tickets paid by hand"), "tickets_paid"),
        _cents(text("  and from before a memory clear"), "old_tickets_paid"),
        _count(text("Tickets paid by hand, count"), "tickets_paid_count"),
        _cents(text("Hand-paid, total"), "total_hand_paid"),
        _cents(text("  cancelled credit"), "cancelled_credit"),
        _cents(text("  large wins, which are in coin out"), "jackpots"),
        _count(text("Hand-pays, count"), "hand_pays"),
        _cents(text("Credit cancelled by ticket and hand"), "total_cancelled"),
        _cents(text("Cash-outs undone"), "undone"),
    ),
    text("Statistics"): (
        _count(text("Hands played"), "hands_played"),
        _count(text("Blackjacks"), "blackjacks"),
        _count(text("Doubles"), "doubles"),
        _count(text("Splits"), "splits"),
        _count(text("Hands pushed"), "pushes"),
        _count(text("Insurances taken"), "insurance_taken"),
        _count(text("Insurances won"), "insurance_won"),
        _count(text("Dealer blackjacks"), "dealer_blackjacks"),
    ),
    text("Machine"): (
        _count(text("Power-ups"), "power_ups"),
        _count(text("Cash box removals"), "cashbox_removals"),
        _cents(text("In the cash box at the last memory clear"), "cashbox_at_clear"),
        _count(text("Memory clears"), "memory_clears"),
    ),
}
"""Every meter that is one number, in groups."""


MONEY_GROUPS = ("Play", "Money in", "Money out")
STATISTIC_GROUPS = ("Statistics",)
COUNT_GROUPS = ("Machine",)


def labels() -> Mapping[str, str]:
    """Returns the label of each meter by its name in the store."""
    return {row.name: row.label.strip() for rows in METERS.values() for row in rows}


def head(*cells: str) -> Line:
    """A heading."""
    return Line(cells=cells, style=LineStyle.HEAD)


def _strong(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.STRONG)


def _row(*cells: str) -> Line:
    return Line(cells=cells)


def _two(label: str, *figures: str, style: LineStyle = LineStyle.NORMAL) -> Line:
    """A row with a figure of the period and one of the lifetime."""
    return Line(cells=(label, *figures), style=style, figures=len(figures))


# --- meters -----------------------------------------------------------------------------------------------------


def _reports(data: AttendantData) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Returns the store's report of the period and that of the lifetime."""
    found = (data.meters[span] for span in SPANS)
    period, lifetime = ({**each, "total_cancelled": each["tickets_out"] + each["cancelled_credit"]} for each in found)
    return period, lifetime


def meter_lines(data: AttendantData) -> tuple[Line, ...]:
    """Every meter of money and play, of the period and of the lifetime, and the notes by denomination."""
    return (
        _two(data.say("Credit now"), "", data.money(data.machine.books.credit_cents), style=LineStyle.STRONG),
        *group_lines(data, MONEY_GROUPS),
        *_denominations(data),
    )


def group_lines(data: AttendantData, groups: tuple[str, ...]) -> Iterator[Line]:
    """Yields the meters of these groups, the period beside the lifetime."""
    period, lifetime = _reports(data)
    for group in groups:
        yield _two(data.say(group), data.say("this period"), data.say("lifetime"), style=LineStyle.HEAD)
        for row in METERS[group]:
            now, all_ = (_amount(data, row, each[row.name]) for each in (period, lifetime))
            yield _two(data.say(row.label), now, all_)


def _amount(data: AttendantData, row: MeterRow, value: int) -> str:
    return data.money(value) if row.money else f"{value:,}"


def _denominations(data: AttendantData) -> Iterator[Line]:
    period, lifetime = (each["bills_by_denomination"] for each in _reports(data))
    yield _two(data.say("Notes by denomination"), data.say("this period"), data.say("lifetime"), style=LineStyle.HEAD)
    for cents in lifetime:
        yield _two(data.money(int(cents)), f"{period.get(cents, 0):,}", f"{lifetime[cents]:,}")
    if not lifetime:
        yield _row(data.say("None"))


def statistics_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the statistics of play."""
    return tuple(group_lines(data, STATISTIC_GROUPS))


def count_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns how often doors were opened, and the other counts of the machine."""
    period, lifetime = _reports(data)
    return (
        _two(data.say("Doors opened"), data.say("this period"), data.say("lifetime"), style=LineStyle.HEAD),
        *(
            _two(
                data.say(door.value.capitalize()),
                *(f"{each['doors'].get(door.value, 0):,}" for each in (period, lifetime)),
            )
            for door in Door
        ),
        *group_lines(data, COUNT_GROUPS),
        head(data.say("Since")),
        _row(data.say("Games since power-up"), f"{data.meters['games_since_power_up']:,}"),
        _row(data.say("Games since the main door was closed"), f"{data.meters['games_since_door_close']:,}"),
    )


# --- returns ----------------------------------------------------------------------------------------------------


def return_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the meters of each game, and its actual return beside the theoretical one."""
    words = data.say(
        "The returns here count every stake, doubles and splits too, played by the chart. The fine line at the table "
        "gives the return of the first bet with best play; the two differ a little."
    )
    games = data.meters["lifetime"]["by_game"]
    return (*(line for game_id in games for line in _game_lines(data, game_id)), *sentences(words))


def _game_lines(data: AttendantData, game_id: str) -> Iterator[Line]:
    period, lifetime = (data.meters[span]["by_game"][game_id] for span in SPANS)
    both, theory = (period, lifetime), data.returns.get(game_id)
    title = data.settings.table(game_id).rules.title
    yield _two(title, data.say("this period"), data.say("lifetime"), style=LineStyle.HEAD)
    yield _two(data.say("Coin in"), *(data.money(each["coin_in"]) for each in both))
    yield _two(data.say("Coin out"), *(data.money(each["coin_out"]) for each in both))
    for name in ("games_played", "games_won", "games_lost", "games_pushed"):
        yield _two(data.say(labels()[name]), *(f"{each[name]:,}" for each in both))
    if theory is not None:
        yield _two(data.say("Theoretical return of all stakes"), f"{theory:.2%}", f"{theory:.2%}")
    if lifetime["coin_in"]:
        yield from _actual(data, game_id, both)


def _actual(data: AttendantData, game_id: str, both: tuple[Mapping[str, int], ...]) -> Iterator[Line]:
    """Yields the actual returns, marked where one is outside its band, and the bands."""
    theory, halves = data.returns.get(game_id), [half_band(data, game_id, each["games_played"]) for each in both]
    actual = [each["coin_out"] / each["coin_in"] if each["coin_in"] else None for each in both]
    outside = [
        theory is not None and half is not None and found is not None and abs(found - theory) > half
        for found, half in zip(actual, halves, strict=True)
    ]
    cells = [
        ("-" if found is None else f"{found:.2%}") + (f" {data.say('outside its band')}" if off else "")
        for found, off in zip(actual, outside, strict=True)
    ]
    style = LineStyle.WARN if any(outside) else LineStyle.NORMAL
    yield _two(data.say("Actual return of all stakes"), *cells, style=style)
    if theory is not None and any(halves):
        yield _two(data.say("Band of 99 in 100 actual returns"), *(_band(theory, half) for half in halves))


def _band(theory: float, half: float | None) -> str:
    return "-" if half is None else f"{max(theory - half, 0.0):.2%} to {theory + half:.2%}"


# --- the cash box -----------------------------------------------------------------------------------------------


def cashbox_page(data: AttendantData) -> tuple[Line, ...]:
    """Returns what the machine holds, and what must be in the cash box."""
    return (
        _strong(data.say("Credit now"), data.money(data.machine.books.credit_cents)),
        _row(data.say("Tickets out and unpaid"), data.money(sum(ticket.cents for ticket in data.unpaid))),
        *cashbox_lines(data),
    )


def cashbox_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the expected content of the cash box: everything stacked since its last removal."""
    notes: Mapping[str, int] = data.meters["in_cashbox_by_denomination"]
    there = {int(cents): n for cents, n in notes.items() if n}
    return (
        head(data.say("In the cash box")),
        *note_rows(data, there),
        _row(data.say("Notes"), f"{sum(there.values()):,}"),
        _strong(data.say("Expected amount"), data.money(data.meters["in_cashbox"])),
    )


def note_rows(data: AttendantData, notes: Mapping[int, int]) -> tuple[Line, ...]:
    """Returns a row of each denomination with its count and its value."""
    rows = (_row(data.money(cents), f"{n:,} = {data.money(cents * n)}") for cents, n in sorted(notes.items()))
    return tuple(rows) or (_row(data.say("None")),)


# --- lists ------------------------------------------------------------------------------------------------------


def event_lines(data: AttendantData, event: LogRow) -> tuple[Line, ...]:
    """Returns one entry with its SAS code, if it has one; a long entry continues on the next lines."""
    what = data.say(event.what)
    words = f"{what}: {event.detail}" if event.detail else what
    first, *more = wrap(f"{words[:1].upper()}{words[1:]}", LOG_WIDE)
    amount = data.money(event.cents) if event.cents is not None else ""
    code = code_of(LogKind(event.what), event.detail, event.cents)
    number = f"{event.number}" if code is None else f"{event.number}  [{code:02X}]"
    return (_row(number, event.when, first, amount), *(_row("", "", rest, "") for rest in more))


def ticket_line(data: AttendantData, ticket: TicketRow) -> Line:
    """Returns a ticket with its state and the end of its number."""
    state = data.state_of(ticket)
    settled = f" {ticket.settled}" if ticket.settled else ""
    again = data.say(", printed again {count}x", count=ticket.duplicates) if ticket.duplicates else ""
    if ticket.state == ISSUED:
        again, settled = f"{again}{settled}", ""
    words = IN_ACCEPTOR if state == IN_ACCEPTOR else expired_words(ticket.expired_days) or f"{state}{settled}"
    return Line(
        cells=(
            data.say("Ticket {number}", number=f"{ticket.sequence:06d}"),
            ticket.when,
            data.say("number ends {digits}", digits=ticket.tail) + again,
            f"{words}  {data.money(ticket.cents)}",
        ),
        style=LineStyle.WARN if state in {IN_DOUBT, IN_ACCEPTOR} else LineStyle.NORMAL,
    )
