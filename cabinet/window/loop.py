"""The window and its loop, on the main thread: presses in, the newest value drawn.

Rules: money never waits for pixels, so this loop shares nothing with the cabinet but the port; it sleeps until an
event, news, or the screen's own next change, and draws nothing when nothing changed; a press shows within the next
frame, and long enough to be seen. It looks for events by itself every few milliseconds: SDL's own wait looks every
single one on most drivers, which costs more. No key, gesture or window control leads a player out: the keyboard and the
close button work in a simulated cabinet only. Reads the wall clock; `now` is passed in.
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
from cabinet.window.tap_filter import Taps
from cabinet.window.touches import Fingers

POLL_S: Final = 0.008
"""The longest sleep: so late at most a press, news or a signal is seen; half a frame."""
REFRESH_S: Final = 0.5
"""The screen is asked for anew at least so often, and the display is reported alive."""
KEYS_KEY: Final = "f1"
"""The key that shows the keys of a simulated cabinet, and puts the list away."""
COLLECTED_AT: Final = 50_000
"""So many more things must be there than after the last look of the collector."""
CALM_S: Final = 0.05
"""Assets are prepared only when nothing moves for so long."""
VANISHED_S: Final = 0.5
"""How long after an overlay went away by itself a touch of the table is still taken for one of the overlay."""
MOUSE: Final = -1
"""The mouse among the fingers."""


def spare_collections() -> None:
    """What is there now stays: the collector need not look at it again in the middle of a deal, and what play makes is
    freed without it but for a little, so it comes rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AT)


def release_spared() -> None:
    """The collector looks at everything again, and frees what nobody keeps any more."""
    gc.unfreeze()
    gc.collect()


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOptions:
    """How the window is opened and what its presenter must know. `windowed` None fills the display."""

    settings: Settings
    facts: MachineInfo
    windowed: tuple[int, int] | None = None
    volume: int = 2
    """The loudness at the start and for each new player, 0 to 3."""
    mounting: Mounting = UPRIGHT
    """How the panel and its foil are mounted."""


