"""The event table of the requirements (1.9a and 1.9b) as rows: how each fault comes about, what is off, how it ends.

Written from the requirements, not from the engine's own table: what is off is p for play, n for notes, c for cash-out.
Each row comes from user actions on the devices where a simulated device can show it, else as its driver would report
it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from support.live import Live

from cabinet.engine.inputs import Fact, Fault, FaultBegan, FaultEnded, ProgramChecked
from cabinet.engine.state import LockKind
from drivers.panel.layout import Tower

CALL, FAULT = Tower.TOWER_CALL, Tower.TOWER_FAULT

Act = Callable[[Live], None]


def hand(*names: str) -> Act:
    """Works the devices."""

    def act(live: Live) -> None:
        for name in names:
            live.simulated_devices.do(name)

    return act


def report(fact: Fact) -> Act:
    """Sends the cabinet a fact, as a driver would."""
    return lambda live: live.controller.put(fact)


def _began(fault: Fault) -> Act:
    return report(FaultBegan(fault=fault, detail="as its driver reports it"))


def _ended(fault: Fault) -> Act:
    return report(FaultEnded(fault=fault))


def _rejected(live: Live, number: int) -> bool:
    return live.machine.books.meter("bills_rejected") == number


def ten_bad_notes(live: Live) -> None:
    """Ten rejections in a row."""
    for number in range(1, 11):
        live.until(
            lambda: live.simulated_devices.acceptor_line.call(lambda: live.simulated_devices.acceptor.enabled),
            "the acceptor being let",
        )
        live.simulated_devices.do("bad_note")
        live.until(partial(_rejected, live, number), f"rejection number {number}")


def two_large_notes(live: Live) -> None:
    """More money in one play than may come in one."""
    live.note(10_000)
    live.until(lambda: live.simulated_devices.insert(10_000), "the second note being drawn in")


def cash_out_without_printer(live: Live) -> None:
    """A cash-out that can only be paid by hand."""
    live.simulated_devices.do("printer_unplug")
    live.until(lambda: live.locked(LockKind.PRINTER_LINK), "the printer's silence")
    live.press("cash_out")


def unplug_while_printing(live: Live) -> None:
    """Leaves the outcome of a ticket unknown."""
    live.unplug_while_printing()


def _nothing(live: Live) -> None:
    del live


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the event table."""

    makes: Act
    kind: LockKind
    off: str
    undo: Act
    """Takes the cause away."""
    ends: str
    """Whose act ends it once the cause is gone: `itself`, `reset key`, or what the attendant chooses in the menu."""
    alarm: bool = False
    tower: frozenset[Tower] = frozenset()
    gone_at_start: bool = False
    """True where a start that does not meet the cause proves the fault gone."""
    beside: frozenset[LockKind] = frozenset()
    """Other locks that the same cause adds."""


BOTH, FAULTY, CALLED = frozenset({CALL, FAULT}), frozenset({FAULT}), frozenset({CALL})

