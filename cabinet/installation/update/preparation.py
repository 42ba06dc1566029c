"""What an update does before the change of versions: its checks, the copy of the books, the trial of the new version.

Rules: the checks change nothing. The new version is unpacked beside the one that runs and tried on a copy of the books,
which the old version must find in order afterwards; a failure leaves the old version as it was.
"""

from dataclasses import replace
from pathlib import Path

from cabinet.installation.durable import PARTIAL, copy_file, copy_folder, remove_folder
from cabinet.installation.update.books import (
    Figures,
    UnsteadyError,
    copy_books,
    read_figures,
    read_running,
    trial_folder,
)
from cabinet.installation.update.comparison import why_busy, why_different, why_not_started, worse
from cabinet.installation.update.environment import FailedError, Updater
from cabinet.installation.update.package_file import SIGNATURE_ENDING, unpack
from cabinet.installation.update.plan import (
    RefusedError,
    UpdatePlan,
    check_media,
    check_signature,
    plan_back,
    plan_update,
)
from cabinet.installation.update.versions import complete_folder, unpacking
from cabinet.store.errors import StoreError


def make_plan(updater: Updater, file: Path | None) -> tuple[UpdatePlan, Figures]:
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


def prepare(updater: Updater, plan: UpdatePlan) -> Figures:
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


def _unpack(updater: Updater, plan: UpdatePlan) -> None:
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


def _try(updater: Updater, plan: UpdatePlan, before: Figures) -> None:
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
        closed = f"version {plan.old.version} cannot use the books after a start of {plan.new.version}: no way back"
        _refuse(closed, old.verify(place))
    finally:
        remove_folder(place)
