"""What the attendant does at the menu that moves no money: view the last games, take out of service.

Rules that hold: out of service is a lock like any other. Knows no menu.
"""

from cabinet.engine import locks
from cabinet.engine.effects import Reason
from cabinet.engine.inputs import RecallViewed, SetOutOfService
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind, Machine, Settings
from cabinet.engine.step import StepBuilder


def why_not_service(_settings: Settings, machine: Machine, command: SetOutOfService) -> Reason | None:
    """Out of service and back, each only from the other."""
    out = locks.find(machine, LockKind.OUT_OF_SERVICE) is not None
    return Reason.NOT_NOW if out is command.out else None


def set_out_of_service(step: StepBuilder, command: SetOutOfService) -> None:
    """Takes the machine out of service, or puts it back."""
    if command.out:
        locks.add_lock(step, LockKind.OUT_OF_SERVICE)
        step.log(LogKind.OUT_OF_SERVICE)
        return
    lock = locks.find(step.machine, LockKind.OUT_OF_SERVICE)
    if lock is not None:
        locks.clear_lock(step, lock)
        step.log(LogKind.BACK_IN_SERVICE)


def recall_viewed(step: StepBuilder, _fact: RecallViewed) -> None:
    """The attendant views the last games."""
    step.log(LogKind.RECALL_VIEWED)
