"""Anything that can be put into a machine: for property tests, and quickly at random for storms of presses."""

import random
from collections.abc import Sequence
from typing import get_args

from hypothesis import strategies as st

from cabinet.engine import inputs
from cabinet.engine.closing_facts import ClosingKind, EnterCount
from cabinet.engine.inputs import (
    AcceptorStarted,
    BackOut,
    Bet,
    BetAll,
    BillOffered,
    BillRejected,
    BillReturned,
    BillStacked,
    BillUnasked,
    CallAttendant,
    CashOut,
    ChangeInsurance,
    ChooseChip,
    ChooseGame,
    ChoosePlace,
    ClearBets,
    ClockJumped,
    Command,
    CopiesCompared,
    CopiesNotCompared,
    Deal,
    DeclineInsurance,
    Door,
    DoorClosed,
    DoorOpened,
    Double,
    DoubleBet,
    Fact,
    Fault,
    FaultBegan,
    FaultEnded,
    HandAbandoned,
    Hit,
    Input,
    Insure,
    KeepPlaying,
    Key,
    KeyTurned,
    LeaveTable,
    LimitLoss,
    LimitTime,
    MemoryRecovered,
    PaperOverdue,
    PayTicket,
    PinEntered,
    PinWaitOver,
    PlayerLeft,
    PointAtGame,
    PoweredDown,
    PoweredUp,
    PrepareMemoryClear,
    PrinterStarted,
    PrintFailed,
    PrintUnknown,
    ProgramChecked,
    Rebet,
    RecallViewed,
    RecordsDoubted,
    RecordsDropped,
    ResetPeriod,
    SessionBegan,
    SessionEnded,
    SetOutOfService,
    SettingsChanged,
    SettleLock,
    Settlement,
    SingleCopyFound,
    Split,
    Stand,
    TakeChip,
    TicketPrinted,
    TimeLimitReached,
    ToggleTurbo,
    VoidRound,
    Wake,
)
from cabinet.engine.locks import LOCKS
from cabinet.engine.machine import why_not
from cabinet.engine.record_facts import FormChanged, MachineCommissioned, UpdateTakenBack
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import LockKind, Machine, NoteIntent, Settings
from cabinet.engine.ticket_facts import Standing, TicketOffered, TicketStacked

COMMAND_TYPES: tuple[type, ...] = get_args(inputs.Command)
FACT_TYPES: tuple[type, ...] = get_args(inputs.Fact)

NOTES = (100, 500, 1_000, 2_000, 5_000, 10_000)
ODD_NOTES = (*NOTES, 200, 300, 7, 1_000_000)
"""Notes we take and notes we do not."""

GAME_IDS = (None, "european", "table", "classic", "roulette")
PLACES = (None, 0, 1, 2, 3, 4, 5, -1, 99)
CHIPS = (None, 100, 500, 2_500, 10_000, 0, -100, 123)
TEXTS = ("", "paper jam", "no answer for 5 s")
SEQUENCES = (0, 1, 2, 3, 99)

ACCEPTOR = AcceptorStarted(model="NV9", firmware="4.28", serial="123456")
PRINTER = PrinterStarted(model="KR203")

