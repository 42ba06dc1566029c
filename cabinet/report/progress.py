"""Shows on standard error how far a long command is; nothing where no person watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

Update = Callable[..., None]
"""Receives what has changed: `completed`, `total`, `description`."""


@contextmanager
def progress(description: str, total: float | None = None, console: Console | None = None) -> Iterator[Update]:
    """Shows a bar during the block; yields the function that moves it."""
    watched = console or Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=watched, transient=True, disable=not watched.is_terminal) as bar:
        yield partial(bar.update, bar.add_task(description, total=total))
