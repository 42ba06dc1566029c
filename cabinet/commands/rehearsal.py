"""A start of this program on a copy of the books, without devices: what an update asks a new version before it runs.

Rules: it commits what a real start commits, with the same code, and ends the run in order; it opens no second copy and
leaves no mark outside, because the folder is a copy. The answer is what the books hold afterwards.
"""

import time
from functools import partial
from pathlib import Path

from cabinet.config.key_names import unguarded
from cabinet.config.settings import Config
from cabinet.engine import machine as engine
from cabinet.engine.inputs import Fact, PoweredDown
from cabinet.installation.update.books import read_figures
from cabinet.installation.update.program import Rehearsed
from cabinet.runtime import shoe, startup, ticket
from cabinet.runtime.build import guarded_identity
from cabinet.runtime.program import program_version
from cabinet.store.journal import Journal, Stamp


def rehearse(config: Config, data: Path, wall_ms: int) -> Rehearsed:
    """Starts and ends a run on the books in `data`; returns what they hold then. Raises StoreError."""
    settings, secret = config.settings(), list[bytes]()

    def number_of(sequence: int) -> str:
        return ticket.validation_number(secret[0], config.machine.number, sequence)

    with Journal(data, number_of) as journal:
        boot = startup.open_run(
            journal, settings, check_program=True, identity=guarded_identity(config), others=unguarded(config)
        )
        secret.append(boot.secret)
        commit = partial(_commit, journal, config, boot.number, wall_ms)
        for fact in boot.facts:
            commit(fact)
        startup.acknowledge(journal, boot)
        commit(PoweredDown())
        startup.close_run(journal)
    return Rehearsed(version=program_version(), figures=read_figures(data))


def _commit(journal: Journal, config: Config, boot: int, wall_ms: int, fact: Fact) -> None:
    settings = config.settings()
    step = engine.step(settings, journal.machine or engine.starting(settings), fact, shoe.make_draw(1))
    stamp = Stamp(boot=boot, wall_ms=wall_ms, mono_ms=int(time.monotonic() * 1000), clock_ok=False)
    journal.commit(fact, step, stamp)
