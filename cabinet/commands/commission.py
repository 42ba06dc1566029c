"""Commissioning: the technician declares a new machine once, and its books begin.

Rules: existing books stay unchanged; if the mark outside the data shows that this machine has had books, only an
explicit option begins new ones; the first row records the commissioning in every copy, before the mark is written. It
is a command and no entry of the menu, because without books there is no menu and no log.
"""

import time
from dataclasses import replace
from pathlib import Path

from cabinet.config.settings import Config, load
from cabinet.engine import machine as engine
from cabinet.engine.record_facts import MachineCommissioned
from cabinet.runtime import shoe, startup
from cabinet.runtime.build import guarded_identity
from cabinet.runtime.clock import read_wall_ms
from cabinet.runtime.program import program_version
from cabinet.store.errors import StoreError
from cabinet.store.ground import firm, remember_books
from cabinet.store.journal import Journal, Stamp
from cabinet.store.mounts import read_mounts
from cabinet.store.reading import BooksFound, find_books


def run_command(config_path: Path | None, data: Path, **wanted: bool) -> str:
    """Does what the command line asks for; returns what was done, in words. Raises ConfigError and StoreError."""
    return commission(load(config_path), data, mounts=read_mounts(), wall_ms=read_wall_ms(), **wanted)


def commission(
    config: Config,
    data: Path,
    *,
    anew: bool,
    mounts: str,
    wall_ms: int,
    out_of_service: bool = False,
    if_new: bool = False,
) -> str:
    """Begins the books of a new machine in `data`. Returns what was done, in words.

    `anew` gives up the books that this machine has had. `mounts` is the kernel's list of file systems. With
    `out_of_service` the machine takes no money until the technician puts it into service. With `if_new` books that are
    there are no error, and stay. StoreError says why nothing was begun.
    """
    marks = config.data.marks()
    ground = firm(mounts, data, marks, own_partition=config.data.own_partition)
    if anew or not ground.had_books:
        ground = replace(ground, not_new=None)
    if if_new and (found := find_books(data)).rows:
        return f"The books in {data} stay as they are, {found.rows} rows."
    _refuse_books(data, config.data.second())
    with Journal(data, _no_ticket, second=config.data.second(), ground=ground) as journal:
        _begin(journal, config, wall_ms, out_of_service=out_of_service)
        startup.remember_settings(journal, config.settings(), guarded_identity(config))
        copies = journal.copies.value
    if marks is not None:
        remember_books(data, marks)
    return f"The books of a new machine begin in {data}, number {config.machine.number:04d}, copies: {copies}."


def _refuse_books(data: Path, second: Path | None) -> None:
    """StoreError where there are books in either folder, or something that may be: none are adopted. Writes nothing."""
    found = find_books(data)
    if found.rows:
        raise StoreError(f"{data}: this machine has books already, {found.rows} rows; nothing was begun")
    others = find_books(second) if second is not None else BooksFound()
    if others.rows:
        raise StoreError(
            f"{second}: the second copy holds books, {others.rows} rows; nothing was begun. If they are its own, "
            f"`cabinet restore {second}`; otherwise connect an empty medium"
        )
    if problem := found.problem or others.problem:
        raise StoreError(f"{problem}; nothing was begun")


def _no_ticket(sequence: int) -> str:
    raise StoreError(f"ticket {sequence} was asked for while the books begin")


def _begin(journal: Journal, config: Config, wall_ms: int, *, out_of_service: bool) -> None:
    """Commits the first row."""
    settings, fact = config.settings(), MachineCommissioned(version=program_version(), out_of_service=out_of_service)
    step = engine.step(settings, engine.starting(settings), fact, shoe.make_draw(1))
    clock_ok = wall_ms >= startup.RELEASED_MS
    journal.commit(fact, step, Stamp(boot=0, wall_ms=wall_ms, mono_ms=int(time.monotonic() * 1000), clock_ok=clock_ok))
