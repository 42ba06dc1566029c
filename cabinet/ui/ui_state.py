"""What belongs to the screen alone: open help, language, volume, pressed buttons; and what never changes while it runs.

Rules: none of this is in the journal and none of it touches money or play; `ui_step` is the only way it changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never

from cabinet.engine.inputs import Button
from cabinet.engine.round import Action
from cabinet.text.messages import ENGLISH, LANGUAGES, Language
from cabinet.ui.view import ChartView

VOLUMES = 4
"""Loudness steps, 0 is off. The alarm does not follow them."""


def volume_step(volume: int) -> int:
    """The step nearest to a volume of 0 to 10; only 0 is off."""
    return min(VOLUMES - 1, -(-volume * (VOLUMES - 1) // 10))


class Coach(Protocol):
    """What is known of the best play of a game; `cabinet.par.coach` computes it."""

    def worths_of(self, values: Sequence[int], up: int) -> Mapping[Action, float]:
        """The worth of each action on these card values (1 for an ace) against an upcard, in bets."""

    def insurance_worth(self, values: Sequence[int]) -> float:
        """The mean gain of a cent of insurance for a hand of these two cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UiState:
    """The screen's own state. `help_page` is None while help is closed; of `languages` the player may choose."""

    help_page: int | None = None
    language: Language = ENGLISH
    languages: tuple[Language, ...] = tuple(LANGUAGES.values())
    volume: int = 2
    keys_shown: bool = False
    session_shown: bool = False
    choice: int | None = None
    """Which of the choices of the session is pointed at with a button, counted on without end; None for none."""
    coached: bool = False
    """Whether the coach was asked to speak."""
    pressed: frozenset[Button] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineInfo:
    """What the screen must know of the cabinet and its operator. `returns`, shares of one, and `charts` are by game."""

    machine_id: str
    venue: str = ""
    currency: str = "USD"
    returns: Mapping[str, float] = field(default_factory=dict)
    charts: Mapping[str, ChartView | None] = field(default_factory=dict)
    helpline: str = ""
    simulated: bool = False
    keys: tuple[tuple[str, str | Button], ...] = ()
    """(key, meaning) of the keyboard of a simulated cabinet; a button is called as its legend is."""
    four_colour: bool = False
    languages: tuple[Language, ...] = tuple(LANGUAGES.values())
    """Those a player may choose, in the order in which they come round."""
    language: Language = ENGLISH
    """The one that every new player is spoken to in first."""
    coaches: Mapping[str, Coach] = field(default_factory=dict)
    """Those that may be asked, by game; none where the operator offers none."""
    silent: str = ""
    """Why nothing can be heard; empty while there is a loudspeaker."""


def fresh_ui(facts: MachineInfo, volume: int = 2) -> UiState:
    """The screen's state for a new player."""
    return UiState(language=facts.language, languages=facts.languages, volume=volume)


# --- what can be wished of the screen itself ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHelp:
    """Show rules and help from the first page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseOverlay:
    """Close help, the session or the list of keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPage:
    """Go so many pages on (or back) in help; only offered where there is such a page."""

    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextLanguage:
    """Speak the next language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextVolume:
    """One step louder; after the loudest comes off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCoach:
    """Let the coach speak, or be silent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowKeys:
    """Show which key of the keyboard is what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """Show how long this player has played, with what result, and the limits that may be set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextChoice:
    """Point at the next choice of the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonDown:
    """A button of the panel, or its legend, is held down."""

    button: Button


UiCommand = (
    OpenHelp
    | CloseOverlay
    | TurnPage
    | NextLanguage
    | NextVolume
    | AskCoach
    | ShowKeys
    | OpenSession
    | NextChoice
    | ButtonDown
)


def ui_step(ui: UiState, command: UiCommand) -> UiState:
    """The screen's state after a wish."""
    match command:
        case OpenHelp():
            return replace(_closed(ui), help_page=0)
        case CloseOverlay():
            return _closed(ui)
        case TurnPage():
            return replace(ui, help_page=max(0, (ui.help_page or 0) + command.by))
        case NextLanguage():
            at = ui.languages.index(ui.language)
            return replace(ui, language=ui.languages[(at + 1) % len(ui.languages)])
        case NextVolume():
            return replace(ui, volume=(ui.volume + 1) % VOLUMES)
        case AskCoach():
            return replace(ui, coached=not ui.coached)
        case ShowKeys():
            return replace(_closed(ui), keys_shown=True)
        case OpenSession():
            return replace(_closed(ui), session_shown=True)
        case NextChoice():
            return replace(ui, choice=0 if ui.choice is None else ui.choice + 1)
        case ButtonDown():
            return replace(ui, pressed=ui.pressed | {command.button})
        case _:
            assert_never(command)


def _closed(ui: UiState) -> UiState:
    """With no overlay open; only one is at a time."""
    return replace(ui, help_page=None, keys_shown=False, session_shown=False, choice=None)
