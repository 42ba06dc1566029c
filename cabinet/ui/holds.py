"""What holding a button down does, so that a player without a touch screen can choose a language and read the rules.

Rules: a press means what it always means, at once; a button that is then held does one thing more after HOLD_S, and
again after each further one. Nothing held touches money or play. Keeps since when each button is down, nothing else.
"""

from collections.abc import Set as AbstractSet
from typing import Final

from cabinet.engine.inputs import Button
from cabinet.ui.ui_state import CloseOverlay, NextLanguage, OpenHelp, TurnPage, UiCommand
from cabinet.ui.view import HelpView, OverlayAction, Scene, Screen, TopItem

HOLD_S: Final = 1.0
"""How long a button must be down."""
LANGUAGE: Final = Button.CHIP
RULES: Final = Button.PLACE


class Holds:
    """Tells which buttons have been down long enough."""

    def __init__(self) -> None:
        self._since: dict[Button, float] = {}

    def due(self, held: AbstractSet[Button], now: float) -> tuple[Button, ...]:
        """The buttons that have now been down for another HOLD_S."""
        self._since = {button: self._since.get(button, now) for button in held}
        found = tuple(button for button, since_s in self._since.items() if now - since_s >= HOLD_S)
        self._since |= dict.fromkeys(found, now)
        return found


def held_wish(button: Button, screen: Screen) -> UiCommand | None:
    """What a button that is held asks for on this screen; None for nothing."""
    if screen.scene is Scene.AUDIT:
        return None
    if button is LANGUAGE:
        offered = any(view.item is TopItem.LANGUAGE and view.enabled for view in screen.top.items)
        return NextLanguage() if offered else None
    if button is not RULES:
        return None
    if not isinstance(screen.overlay, HelpView):
        return OpenHelp()
    more = any(view.action is OverlayAction.FORWARD and view.enabled for view in screen.overlay.buttons)
    return TurnPage(by=1) if more else CloseOverlay()
