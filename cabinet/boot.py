"""What the cabinet learns about itself before it starts: how the last run ended, what has changed since, who it is.

Reads and remembers facts in the journal. Does not know devices, the screen or money beyond "is there any".
"""

import hashlib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec

from cabinet.chance import new_secret
from cabinet.engine.inputs import Fact, PoweredUp, SettingsChanged
from cabinet.engine.locks import hand_open
from cabinet.engine.state import Machine, Settings
from cabinet.store.errors import StoreError
from cabinet.store.journal import Journal

RELEASED_MS = 1_790_000_000_000
"""No clock that can be believed shows a time before this program was written."""

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
PACKAGES = ("cabinet", "drivers")
_RUNNING, _KERNEL, _BOOTS, _SECRET, _SETTINGS = "running", "kernel boot", "boots", "ticket secret", "settings"


class SettingsRefusedError(StoreError):
    """The settings were changed while the machine holds somebody's money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boot:
    """This start: its number, what to tell the machine first, and the secret behind ticket numbers."""

    number: int
    facts: tuple[Fact, ...]
    secret: bytes
    clock_floor_ms: int
    """The newest time in the journal: a clock that shows less has gone back."""

    def clock_ok(self, wall_ms: int) -> bool:
        """Whether a wall time can be believed."""
        return wall_ms >= max(RELEASED_MS, self.clock_floor_ms)


def ticket_secret(journal: Journal) -> bytes:
    """The secret of this machine, made at its first start and never shown."""
    known = journal.fact(_SECRET)
    if known is None:
        known = new_secret().hex()
        journal.remember(_SECRET, known)
    return bytes.fromhex(known)


def begin(journal: Journal, settings: Settings, *, check_program: bool) -> Boot:
    """Compare this start with the last run and remember that we are running.

    `check_program` compares the program's files with those of the last run. SettingsRefusedError when the settings
    differ and the machine holds credit or an open hand.
    """
    changed = _changed_settings(journal, settings)
    kernel = BOOT_ID.read_text().strip() if BOOT_ID.exists() else ""
    clean = journal.fact(_RUNNING) != "yes"
    same_kernel = bool(kernel) and journal.fact(_KERNEL) == kernel
    number = int(journal.fact(_BOOTS) or "0") + 1
    (floor,) = journal.connection.execute("SELECT coalesce(max(wall_ms), 0) FROM steps").fetchone()
    journal.remember(_BOOTS, str(number))
    journal.remember(_KERNEL, kernel)
    journal.remember(_RUNNING, "yes")
    powered = PoweredUp(
        clean=clean,
        crashed=not clean and same_kernel,
        version=program_version(),
        program_hash=program_hash() if check_program else "",
    )
    facts = (powered,) if changed is None else (powered, changed)
    return Boot(number=number, facts=facts, secret=ticket_secret(journal), clock_floor_ms=int(floor))


def end(journal: Journal) -> None:
    """Remember that this run ended in order."""
    journal.remember(_RUNNING, "no")


def _changed_settings(journal: Journal, settings: Settings) -> SettingsChanged | None:
    plain = msgspec.json.encode(settings).decode()
    known = journal.fact(_SETTINGS)
    if known is not None and known != plain:
        _refuse_with_money(journal.machine)
    if known != plain:
        journal.remember(_SETTINGS, plain)
    if known is None or known == plain:
        return None
    old, new = _difference(msgspec.json.decode(known), msgspec.json.decode(plain))
    return SettingsChanged(old=old, new=new)


def _refuse_with_money(machine: Machine | None) -> None:
    if machine is None:
        return
    credit = machine.books.credit_cents
    if credit or hand_open(machine) or machine.printing is not None:
        raise SettingsRefusedError(
            f"the settings differ from those of the last run, but the machine holds a credit of {credit} cents"
            f"{' and an open hand' if hand_open(machine) else ''}; start it with the old settings, pay the player, "
            "then change them"
        )


def _difference(old: object, new: object, path: str = "") -> tuple[str, str]:
    """The parts that differ, as short text."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = [
            _difference(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
            for key in sorted(old.keys() | new.keys())
            if old.get(key) != new.get(key)
        ]
        return ", ".join(pair[0] for pair in pairs), ", ".join(pair[1] for pair in pairs)
    return f"{path}={old}", f"{path}={new}"


def program_version() -> str:
    """The version of the installed program."""
    try:
        return metadata.version("blackjack-cabinet")
    except metadata.PackageNotFoundError:
        return "not installed"


def program_hash(root: Path | None = None) -> str:
    """A 128-bit hash over the program's files, in hex; the same files give the same hash on every machine."""
    top = root or Path(__file__).parent.parent
    state = hashlib.blake2b(digest_size=16)
    for package in PACKAGES:
        for path in sorted((top / package).rglob("*")):
            if path.is_file() and path.suffix in {".py", ".json", ".mo"}:
                state.update(str(path.relative_to(top)).encode() + b"\0")
                state.update(path.read_bytes() + b"\0")
    return state.hexdigest()
