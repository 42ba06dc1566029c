"""Changes the version of the program without a change of the books: the order of an update, and its undo at every
point.

Rules:
- At every moment `current` leads to a complete version, and the record says what to undo if the power fails now.
- Before the link changes, a failure leaves the old version as it was. After it, a new version that is not proved within
  a minute is taken back, unless it has already written its own form of the books, which the old version cannot read.
- Only the program writes in the data folder; the update reads it, and tries the new version on a copy.
- The old version stays until the technician has confirmed the new one.

The module knows no command line; its caller passes clock, service and output.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Final

from cabinet.engine.record_facts import UpdateTakenBack
from cabinet.installation.errors import InstallationError
from cabinet.installation.health import why_busy, why_different, why_not_started, worse
from cabinet.installation.package_file import SIGNATURE_ENDING, unpack
from cabinet.installation.paths import SERVICE, Paths
from cabinet.installation.update_books import (
    Figures,
    UnsteadyError,
    copy_books,
    read_figures,
    read_running,
    trial_folder,
)
from cabinet.installation.update_files import PARTIAL, copy_file, copy_folder, remove_folder, remove_partial
from cabinet.installation.update_plan import Plan, RefusedError, check_media, check_signature, plan_back, plan_update
from cabinet.installation.update_program import Program
from cabinet.installation.update_record import (
    Record,
    RunningError,
    Stage,
    read_record,
    remove_record,
    right_to_update,
    write_record,
    write_taken_back,
)
from cabinet.installation.update_service import Service
from cabinet.installation.versions import (
    complete_folder,
    current_release,
    drop_versions,
    switch,
    switch_back,
    unpacking,
)
from cabinet.store.errors import StoreBusyError, StoreError, StoreNewerError
from cabinet.store.reading import find_form

TRIAL_S: Final = 60.0
"""How long a new version may need until it is ready and has no new lock, in seconds."""
STEADY_S: Final = 5.0
"""How long it must then stay so, in seconds."""
POLL_S: Final = 1.0
_ADVICE: Final = "The record of the update stays: run `cabinet update --resume`, or switch the cabinet off and on"
_CLEARS: Final = "The technician checks the machine and clears *program changed* in the menu"


class Outcome(Enum):
    """How an update ended; the values are the exit codes of the command."""

    DONE = 0
    REFUSED = 1
    WENT_BACK = 4
    """The new version did not prove itself; the version before runs."""
    NEEDS_HELP = 5
    """The cabinet does not run correctly, and the update cannot change that."""


class FailedError(InstallationError):
    """The new version is not proved. The message says why."""


class MovedOnError(InstallationError):
    """The new version has written its own form of the books: the version before cannot read them any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How long an update waits, in seconds."""

    trial_s: float = TRIAL_S
    again_s: float = TRIAL_S
    """How long the version before may need until it is ready again."""
    steady_s: float = STEADY_S
    poll_s: float = POLL_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Updater:
    """The environment of an update."""

    paths: Paths
    service: Service
    say: Callable[[str], None]
    """Shows one line to the technician."""
    now: Callable[[], float]
    """Monotonic seconds."""
    sleep: Callable[[float], object]
    date: str
    """The time of day for the name of a copy, such as `20261201-101500`."""
    mounts: str = ""
    """The kernel's list of file systems; empty where it is not asked."""
    pace: Pace = field(default_factory=Pace)

    def program(self, version: str) -> Program:
        """Returns a version as something to ask."""
        return Program(paths=self.paths, folder=self.paths.version(version))


_ERRORS = (OSError, InstallationError, StoreError)
"""Errors that end an update; any other error is a fault of the program, and undoes the update as well."""


# --- the three commands -----------------------------------------------------------------------------------------


def update(updater: Updater, file: Path | None, *, dry_run: bool = False) -> Outcome:
    """Brings the cabinet to the version in `file`, or back to the version before where `file` is None.

    Raises InstallationError or OSError while nothing has been changed.
    """
    if dry_run:
        plan, _ = _plan(updater, file)
        updater.say(plan.show_steps(updater.paths))
        updater.say("Nothing was changed: this was a dry run.")
        return Outcome.DONE
    with right_to_update(updater.paths):
        _clean(updater.paths)
        _finish_last(updater, back=file is None)
        plan, before = _plan(updater, file)
        record = _record_of(plan)
        try:
            write_record(updater.paths, record)
            before = _prepare(updater, plan)
        except _ERRORS as error:
            updater.say(f"{error}.")
            return _give_up(updater, record)
        except BaseException:
            _give_up(updater, record)
            raise
        return _change_over(updater, plan, record, before)


