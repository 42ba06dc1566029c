"""The cabinet's own thread: input, step, commit, act, publish. No other code moves money.

Rules:
- While this thread runs, it is the only user of the journal and the only writer of the machine. `start` commits before
  it, on the thread that builds; the end of the run is recorded after it.
- Effects of an input, and the confirmation of a device's event, follow only after the commit has returned.
- An animation begins when its snapshot is published, however long the commit took. A press during an animation only
  skips it. A press made before its player could see the round does nothing.
- If a commit fails, no effect follows: the controller inhibits the acceptor and the program ends, to start from disk.

It reads the clocks and passes them on as `now`.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from queue import Empty, SimpleQueue

from cabinet.attendant.pages import PageTouch
from cabinet.booklet.value import booklet, to_plain
from cabinet.engine import machine as engine
from cabinet.engine import play
from cabinet.engine.effects import Event, PrintTicket, Refused
from cabinet.engine.inputs import (
    Button,
    Command,
    DoorClosed,
    DoorOpened,
    Fact,
    Fault,
    FaultBegan,
    FaultEnded,
    HandAbandoned,
    Key,
    KeyTurned,
    PlayerLeft,
    PoweredDown,
)
from cabinet.engine.state import State
from cabinet.engine.step import Step
from cabinet.engine.ticket_facts import TicketOffered
from cabinet.presentation.gate import SkipAnimation, accept
from cabinet.presentation.meanings import next_ready_s
from cabinet.presentation.snapshot import (
    Snapshot,
    is_open,
    lift,
    lit_now,
    next_snapshot,
    push,
    skip_animation,
    unready_now,
    with_page_open,
)
from cabinet.runtime.attendant import AttendantSession
from cabinet.runtime.button_watch import ButtonWatch
from cabinet.runtime.dependencies import Dependencies
from cabinet.runtime.inbox import Asked, AtScreen, Framed, Item, LetGo, Pressed, PumpFailed, Woken
from cabinet.runtime.print_queue import PrintQueue
from cabinet.runtime.questions import Questions
from cabinet.runtime.translate import (
    BUTTON_OF_INPUT,
    LAMPS,
    PERSON_PRESENT,
    bill_facts,
    bill_order,
    door_or_key_fact,
    printer_facts,
    take_now,
    tower_of,
)
from cabinet.runtime.watchdog import FRAME, STORE, Health, Watchdog, name_line
from cabinet.store import reports
from cabinet.store.errors import StoreError
from cabinet.store.journal import Stamp
from cabinet.store.record import confirms_time
from cabinet.store.tickets import look_up
from drivers.bills import events as bills
from drivers.panel.debounce import Change
from drivers.panel.layout import Tower
from drivers.printers import document as printer
from drivers.protocol import Confirm
from drivers.pump import Pump

_log = logging.getLogger(__name__)

IDLE_STATES = frozenset({State.CHOOSING, State.BETTING, State.SETTLED})
LONGEST_SLEEP_S = 0.5
IN_FLIGHT_S = 5.0
"""How long shutdown waits for a note or ticket in flight, in seconds; its intent is durable."""


class Controller:
    """The cabinet's thread. Build it, attach the pumps, `start`, and read `snapshot`."""

    def __init__(self, deps: Dependencies, watchdog: Watchdog, health: Health) -> None:
        """Begins with the journal's machine, or with a new machine."""
        self._deps = deps
        self._watchdog = watchdog
        self._health = health
        self._inbox: SimpleQueue[Item] = SimpleQueue()
        self._buttons = ButtonWatch(deps.settings, (BUTTON_OF_INPUT[name] for name in deps.panel.stuck_at_start))
        self._machine = deps.journal.machine or engine.starting(deps.settings)
        self._acceptor: Pump[bills.BillEvent, bills.BillOrder] | None = None
        self._printer: Pump[printer.PrinterEvent, printer.PrintOrder] | None = None
        self._started: bills.Started | None = None
        self._taking = bills.TAKE_NOTHING
        self._seen = not deps.human_pace
        """True once the screen has shown a frame; before that, no note is taken. Autoplay has no screen."""
        self._acceptor_faults: frozenset[Fault] = frozenset()
        self._pages = PrintQueue(self._order_print)
        self._questions = Questions(lambda: to_plain(booklet(deps.data(self._machine))))
        self._attendant = AttendantSession(deps, self._pages, lambda input_: self._step(input_, time.monotonic()))
        self._touched_s = 0.0
        self._abandoned = False
        """True if the attendant was called to the open hand since the last touch of the machine."""
        self._lamps_shown: tuple[object, object] | None = None
        self._listeners: list[Callable[[], None]] = []
        self._stopping = threading.Event()
        self._leave_at_s = float("inf")
        self._thread = threading.Thread(target=self._run, name="cabinet", daemon=True)
        self.failure: BaseException | None = None
        self.last_alive = float("-inf")
        """When the last finished turn began, monotonic seconds; minus infinity before the first."""
        self._snapshot = self._snapshot_after(None, (), time.monotonic())

    # --- for other threads --------------------------------------------------------------------------------------

    def attach(
        self,
        acceptor: Pump[bills.BillEvent, bills.BillOrder],
        printing: Pump[printer.PrinterEvent, printer.PrintOrder],
    ) -> None:
        """Connects the two lines; call it before `start`."""
        self._acceptor, self._printer = acceptor, printing

    def put(self, item: Item) -> None:
        """Puts an item into the queue; any thread may call it."""
        self._inbox.put(item)

    def pump_failed(self, error: BaseException) -> None:
        """Reports a fault of the program in a pump; the cabinet goes down and restarts."""
        self._inbox.put(PumpFailed(error=error))

    def wake(self) -> None:
        """Makes the thread poll the panel now; quick, for any thread. The screen shows a press even during a commit."""
        self._inbox.put(Woken())
        self._notify_listeners()

    def attended(self, *, reading: bool) -> None:
        """Reports a player at the screen; `reading` while a page covers the table."""
        self._inbox.put(AtScreen(reading=reading))

    @property
    def held(self) -> frozenset[Button]:
        """Returns the buttons of the panel that are down."""
        return frozenset(BUTTON_OF_INPUT[name] for name in self._deps.panel.down)

    def take_held(self, button: Button) -> bool:
        """Takes a held button of the panel for its second meaning: its release is then no press. False if it has
        counted as a press already, or was down before the start."""
        return self._buttons.take(button)

    def snapshot(self) -> Snapshot:
        """Returns the newest value for the screen."""
        return self._snapshot

    def on_snapshot(self, listener: Callable[[], None]) -> None:
        """Adds a listener for each new snapshot and each button change; it must be quick and runs on any thread."""
        self._listeners.append(listener)

    def frame_done(self, now_s: float) -> None:
        """Reports that the screen has shown a frame; the cabinet takes notes only after the first."""
        self._health.beat(FRAME, now_s)
        if not self._seen:
            self._inbox.put(Framed())

    def start(self) -> None:
        """Commits the facts of the time while it was off, then starts the thread. Raises what the commits raise."""
        now = time.monotonic()
        self._touch(now)
        for fact in self._deps.facts:
            self._step(fact, now)
        self._deps.acknowledge()
        self._run_housekeeping(now)
        self._read_contacts(now)
        self._thread.start()

    def stop(self, timeout_s: float = 8.0) -> bool:
        """Waits `IN_FLIGHT_S` for notes and tickets, inhibits, commits, ends the thread. True if it ended in time."""
        self._leave_at_s = time.monotonic() + IN_FLIGHT_S
        self._stopping.set()
        self.wake()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
        if self._thread.is_alive() and self._acceptor is not None:
            self._acceptor.order(bills.TAKE_NOTHING)
        return not self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """True while the cabinet goes down, and after."""
        return self._stopping.is_set() or self.failure is not None

    # --- the loop -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._may_end():
                self._turn()
            self._step(PoweredDown(), time.monotonic())
        except BaseException as error:  # noqa: BLE001 - every error is kept and logged, then inhibits
            _log.critical("the cabinet goes down: %s", error, exc_info=not isinstance(error, StoreError))
            self.failure = error
        finally:
            self._order_notes(bills.TAKE_NOTHING)
            self._notify_listeners()

    def _may_end(self) -> bool:
        in_flight = self._machine.acceptor.in_path is not None or self._machine.printer.printing is not None
        return self._stopping.is_set() and (not in_flight or time.monotonic() >= self._leave_at_s)

    def _turn(self) -> None:
        item = self._next_item(time.monotonic())
        now = time.monotonic()
        if item is not None:
            self._handle(item, now)
        for change in self._deps.panel.poll(now):
            if change.name in BUTTON_OF_INPUT:
                self._on_button(BUTTON_OF_INPUT[change.name], change, time.monotonic())
            elif (fact := door_or_key_fact(change.name, active=change.active)) is not None:
                self._touch(now)
                self._step(fact, now)
                if isinstance(fact, DoorClosed):
                    self._step_all(self._deps.housekeeping.door_closed(), now)
        self._run_housekeeping(now)
        self._check_idle(now)
        self._show_outside(now)
        if now >= self._questions.due_s(self._machine, self._snapshot):
            self._questions.answer_one(self._deps.journal.connection, self._deps.journal.seq)
        if self._attendant.work():
            self._publish(self._snapshot_after(self._snapshot, (), now))
        self._beat(now)

    def _next_item(self, now: float) -> Item | None:
        until = [self._deps.panel.due(), self._questions.due_s(self._machine, self._snapshot), now + LONGEST_SLEEP_S]
        until.append(self._attendant.due_s(now))
        if not is_open(self._snapshot, now):
            until.append(self._snapshot.open_at_s)
        if (ready_at_s := next_ready_s(self._snapshot.meanings, self._snapshot.open_at_s, now)) is not None:
            until.append(ready_at_s)
        try:
            return self._inbox.get(timeout=max(0.0, min(until) - now))
        except Empty:
            return None

    def _handle(self, item: Item, now: float) -> None:
        match item:
            case Pressed(wish=wish, at_s=at_s):
                self._press(wish, now, at_s)
            case LetGo(button=button, at_s=at_s):
                self._lift(button, at_s)
            case Woken():
                pass
            case Framed():
                self._seen = True
            case AtScreen(reading=reading):
                self._touch(now)
                self._publish(with_page_open(self._snapshot, reading=reading))
            case PumpFailed():
                raise item.error
            case Asked():
                self._questions.add(item, now)
            case _ if isinstance(item, printer.PrinterEvent):
                self._on_printer_event(item, now)
            case _ if isinstance(item, bills.BillEvent):
                self._on_acceptor_event(item, now)
            case _:
                self._step(item, now)

    # --- people -------------------------------------------------------------------------------------------------

    def _on_button(self, button: Button, change: Change, now: float) -> None:
        """Applies a change of a panel button; its press counts on the way down or on release."""
        self._touch(now)
        counts = self._buttons.press if change.active else self._buttons.release
        counted = counts(button, self._snapshot, change.at_s)
        if not change.active:
            self._lift(button, change.at_s)
        if counted:
            self._press(button, now, change.at_s)

    def _lift(self, button: Button, at_s: float) -> None:
        """Applies a release, on the panel or on the screen."""
        if (snapshot := lift(self._snapshot, button, at_s)) is not self._snapshot:
            self._publish(snapshot)

    def _press(self, wish: Button | Command | PageTouch, now: float, at_s: float) -> None:
        """Applies an input of a person: the command of the state or, in the attendant's menu, a move. A touch of the
        attendant's page counts from the moment at which the buttons do."""
        self._touch(now)
        audit = engine.state_of(self._machine) is State.AUDIT
        if not isinstance(wish, PageTouch) and not (audit and isinstance(wish, Button)):
            self._wish(wish, now, at_s)
        elif audit and (wish if isinstance(wish, Button) else Button.DEAL) not in unready_now(self._snapshot, at_s):
            self._attendant.press(wish, self._machine, at_s)
            self._publish(self._snapshot_after(self._snapshot, (), now))

    def _wish(self, wish: Button | Command, now: float, at_s: float) -> None:
        """Applies a player's input: a step, a skipped animation, or nothing."""
        command = accept(self._deps.settings, self._snapshot, wish, now, pressed_at_s=at_s)
        button = wish if isinstance(wish, Button) else None
        if isinstance(command, SkipAnimation):
            snapshot = self._snapshot if button is None else push(self._snapshot, button, now, down=self._buttons.down)
            self._publish(skip_animation(snapshot, now))
        elif command is not None:
            self._step(command, now, by=button)

    def _touch(self, now: float) -> None:
        """Records that a person is present."""
        self._touched_s, self._abandoned = now, False

    # --- devices ------------------------------------------------------------------------------------------------

    def _on_acceptor_event(self, event: bills.BillEvent, now: float) -> None:
        if isinstance(event, bills.Started):
            self._started = event
        elif isinstance(event, PERSON_PRESENT):
            self._touch(now)
        for fact in bill_facts(event, self._acceptor_faults, partial(self._look_up, now)):
            if isinstance(fact, FaultBegan):
                self._acceptor_faults |= {fact.fault}
            elif isinstance(fact, FaultEnded):
                self._acceptor_faults -= {fact.fault}
            self._step(fact, now)
        if isinstance(event, bills.Stacked | bills.TicketStacked) and event.receipt is not None and self._acceptor:
            self._acceptor.order(Confirm(receipt=event.receipt))

    def _look_up(self, now: float, number: str) -> TicketOffered:
        """Returns the journal's record of a ticket."""
        stamp = self._stamp(now)
        return look_up(self._deps.journal.connection, number, stamp.wall_ms if stamp.clock_ok else 0)

    def _on_printer_event(self, event: printer.PrinterEvent, now: float) -> None:
        for fact in printer_facts(event, self._machine.faults):
            self._step(fact, now)
        if isinstance(event, printer.PrinterStatus) and event.ticket_waits is not self._snapshot.ticket_waits:
            self._publish(replace(self._snapshot, number=self._snapshot.number + 1, ticket_waits=event.ticket_waits))
        words = self._pages.on_event(event)
        if words is not None and engine.state_of(self._machine) is State.AUDIT:
            self._attendant.show_outcome(words)
            self._publish(self._snapshot_after(self._snapshot, (), now))

    def _read_contacts(self, now: float) -> None:
        """Applies the positions of doors and keys at the start.

        A reset key already turned at the start is ignored. A door that was shut at the end of the last run and is open
        now was opened while the machine was off.
        """
        for name, active in self._deps.panel.settle().items():
            fact = door_or_key_fact(name, active=active)
            if isinstance(fact, DoorOpened):
                fact = replace(fact, while_off=self._deps.boot > 1)
            if fact is not None and fact != KeyTurned(key=Key.RESET, on=True):
                self._step(fact, now)

    def _run_housekeeping(self, now: float) -> None:
        """Applies the facts of stuck buttons and of `Housekeeping`."""
        self._step_all(self._buttons.facts(self._machine, now), now)
        self._step_all(self._deps.housekeeping.facts(self._machine, now), now)

    def _step_all(self, facts: Iterable[Command | Fact], now: float) -> None:
        for fact in facts:
            self._step(fact, now)

    # --- one step -----------------------------------------------------------------------------------------------

    def _step(self, input_: Command | Fact, now: float, *, by: Button | None = None) -> None:
        """Steps, commits, acts, publishes. A step without a change is not committed; only its refusals are published.
        `by` is the button of the press."""
        deps = self._deps
        draw = deps.draws(play.decks_in_play(deps.settings, self._machine))
        step = engine.step(deps.settings, self._machine, input_, draw)
        if step.machine == self._machine and not step.effects and all(isinstance(e, Refused) for e in step.events):
            if step.events:
                self._publish(self._snapshot_after(self._snapshot, step.events, now))
            return
        stamp = self._stamp(now, confirmed=confirms_time(step.events))
        if first := deps.housekeeping.commit(input_, step, stamp, now):
            self._step_all((*first, input_), now)
            return
        attended, self._machine = engine.state_of(self._machine) is State.AUDIT, step.machine
        deps.publish(step.machine, step.events, stamp.wall_ms)
        self._pages.want(step.machine.printer.printing.sequence if step.machine.printer.printing else None)
        self._attendant.follow(step.events, within=attended and engine.state_of(step.machine) is State.AUDIT)
        self._act(step, stamp)
        self._publish(self._snapshot_after(self._snapshot, step.events, time.monotonic(), by=by))

    def _stamp(self, now: float, *, confirmed: bool = False) -> Stamp:
        clock = self._deps.housekeeping.clock
        wall_ms = clock.wall_ms()
        believed = confirmed or clock.ok(wall_ms, now)
        return Stamp(boot=self._deps.boot, wall_ms=wall_ms, mono_ms=int(now * 1000), clock_ok=believed)

    def _act(self, step: Step, stamp: Stamp) -> None:
        for effect in step.effects:
            order = bill_order(effect)
            if order is not None and self._acceptor is not None:
                self._acceptor.order(order)
            elif isinstance(effect, PrintTicket):
                self._pages.put(printer.Print(job=effect.sequence, document=self._page_of(effect, stamp)))

    def _page_of(self, effect: PrintTicket, stamp: Stamp) -> printer.Document:
        """Returns the ticket with the time of its first issue, from which its expiry counts, also on a duplicate."""
        issued = reports.ticket_issued(self._deps.journal.connection, effect.sequence)
        wall_ms, clock_ok = issued or (stamp.wall_ms, stamp.clock_ok)
        moment = datetime.fromtimestamp(wall_ms / 1_000, tz=UTC).astimezone()
        return self._deps.ticket(effect, moment, clock_trusted=clock_ok)

    def _order_print(self, order: printer.Print) -> None:
        if self._printer is not None:
            self._printer.order(order)

    # --- what others see ----------------------------------------------------------------------------------------

    def _snapshot_after(
        self, old: Snapshot | None, events: tuple[Event, ...], now: float, *, by: Button | None = None
    ) -> Snapshot:
        machine, settings = self._machine, self._deps.settings
        audit = engine.state_of(machine) is State.AUDIT
        lit = self._attendant.lit(machine) if audit else engine.lit(settings, machine)
        page = self._attendant.page(machine) if audit else None
        snapshot = next_snapshot(
            old,
            machine=machine,
            events=events,
            lit=lit,
            notes=bool(self._taking.channels),
            attendant=page,
            now_s=now,
            settings=settings if self._deps.human_pace else None,
            by=by,
            down=self._buttons.down,
        )
        return snapshot if self._deps.human_pace else replace(snapshot, open_at_s=min(snapshot.open_at_s, now))

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._notify_listeners()

    def _notify_listeners(self) -> None:
        for listener in self._listeners:
            listener()

    def _show_outside(self, now: float) -> None:
        """Sets lamps, tower light and the acceptor's inhibit from the machine."""
        lit = frozenset(LAMPS[button] for button in lit_now(self._snapshot, now))
        audit = engine.state_of(self._machine) is State.AUDIT
        tower = frozenset(Tower) if audit and self._attendant.testing else tower_of(self._machine)
        if (lit, tower) != self._lamps_shown:
            self._deps.panel.show(lit, tower)
            self._lamps_shown = (lit, tower)
        deps = self._deps
        wanted = take_now(deps.settings, self._machine, self._started, deps.currency, escrow=deps.escrow)
        self._order_notes(wanted if self._seen and not self.stopping else bills.TAKE_NOTHING)

    def _order_notes(self, take: bills.Take) -> None:
        if take != self._taking and self._acceptor is not None:
            self._acceptor.order(take)
            self._taking = take
            self._publish(replace(self._snapshot, number=self._snapshot.number + 1, notes=bool(take.channels)))

    def _check_idle(self, now: float) -> None:
        """After an idle time, starts the attract mode, or calls the attendant to an abandoned hand."""
        state, idle_s = engine.state_of(self._machine), now - self._touched_s
        if state in {State.INSURANCE, State.DECIDING}:
            if idle_s >= self._deps.abandoned_after_s and not self._abandoned:
                self._abandoned = True
                self._step(HandAbandoned(), now)
        elif idle_s >= self._deps.attract_after_s and state in IDLE_STATES:
            self._touched_s = now
            self._step(PlayerLeft(), now)

    def _beat(self, began_s: float) -> None:
        self._deps.journal.check_files()
        self.last_alive = began_s
        self._health.beat(STORE, began_s)
        for pump in (self._acceptor, self._printer):
            if pump is not None:
                self._health.beat(name_line(pump.name), pump.last_alive)
        if complaint := self._watchdog.tick(self._health, time.monotonic()):
            _log.error("watchdog not fed: %s", complaint)
