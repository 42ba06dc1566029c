"""The attendant's reports as lines of text: meters, notes, tickets, games, log, machine. Pure.

Labels say what the standard meters are called; every meter of the machine is on a page.
"""

from collections.abc import Callable, Mapping
from typing import Any

from cabinet.attendant.desk import Desk, DeskEvent
from cabinet.attendant.pages import Line, LineStyle

_MONEY_METERS = (
    ("Coin in (all stakes)", "coin_in"),
    ("Coin out (paid to credit)", "coin_out"),
    ("Bills in", "bills_in"),
    ("Tickets in", "tickets_in"),
    ("Total drop", "total_drop"),
    ("Tickets out", "tickets_out"),
    ("Hand-paid, total", "hand_paid"),
    ("  cancelled credit", "cancelled_credit"),
    ("  jackpots", "jackpots"),
    ("Cash-outs undone", "undone"),
    ("Stakes of voided rounds", "voided"),
    ("Notes in suspense", "suspended"),
)
_COUNT_METERS = (
    ("Games played", "games_played"),
    ("Games won", "games_won"),
    ("Games lost", "games_lost"),
    ("Games pushed", "games_pushed"),
    ("Hands played", "hands_played"),
    ("Blackjacks", "blackjacks"),
    ("Doubles", "doubles"),
    ("Splits", "splits"),
    ("Pushes", "pushes"),
    ("Insurances taken", "insurance_taken"),
    ("Insurances won", "insurance_won"),
    ("Dealer blackjacks", "dealer_blackjacks"),
    ("Rounds voided", "voided_rounds"),
    ("Tickets out, count", "tickets_out_count"),
    ("Tickets reprinted", "tickets_reprinted"),
    ("Hand-pays, count", "hand_pays"),
    ("Bills rejected", "bills_rejected"),
    ("Cash box removals", "cashbox_removals"),
    ("Power-ups", "power_ups"),
)


def _head(*cells: str) -> Line:
    return Line(cells=cells, style=LineStyle.HEAD)


def meter_lines(desk: Desk, period: str) -> tuple[Line, ...]:
    """Every meter, `lifetime` or `period`."""
    report: Mapping[str, Any] = desk.meters.get(period, {})
    lines = [Line(cells=("Credit now", desk.money(desk.machine.books.credit_cents)), style=LineStyle.STRONG)]
    lines += [Line(cells=(label, desk.money(report.get(name, 0)))) for label, name in _MONEY_METERS]
    lines += [Line(cells=(label, f"{report.get(name, 0):,}")) for label, name in _COUNT_METERS]
    lines.append(_head("Notes by denomination"))
    for cents, notes in report.get("bills_by_denomination", {}).items():
        lines.append(Line(cells=(desk.money(int(cents)), f"{notes} = {desk.money(int(cents) * notes)}")))
    lines.append(_head("Doors opened"))
    lines += [Line(cells=(door, str(times))) for door, times in report.get("doors", {}).items()]
    for game_id, meters in report.get("by_game", {}).items():
        lines.append(_head(desk.settings.table(game_id).rules.title))
        lines += [Line(cells=cells) for cells in _game_cells(desk, meters)]
    if period == "lifetime":
        lines += _since_lines(desk)
    return tuple(lines)


