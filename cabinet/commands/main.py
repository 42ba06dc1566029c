"""The `cabinet` command: one group; each subcommand imports its modules when it runs.

Every error of a user gives one sentence on standard error and an exit code other than 0, never a traceback.
"""

import functools
import logging
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cabinet.engine.rules import GAMES, Rules
from cabinet.text.shipped import REPAIR, advise
from cabinet.window.signals import terminable

if TYPE_CHECKING:
    from cabinet.report.value import Report

_log = logging.getLogger(__name__)

DEFAULT_DATA = "data/cabinet"
TOOLS = "cabinet.tools"
"""The package of the commands that a cabinet can do without; it may be missing."""
BUSY = 3
"""The exit code of a check that could not be made because a cabinet is running on the data."""


def _fail(problem: str, code: int) -> NoReturn:
    """Prints the problem as one sentence on standard error and exits."""
    click.echo(f"cabinet: {' '.join(problem.split())}", err=True)
    sys.exit(code)


class _Group(click.Group):
    """A group that reports a wrong call in one sentence, and exits with 130 on an interrupt."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Parse, run, exit."""
        try:
            with terminable():
                sys.exit(super().main(*args, **{**kwargs, "standalone_mode": False}) or 0)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(error.exit_code)
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "cabinet"
            _fail(f"{error.format_message().rstrip('.')}; `{command} --help` says more", error.exit_code)
        except click.ClickException as error:
            _fail(error.format_message(), error.exit_code)
        except click.Abort:
            _fail("interrupted", 130)


_ERRORS = (
    ("cabinet.commands.autoplay", "AutoplayError"),
    ("cabinet.tools.bench.engine", "BenchError"),
    ("cabinet.runtime.shoe", "ChanceError"),
    ("cabinet.config.reader", "ConfigError"),
    ("cabinet.commands.setup", "SetupError"),
    ("cabinet.engine.errors", "EngineError"),
    ("cabinet.installation.errors", "InstallationError"),
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


def _data_at(kind: click.Path) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        "--data",
        type=kind,
        default=DEFAULT_DATA,
        show_default=True,
        envvar="STATE_DIRECTORY",
        help="Folder that holds the journal.",
    )


_data = _data_at(click.Path(file_okay=False, path_type=Path))
_data_to_run_on = _data_at(click.Path(readable=False, path_type=Path))
"""A cabinet shows on its screen what is wrong with its data, so the command line refuses no path."""


def _config(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--config",
        "config_path",
        type=click.Path(dir_okay=False, path_type=Path),
        envvar="CABINET_CONFIG",
        help="TOML file with the operator's settings; without it the defaults.",
    )(command)


def _as_json(command: Callable[..., None]) -> Callable[..., None]:
    return click.option("--json", "as_json", is_flag=True, help="One JSON document instead of text.")(command)


def _game(command: Callable[..., None]) -> Callable[..., None]:
    """A game's rules, with what `--set` changes, as the argument `rules`."""

    @click.argument("game", type=click.Choice(list(GAMES)))
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

        command(*args, rules=change_rules(GAMES[game], settings), **kwargs)

    return run


def _print(report: "Report", as_json: bool) -> NoReturn:
    """Prints a report and exits with its verdict."""
    from cabinet.report.output import print_report

    sys.exit(print_report(report, as_json=as_json))


