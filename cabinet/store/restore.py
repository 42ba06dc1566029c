"""Restores the first copy of the data from the second, on the order of a person.

Rules: it never overwrites data; it only reads the second copy; the next start locks, because money may have moved
later. The module does not know the content of a journal.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from cabinet.store import mark, mirror
from cabinet.store.errors import StoreDamagedError, StoreError, StoreMissingError
from cabinet.store.opening import FILE, is_there, own_folder, own_known, why_out_of_reach
from cabinet.store.reports import newest_time_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """The restored copy: its newest row, and its newest trusted time, 0 for none."""

    seq: int
    newest_ms: int


def restore(source: Path, folder: Path) -> Restored:
    """Writes the first copy in `folder` from the second in `source`, on the order of a person; the next start locks.

    Raises StoreError when `folder` has data already, or when `source` has no sound copy.
    """
    if is_there(folder / FILE):
        raise StoreError(f"{folder / FILE}: there is data here; nothing was written. Give an empty folder")
    if mirror.is_behind(folder):
        raise StoreError(f"{folder}: the second copy misses steps that were kept here; call the technician")
    with ExitStack() as owned:
        if trouble := why_out_of_reach(source):
            raise StoreMissingError(f"{trouble}; connect the medium of the second copy")
        own_known(source, owned)
        found, connection = mirror.find_copy(source, owned)
        if connection is None or found.condition is not mirror.Condition.SOUND:
            raise StoreDamagedError(f"{source}: the second copy is {found.condition.value}{mirror.because(found)}")
        if found.seq < (known := mark.reached_if_known(folder)):
            raise StoreError(
                f"{source}: ends at row {found.seq}, but the machine had got to row {known}; nothing was written, "
                "call the technician"
            )
        owned.enter_context(own_folder(folder))
        mirror.doubt(connection, found, folder)
        mirror.renew(connection, folder)
        return Restored(seq=found.seq, newest_ms=newest_time_ms(connection))
