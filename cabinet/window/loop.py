"""The window and its loop, on the main thread: reads presses and draws the newest snapshot.

Rules: money never waits for pixels, so this loop shares only the port with the cabinet. It sleeps until an event, a
snapshot or the screen's own next change, and draws nothing when nothing changed. A press shows in the next frame, and
long enough to be seen. The loop polls for events every few milliseconds: SDL's own wait polls every millisecond on most
drivers, which costs more. No key, gesture or window control lets a player out: the keyboard and the close button work
in a simulated cabinet only. Reads the wall clock; `now` is passed in.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import pygame

from cabinet.config.mounting import UPRIGHT, Mounting
from cabinet.engine.inputs import Button
from cabinet.engine.state import Settings
from cabinet.presentation.port import CabinetPort
from cabinet.presentation.press_or_hold import PressOrHold
from cabinet.presentation.snapshot import Snapshot
from cabinet.presentation.timeline import FRAME_S
from cabinet.text.messages import Words
from cabinet.ui.layout.screen import layout
from cabinet.ui.long_touch import LongTouches
from cabinet.ui.paint.frames import SLACK_S, Frame, Frames
from cabinet.ui.paint.painter import Painter
from cabinet.ui.paint.pointer import Pointer
from cabinet.ui.presenter import present
from cabinet.ui.sound.cues import Cue, CueTracker, alarm_now
from cabinet.ui.touch import Area, Wish, areas, command_at, held_at, is_covered, is_reading
from cabinet.ui.ui_state import CloseOverlay, MachineInfo, ShowKeys, UiCommand, UiState, fresh_ui, ui_step
from cabinet.ui.view import Screen
from cabinet.ui.visits import Visits
from cabinet.window.display import SERVER_GONE, ServerGoneError, WindowError
from cabinet.window.holds import Holds, held_wish, tapped_wish
from cabinet.window.keyboard import Keyboard
from cabinet.window.mixer import Mixer
from cabinet.window.overlap import FrameWorker
from cabinet.window.tap_filter import TapFilter
from cabinet.window.touches import Fingers

POLL_S: Final = 0.008
"""Seconds of the longest sleep, half a frame: the latest delay of a press, a snapshot or a signal."""
REFRESH_S: Final = 0.5
"""Seconds after which the screen is computed again and the display is reported alive."""
KEYS_KEY: Final = "f1"
"""The key that opens and closes the key list of a simulated cabinet."""
GC_THRESHOLD: Final = 50_000
"""Garbage collection threshold: allocations before the next collection."""
CALM_S: Final = 0.05
"""Seconds without movement before assets are prepared."""
VANISHED_S: Final = 0.5
"""Seconds after an overlay closed by itself in which a touch of the table still counts as a touch of the overlay."""
MOUSE: Final = -1
"""Pseudo finger id for the mouse."""


def freeze_garbage() -> None:
    """Freezes everything allocated so far, so that the collector does not scan it in the middle of a deal. Play creates
    few cycles, so collections may be rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def unfreeze_garbage() -> None:
    """Unfreezes everything and collects garbage."""
    gc.unfreeze()
    gc.collect()


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions:
    """How the window is opened, and the facts its presenter needs. With `windowed` None it fills the display."""

    settings: Settings
    facts: MachineInfo
    windowed: tuple[int, int] | None = None
    volume: int = 2
    """Volume at the start and for each new player, 0 to 3."""
    mounting: Mounting = UPRIGHT
    """How the panel and its touch foil are mounted."""
    mode: tuple[int, int] | None = None
    """The display's mode where no desktop sets it; None for the best one."""