def _example(text: str) -> str:
    return f"\b\nExample:\n  {text}"


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="blackjack-cabinet", prog_name="cabinet")
@click.option("-v", "--verbose", is_flag=True, help="Say more on standard error.")
def main(verbose: bool) -> None:
    """A blackjack cabinet: deals three games, takes notes, prints tickets, never loses a cent."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)


@main.command(epilog=_example("cabinet run --simulate --windowed --data data/simulated"))
@_data_to_run_on
@_config
@click.option(
    "--simulate", is_flag=True, help="Simulated acceptor, printer and panel; keys work (touch KEYS to see which)."
)
@click.option("--windowed", is_flag=True, help="A window instead of the whole display.")
@speaking
def run(data: Path, config_path: Path | None, simulate: bool, windowed: bool) -> None:
    """Run the cabinet until it is stopped."""
    from cabinet.commands.run import run_cabinet

    sys.exit(run_cabinet(data.absolute(), config_path, simulate=simulate, windowed=windowed))


@main.command(epilog=_example("cabinet autoplay --rounds 30 --data data/autoplay --screens screens"))
@_data
@_config
@click.option("--rounds", type=click.IntRange(0, 1_000_000), default=30, show_default=True, help="Rounds to play.")
@click.option(
    "--screens",
    type=click.Path(file_okay=False, path_type=Path),
    default="screens",
    show_default=True,
    help="Folder for pictures of what was on the screen.",
)
@_as_json
@speaking
def autoplay(data: Path, config_path: Path | None, rounds: int, screens: Path, as_json: bool) -> None:
    """Let the cabinet play by itself on simulated hardware and check its books."""
    from cabinet.commands.pictures import run_autoplay

    _print(run_autoplay(data.absolute(), config_path, rounds=rounds, screens=screens), as_json)


@main.command(epilog=_example("cabinet meters --data data/simulated --json"))
@_data
@_as_json
@speaking
def meters(data: Path, as_json: bool) -> None:
    """Show every meter, lifetime and period, and the accounts.

    Exit code 1 when the data is damaged or has lost its end: a figure with ? may then be wrong.
    """
    from cabinet.commands import journal

    _print(journal.meters_report(journal.read_meters(data)), as_json)


@main.command(epilog=_example("cabinet recall --games 3 --data data/simulated"))
@_data
@click.option(
    "--games", "--rounds", "rounds", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many."
)
@_as_json
@speaking
def recall(data: Path, rounds: int, as_json: bool) -> None:
    """Show the last games card by card, choice by choice.

    Exit code 1 when the data has lost its end: what is left is shown, and the reason is on standard error.
    """
    from cabinet.commands import journal
    from cabinet.report.output import print_report

    found = journal.read_rounds(data, rounds)
    print_report(journal.rounds_report(found), as_json=as_json)
    if found.suspect:
        _fail(found.suspect, 1)


@main.command(epilog=_example("cabinet verify --data data/simulated"))
@_data
@_as_json
@speaking
def verify(data: Path, as_json: bool) -> None:
    """Check the hash chain, every balance, and the meters against the journal. Writes nothing.

    Exit code 0 when all is in order, 1 when anything is wrong or there is nothing to check, 3 when nothing was checked
    because a cabinet is running on the data: stop it first.
    """
    from cabinet.commands import journal
    from cabinet.store.errors import StoreBusyError

    try:
        verdict = journal.check(data)
    except StoreBusyError as error:
        _fail(str(error), BUSY)
    _print(journal.verdict_report(verdict, data), as_json)


@main.command(epilog=_example("cabinet restore /media/second --data /var/lib/blackjack-cabinet"))
@click.argument("second", type=click.Path(file_okay=False, path_type=Path))
@_data
@_config
@speaking
def restore(second: Path, data: Path, config_path: Path | None) -> None:
    """Write the data from its second copy, onto a medium that holds none."""
    from cabinet.commands import journal

    click.echo(journal.restore(second, data, config_path))


@main.command(epilog=_example("cabinet commission --config /etc/blackjack-cabinet/cabinet.toml"))
@_data
@_config
@click.option("--anew", is_flag=True, help="Give up the books that this machine has had.")
@click.option("--out-of-service", is_flag=True, help="Take no money until the technician puts it into service.")
@click.option("--if-new", is_flag=True, help="Leave books that are there, without an error.")
@speaking
def commission(data: Path, config_path: Path | None, **wanted: bool) -> None:
    """Begin the books of a new machine, once, on an empty data folder. A simulated cabinet needs no commissioning."""
    from cabinet.commands.commission import run_command

    click.echo(run_command(config_path, data.absolute(), **wanted))


@main.command(epilog=_example("cabinet setup --dry-run"))
@click.option(
    "--answers", type=click.Path(dir_okay=False, path_type=Path), help="TOML file with answers; asks nothing."
)
@click.option("--yes", is_flag=True, help="Make the changes without asking.")
@click.option("--dry-run", is_flag=True, help="Show the changes, write nothing.")
@click.option("--undo", is_flag=True, help="Take the last set-up back; settings and books stay.")
@click.option("--simulated", is_flag=True, help="Accept any machine, the sample's number and house, and no PIN.")
@click.option("--root", type=click.Path(path_type=Path), default="/", help="Folder of an image, instead of /.")
@click.option("--first-boot", is_flag=True, hidden=True, help="The first start of a card with the image.")
@speaking
def setup(root: Path, undo: bool, first_boot: bool, **wanted: Any) -> None:
    """Make a cabinet of this Pi: ask, show each change with its reason, make it, and call the doctor."""
    from cabinet.commands.first_boot import run_command

    sys.exit(run_command(undo, first_boot, root=root.absolute(), **wanted))


@main.command(epilog=_example("cabinet update /media/usb/blackjack-cabinet_0.2.0_arm64.deb"))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--back", is_flag=True, help="Go back to the version before; possible until this one is confirmed.")
@click.option("--resume", is_flag=True, help="End an update that was interrupted; done at every start of the system.")
@click.option("--at-start", is_flag=True, hidden=True, help="The service starts next: leave its start to the system.")
@click.option("--dry-run", is_flag=True, help="Make the checks, change nothing.")
@click.option("--root", type=click.Path(path_type=Path), default="/", hidden=True, help="Folder instead of /.")
@click.option("--rehearse", type=click.Path(path_type=Path), hidden=True, help="Start on a copy of the books.")
@_config
@speaking
def update(**wanted: Any) -> None:
    """Install the version of the program in FILE; FILE.minisig is its signature. The books stay as they are.

    The machine must be out of service and hold nothing of a player's. Exit code 0 when it is done, 1 when it was
    refused and nothing has changed, 4 when the new version did not prove itself and the version before runs again, 5
    when the cabinet needs a technician.
    """
    from cabinet.commands.update import run_command

    sys.exit(run_command(**wanted))


@main.command(epilog=_example("cabinet idle"))
@speaking
def idle() -> None:
    """Say what of a player's is in the machine: credit, hand, note, payout. Exit code 0 for nothing."""
    from cabinet.commands.idle import say_held

    sys.exit(say_held())


