"""Decides whether a new version may take over, by comparing the findings and figures of two versions. Pure.

Rules: a version is not healthy if it finds something bad that the version before did not find, if a balance or a meter
differs, or if the machine has a new lock, except *program changed* and the locks of a person who opens the machine
meanwhile.
"""

from collections.abc import Mapping

from cabinet.engine.state import LockKind
from cabinet.installation.update.books import Figures

ALLOWED = frozenset(
    kind.value
    for kind in (
        LockKind.PROGRAM_CHANGED,
        LockKind.LOGIC_DOOR,
        LockKind.MAIN_DOOR,
        LockKind.CASHBOX_DOOR,
        LockKind.CASHBOX_REMOVED,
        LockKind.DOOR_WHILE_OFF,
    )
)
"""Locks that may come during an update: the one that each update adds, and those of doors that a technician opens."""


def why_busy(figures: Figures) -> tuple[str, ...]:
    """Returns why a machine may not be updated now, each with the remedy; empty if it may."""
    held = tuple(f"the machine holds {thing}: pay the player or settle it, then try again" for thing in figures.held)
    if figures.out_of_service:
        return held
    return (*held, "the machine is in service: choose *Take out of service* in the menu, then try again")


def why_different(before: Figures, after: Figures, *, back: bool) -> tuple[str, ...]:
    """Returns the figures that differ and must not, and the new locks; empty if the versions agree.

    With `back` the cabinet goes back to the version before, which need not know every meter.
    """
    amounts = (
        f"{name} was {before.accounts.get(name, 0)} and is {after.accounts.get(name, 0)}"
        for name in sorted(before.accounts.keys() | after.accounts.keys())
        if before.accounts.get(name, 0) != after.accounts.get(name, 0)
    )
    meters = (
        f"the meter {name} was {before.meters[name]} and is {after.meters[name]}"
        for name in sorted(before.meters.keys() & after.meters.keys())
        if before.meters[name] != after.meters[name]
    )
    missing = () if back else sorted(before.meters.keys() - after.meters.keys())
    gone = (f"the meter {name} is missing" for name in missing)
    locks = (f"the machine is locked: {kind}" for kind in after.locks if kind not in ALLOWED.union(before.locks))
    return (*amounts, *meters, *gone, *dict.fromkeys(locks))


def why_not_started(before: Figures, after: Figures, version: str) -> tuple[str, ...]:
    """Returns why the books do not show a start of this version since `before`; empty if they do."""
    if after.start <= before.start:
        return (f"the books show no start of version {version}",)
    if after.program != version:
        return (f"the books show a start of version {after.program}, expected {version}",)
    return ()


def worse(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the bad findings of the new version on checks that were not bad before; both are check to finding."""
    return tuple(f"{what}: {found}" for what, found in new.items() if what not in old)
