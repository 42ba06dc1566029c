"""A whole simulated cabinet that runs: real threads, real lines, simulated far ends.

with running(folder) as live:
    live.note(2000)
    live.sit("table")
    live.press("bet", "deal")

Nothing here sleeps: it waits for a condition, woken by the cabinet's news, and fails with a sentence after a while.
The simulated devices move at once, so that a test takes as long as the cabinet works and not as long as a motor turns.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cabinet.config.settings import Config
from cabinet.engine.inputs import Button, ChooseGame
from cabinet.engine.locks import find, hand_open
from cabinet.engine.state import LockKind, Machine, Phase
from cabinet.presentation.meanings import next_ready_s
from cabinet.runtime.build import Cabinet, build
from cabinet.runtime.clock import read_wall_ms
from cabinet.runtime.controller import Controller
from cabinet.runtime.inbox import Pressed
from cabinet.runtime.simulated import SimulatedDevices
from drivers.bills.catalog import Timings
from drivers.bills.cctalk.host import CcTalkTiming
from drivers.bills.ebds.host import EbdsTiming
from drivers.bills.ict.host import IctTiming
from drivers.bills.id003.host import Id003Timing
from drivers.bills.ssp.host import SspTiming
from drivers.simulated.note_path import SimulatedAcceptor
from drivers.simulated.ticket_printer import SimulatedTicketPrinter
from drivers.simulated.units import Pace

PATIENCE_S = 60.0
LOOK_EVERY_S = 0.01
SETTLE_S = 1.0
PATIENT = 20.0
"""On a busy machine a simulated printer answers late; that is no fault of the printer."""
IMPATIENT = 0.3
RETRY_S = 0.05
QUICK = Timings(
    cctalk=CcTalkTiming(first_pause_s=RETRY_S, reset_s=RETRY_S, watch_interval_s=0.2, self_check_interval_s=0.2),
    ebds=EbdsTiming(first_pause_s=RETRY_S),
    ict=IctTiming(settle_s=0.3),
    id003=Id003Timing(first_pause_s=RETRY_S),
    ssp=SspTiming(first_pause_s=RETRY_S),
)
"""A simulated acceptor starts at once and needs no rest. How long it may think is not shortened: on a busy machine it
answers late."""
GRACE_S = 0.02
"""Seconds that a line has for its last orders."""
CRAWL = 200
"""Dot lines a second at which a ticket takes seconds."""
LATE_PULSE_S = 1.0
MOST_PRESSES = 60


def wait_for(
    condition: Callable[[], object], seconds: float = PATIENCE_S, *, woken: threading.Event | None = None
) -> bool:
    """Returns True if the condition came true in time; looked at whenever `woken` is set, and every few
    milliseconds."""
    bell = woken or threading.Event()
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= until:
            return False
        bell.wait(LOOK_EVERY_S)
        bell.clear()
    return True


@dataclass(slots=True)
class Live:
    """A running cabinet, and short ways to work it."""

    cabinet: Cabinet
    bell: threading.Event
    machines: list[Machine]
    """Every state that the cabinet reported, oldest first: what passed quickly is in it too."""

    def hear(self) -> None:
        """The cabinet reports something; called in its thread."""
        self.machines.append(self.controller.snapshot().machine)
        self.bell.set()

    @property
    def controller(self) -> Controller:
        """Its thread."""
        return self.cabinet.controller

    @property
    def simulated_devices(self) -> SimulatedDevices:
        """Its devices."""
        assert self.cabinet.simulated_devices is not None
        return self.cabinet.simulated_devices

    @property
    def machine(self) -> Machine:
        """Returns the last published machine."""
        return self.controller.snapshot().machine

    @property
    def credit(self) -> int:
        """The credit in cents."""
        return self.machine.books.credit_cents

    def until(self, condition: Callable[[], object], what: str = "") -> None:
        """Waits until it is so; fails with what was seen instead."""
        if wait_for(condition, woken=self.bell):
            return
        machine = self.machine
        seen = f"phase {machine.phase.value}, credit {self.credit}, locks {[lock.kind.value for lock in machine.locks]}"
        raise AssertionError(f"waited for {what or 'a condition'}; saw {seen}, failure {self.controller.failure!r}")

    def ready(self) -> None:
        """Waits until notes are taken and the printer is up."""
        self.until(lambda: self.controller.snapshot().notes, "notes being taken")
        self.until(lambda: self.machine.printer.ready, "the printer")

    def note(self, cents: int) -> None:
        """Puts a note in and waits for its credit."""
        wanted = self.credit + cents
        self.note_until(cents, lambda: self.credit == wanted, f"a credit of {wanted}")

    def on_its_way(self, cents: int) -> None:
        """Puts a note in until the acceptor moves it into its stacker."""
        self.note_until(cents, lambda: self._phase() == "stacking", "the note being stacked")

    def note_until(self, cents: int, is_so: Callable[[], object], what: str) -> None:
        """Puts a note in and waits until it is so; see `_put_in`."""
        self._put_in(lambda: self.simulated_devices.insert(cents), is_so, what)

    def ticket_until(self, number: str, is_so: Callable[[], object], what: str) -> None:
        """Puts the ticket of this number in and waits until it is so; see `_put_in`."""
        put = self.simulated_devices.unit.put_ticket
        assert put is not None
        self._put_in(lambda: self.simulated_devices.acceptor_line.call(lambda: put(number)), is_so, what)

    def _put_in(self, draw_in: Callable[[], object], is_so: Callable[[], object], what: str) -> None:
        """Puts a note or ticket in; one that comes back without it being so is put in again, as a player would."""
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < until, f"waiting for {what}: the acceptor returns again and again"
            returned = self._returned()
            self.until(draw_in, f"the acceptor drawing in, for {what}")
            heard = len(self.machines)
            self.until(self._came_back_or(is_so, returned), what)
            if not is_so():  # a unit keeps few events for a host that is late: let it hear of this one first
                wait_for(self._more_than(heard), SETTLE_S, woken=self.bell)

    def _phase(self) -> str:
        """The phase of the note or ticket in the acceptor, empty without one; an acceptor on pins returns none."""
        return getattr(self.simulated_devices.acceptor, "phase", "on its way")

    def _returned(self) -> int:
        """How many notes and tickets the acceptor has returned; one on pins returns none that it has drawn in."""
        unit = self.simulated_devices.acceptor
        return len(unit.returned) + len(unit.path.returned_tickets) if isinstance(unit, SimulatedAcceptor) else 0

    def _came_back_or(self, is_so: Callable[[], object], returned: int) -> Callable[[], bool]:
        """Returns the condition that it is so, or that the acceptor has returned more than `returned` and the books
        hold no document in its path. An empty path is not enough: a note can be in the box before the machine with its
        intent is published.
        """
        return lambda: bool(is_so()) or (self._returned() > returned and self.machine.acceptor.in_path is None)

    def touch(self, button: Button) -> None:
        """Touches a button's legend on the screen."""
        self.controller.put(Pressed(wish=button, at_s=time.monotonic()))

    def press(self, *buttons: str) -> None:
        """Press buttons of the panel, one after the other."""
        for button in buttons:
            self.simulated_devices.panel.tap(button)

    def sit(self, game_id: str = "table") -> None:
        """Chooses a game."""
        self.controller.put(Pressed(wish=ChooseGame(game_id=game_id), at_s=time.monotonic()))
        self.until(lambda: self.machine.phase is Phase.BETTING and self.machine.seat.game_id == game_id, game_id)
        self.settle()

    def settle(self) -> None:
        """Waits until every button counts that has come to mean something else."""
        snapshot = self.controller.snapshot
        self.until(
            lambda: next_ready_s(snapshot().meanings, snapshot().open_at_s, time.monotonic()) is None, "the buttons"
        )

    def deal(self) -> None:
        """Bet one chip and deal, again and again, until a hand waits for a decision."""
        for _ in range(MOST_PRESSES):
            number = self.machine.round_number
            self.press("bet", "deal")
            self.until(self._round_after(number), "a new round")
            if self.machine.phase is Phase.INSURANCE:
                self.press("stand")
            self.until(lambda: self.machine.phase in {Phase.DECIDING, Phase.SETTLED}, "a decision or a result")
            if self.machine.phase is Phase.DECIDING:
                return
        raise AssertionError("no hand waited for a decision")

    def stand(self) -> None:
        """Stand until the round is over."""
        for _ in range(MOST_PRESSES):
            if not hand_open(self.machine):
                return
            before = self.machine
            self.press("stand")
            self.until(self._other_than(before), "the hand going on")

    def _round_after(self, number: int) -> Callable[[], bool]:
        return lambda: self.machine.round_number > number

    def _more_than(self, heard: int) -> Callable[[], bool]:
        return lambda: len(self.machines) > heard

    def _other_than(self, before: Machine) -> Callable[[], bool]:
        return lambda: self.machine is not before

    def unplug_while_printing(self) -> None:
        """Cash out and pull the printer's line when some of the ticket is on the paper and some is not."""
        printer, line = self.simulated_devices.printer, self.simulated_devices.printer_line
        assert isinstance(printer, SimulatedTicketPrinter)
        swift = printer.traits
        printer.traits = replace(swift, dot_lines_per_s=CRAWL)
        self.press("cash_out")
        self.until(lambda: line.call(lambda: not printer.page.is_blank), "the ticket being printed")
        self.simulated_devices.do("printer_unplug")
        printer.traits = swift

    def locked(self, kind: LockKind) -> bool:
        """Returns True if there is such a lock."""
        return find(self.machine, kind) is not None


