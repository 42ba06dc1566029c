"""The program `cabinet` of a version that a test installs: this program under another number, with a fault if asked.

`bin/cabinet` of such a version calls `main`. The commands are the real ones; `run` is a whole simulated cabinet without
a window, which compares its program with that of the last run as a real one does.
"""

import json
import signal
import sqlite3
import sys
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cabinet.commands import main as command_line
from cabinet.runtime import program
from cabinet.store import schema
from cabinet.store.journal import Journal

if TYPE_CHECKING:
    from cabinet.runtime.build import Cabinet


class Fault(Enum):
    """What is wrong with a version."""

    NONE = "none"
    BAD_FINDING = "its doctor finds something bad"
    NOT_VERIFIED = "it says that the books are not in order"
    NO_REHEARSAL = "it cannot start on a copy of the books"
    CLOSES_THE_WAY_BACK = "its start leaves books that the version before cannot use"
    ENDS = "it ends at its start"
    NEVER_READY = "it never says that it is ready"
    MONEY = "it finds money that was not there"
    LATE = "it finds money that was not there, once the file `late` is in the root"
    MOVES_ON = "it moves the books on at once"


_VERSION: list[str] = []
"""The version of this process."""
_OWN = (program.program_version, program.program_hash)
vars(program).update(
    program_version=lambda: _VERSION[0] if _VERSION else _OWN[0](),
    program_hash=lambda *folders: f"program {_VERSION[0]}" if _VERSION else _OWN[1](*folders),
)


def main(version: str, fault_name: str, form: int) -> None:
    """Runs a command of this version, which writes this form of the journal.

    The other modules of the program are imported after this one: they take the functions for the version from here.
    """
    _VERSION.append(version)
    fault = Fault[fault_name]
    words = sys.argv[1:]
    if form < schema.NEWEST:
        Journal.form_change = lambda *_: None  # type: ignore[method-assign]
    if fault is Fault.BAD_FINDING:
        from cabinet.commands.doctor import checks
        from cabinet.commands.doctor.findings import bad

        checks.CHECKS = (*checks.CHECKS, lambda _visit: bad("Loudspeaker", "gives no sound", "replace it"))
    if fault is Fault.NOT_VERIFIED and words[0] == "verify":
        sys.stdout.write(json.dumps({"ok": False, "problems": ["row 3 does not fit its hash"]}))
        sys.exit(1)
    if fault is Fault.NO_REHEARSAL and "--rehearse" in words:
        raise SystemExit("this version cannot do that")
    if fault is Fault.CLOSES_THE_WAY_BACK and "--rehearse" in words:
        _add_a_table_at_the_end()
    if words[0] == "run":
        _serve(Path(words[words.index("--data") + 1]), Path(words[words.index("--config") + 1]), fault)
    command_line.main()


def _add_a_table_at_the_end() -> None:
    """Lets a start on a copy of the books leave a table in them that no version before knows."""
    from cabinet.commands import rehearsal

    known = rehearsal.rehearse

    def rehearse(config: Any, data: Path, wall_ms: int) -> Any:
        found = known(config, data, wall_ms)
        with closing(sqlite3.connect(data / "journal.db")) as connection:
            connection.execute("CREATE TABLE later (seq INTEGER PRIMARY KEY) STRICT")
        return found

    rehearsal.rehearse = rehearse


def _devices_ready(cabinet: "Cabinet") -> bool:
    """Whether the devices have started: after that a cabinet commits nothing that is not asked of it."""
    machine = cabinet.controller.snapshot().machine
    return machine.acceptor.ready and machine.printer.ready


def _asked_to_end() -> bool:
    return signal.SIGTERM in signal.sigpending()


def _serve(data: Path, settings: Path, fault: Fault) -> None:
    """Runs a whole cabinet until SIGTERM."""
    if fault is Fault.ENDS:
        sys.exit(1)
    from support.live import wait_for

    from cabinet.commands.run import report_taken_back
    from cabinet.config.settings import load
    from cabinet.engine.inputs import BillUnasked
    from cabinet.engine.locks import find
    from cabinet.engine.state import LockKind
    from cabinet.installation.paths import Paths
    from cabinet.runtime import startup
    from cabinet.runtime.build import build
    from cabinet.runtime.watchdog import ServiceManager

    if fault is Fault.NEVER_READY:
        ServiceManager.ready = lambda *_: None  # type: ignore[method-assign]
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # `sigwait` takes it: a handler could not set an event
    known: Any = startup.open_run
    startup.open_run = lambda *given, **named: known(*given, **{**named, "check_program": True})
    cabinet = build(load(settings), data, simulate=True, human_pace=False)
    report_taken_back(cabinet, Paths(root=data.parents[2]))
    cabinet.controller.start()
    note = BillUnasked(reported_cents=2000, detail="a fault of this version")
    if fault is Fault.MONEY:
        cabinet.controller.put(note)
        wait_for(lambda: find(cabinet.controller.snapshot().machine, LockKind.UNEXPECTED_NOTE))
    if fault is Fault.MOVES_ON:
        due = cabinet.journal.form_change("a fault of this version")
        assert due is not None
        cabinet.controller.put(due)
        wait_for(lambda: cabinet.journal.form_change() is None)
    for pump in cabinet.pumps:
        pump.start()
    wait_for(lambda: _asked_to_end() or _devices_ready(cabinet))
    cabinet.manager.ready()
    if fault is Fault.LATE and wait_for(lambda: _asked_to_end() or (data.parents[2] / "late").exists()):
        cabinet.controller.put(note)
    signal.sigwait({signal.SIGTERM})
    sys.exit(0 if cabinet.stop() else 1)
