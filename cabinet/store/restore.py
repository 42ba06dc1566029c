"""Restores the first copy of the data from the second, on the order of a person.

Rules: it never overwrites data; it only reads the second copy; the next start locks, because money may have moved
later. The module does not know the content of a journal.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from cabinet.store import mark, mirror
from cabinet.store.errors import StoreDamagedError, StoreError, StoreMissingError
from cabinet.store.opening import FILE, is_there, own_folder, why_out_of_reach
from cabinet.store.reports import newest_time_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was written anew: its newest row, and the newest time in it that could be trusted, 0 for none."""

    seq: int
    newest_ms: int


def restore(source: Path, folder: Path) -> Restored:
    """Write the first copy in `folder` anew from the second in `source`, on a person's word; the next start locks.

    StoreError when there is already data in `folder`, or none in `source` that is sound.
    """
    if is_there(folder / FILE):
        raise StoreError(f"{folder / FILE}: there is data here; nothing was written. Give an empty folder")
    if mirror.is_behind(folder):
        raise StoreError(f"{folder}: the second copy misses steps that were kept here; call the technician")
    with ExitStack() as owned:
        if trouble := why_out_of_reach(source):
            raise StoreMissingError(f"{trouble}; connect the medium of the second copy")
        owned.enter_context(own_folder(source))
        found, connection = mirror.look(source, owned)
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
