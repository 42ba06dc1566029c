"""Every state of the screen by name, for pictures and measurements: what `cabinet screens` draws.

Rules: each exhibit is a real machine; the engine brought it into its state by inputs and named cards. The exhibits
include the largest amounts and the fullest table that can occur. A cabinet in play does not use this module.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from types import MappingProxyType

from cabinet.attendant.menu import Menu
from cabinet.engine import machine as engine
from cabinet.engine.cards import SUIT_LETTERS, Card, Draw, card_from_code
from cabinet.engine.errors import EngineError
from cabinet.engine.inputs import (
    AcceptorStarted,
    BackOut,
    Bet,
    BetAll,
    BillOffered,
    BillRejected,
    BillStacked,
    Button,
    CallAttendant,
    CashOut,
    ChooseChip,
    ChooseGame,
    Deal,
    DeclineInsurance,
    Door,
    DoorOpened,
    Double,
    Fault,
    FaultBegan,
    FaultEnded,
    Hit,
    Input,
    Insure,
    Key,
    KeyTurned,
    LimitLoss,
    LimitTime,
    PlayerLeft,
    PoweredUp,
    PrinterStarted,
    PrintUnknown,
    SessionBegan,
    SetOutOfService,
    SettleLock,
    Settlement,
    Split,
    Stand,
    TicketPrinted,
    TimeLimitReached,
    ToggleTurbo,
)
from cabinet.engine.rules import CLASSIC, EUROPEAN, TABLE, Limits
from cabinet.engine.rules import Table as TableOffered
from cabinet.engine.state import Lock, LockKind, Machine, Settings
from cabinet.presentation.snapshot import Snapshot, next_snapshot, with_page_open
from cabinet.runtime.fault_machine import fault_machine
from cabinet.runtime.startup import SettingsRefusedError
from cabinet.store.errors import StoreDamagedError, StorePartitionError, StorePlaceError
from cabinet.tools.screens_samples import CHART, sample_menu, sample_page
from cabinet.ui.presenter import present
from cabinet.ui.touch import is_reading
from cabinet.ui.ui_state import MachineInfo, UiState
from cabinet.ui.view import Screen

WALL = datetime(2031, 3, 5, 14, 32, 20)  # noqa: DTZ001 - the clock on the wall, wherever the cabinet stands
LATER_S = 30.0
"""The time between two inputs, and after the last input, in seconds: longer than any animation."""

SAMPLE_FACTS = MachineInfo(  # for tests of the screen; pictures are written with the facts of a real cabinet
    machine_id="0042",
    venue="Blackjack Cabinet",
    returns={"european": 0.9949, "table": 0.9954, "classic": 0.9954},
    charts={"european": CHART, "table": CHART, "classic": CHART},
    helpline="Play for fun. Help: 0800 000 000",
)
_KEYS = (("C", Button.CASH_OUT), ("SPACE", Button.DEAL), ("H", Button.HIT), ("S", Button.STAND), ("F5", "main door"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """One state of the screen: every argument of `present` except the facts and the time of day."""

    snapshot: Snapshot
    ui: UiState = field(default_factory=UiState)
    now_s: float
    settings: Settings = field(default_factory=Settings)
    simulated: bool = False
    menu: Menu | None = None
    """The place in the attendant's menu, where it is open."""


def screen_of(exhibit: Exhibit, facts: MachineInfo = SAMPLE_FACTS) -> Screen:
    """Returns the screen of an exhibit in a cabinet of these facts, in its language."""
    if exhibit.simulated:
        facts = replace(facts, simulated=True, keys=facts.keys or _KEYS)
    if exhibit.menu is not None:
        exhibit = _with_page(exhibit, exhibit.menu, facts.language.code)
    ui = replace(exhibit.ui, language=facts.language, languages=facts.languages)
    screen = present(exhibit.snapshot, ui, exhibit.now_s, WALL, exhibit.settings, facts)
    if not is_reading(screen):
        return screen
    snapshot = with_page_open(exhibit.snapshot, reading=True)
    return present(snapshot, ui, exhibit.now_s, WALL, exhibit.settings, facts)


