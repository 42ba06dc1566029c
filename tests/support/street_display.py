"""A cabinet that is not simulated, in a window of its own process: what it hears and loses is told line by line.

Run with the width and height of the display and, in the environment, the display itself. Needs a display, or none.
"""

import sys

from support.played_cabinet import PlayedCabinet

from cabinet.app import WindowOptions
from cabinet.engine.inputs import BillOffered, BillStacked, Button, ChooseChip, ChooseGame, Command, PrinterStarted
from cabinet.engine.state import Settings
from cabinet.showing import run_window
from cabinet.ui.gallery import SAMPLE_FACTS

READY = (
    PrinterStarted(model="printer"),
    BillOffered(cents=10_000),
    BillStacked(cents=10_000),
    ChooseGame(game_id="classic"),
    ChooseChip(chip_cents=2_500),
)


def say(*words: object) -> None:
    """One line, at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


class ToldCabinet(PlayedCabinet):
    """Says on standard output what reaches it."""

    def put(self, wish: Button | Command, now: float) -> None:
        """A wish."""
        say("wish", wish.value if isinstance(wish, Button) else type(wish).__name__)

    def frame_done(self, now: float) -> None:
        """A pass of the loop."""
        super().frame_done(now)
        say("frame")

    def display_lost(self, detail: str) -> None:
        """No display."""
        super().display_lost(detail)
        say("lost", [lock.kind.value for lock in self.news().machine.locks])

    def display_found(self) -> None:
        """A display."""
        super().display_found()
        say("found", [lock.kind.value for lock in self.news().machine.locks])


def ready_cabinet() -> ToldCabinet:
    """At a table, with credit and a chip in hand."""
    cabinet = ToldCabinet()
    cabinet.step(*READY)
    return cabinet


if __name__ == "__main__":
    options = WindowOptions(settings=Settings(), facts=SAMPLE_FACTS)
    sys.exit(run_window(cabinet=ready_cabinet(), options=options))
