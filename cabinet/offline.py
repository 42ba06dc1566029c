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

from cabinet.desk import when
from cabinet.engine.rules import GAMES
from cabinet.engine.state import Machine
from cabinet.store import reports
from cabinet.store.errors import StoreDamagedError
from cabinet.store.journal import FILE, Journal
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
        "total_drop",
        "total_won",
        "total_hand_paid",
    }
)
"""The meters that count cents; all others count how often."""


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


def money(cents: int) -> str:
    """An amount with two digits behind the point; the currency is not written in the journal."""
    whole, part = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{part:02d}"


def show_meters(report: dict[str, Any], console: Console) -> None:
    """The meters as a table: lifetime beside period."""
    grid = Grid("Meter", title="Meters")
    for name in ("lifetime", "period"):
        grid.add_column(name, justify="right")
    lifetime, period = flatten(report["lifetime"]), flatten(report["period"])
    for name in lifetime:
        write = money if name.rpartition(".")[2] in MONEY else "{:,}".format
        grid.add_row(_label(name), write(lifetime[name]), write(period.get(name, 0)))
    console.print(grid)
    accounts = Grid("Account", title="Accounts")
    accounts.add_column("balance", justify="right")
    for name, cents in report["accounts"].items():
        accounts.add_row(_label(name), money(cents))
    accounts.add_section()
    accounts.add_row("sum", money(sum(report["accounts"].values())))
    console.print(accounts)


def _label(name: str) -> str:
    """A meter's name for people; a note's value is part of it."""
    group, _, value = name.rpartition(".")
    if group == "bills_by_denomination":
        return f"bills of {money(int(value))}"
    return name.replace("by_game.", "").replace(".", ": ").replace("_", " ")


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
        for line in _story_lines(story):
            console.print(line, markup=False, highlight=False)


def _story_lines(story: dict[str, Any]) -> Iterator[str]:
    """One round: bets, cards in the order they were drawn, choices, results, and the money that moved meanwhile."""
    state = "voided" if story["voided"] else "still open" if story["open"] else "settled"
    yield f"{when(story['began_ms'], clock_ok=story['clock_ok'])}, {state}"
    bets = ", ".join(f"{money(bet)} on place {number}" for number, bet in enumerate(story["bets"], start=1) if bet)
    yield f"bets    {bets}; credit before {money(story['credit_before'])}"
    yield f"cards   {' '.join(story['cards'])}"
    for choice in story["choices"]:
        added = f" for {money(choice['added'])}" if choice["added"] else ""
        yield f"choice  {_hand(choice)}: {choice['choice']}{added}"
    for result in story["results"]:
        yield f"result  {_hand(result)}: {result['outcome']}, {_result(result)}"
    for result in story["insurance"]:
        yield f"insured place {result['place'] + 1}: {_result(result)}"
    for moved in story["money"]:
        yield f"money   {moved['kind']} {money(moved['cents'])}"
    after = "" if story["credit_after"] is None else f", credit after {money(story['credit_after'])}"
    yield f"total   staked {money(story['staked'])}, returned {money(story['returned'])}{after}"


def _hand(told: dict[str, Any]) -> str:
    return f"place {told['place'] + 1} hand {told['hand'] + 1}"


def _result(told: dict[str, Any]) -> str:
    return f"stake {money(told['stake'])}, returned {money(told['returned'])}"


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
    console.print("Keep this folder as it is and call the maker; do not clear it.")
