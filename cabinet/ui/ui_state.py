"""The screen's own state: open help, language, volume, pressed buttons; and the facts that stay the same while it runs.

Rules: none of this is in the journal or affects money or play. Only `ui_step` changes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never

from cabinet.engine.inputs import Button
from cabinet.engine.round import Action
from cabinet.text.messages import ENGLISH, LANGUAGES, Language
from cabinet.ui.view import ChartView

VOLUMES = 4
"""Steps of the volume, 0 is off. The alarm ignores them."""


def volume_step(volume: int) -> int:
    """Returns the step nearest to a volume of 0 to 10; only 0 is off."""
    return min(VOLUMES - 1, -(-volume * (VOLUMES - 1) // 10))


class Coach(Protocol):
    """The best play of a game; `cabinet.par.coach` computes it."""

    def worths_of(self, values: Sequence[int], up: int) -> Mapping[Action, float]:
        """Returns the value of each action for these card values (1 for an ace) against an upcard, in bets."""

    def insurance_worth(self, values: Sequence[int]) -> float:
        """Returns the mean gain of a cent of insurance for a hand of these two cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UiState:
    """The screen's own state. `help_page` is None while help is closed; `languages` are the player's choice."""

    help_page: int | None = None
    language: Language = ENGLISH
    languages: tuple[Language, ...] = tuple(LANGUAGES.values())
    volume: int = 2
    keys_shown: bool = False
    session_shown: bool = False
    choice: int | None = None
    """Number of the session's choice that a button points at, counted without end; None for none."""
    coached: bool = False
    """True when the player asked for the coach."""
    pressed: frozenset[Button] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineInfo:
    """The facts of the cabinet and its operator. `returns`, shares of one, and `charts` are by game."""

    machine_id: str
    venue: str = ""
    currency: str = "USD"
    returns: Mapping[str, float] = field(default_factory=dict)
    charts: Mapping[str, ChartView | None] = field(default_factory=dict)
    helpline: str = ""
    simulated: bool = False
    keys: tuple[tuple[str, str | Button], ...] = ()
    """(key, meaning) of the keyboard of a simulated cabinet; a button has the name of its legend."""
    four_colour: bool = False
    languages: tuple[Language, ...] = tuple(LANGUAGES.values())
    """The player's languages, in the order of the switch."""
    language: Language = ENGLISH
    """The first language of every new player."""
    coaches: Mapping[str, Coach] = field(default_factory=dict)
    """The coaches by game; none where the operator offers none."""
    silent: str = ""
    """Why there is no sound; empty while there is a loudspeaker."""


def fresh_ui(facts: MachineInfo, volume: int = 2) -> UiState:
    """Returns the screen's state for a new player."""
    return UiState(language=facts.language, languages=facts.languages, volume=volume)


# --- commands of the screen itself --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHelp:
    """Opens rules and help at the first page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseOverlay:
    """Closes help, the session or the list of keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPage:
    """Turns `by` pages of help, back when negative; offered only where there is such a page."""

    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextLanguage:
    """Switches to the next language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextVolume:
    """Makes the sound one step louder; off follows the loudest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCoach:
    """Switches the coach on or off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowKeys:
    """Opens the list of keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSession:
    """Opens the session: time played, result, and the limits that may be set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextChoice:
    """Points at the next choice of the session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonDown:
    """A button of the panel, or its legend, is down."""

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
    """Returns the screen's state after a command of the screen."""
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
    """Returns the state without an overlay; at most one is open."""
    return replace(ui, help_page=None, keys_shown=False, session_shown=False, choice=None)
