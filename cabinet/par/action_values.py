"""The worth of each action for every hand a player can hold, against every upcard.

Rules: a hand is judged by its own cards and the upcard alone, as if all other cards were still in the pack; best play
follows each action. A split hand is judged like a first hand of the same cards (the convention known as CDZ-). The
module computes worths from the arrays of the analysis. It does not know the caller or files.
"""

import numpy as np

from cabinet.engine.round import Action
from cabinet.par.hands import Floats
from cabinet.par.play import Best, Table

ORDER = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT)
"""The actions in the order of the arrays."""


def worths_of_actions(table: Table, best: Best) -> Floats:
    """Returns the worth in original bets by [action, row of the first hands, upcard]; NaN where the action is not
    allowed.

    If the dealer checks for blackjack before play, it assumes no dealer's blackjack; otherwise it includes one.
    Standing on a blackjack counts as standing on 21, because a player with blackjack has no decision.
    """
    first, won = table.first, table.first_won
    nowhere = np.full_like(won.stand, np.nan)
    played = ~first.natural[:, None]
    split = nowhere.copy()
    for pair, row in table.pairs.items():
        split[row] = np.where(table.share[pair] > 0, best.split[pair], np.nan)
    worths = np.stack(
        [
            won.stand,
            np.where(first.may_hit[:, None], best.hit, np.nan),
            np.where(first.may_double[:, None] & played, won.double, np.nan),
            split,
        ]
    )
    return worths / first.alive if table.rules.hole_card else worths - table.opening.hidden