def _game_cells(desk: Desk, meters: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    staked, paid = meters["coin_in"], meters["coin_out"]
    actual = f"{100 * paid / staked:.2f} %" if staked else "no stakes yet"
    return (
        ("Staked", desk.money(staked)),
        ("Paid", desk.money(paid)),
        ("Games played / won / lost / pushed", " / ".join(str(meters[f"games_{x}"]) for x in _ENDINGS)),
        ("Actual return per amount staked", actual),
    )


_ENDINGS = ("played", "won", "lost", "pushed")


def _since_lines(desk: Desk) -> list[Line]:
    meters = desk.meters
    return [
        _head("Since"),
        Line(cells=("Games since power-up", str(meters.get("games_since_power_up", 0)))),
        Line(cells=("Games since the door closed", str(meters.get("games_since_door_close", 0)))),
        Line(cells=("In the cash box", desk.money(meters.get("in_cashbox", 0))), style=LineStyle.STRONG),
        *(
            Line(cells=(desk.money(int(cents)), f"{notes} notes"))
            for cents, notes in meters.get("in_cashbox_by_denomination", {}).items()
        ),
    ]


def note_lines(desk: Desk) -> tuple[Line, ...]:
    """The last notes, accepted, returned and refused."""
    return _event_lines(desk, desk.notes) or (Line(cells=("No note so far",)),)


def log_lines(desk: Desk) -> tuple[Line, ...]:
    """The significant-event log, newest first."""
    return _event_lines(desk, desk.events) or (Line(cells=("Nothing has happened yet",)),)


def _event_lines(desk: Desk, events: tuple[DeskEvent, ...]) -> tuple[Line, ...]:
    return tuple(
        Line(
            cells=(
                f"{event.number}",
                event.when,
                f"{event.what}: {event.detail}" if event.detail else event.what,
                desk.money(event.cents) if event.cents is not None else "",
            )
        )
        for event in events
    )


def ticket_lines(desk: Desk) -> tuple[Line, ...]:
    """The last tickets; of a number only its end."""
    lines = tuple(
        Line(
            cells=(
                f"Ticket {each.sequence:06d}",
                each.when,
                f"number ends {each.tail}" + (f", duplicates: {each.duplicates}" if each.duplicates else ""),
                f"{each.state}  {desk.money(each.cents)}",
            ),
            style=LineStyle.WARN if each.state == "in doubt" else LineStyle.NORMAL,
        )
        for each in desk.tickets
    )
    return lines or (Line(cells=("No ticket so far",)),)


def game_lines(desk: Desk) -> tuple[Line, ...]:
    """The last games card by card, newest first. RECALL stands above each: nothing here is being played."""
    lines: list[Line] = []
    for story in reversed(desk.rounds):
        lines += _one_game(desk, story)
    return tuple(lines) or (Line(cells=("No game so far",)),)


def _one_game(desk: Desk, story: Mapping[str, Any]) -> list[Line]:
    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    after = story["credit_after"]
    lines = [
        _head(f"RECALL game {story['number']}  {story['game']}  {state}", story.get("when", "")),
        Line(
            cells=(
                f"Credit before {desk.money(story['credit_before'])}",
                f"after {desk.money(after)}" if after is not None else "still open",
            )
        ),
        Line(cells=("Bets", ", ".join(_bets(desk, story["bets"])))),
    ]
    for start in range(0, len(story["cards"]), 14):
        label = "Cards as drawn" if not start else ""
        lines.append(Line(cells=(label, " ".join(story["cards"][start : start + 14]))))
    lines += [Line(cells=cells) for cells in _choices(desk, story)]
    lines += [Line(cells=cells) for cells in _results(desk, story)]
    lines += [Line(cells=(f"  {each['kind']}", desk.money(each["cents"]))) for each in story["money"]]
    lines.append(
        Line(
            cells=(f"Staked {desk.money(story['staked'])}", f"paid {desk.money(story['returned'])}"),
            style=LineStyle.STRONG,
        )
    )
    return lines


def _bets(desk: Desk, bets: list[int]) -> list[str]:
    return [f"place {place + 1} {desk.money(bet)}" for place, bet in enumerate(bets) if bet]


def _choices(desk: Desk, story: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (
            f"  place {each['place'] + 1} hand {each['hand'] + 1}",
            each["choice"] + (f" +{desk.money(each['added'])}" if each["added"] else ""),
        )
        for each in story["choices"]
    ]


def _results(desk: Desk, story: Mapping[str, Any]) -> list[tuple[str, str]]:
    hands = [
        (
            f"  place {each['place'] + 1} hand {each['hand'] + 1}: {each['outcome']}",
            f"stake {desk.money(each['stake'])}, paid {desk.money(each['returned'])}",
        )
        for each in story["results"]
    ]
    return hands + [
        (
            f"  place {each['place'] + 1} insurance",
            f"stake {desk.money(each['stake'])}, paid {desk.money(each['returned'])}",
        )
        for each in story["insurance"]
    ]


def machine_lines(desk: Desk) -> tuple[Line, ...]:
    """Who the machine is, what it runs and how it is set."""
    settings = desk.settings
    rows = [Line(cells=pair) for pair in desk.identity]
    rows += [
        _head("Settings"),
        Line(cells=("Notes taken", ", ".join(desk.money(cents) for cents in settings.notes_cents) or "none")),
        Line(cells=("Credit limit", desk.money(settings.credit_limit_cents))),
        Line(cells=("Largest ticket", desk.money(settings.ticket_max_cents))),
        Line(cells=("Large win", desk.money(settings.large_win_cents) if settings.large_win_cents else "off")),
        Line(cells=("TURBO", "allowed" if settings.turbo_allowed else "off")),
    ]
    for table in settings.tables:
        limits = f"{desk.money(table.limits.min_cents)} to {desk.money(table.limits.max_cents)} a place"
        rows.append(Line(cells=(table.rules.title, limits)))
    return tuple(rows)


REPORTS: dict[str, Callable[[Desk], tuple[Line, ...]]] = {
    "Meters, lifetime": lambda desk: meter_lines(desk, "lifetime"),
    "Meters, this period": lambda desk: meter_lines(desk, "period"),
    "Notes": note_lines,
    "Tickets": ticket_lines,
    "Last games": game_lines,
    "Event log": log_lines,
    "Machine and settings": machine_lines,
}
"""The reports by their name in the menu."""
