"""The record of an unfinished update, and the lock that permits only one update at a time.

Rules: the record is written before each change that it can undo, and removed when the update is over; it is outside the
books. One process at a time has the lock; the lock ends with the process. The module decides nothing.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Final

import msgspec

from cabinet.engine.record_facts import UpdateTakenBack
from cabinet.installation.durable import make_folder, remove_file, write_file
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import Paths

RECORD: Final = "update.json"
LOCK: Final = "update.lock"
TAKEN_BACK: Final = "taken-back.json"


class Stage(Enum):
    """The stage of an update."""

    PREPARING = "preparing"
    """The version before still runs at the next start; the new one may be incomplete."""
    TRYING = "trying"
    """The new version may be the one that runs, and is not proved."""
    PROVED = "proved"
    """The new version runs and is proved; the technician has not confirmed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """An unfinished update."""

    stage: Stage
    old: str
    """The version before."""
    old_form: int
    """The newest form of the journal that the version before reads."""
    new: str
    """The version that is to run."""
    unpacked: bool
    """True if the update unpacks the new version; False if the cabinet goes back to a version that is installed
    already."""


class RecordError(InstallationError):
    """The record cannot be read, or another update is running."""


class RunningError(RecordError):
    """Another update is running."""


def read_record(paths: Paths) -> Record | None:
    """Returns the unfinished update; None without one. Raises RecordError."""
    path = paths.update / RECORD
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, OSError) as error:
        raise RecordError(
            f"{path}: the record of an update cannot be read: {error}; {paths.current} leads to the version "
            "that runs; start the cabinet, and remove the file when it plays"
        ) from error


def write_record(paths: Paths, record: Record) -> None:
    """Makes the record durable."""
    write_file(paths.update / RECORD, msgspec.json.encode(record))


def remove_record(paths: Paths) -> None:
    """Ends the update."""
    remove_file(paths.update / RECORD)


def write_taken_back(paths: Paths, fact: UpdateTakenBack) -> None:
    """Writes the fact durably for the program that runs again."""
    write_file(paths.update / TAKEN_BACK, msgspec.json.encode(fact))


def read_taken_back(paths: Paths) -> UpdateTakenBack | None:
    """Returns the last update that was taken back; None without one, or where it cannot be read: it is only news."""
    try:
        return msgspec.json.decode((paths.update / TAKEN_BACK).read_bytes(), type=UpdateTakenBack)
    except (msgspec.DecodeError, OSError):
        return None


def is_updating(paths: Paths) -> bool:
    """Returns True while an update is running. Changes nothing."""
    try:
        handle = os.open(paths.update / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def right_to_update(paths: Paths) -> Iterator[None]:
    """Keeps every other update away meanwhile. Raises RunningError while one is running."""
    make_folder(paths.update)
    handle = os.open(paths.update / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise RunningError(f"{paths.update / LOCK}: another update is running; wait for its end") from error
        yield
    finally:
        os.close(handle)
