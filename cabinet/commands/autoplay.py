"""Autoplay: notes go in over the wire, presses come from the pins, a ticket comes out.

The player has only what a real player has (lit lamps on the pins, the snapshot of the screen). It settles locks with
the attendant's keys. Choices follow a simple strategy, so that a run is readable; only the cards are random. Play
continues from the state of an earlier run (credit, an open hand, a lock).
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cabinet.engine import blackjack
from cabinet.engine.cards import total_of, value_of
from cabinet.engine.ledger import Account
from cabinet.engine.locks import LOCKS
from cabinet.engine.round import Hand, Round
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import Lock, LockKind, Machine, Phase
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.build import Cabinet
from cabinet.runtime.simulated import SimulatedDevices
from cabinet.store.reading import find_books, find_fact
from cabinet.store.verify import Verdict, verify

ROUNDS_WITHOUT_NEWS = 80
"""Turns of every part of the cabinet without a new snapshot that end a wait. Seconds do not count, because a slow
machine does little in one. On a quick machine a turn takes a quarter of a second."""
ROUNDS_AT_MOST = 20 * ROUNDS_WITHOUT_NEWS
STILL_S = 300.0
"""Seconds without a turn of the controller after which the run ends: the program hangs."""
REFILL_CENTS = 10_000
PLAYED_ALONE = "played_alone"
"""The fact in a journal that autoplay has begun it."""
HAND_PHASES = frozenset({Phase.INSURANCE, Phase.DECIDING})
ONE_TURN = frozenset({LockKind.LARGE_WIN, LockKind.HAND_PAY})
"""Locks that one turn of the reset key settles; every other one is looked up in the attendant's menu."""


class AutoplayError(Exception):
    """The cabinet did not react as a player may expect; the message says what was expected and what was seen."""


@dataclass(slots=True, kw_only=True)
class Report:
    """The result of a run, in cents."""

    rounds: int = 0
    inserted: int = 0
    wagered: int = 0
    paid: int = 0
    ticket: str | None = None
    balanced: bool = False
    screens: list[str] = field(default_factory=list)
    verdict: Verdict | None = None

    def as_json(self) -> dict[str, Any]:
        """Returns the report as plain data; the keys are an interface."""
        return {
            "rounds": self.rounds,
            "inserted": self.inserted,
            "wagered": self.wagered,
            "paid": self.paid,
            "ticket": self.ticket,
            "balanced": self.balanced,
            "screens": self.screens,
        }


@dataclass(slots=True, kw_only=True)
class Patience:
    """Decides how long to wait, by the turns of the parts; each part reports when it was last alive."""

    alive: tuple[float, ...]
    """When each part was last alive at the end of the last round: in a round every part has had a turn."""
    number: int
    """The number of the newest snapshot."""
    moved_s: float
    """When the last round ended."""
    rounds: int = 0
    since_snapshot: int = 0

    def note(self, alive: tuple[float, ...], number: int, now: float) -> None:
        """Records the present state."""
        if number != self.number:
            self.number, self.since_snapshot = number, 0
        if all(is_now > was for is_now, was in zip(alive, self.alive, strict=True)):
            self.alive, self.moved_s = alive, now
            self.rounds += 1
            self.since_snapshot += 1

    def spent(self, now: float) -> str | None:
        """Returns why waiting is useless; None while it is not."""
        if self.since_snapshot >= ROUNDS_WITHOUT_NEWS:
            return f"{self.since_snapshot} turns of every part without news"
        if self.rounds >= ROUNDS_AT_MOST:
            return f"{self.rounds} turns of every part"
        if now - self.moved_s >= STILL_S:
            return f"{STILL_S:.0f} s in which some part had no turn"
        return None