@main.command(epilog=_example("cabinet doctor --config /etc/blackjack-cabinet/cabinet.toml"))
@_data
@_config
@click.option("--simulate", is_flag=True, help="Leave the hardware out, and ask no device.")
@_as_json
@speaking
def doctor(data: Path, config_path: Path | None, simulate: bool, as_json: bool) -> None:
    """Say in plain words what hardware, permissions and files are there, and ask the devices who they are.

    While a cabinet is running its devices are not asked. Exit code 1 when the cabinet could not run.
    """
    from cabinet.commands.doctor.checks import examine
    from cabinet.commands.doctor.findings import findings_report

    _print(findings_report(tuple(examine(data, config_path, simulate=simulate))), as_json)


@main.command(epilog=_example("cabinet devices --json"))
@_as_json
@speaking
def devices(as_json: bool) -> None:
    """List the acceptors and printers that can be used, and what each can promise after a power cut."""
    from cabinet.commands.devices import devices_report

    _print(devices_report(), as_json)


@main.command(epilog=_example("cabinet wiring --svg wiring.svg"))
@_config
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write a page to print to this file; - for standard output.",
)
@_as_json
@speaking
def wiring(config_path: Path | None, svg: Path | None, as_json: bool) -> None:
    """Show what is connected to each pin of the header, as the settings have it."""
    from cabinet.commands.wiring import wiring_report, write_wiring
    from cabinet.config.settings import load

    config = load(config_path)
    if svg is None:
        _print(wiring_report(config), as_json)
    write_wiring(config, svg)


