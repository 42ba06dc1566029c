"""The attendant's reports as lines of text: meters, notes, tickets, hand-pays, log, machine. Pure.

Labels are the names of the standard meters. Every meter of the machine is on a page. `recall` has the games.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from textwrap import wrap
from typing import Any

from cabinet.attendant.data import IN_ACCEPTOR, IN_DOUBT, ISSUED, AttendantData, LogRow, TicketRow
from cabinet.attendant.pages import Line, LineStyle
from cabinet.attendant.returns import half_band
from cabinet.attendant.sas_codes import code_of
from cabinet.engine.inputs import Door
from cabinet.engine.log import LogKind
from cabinet.engine.rules import Rules
from cabinet.engine.ticket_redemption import expired_words

LOG_WIDE = 52
"""Longest line of a log entry, in characters."""
DRIFT = 0.04
"""An actual return that differs from the theoretical one by more than this share is marked."""


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
    "Play": (
        _cents("Coin in (all stakes)", "coin_in"),
        _cents("Coin out (paid to credit)", "coin_out"),
        _cents("Won, total", "total_won"),
        _cents("Stakes of voided games", "voided"),
        _count("Games played", "games_played"),
        _count("Games won", "games_won"),
        _count("Games lost", "games_lost"),
        _count("Games pushed", "games_pushed"),
        _count("Games voided", "voided_rounds"),
    ),
    "Money in": (
        _cents("Notes in", "bills_in"),
        _cents("Tickets in", "tickets_in"),
        _count("Tickets in, count", "tickets_in_count"),
        _cents("Drop, total", "total_drop"),
        _count("Notes refused by the acceptor", "bills_rejected"),
        _count("Notes refused by the machine", "bills_refused"),
        _count("Accepted notes that came back", "bills_returned"),
        _cents("Unexpected notes and tickets", "suspended"),
        _cents("  of these credited", "suspense_credited"),
        _cents("  of these paid by hand", "suspense_paid"),
        _cents("  of these owed to no player", "suspense_kept"),
    ),
    "Money out": (
        _cents("Tickets out", "tickets_out"),
        _count("Tickets out, count", "tickets_out_count"),
        _count("Tickets printed again", "tickets_reprinted"),
        _cents("Tickets paid by hand", "tickets_paid"),
        _cents("  and from before a memory clear", "old_tickets_paid"),
        _count("Tickets paid by hand, count", "tickets_paid_count"),
        _cents("Hand-paid, total", "total_hand_paid"),
        _cents("  cancelled credit", "cancelled_credit"),
        _cents("  large wins, which are in coin out", "jackpots"),
        _count("Hand-pays, count", "hand_pays"),
        _cents("Credit cancelled by ticket and hand", "total_cancelled"),
        _cents("Cash-outs undone", "undone"),
    ),
    "Statistics": (
        _count("Hands played", "hands_played"),
        _count("Blackjacks", "blackjacks"),
        _count("Doubles", "doubles"),
        _count("Splits", "splits"),
        _count("Hands pushed", "pushes"),
        _count("Insurances taken", "insurance_taken"),
        _count("Insurances won", "insurance_won"),
        _count("Dealer blackjacks", "dealer_blackjacks"),
    ),
    "Machine": (
        _count("Power-ups", "power_ups"),
        _count("Cash box removals", "cashbox_removals"),
        _cents("In the cash box at the last memory clear", "cashbox_at_clear"),
        _count("Memory clears", "memory_clears"),
    ),
}
"""Every meter that is one number, in groups."""


def head(*cells: str) -> Line:
    """A heading."""
    return Line(cells=cells, style=LineStyle.HEAD)


def _strong(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.STRONG)


def _row(*cells: str) -> Line:
    return Line(cells=cells)


# --- meters -----------------------------------------------------------------------------------------------------


def lifetime_lines(data: AttendantData) -> tuple[Line, ...]:
    """Every meter since the machine was new."""
    return (*meter_lines(data, "lifetime"), *_since_lines(data), *cashbox_lines(data))


def period_lines(data: AttendantData) -> tuple[Line, ...]:
    """Every meter since the period began, and what is in the cash box."""
    return (*meter_lines(data, "period"), *cashbox_lines(data))


def meter_lines(data: AttendantData, period: str) -> tuple[Line, ...]:
    """Every meter of the `lifetime` or the `period`."""
    report: Mapping[str, Any] = data.meters[period]
    found = {**report, "total_cancelled": report["tickets_out"] + report["cancelled_credit"]}
    lines = [_strong("Credit now", data.money(data.machine.books.credit_cents))]
    for group, rows in METERS.items():
        lines.append(head(group))
        lines += [_row(row.label, _amount(data, row, found[row.name])) for row in rows]
    lines.append(head("Notes by denomination"))
    lines += _notes(data, report["bills_by_denomination"])
    lines.append(head("Doors opened"))
    lines += [_row(door.value.capitalize(), f"{report['doors'].get(door.value, 0):,}") for door in Door]
    for game_id, meters in report["by_game"].items():
        lines += _game_lines(data, game_id, meters)
    return tuple(lines)


def _amount(data: AttendantData, row: MeterRow, value: int) -> str:
    return data.money(value) if row.money else f"{value:,}"


def _notes(data: AttendantData, notes: Mapping[str, int]) -> list[Line]:
    lines = [_row(data.money(int(cents)), f"{n:,} = {data.money(int(cents) * n)}") for cents, n in notes.items()]
    return lines or [_row("None")]


def _game_lines(data: AttendantData, game_id: str, meters: Mapping[str, int]) -> list[Line]:
    staked, paid = meters["coin_in"], meters["coin_out"]
    theory = data.returns.get(game_id)
    lines = [
        head(data.settings.table(game_id).rules.title),
        _row("Coin in", data.money(staked)),
        _row("Coin out", data.money(paid)),
        *(_row(f"Games {each}", f"{meters[f'games_{each}']:,}") for each in ("played", "won", "lost", "pushed")),
    ]
    if theory is not None:
        lines.append(_row("Theoretical return of all stakes", f"{theory:.2%}"))
    if staked:
        lines += _actual(paid / staked, theory, half_band(data, game_id, meters["games_played"]))
    return lines


def _actual(actual: float, theory: float | None, half: float | None) -> list[Line]:
    """Returns the actual return, marked where it is outside its limits, and its band."""
    apart = 0.0 if theory is None else abs(actual - theory)
    outside = half is not None and apart > half
    doubts = [words for words, so in (("over 4% apart", apart > DRIFT), ("outside its band", outside)) if so]
    words = f"{actual:.2%}" + (f"  ({', '.join(doubts)})" if doubts else "")
    style = LineStyle.WARN if doubts else LineStyle.NORMAL
    lines = [Line(cells=("Actual return of all stakes", words), style=style)]
    if theory is not None and half is not None:
        band = f"{max(theory - half, 0.0):.2%} to {theory + half:.2%}"
        lines.append(_row("Band of 99 in 100 actual returns", band))
    return lines


def _since_lines(data: AttendantData) -> tuple[Line, ...]:
    return (
        head("Since"),
        _row("Games since power-up", f"{data.meters['games_since_power_up']:,}"),
        _row("Games since the main door was closed", f"{data.meters['games_since_door_close']:,}"),
    )


def cashbox_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the expected content of the cash box: everything stacked since its last removal."""
    notes: Mapping[str, int] = data.meters["in_cashbox_by_denomination"]
    there = {cents: n for cents, n in notes.items() if n}
    return (
        head("In the cash box"),
        *_notes(data, there),
        _row("Notes", f"{sum(there.values()):,}"),
        _strong("Expected amount", data.money(data.meters["in_cashbox"])),
    )


