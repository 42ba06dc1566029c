"""Commands that read a data folder while no cabinet runs on it: meters, recall, verify. Nothing here writes money."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from cabinet.attendant.recall import game_rows
from cabinet.engine.money import plain_amount as money
from cabinet.engine.rules import GAMES
from cabinet.engine.state import Machine
from cabinet.runtime.attendant_data import when
from cabinet.store import mark, reports
from cabinet.store.errors import StoreDamagedError
from cabinet.store.head import read_head
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
    }
)
"""The meters that count cents; all others count how often."""


class SuspectRoundsError(StoreDamagedError):
    """The journal has lost its end; `rounds` are those that it still has."""

    def __init__(self, message: str, rounds: list[dict[str, Any]]) -> None:
        """`message` says what is known to be missing."""
        super().__init__(message)
        self.rounds = rounds


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
    """What the marks beside a journal that ends at this row say against it."""
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
    """What can be read all the same; the error itself when that is nothing."""
    try:
        return salvage((data,))
    except StoreDamagedError:
        raise error from None


def restore(second: Path, data: Path) -> str:
    """Write the data anew from its second copy; what that means, in words."""
    restored = write_anew(second, data)
    newest = f"of {when(restored.newest_ms, clock_ok=True)}" if restored.newest_ms else "of an unknown time"
    return (
        f"{restored.seq} steps were written to {data}; the newest is {newest}. Money that moved later cannot be known: "
        "the machine starts locked. Compare its meters, credit and tickets with the papers, then clear the lock "
        '"records in doubt" in the menu; the reset key does not clear it.'
    )


def read_rounds(data: Path, rounds: int) -> list[dict[str, Any]]:
    """The last rounds, oldest first. SuspectRoundsError with those that are left where the journal has lost its end."""
    with _opened(data) as (connection, _, suspect):
        found = reports.recall(connection, rounds=rounds)
    if suspect is not None:
        raise SuspectRoundsError(str(suspect), found)
    return found


def check(data: Path, console: Console) -> Verdict:
    """Verify the journal with a progress bar on `console`. A journal that cannot be read is not in order, either."""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Checking the journal", total=None)
        try:
            return verify(data, lambda done, rows: progress.update(task, completed=done, total=rows))
        except StoreDamagedError as error:
            if not (data / FILE).is_file():
                raise
            return Verdict(ok=False, rows=0, first_bad=None, problems=(str(error),), accounts={}, credit=0, seconds=0.0)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False))


def show_meters(report: dict[str, Any], console: Console) -> None:
    """The meters as a table: lifetime beside period."""
    grid = Grid("Meter", title="Meters")
    for name in ("lifetime", "period"):
        grid.add_column(name, justify="right")
    lifetime, period = flatten(report["lifetime"]), flatten(report["period"])
    suspect = frozenset(report.get("suspect", ()))
    for name in lifetime:
        write = money if name.rpartition(".")[2] in MONEY else "{:,}".format
        mark = _doubt(name, suspect)
        grid.add_row(_label(name), f"{write(lifetime[name])}{mark}", f"{write(period.get(name, 0))}{mark}")
    console.print(grid)
    accounts = Grid("Account", title="Accounts")
    accounts.add_column("balance", justify="right")
    for name, cents in report["accounts"].items():
        accounts.add_row(_label(name), f"{money(cents)}{_doubt(name, suspect)}")
    accounts.add_section()
    accounts.add_row("sum", money(sum(report["accounts"].values())))
    console.print(accounts)
    if "suspect" in report:
        console.print(
            "This data is damaged or incomplete. Values marked with ? may be wrong; call the technician before paying "
            "by them."
        )
        for problem in report["problems"]:
            console.print(f"  {problem}", markup=False, highlight=False)


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


def show_rounds(rounds: list[dict[str, Any]], console: Console, *, suspect: bool = False) -> None:
    """The rounds card by card, as text; `suspect` where later ones are missing."""
    if suspect:
        console.print("These records have lost their end: later rounds are missing.")
    elif not rounds:
        console.print("No game has been played yet.")
    for story in rounds:
        console.rule(f"RECALL game {story['number']}, {story['game']}")
        for line in _story_lines(story):
            console.print(line, markup=False, highlight=False)


def _story_lines(story: dict[str, Any]) -> Iterator[str]:
    """One game, in the words of the menu's last games."""
    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    yield f"{when(story['began_ms'], clock_ok=story['clock_ok'])}, {state}"
    yield from (f"{name:<28}{words}" for name, words in game_rows(story, money))


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict with the keys others read."""
    return {
        "ok": verdict.ok,
        "rows": verdict.rows,
        "first_bad": verdict.first_bad,
        "accounts": verdict.accounts,
        "credit": verdict.credit,
        "seconds": verdict.seconds,
        "problems": list(verdict.problems),
    }


def show_verdict(verdict: Verdict, data: Path, console: Console) -> None:
    """A verdict in words."""
    if verdict.ok and not verdict.rows:
        console.print(f"Nothing to check: {data} holds no row yet, and nothing was ever played on it.", markup=False)
        return
    if verdict.ok:
        console.print("In order", style="green", end="")
        console.print(
            f": {verdict.rows:,} rows in {data} fit their hashes, every account balances, the meters are what the "
            f"journal adds up to. Credit {money(verdict.credit)}. ({verdict.seconds:.1f} s)",
            markup=False,
            highlight=False,
        )
        return
    console.print("Not in order", style="red", end="")
    console.print(f": {data}", markup=False, highlight=False)
    for problem in verdict.problems:
        console.print(f"  {problem}", markup=False, highlight=False)
    console.print("Keep this folder as it is and call the technician; do not clear it.")
