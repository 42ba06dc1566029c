"""The coach: the worth of each action for a hand. Computed once for a set of rules, then stored.

Rules: the worths are those of `action_values`, in single precision, filed under a digest of the rules like the par
sheets; a file that cannot be read is computed and written again. Insurance is judged by the hand's two cards and the
dealer's ace. The module knows files and numpy. It does not know which actions are possible now, how the worths are
shown, or whether a player may ask.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from cabinet.engine.round import Action
from cabinet.engine.rules import Rules
from cabinet.par.action_values import ORDER, worths_of_actions
from cabinet.par.cache import key_of
from cabinet.par.hands import TEN, full_pack
from cabinet.par.play import play_best, set_table

_COLUMNS = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coach:
    """The worths for one set of rules."""

    rules: Rules
    rows: Mapping[tuple[int, ...], int]
    """The row of each hand, by its number of cards of each value, ace to ten."""
    worths: npt.NDArray[np.float32]
    """By [action, row, upcard], in original bets; NaN where the rules never allow the action."""

    def worths_of(self, values: Sequence[int], up: int) -> dict[Action, float]:
        """Returns the worth of each action on these card values (1 for an ace) against an upcard; empty for an unknown
        hand."""
        row = self.rows.get(tuple(list(values).count(value) for value in range(1, _COLUMNS + 1)))
        if row is None:
            return {}
        found = self.worths[:, row, up - 1]
        return {action: float(worth) for action, worth in zip(ORDER, found, strict=True) if not np.isnan(worth)}

    def insurance_worth(self, values: Sequence[int]) -> float:
        """Returns the mean gain of a cent of insurance for a hand of these two cards against an ace."""
        left = list(full_pack(self.rules.decks).counts)
        for value in (*values, 1):
            left[value - 1] -= 1
        paid, for_ = self.rules.insurance_pays
        blackjack = left[TEN] / sum(left)
        return blackjack * paid / for_ - (1 - blackjack)


def make_coach(rules: Rules, folder: Path) -> Coach:
    """Returns the coach of the rules, from `folder` or computed now (a second or two) and stored there if possible."""
    path = folder / f"coach-{key_of(rules)}.npz"
    kept = _read(path)
    if kept is None:
        kept = _compute(rules)
        with suppress(OSError):
            _keep(kept, path)
    counts, worths = kept
    return Coach(rules=rules, rows={tuple(row): index for index, row in enumerate(counts.tolist())}, worths=worths)


_Kept = tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]


def _keep(kept: _Kept, path: Path) -> None:
    """Writes the file, which appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(file, counts=kept[0], worths=kept[1])
    part.replace(path)


def _compute(rules: Rules) -> _Kept:
    table = set_table(rules)
    counts = table.first.hands.counts[table.first.hand]
    return counts.astype(np.int8), worths_of_actions(table, play_best(table)).astype(np.float32)


def _read(path: Path) -> _Kept | None:
    """Returns the content of the file; None if there is no file or its parts do not fit together."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            counts, worths = kept["counts"], kept["worths"]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    fits = counts.ndim == 2 and counts.shape[1] == _COLUMNS and worths.shape == (len(ORDER), len(counts), _COLUMNS)
    return (counts, worths) if fits else None
