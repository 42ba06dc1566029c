"""What holding a button down does, so that a player without a touch screen can choose a language, read the rules, and
look at the session and set limits.

Rules: a press means what it always means, at once; a button that is then held does one thing more after HOLD_S; CHIP
and PLACE do it again after each further one, STAND does not. In the session a short press of STAND points at the next
choice. STAND does so only while it is dark and nothing is told, so that nobody stands by it. Nothing held moves money
or plays. Keeps since when each button is down, nothing else.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from cabinet.engine.inputs import Button
from cabinet.ui.touch import Wish, overlay_wish
from cabinet.ui.ui_state import CloseOverlay, NextChoice, NextLanguage, OpenHelp, OpenSession, TurnPage
from cabinet.ui.view import HelpView, OverlayAction, Scene, Screen, SessionView, TopItem

HOLD_S: Final = 1.0
"""How long a button must be down."""
LANGUAGE: Final = Button.CHIP
RULES: Final = Button.PLACE
SESSION: Final = Button.STAND


class Holds:
    """Tells which buttons have been down long enough, and which were let go before that."""

    def __init__(self) -> None:
        self._since: dict[Button, float] = {}
        self._heeded: set[Button] = set()
        self._tapped: tuple[Button, ...] = ()

    def due(self, held: AbstractSet[Button], now: float) -> tuple[Button, ...]:
        """The buttons that have now been down for another HOLD_S."""
        self._tapped = tuple(button for button in self._since if button not in held and button not in self._heeded)
        self._since = {button: self._since.get(button, now) for button in held}
        self._heeded &= held
        found = tuple(
            button
            for button, since_s in self._since.items()
            if now - since_s >= HOLD_S and not (button is SESSION and button in self._heeded)
        )
        self._since |= dict.fromkeys(found, now)
        self._heeded |= set(found)
        return found

    @property
    def tapped(self) -> tuple[Button, ...]:
        """The buttons that `due` has just found let go after a short press."""
        return self._tapped


def held_wish(button: Button, screen: Screen) -> Wish | None:
    """What a button that is held asks for on this screen; None for nothing."""
    if screen.scene is Scene.AUDIT:
        return None
    if button is LANGUAGE:
        offered = any(view.item is TopItem.LANGUAGE and view.enabled for view in screen.top.items)
        return NextLanguage() if offered else None
    if button is SESSION:
        return _session_wish(screen) if _is_dark(screen) else None
    if button is not RULES:
        return None
    if not isinstance(screen.overlay, HelpView):
        return OpenHelp()
    more = any(view.action is OverlayAction.FORWARD and view.enabled for view in screen.overlay.buttons)
    return TurnPage(by=1) if more else CloseOverlay()


def tapped_wish(button: Button, screen: Screen) -> Wish | None:
    """What a button that was pressed shortly asks for of the screen alone; None for nothing."""
    pointing = button is SESSION and isinstance(screen.overlay, SessionView) and _is_dark(screen)
    return NextChoice() if pointing else None


def _is_dark(screen: Screen) -> bool:
    return not screen.telling and not any(legend.button is SESSION and legend.lit for legend in screen.rail.legends)


def _session_wish(screen: Screen) -> Wish:
    """Open it; in it, what is pointed at, or close it."""
    if not isinstance(screen.overlay, SessionView):
        return OpenSession()
    pointed = (view for view in screen.overlay.buttons if view.pointed and view.enabled)
    return next((overlay_wish(view) for view in pointed), CloseOverlay())
