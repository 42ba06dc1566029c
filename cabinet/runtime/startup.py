"""The facts of a start: how the last run ended, what has changed since, and the identity of the machine.

Reads and writes facts in the journal. Knows no device and no screen; of money only whether the machine holds any.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from cabinet.config.key_names import Unguarded, named, word
from cabinet.engine.inputs import (
    CopiesNotCompared,
    Fact,
    MemoryRecovered,
    PoweredUp,
    RecordsDoubted,
    SettingsChanged,
    SingleCopyFound,
)
from cabinet.engine.ledger import Account
from cabinet.engine.money import plain_amount
from cabinet.engine.state import Machine, Settings
from cabinet.engine.technician import holdings
from cabinet.runtime.program import program_hash, program_version
from cabinet.runtime.shoe import new_secret
from cabinet.store import reports
from cabinet.store.errors import StoreError
from cabinet.store.journal import Copies, Journal
from cabinet.store.tickets import ISSUED

RELEASED_MS = 1_790_000_000_000
"""The time at which this program was written, in milliseconds since 1970; an earlier clock is wrong."""

PLAYERS = (Account.CREDIT, Account.TABLE, Account.IN_TRANSIT, Account.SUSPENSE)
"""The accounts of money that is, or may be, a player's."""

ON_TICKETS = frozenset({"currency", "machine_number"})
"""Settings that define the value and the owner of a printed ticket; they cannot change while one is unpaid."""

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_RUNNING, _KERNEL, _BOOTS, _SECRET, _SETTINGS = "running", "kernel boot", "boots", "ticket secret", "settings"
_OTHERS = "other settings"
_SHOWN, _HIDDEN = "shown", "hidden"
STRETCHES = 100_000
"""Rounds of the hash of a secret setting: trying all PINs takes hours."""


class SettingsRefusedError(StoreError):
    """The settings were changed while the machine holds a player's money. The data is sound."""

    def __init__(self, message: str, *, keys: tuple[str, ...], cents: int) -> None:
        """`keys` are the changed settings by their names in the file; `cents` is the players' money in the machine."""
        super().__init__(message)
        self.keys = keys
        self.cents = cents


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """This start: its number, the facts for the first steps, and the secret of the ticket numbers."""

    number: int
    facts: tuple[Fact, ...]
    settings: str
    """The guarded settings, to be remembered after the facts are durable."""
    others: str
    """The other settings, to be remembered at the same time."""
    secret: bytes = field(repr=False)
    clock_floor_ms: int
    """The newest trusted time in the journal; a clock before it has gone back."""


def ticket_secret(journal: Journal) -> bytes:
    """Returns the secret of this machine; the first start creates it, and nothing shows it."""
    known = journal.fact(_SECRET)
    if known is None:
        known = new_secret().hex()
        journal.remember(_SECRET, known)
    return bytes.fromhex(known)


def open_run(
    journal: Journal,
    settings: Settings,
    *,
    check_program: bool,
    identity: Mapping[str, str | int] | None = None,
    others: Unguarded | None = None,
) -> Boot:
    """Compares this start with the last run and records that a run has begun.

    `identity` are other values that give money and tickets their meaning, such as the currency; they are guarded too.
    `others` are settings that may change at any time; their changes are reported in the same way.
    `check_program` compares the program's files with those of the last run. SettingsRefusedError when the settings
    differ and the machine holds money or an open hand, or when what stands on a printed ticket differs and the books
    owe one. Call `acknowledge` when the facts are durable.
    """
    plain = _guarded(settings, identity or {})
    changed = _changed_settings(journal, plain)
    secret = ticket_secret(journal)
    kept = _keep_others(others or Unguarded(), secret)
    other = _changed_others(journal, kept)
    kernel = BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
    clean = journal.fact(_RUNNING) != "yes"
    same_kernel = bool(kernel) and journal.fact(_KERNEL) == kernel
    number = int(journal.fact(_BOOTS) or "0") + 1
    journal.remember(_BOOTS, str(number))
    journal.remember(_KERNEL, kernel)
    journal.remember(_RUNNING, "yes")
    powered = PoweredUp(
        clean=clean,
        crashed=not clean and same_kernel,
        version=program_version(),
        program_hash=program_hash() if check_program else "",
    )
    return Boot(
        number=number,
        facts=(powered, *_found(journal), *filter(None, (changed, other))),
        settings=plain,
        others=kept,
        secret=secret,
        clock_floor_ms=reports.newest_time_ms(journal.connection),
    )


def _found(journal: Journal) -> Iterator[Fact]:
    """Yields the findings about the copies of the journal."""
    for detail in journal.recovered:
        yield MemoryRecovered(detail=detail)
    if journal.copies is Copies.ONE:
        yield SingleCopyFound()
    if journal.unseen:
        yield CopiesNotCompared(detail=journal.unseen)
    if journal.doubt:
        yield RecordsDoubted(detail=journal.doubt)


def acknowledge(journal: Journal, boot: Boot) -> None:
    """Called after the start-up facts are durable: remembers these settings as known, and forgets a doubt, which is a
    lock now."""
    if any(isinstance(fact, RecordsDoubted) for fact in boot.facts):
        journal.forget_doubt()
    for name, kept in ((_SETTINGS, boot.settings), (_OTHERS, boot.others)):
        if journal.fact(name) != kept:
            journal.remember(name, kept)


