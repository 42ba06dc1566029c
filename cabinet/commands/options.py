"""What the commands share: their common options, the way they print, and how an error becomes one sentence.

Every error of a user gives one sentence on standard error and an exit code other than 0, never a traceback.
"""

import functools
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cabinet.engine.errors import RulesError
from cabinet.engine.rules import GAMES
from cabinet.text.shipped import REPAIR, advise

if TYPE_CHECKING:
    from cabinet.report.value import Report

_log = logging.getLogger(__name__)

DEFAULT_DATA = "data/cabinet"
SIMULATED_DATA = "data/simulated"
"""The default folder of a simulated cabinet: never that of a real one."""
TOOLS = "cabinet.tools"
"""The package of the commands that a cabinet can do without; it may be missing."""


def fail(problem: str, code: int) -> NoReturn:
    """Prints the problem as one sentence on standard error and exits."""
    click.echo(f"cabinet: {' '.join(problem.split())}", err=True)
    sys.exit(code)


_ERRORS = (
    ("cabinet.commands.autoplay", "AutoplayError"),
    ("cabinet.tools.bench.engine", "BenchError"),
    ("cabinet.runtime.shoe", "ChanceError"),
    ("cabinet.config.reader", "ConfigError"),
    ("cabinet.commands.setup", "SetupError"),
    ("cabinet.engine.errors", "EngineError"),
    ("cabinet.installation.errors", "InstallationError"),
    ("cabinet.link.client", "LinkError"),
    ("cabinet.statement.errors", "StatementError"),
    ("cabinet.store.errors", "StoreError"),
    ("cabinet.text.po_files", "CatalogueError"),
    ("cabinet.window.display", "WindowError"),
    ("drivers.errors", "DriverError"),
)
"""Our errors that a user can cause or repair, by module."""


def _known_errors() -> tuple[type[Exception], ...]:
    """Returns the errors that become a sentence. A module that was never imported cannot have raised one."""
    ours = (getattr(sys.modules[module], name) for module, name in _ERRORS if module in sys.modules)
    return (*ours, OSError, ImportError)


def speaking(command: Callable[..., None]) -> Callable[..., None]:
    """Turns the errors of our packages and of the system into a sentence and exit code 1."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except _known_errors() as error:
            _log.info("the error", exc_info=error)
            raise click.ClickException(_sentence(error)) from error

    return run


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}; check the path and the rights on it"
    if isinstance(error, ImportError) and error.name == TOOLS:
        return "this command is one of the tools, and the tools are not installed; they are in the complete package"
    if isinstance(error, ImportError):
        return f"the installation is incomplete: {error}; {advise(*REPAIR)}"
    return str(error)


class Whole(click.IntRange):
    """A whole number in a range. An error names what was found and both ends of the range."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Returns the number."""
        least, most = self.min or 0, self.max
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if number < least or (most is not None and number > most):
            span = f"of {least} or more" if most is None else f"from {least} to {most}"
            self.fail(f"found {str(value)!r}, expected a whole number {span}", param, ctx)
        return number


class Word(click.Choice[str]):
    """One of a few words. An error names what was found and all of them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Returns the word."""
        if value not in self.choices:
            self.fail(f"found {str(value)!r}, expected one of {', '.join(self.choices)}", param, ctx)
        return str(value)


def _data_at(
    kind: click.Path, default: str = DEFAULT_DATA, envvar: str | None = "STATE_DIRECTORY"
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--data", type=kind, default=default, show_default=True, envvar=envvar, help="Folder that holds the journal."
    )


data_folder = _data_at(click.Path(file_okay=False, readable=False, path_type=Path))
"""A member of the readers' group reads a running cabinet, and may not read its folder."""
data_to_run_on = _data_at(click.Path(readable=False, path_type=Path))
"""A cabinet shows on its screen what is wrong with its data, so the command line refuses no path."""
data_of_autoplay = _data_at(click.Path(file_okay=False, path_type=Path), "data/autoplay", envvar=None)
"""Never the folder of the service: autoplay has its own books."""


def settings_file(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--config",
        "config_path",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="CABINET_CONFIG",
        help="TOML file with the operator's settings; without it the defaults.",
    )(command)


def as_json_option(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="One JSON document instead of text.")(command)


def game_rules(command: Callable[..., None]) -> Callable[..., None]:
    """A game's rules, with what `--set` changes, as the argument `rules`."""

    @click.argument("game", type=Word(list(GAMES)), metavar="GAME")
    @click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="RULE=VALUE",
        help="Change a rule of the game, such as decks=8; may be given more than once.",
    )
    @functools.wraps(command)
    def run(*args: Any, game: str, settings: tuple[str, ...], **kwargs: Any) -> None:
        from cabinet.commands.par.arguments import change_rules

        try:
            rules = change_rules(GAMES[game], settings)
        except RulesError as error:
            raise click.UsageError(str(error)) from error
        command(*args, rules=rules, **kwargs)

    return run


def print_verdict(report: "Report", as_json: bool) -> NoReturn:
    """Prints a report and exits with its verdict."""
    from cabinet.report.output import print_report

    sys.exit(print_report(report, as_json=as_json))


def example(text: str) -> str:
    return f"\b\nExample:\n  {text}"