FACTS: tuple[Fact, ...] = (
    MachineCommissioned(version="2.0"),
    UpdateTakenBack(version="2.0", at="20261201-101500", why="it is not ready"),
    *(FormChanged(old=4, new=5, why=why) for why in ("", "no word for it")),
    *(PoweredUp(clean=clean, crashed=crashed, version="2.0", program_hash=hash_)
      for clean, crashed, hash_ in ((True, False, "aa"), (False, False, "aa"), (False, True, "bb"))),
    PoweredDown(),
    SettingsChanged(old="turbo=true", new="turbo=false"),
    *(ProgramChecked(version="2.0", program_hash=hash_) for hash_ in ("aa", "bb", "")),
    MemoryRecovered(detail="first copy: row 7 does not fit"),
    CopiesNotCompared(detail="the second copy is not there"),
    CopiesCompared(),
    RecordsDoubted(detail="from the second copy"),
    SingleCopyFound(),
    RecordsDropped(row=5_000, entry=900, digest="aa"),
    *(ClockJumped(seconds=seconds) for seconds in (-3_600, 3_600)),
    PlayerLeft(),
    HandAbandoned(),
    *(SessionBegan(at_ms=at_ms) for at_ms in (0, 1_900_000_000_000)),
    SessionEnded(),
    TimeLimitReached(),
    *(BillOffered(cents=cents) for cents in ODD_NOTES),
    *(BillStacked(cents=cents, recovered=recovered) for cents in (None, *ODD_NOTES) for recovered in (False, True)),
    *(BillUnasked(reported_cents=cents, detail="3 pulses", evidence="in ms: low 50") for cents in (None, *ODD_NOTES)),
    *(TicketOffered(sequence=None if standing is Standing.UNKNOWN else sequence, cents=cents, standing=standing)
      for sequence, cents in ((1, 500), (2, 10_000), (99, 10**9)) for standing in Standing),
    *(TicketStacked(sequence=sequence, cents=500, standing=standing, recovered=recovered)
      for sequence in (1, 99) for standing in Standing for recovered in (False, True)),
    *(TicketStacked(recovered=recovered) for recovered in (False, True)),
    BillReturned(),
    BillReturned(recovered=True),
    BillRejected(reason="too dirty"),
    PaperOverdue(after_s=60),
    ACCEPTOR,
    PRINTER,
    *(TicketPrinted(sequence=sequence) for sequence in SEQUENCES),
    *(PrintFailed(sequence=sequence, reason="no paper") for sequence in SEQUENCES),
    *(PrintUnknown(sequence=sequence, reason="line lost") for sequence in SEQUENCES),
    *(FaultBegan(fault=fault, detail=detail) for fault in Fault for detail in TEXTS[:2]),
    *(FaultEnded(fault=fault) for fault in Fault),
    *(DoorOpened(door=door, while_off=while_off) for door in Door for while_off in (False, True)),
    *(DoorClosed(door=door) for door in Door),
    *(KeyTurned(key=key, on=on) for key in Key for on in (True, False)),
    *(PinEntered(right=right) for right in (True, False)),
    PinWaitOver(),
    RecallViewed(),
)  # fmt: skip
"""Every kind of fact, with values that fit and values that do not."""

_OF_THE_RECORDS = (CopiesNotCompared, CopiesCompared, RecordsDoubted, MachineCommissioned, FormChanged, UpdateTakenBack)
HONEST = tuple(
    fact
    for fact in FACTS
    if getattr(fact, "standing", None) is not Standing.PAYABLE and not isinstance(fact, _OF_THE_RECORDS)
)
"""The same without tickets that the record, were it asked, might not know, and without what is said of the records
themselves: for journals, which are these records."""

PLAYER_COMMANDS: tuple[Command, ...] = (
    Wake(),
    *(PointAtGame(game_id=game_id) for game_id in GAME_IDS),
    *(ChooseGame(game_id=game_id) for game_id in GAME_IDS),
    LeaveTable(),
    *(ChooseChip(chip_cents=chip) for chip in CHIPS),
    *(ChoosePlace(place=place) for place in PLACES),
    *(Bet(place=place) for place in PLACES),
    BetAll(),
    *(TakeChip(place=place) for place in PLACES if place is not None),
    ClearBets(),
    Rebet(),
    DoubleBet(),
    Deal(),
    ChangeInsurance(),
    *(Insure(cents=cents) for cents in (None, 0, 50, 100, -50, 10**9)),
    DeclineInsurance(),
    Hit(),
    Stand(),
    Double(),
    Split(),
    ToggleTurbo(),
    CashOut(),
    BackOut(),
    CallAttendant(),
    *(LimitTime(session_s=session_s) for session_s in (-60, 0, 900, 3_600, 10**9)),
    *(LimitLoss(cents=cents) for cents in (-100, 0, 500, 5_000, 10**9)),
    KeepPlaying(),
)
"""Every kind of a player's wish, sensible or not."""

