"""Commands that read a data folder while no cabinet runs on it: meters, recall, verify. Nothing here writes money."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabinet.attendant.recall import game_rows
from cabinet.config.settings import load
from cabinet.engine.money import plain_amount as money
from cabinet.engine.rules import GAMES
from cabinet.engine.state import Machine
from cabinet.report.progress import progress
from cabinet.report.value import Column, Report, Section, Span, Table, Tone, words
from cabinet.runtime.attendant_data import when
from cabinet.store import mark, reports
from cabinet.store.errors import StoreDamagedError
from cabinet.store.ground import firm
from cabinet.store.head import read_head
from cabinet.store.mounts import read_mounts
from cabinet.store.opening import FILE, explained
from cabinet.store.reading import reading
from cabinet.store.restore import restore as write_anew
from cabinet.store.salvage import Salvaged, salvage
from cabinet.store.verify import Verdict, verify

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


@contextmanager
def open_journal(data: Path) -> Iterator[tuple[reports.Connection, Machine]]:
    """The records of a machine that has been started at least once, whole to the end. StoreError when there are none,
    when they are damaged or have lost their end, or while the machine is running."""
    with _opened(data) as (connection, machine, suspect):
        if suspect is not None:
            raise suspect
        yield connection, machine


@contextmanager
def _opened(data: Path) -> Iterator[tuple[reports.Connection, Machine, StoreDamagedError | None]]:
    """As `open_journal`, also of records that have lost their end; the third value then says so."""
    with reading(data) as connection:
        with explained(data / FILE):
            seq, _, machine = read_head(connection, checked=False)
        suspect = _lost_end(data, seq)
        if machine is None:
            raise suspect or StoreDamagedError(
                f"{data / FILE}: the journal is empty; as far as can be seen the cabinet has never run on this folder"
            )
        yield connection, machine, suspect


def _lost_end(data: Path, seq: int) -> StoreDamagedError | None:
    """Returns what the marks beside a journal that ends at this row say against it."""
    try:
        mark.check(data, data / FILE, steps=seq)
    except StoreDamagedError as error:
        return error
    return None


def read_meters(data: Path) -> dict[str, Any]:
    """Every meter, for the lifetime and the period. Of data that is damaged or has lost its end what can be read, which
    of it is `suspect`, and the `problems`."""
    try:
        with open_journal(data) as (_, machine):
            return reports.meters(machine, GAMES)
    except StoreDamagedError as error:
        saved, reason = _salvaged(data, error), str(error)
    report = reports.meters(saved.machine, GAMES)
    return {
        **report,
        "suspect": list(saved.suspect) if saved.certain else _every_name(report),
        "problems": list(dict.fromkeys((reason, *saved.problems))),
    }


def _every_name(report: dict[str, Any]) -> list[str]:
    """The stored name of every account and meter of a report."""
    return sorted({*map(_stored, flatten(report["lifetime"])), *report["accounts"]})


def _salvaged(data: Path, error: StoreDamagedError) -> Salvaged:
    """Returns what can be read all the same; the error itself when that is nothing."""
    try:
        return salvage((data,))
    except StoreDamagedError:
        raise error from None


def restore(second: Path, data: Path, config_path: Path | None = None) -> str:
    """Writes the data from its second copy. Returns what that means, in words.

    Raises StorePartitionError where the settings want a partition of the data and it is missing: what is written to the
    folder below it is hidden when it is back.
    """
    if load(config_path).data.own_partition:
        place = data.absolute()
        firm(read_mounts(), place, None, own_partition=True).check_place(place)
    restored = write_anew(second, data)
    newest = f"of {when(restored.newest_ms, clock_ok=True)}" if restored.newest_ms else "of an unknown time"
    return (
        f"{restored.seq} steps were written to {data}; the newest is {newest}. Money that moved later cannot be known: "
        "the machine starts locked. Compare its meters, credit and tickets with the papers, then clear the lock "
        '"records in doubt" in the menu; the reset key does not clear it.'
    )


def read_rounds(data: Path, rounds: int) -> LastRounds:
    """Returns the last rounds; where the journal has lost its end, those that are left."""
    with _opened(data) as (connection, _, suspect):
        found = reports.recall(connection, rounds=rounds)
    return LastRounds(stories=tuple(found), suspect=str(suspect or ""))


def check(data: Path) -> Verdict:
    """Verifies the journal with a progress bar. A journal that cannot be read is not in order, either."""
    with progress("Checking the journal") as update:
        try:
            return verify(data, lambda done, rows: update(completed=done, total=rows))
        except StoreDamagedError as error:
            if not (data / FILE).is_file():
                raise
            return Verdict(ok=False, rows=0, first_bad=None, problems=(str(error),), accounts={}, credit=0, seconds=0.0)


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
    return " ?" if suspect & {_stored(name), *_SUMS.get(name, ())} else ""


def _stored(name: str) -> str:
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
    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    rows = tuple(game_rows(story, money))
    return Section(
        title=f"RECALL game {story['number']}, {story['game']}",
        blocks=(
            f"{when(story['began_ms'], clock_ok=story['clock_ok'])}, {state}",
            Table(columns=(Column(), Column()), rows=rows, framed=False),
        ),
    )


def verdict_report(verdict: Verdict, data: Path) -> Report:
    """Returns a verdict in words."""
    return Report(data=verdict, sections=(Section(blocks=_verdict_words(verdict, data)),), ok=verdict.ok)


def _verdict_words(verdict: Verdict, data: Path) -> tuple[str | tuple[str | Span, ...], ...]:
    if verdict.ok and not verdict.rows:
        return (f"Nothing to check: {data} holds no row yet, and nothing was ever played on it.",)
    if verdict.ok:
        found = (
            f": {verdict.rows:,} rows in {data} fit their hashes, every account balances, the meters are what the "
            f"journal adds up to. Credit {money(verdict.credit)}. ({verdict.seconds:.1f} s)"
        )
        return ((Span(text="In order", tone=Tone.GOOD), found),)
    return (
        (Span(text="Not in order", tone=Tone.BAD), f": {data}"),
        *(f"  {problem}" for problem in verdict.problems),
        "Keep this folder as it is and call the technician; do not clear it.",
    )