class Player:
    """A player at a simulated cabinet. `show` receives a name and the snapshot of each new screen."""

    def __init__(
        self, cabinet: Cabinet, simulated_devices: SimulatedDevices, show: Callable[[str, Snapshot], None]
    ) -> None:
        """Takes a started cabinet."""
        self._controller = cabinet.controller
        self._pumps = cabinet.pumps
        self._settings = cabinet.config.settings()
        self._simulated_devices = simulated_devices
        self._show = show
        self._seen: set[str] = set()
        self._changed = threading.Event()
        cabinet.controller.on_snapshot(self._changed.set)

    @property
    def machine(self) -> Machine:
        """Returns the machine of the newest snapshot."""
        return self._controller.snapshot().machine

    def wait_for(self, what: str, met: Callable[[], bool]) -> None:
        """Waits until a condition is met. Raises AutoplayError after enough turns of the cabinet, or when it has none
        any more."""
        patience = Patience(alive=self._alive(), number=self._controller.snapshot().number, moved_s=time.monotonic())
        while not met():
            if self._controller.failure is not None:
                raise AutoplayError(f"the cabinet went down: {self._controller.failure}") from self._controller.failure
            now = time.monotonic()
            patience.note(self._alive(), self._controller.snapshot().number, now)
            if spent := patience.spent(now):
                machine = self.machine
                locks = ", ".join(lock.kind.value for lock in machine.locks) or "none"
                raise AutoplayError(f"waited {spent} for {what}; the cabinet is {machine.phase.value}, locks: {locks}")
            self._changed.wait(0.02)
            self._changed.clear()

    def _alive(self) -> tuple[float, ...]:
        """Returns when the cabinet's thread and its lines were last alive."""
        return (self._controller.last_alive, *(pump.last_alive for pump in self._pumps))

    def sight(self, name: str) -> None:
        """Passes the screen to `show`, once per name."""
        if name not in self._seen:
            self._seen.add(name)
            self._show(name, self._controller.snapshot())

    def tap(self, button: str) -> None:
        """Presses a button on the pins and waits for the cabinet's reaction."""
        before = self._controller.snapshot().number
        self._simulated_devices.panel.tap(button)
        self.wait_for(f"an answer to {button}", lambda: self._controller.snapshot().number > before)

    def lit(self, button: str) -> bool:
        """Returns True if the pins light a lamp."""
        return any(lamp.value == button for lamp in self._simulated_devices.panel.lamps())

    def refill(self, cents: int = REFILL_CENTS) -> None:
        """Puts in the largest note up to `cents` that the cabinet accepts, unless the credit is at its limit."""
        room = self._settings.credit_limit_cents - self.machine.books.credit_cents
        fitting = set(self._simulated_devices.notes_cents) & set(self._settings.notes_cents)
        note = max((note for note in fitting if note <= min(cents, room)), default=None)
        if note is None:
            return
        before = self.machine.books.meter("bills_in")
        self.wait_for("the acceptor to draw a note in", lambda: self._simulated_devices.insert(note))
        self.wait_for("the note to be credit", lambda: self.machine.books.meter("bills_in") >= before + note)

    # --- the attendant ------------------------------------------------------------------------------------------

    def see_attendant(self) -> None:
        """Settles every lock, one after the other; waits for the end of a lock that clears by itself."""
        while stopping := [lock for lock in self.machine.locks if _stops(lock)]:
            self.sight(stopping[0].kind.value.replace(" ", "-"))
            lock = next((each for each in stopping if settlements_of(self.machine, each)), None)
            if lock is None:
                self._wait_for_end(stopping[0])
            elif lock.kind in ONE_TURN:
                self._turn("reset_key", lock)
            else:
                self._settle_in_menu(lock)

    def _wait_for_end(self, lock: Lock) -> None:
        self.wait_for(f"an end of: {lock.kind.value}", lambda: not self._has(lock.lock_id))

    def _has(self, lock_id: int) -> bool:
        return any(lock.lock_id == lock_id for lock in self.machine.locks)

    def _turn(self, key: str, lock: Lock) -> None:
        self._simulated_devices.panel.turn_key(key, on=True)
        self.wait_for(f"the key to settle: {lock.kind.value}", lambda: not self._has(lock.lock_id))
        self._simulated_devices.panel.turn_key(key, on=False)

    def _settle_in_menu(self, lock: Lock) -> None:
        """Opens the locks in the menu, goes to the lock, chooses its first answer, and confirms."""
        down = self.machine.locks.index(lock)
        self._open_menu()
        for button in ("deal", *("bet",) * down, "deal", "deal", "bet", "deal"):
            self.tap(button)
        self.wait_for(f"the menu to settle: {lock.kind.value}", lambda: not self._has(lock.lock_id))
        self._close_menu()

    def visit_attendant(self) -> None:
        """Turns the audit key, views the first page, and turns the key back."""
        self._open_menu()
        self.sight("attendant")
        self._close_menu()

    def _open_menu(self) -> None:
        self._simulated_devices.panel.turn_key("audit_key", on=True)
        self.wait_for("the attendant's menu", lambda: self._controller.snapshot().attendant is not None)

    def _close_menu(self) -> None:
        self._simulated_devices.panel.turn_key("audit_key", on=False)
        self.wait_for("the menu to close", lambda: self._controller.snapshot().attendant is None)

    # --- playing ------------------------------------------------------------------------------------------------

    def arrive(self) -> None:
        """Waits until the devices are ready, settles the locks of an earlier run and finishes its hand."""
        self.wait_for("the acceptor and the printer", lambda: _is_ready(self.machine))
        self.see_attendant()
        self._finish_round(0)

    def sit_down(self, game_id: str) -> None:
        """Goes to a table."""
        if self.machine.attract:
            self.tap("deal")
        if self.machine.phase is not Phase.CHOOSING and len(self._settings.tables) == 1:
            return
        while self.machine.phase is not Phase.CHOOSING:
            self.tap("clear")
        self.sight("choice")
        while self.machine.seat.game_id != game_id:
            self.tap("place")
        self.tap("deal")
        self.wait_for("a table", lambda: self.machine.phase is Phase.BETTING)
        self.sight(f"{game_id}-table")

    def play_round(self, number: int) -> None:
        """Plays one round: bets, decisions, result."""
        game_id = self.machine.seat.game_id
        if self.machine.books.credit_cents < REFILL_CENTS:
            self.refill()
        self._place_bets(number)
        self.sight(f"{game_id}-bets")
        before = self.machine.round_number
        self.tap("deal")
        self.wait_for("the deal", lambda: self.machine.round_number == before + 1)
        self._finish_round(number)
        self.sight(f"{game_id}-result")

    def _finish_round(self, number: int) -> None:
        """Decides every hand; calls the attendant for a large win, or for a lock that interrupts the hand."""
        while self.machine.phase in HAND_PHASES:
            self.see_attendant()
            self.sight(f"{self.machine.seat.game_id}-{self.machine.phase.value}")
            self.tap(self._choice(number))
        self.see_attendant()

    def _place_bets(self, number: int) -> None:
        """Rebets in every fourth round; otherwise places chips, on more places as the rounds go by."""
        if number % 4 == 3 and self.lit("rebet"):
            self.tap("rebet")
            return
        self.tap("bet")
        for _ in range(number % 3):
            if self.lit("place"):
                self.tap("place")
            if self.lit("bet"):
                self.tap("bet")
        if number % 5 == 4 and self.lit("double"):
            self.tap("double")

    def _choice(self, number: int) -> str:
        """Returns the button of the simple strategy, among the lit ones."""
        round_ = self.machine.round
        if round_ is None or round_.turn is None or self.machine.phase is Phase.INSURANCE:
            return "hit" if number % 3 == 0 and self.lit("hit") else "stand"
        for button in wishes(round_):
            if self.lit(button):
                return button
        return "stand"

    def cash_out(self) -> bool:
        """Cashes out if there is credit, and takes the ticket; returns False without credit."""
        cents = self.machine.books.credit_cents
        if not cents:
            return False
        before = self.machine.shown.paid_out_total_cents
        self.tap("cash_out")
        self.sight("printing")
        self.wait_for("the ticket", lambda: self.machine.printer.printing is None)
        self.see_attendant()
        self.wait_for("the payment", lambda: self.machine.shown.paid_out_total_cents == before + cents)
        self.sight("paid")
        return True