class WindowLoop:
    """The loop's state. `turn` is one pass of the loop; `handle` and `render_at` are its halves, for tests too."""

    def __init__(
        self,
        *,
        cabinet: CabinetPort,
        options: WindowOptions,
        surface: pygame.Surface,
        mixer: Mixer,
        show: Callable[[list[pygame.Rect]], None],
        transfer: Callable[[list[pygame.Rect]], list[pygame.Rect]] = list,
        wall: Callable[[], datetime] = lambda: datetime.now(tz=UTC).astimezone(),
    ) -> None:
        self._cabinet = cabinet
        self._options = options
        self.surface = surface
        self._mixer = mixer
        self._transfer, self._show = transfer, show
        self._wall = wall
        self._fresh_ui = fresh_ui(options.facts, options.volume)
        self._ui = self._fresh_ui
        self.painter = Painter(surface.get_size())
        self.frames = Frames(self.painter, self._present)
        self._worker = FrameWorker("frames")
        self._snapshot: Snapshot | None = None
        self._pointer = Pointer(self.painter.assets)
        self._tap_filter = TapFilter(surface.get_size())
        self._screen: Screen | None = None
        self._fingers = Fingers()
        self._keys = Keyboard()
        self._holds = Holds()
        self._long = LongTouches()
        self._presses = PressOrHold(options.settings)
        self._unprepared_languages = iter(options.facts.languages)
        self._cues = CueTracker()
        self._now_s = self._rendered_s = float("-inf")
        self._woken = self._unseen = self._urgent = False
        """`wake` was called; a snapshot may not have been shown yet; the next frame is due at once."""
        self._warm = False
        self._visits = Visits()
        self._ui_s = float("-inf")
        self._vanished_s = float("-inf")
        self._reading = cabinet.snapshot().reading
        """True when the cabinet believes that a page covers the table; a page on a lost display is closed."""
        self._close_asked = False
        """True between a window's close button and the quit event that follows it."""
        self.closed = False
        """True once the window of a simulated cabinet was closed."""
        mixer.set_volume(self._ui.volume)

    # --- from any thread ----------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Wakes the loop: there is a snapshot, or a panel button moved."""
        self._woken = True

    # --- one pass -----------------------------------------------------------------------------------------------

    def turn(self, now: float) -> float:
        """Handles events, draws changes, or prepares assets; returns how long to sleep, in seconds."""
        self._now_s = now
        try:
            events = pygame.event.get()
        except pygame.error as error:
            raise WindowError(f"the display no longer answers: {error}; check its power and cable") from error
        for event in events:
            self.handle(event, now)
        self._keys.lift(now)
        self._on_wake()
        left_s = self.due_s - now
        if left_s <= 0:
            self.render_at(now)
            # `show` took time: the time left until the next frame is unknown here.
            return 0.0
        if left_s <= FRAME_S and self._plan_next(now + left_s):
            return 0.0
        if left_s >= CALM_S and not self._is_warm:
            self._prepare()
            return 0.0
        return min(POLL_S, left_s)

    def _on_wake(self) -> None:
        """Schedules the frame after a wake-up: a button that moved shows at once, a snapshot with the next frame."""
        if self._woken:
            self._woken = False
            self._unseen = True
            self._urgent = self._urgent or self._cabinet.held != self._fingers.pushed

    def _plan_next(self, at_s: float) -> bool:
        """Plans the frame at `at_s` when there is a snapshot or an animation resumes after a pause; returns False when
        nothing was left to plan."""
        if not self._unseen and not (self._screen is not None and self._screen.animating):
            return False
        frame = Frame(self._cabinet.snapshot(), self._ui_at(at_s), at_s)
        if self.frames.is_planned(frame):
            return False
        self.frames.plan(frame)
        return True

    def _present(self, snapshot: Snapshot, ui: UiState, at_s: float) -> Screen:
        """Returns the screen at a moment, with the time of day of that moment."""
        wall = self._wall() + timedelta(seconds=at_s - self._now_s)
        return present(snapshot, ui, at_s, wall, self._options.settings, self._options.facts)

    @property
    def ui(self) -> UiState:
        """The screen's own state."""
        return self._ui

    @property
    def due_s(self) -> float:
        """When the next frame is due: at once for a press, otherwise when the screen changes, at least `FRAME_S` and at
        most `REFRESH_S` after the last frame."""
        if self._urgent:
            return float("-inf")
        own_s = None if self._screen is None else self._screen.next_change_s
        if own_s is not None:
            own_s -= self.frames.ahead_s
        if self.painter.is_behind or self._unseen:
            own_s = self._rendered_s
        changes = (own_s, self._holds.next_s, self._long.next_s, self._fingers.next_s)
        due_s = min((change for change in changes if change is not None), default=float("inf"))
        return min(max(due_s, self._rendered_s + FRAME_S), self._rendered_s + REFRESH_S)

    @property
    def _is_warm(self) -> bool:
        """True when nothing is left to prepare; each game has its own table."""
        return self._warm and (self._screen is None or self.painter.is_warm(self._screen))

    def _prepare(self) -> None:
        if self._screen is None or self.painter.warm_up(self._screen):
            return
        language = next(self._unprepared_languages, None)
        if language is not None:
            Words(language=language, currency=self._options.facts.currency).prepare()
            return
        self._warm = True
        freeze_garbage()

    # --- out ----------------------------------------------------------------------------------------------------

    def render_at(self, now: float) -> list[pygame.Rect]:
        """Draws, shows and sounds the cabinet at `now`, or as planned for about that time; returns the regions
        drawn."""
        self._woken = self._urgent = self._unseen = False
        self._rendered_s = self._now_s = now
        snapshot = self._cabinet.snapshot()
        if self._visits.left(snapshot.machine, now, self._ui_s) and self._ui != self._fresh_ui:
            self._set_ui(self._fresh_ui, now)
        if snapshot.machine.printer.printing is not None and snapshot is not self._snapshot:
            # A page must not cover the notice to take a ticket.
            self._set_ui(ui_step(self._ui, CloseOverlay()), now)
        if self._screen is not None:
            self._apply_holds(self._screen, now)
            self._apply_long_touches(now)
        self._check_panel(now)
        screen, regions = self.frames.paint(self.surface, Frame(snapshot, self._ui_at(now), now))
        self._mark_pages(screen, now)
        self._screen = screen
        if regions:
            self._show_regions(regions, snapshot)
        self._snapshot = snapshot
        self._sound(snapshot, now)
        self._pointer.follow(screen)
        self._cabinet.frame_done(now)
        return regions

    def _show_regions(self, regions: list[pygame.Rect], snapshot: Snapshot) -> None:
        """Shows the painted regions. When the next frame is due right after them, plans it meanwhile, for the time at
        which the display takes it."""
        shown, at_s = self._transfer(regions), self._rendered_s + self.frames.beat_s
        if self.due_s > at_s + SLACK_S:
            self._show(shown)
            return
        plan = partial(self.frames.plan, Frame(snapshot, self._ui_at(at_s), at_s))
        self._worker.run_while(plan, waiting=partial(self._show, shown))

    def _mark_pages(self, screen: Screen, now: float) -> None:
        """Reports to the cabinet that a page was opened or closed; remembers when one closed by itself."""
        was_covered = self._screen is not None and is_covered(self._screen)
        if was_covered and not is_covered(screen) and now - self._ui_s > VANISHED_S:
            self._vanished_s = now
        if is_reading(screen) != self._reading:
            self._report_presence(reading=is_reading(screen))

    def _report_presence(self, *, reading: bool) -> None:
        self._reading = reading
        self._cabinet.attended(reading=reading)

    def _apply_holds(self, screen: Screen, now: float) -> None:
        """Applies the holds of buttons that have been down long enough, on the screen or the panel."""
        due = self._holds.due(self._fingers.touched | self._cabinet.held, now)
        wishes = [held_wish(button, screen) for button in due if self._take_held(button)]
        for wish in (*wishes, *(tapped_wish(button, screen) for button in self._holds.tapped)):
            self._apply(wish, now)

    def _take_held(self, button: Button) -> bool:
        """Returns True when a held button is no press any more, on the screen or the panel."""
        here = button in self._fingers.touched and self._presses.take(button)
        return here or (button in self._cabinet.held and self._cabinet.take_held(button))

    def _apply(self, wish: Wish | None, now: float) -> None:
        """Applies the wish of a hold, a tap or a long touch; after a command no choice is pointed at."""
        if isinstance(wish, UiCommand):
            self._report_presence(reading=self._reading)
            self._set_ui(ui_step(self._ui, wish), now)
        elif wish is not None:
            self._cabinet.put(wish, now)
            self._set_ui(replace(self._ui, choice=None), now)

    def _ui_at(self, at_s: float) -> UiState:
        """Returns the screen's state with every button down that is shown pressed at that time."""
        return self._fingers.seen(self._ui, at_s)

    def _check_panel(self, now: float) -> None:
        """Plays the press sound of panel buttons that went down since the last frame."""
        for _ in self._fingers.update_panel(self._cabinet.held, now):
            self._mixer.play(Cue.PRESS)

    def _sound(self, snapshot: Snapshot, now: float) -> None:
        """Plays the cues that began since the last frame, and the alarm."""
        for cue in self._cues.cues(snapshot, now, turbo=snapshot.machine.seat.turbo):
            self._mixer.play(cue)
        self._mixer.set_alarm(on=alarm_now(snapshot.machine))

    # --- in -----------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Handles an event; most kinds have no effect."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                self._touch(self._clicked(event.pos), now, MOUSE)
            case pygame.FINGERDOWN:
                self._pointer.hide()
                point = self._options.mounting.finger(event.x, event.y)
                if point is not None:
                    self._touch(self._pixel(point), now, event.finger_id)
            case pygame.MOUSEBUTTONUP:
                self._release(now, MOUSE)
            case pygame.FINGERUP:
                self._release(now, event.finger_id)
            case pygame.WINDOWFOCUSLOST | pygame.WINDOWHIDDEN | pygame.WINDOWMINIMIZED:
                for finger in self._fingers.on_buttons:
                    self._release(now, finger, seen=False)
            case pygame.WINDOWEXPOSED | pygame.WINDOWSIZECHANGED | pygame.WINDOWRESTORED:
                self.painter.forget()
                self._urgent = True
            case pygame.WINDOWCLOSE:
                self._close_asked = True
            case pygame.KEYDOWN | pygame.KEYUP | pygame.QUIT:
                self._handle_keyboard(event, now)

    def _pixel(self, point: tuple[float, float]) -> tuple[int, int]:
        """Returns the pixel of the picture at a share of its width and height."""
        width, height = self.surface.get_size()
        return min(width - 1, int(point[0] * width)), min(height - 1, int(point[1] * height))

    def _clicked(self, at: tuple[int, int]) -> tuple[int, int]:
        """Returns the pixel of the picture at a pixel of the panel."""
        mounting = self._options.mounting
        if not mounting.rotation:
            return at
        width, height = mounting.picture_size(self.surface.get_size())
        return self._pixel(mounting.in_picture(((at[0] + 0.5) / width, (at[1] + 0.5) / height)))

    def _handle_keyboard(self, event: pygame.event.Event, now: float) -> None:
        """Handles keyboard and close button; both are dead on a real cabinet.

        Raises `ServerGoneError` when the display's server has ended: SDL reports that as a quit event without a closed
        window, and then draws to no display.
        """
        simulated = self._cabinet.simulate
        if simulated is None:
            if event.type == pygame.QUIT and not self._close_asked:
                raise ServerGoneError(SERVER_GONE)
            self._close_asked = self._close_asked and event.type != pygame.QUIT
            return
        if event.type == pygame.QUIT:
            self.closed = True
            return
        name = pygame.key.name(event.key)
        if name == KEYS_KEY and event.type == pygame.KEYDOWN:
            self._set_ui(ui_step(self._ui, CloseOverlay() if self._ui.keys_shown else ShowKeys()), now)
            self._urgent = True
        key = simulated.keys.get(name)
        if key is None:
            return
        if event.type == pygame.KEYDOWN:
            self._keys.press(name, key, now)
        else:
            self._keys.release(name, key, now)

    def _touch(self, position: tuple[int, int], now: float, finger: int) -> None:
        if self._screen is None or not self._tap_filter.accept(position, now):
            return
        # This finger has released its last button, although no event reported it.
        self._release(now, finger, seen=False)
        self._ui_s = now
        self._report_presence(reading=self._reading)
        where = layout(self.surface.get_size(), self._screen)
        if now - self._vanished_s < VANISHED_S and where.play.holds(position):
            return
        mods = pygame.key.get_mods() if self._cabinet.simulate is not None else 0
        ctrl, shift = bool(mods & pygame.KMOD_CTRL), bool(mods & pygame.KMOD_SHIFT)
        found = areas(self._screen, where)
        wish = command_at(found, position, ctrl=ctrl, shift=shift)
        held = None if ctrl or shift else held_at(found, position)
        if held is not None:
            self._long.touch(finger, position, wish, held, now)
            self._mixer.play(Cue.PRESS)
        elif wish is not None:
            self._submit(wish, now, finger)

    def _submit(self, wish: Wish, now: float, finger: int) -> None:
        """Submits a wish; its press shows and sounds at once, whatever the outcome."""
        self._urgent = True
        self._mixer.play(Cue.PRESS)
        if isinstance(wish, Button):
            self._fingers.touch(wish, finger, now)
        if isinstance(wish, UiCommand):
            self._set_ui(ui_step(self._ui, wish), now)
        elif not isinstance(wish, Button) or self._presses.down(wish, self._cabinet.snapshot(), now):
            self._cabinet.put(wish, now)

    def _release(self, now: float, finger: int, *, seen: bool = True) -> None:
        """Handles a finger that went up, wherever it had moved to. Without `seen` no event reported that: its button is
        released without a press."""
        touch = self._long.lift(finger, now)
        if touch is not None and seen and command_at(self._areas(), touch.at) == touch.short:
            self._apply(touch.short, now)
        button = self._fingers.lift(finger, now)
        if button is None:
            return
        self._urgent = True
        if self._presses.up(button, self._cabinet.snapshot(), now) and seen:
            self._cabinet.put(button, now)
        self._cabinet.release(button, now)

    def _areas(self) -> tuple[Area, ...]:
        """Returns every touch area of the screen that was shown last."""
        return () if self._screen is None else areas(self._screen, layout(self.surface.get_size(), self._screen))

    def _apply_long_touches(self, now: float) -> None:
        """Applies the long touches of fingers that are still on a stack."""
        for touch in self._long.due(now):
            if held_at(self._areas(), touch.at) == touch.long:
                self._apply(touch.long, now)

    def _set_ui(self, ui: UiState, now: float) -> None:
        self._ui, self._ui_s = ui, now
        self._mixer.set_volume(ui.volume)