ATTENDANT_COMMANDS: tuple[Command, ...] = (
    *(SettleLock(lock_id=lock_id, how=how) for lock_id in range(6) for how in Settlement),
    *(SettleLock(lock_id=lock_id, how=how, cents=500) for lock_id in range(3) for how in Settlement),
    *(PrepareMemoryClear(on=on) for on in (True, False)),
    *(
        PayTicket(sequence=sequence, cents=cents, owed=owed)
        for sequence, cents in ((0, 500), (1, 500), (2, 0), (99, 10**9))
        for owed in (True, False)
    ),
    VoidRound(),
    ResetPeriod(),
    *(EnterCount(kind=kind, number=number, cents=500) for kind in ClosingKind for number in (0, 1, 2)),
    SetOutOfService(out=True),
    SetOutOfService(out=False),
)

COMMANDS = (*PLAYER_COMMANDS, *ATTENDANT_COMMANDS)


def facts() -> st.SearchStrategy[Fact]:
    """Any fact."""
    return st.sampled_from(FACTS)


def commands() -> st.SearchStrategy[Command]:
    """Any command."""
    return st.sampled_from(COMMANDS)


def anything() -> st.SearchStrategy[Input]:
    """Any input; commands of the player twice as often as anything else."""
    return st.one_of(st.sampled_from(PLAYER_COMMANDS), st.sampled_from(PLAYER_COMMANDS), commands(), facts())


class Hand:
    """A person who presses, feeds notes and turns keys at random; the same seed repeats it."""

    def __init__(self, seed: int, settings: Settings) -> None:
        self._random = random.Random(seed)
        self._settings = settings

    def choose(self, among: Sequence[Input]) -> Input:
        """One of these."""
        return self._random.choice(among)

    def sensible(self, machine: Machine) -> Input:
        """Returns what keeps a session going: the next word about an open note or ticket, a way out of locks, else a
        press."""
        roll = self._random.random()
        if isinstance(note := machine.acceptor.in_path, NoteIntent):
            return BillStacked(cents=note.cents) if roll < 0.8 else BillReturned()
        if machine.printer.printing is not None:
            sequence = machine.printer.printing.sequence
            return self.choose(
                (TicketPrinted(sequence=sequence), TicketPrinted(sequence=sequence),
                 PrintFailed(sequence=sequence, reason="no paper"), PrintUnknown(sequence=sequence, reason="line lost"))
            )  # fmt: skip
        if machine.locks and roll < 0.7:
            return self._unlock(machine)
        if machine.access.audit_key and roll < 0.9:
            return KeyTurned(key=Key.AUDIT, on=False)
        if roll < 0.01:
            return PlayerLeft()
        if roll < 0.02:
            return self.choose(HONEST)
        if roll < 0.06:
            return BillOffered(cents=self._random.choice(NOTES))
        if roll < 0.10:
            return self.choose((ACCEPTOR, PRINTER))
        return self._press(machine)

    def _press(self, machine: Machine) -> Command:
        """Mostly something that is accepted."""
        for _ in range(4):
            command = self._random.choice(PLAYER_COMMANDS)
            if why_not(self._settings, machine, command) is None:
                break
        return command

    def _unlock(self, machine: Machine) -> Input:
        if machine.access.open_doors:
            return DoorClosed(door=machine.access.open_doors[0])
        if machine.faults:
            return FaultEnded(fault=machine.faults[0])
        if not machine.access.audit_key:
            return KeyTurned(key=Key.AUDIT, on=True)
        if any(lock.kind is LockKind.PLAYER_LIMIT for lock in machine.locks):
            return self.choose((KeepPlaying(), CashOut(), SessionEnded(), KeyTurned(key=Key.AUDIT, on=True)))
        lock = self._random.choice(machine.locks)
        if LOCKS[lock.kind].technician and not machine.access.technician:
            return DoorOpened(door=Door.LOGIC)
        settles = [SettleLock(lock_id=lock.lock_id, how=how) for how in settlements_of(machine, lock)]
        return self.choose((*settles, SetOutOfService(out=False), VoidRound()))
