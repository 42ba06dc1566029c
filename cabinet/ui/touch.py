"""The touch areas of a screen, and what a finger or a mouse asks for there.

Rules: a touch of a legend is a press of its button. An area is enabled exactly when the engine accepts its command,
because both come from the same Screen. A touch whose meaning changed a moment ago has no effect yet. During an
animation a touch anywhere skips it; as an input that is `Wake`, which changes nothing in a machine that is awake. An
open overlay blocks everything below it, except for a passing notice.
Does not know pixels: rectangles come from `layout`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from cabinet.attendant.pages import KEYPAD, Page, PageTouch, Touched
from cabinet.engine.inputs import (
    BackOut,
    Bet,
    BetAll,
    Button,
    ChooseChip,
    ChooseGame,
    Command,
    KeepPlaying,
    LeaveTable,
    LimitLoss,
    LimitTime,
    TakeChip,
    ToggleTurbo,
    Wake,
)
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import Layout
from cabinet.ui.ui_state import (
    AskCoach,
    CloseOverlay,
    NextLanguage,
    NextVolume,
    OpenHelp,
    OpenSession,
    ShowKeys,
    TurnPage,
    UiCommand,
)
from cabinet.ui.view import Kind, NoticeView, OverlayAction, OverlayButton, Scene, Screen, Slot, TopItem, TopItemView

Wish = Command | Button | UiCommand | PageTouch
"""What a touch asks for: a press of a button, a command without a button, a change of the screen alone, or a row of the
attendant's page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A rectangle that can be touched. `ctrl` and `shift` are its wishes with that key held; None for the same as
    without."""

    rect: Rect
    wish: Wish
    enabled: bool
    ctrl: Wish | None = None
    ctrl_enabled: bool = False
    shift: Wish | None = None
    shift_enabled: bool = False


def areas(screen: Screen, where: Layout) -> tuple[Area, ...]:
    """Returns all areas, the topmost first."""
    found = tuple(_areas(screen, where))
    return tuple(_as_meant(area, screen.unmeant) for area in found) if screen.unmeant else found


def _as_meant(area: Area, unmeant: frozenset[type]) -> Area:
    """Returns the area without the wishes that do not count yet."""
    return replace(
        area,
        enabled=area.enabled and type(area.wish) not in unmeant,
        ctrl_enabled=area.ctrl_enabled and type(area.ctrl) not in unmeant,
        shift_enabled=area.shift_enabled and type(area.shift) not in unmeant,
    )


def command_at(
    found: tuple[Area, ...], position: tuple[int, int], *, ctrl: bool = False, shift: bool = False
) -> Wish | None:
    """Returns what a touch at this position asks for; None for nothing, or for something that is not allowed now."""
    area = next((area for area in found if area.rect.holds(position)), None)
    if area is None:
        return None
    if ctrl and area.ctrl is not None:
        return area.ctrl if area.ctrl_enabled else None
    if shift and area.shift is not None:
        return area.shift if area.shift_enabled else None
    return area.wish if area.enabled else None


def held_at(found: tuple[Area, ...], position: tuple[int, int]) -> Wish | None:
    """Returns what a finger that stays at this position asks for: the wish of a touch with shift; None for nothing."""
    area = next((area for area in found if area.rect.holds(position)), None)
    return area.shift if area is not None and area.shift_enabled else None


def is_covered(screen: Screen) -> bool:
    """Returns True while an overlay blocks the table."""
    overlay = screen.overlay
    return overlay is not None and not (isinstance(overlay, NoticeView) and overlay.passing)


def is_reading(screen: Screen) -> bool:
    """Returns True while a page is open over the table."""
    return screen.overlay is not None and not isinstance(screen.overlay, NoticeView)


def _areas(screen: Screen, where: Layout) -> Iterator[Area]:
    yield from _overlay_areas(screen, where)
    yield from _legend_areas(screen, where)
    if screen.scene is Scene.AUDIT:
        if screen.audit is not None:
            yield from _page_areas(screen.audit, where)
        return
    yield from _bar_areas(screen, where)
    if is_covered(screen):
        return
    if _touched_anywhere(screen):
        yield Area(rect=where.felt, wish=Wake(), enabled=True)
        return
    yield from _chip_areas(screen, where)
    yield from _question_areas(screen, where)
    yield from _place_areas(screen, where)
    yield from _game_areas(screen, where)


def _touched_anywhere(screen: Screen) -> bool:
    """Returns True while a touch outside all areas skips the animation, or begins a session."""
    animating = screen.animating or screen.scene is Scene.ATTRACT
    return animating and screen.scene is not Scene.AUDIT and not is_covered(screen)


def _legend_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    for nth, legend in enumerate(screen.rail.legends):
        if not legend.lit and _touched_anywhere(screen):
            continue
        yield Area(rect=where.rect(Slot(Kind.LEGEND, nth=nth)), wish=legend.button, enabled=legend.lit)


def _bar_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    for nth, item in enumerate(screen.top.items):
        if not item.enabled and _touched_anywhere(screen):
            continue
        yield Area(rect=where.rect(Slot(Kind.TOP_ITEM, nth=nth)), wish=_item_wish(item), enabled=item.enabled)
    clock = CloseOverlay() if screen.top.clock_on else OpenSession()
    yield Area(rect=where.rect(Slot(Kind.CLOCK)), wish=clock, enabled=True)


def _item_wish(view: TopItemView) -> Wish:
    match view.item:
        case TopItem.GAMES:
            return LeaveTable()
        case TopItem.TURBO:
            return ToggleTurbo()
        case TopItem.RULES:
            return CloseOverlay() if view.on else OpenHelp()
        case TopItem.LANGUAGE:
            return NextLanguage()
        case TopItem.SOUND:
            return NextVolume()
        case TopItem.COACH:
            return AskCoach()
        case TopItem.KEYS:
            return CloseOverlay() if view.on else ShowKeys()
        case _:
            assert_never(view.item)


def _overlay_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    for nth, button in enumerate(() if screen.overlay is None else screen.overlay.buttons):
        rect = where.rect(Slot(Kind.OVERLAY_BUTTON, nth=nth))
        yield Area(rect=rect, wish=overlay_wish(button), enabled=button.enabled)


def overlay_wish(button: OverlayButton) -> Wish:
    """Returns what a button of an overlay asks for."""
    match button.action:
        case OverlayAction.CLOSE:
            return CloseOverlay()
        case OverlayAction.BACK:
            return TurnPage(by=-1)
        case OverlayAction.FORWARD:
            return TurnPage(by=1)
        case OverlayAction.BACK_OUT:
            return BackOut()
        case OverlayAction.CASH_OUT:
            return Button.CASH_OUT
        case OverlayAction.KEEP_PLAYING:
            return KeepPlaying()
        case OverlayAction.LIMIT_TIME:
            return LimitTime(session_s=button.value)
        case OverlayAction.LIMIT_LOSS:
            return LimitLoss(cents=button.value)
        case _:
            assert_never(button.action)


def _page_areas(page: Page, where: Layout) -> Iterator[Area]:
    """Yields the areas of the attendant's page: tabs, entries, the turns of the page, digits."""
    for slot, touched in page_touches(page):
        yield Area(rect=where.rect(slot), wish=touched, enabled=True)