def resume(updater: Updater, *, at_start: bool) -> Outcome:
    """Completes or undoes an interrupted update. Does nothing while an update is running, because that update also
    starts the service, which calls this. `at_start` is True before a start of the service, which then follows by
    itself. Raises RecordError."""
    try:
        with right_to_update(updater.paths):
            _clean(updater.paths)
            record = read_record(updater.paths)
            if record is None:
                updater.say("There is no unfinished update.")
                return Outcome.DONE
            try:
                return _end(updater, record, at_start=at_start)
            except _ERRORS as error:
                updater.say(f"{error}. {_ADVICE}.")
                return Outcome.NEEDS_HELP
    except RunningError:
        updater.say("An update is running; it ends by itself.")
        return Outcome.DONE


def _clean(paths: Paths) -> None:
    """Removes the incomplete files of an interrupted update."""
    remove_partial(paths.programs)
    remove_partial(paths.update)


def _finish_last(updater: Updater, *, back: bool) -> None:
    """Ends an update that was interrupted or waited for the technician. Raises RefusedError where another one may not
    begin."""
    record = read_record(updater.paths)
    if record is None:
        return
    _end(updater, record)
    left = read_record(updater.paths)
    if left is None or (back and left.stage is Stage.PROVED):
        return
    if left.stage is Stage.PROVED:
        raise RefusedError(
            f"version {left.new} is not confirmed yet: the technician clears *program changed* in the menu, or "
            "`cabinet update --back` goes back; then try again"
        )
    raise RefusedError(f"the update to version {left.new} was interrupted and cannot be ended now; see above")


# --- before the change ------------------------------------------------------------------------------------------


def _plan(updater: Updater, file: Path | None) -> tuple[Plan, Figures]:
    """Makes every check that changes nothing, and prints what an update will do."""
    paths, say = updater.paths, updater.say
    plan = None
    check_media(paths, updater.mounts)
    if file is not None:
        plan = plan_update(paths, file)
        say(f"{file} is signed: {plan.comment}")
    try:
        before = read_running(paths)
    except (StoreError, UnsteadyError) as error:
        raise RefusedError(f"{error}. Nothing was changed") from error
    plan = plan or plan_back(paths, before.form)
    _check_idle(before)
    say(
        f"Version {plan.old.version} runs, {plan.new.version} is to run. The books have form {before.form}; "
        f"{plan.new.version} writes form {plan.new.form} once the technician has cleared *program changed*."
    )
    say("The machine is out of service and holds nothing of a player's.")
    return plan, before


def _check_idle(figures: Figures) -> None:
    if busy := why_busy(figures):
        raise RefusedError("; ".join(busy))


def _record_of(plan: Plan) -> Record:
    return Record(
        stage=Stage.PREPARING,
        old=plan.old.version,
        old_form=plan.old.form,
        new=plan.new.version,
        unpacked=plan.package is not None,
    )


def _give_up(updater: Updater, record: Record) -> Outcome:
    """Removes the files made before the change of versions, and starts the old version again."""
    try:
        _end_preparing(updater, record)
    except _ERRORS as error:
        updater.say(f"{error}. {_ADVICE}.")
        return Outcome.NEEDS_HELP
    return Outcome.REFUSED


def _prepare(updater: Updater, plan: Plan) -> Figures:
    """Stops the cabinet, copies the books, unpacks and tries the new version; returns the figures of the stop."""
    paths, say = updater.paths, updater.say
    say("Stopping the cabinet; a note in flight is finished first.")
    updater.service.stop()
    say("Checking every row of the books.")
    _refuse("the books are not in order", updater.program(plan.old.version).verify(paths.data))
    before = read_figures(paths.data)
    _check_idle(before)
    copy = copy_books(paths, updater.date, plan.old.version)
    say(f"The books are copied to {copy}.")
    if plan.package is not None:
        _unpack(updater, plan)
    _try(updater, plan, before)
    return before


