"""Moments of random rounds, for a player who often presses during an animation."""

import random
from collections.abc import Iterator
from typing import Final

from cabinet.engine import machine as engine
from cabinet.engine.cards import Draw
from cabinet.engine.inputs import Bet, Button, Input
from cabinet.engine.state import Machine, Settings
from cabinet.presentation.snapshot import Snapshot
from cabinet.tools.screens_gallery import at, snapshot_after

PLAYED: Final = Settings()
PRESSES: Final = 60
PLAY: Final = frozenset({Button.BET, Button.REBET, Button.DEAL, Button.HIT, Button.STAND, Button.DOUBLE, Button.SPLIT})


def moments_played(game_id: str, chance: random.Random) -> Iterator[tuple[Snapshot, float]]:
    """A player who presses what is lit, often before everything has been seen."""
    machine, snapshot, now_s = engine.starting(PLAYED), None, 0.0
    given: list[Input] = list(at(game_id, credit_cents=200_000))
    for _ in range(len(given) + PRESSES):
        next_one = given.pop(0) if given else pressed(machine, chance)
        snapshot = snapshot_after(snapshot, PLAYED, machine, next_one, drawing(chance), now_s)
        machine = snapshot.machine
        while not given and now_s < snapshot.open_at_s:
            yield snapshot, now_s
            now_s += chance.uniform(0.01, 0.12)
            if chance.random() < 0.02:
                break
        now_s = max(now_s, snapshot.open_at_s) + 0.01
        if not given:
            yield snapshot, now_s


def pressed(machine: Machine, chance: random.Random) -> Input:
    """A button of play that is lit; never one that leads away from the table."""
    lit = sorted(engine.lit(PLAYED, machine) & PLAY, key=lambda button: button.value)
    command = engine.bound(PLAYED, machine, chance.choice(lit)) if lit else None
    return command or Bet()


def drawing(chance: random.Random) -> Draw:
    """Any card that is not out."""
    return lambda out: chance.choice([card for card in range(6 * 52) if card not in out])