class WindowLoop:
    """The loop's state. `turn` is one pass of the loop; `handle` and `render_at` are its two halves, for tests too."""

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
        self._beside = FrameWorker("frames")
        self._snapshot: Snapshot | None = None
        self._pointer = Pointer(self.painter.assets)
        self._taps = Taps(surface.get_size())
        self._screen: Screen | None = None
        self._fingers = Fingers()
        self._keys = Keyboard()
        self._holds = Holds()
        self._long = LongTouches()
        self._presses = PressOrHold(options.settings)
        self._unheard = iter(options.facts.languages)
        self._cues = CueTracker()
        self._now_s = self._rendered_s = float("-inf")
        self._woken = self._unseen = self._urgent = False
        """Somebody called `wake`; there may be news that no frame has shown; the next frame is shown at once."""
        self._warm = False
        self._visits = Visits()
        self._ui_s = float("-inf")
        self._vanished_s = float("-inf")
        self._reading = cabinet.snapshot().reading
        """Whether the cabinet believes that a page lies over the table; one of a lost display does not any more."""
        self._close_asked = False
        """True between a window's close button and the wish to quit that comes of it."""
        self.left = False
        """True once the window of a simulated cabinet was closed."""
        mixer.set_volume(self._ui.volume)

    # --- from any thread ----------------------------------------------------------------------------------------

    def wake(self) -> None:
        """There is news, or a button of the panel moved."""
        self._woken = True

    # --- one pass -----------------------------------------------------------------------------------------------

    def turn(self, now: float) -> float:
        """Take what has come, draw what changed, else prepare what comes; returns how long to sleep, in seconds."""
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
            # Showing took its time: how much is left until the next frame is not known here.
            return 0.0
        if left_s <= FRAME_S and self._plan_next(now + left_s):
            return 0.0
        if left_s >= CALM_S and not self._is_warm:
            self._prepare()
            return 0.0
        return min(POLL_S, left_s)

    def _on_wake(self) -> None:
        """What woke the loop: a button that moved is seen at once, news with the next frame."""
        if self._woken:
            self._woken = False
            self._unseen = True
            self._urgent = self._urgent or self._cabinet.held != self._fingers.pushed

    def _plan_next(self, at_s: float) -> bool:
        """Plan the frame of that moment when there is news or a story goes on after a pause; False when nothing was
        left to do for it."""
        if not self._unseen and not (self._screen is not None and self._screen.animating):
            return False
        frame = Frame(self._cabinet.snapshot(), self._ui_at(at_s), at_s)
        if self.frames.is_planned(frame):
            return False
        self.frames.plan(frame)
        return True

    def _present(self, snapshot: Snapshot, ui: UiState, at_s: float) -> Screen:
        """The screen at a moment, with the time of day that it will be then."""
        wall = self._wall() + timedelta(seconds=at_s - self._now_s)
        return present(snapshot, ui, at_s, wall, self._options.settings, self._options.facts)

    @property
    def ui(self) -> UiState:
        """The screen's own state."""
        return self._ui

    @property
    def due_s(self) -> float:
        """When the next frame is shown: at once for a press, otherwise when the screen changes, never sooner than
        `FRAME_S` nor later than `REFRESH_S` after the last."""
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
        """True when nothing is left to prepare; a table of another game has its own."""
        return self._warm and (self._screen is None or self.painter.is_warm(self._screen))

    def _prepare(self) -> None:
        if self._screen is None or self.painter.warm_up(self._screen):
            return
        language = next(self._unheard, None)
        if language is not None:
            Words(language=language, currency=self._options.facts.currency).prepare()
            return
        self._warm = True
        spare_collections()

    # --- out ----------------------------------------------------------------------------------------------------

    def render_at(self, now: float) -> list[pygame.Rect]:
        """Draw, show and sound the cabinet as it is at `now`, or as was planned for about then; returns what was
        drawn."""
        self._woken = self._urgent = self._unseen = False
        self._rendered_s = self._now_s = now
        snapshot = self._cabinet.snapshot()
        if self._visits.left(snapshot.machine, now, self._ui_s) and self._ui != self._fresh_ui:
            self._set_ui(self._fresh_ui, now)
        if snapshot.machine.printing is not None and snapshot is not self._snapshot:
            # A ticket is not left behind a page.
            self._set_ui(ui_step(self._ui, CloseOverlay()), now)
        if self._screen is not None:
            self._apply_holds(self._screen, now)
            self._apply_long_touches(now)
        self._check_panel(now)
        screen, regions = self.frames.paint(self.surface, Frame(snapshot, self._ui_at(now), now))
        self._mark_pages(screen, now)
        self._screen = screen
        if regions:
            self._bring(regions, snapshot)
        self._snapshot = snapshot
        self._sound(snapshot, now)
        self._pointer.follow(screen)
        self._cabinet.frame_done(now)
        return regions

    def _bring(self, regions: list[pygame.Rect], snapshot: Snapshot) -> None:
        """Show what was painted. When the next frame is due right after it, that is planned meanwhile, for when this
        display will take it."""
        shown, at_s = self._transfer(regions), self._rendered_s + self.frames.beat_s
        if self.due_s > at_s + SLACK_S:
            self._show(shown)
            return
        plan = partial(self.frames.plan, Frame(snapshot, self._ui_at(at_s), at_s))
        self._beside.run_while(plan, waiting=partial(self._show, shown))

    def _mark_pages(self, screen: Screen, now: float) -> None:
        """Tell the cabinet of a page that was opened or closed; remember when one went away that nobody closed."""
        was_covered = self._screen is not None and is_covered(self._screen)
        if was_covered and not is_covered(screen) and now - self._ui_s > VANISHED_S:
            self._vanished_s = now
        if is_reading(screen) != self._reading:
            self._attend(reading=is_reading(screen))

    def _attend(self, *, reading: bool) -> None:
        self._reading = reading
        self._cabinet.attended(reading=reading)

    def _apply_holds(self, screen: Screen, now: float) -> None:
        """What buttons do that have been down for a while, here or on the panel."""
        due = self._holds.due(self._fingers.touched | self._cabinet.held, now)
        wishes = [held_wish(button, screen) for button in due if self._take_held(button)]
        for wish in (*wishes, *(tapped_wish(button, screen) for button in self._holds.tapped)):
            self._apply(wish, now)

    def _take_held(self, button: Button) -> bool:
        """Whether a button that is held is no press, neither here nor on the panel."""
        here = button in self._fingers.touched and self._presses.take(button)
        return here or (button in self._cabinet.held and self._cabinet.take_held(button))

    def _apply(self, wish: Wish | None, now: float) -> None:
        """What a button asks for besides what it means; after a choice nothing is pointed at."""
        if isinstance(wish, UiCommand):
            self._attend(reading=self._reading)
            self._set_ui(ui_step(self._ui, wish), now)
        elif wish is not None:
            self._cabinet.put(wish, now)
            self._set_ui(replace(self._ui, choice=None), now)

    def _ui_at(self, at_s: float) -> UiState:
        """The screen's state with every button down that is seen pressed then."""
        return self._fingers.seen(self._ui, at_s)

    def _check_panel(self, now: float) -> None:
        """Buttons of the panel that went down or up since the last frame: heard at once."""
        for _ in self._fingers.update_panel(self._cabinet.held, now):
            self._mixer.play(Cue.PRESS)

    def _sound(self, snapshot: Snapshot, now: float) -> None:
        """What began to be heard since the last frame, and the alarm."""
        for cue in self._cues.cues(snapshot, now, turbo=snapshot.machine.turbo):
            self._mixer.play(cue)
        self._mixer.set_alarm(on=alarm_now(snapshot.machine))

    # --- in -----------------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """What an event means; most mean nothing."""
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                self._touch(self._clicked(event.pos), now, MOUSE)
            case pygame.FINGERDOWN:
                self._pointer.hide()
                point = self._options.mounting.finger(event.x, event.y)
                if point is not None:
                    self._touch(self._pixel(point), now, event.finger_id)
            case pygame.MOUSEBUTTONUP:
                self._let_go(now, MOUSE)
            case pygame.FINGERUP:
                self._let_go(now, event.finger_id)
            case pygame.WINDOWFOCUSLOST | pygame.WINDOWHIDDEN | pygame.WINDOWMINIMIZED:
                for finger in self._fingers.on_buttons:
                    self._let_go(now, finger, seen=False)
            case pygame.WINDOWEXPOSED | pygame.WINDOWSIZECHANGED | pygame.WINDOWRESTORED:
                self.painter.forget()
                self._urgent = True
            case pygame.WINDOWCLOSE:
                self._close_asked = True
            case pygame.KEYDOWN | pygame.KEYUP | pygame.QUIT:
                self._handle_keyboard(event, now)

    def _pixel(self, point: tuple[float, float]) -> tuple[int, int]:
        """The pixel of the picture at a share of its width and height."""
        width, height = self.surface.get_size()
        return min(width - 1, int(point[0] * width)), min(height - 1, int(point[1] * height))

    def _clicked(self, at: tuple[int, int]) -> tuple[int, int]:
        """The pixel of the picture at a pixel of the panel."""
        mounting = self._options.mounting
        if not mounting.rotation:
            return at
        width, height = mounting.picture_size(self.surface.get_size())
        return self._pixel(mounting.in_picture(((at[0] + 0.5) / width, (at[1] + 0.5) / height)))

    def _handle_keyboard(self, event: pygame.event.Event, now: float) -> None:
        """Keyboard and close button: dead on a real cabinet.

        Raises `ServerGoneError` when the display's server ended: SDL tells it as a wish to quit for which no window was
        closed, and then draws on for nobody.
        """
        simulated = self._cabinet.simulate
        if simulated is None:
            if event.type == pygame.QUIT and not self._close_asked:
                raise ServerGoneError(SERVER_GONE)
            self._close_asked = self._close_asked and event.type != pygame.QUIT
            return
        if event.type == pygame.QUIT:
            self.left = True
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
        if self._screen is None or not self._taps.accept(position, now):
            return
        # What this finger held before it has let go of, though nobody has seen it.
        self._let_go(now, finger, seen=False)
        self._ui_s = now
        self._attend(reading=self._reading)
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
        """Pass a wish on; the press is seen and heard at once, whatever comes of it."""
        self._urgent = True
        self._mixer.play(Cue.PRESS)
        if isinstance(wish, Button):
            self._fingers.touch(wish, finger, now)
        if isinstance(wish, UiCommand):
            self._set_ui(ui_step(self._ui, wish), now)
        elif not isinstance(wish, Button) or self._presses.down(wish, self._cabinet.snapshot(), now):
            self._cabinet.put(wish, now)

    def _let_go(self, now: float, finger: int, *, seen: bool = True) -> None:
        """A finger went up, wherever it had moved to; nothing comes of that when nobody has `seen` it."""
        touch = self._long.lift(finger, now)
        if touch is not None and seen and command_at(self._areas(), touch.at) == touch.short:
            self._apply(touch.short, now)
        button = self._fingers.lift(finger, now)
        if button is None:
            return
        self._urgent = True
        if self._presses.up(button, self._cabinet.snapshot(), now) and seen:
            self._cabinet.put(button, now)
        self._cabinet.let_go(button, now)

    def _areas(self) -> tuple[Area, ...]:
        """Everything that can be touched on the screen as it was shown last."""
        return () if self._screen is None else areas(self._screen, layout(self.surface.get_size(), self._screen))

    def _apply_long_touches(self, now: float) -> None:
        """What fingers do that have stayed on a stack, as long as it still is one."""
        for touch in self._long.due(now):
            if held_at(self._areas(), touch.at) == touch.long:
                self._apply(touch.long, now)

    def _set_ui(self, ui: UiState, now: float) -> None:
        self._ui, self._ui_s = ui, now
        self._mixer.set_volume(ui.volume)