def page_touches(page: Page) -> Iterator[tuple[Slot, PageTouch]]:
    """Yields what can be touched on the attendant's page, with its place on the screen."""
    place = page.place
    for nth, label in enumerate(page.menu):
        touched = PageTouch(place=place, what=Touched.ENTRY, nth=page.first + nth, word=label)
        yield Slot(Kind.AUDIT_TAB if page.tabbed else Kind.AUDIT_MENU, nth=nth), touched
    for nth, tab in enumerate(page.tabs):
        yield Slot(Kind.AUDIT_TAB, nth=nth), PageTouch(place=place, what=Touched.TAB, word=tab.key)
    if page.back:
        yield Slot(Kind.AUDIT_BACK), PageTouch(place=place, what=Touched.BACK)
    if page.turns:
        yield Slot(Kind.AUDIT_TURN, nth=0), PageTouch(place=place, what=Touched.EARLIER)
        yield Slot(Kind.AUDIT_TURN, nth=1), PageTouch(place=place, what=Touched.LATER)
    for nth, (what, digit) in enumerate(KEYPAD if page.keypad else ()):
        yield Slot(Kind.AUDIT_DIGIT, nth=nth), PageTouch(place=place, what=what, nth=digit)


def _chip_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    for nth, chip in enumerate(screen.rail.chips):
        rect = where.rect(Slot(Kind.CHIP, nth=nth))
        yield Area(rect=rect, wish=ChooseChip(chip_cents=chip.cents), enabled=chip.enabled)


def _question_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    if screen.table is None or screen.table.question is None:
        return
    for nth, button in enumerate(screen.table.question.buttons):
        rect = where.rect(Slot(Kind.QUESTION_BUTTON, nth=nth))
        yield Area(rect=rect, wish=button.button, enabled=button.lit)


def _place_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    """Yields the areas of places. A tap places the selected chip, with ctrl on every place; with shift, or held, one is
    taken back."""
    for place in () if screen.table is None else screen.table.places:
        yield Area(
            rect=where.rect(Slot(Kind.PLACE, place.number)),
            wish=Bet(place=place.number),
            enabled=place.bettable,
            ctrl=BetAll(),
            ctrl_enabled=screen.table is not None and screen.table.all_bettable,
            shift=TakeChip(place=place.number),
            shift_enabled=place.takeable,
        )


def _game_areas(screen: Screen, where: Layout) -> Iterator[Area]:
    for nth, game in enumerate(() if screen.choice is None else screen.choice.games):
        rect = where.rect(Slot(Kind.GAME, nth=nth))
        yield Area(rect=rect, wish=ChooseGame(game_id=game.game_id), enabled=game.enabled)