def _is_ready(machine: Machine) -> bool:
    return machine.acceptor.ready and machine.printer.ready


def _stops(lock: Lock) -> bool:
    rule = LOCKS[lock.kind]
    return rule.stops_play or rule.stops_notes or rule.stops_cash_out


def wishes(round_: Round) -> tuple[str, ...]:
    """Returns the buttons of the simple strategy, best first."""
    place, hand = round_.turn or (0, 0)
    cards = round_.places[place].hands[hand]
    up = value_of(blackjack.upcard(round_))
    points, soft = total_of(cards.cards)
    if _is_pair_to_split(cards, round_):
        return ("split", "hit", "stand")
    if not soft and points in {10, 11} and up != 1:
        return ("double", "hit", "stand")
    stands = points >= 18 if soft else points >= 17 or (points >= 12 and 2 <= up <= 6)
    return ("stand",) if stands else ("hit", "stand")


def _is_pair_to_split(hand: Hand, round_: Round) -> bool:
    return blackjack.is_pair(round_.rules, hand) and value_of(hand.cards[0]) in {1, 8}


def refuse_books_of_players(data: Path) -> None:
    """Raises AutoplayError when the books in the folder were not begun by autoplay: they may hold a player's rounds.
    Raises StoreError when they cannot be read."""
    if find_fact(data, PLAYED_ALONE) is None and find_books(data).rows:
        raise AutoplayError(
            f"{data} has books that autoplay has not begun; they may be those of a player. Expected an empty folder or "
            "one that autoplay has begun; give another --data"
        )


