"""A cabinet whose memory a technician clears in the middle of its life, as the steps a journal keeps."""

from support.machines import Cabinet, seated

from cabinet.engine.inputs import (
    CashOut,
    Door,
    DoorClosed,
    Input,
    Key,
    KeyTurned,
    PrepareMemoryClear,
    SettleLock,
    Settlement,
    TicketPrinted,
)
from cabinet.engine.state import LockKind
from cabinet.engine.step import Step

CLEARS: Input = KeyTurned(key=Key.RESET, on=True)
"""The input that clears a prepared memory."""


def prepared() -> Cabinet:
    """A cabinet that has paid its player out, with the technician there and the clear prepared."""
    cabinet = seated("table", credit=500)
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    cabinet.technician()
    cabinet.do(PrepareMemoryClear(on=True))
    return cabinet


def back_to_play(cabinet: Cabinet) -> None:
    """The technician leaves, a player comes."""
    cabinet.do(DoorClosed(door=Door.LOGIC))
    lock = cabinet.lock(LockKind.LOGIC_DOOR)
    cabinet.do(SettleLock(lock_id=lock.lock_id, how=Settlement.CLEAR), KeyTurned(key=Key.AUDIT, on=False))
    cabinet.note(2_000)


def cleared_steps() -> list[tuple[Input, Step]]:
    """The whole life: money, a clear, money again."""
    cabinet = prepared()
    cabinet.do(CLEARS)
    back_to_play(cabinet)
    return cabinet.history