# --- playing to where it should be ----------------------------------------------------------------------------------


def snapshot_after(
    before: Snapshot | None,
    settings: Settings,
    machine: Machine,
    given: Input,
    draw: Draw,
    now_s: float,
    *,
    notes: bool = True,
    by: Button | None = None,
) -> Snapshot:
    """Returns the snapshot after these events, without an attendant."""
    step = engine.step(settings, machine, given, draw)
    lit = engine.lit(settings, step.machine)
    return next_snapshot(
        before,
        machine=step.machine,
        events=step.events,
        lit=lit,
        notes=notes,
        attendant=None,
        now_s=now_s,
        settings=settings,
        by=by,
    )


def named_draw(codes: str) -> "NamedDraw":
    """Returns a draw of the cards with these names, such as `8S KH`, or `8` for any remaining eight."""
    return NamedDraw(codes.split())


@dataclass(slots=True)
class NamedDraw:
    """Draws named cards in order. Raises EngineError after the last."""

    codes: list[str]

    def __call__(self, out: Collection[Card]) -> Card:
        """Returns the next named card that is not out."""
        if not self.codes:
            raise EngineError(f"the exhibit names too few cards; {len(out)} are out")
        code = self.codes.pop(0)
        named = (code,) if code[-1] in SUIT_LETTERS else tuple(code + letter for letter in SUIT_LETTERS)
        free = [card for deck in range(6) for name in named if (card := card_from_code(name, deck)) not in out]
        if not free:
            raise EngineError(f"the exhibit names more of {code} than the pack holds")
        return free[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stagehand:
    """Brings machines into the states of the exhibits."""

    settings: Settings = field(default_factory=Settings)
    notes: bool = True

    def play(self, *inputs: Input, cards: str = "", start: Machine | None = None) -> Exhibit:
        """Returns the exhibit long after the last of these inputs."""
        draw = named_draw(cards)
        machine = start or engine.starting(self.settings)
        snapshot: Snapshot | None = None
        now_s = 0.0
        for given in (*self._ready(start), *inputs):
            now_s += LATER_S
            snapshot = snapshot_after(snapshot, self.settings, machine, given, draw, now_s, notes=self.notes)
            machine = snapshot.machine
        if snapshot is None:
            raise EngineError("an exhibit needs at least one input")
        return Exhibit(snapshot=snapshot, now_s=now_s + LATER_S, settings=self.settings)

    def _ready(self, start: Machine | None) -> tuple[Input, ...]:
        if start is not None:
            return ()
        return (PrinterStarted(model="printer"), AcceptorStarted(model="reader", firmware="1", serial="1"))


def money(cents: int) -> tuple[Input, ...]:
    """Returns notes of a hundred with this total."""
    return (BillOffered(cents=10_000), BillStacked(cents=10_000)) * (cents // 10_000)


def at(game_id: str, chip_cents: int = 2_500, credit_cents: int = 30_000) -> tuple[Input, ...]:
    """Returns the inputs for credit, a game and a selected chip."""
    return (*money(credit_cents), ChooseGame(game_id=game_id), ChooseChip(chip_cents=chip_cents))


def _shown_after(exhibit: Exhibit, seconds: float) -> Exhibit:
    """Returns the exhibit this time after its last animation began."""
    return replace(exhibit, now_s=exhibit.snapshot.began_at_s + seconds)


# --- exhibits -------------------------------------------------------------------------------------------------------


@cache
def gallery() -> Mapping[str, Exhibit]:
    """Returns all exhibits by name, in the order of a visit."""
    parts = (_idle, _betting, _european, _one_place, _paying, _help_and_service, _fullest)
    found = {name: exhibit for part in parts for name, exhibit in part()}
    return MappingProxyType(found | dict(_locked()))


NO_PAPER = FaultBegan(fault=Fault.PAPER_OUT)
Named = Iterator[tuple[str, Exhibit]]
_DEAL_FIVE = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC"
"""Two cards for each of five places, the dealer's first between the rounds."""


def _idle() -> Named:
    hand = Stagehand()
    idle = hand.play(PlayerLeft())
    yield "attract-welcome", _shown_after(idle, 5.0)
    for nth, name in enumerate(("european", "table", "classic"), start=1):
        yield f"attract-{name}", _shown_after(idle, 14.0 * nth + 12.0)
    yield "attract-dealing", _shown_after(idle, 14.0 + 1.6)
    yield "attract-with-credit", _shown_after(hand.play(*money(10_000), PlayerLeft()), 5.0)
    yield "choice", hand.play(*money(10_000))
    yield "choice-no-credit", hand.play(KeyTurned(key=Key.RESET, on=False))


def _betting() -> Named:
    hand = Stagehand()
    yield "insert-note", hand.play(ChooseGame(game_id="european"))
    yield "notes-off", Stagehand(notes=False).play(ChooseGame(game_id="classic"))
    yield "printer-down", hand.play(NO_PAPER, ChooseGame(game_id="european"))
    yield "printer-down-attract", _shown_after(hand.play(NO_PAPER, PlayerLeft()), 5.0)
    yield "printer-down-betting", hand.play(NO_PAPER, *at("european"), BetAll())
    yield "betting-empty", hand.play(*at("european"))
    bets = (Bet(place=0), Bet(place=2), Bet(place=2), Bet(place=4))
    yield "betting", hand.play(*at("european", 500), *bets)
    yield "betting-chip-flying", _shown_after(hand.play(*at("european"), BetAll()), 0.09)
    yield "betting-one-place", hand.play(*at("classic"), Bet(), Bet(), Bet(), ChooseChip(chip_cents=500), Bet())
    yield "betting-turbo", hand.play(*at("table"), Bet(), ToggleTurbo())
    yield "refused", _shown_after(hand.play(*at("table", 10_000), Bet(), Bet()), 0.5)
    yield "note-added", _shown_after(hand.play(*at("table"), *money(10_000)), 0.5)
    yield "note-not-read", _shown_after(hand.play(*at("table"), BillRejected(reason="unknown")), 0.5)
    yield "called", hand.play(*at("classic"), CallAttendant())
    yield "after-power-loss", hand.play(*at("classic"), PoweredUp(clean=False))


def _european() -> Named:
    hand = Stagehand()
    dealt = hand.play(*at("european"), BetAll(), Deal(), cards=_DEAL_FIVE)
    yield "dealing", _shown_after(dealt, 0.9)
    yield "deciding", dealt
    hit = hand.play(*at("european"), BetAll(), Deal(), Stand(), Hit(), cards=f"{_DEAL_FIVE} 2H")
    yield "card-flying", _shown_after(hit, 0.12)
    yield "card-turning", _shown_after(hit, 0.30)
    split = (*at("european", credit_cents=60_000), BetAll(), Deal(), Stand(), Stand(), Split())
    splitting = hand.play(*split, cards=f"{_DEAL_FIVE} 3C JH")
    yield "splitting", _shown_after(splitting, 0.12)
    yield "split-two", hand.play(*split, cards=f"{_DEAL_FIVE} 3C JH")
    four = (*split, Split(), Stand(), Stand(), Split())
    yield "split-four", hand.play(*four, cards=f"{_DEAL_FIVE} 8H 8C 3C 10H 5D 9D")
    asked = (*at("european"), BetAll(), Deal())
    ace = "KS AD 8S QD AH AC 9H 6C 8D 7S KC"
    yield "insurance", hand.play(*asked, cards=ace)
    yield "insured", hand.play(*asked, Insure(), *(DeclineInsurance(),) * 4, cards=ace)
    yield "insurance-without-credit", hand.play(*at("european", 500, 10_000), *(BetAll(),) * 4, Deal(), cards=ace)
    insured = (*asked, *(Insure(),) * 5, Stand(), Stand(), Split(), *(Stand(),) * 3)
    yield "insured-results", hand.play(*insured, cards=f"{ace} 3C JH KD")
    played = (*asked, Stand(), Hit(), Stand(), Hit())
    ended = hand.play(*played, Stand(), cards=f"{_DEAL_FIVE} 2H 10H 6H 5C")
    yield "dealers-turn", _shown_after(ended, 0.5)
    yield "settling", _shown_after(ended, 2.2)
    yield "results", ended
    yield "cleared", _shown_after(hand.play(*played, Stand(), Bet(), cards=f"{_DEAL_FIVE} 2H 10H 6H 5C"), 0.09)


def _one_place() -> Named:
    hand = Stagehand()
    yield "classic-deciding", hand.play(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    won = (*at("classic"), Bet(), Deal(), Stand())
    yield "hole-turning", _shown_after(hand.play(*won, cards="AS 6S 7H 9D KH"), 0.36)
    yield "classic-win", hand.play(*won, cards="AS 6S 7H 9D KH")
    yield "counting-up", _shown_after(hand.play(*won, cards="AS 6S 7H 9D KH"), 2.3)
    yield "classic-blackjack", hand.play(*at("classic"), Bet(), Deal(), cards="AS 6S KH 9D")
    yield "classic-push", hand.play(*won, cards="10S 9S 9H 10D")
    yield "classic-loss", hand.play(*won, cards="10S 9S 8H 10D")
    yield "classic-bust", hand.play(*at("classic"), Bet(), Deal(), Hit(), cards="10S 9S 6H 10D KD")
    yield "dealer-blackjack", hand.play(*at("table"), Bet(), Deal(), cards="10S KS 9H AD")
    yield "table-insurance", hand.play(*at("table"), Bet(), Deal(), cards="10S AS 9H 5D")
    insured = (*at("table"), Bet(), Deal(), Insure())
    yield "table-insured", hand.play(*insured, cards="10S AS 9H 5D")
    yield "table-insured-split", hand.play(*insured, Split(), cards="8S AS 8H 5D 3C 10H")
    yield "table-no-insurance-credit", hand.play(*at("table", 10_000, 10_000), Bet(), Deal(), cards="10S AS 9H 5D")
    yield "table-at-21", hand.play(*at("table"), Bet(), Deal(), Hit(), cards="10S 9S 6H 10D 5D")
    split = (*at("table"), Bet(), Deal(), Split(), Double(), Stand())
    yield "table-split-results", hand.play(*split, cards="8S 6S 8H 10D 3C 10H QH 10C")
    many = (*at("table"), Bet(), Deal(), *(Hit(),) * 9)
    yield "eleven-cards", hand.play(*many, cards="AS 9S AH 10D AD AC AS AH 2C 2H 2D 3S 3H")


def _paying() -> Named:
    hand = Stagehand()
    yield "printing", hand.play(*at("classic"), CashOut())
    paid = hand.play(*at("classic"), CashOut(), TicketPrinted(sequence=1))
    yield "take-ticket", _shown_after(paid, 2.0)
    yield "paid-out", paid
    twice = (*at("classic"), CashOut(), TicketPrinted(sequence=1), *money(10_000), CashOut())
    yield "paid-twice", _shown_after(hand.play(*twice, TicketPrinted(sequence=2)), 2.0)
    large = Stagehand(settings=Settings(ticket_max_cents=10_000))
    due = (*at("classic"), CashOut())
    yield "hand-pay", large.play(*due)
    yield "hand-pay-given-up", large.play(*due, BackOut())
    lock_id = large.play(*due).snapshot.machine.locks[0].lock_id
    key, settle = KeyTurned(key=Key.AUDIT, on=True), SettleLock(lock_id=lock_id, how=Settlement.PAID_BY_HAND)
    settled = large.play(*due, key, settle, KeyTurned(key=Key.AUDIT, on=False))
    yield "paid-by-hand", settled


def _help_and_service() -> Named:
    hand = Stagehand()
    table = hand.play(*at("european"), Bet(place=1))
    yield "help", replace(table, ui=UiState(help_page=0))
    yield "help-splitting", replace(table, ui=UiState(help_page=3))
    yield "help-chart", replace(table, ui=UiState(help_page=99))
    yield "keys", replace(table, ui=UiState(keys_shown=True), simulated=True)
    yield from _sessions(hand)
    yield "pressed", replace(table, ui=UiState(pressed=frozenset({Button.DEAL, Button.BET})))
    yield from _attendants_pages(hand)


def _attendants_pages(hand: Stagehand) -> Named:
    """Yields pages of the attendant: of a machine at rest, and under locks."""
    audit = KeyTurned(key=Key.AUDIT, on=True)
    rest = hand.play(*at("european"), audit)
    yield "audit", _attendant(rest)
    yield "audit-money", _attendant(rest, Button.PLACE)
    yield "audit-meters", _attendant(rest, Button.PLACE, Button.SERVICE)
    yield "audit-closing", _attendant(rest, Button.PLACE, Button.PLACE, Button.CASH_OUT)
    yield "audit-close", _attendant(rest, Button.PLACE, Button.REBET)
    yield from _pages_of_games(rest)
    yield "audit-log", _attendant(rest, Button.SPLIT, Button.CASH_OUT)
    yield "audit-find", _attendant(rest, Button.DOUBLE, Button.CASH_OUT, Button.CHIP, Button.HIT)
    yield "audit-pay", _attendant(rest, Button.CASH_OUT)
    yield "audit-pay-question", _attendant(rest, Button.CASH_OUT, Button.CASH_OUT)
    yield "audit-settings", _attendant(rest, Button.STAND, Button.SERVICE)
    yield "audit-tests", _attendant(rest, Button.HIT, Button.REBET)
    yield "audit-test-lamps", _attendant(rest, Button.HIT, Button.REBET, Button.CASH_OUT)
    yield "audit-test-display", _attendant(rest, Button.HIT, Button.REBET, Button.PLACE)
    unknown = (*at("classic"), CashOut(), PrintUnknown(sequence=1, reason="no answer"), audit)
    yield "audit-lock", _attendant(hand.play(*unknown), Button.SERVICE)
    yield "audit-settle", _attendant(hand.play(*unknown), Button.SERVICE, Button.CASH_OUT)
    jam = (*at("classic"), BillOffered(cents=2_000), FaultBegan(fault=Fault.BILL_JAM), audit)
    yield "audit-jam", _attendant(hand.play(*jam), Button.SERVICE)
    yield "audit-jam-gone", _attendant(hand.play(*jam, FaultEnded(fault=Fault.BILL_JAM)), Button.SERVICE)
    doubt = (BillOffered(cents=2_000), AcceptorStarted(model="reader", firmware="1", serial="1"), audit)
    yield "audit-doubt", _attendant(hand.play(*at("classic"), *doubt), Button.SERVICE)
    several = (FaultBegan(fault=Fault.PAPER_LOW), DoorOpened(door=Door.MAIN), FaultBegan(fault=Fault.BILL_JAM))
    yield "audit-locks", _attendant(hand.play(*at("european"), *several, audit))
    yield "audit-drop", _attendant(rest, Button.PLACE, Button.STAND)
    yield "audit-win", _attendant(rest, Button.PLACE, Button.STAND, Button.BET)
    yield "audit-notes", _attendant(rest, Button.PLACE, Button.STAND, Button.BET, Button.BET)
    yield "audit-acceptance", _attendant(rest, Button.PLACE, Button.STAND, Button.CHIP)
    yield "audit-code", _attendant(rest, Button.PLACE, Button.HIT)


def _pages_of_games(rest: Exhibit) -> Named:
    """Yields the pages of the games, and pictures of the last ones."""
    yield "audit-games", _attendant(rest, Button.REBET, Button.SERVICE)
    yield "audit-bands", _attendant(rest, Button.REBET, Button.PLACE)
    yield "audit-mix", _attendant(rest, Button.REBET, Button.PLACE, Button.BET)
    last = (Button.REBET, Button.CASH_OUT)
    yield "audit-last-games", _attendant(rest, *last)
    yield "audit-past-split", _attendant(rest, *last, Button.CASH_OUT, *(Button.DEAL,) * 23)
    yield "audit-past-asked", _attendant(rest, *last, Button.SERVICE, Button.BET)
    yield "audit-past-won", _attendant(rest, *last, Button.PLACE, *(Button.BET,) * 3)


def _sessions(hand: Stagehand) -> Named:
    """Yields the session before it began, with limits set, and with limits that were reached."""
    shown = UiState(session_shown=True)
    yield "session-none", replace(hand.play(ChooseGame(game_id="table")), ui=shown)
    began = SessionBegan(at_ms=round((WALL.timestamp() - 72 * 60) * 1_000))
    lost: tuple[Input, ...] = (*at("european"), began, Bet(place=2), Bet(place=2), Deal(), Stand())
    cards = "10S 9S 8H 10D"
    yield "session", replace(hand.play(*lost, cards=cards), ui=shown)
    limits: tuple[Input, ...] = (LimitTime(session_s=92 * 60), LimitLoss(cents=15_000))
    yield "session-limits", replace(hand.play(*lost, *limits, cards=cards), ui=replace(shown, choice=3))
    yield "limit-time", hand.play(*lost, *limits, TimeLimitReached(), cards=cards)
    empty: tuple[Input, ...] = (*at("classic", 10_000, 10_000), LimitLoss(cents=10_000), Bet(), Deal(), Stand())
    yield "limit-loss", hand.play(*empty, cards="10S 9S 8H 10D")


def _attendant(exhibit: Exhibit, *pressed: Button) -> Exhibit:
    """Returns the exhibit with the attendant's menu open, after presses of these buttons."""
    return _with_page(exhibit, sample_menu(exhibit.snapshot.machine, exhibit.settings, WALL, pressed))


def _with_page(exhibit: Exhibit, menu: Menu, language: str = "en") -> Exhibit:
    """Returns the exhibit with this page of the attendant's menu, in a language."""
    page, lit = sample_page(exhibit.snapshot.machine, exhibit.settings, WALL, menu, language)
    return replace(exhibit, snapshot=replace(exhibit.snapshot, attendant=page, lit=lit), menu=menu)


# --- locks ----------------------------------------------------------------------------------------------------------


def _locked() -> Named:
    hand = Stagehand()
    playing = (*at("classic"), Bet(), Deal())
    cards = "AS 6S 7H 9D"
    for door in Door:
        yield f"lock-{door.value.replace(' ', '-')}", hand.play(*playing, DoorOpened(door=door), cards=cards)
    stoppers = (Fault.BILL_JAM, Fault.PRINTER_JAM, Fault.CASHBOX_REMOVED, Fault.PROGRAM_CHANGED)
    for fault in (*stoppers, Fault.STORAGE_LOW, Fault.SECOND_COPY_LOST):
        given = FaultBegan(fault=fault)
        yield f"lock-{fault.value.replace(' ', '-')}", hand.play(*at("classic"), given)
    several = (DoorOpened(door=Door.MAIN), FaultBegan(fault=Fault.BILL_JAM), FaultBegan(fault=Fault.PRINTER_JAM))
    yield "lock-several", hand.play(*playing, *several, CallAttendant(), cards=cards)
    unknown = (*at("classic"), CashOut(), PrintUnknown(sequence=1, reason="no answer"))
    yield "lock-print-unknown", hand.play(*unknown)
    yield "lock-unexpected-note", hand.play(*at("classic"), BillStacked(cents=2_000))
    doubt = (BillOffered(cents=2_000), AcceptorStarted(model="reader", firmware="1", serial="1"))
    yield "lock-note-in-doubt", hand.play(*at("classic"), *doubt)
    closed = (KeyTurned(key=Key.AUDIT, on=True), SetOutOfService(out=True), KeyTurned(key=Key.AUDIT, on=False))
    yield "out-of-service", hand.play(*at("classic"), *closed)
    large = Stagehand(settings=Settings(large_win_cents=2_000))
    yield "lock-large-win", large.play(*playing, Stand(), cards=f"{cards} KH")
    shown = (LockKind.SELF_AUDIT, LockKind.DOOR_WHILE_OFF)
    tickets = (LockKind.TICKET_IN_DOUBT, LockKind.UNEXPECTED_TICKET)
    copies = (LockKind.COPIES_NOT_COMPARED, LockKind.RECORDS_IN_DOUBT)
    for error in _REFUSED:
        machine = fault_machine(error)
        refused = replace(hand.play(*at("classic")), snapshot=Snapshot(number=1, machine=machine))
        yield f"lock-{machine.locks[0].kind.value.replace(' ', '-')}", refused
    for kind in (*shown, LockKind.EXCESSIVE_INCREMENT, *tickets, *copies):
        yield f"lock-{kind.value.replace(' ', '-')}", _with_lock(hand.play(*at("classic")), kind)
    yield (
        "notes-stopped",
        Stagehand(notes=False).play(ChooseGame(game_id="table"), FaultBegan(fault=Fault.CASHBOX_FULL)),
    )


_REFUSED = (
    SettingsRefusedError("the settings were changed", keys=("games.turbo",), cents=2_000),
    StorePlaceError("the data is lost with the power", found="/var/lib/blackjack-cabinet=tmpfs"),
    StorePartitionError("the data partition is missing", found="/var/lib/blackjack-cabinet=179:2"),
    StoreDamagedError("the journal is damaged"),
)
"""Reasons why a cabinet may not start: its screen is that of a machine without a menu, and its lamps are dark."""


def _with_lock(exhibit: Exhibit, kind: LockKind) -> Exhibit:
    """Returns the exhibit under a lock that only a start, damaged data or a ticket in doubt adds."""
    machine = replace(exhibit.snapshot.machine, locks=(Lock(lock_id=1, kind=kind),))
    lit = engine.lit(exhibit.settings, machine)
    return replace(exhibit, snapshot=replace(exhibit.snapshot, machine=machine, lit=lit, events=()))


# --- the fullest table ----------------------------------------------------------------------------------------------


def _fullest() -> Named:
    """Yields five places of four doubled hands at the limit, all won, and hands of many cards side by side."""
    limits = Limits(max_cents=100_000, chips_cents=(100, 500, 2_500, 10_000, 50_000, 100_000))
    tables = tuple(TableOffered(rules=rules, limits=limits) for rules in (EUROPEAN, TABLE, CLASSIC))
    rich = Settings(tables=tables, credit_limit_cents=10_000_000, large_win_cents=0, increment_max_cents=100_000_000)
    hand = Stagehand(settings=rich)
    start = (*at("european", 100_000, 5_000_000), BetAll(), Deal())
    place: tuple[Input, ...] = (Split(), Split(), Double(), Double(), Split(), Double(), Double())
    dealt = "8 8 8 8 8 6 8 8 8 8 8"
    each = "8 8 3 3 10 K 3 3 Q J"
    yield "fullest-won", hand.play(*start, *place * 5, cards=f"{dealt} {' '.join([each] * 5)} 10D 10C")
    long_hand: tuple[Input, ...] = (*(Hit(),) * 8, Stand())
    aces = "AS AH AD AC 2S 3S 4D 4C"
    others = "2H 2D 2C 3H 3D 3C 2S 2H"
    yield (
        "long-hands",
        hand.play(
            *at("european", 2_500, 100_000),
            BetAll(),
            Deal(),
            *long_hand,
            *(Stand(),) * 3,
            *long_hand,
            cards=f"2S 9S 8S 9H 2D 6H 3S 9D 9C 8C 2C {aces} {others} 10S 10H",
        ),
    )
