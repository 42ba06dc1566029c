"""The way of a bill in the README is the way of a note through a whole simulated cabinet, module by module."""

import re
import sys
import threading
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import FrameType

from support.live import running
from support.snapshot import FACTS, WALL
from support.source import PROJECT

from cabinet.config.settings import Config
from cabinet.engine.effects import Credited, StackBill
from cabinet.engine.inputs import BillOffered, BillStacked
from cabinet.engine.ledger import Posting
from cabinet.engine.state import NoteIntent, Settings
from cabinet.presentation.snapshot import Snapshot
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from drivers.bills.events import Confirm, Offered, Stack, Stacked

THE_NOTE = (Offered, BillOffered, NoteIntent, StackBill, Stack, Stacked, BillStacked, Posting, Credited, Confirm)
"""What a note is on its way, from module to module."""

BESIDE = {
    "cabinet/engine/state.py",  # says which document is in the path
    "cabinet/engine/step.py",  # collects what the handlers ask for
    "cabinet/runtime/attendant.py",  # watches the events for what its menu shows
    "cabinet/runtime/housekeeping.py",  # commits, and sees when room is needed
    "cabinet/runtime/intent_watch.py",  # counts the seconds of the open intent
    "cabinet/runtime/live.py",  # publishes the figures of what is durable
    "cabinet/runtime/reader_figures.py",  # keeps the last note for the readers of these figures
    "cabinet/store/codec.py",  # writes the values of the journal's row
    "cabinet/store/record.py",  # makes that row
    "cabinet/store/stored_machine.py",  # writes the machine's intent in that row
    "cabinet/store/tickets.py",  # finds no ticket in the step
    "cabinet/presentation/timeline.py",  # times the animation
    "cabinet/presentation/memo_key.py",  # remembers it
}
"""Modules that the note passes, too, and that the README leaves out: they serve the one that calls them. A new one
is named here with its reason, or in the README."""


def named_in(readme: str) -> list[str]:
    """The modules of the way of a bill in the order of the text."""
    section = readme.partition("## The way of a bill\n")[2].partition("\n## ")[0]
    return re.findall(r"`((?:cabinet|drivers)/[\w/]+\.py)`", section)


class Follower:
    """A profile function that remembers the modules whose functions are given or return what is followed."""

    def __init__(self) -> None:
        self.modules: list[str] = []
        self.confirming: set[str] = set()
        """The modules that the confirmation has passed."""
        self.kinds: tuple[type, ...] = ()

    def __call__(self, frame: FrameType, event: str, returned: object) -> None:
        if not self.kinds or event not in {"call", "return"}:
            return
        code = frame.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        values = [frame.f_locals.get(name) for name in names] if event == "call" else [returned]
        followed = [part for value in values for part in _parts(value) if isinstance(part, self.kinds)]
        file = Path(code.co_filename)
        if followed and (file.is_relative_to(PROJECT / "cabinet") or file.is_relative_to(PROJECT / "drivers")):
            module = file.relative_to(PROJECT).as_posix()
            self.modules.append(module)
            if any(isinstance(part, Confirm) for part in followed):
                self.confirming.add(module)


def _parts(value: object) -> Iterator[object]:
    return iter(value) if isinstance(value, tuple | list) else iter((value,))


def follow_a_note(folder: Path) -> list[str]:
    """The modules through which a note of 20.00 goes, from the acceptor's report to the credit on the screen."""
    follower = Follower()
    threading.setprofile(follower)
    try:
        with running(folder) as live:
            live.sit()
            follower.kinds = THE_NOTE
            live.note(2_000)
            live.until(lambda: "drivers/bills/conversation_host.py" in follower.confirming, "the note being confirmed")
            follower.kinds = ()
            snapshot = live.controller.snapshot()
    finally:
        threading.setprofile(None)
    sys.setprofile(follower)
    follower.kinds = (Snapshot,)
    try:
        screen = present(snapshot, UiState(), time.monotonic(), WALL, Settings(), FACTS)
    finally:
        sys.setprofile(None)
    assert "20.00" in str(screen.rail.meters)
    return follower.modules


def test_the_way_of_a_bill_is_the_way_of_a_note_through_a_cabinet(tmp_path: Path) -> None:
    assert Config().acceptor.protocol == "ssp", "the README follows the acceptor of the delivered settings"
    passed = [module for module, _ in groupby(follow_a_note(tmp_path))]
    named = named_in((PROJECT / "README.md").read_text(encoding="utf-8"))
    way = iter(passed)
    missed = [module for module in named if module not in way]
    assert not missed, f"not passed, or not in this order: {missed}; the note passed {passed}"
    unnamed = {module for module in passed if not module.startswith("cabinet/ui/")} - set(named)
    assert unnamed <= BESIDE, f"the note passes {sorted(unnamed - BESIDE)}, the README does not say so"