# --- lists ------------------------------------------------------------------------------------------------------


def note_lines(data: AttendantData) -> tuple[Line, ...]:
    """The last notes, accepted, returned and refused."""
    return _event_lines(data, data.notes) or (_row("No note so far"),)


def hand_pay_lines(data: AttendantData) -> tuple[Line, ...]:
    """The last hand-pays with time, receipt and amount."""
    return _event_lines(data, data.hand_pays) or (_row("No hand-pay so far"),)


def log_lines(data: AttendantData) -> tuple[Line, ...]:
    """The significant-event log, newest first."""
    return _event_lines(data, data.events) or (_row("Nothing has happened yet"),)


def _event_lines(data: AttendantData, events: tuple[LogRow, ...]) -> tuple[Line, ...]:
    return tuple(line for event in events for line in _event(data, event))


def _event(data: AttendantData, event: LogRow) -> list[Line]:
    """Returns one entry with its SAS code, if it has one; a long entry continues on the next lines."""
    words = f"{event.what}: {event.detail}" if event.detail else event.what
    first, *more = wrap(f"{words[:1].upper()}{words[1:]}", LOG_WIDE)
    amount = data.money(event.cents) if event.cents is not None else ""
    code = code_of(LogKind(event.what), event.detail, event.cents)
    number = f"{event.number}" if code is None else f"{event.number}  [{code:02X}]"
    lines = [_row(number, event.when, first, amount)]
    return lines + [_row("", "", rest, "") for rest in more]


