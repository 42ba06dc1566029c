"""The change to a new version: the link, the start, and the proof that the version is in order.

Rules: the record is durable before the link changes. A version that is not proved within a minute is taken back, unless
it has already written its own form of the books, which the old version cannot read.
"""

from contextlib import suppress
from dataclasses import replace

from cabinet.installation.errors import describe
from cabinet.installation.update.books import Figures, UnsteadyError, read_running
from cabinet.installation.update.comparison import why_different, why_not_started
from cabinet.installation.update.environment import CLEARS, ERRORS, FailedError, MovedOnError, Outcome, Updater
from cabinet.installation.update.plan import UpdatePlan
from cabinet.installation.update.record import Record, Stage, write_record
from cabinet.installation.update.versions import switch
from cabinet.installation.update.way_out import go_back
from cabinet.store.errors import StoreError, StoreNewerError


def change_over(updater: Updater, plan: UpdatePlan, record: Record, before: Figures) -> Outcome:
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
        updater.say(f"{error}. It stays: version {plan.old.version} cannot read the books any more. {CLEARS}.")
        with suppress(OSError):  # the next start of the system finds the form of the books, too
            write_record(updater.paths, replace(record, stage=Stage.PROVED))
        return Outcome.NEEDS_HELP
    except ERRORS as error:
        return go_back(updater, record, describe(error))
    except BaseException:
        go_back(updater, record, "the update was interrupted")
        raise
    updater.say(
        f"Version {plan.new.version} runs; every balance and meter is as it was. The technician now clears *program "
        "changed* in the menu and puts the machine back in service."
    )
    if plan.package is not None:
        updater.say(f"Until then `cabinet update --back` goes back to version {plan.old.version}.")
    return Outcome.DONE


def _prove(updater: Updater, plan: UpdatePlan, before: Figures) -> None:
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


def _problems(updater: Updater, plan: UpdatePlan, before: Figures) -> tuple[str, ...]:
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
