"""Whether a start may use the data in a folder, before it writes there.

Rules: a refusal leaves every byte and every time of the folder as it was, because refused data is evidence; a lock file
is created only in an accepted folder. The module knows the first copy alone; `mirror.py` compares two copies.
"""

from contextlib import ExitStack, suppress
from pathlib import Path

from cabinet.store import mark, mirror
from cabinet.store.errors import StoreDamagedError, StoreFullError
from cabinet.store.ground import Ground
from cabinet.store.head import read_head
from cabinet.store.mirror import Condition, Copy
from cabinet.store.opening import FILE, explained, is_there
from cabinet.store.reading import lost_file, made_ready, open_unchanged
from cabinet.store.record import Progress


def accept(folder: Path, ground: Ground, progress: Progress | None = None) -> None:
    """Reads all of the only copy. `progress` receives rows done and rows in all.

    Raises StoreDamagedError when the data contradicts itself, StoreNewError when `ground` allows no new machine,
    StoreNewerError when a newer program wrote the data, StoreFullError when the medium refuses.
    """
    steps = _steps(folder, progress)
    _accept_marks(folder, steps)
    if not steps:
        ground.check_new()


def accept_copies(folder: Path, ground: Ground, first: Copy, second: Copy) -> None:
    """Checks what two examined copies do not say themselves. Raises StoreDamagedError when a mark of the first copy
    contradicts them or cannot be read, StoreNewError when `ground` allows no new machine."""
    steps = max((copy.seq for copy in (first, second) if copy.condition is Condition.SOUND), default=0)
    _accept_marks(folder, steps)
    if not steps:
        ground.check_new()


def _steps(folder: Path, progress: Progress | None) -> int:
    """Returns the number of the newest row; 0 without a journal."""
    path = folder / FILE
    try:
        if lost := lost_file(folder):
            raise StoreDamagedError(f"{lost}, and call the technician")
        if not is_there(path):
            return 0
    except OSError as error:
        raise StoreFullError(f"{path}: cannot be read: {error.strerror}; check the medium") from error
    with ExitStack() as opened, explained(path):
        connection = made_ready(open_unchanged(folder, opened), folder, opened)
        steps, _, _ = read_head(connection, checked=False, progress=progress)
        return steps


def _accept_marks(folder: Path, steps: int) -> None:
    """Raises StoreDamagedError for marks that contradict the journal or cannot be read. An invalid number of the newest
    row is a doubt, which the journal records."""
    mark.is_marked(folder)
    mirror.read_doubt(folder)
    with suppress(mark.UnreadableNumberError):
        mark.check(folder, folder / FILE, steps=steps)
