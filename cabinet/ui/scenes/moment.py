"""All inputs of a scene: the snapshot, the screen's own state, the time and the texts.

Rules: a Moment is passed down and never changed. Scenes ask the engine what is allowed and never decide it.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from cabinet.engine import machine as engine
from cabinet.engine.inputs import Button, Command
from cabinet.engine.locks import LOCKS
from cabinet.engine.rules import Table
from cabinet.engine.state import LockKind, Machine, Settings, State
from cabinet.presentation.snapshot import Snapshot, is_open, lit_now
from cabinet.text.messages import ENGLISH, Language, Words
from cabinet.ui.scenes.playback import Playback, playback_of
from cabinet.ui.scenes.table import Seen
from cabinet.ui.ui_state import MachineInfo, UiState


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One moment at the cabinet. `now_s` is monotonic, `wall` the time of day."""

    snapshot: Snapshot
    ui: UiState
    now_s: float
    wall: datetime
    settings: Settings
    facts: MachineInfo
    playback: Playback
    words: Words
    state: State
    """The row of the transition table in force."""

    @property
    def machine(self) -> Machine:
        """The machine."""
        return self.snapshot.machine

    @property
    def table(self) -> Table:
        """The table of the game that is played or pointed at."""
        return self.settings.table(self.machine.seat.game_id)

    @property
    def open(self) -> bool:
        """True when presses are taken."""
        return is_open(self.snapshot, self.now_s)

    @property
    def seen(self) -> Seen:
        """The machine at its table, as far as the animation has come."""
        return Seen(
            machine=self.machine,
            table=self.table,
            playback=self.playback,
            words=self.words,
            now_s=self.now_s,
            settings=self.settings,
        )

    def is_lit(self, button: Button) -> bool:
        """Returns True when the lamp of this button is lit now."""
        return button in lit_now(self.snapshot, self.now_s)

    def bound(self, button: Button) -> Command | None:
        """Returns the command of the button now."""
        return engine.bound(self.settings, self.machine, button)

    def allows(self, command: Command) -> bool:
        """Returns True when presses are taken and the engine accepts this command."""
        return self.open and engine.why_not(self.settings, self.machine, command) is None

    @property
    def plays_after_back_out(self) -> bool:
        """True when a cancelled payment leads back to play; False when it leads to the credit of a closed machine."""
        others = (lock.kind for lock in self.machine.locks if lock.kind is not LockKind.HAND_PAY)
        return not any(LOCKS[kind].stops_play for kind in others)

    def since_began_s(self) -> float:
        """Returns the seconds since the animation of the snapshot began."""
        return self.now_s - self.snapshot.began_at_s


def moment_of(
    snapshot: Snapshot, ui: UiState, now_s: float, wall: datetime, settings: Settings, facts: MachineInfo
) -> Moment:
    """Returns the moment with the playback of its animation."""
    # The attendant's pages are in English, so the legends below them are too.
    state = engine.state_of(snapshot.machine)
    language = ENGLISH if state is State.AUDIT else ui.language
    return Moment(
        snapshot=snapshot,
        ui=ui,
        now_s=now_s,
        wall=wall,
        settings=settings,
        facts=facts,
        playback=playback_of(snapshot, now_s, turbo=snapshot.machine.seat.turbo),
        words=_words(language, facts.currency),
        state=state,
    )


@lru_cache(maxsize=16)
def _words(language: Language, currency: str) -> Words:
    return Words(language=language, currency=currency)
