"""The actions of held buttons. With holds a player without a touch screen can choose a language, read the rules, open
the session, set limits and take one chip back.

Rules: a button held for HOLD_S does something else than a press, and is no press then (see `press_or_hold`). CHIP,
PLACE and CLEAR repeat after each further HOLD_S, STAND does not. CLEAR takes a chip from the place pointed at. In the
session a short press of STAND points at the next choice. STAND does so only while it is dark and no animation runs, so
that no player stands by it. A hold never moves money and never plays; placed chips are not stakes yet. A button that is
down longer than a person holds one is stuck and does nothing more. Remembers only since when each button is down.
"""

from collections.abc import Set as AbstractSet

from cabinet.engine.inputs import Button, TakeChip
from cabinet.presentation.press_or_hold import HOLD_S, LANGUAGE, ONE_BACK, RULES, SESSION, STUCK_S
from cabinet.ui.touch import Wish, overlay_wish
from cabinet.ui.ui_state import CloseOverlay, NextChoice, NextLanguage, OpenHelp, OpenSession, TurnPage
from cabinet.ui.view import HelpView, OverlayAction, Scene, Screen, SessionView, TopItem


class Holds:
    """Finds the buttons that have been down for HOLD_S, and those that were released before."""

    def __init__(self) -> None:
        self._since: dict[Button, float] = {}
        self._down_s: dict[Button, float] = {}
        self._applied: set[Button] = set()
        self._tapped: tuple[Button, ...] = ()

    def due(self, held: AbstractSet[Button], now: float) -> tuple[Button, ...]:
        """Returns the buttons that have now been down for another HOLD_S."""
        self._tapped = tuple(button for button in self._since if button not in held and button not in self._applied)
        self._since = {button: self._since.get(button, now) for button in held}
        self._down_s = {button: self._down_s.get(button, now) for button in held}
        self._applied &= held
        found = tuple(
            button for button, since_s in self._since.items() if now - since_s >= HOLD_S and not self._is_done(button)
        )
        self._since |= dict.fromkeys(found, now)
        self._applied |= set(found)
        return found

    @property
    def next_s(self) -> float:
        """When to ask again: when the next button will have been down for HOLD_S; infinite for none."""
        waiting = (since_s + HOLD_S for button, since_s in self._since.items() if not self._is_done(button))
        return min(waiting, default=float("inf"))

    def _is_done(self, button: Button) -> bool:
        """Returns True for a button whose hold does nothing more."""
        stuck = self._since[button] - self._down_s[button] + HOLD_S >= STUCK_S
        return stuck or (button is SESSION and button in self._applied)

    @property
    def tapped(self) -> tuple[Button, ...]:
        """The buttons that the last `due` found released after a short press."""
        return self._tapped


def held_wish(button: Button, screen: Screen) -> Wish | None:
    """Returns what a held button asks for on this screen; None for nothing."""
    if screen.scene is Scene.AUDIT:
        return None
    if button is LANGUAGE:
        offered = any(view.item is TopItem.LANGUAGE and view.enabled for view in screen.top.items)
        return NextLanguage() if offered else None
    if button is SESSION:
        return _session_wish(screen) if _is_dark(screen) else None
    if button is ONE_BACK:
        return _one_back(screen)
    if button is not RULES:
        return None
    if not isinstance(screen.overlay, HelpView):
        return OpenHelp()
    more = any(view.action is OverlayAction.FORWARD and view.enabled for view in screen.overlay.buttons)
    return TurnPage(by=1) if more else CloseOverlay()


def tapped_wish(button: Button, screen: Screen) -> Wish | None:
    """Returns what a short press asks of the screen alone; None for nothing."""
    pointing = button is SESSION and isinstance(screen.overlay, SessionView) and _is_dark(screen)
    return NextChoice() if pointing else None


def _is_dark(screen: Screen) -> bool:
    return not screen.animating and not any(legend.button is SESSION and legend.lit for legend in screen.rail.legends)


def _one_back(screen: Screen) -> Wish | None:
    """Returns the command that takes one chip from the place pointed at, while CLEAR is lit."""
    lit = any(legend.button is ONE_BACK and legend.lit for legend in screen.rail.legends)
    places = screen.table.places if lit and screen.table is not None else ()
    pointed = (place for place in places if place.takeable and (place.pointed or len(places) == 1))
    return next((TakeChip(place=place.number) for place in pointed), None)


def _session_wish(screen: Screen) -> Wish:
    """Returns the command to open the session; in it, the choice pointed at, or to close it."""
    if not isinstance(screen.overlay, SessionView):
        return OpenSession()
    pointed = (view for view in screen.overlay.buttons if view.pointed and view.enabled)
    return next((overlay_wish(view) for view in pointed), CloseOverlay())
