"""`cabinet setup`: makes a cabinet of a Pi on which the package is installed, shows each change, and takes all back.

Rules: questions come first, then the plan is shown, then it is made; a dry run ends after the plan. The settings, the
books and the second copy are the operator's: an undo leaves them. The files of the system are changed by
`cabinet.installation.setup.changes` alone. After the changes the system's own programs put them in force, and the
doctor has the last word.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from cabinet.commands.idle import find_held
from cabinet.commands.setup_live import begin_and_examine, end_undo, put_in_force, set_boot_loader
from cabinet.config.settings import Config, ConfigError, parse
from cabinet.config.text_file import read_text
from cabinet.installation.durable import write_file
from cabinet.installation.paths import DATA_LABEL, NAME, ON_CABINET, Paths
from cabinet.installation.remount import writable
from cabinet.installation.root import check_root
from cabinet.installation.setup.answers import Answers, check_answer, make_answers, read_answers
from cabinet.installation.setup.changes import (
    Change,
    Kind,
    apply_changes,
    plan_undo,
    show_change,
    undo_changes,
)
from cabinet.installation.setup.known import answers_to_keep, find_known
from cabinet.installation.setup.plan import SetupPlan, Site, plan_setup
from cabinet.installation.setup.questions import DEFAULTS, QUESTIONS, Form, Question, read_typed, show_typed
from cabinet.installation.setup.settings_file import write_value
from cabinet.installation.system.board import Board, examine_board, why_unfit
from cabinet.installation.system.eeprom import BEFORE
from cabinet.installation.system.socket_watch import ask_udev, find_lines, learn_socket
from cabinet.installation.system.sockets import SocketError
from cabinet.installation.update.record import is_updating
from cabinet.store.errors import StoreError
from cabinet.store.ground import has_books
from cabinet.store.opening import FILE
from cabinet.text.shipped import SAMPLE_SETTINGS, assets_folder
from cabinet.window.signals import shutdown_requested

KEPT: Final = "answers.toml"
"""The answers of the last set-up, without the PIN."""
USB_RULES: Final = f"63-{NAME}-usb.rules"
PAUSE_S: Final = 0.25
PLUG_CHECKS: Final = 480
"""Number of checks for a plug: two minutes."""


class SetupError(Exception):
    """The set-up cannot go on; the message says why and what to do."""


def _pause() -> None:
    time.sleep(PAUSE_S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the command."""

    root: Path
    live: bool
    """True if the changed system is the one that runs."""
    answers: Path | None = None
    yes: bool = False
    dry_run: bool = False
    simulated: bool = False
    may: Callable[[Path, int], bool] = os.access
    """True if the program has a right on a path."""
    pause: Callable[[], None] = _pause
    """The wait between two checks for a plug."""

    @property
    def paths(self) -> Paths:
        """Returns the paths below the root."""
        return Paths(root=self.root)


def set_up(options: Options) -> int:
    """Asks, shows and makes the changes; returns the exit code. Raises errors with a sentence."""
    check_root(options.paths)
    if options.dry_run:
        return _set_up(options)
    _check_rights(options)
    with _alone(options.paths), _answered():
        return _set_up(options)


def _set_up(options: Options) -> int:
    paths = options.paths
    board = examine_board(paths)
    _refuse_other_machines(board, options)
    answers = _find_answers(options, board)
    if options.live:
        _refuse_to_hide_books(answers, paths)
    plan = plan_setup(_site(answers, paths, board))
    _show(plan)
    _refuse_with_money(plan, paths)
    if options.dry_run:
        click.echo("Dry run: nothing was written.")
        return 0
    if plan.changes and not options.yes and not click.confirm("Make these changes", default=True):
        click.echo("Nothing was written.")
        return 1
    if not options.live:
        _apply(plan, answers, paths)
        click.echo(f"Done below {options.root}. What a running system needs besides follows at the next set-up there.")
        return 0
    with writable(paths, click.echo):
        _apply(plan, answers, paths)
        put_in_force(answers, paths)
        set_boot_loader(board, answers, paths)
        code = begin_and_examine(answers, paths)
    click.echo("Restart the Pi now: reboot")
    return code


def take_back(options: Options) -> int:
    """Undoes the set-up; returns the exit code. Raises errors with a sentence."""
    check_root(options.paths)
    if options.dry_run:
        return _take_back(options)
    _check_rights(options)
    with _alone(options.paths), _answered():
        return _take_back(options)