def _drawn(_context: click.Context, _option: click.Parameter, sizes: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a size that no table is shown in, in the words of the window."""
    from cabinet.config.mounting import unfit

    for text in sizes:
        found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
        if found and (why := unfit((int(found[1]), int(found[2])))):
            raise click.BadParameter(f"{text!r} is {why}")
    return sizes


@main.command(epilog=_example("cabinet screens screens --size 1920x1080"))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), required=False)
@click.option(
    "--contact-sheet", type=click.Path(dir_okay=False, path_type=Path), help="Write a dozen states as one PNG instead."
)
@click.option(
    "--size",
    "sizes",
    multiple=True,
    callback=_drawn,
    help="WIDTHxHEIGHT; may be given more than once. Default: all supported.",
)
@click.option("--language", default="en", show_default=True, help="The player's language: en, de, fr or es.")
@speaking
def screens(folder: Path | None, contact_sheet: Path | None, sizes: tuple[str, ...], language: str) -> None:
    """Write a PNG of every state at every supported size."""
    from cabinet.tools.screens import run_contact_sheet, run_screens

    if contact_sheet is not None:
        sys.exit(run_contact_sheet(contact_sheet, language))
    if folder is None:
        raise click.UsageError("Missing argument 'FOLDER': where to write the pictures")
    sys.exit(run_screens(folder, sizes, language))


@main.command(epilog=_example("cabinet bench --json --data /var/lib/blackjack-cabinet"))
@_data
@click.option("--quick", is_flag=True, hidden=True, help="So few samples that the figures mean nothing.")
@_as_json
@speaking
def bench(data: Path, quick: bool, as_json: bool) -> None:
    """Measure frames, commits, rounds, start-up and memory, as ratios taken in one run.

    Commits are measured in a new folder beside the journal, which is left alone.
    """
    from cabinet.tools.bench.report import run_bench

    _print(run_bench(data.absolute(), quick=quick), as_json)


@main.command(epilog=_example("cabinet par classic --set decks=8 --html par.html"))
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page to print to this file.")
@click.option("--effects", is_flag=True, help="Also what changing each rule would do (takes some time).")
@click.option("--hand", help="Only the worth of every action with this hand, such as A,7; needs --up.")
@click.option("--up", help="The dealer's upcard for --hand.")
@_as_json
@speaking
@_game
def par(rules: Rules, html: Path | None, effects: bool, hand: str | None, up: str | None, as_json: bool) -> None:
    """Compute exactly what a game returns, how it is played best, and how its results spread.

    GAME is played by the rules the cabinet itself obeys. A hand that cannot be doubled or hit under them has no such
    action in the answer.
    """
    if (hand is None) != (up is None):
        raise click.UsageError("--hand and --up belong together")
    if hand is not None and (html is not None or effects):
        raise click.UsageError("--hand is answered alone; leave out --html and --effects")
    from cabinet.commands.par import command

    if hand is not None and up is not None:
        _print(command.run_hand(rules, hand, up), as_json)
    report = command.run_par(rules, html=html, effects=effects)
    if as_json or html is None:
        _print(report, as_json)


@main.command(epilog=_example("cabinet simulate classic --rounds 1000000 --strategy chart"))
@click.option("--rounds", type=click.IntRange(1, 10**12), default=1_000_000, show_default=True, help="How many.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that play. Default: one for each core.")
@click.option(
    "--strategy",
    type=click.Choice(["best", "chart", "dealer", "never-bust"]),
    default="chart",
    show_default=True,
    help="How the rounds are played.",
)
@click.option("--places", type=click.IntRange(1, 5), default=1, show_default=True, help="Places played each round.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Repeats a run.")
@_as_json
@speaking
@_game
def simulate(rules: Rules, rounds: int, jobs: int | None, strategy: str, places: int, seed: int, as_json: bool) -> None:
    """Play rounds on the cabinet's own engine and compare the return with the par sheet.

    Exit code 1 when they are so far apart that one of them must be wrong.
    """
    from cabinet.tools import simulate

    job = simulate.Job(rules=rules, strategy=simulate.Strategy(strategy), rounds=rounds, places=places, seed=seed)
    _print(simulate.finding_report(simulate.run_simulation(job, jobs)), as_json)


@main.command(epilog=_example("cabinet rng --bytes 1000000"))
@click.option("--bytes", "count", type=click.IntRange(1), help="How many. Default: without an end.")
@speaking
def rng(count: int | None) -> None:
    """Write raw bytes of the generator the cards are drawn with to standard output, for outside test suites."""
    from cabinet.tools.rng import write_to_stdout

    write_to_stdout(count)