def polled_often(config: Config) -> Config:
    """The settings with an acceptor that is asked for notes as often as may be. One that sends pulses may be late with
    the next: on a busy machine it is."""
    if config.acceptor.protocol == "pulse":
        pulse = replace(config.acceptor.pulse, stuck_s=LATE_PULSE_S, train_end_s=LATE_PULSE_S)
        return replace(config, acceptor=replace(config.acceptor, pulse=pulse))
    return replace(config, acceptor=replace(config.acceptor, poll_interval_s=0.02))


@contextmanager
def running(
    folder: Path,
    config: Config | None = None,
    *,
    human_pace: bool = False,
    begin: bool = True,
    wall_ms: Callable[[], int] = read_wall_ms,
    confirmed: Callable[[], bool] = lambda: False,
    printer_patience: float = PATIENT,
    acceptor_timings: Timings = QUICK,
    pump_grace_s: float = GRACE_S,
) -> Iterator[Live]:
    """A simulated cabinet on this folder. Started, seen, and ready to take money, unless `begin` is False. `confirmed`:
    whether a time server confirms the time of day. `printer_patience` is IMPATIENT where a test waits until the silence
    of a printer counts. `acceptor_timings` are the waits for the acceptor,
    `pump_grace_s` is the time that each line has for its last orders."""
    cabinet = build(
        polled_often(config or Config()),
        folder,
        simulate=True,
        human_pace=human_pace,
        wall_ms=wall_ms,
        confirmed=confirmed,
        pace=Pace.INSTANT,
        printer_patience=printer_patience,
        acceptor_timings=acceptor_timings,
        pump_grace_s=pump_grace_s,
    )
    live = Live(cabinet=cabinet, bell=threading.Event(), machines=[])
    cabinet.controller.on_snapshot(live.hear)
    try:
        if begin:
            cabinet.start()
            if human_pace:
                cabinet.controller.frame_done(time.monotonic())
            live.ready()
        yield live
    finally:
        cabinet.stop()