ROWS: dict[str, Row] = {
    "main door open (11)": Row(
        makes=hand("main_door_open"),
        kind=LockKind.MAIN_DOOR,
        off="pnc",
        undo=hand("main_door_close"),
        ends="itself",
        alarm=True,
        tower=FAULTY,
        gone_at_start=True,
    ),
    "cash box door open (19)": Row(
        makes=hand("cashbox_door_open"),
        kind=LockKind.CASHBOX_DOOR,
        off="pnc",
        undo=hand("cashbox_door_close"),
        ends="itself",
        alarm=True,
        tower=FAULTY,
        gone_at_start=True,
    ),
    "cash box removed (1B)": Row(
        makes=hand("cashbox_out"),
        kind=LockKind.CASHBOX_REMOVED,
        off="pnc",
        undo=hand("cashbox_in"),
        ends="itself",
        tower=FAULTY,
        gone_at_start=True,
    ),
    "logic area open (15)": Row(
        makes=hand("logic_door_open"),
        kind=LockKind.LOGIC_DOOR,
        off="pnc",
        undo=hand("logic_door_close"),
        ends="clear",
        alarm=True,
        tower=BOTH,
    ),
    "bill jam (28)": Row(
        makes=hand("bill_jam"),
        kind=LockKind.BILL_JAM,
        off="pnc",
        undo=hand("bill_jam_clear"),
        ends="reset key",
        alarm=True,
        tower=BOTH,
    ),
    "acceptor link (29)": Row(
        makes=hand("acceptor_unplug"),
        kind=LockKind.ACCEPTOR_LINK,
        off="n",
        undo=hand("acceptor_replug"),
        ends="itself",
        tower=FAULTY,
        gone_at_start=True,
    ),
    "acceptor hardware (29)": Row(
        makes=_began(Fault.ACCEPTOR_HARDWARE),
        kind=LockKind.ACCEPTOR_FAULT,
        off="n",
        undo=_ended(Fault.ACCEPTOR_HARDWARE),
        ends="itself",
        tower=FAULTY,
        gone_at_start=True,
    ),
    "cheat (2A)": Row(
        makes=hand("cheat"),
        kind=LockKind.BILL_CHEAT,
        off="n",
        undo=_nothing,
        ends="reset key",
        alarm=True,
        tower=BOTH,
    ),
    "ten bills rejected in a row (2B)": Row(
        makes=ten_bad_notes,
        kind=LockKind.EXCESSIVE_REJECTS,
        off="n",
        undo=_nothing,
        ends="reset key",
        tower=BOTH,
    ),
    "cash box full (27)": Row(
        makes=hand("stacker_full"),
        kind=LockKind.CASHBOX_FULL,
        off="n",
        undo=hand("stacker_empty"),
        ends="itself",
        tower=FAULTY,
        gone_at_start=True,
    ),
    "cash box near full (2E)": Row(
        makes=_began(Fault.CASHBOX_NEAR_FULL),
        kind=LockKind.CASHBOX_NEAR_FULL,
        off="",
        undo=_ended(Fault.CASHBOX_NEAR_FULL),
        ends="itself",
        gone_at_start=True,
        tower=CALLED,
    ),
    "printer link (60)": Row(
        makes=hand("printer_unplug"),
        kind=LockKind.PRINTER_LINK,
        off="",
        undo=hand("printer_replug"),
        ends="itself",
        gone_at_start=True,
        tower=FAULTY,
    ),
    "printer off (75)": Row(
        makes=hand("printer_off"),
        kind=LockKind.PRINTER_LINK,
        off="",
        undo=hand("printer_on"),
        ends="itself",
        gone_at_start=True,
        tower=FAULTY,
    ),
    "paper out (61)": Row(
        makes=hand("paper_out"),
        kind=LockKind.PAPER_OUT,
        off="",
        undo=hand("paper_refill"),
        ends="itself",
        gone_at_start=True,
        tower=FAULTY,
    ),
    "paper low (74)": Row(
        makes=hand("paper_low"),
        kind=LockKind.PAPER_LOW,
        off="",
        undo=hand("paper_refill"),
        ends="itself",
        gone_at_start=True,
        tower=CALLED,
    ),
    "printer jam (78)": Row(
        makes=hand("printer_jam"),
        kind=LockKind.PRINTER_JAM,
        off="pnc",
        undo=hand("printer_jam_clear"),
        ends="reset key",
        tower=BOTH,
    ),
    "print outcome unknown (20)": Row(
        makes=unplug_while_printing,
        kind=LockKind.PRINT_UNKNOWN,
        off="pnc",
        undo=hand("printer_replug"),
        ends="give the credit back",
        tower=BOTH,
        beside=frozenset({LockKind.PRINTER_LINK}),
    ),
    "hand-pay pending (51)": Row(
        makes=cash_out_without_printer,
        kind=LockKind.HAND_PAY,
        off="pnc",
        undo=hand("printer_replug"),
        ends="reset key",
        tower=BOTH,
        beside=frozenset({LockKind.PRINTER_LINK}),
    ),
    "program changed (36)": Row(
        makes=report(ProgramChecked(version="another", program_hash="f" * 64)),
        kind=LockKind.PROGRAM_CHANGED,
        off="pnc",
        undo=_nothing,
        ends="clear",
        tower=BOTH,
    ),
    "excessive meter increment (20)": Row(
        makes=two_large_notes,
        kind=LockKind.EXCESSIVE_INCREMENT,
        off="pnc",
        undo=_nothing,
        ends="clear",
        tower=BOTH,
    ),
}