def _take_back(options: Options) -> int:
    changes = plan_undo(options.paths)
    if not changes:
        click.echo(f"There is no set-up to take back below {options.root}: nothing was changed.")
        end_undo(options.paths, live=False)
        return 0
    for change in changes:
        if change.needed:
            click.echo(show_change(change))
    if options.dry_run:
        click.echo("Dry run: nothing was written.")
        return 0
    needed = any(change.needed for change in changes)
    if needed and not options.yes and not click.confirm("Undo these changes", default=False):
        click.echo("Nothing was written.")
        return 1
    with writable(options.paths, click.echo) if options.live else nullcontext():
        _show_undone(undo_changes(options.paths, keep=(BEFORE,)))
    end_undo(options.paths, live=options.live)
    return 0


def _show_undone(changes: tuple[Change, ...]) -> None:
    restored = [change for change in changes if change.needed and not change.edited]
    click.echo(f"Files that are as they were before the set-up: {len(restored)}.")
    for change in changes:
        if change.edited:
            what = "the lines of the set-up are removed, the edit stays" if change.needed else "it stays as it is"
            click.echo(f"Note: {change.path} was edited since the set-up: {what}.")
    click.echo("The settings, the books and their second copy stay.")


def _check_rights(options: Options) -> None:
    folder = options.paths.fstab.parent
    if not options.may(folder, os.W_OK):
        raise SetupError(f"{folder} cannot be written, expected the rights of root; run it with: sudo cabinet setup")


