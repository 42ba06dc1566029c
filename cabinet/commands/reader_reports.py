"""The reports of the meters, the games, the log, the tickets and the state of a machine, from plain figures. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from cabinet.engine.log import LogKind
from cabinet.engine.money import plain_amount as money
from cabinet.report.value import Column, Report, Section, Span, Table, Tone, Words, words
from cabinet.runtime.shown_values import when

Row = Mapping[str, Any]


KINDS: Mapping[str, LogKind] = {kind.value: kind for kind in LogKind}
"""The kinds of log entries by their texts; a running cabinet of a newer program may have others."""
MONEY = frozenset(
    {
        "credit",
        "coin_in",
        "coin_out",
        "bills_in",
        "tickets_out",
        "tickets_in",
        "hand_paid",
        "cancelled_credit",
        "jackpots",
        "voided",
        "undone",
        "suspended",
        "suspense_credited",
        "suspense_paid",
        "suspense_kept",
        "tickets_paid",
        "old_tickets_paid",
        "total_drop",
        "total_won",
        "total_hand_paid",
        "tickets_outstanding",
        "cashbox_at_clear",
    }
)
"""The meters that count cents; all others count how often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastRounds:
    """The last rounds, oldest first; `suspect` says why later ones are missing, and is empty where none are."""

    stories: tuple[dict[str, Any], ...]
    suspect: str = ""


def meters_report(figures: dict[str, Any]) -> Report:
    """Returns the meters, lifetime beside period, and the accounts. Not ok where a value may be wrong."""
    suspect = frozenset(figures.get("suspect", ()))
    lifetime, period = flatten(figures["lifetime"]), flatten(figures["period"])
    meters = tuple(
        (_label(name), *(f"{_figure(name, each.get(name, 0))}{_doubt(name, suspect)}" for each in (lifetime, period)))
        for name in lifetime
    )
    accounts = figures["accounts"]
    balances = tuple((_label(name), f"{money(cents)}{_doubt(name, suspect)}") for name, cents in accounts.items())
    total = ("sum", money(sum(accounts.values())))
    sections = (
        Section(title="Meters", blocks=(Table(columns=words("Meter", "lifetime", "period"), rows=meters),)),
        Section(
            title="Accounts",
            blocks=(Table(columns=words("Account", "balance"), rows=(*balances, total), total=True),),
        ),
    )
    if "suspect" not in figures:
        return Report(data=figures, sections=sections)
    warning = (
        "This data is damaged or incomplete. Values marked with ? may be wrong; call the technician before paying "
    )
    problems = tuple(f"  {problem}" for problem in figures["problems"])
    damaged = Section(blocks=(f"{warning}by them.", *problems))
    return Report(data=figures, sections=(*sections, damaged), ok=False)


def _figure(name: str, value: int) -> str:
    return money(value) if name.rpartition(".")[2] in MONEY else f"{value:,}"


_SUMS = {
    "total_drop": ("bills_in", "tickets_in"),
    "total_won": ("coin_out",),
    "total_hand_paid": ("cancelled_credit", "jackpots", "suspense_paid"),
}
"""Of what the derived meters are made."""


def _doubt(name: str, suspect: frozenset[str]) -> str:
    """The mark behind a value that may be wrong."""
    return " ?" if suspect & {stored_name(name), *_SUMS.get(name, ())} else ""


def stored_name(name: str) -> str:
    """The name under which the books keep a meter of a report."""
    group, _, last = name.rpartition(".")
    named = {"bills_by_denomination": f"bills:{last}", "doors": f"doors:{last}"}
    named |= {f"{name}_by_reason": f"{name}:{last}" for name in ("bills_rejected", "bills_refused")}
    named |= {"hand_pays_by_kind": f"hand_pays:{last}", "closings": f"closings:{last}"}
    return named.get(group, name.removeprefix("by_game."))


def _label(name: str) -> str:
    """A meter's name for people, with the word for notes that the menu has; a note's value is part of it."""
    group, _, value = name.rpartition(".")
    if group == "bills_by_denomination":
        return f"notes of {money(int(value))}"
    return name.replace("by_game.", "").replace(".", ": ").replace("_", " ").replace("bills", "notes")


def flatten(report: dict[str, Any], prefix: str = "") -> dict[str, int]:
    """A report's numbers by dotted name."""
    flat: dict[str, int] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def rounds_report(rounds: LastRounds) -> Report:
    """Returns the rounds card by card, in the words of the menu's last games. Not ok where later ones are missing."""
    sections = list(map(_round_section, rounds.stories))
    if rounds.suspect:
        sections.insert(0, Section(blocks=("These records have lost their end: later rounds are missing.",)))
    elif not sections:
        sections.append(Section(blocks=("No game has been played yet.",)))
    return Report(data=rounds.stories, sections=tuple(sections), ok=not rounds.suspect)


