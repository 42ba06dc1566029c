"""The machine to show when the cabinet may not start: one lock that names the reason and the money at stake.

Reads damaged data, repairs none of it.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

from cabinet.engine.ledger import Account
from cabinet.engine.money import plain_amount as money
from cabinet.engine.state import Lock, LockKind, Machine
from cabinet.runtime.startup import PLAYERS, SettingsRefusedError
from cabinet.store.errors import StoreError, StorePartitionError, StoreRefusedError
from cabinet.store.salvage import Salvaged, salvage

KEYS_SHOWN: Final = 3
"""Highest number of changed settings on the screen; the log has all of them."""


def fault_machine(error: StoreError, folders: tuple[Path, ...] = ()) -> Machine:
    """Returns the machine to show when the cabinet cannot start. `folders` have the copies of the data."""
    if isinstance(error, SettingsRefusedError):
        return refused_settings(error)
    if isinstance(error, StorePartitionError):
        return missing_partition(error)
    if isinstance(error, StoreRefusedError):
        return refused_data(error, folders)
    return memory_fault(error, folders)


def refused_settings(error: SettingsRefusedError) -> Machine:
    """Returns the machine to show when the settings contradict the journal: which settings, and the money at stake."""
    left = len(error.keys) - KEYS_SHOWN
    keys = (*error.keys[:KEYS_SHOWN], *((f"+{left}",) if left > 0 else ()))
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.SETTINGS_REFUSED, detail=", ".join(keys), cents=error.cents),))


def missing_partition(error: StorePartitionError) -> Machine:
    """Returns the machine to show while the partition of the data is missing. It has no amount: a file in the folder
    that the partition would cover is not of these books."""
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.DATA_PARTITION_MISSING, detail=error.found),))


def refused_data(error: StoreRefusedError, folders: tuple[Path, ...] = ()) -> Machine:
    """Returns the machine to show when sound data may not be used: the finding, and the money in its books where they
    are certain."""
    cents = 0
    with suppress(StoreError, OSError):
        saved = salvage(folders)
        if saved.certain and not saved.suspect:
            cents = sum(saved.machine.books.balance(account) for account in PLAYERS)
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.DATA_REFUSED, detail=error.found, cents=max(0, cents)),))


def memory_fault(error: StoreError, folders: tuple[Path, ...] = ()) -> Machine:
    """Returns the machine to show when the journal is unusable; it has no books. The lock names the players' money, as
    far as the damaged copies in `folders` show it."""
    try:
        saved = salvage(folders)
    except (StoreError, OSError):
        return Machine(locks=(Lock(lock_id=1, kind=LockKind.MEMORY, detail=str(error)),))
    books = saved.machine.books
    amounts = ", ".join(_amount(saved, account) for account in PLAYERS if books.balance(account))
    nothing = "none" if saved.certain else "none, which is not certain"
    detail = f"{error}. Players' money, as far as can be read: {amounts or nothing}"
    cents = sum(books.balance(account) for account in PLAYERS)
    return Machine(locks=(Lock(lock_id=1, kind=LockKind.MEMORY, detail=detail, cents=max(0, cents)),))


def _amount(saved: Salvaged, account: Account) -> str:
    """Returns a balance as text, marked if it may be wrong."""
    mark = " ?" if account.value in saved.suspect else ""
    return f"{account.value.replace('_', ' ')} {money(saved.machine.books.balance(account))}{mark}"
