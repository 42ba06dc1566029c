"""The way out of an update at every stage: the version before runs again, or the new one is confirmed.

Rules: each way may be repeated at any point. The record stays until the version before is ready. A version that cannot
read the books, or is not installed any more, does not come back. The version before goes only after the technician has
confirmed the new one.
"""

from contextlib import suppress
from dataclasses import replace

from cabinet.engine.record_facts import UpdateTakenBack
from cabinet.installation.durable import remove_folder, remove_partial
from cabinet.installation.errors import describe
from cabinet.installation.paths import SERVICE, Paths
from cabinet.installation.update.books import UnsteadyError, read_running, trial_folder
from cabinet.installation.update.environment import ADVICE, CLEARS, ERRORS, FailedError, Outcome, Updater
from cabinet.installation.update.record import Record, Stage, remove_record, write_record, write_taken_back
from cabinet.installation.update.versions import RELEASE, current_release, drop_versions, switch_back
from cabinet.store.errors import StoreBusyError, StoreError, StoreNewerError
from cabinet.store.reading import find_form


def end_update(updater: Updater, record: Record, *, at_start: bool = False) -> Outcome:
    """Ends an unfinished update from any stage. May be repeated at any point."""
    if record.stage is Stage.PREPARING:
        return end_preparing(updater, record, at_start=at_start)
    if record.stage is Stage.PROVED:
        return _confirm(updater, record)
    return _take_back(updater, record, "the update was interrupted", at_start=at_start)


def end_preparing(updater: Updater, record: Record, *, at_start: bool = False) -> Outcome:
    """Ends an update whose new version has not run. The record stays until the version before is ready."""
    _undo(updater, record)
    if not at_start:
        _start_again(updater)
    remove_record(updater.paths)
    how = "starts" if at_start else "runs again"
    updater.say(f"The update to version {record.new} had not begun to run; version {record.old} {how}, unchanged.")
    return Outcome.DONE


def _take_back(updater: Updater, record: Record, why: str, *, at_start: bool) -> Outcome:
    """Goes back to the version before, unless it cannot read the books any more. The record stays until the version
    before is ready."""
    paths = updater.paths
    if gone := _why_stay(paths, record):
        if not at_start:
            _start(updater)
        remove_record(paths)
        updater.say(f"{gone}: {current_release(paths).version} stays. {CLEARS}.")
        return Outcome.NEEDS_HELP
    try:
        form = _form(paths)
    except StoreNewerError:
        form = record.old_form + 1
    except (StoreError, UnsteadyError, OSError) as error:
        if not at_start:
            _start(updater)
        updater.say(
            f"{describe(error)}. Whether version {record.old} can read the books is not known: nothing was changed. "
            f"Connect the medium of {paths.data}. {ADVICE}."
        )
        return Outcome.NEEDS_HELP
    if form > record.old_form:
        write_record(paths, replace(record, stage=Stage.PROVED))
        if not at_start:
            _start(updater)
        updater.say(
            f"The books already have form {form}, which version {record.old} cannot read: {record.new} stays. If it "
            f"does not start, see `journalctl -u {SERVICE}`. {CLEARS}."
        )
        return Outcome.NEEDS_HELP
    return _go_back(updater, record, why, at_start=at_start)


def _go_back(updater: Updater, record: Record, why: str, *, at_start: bool) -> Outcome:
    """Leads `current` to the version before, which can read the books."""
    paths = updater.paths
    if not at_start:
        updater.service.stop()
    with suppress(OSError):  # a full medium does not stop the way back
        write_taken_back(paths, UpdateTakenBack(version=record.new, at=updater.date, why=why))
    switch_back(paths, record.old)
    updater.service.reload()
    _undo(updater, record)
    if not at_start:
        _start_again(updater)
    remove_record(paths)
    updater.say(f"Version {record.old} {'starts' if at_start else 'runs again'}: {why}.")
    return Outcome.WENT_BACK


def _why_stay(paths: Paths, record: Record) -> str:
    """Returns why the version before cannot come back whatever the books are, because apt has changed the versions
    since; empty if it can."""
    current = current_release(paths).version
    if current not in {record.old, record.new}:
        return f"Version {current} was installed since, and the update to {record.new} is over"
    if not (paths.version(record.old) / RELEASE).is_file():
        return f"Version {record.old} is not installed any more"
    return ""


def _form(paths: Paths) -> int:
    """Returns the form of the books, whether or not a cabinet runs on them."""
    try:
        return find_form(paths.data)
    except StoreBusyError:
        return read_running(paths).form


def _undo(updater: Updater, record: Record) -> None:
    """Removes the files of an update, except the copy of the books and the record."""
    paths = updater.paths
    remove_incomplete(paths)
    remove_folder(trial_folder(paths))
    current = current_release(paths).version
    if record.unpacked and record.new != current:
        remove_folder(paths.version(record.new))


def _confirm(updater: Updater, record: Record) -> Outcome:
    """Removes older versions once the technician has confirmed the program; keeps the two newest ones."""
    paths = updater.paths
    try:
        waiting = read_running(paths).changed
    except (StoreError, UnsteadyError, OSError) as error:
        updater.say(f"{describe(error)}. Whether version {record.new} is confirmed is not known.")
        return Outcome.DONE
    if waiting:
        updater.say(f"Version {record.new} waits for the technician, who clears *program changed*.")
        return Outcome.DONE
    gone = drop_versions(paths, frozenset({record.old, record.new}))
    remove_record(paths)
    updater.say(f"Version {record.new} is confirmed. Removed: {', '.join(gone) or 'nothing'}.")
    return Outcome.DONE


def give_up(updater: Updater, record: Record) -> Outcome:
    """Removes the files made before the change of versions, and starts the old version again. A signal does not
    interrupt it."""
    with updater.undisturbed():
        try:
            end_preparing(updater, record)
        except ERRORS as error:
            updater.say(f"{describe(error)}. {ADVICE}.")
            return Outcome.NEEDS_HELP
        return Outcome.REFUSED


def go_back(updater: Updater, record: Record, why: str) -> Outcome:
    """Takes an unproved version back and starts the one before it. A signal does not interrupt it."""
    with updater.undisturbed():
        updater.say(f"{why}.")
        updater.say(f"Going back to version {record.old}.")
        try:
            updater.service.stop()
            return _take_back(updater, record, why, at_start=False)
        except ERRORS as error:
            updater.say(f"Going back has failed: {describe(error)}. {ADVICE}.")
            return Outcome.NEEDS_HELP


def _start_again(updater: Updater) -> None:
    """Starts the version that `current` leads to, if it does not run, and waits for it. Raises FailedError.

    A service that is still stopping, because its stop was interrupted, is started once it has stopped.
    """
    _start(updater)
    version = current_release(updater.paths).version
    until_s = updater.now() + updater.pace.again_s
    while not updater.service.is_ready():
        if updater.now() >= until_s:
            raise FailedError(f"version {version} was started again and is not ready; see `journalctl -u {SERVICE}`")
        updater.sleep(updater.pace.poll_s)
        _start(updater)


def _start(updater: Updater) -> None:
    if not updater.service.is_up():
        updater.service.start()


def remove_incomplete(paths: Paths) -> None:
    """Removes the incomplete files of an interrupted update."""
    remove_partial(paths.programs)
    remove_partial(paths.update)
