"""The table of a past game at one of its steps, for the attendant's page.

Rules: the same views as in play, with the events that have happened at their end and the others not begun; nothing
moves, and no place can be touched. Every amount is one of then.
"""

from typing import Final

from cabinet.attendant.pictures import GameStep
from cabinet.engine.state import Settings
from cabinet.presentation.timeline import Beat
from cabinet.text.messages import Words
from cabinet.ui.scenes.playback import Playback
from cabinet.ui.scenes.table import Seen, table_view
from cabinet.ui.view import TableView

FIRST_S: Final = -1_000_000.0
"""When the first event happened; each takes no time and the next follows a second later. Presses are taken only after
all of them, at OPEN_S, and the picture is of NOW_S."""
NOW_S: Final = 0.0
OPEN_S: Final = 1.0


def past_table(step: GameStep, words: Words, settings: Settings) -> TableView:
    """Returns the table of a step."""
    times = (FIRST_S + nth for nth in range(len(step.events)))
    beats = tuple(
        Beat(event=event, start_s=at_s, land_s=at_s, end_s=at_s) for event, at_s in zip(step.events, times, strict=True)
    )
    table = settings.table(step.machine.seat.game_id)
    playback = Playback(beats=beats, at_s=FIRST_S + step.shown - 0.5, open_at_s=OPEN_S)
    return table_view(
        Seen(machine=step.machine, table=table, playback=playback, words=words, now_s=NOW_S, settings=settings)
    )