def _refuse(what: str, problems: tuple[str, ...]) -> None:
    if problems:
        raise FailedError(f"{what}: {'; '.join(problems)}")


def _unpack(updater: Updater, plan: Plan) -> None:
    """Unpacks from a copy of the file that is verified again: the stick may have changed or gone meanwhile."""
    assert plan.package is not None
    paths, file = updater.paths, plan.package.file
    updater.say(f"Unpacking version {plan.new.version}.")
    place = paths.update / f"package{PARTIAL}"
    own = place / file.name
    place.mkdir()
    for name in (file.name, f"{file.name}{SIGNATURE_ENDING}"):
        copy_file(file.with_name(name), place / name)
    check_signature(paths, own)
    unpack(replace(plan.package, file=own), paths, unpacking(paths, plan.new.version))
    complete_folder(paths, plan.new.version)
    remove_folder(place)


def _try(updater: Updater, plan: Plan, before: Figures) -> None:
    """Lets the new version check and start on a copy of the books, without devices. Raises FailedError."""
    paths, place = updater.paths, trial_folder(updater.paths)
    old, new = updater.program(plan.old.version), updater.program(plan.new.version)
    updater.say(f"Trying version {plan.new.version} on a copy of the books.")
    remove_folder(place)
    copy_folder(paths.data, place)
    try:
        _refuse(f"version {plan.new.version} says that the books are not in order", new.verify(place))
        found = worse(old.bad_findings(place), new.bad_findings(place))
        _refuse(f"the doctor of version {plan.new.version} finds something bad", found)
        rehearsed = new.rehearse(place)
        problems = [
            *why_different(before, rehearsed.figures, back=plan.package is None),
            *why_not_started(before, rehearsed.figures, plan.new.version),
        ]
        if rehearsed.figures.form > plan.old.form:
            problems.append(f"it moves the books to form {rehearsed.figures.form} at once, so there is no way back")
        _refuse(f"version {plan.new.version} does not start as it should", tuple(problems))
    finally:
        remove_folder(place)


# --- the change, and what follows it ----------------------------------------------------------------------------


def _change_over(updater: Updater, plan: Plan, record: Record, before: Figures) -> Outcome:
    """Lets the new version run, and takes it back if it is not proved."""
    record = replace(record, stage=Stage.TRYING)
    try:
        write_record(updater.paths, record)
        switch(updater.paths, plan.new.version)
        updater.service.reload()
        updater.say(f"Starting version {plan.new.version}.")
        updater.service.start()
        _prove(updater, plan, before)
        write_record(updater.paths, replace(record, stage=Stage.PROVED))
    except MovedOnError as error:
        updater.say(f"{error}. It stays: version {plan.old.version} cannot read the books any more. {_CLEARS}.")
        with suppress(OSError):  # the next start of the system finds the form of the books, too
            write_record(updater.paths, replace(record, stage=Stage.PROVED))
        return Outcome.NEEDS_HELP
    except _ERRORS as error:
        return _go_back(updater, record, str(error))
    except BaseException:
        _go_back(updater, record, "the update was interrupted")
        raise
    updater.say(
        f"Version {plan.new.version} runs; every balance and meter is as it was. The technician now clears *program "
        "changed* in the menu and puts the machine back in service."
    )
    if plan.package is not None:
        updater.say(f"Until then `cabinet update --back` goes back to version {plan.old.version}.")
    return Outcome.DONE


def _prove(updater: Updater, plan: Plan, before: Figures) -> None:
    """Waits until the new version is ready, with equal figures and no new lock, for a while. Raises FailedError."""
    pace, until_s = updater.pace, updater.now() + updater.pace.trial_s
    good_since_s: float | None = None
    while True:
        problems, now_s = _problems(updater, plan, before), updater.now()
        if problems:
            good_since_s = None
            if now_s >= until_s:
                raise FailedError(f"version {plan.new.version} is not in order: {'; '.join(problems)}")
        else:
            good_since_s = now_s if good_since_s is None else good_since_s
            if now_s - good_since_s >= pace.steady_s:
                return
        updater.sleep(pace.poll_s)


