"""`cabinet idle`: whether the machine holds anything of a player's. The package's scripts ask it first.

Rules: the cabinet may run meanwhile; its books are read from a copy. A machine that never had books holds nothing.
Books that are missing or cannot be read are an error, because what they hold is not known; so is an update that runs,
because it stops and starts the machine.
"""

import click

from cabinet.installation.paths import ON_CABINET, Paths
from cabinet.installation.update.books import UnsteadyError, read_running
from cabinet.installation.update.record import is_updating
from cabinet.store.errors import StoreBusyError, StoreError
from cabinet.store.ground import has_books
from cabinet.store.opening import FILE


def find_held(paths: Paths) -> tuple[str, ...]:
    """Returns what of a player's is in the machine, in words; empty for nothing. Raises StoreError."""
    if not (paths.data / FILE).exists():
        if has_books(paths.mark):
            raise StoreError(
                f"{paths.data}: the books of this machine are not here, so it is not known what it holds; connect the "
                "medium with the data, then try again"
            )
        return ()
    try:
        return read_running(paths).held
    except UnsteadyError as error:
        raise StoreBusyError(str(error)) from error


def say_held(paths: Paths = ON_CABINET) -> int:
    """Prints what is held; returns the exit code. Raises StoreError."""
    if is_updating(paths):
        raise StoreBusyError("an update of the program is running; wait for its end, then try again")
    held = find_held(paths)
    for thing in held:
        click.echo(f"cabinet: the machine holds {thing}", err=True)
    if not held:
        click.echo("The machine holds nothing of a player's.")
    return int(bool(held))
