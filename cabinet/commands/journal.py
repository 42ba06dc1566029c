"""Commands that read a data folder while no cabinet runs on it: meters, recall, verify. Nothing here writes money."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cabinet.commands import reader_reports
from cabinet.config.settings import load
from cabinet.engine.money import plain_amount as money
from cabinet.engine.rules import GAMES
from cabinet.engine.state import Machine
from cabinet.report.progress import progress
from cabinet.report.value import Report, Section, Span, Tone
from cabinet.runtime.shown_values import when
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedBooks:
    """The journal of a stopped cabinet, as the reader of the attendant's data needs it."""

    seq: int
    connection: reports.Connection


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
    return sorted({*map(reader_reports.stored_name, reader_reports.flatten(report["lifetime"])), *report["accounts"]})


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


def read_rounds(data: Path, rounds: int) -> reader_reports.LastRounds:
    """Returns the last rounds; where the journal has lost its end, those that are left."""
    with _opened(data) as (connection, _, suspect):
        found = reports.recall(connection, rounds=rounds)
    return reader_reports.LastRounds(stories=tuple(found), suspect=str(suspect or ""))


def check(data: Path) -> Verdict:
    """Verifies the journal with a progress bar. A journal that cannot be read is not in order, either."""
    with progress("Checking the journal") as update:
        try:
            return verify(data, lambda done, rows: update(completed=done, total=rows))
        except StoreDamagedError as error:
            if not (data / FILE).is_file():
                raise
            return Verdict(ok=False, rows=0, first_bad=None, problems=(str(error),), accounts={}, credit=0, seconds=0.0)


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