def close_run(journal: Journal) -> None:
    """Records that this run ended in order."""
    journal.remember(_RUNNING, "no")


# --- settings ---------------------------------------------------------------------------------------------------


def plain_settings(settings: Settings) -> dict[str, Any]:
    """Returns the settings as plain data, each table under the name of its game."""
    plain: dict[str, Any] = msgspec.to_builtins(settings)
    tables = plain.pop("tables")
    for table in tables:
        del table["rules"]["title"]  # the program's name for the game, which is no setting
    by_game = {table["rules"]["game_id"]: table for table in tables}
    return {"games": list(by_game), **plain, **by_game}


def whose(facts: Mapping[str, str], number: int) -> str:
    """Returns the machine that wrote these facts, if it is not this one; empty for this one, and if unknown."""
    known = msgspec.json.decode(facts.get(_SETTINGS, "{}")).get("machine_number", number)
    return "" if known == number else f"machine {known:04d}"


def remember_settings(journal: Journal, settings: Settings, identity: Mapping[str, str | int]) -> None:
    """Remembers the guarded settings with which the books begin, so that they say whose they are before any start."""
    journal.remember(_SETTINGS, _guarded(settings, identity))


def _guarded(settings: Settings, identity: Mapping[str, str | int]) -> str:
    return msgspec.json.encode({**plain_settings(settings), **identity}).decode()


def _changed_settings(journal: Journal, plain: str) -> SettingsChanged | None:
    known = journal.fact(_SETTINGS)
    if known is None:
        return None
    changes = tuple(differences(msgspec.json.decode(known), msgspec.json.decode(plain)))
    if not changes:
        return None
    _refuse_with_money(journal, changes)
    return _report_changes(named(changes), of_play=True)


def _keep_others(others: Unguarded, secret: bytes) -> str:
    """Returns the other settings in their stored form, with secrets only as hashes."""
    hidden = {key: _hide(key, value, secret) for key, value in others.hidden.items()}
    return msgspec.json.encode({_SHOWN: others.shown, _HIDDEN: hidden}).decode()


def _hide(key: str, value: str, secret: bytes) -> str:
    return hashlib.pbkdf2_hmac("sha256", value.encode(), key.encode() + secret, STRETCHES).hex() if value else ""


def _changed_others(journal: Journal, plain: str) -> SettingsChanged | None:
    known = journal.fact(_OTHERS)
    if known is None:
        return None
    old, new = msgspec.json.decode(known), msgspec.json.decode(plain)
    changes = [(key, word(was), word(is_)) for key, was, is_ in differences(old[_SHOWN], new[_SHOWN])]
    # The guarded settings report a secret that came or went.
    secret = [key for key, was, is_ in differences(old[_HIDDEN], new[_HIDDEN]) if was and is_]
    changes += [(key, "not shown", "another") for key in secret]
    return _report_changes(changes, of_play=False) if changes else None


def _report_changes(changes: Sequence[tuple[str, str, str]], *, of_play: bool) -> SettingsChanged:
    return SettingsChanged(
        old=", ".join(f"{key}={old}" for key, old, _ in changes),
        new=", ".join(f"{key}={new}" for key, _, new in changes),
        of_play=of_play,
    )


def differences(old: Mapping[str, Any], new: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yields each difference: key, old value, new value.

    It skips a key that only one side has: it came or went with a program version or a game, which other facts report.
    """
    for key in sorted(old.keys() & new.keys()):
        was, is_, full = old[key], new[key], f"{path}.{key}" if path else key
        if isinstance(was, dict) and isinstance(is_, dict):
            yield from differences(was, is_, full)
        elif was != is_:
            yield full, was, is_


def _refuse_with_money(journal: Journal, changes: tuple[tuple[str, Any, Any], ...]) -> None:
    machine = journal.machine
    if machine is None:
        return
    on_paper = not ON_TICKETS.isdisjoint(name for name, _, _ in changes)
    things = (*holdings(machine), *(_owed_on_tickets(journal, machine) if on_paper else ()))
    if not things:
        return
    differing = named(changes)
    words = ", ".join(f"{key} from {old} to {new}" for key, old, new in differing)
    pay = "; pay the tickets by hand, or begin with empty data folders" if on_paper else ""
    accounts = (*PLAYERS, Account.TICKETS) if on_paper else PLAYERS
    raise SettingsRefusedError(
        f"the settings were changed ({words}) while the machine holds {' and '.join(things)}; start it with the "
        f"settings of the last run, finish the hand and pay the player{pay}, then change them",
        keys=tuple(key for key, _, _ in differing),
        cents=sum(max(0, machine.books.balance(account)) for account in accounts),
    )


def _owed_on_tickets(journal: Journal, machine: Machine) -> Iterator[str]:
    """Yields the amount of unpaid printed tickets, with those from before a memory clear: their paper is valid in the
    settings of its time."""
    out = reports.unpaid_tickets(journal.connection)
    old = sum(row.cents for row in out if row.state != ISSUED)
    cents = machine.books.balance(Account.TICKETS) + old
    if cents:
        yield f"{plain_amount(cents)} owed on printed tickets ({len(out)} listed)"