def ticket_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the last tickets, with the end of their numbers; then the last ones put in, with any refusal."""
    out = tuple(_ticket(data, each) for each in data.tickets)
    put_in = _event_lines(data, data.tickets_in)
    return (*(out or (_row("No ticket so far"),)), *((head("Put in"), *put_in) if put_in else ()))


def _ticket(data: AttendantData, ticket: TicketRow) -> Line:
    state = data.state_of(ticket)
    again, settled = "", f" {ticket.settled}" if ticket.settled else ""
    if ticket.duplicates:
        again = f", printed again {ticket.duplicates}x"
    if ticket.state == ISSUED:
        again, settled = f"{again}{settled}", ""
    words = IN_ACCEPTOR if state == IN_ACCEPTOR else expired_words(ticket.expired_days) or f"{state}{settled}"
    return Line(
        cells=(
            f"Ticket {ticket.sequence:06d}",
            ticket.when,
            f"number ends {ticket.tail}{again}",
            f"{words}  {data.money(ticket.cents)}",
        ),
        style=LineStyle.WARN if state in {IN_DOUBT, IN_ACCEPTOR} else LineStyle.NORMAL,
    )


# --- the machine ------------------------------------------------------------------------------------------------


def machine_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the machine's identity, its program and its settings."""
    return (*(_row(*pair) for pair in data.identity), *_settings(data), *_tables(data))


def _settings(data: AttendantData) -> tuple[Line, ...]:
    settings, money = data.settings, data.money
    large = money(settings.large_win_cents) if settings.large_win_cents else "never"
    return (
        head("Settings"),
        _row("Notes taken", ", ".join(money(cents) for cents in settings.notes_cents) or "none"),
        _row("Notes go back above a credit of", money(settings.credit_limit_cents)),
        _row("Tickets of this machine", "taken" if settings.tickets_in else "not taken"),
        _row("Tickets can be brought back for", _days(settings.ticket_expires_days)),
        _row("Paid by hand above", money(settings.ticket_max_cents)),
        _row("A game is a large win from", large),
        _row("Notes within one play lock from", money(settings.increment_max_cents)),
        _row("Refused notes in a row lock from", f"{settings.rejects_max}"),
        _row("TURBO", "allowed" if settings.turbo_allowed else "off"),
        _row("Players' own limits", "allowed" if settings.player_limits else "off"),
        _row("Technician", "logic door, audit key" + (", PIN" if settings.technician_pin else "")),
    )


def _days(days: int) -> str:
    return f"{days} days" if days else "ever"


def _tables(data: AttendantData) -> list[Line]:
    lines: list[Line] = []
    for table in data.settings.tables:
        limits, money = table.limits, data.money
        lines += [
            head(table.rules.title),
            _row("Limits of a place", f"{money(limits.min_cents)} to {money(limits.max_cents)}"),
            _row("Chips", ", ".join(money(chip) for chip in limits.chips_cents)),
            _row("One credit", money(limits.credit_cents)),
            *(_row(*pair) for pair in _rules(table.rules)),
        ]
    return lines


_UNSAID = {"game_id", "title"}


def _rules(rules: Rules) -> list[tuple[str, str]]:
    """Returns every rule by its name in the settings."""
    return [
        (item.name.replace("_", " ").capitalize(), _word(getattr(rules, item.name)))
        for item in fields(rules)
        if item.name not in _UNSAID
    ]


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " to ".join(str(each) for each in value)
    if isinstance(value, Enum):
        return str(value.value)
    return "no limit" if value is None else str(value)


# --- the audit ticket -------------------------------------------------------------------------------------------


def audit_rows(data: AttendantData) -> tuple[tuple[str, str], ...]:
    """Returns the rows of an audit ticket: machine, period and lifetime. A row without a value is a heading."""
    lines = (
        *(Line(cells=pair) for pair in data.identity),
        Line(cells=("THIS PERIOD",)),
        *period_lines(data),
        Line(cells=("LIFETIME",)),
        *lifetime_lines(data),
    )
    return tuple((line.cells[0], line.cells[-1] if len(line.cells) > 1 else "") for line in lines)