def _problems(updater: Updater, plan: Plan, before: Figures) -> tuple[str, ...]:
    """Returns the conditions that are not met yet. Raises MovedOnError."""
    if not updater.service.is_ready():
        return ("the service is not ready",)
    try:
        after = read_running(updater.paths)
    except StoreNewerError as error:
        raise MovedOnError(f"{error}") from error
    except (StoreError, UnsteadyError) as error:
        return (str(error),)
    if after.form > plan.old.form:
        raise MovedOnError(f"Version {plan.new.version} has moved the books to form {after.form}")
    back = plan.package is None
    return (*why_not_started(before, after, plan.new.version), *why_different(before, after, back=back))


def _go_back(updater: Updater, record: Record, why: str) -> Outcome:
    """Takes an unproved version back and starts the one before it."""
    updater.say(f"{why}.")
    updater.say(f"Going back to version {record.old}.")
    try:
        updater.service.stop()
        return _take_back(updater, record, why, at_start=False)
    except _ERRORS as error:
        updater.say(f"Going back has failed: {error}. {_ADVICE}.")
        return Outcome.NEEDS_HELP


def _start_again(updater: Updater) -> None:
    """Starts the version that `current` leads to, if it does not run, and waits for it. Raises FailedError."""
    _start(updater)
    version = current_release(updater.paths).version
    until_s = updater.now() + updater.pace.again_s
    while not updater.service.is_ready():
        if updater.now() >= until_s:
            raise FailedError(f"version {version} was started again and is not ready; see `journalctl -u {SERVICE}`")
        updater.sleep(updater.pace.poll_s)


def _start(updater: Updater) -> None:
    if not updater.service.is_up():
        updater.service.start()


# --- the way out ------------------------------------------------------------------------------------------------


def _end(updater: Updater, record: Record, *, at_start: bool = False) -> Outcome:
    """Ends an unfinished update from any stage. May be repeated at any point."""
    if record.stage is Stage.PREPARING:
        return _end_preparing(updater, record, at_start=at_start)
    if record.stage is Stage.PROVED:
        return _confirm(updater, record)
    return _take_back(updater, record, "the update was interrupted", at_start=at_start)


def _end_preparing(updater: Updater, record: Record, *, at_start: bool = False) -> Outcome:
    """Ends an update whose new version has not run. The record stays until the version before is ready."""
    _undo(updater, record)
    if not at_start:
        _start_again(updater)
    remove_record(updater.paths)
    how = "starts" if at_start else "runs again"
    updater.say(f"The update to version {record.new} had not begun to run; version {record.old} {how}, unchanged.")
    return Outcome.DONE


def _take_back(updater: Updater, record: Record, why: str, *, at_start: bool) -> Outcome:
    """Leads `current` to the version before, unless it cannot read the books any more. The record stays until the
    version before is ready."""
    paths = updater.paths
    try:
        form = _form(paths)
    except StoreNewerError:
        form = record.old_form + 1
    except (StoreError, UnsteadyError, OSError) as error:
        if not at_start:
            _start(updater)
        updater.say(
            f"{error}. Whether version {record.old} can read the books is not known: nothing was changed. Connect the "
            f"medium of {paths.data}. {_ADVICE}."
        )
        return Outcome.NEEDS_HELP
    if form > record.old_form:
        write_record(paths, replace(record, stage=Stage.PROVED))
        if not at_start:
            _start(updater)
        updater.say(
            f"The books already have form {form}, which version {record.old} cannot read: {record.new} stays. If it "
            f"does not start, see `journalctl -u {SERVICE}`. {_CLEARS}."
        )
        return Outcome.NEEDS_HELP
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


def _form(paths: Paths) -> int:
    """Returns the form of the books, whether or not a cabinet runs on them."""
    try:
        return find_form(paths.data)
    except StoreBusyError:
        return read_running(paths).form


def _undo(updater: Updater, record: Record) -> None:
    """Removes the files of an update, except the copy of the books and the record."""
    paths = updater.paths
    _clean(paths)
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
        updater.say(f"{error}. Whether version {record.new} is confirmed is not known.")
        return Outcome.DONE
    if waiting:
        updater.say(f"Version {record.new} waits for the technician, who clears *program changed*.")
        return Outcome.DONE
    gone = drop_versions(paths, frozenset({record.old, record.new}))
    remove_record(paths)
    updater.say(f"Version {record.new} is confirmed. Removed: {', '.join(gone) or 'nothing'}.")
    return Outcome.DONE