@contextmanager
def _alone(paths: Paths) -> Iterator[None]:
    """Keeps another set-up away meanwhile, without a file of its own. Raises SetupError while one or an update runs."""
    handle = os.open(paths.fstab.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_updating(paths):
            raise SetupError("an update of the program is running; wait for its end, then repeat the set-up")
        yield
    except BlockingIOError as error:
        raise SetupError("another set-up is running on this system; wait for its end") from error
    finally:
        os.close(handle)


@contextmanager
def _answered() -> Iterator[None]:
    """Raises SetupError where a question meets the end of the input and not a person who interrupts."""
    try:
        yield
    except click.Abort as error:
        if shutdown_requested():
            raise
        raise SetupError(
            "no answer can be read, because the input has ended; run the set-up on a terminal, or give --answers FILE "
            "and --yes"
        ) from error


def _refuse_to_hide_books(answers: Answers, paths: Paths) -> None:
    """Raises SetupError where the partition would be mounted over books: the machine would miss them, with what they
    hold of a player's."""
    if answers.books_partition and (paths.data / FILE).exists() and not paths.data.is_mount():
        raise SetupError(
            f"books_partition: found true, and there are books in {paths.data} which the partition {DATA_LABEL} would "
            f"hide; answer false, or stop the cabinet, copy {paths.data} to the partition and empty the folder first"
        )


def _refuse_other_machines(board: Board, options: Options) -> None:
    if options.simulated:
        return
    if problems := why_unfit(board, model_needed=options.live):
        raise SetupError(f"this machine cannot be a cabinet: {'; '.join(problems)}")


# --- answers ----------------------------------------------------------------------------------------------------


def _find_answers(options: Options, board: Board) -> Answers:
    known = find_known(options.paths, options.paths.setup / KEPT, board)
    if options.answers is not None:
        text = _read_answers_file(options.answers)
        try:
            return read_answers(text, simulated=options.simulated, known={**DEFAULTS, **known})
        except ConfigError as error:
            raise ConfigError(f"{options.answers}: {error}") from error
    if options.yes:
        return make_answers({**DEFAULTS, **known}, simulated=options.simulated)
    begun = has_books(options.paths.mark)
    return _ask_all({**DEFAULTS, **known, "commission": not begun}, board, options)


def _read_answers_file(path: Path) -> str:
    try:
        return read_text(path)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def _ask_all(known: Mapping[str, object], board: Board, options: Options) -> Answers:
    click.echo(f"{board.model or 'This machine'}. An empty line takes the answer in brackets.")
    click.echo("Nothing is written before you have seen each change and said yes.")
    given: dict[str, object] = {}
    for question in QUESTIONS:
        asked = question.applies(given) and (not question.pi or board.pi in question.pi)
        if question.form is Form.SOCKET:
            given[question.name] = _ask_socket(question, known, options) if asked and options.live else ""
        elif asked:
            given[question.name] = _ask(question, known.get(question.name), options)
    return make_answers(given, simulated=options.simulated)


def _ask(question: Question, default: object, options: Options) -> object:
    """Asks until the answer can be used."""
    secret = question.form is Form.SECRET
    shown = "" if default is None else show_typed(question, default)
    words = _wording(question, keeps=secret and bool(default))
    while True:
        text = click.prompt(
            words, default=shown, show_default=bool(shown), hide_input=secret, confirmation_prompt=secret
        )
        try:
            value = default if secret and not text and default else read_typed(question, text)
            check_answer(question.name, value, simulated=options.simulated)
        except ConfigError as error:
            click.echo(f"  {error}")
        else:
            return value


def _wording(question: Question, *, keeps: bool) -> str:
    """Returns the question with its choices; `keeps` where an empty line keeps a secret that is set."""
    mark = "?" if question.form is Form.YES_NO else ""
    choices = f" ({', '.join(question.choices)})" if question.choices else ""
    return f"{question.ask}{mark}{choices}{'; empty to keep the one that is set' if keeps else ''}"


def _ask_socket(question: Question, known: Mapping[str, object], options: Options) -> str:
    """Learns a socket from a plug. Returns an empty text to keep the known one, or to go on without it."""
    before = str(known.get(question.name) or "")
    if before and not click.confirm(f"The socket of {question.ask} is {before}. Learn it again", default=False):
        return before
    while click.confirm(f"Unplug {question.ask}'s USB plug if it is in. Ready to plug it in", default=True):
        click.echo("  Plug it into the socket that it is to keep ...")
        try:
            path = learn_socket(lambda: find_lines(options.paths), ask_udev, options.pause, checks=PLUG_CHECKS)
        except SocketError as error:
            click.echo(f"  {error}")
        else:
            click.echo(f"  Learned: {path}")
            return path
    return before


# --- plan -------------------------------------------------------------------------------------------------------


def _site(answers: Answers, paths: Paths, board: Board) -> Site:
    sample = (assets_folder() / SAMPLE_SETTINGS).read_text(encoding="utf-8")
    return Site(answers=answers, paths=paths, board=board, sample=sample, usb_rules=_usb_rules(paths))


def _usb_rules(paths: Paths) -> str:
    shipped = paths.share() / "udev" / USB_RULES
    return shipped.read_text(encoding="utf-8", errors="replace") if shipped.is_file() else ""


def _refuse_with_money(plan: SetupPlan, paths: Paths) -> None:
    """Raises SetupError where settings of money and play are to change and the machine holds money: it would refuse
    them at its next start, and take no money until the old file is back."""
    change = next((each for each in plan.changes if each.kind is Kind.SETTINGS and each.before is not None), None)
    if change is None or _of_money(plan.config) == _of_money_in(change.before or b""):
        return
    try:
        held = find_held(paths)
    except StoreError as error:
        click.echo(f"Note: the books cannot be read, so it is not known what the machine holds: {error}")
        return
    if held:
        raise SetupError(
            f"the machine holds {', '.join(held)}: settings of money and play cannot change now; pay the player first, "
            "or leave these answers as they were"
        )


def _of_money(config: Config) -> tuple[object, ...]:
    """Returns what the machine refuses to change while it holds money."""
    return config.settings(), config.machine.number, config.machine.currency


def _of_money_in(text: bytes) -> tuple[object, ...] | None:
    """Returns the same of a settings file; None for one that is not valid."""
    try:
        return _of_money(parse(text.decode("utf-8", errors="replace"), ON_CABINET.settings))
    except ConfigError:
        return None


def _show(plan: SetupPlan) -> None:
    for remark in plan.access:
        click.echo(f"Note: {remark}\n")
    for change in plan.changes:
        click.echo(show_change(change))
    if not plan.changes:
        click.echo("Everything is as wanted: nothing to change.")
    for remark in plan.remarks:
        click.echo(f"Note: {remark}")


def _apply(plan: SetupPlan, answers: Answers, paths: Paths) -> None:
    made = apply_changes(plan.changes, paths)
    kept = "".join(f"{name} = {write_value(value)}\n" for name, value in answers_to_keep(answers).items())
    if _text(paths.setup / KEPT) != kept:
        write_file(paths.setup / KEPT, kept.encode("utf-8"), mode=0o600)
    if answers.second_copy:
        paths.second.mkdir(parents=True, exist_ok=True)
    if made:
        click.echo(f"{len(made)} files were changed; `cabinet setup --undo` takes this back.")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
