"""A cabinet that is not simulated, in a window of its own process: it reports line by line what it receives and loses.

Run with the display in the environment. Needs a display, or none. What is reported of the pointer at the end of a pass
was true when it began: everything that came before the pointer did has been heard by then.
"""

import sys
from dataclasses import dataclass

import pygame
from support.played_cabinet import PlayedCabinet

from cabinet.attendant.pages import PageTouch
from cabinet.engine.inputs import BillOffered, BillStacked, Button, ChooseChip, ChooseGame, Command, PrinterStarted
from cabinet.engine.state import Settings
from cabinet.tools.screens_gallery import SAMPLE_FACTS
from cabinet.window.loop import WindowOptions
from cabinet.window.supervisor import run_window

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


@dataclass
class ToldCabinet(PlayedCabinet):
    """Says on standard output what reaches it."""

    keys: bool = False
    """True if keys reach the window."""
    pointer: tuple[int, int] | None = None
    """Where on the picture the pointer is; None without a window."""

    def put(self, wish: Button | Command | PageTouch, now: float) -> None:
        """A wish."""
        say("wish", wish.value if isinstance(wish, Button) else type(wish).__name__)

    def frame_done(self, now: float) -> None:
        """A pass of the loop."""
        super().frame_done(now)
        if pygame.display.get_init():
            self._feel_hands()
        say("frame")

    def _feel_hands(self) -> None:
        keys, self.keys = self.keys, pygame.key.get_focused()
        if self.keys and not keys:
            say("keys")
        pointer, self.pointer = self.pointer, pygame.mouse.get_pos()
        if self.pointer != pointer:
            say("pointer", *self.pointer)

    def display_lost(self, detail: str) -> None:
        """No display."""
        super().display_lost(detail)
        say("lost", [lock.kind.value for lock in self.snapshot().machine.locks])

    def display_found(self) -> None:
        """A display."""
        super().display_found()
        say("found", [lock.kind.value for lock in self.snapshot().machine.locks])


def ready_cabinet() -> ToldCabinet:
    """At a table, with credit and a chip in hand."""
    cabinet = ToldCabinet()
    cabinet.step(*READY)
    return cabinet


if __name__ == "__main__":
    options = WindowOptions(settings=Settings(), facts=SAMPLE_FACTS)
    sys.exit(run_window(cabinet=ready_cabinet(), options=options))
