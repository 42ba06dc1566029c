"""Commands that read a data folder while no cabinet runs on it: meters, recall, verify. Nothing here writes money."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from cabinet.desk import when
from cabinet.engine.rules import GAMES
from cabinet.engine.state import Machine
from cabinet.store import reports
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import FILE, Journal
from cabinet.store.verify import Verdict, verify


def _no_tickets(sequence: int) -> str:
    raise AssertionError(f"no ticket is issued offline ({sequence})")


@contextmanager
def open_journal(data: Path) -> Iterator[tuple[Journal, Machine]]:
    """The journal of a machine that has been started at least once. StoreError when there is none or it is in use."""
    if not (data / FILE).is_file():
        raise StoreDamagedError(f"{data / FILE}: there is no journal here; check --data")
    with Journal(data, _no_tickets) as journal:
        if journal.machine is None:
            raise StoreDamagedError(f"{data / FILE}: the journal is empty; the cabinet has never run on this folder")
        yield journal, journal.machine


def read_meters(data: Path) -> dict[str, Any]:
    """Every meter, for the lifetime and the period."""
    with open_journal(data) as (_, machine):
        return reports.meters(machine, GAMES)


def read_rounds(data: Path, rounds: int) -> list[dict[str, Any]]:
    """The last rounds, oldest first."""
    with open_journal(data) as (journal, _):
        return reports.recall(journal.connection, rounds=rounds)


def check(data: Path, console: Console) -> Verdict:
    """Verify the journal with a progress bar on `console`."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("Checking the journal", total=None)
        return verify(data, lambda done, rows: progress.update(task, completed=done, total=rows))


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    Console(soft_wrap=True, highlight=False, markup=False).print(json.dumps(value, ensure_ascii=False))


def show_meters(report: dict[str, Any], console: Console) -> None:
    """The meters as a table: lifetime beside period."""
    grid = Grid("Meter", title="Meters (money in cents)")
    for name in ("lifetime", "period"):
        grid.add_column(name, justify="right")
    lifetime, period = flatten(report["lifetime"]), flatten(report["period"])
    for name in lifetime:
        grid.add_row(name, f"{lifetime[name]:,}", f"{period.get(name, 0):,}")
    console.print(grid)
    accounts = Grid("Account", title="Accounts (sum to zero)")
    accounts.add_column("cents", justify="right")
    for name, cents in report["accounts"].items():
        accounts.add_row(name, f"{cents:,}")
    console.print(accounts)


def flatten(report: dict[str, Any], prefix: str = "") -> dict[str, int]:
    """A report's numbers by dotted name."""
    flat: dict[str, int] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def show_rounds(rounds: list[dict[str, Any]], console: Console) -> None:
    """The rounds card by card, as text."""
    if not rounds:
        console.print("No round has been played yet.")
    for story in rounds:
        console.rule(f"RECALL round {story['number']}, {story['game']}")
        state = "voided" if story["voided"] else "still open" if story["open"] else "settled"
        console.print(f"{when(story['began_ms'], clock_ok=story['clock_ok'])}, {state}")
        console.print(f"bets    {story['bets']}, credit before {story['credit_before']}")
        console.print(f"cards   {' '.join(story['cards'])}")
        for choice in story["choices"]:
            added = f" for {choice['added']}" if choice["added"] else ""
            console.print(f"choice  place {choice['place'] + 1} hand {choice['hand'] + 1}: {choice['choice']}{added}")
        for result in story["results"]:
            console.print(
                f"result  place {result['place'] + 1} hand {result['hand'] + 1}: {result['outcome']}, "
                f"stake {result['stake']}, returned {result['returned']}"
            )
        for result in story["insurance"]:
            console.print(
                f"insured place {result['place'] + 1}: stake {result['stake']}, returned {result['returned']}"
            )
        for money in story["money"]:
            console.print(f"money   {money['kind']} {money['cents']}")
        console.print(
            f"total   staked {story['staked']}, returned {story['returned']}, credit after {story['credit_after']}"
        )


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
    if verdict.ok:
        console.print(
            f"[green]In order[/green]: {verdict.rows:,} rows in {data} fit their hashes, every account balances, "
            f"the meters are what the journal adds up to. Credit {verdict.credit} cents. ({verdict.seconds:.1f} s)"
        )
        return
    console.print(f"[red]Not in order[/red]: {data}")
    for problem in verdict.problems:
        console.print(f"  {problem}", highlight=False)
    console.print("Keep this folder as it is and call the maker; do not clear it.")