def _round_section(story: dict[str, Any]) -> Section:
    from cabinet.attendant.recall import game_rows  # slow to load, and only games need it

    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    rows = tuple(game_rows(story, money))
    return Section(
        title=f"RECALL game {story['number']}, {story['game']}",
        blocks=(
            f"{when(story['began_ms'], clock_ok=story['clock_ok'])}, {state}",
            Table(columns=(Column(), Column()), rows=rows, framed=False),
        ),
    )


def events_report(rows: Sequence[Row]) -> Report:
    """Returns entries of the log in the order of the rows."""
    columns = (Column(name="No.", figures=True), Column(name="Time"), Column(name="Entry"), Column(name="Amount"))
    cells = tuple((f"{row['number']}", _time(row), _entry(row), _amount(row["cents"])) for row in rows)
    blocks = (Table(columns=columns, rows=cells),) if cells else ("Nothing has happened yet.",)
    return Report(data=list(rows), sections=(Section(title="Event log", blocks=blocks),))


def event_line(row: Row) -> str:
    """Returns one entry of the log as a line."""
    amount = _amount(row["cents"])
    return f"{row['number']:>7}  {_time(row)}  {_entry(row)}{f'  {amount}' if amount else ''}"


def gap_line(first: int, last: int) -> str:
    """Returns the sentence about dropped rows."""
    return f"Rows {first} to {last} were dropped before they were read; only the entries that were kept follow."


def _entry(row: Row) -> str:
    from cabinet.attendant.sas_codes import code_of  # slow to load, and only entries need it

    text = f"{row['what']}: {row['detail']}" if row["detail"] else str(row["what"])
    kind = KINDS.get(row["what"])
    code = code_of(kind, row["detail"], row["cents"]) if kind is not None else None
    return text if code is None else f"{text} [{code:02X}]"


def tickets_report(rows: Sequence[Row]) -> Report:
    """Returns tickets in the order of the rows, with the end of their numbers only."""
    names = ("Ticket", "Printed", "Number ends", "State", "Amount")
    cells = tuple((f"{row['sequence']:06d}", _time(row), row["tail"], _state(row), money(row["cents"])) for row in rows)
    table = Table(columns=tuple(Column(name=name, figures=name == "Amount") for name in names), rows=cells)
    return Report(
        data=list(rows), sections=(Section(title="Tickets", blocks=(table,) if cells else ("No ticket so far.",)),)
    )


def _state(row: Row) -> str:
    again = f", printed again {row['duplicates']}x" if row["duplicates"] else ""
    settled = when(row["settled_ms"], clock_ok=row["settled_ok"]) if row["settled_ms"] else ""
    return f"{row['state']}{again} {settled}".rstrip()


def status_report(figures: Row) -> Report:
    """Returns the state of a machine."""
    sections = (
        Section(
            title="Status",
            blocks=(Table(columns=(Column(), Column()), rows=tuple(_status_rows(figures)), framed=False),),
        ),
    )
    return Report(data=figures, sections=sections)


def _status_rows(figures: Row) -> list[tuple[Words, ...]]:
    note = figures["last_note"]
    waiting = figures["hand_pays_waiting"]
    return [
        ("Cabinet", _running(figures)),
        ("State", figures["state"]),
        ("Locks", _bad("\n".join(map(_lock, figures["locks"])))),
        ("Faults", _bad(", ".join(figures["faults"]))),
        ("Open doors", _bad(", ".join(figures["open_doors"]))),
        ("Credit", money(figures["credit"])),
        ("Cash box", f"{money(figures['cash_box'])}{_notes(figures['cash_box_by_denomination'])}"),
        ("Last note", f"{money(note['cents'])}, {when(note['wall_ms'], clock_ok=True)}" if note else "none"),
        ("Hand-pays waiting", _bad(", ".join(map(money, waiting)))),
        ("Tickets out", money(figures["tickets_out"])),
        ("Newest row", f"{figures['seq']}, {figures['row_hash'][:16]}"),
    ]


def _running(figures: Row) -> str:
    return f"runs for {timedelta(seconds=figures['uptime_s'])}" if figures["running"] else "does not run"


def _bad(text: str) -> Words:
    return Span(text=text, tone=Tone.BAD) if text else "none"


def _lock(lock: Row) -> str:
    amount = money(lock["cents"]) if lock["cents"] else ""
    return ", ".join(filter(None, (lock["kind"], lock["detail"], amount)))


def _notes(counts: Mapping[str, int]) -> str:
    there = [f"{count:,} of {money(int(cents))}" for cents, count in counts.items() if count]
    return f" ({', '.join(there)})" if there else ""


def _time(row: Row) -> str:
    return when(row["wall_ms"], clock_ok=row["clock_ok"])


def _amount(cents: int | None) -> str:
    return money(cents) if cents is not None else ""
