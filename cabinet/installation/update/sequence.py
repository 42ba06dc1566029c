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

from pathlib import Path

from cabinet.installation.errors import describe
from cabinet.installation.update.change import change_over
from cabinet.installation.update.environment import ADVICE, ERRORS, Outcome, Updater
from cabinet.installation.update.plan import RefusedError, UpdatePlan
from cabinet.installation.update.preparation import make_plan, prepare
from cabinet.installation.update.record import Record, RunningError, Stage, read_record, right_to_update, write_record
from cabinet.installation.update.way_out import end_update, give_up, remove_incomplete


def update(updater: Updater, file: Path | None, *, dry_run: bool = False) -> Outcome:
    """Brings the cabinet to the version in `file`, or back to the version before where `file` is None.

    Raises InstallationError or OSError while nothing has been changed.
    """
    if dry_run:
        plan, _ = make_plan(updater, file)
        updater.say(plan.show_steps(updater.paths))
        updater.say("Nothing was changed: this was a dry run.")
        return Outcome.DONE
    with right_to_update(updater.paths):
        remove_incomplete(updater.paths)
        _finish_last(updater, back=file is None)
        plan, before = make_plan(updater, file)
        record = _record_of(plan)
        try:
            write_record(updater.paths, record)
            before = prepare(updater, plan)
        except ERRORS as error:
            updater.say(f"{describe(error)}.")
            return give_up(updater, record)
        except BaseException:
            give_up(updater, record)
            raise
        return change_over(updater, plan, record, before)


def resume(updater: Updater, *, at_start: bool) -> Outcome:
    """Completes or undoes an interrupted update. Does nothing while an update is running, because that update also
    starts the service, which calls this. `at_start` is True before a start of the service, which then follows by
    itself. Raises RecordError."""
    try:
        with right_to_update(updater.paths):
            remove_incomplete(updater.paths)
            record = read_record(updater.paths)
            if record is None:
                updater.say("There is no unfinished update.")
                return Outcome.DONE
            try:
                return end_update(updater, record, at_start=at_start)
            except ERRORS as error:
                updater.say(f"{describe(error)}. {ADVICE}.")
                return Outcome.NEEDS_HELP
    except RunningError:
        updater.say("An update is running; it ends by itself.")
        return Outcome.DONE


def _finish_last(updater: Updater, *, back: bool) -> None:
    """Ends an update that was interrupted or waited for the technician. Raises RefusedError where another one may not
    begin."""
    record = read_record(updater.paths)
    if record is None:
        return
    end_update(updater, record)
    left = read_record(updater.paths)
    if left is None or (back and left.stage is Stage.PROVED):
        return
    if left.stage is Stage.PROVED:
        raise RefusedError(
            f"version {left.new} is not confirmed yet: the technician clears *program changed* in the menu, or "
            "`cabinet update --back` goes back; then try again"
        )
    raise RefusedError(f"the update to version {left.new} was interrupted and cannot be ended now; see above")


def _record_of(plan: UpdatePlan) -> Record:
    return Record(
        stage=Stage.PREPARING,
        old=plan.old.version,
        old_form=plan.old.form,
        new=plan.new.version,
        unpacked=plan.package is not None,
    )