def play(
    cabinet: Cabinet,
    data: Path,
    *,
    rounds: int,
    show: Callable[[str, Snapshot], None],
    progress: Callable[[int], None],
) -> Report:
    """Plays rounds over all games, cashes out, stops the cabinet and checks the books.

    Raises AutoplayError or StoreError. The cabinet is stopped in good order after every error.
    """
    if cabinet.simulated_devices is None:
        raise AutoplayError("autoplay needs a simulated cabinet: it cannot press the buttons of a real one")
    player = Player(cabinet, cabinet.simulated_devices, show)
    report = Report()
    try:
        cabinet.start()
        _play_session(player, cabinet, rounds, progress, report)
        zero = sum(player.machine.books.balance(account) for account in Account) == 0
    finally:
        stopped = cabinet.stop()
    report.verdict = verify(data)
    report.balanced = bool(stopped and zero and report.verdict.ok)
    return report


def _play_session(
    player: Player, cabinet: Cabinet, rounds: int, progress: Callable[[int], None], report: Report
) -> None:
    """Plays from the first note to the ticket and a visit to the attendant's menu; fills the report."""
    player.arrive()
    player.sight("start")
    before = dict(player.machine.books.meters)
    if player.machine.books.credit_cents < REFILL_CENTS:
        player.refill(2_000)
        player.refill()
    _play_all(player, cabinet, rounds, progress)
    paid_out = player.cash_out()
    player.visit_attendant()
    for name, meter in (
        ("rounds", "games_played"),
        ("inserted", "bills_in"),
        ("wagered", "coin_in"),
        ("paid", "coin_out"),
    ):
        setattr(report, name, player.machine.books.meter(meter) - before.get(meter, 0))
    tickets = cabinet.simulated_devices.tickets() if cabinet.simulated_devices and paid_out else ()
    report.ticket = str(tickets[-1].png) if tickets else None


def _play_all(player: Player, cabinet: Cabinet, rounds: int, progress: Callable[[int], None]) -> None:
    """Distributes the rounds over the games offered."""
    games = [table.rules.game_id for table in cabinet.config.settings().tables]
    done = 0
    for at, game_id in enumerate(games):
        share = rounds * (at + 1) // len(games) - done
        if share:
            player.sit_down(game_id)
        for _ in range(share):
            player.play_round(done)
            done += 1
            progress(done)
