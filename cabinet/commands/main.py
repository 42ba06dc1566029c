"""The `cabinet` command: one group; each subcommand imports its modules when it runs."""

import logging
import os
import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cabinet.commands import book_commands, system_commands, tool_commands
from cabinet.commands.options import (
    SIMULATED_DATA,
    Whole,
    as_json_option,
    data_of_autoplay,
    data_to_run_on,
    example,
    fail,
    print_verdict,
    settings_file,
    speaking,
)
from cabinet.window.signals import terminable


class _Group(click.Group):
    """A group that reports a wrong call in one sentence, and exits with 130 on an interrupt."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Parses the arguments, runs the command and exits."""
        try:
            with terminable():
                sys.exit(super().main(*args, **{**kwargs, "standalone_mode": False}) or 0)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(error.exit_code)
        except click.UsageError as error:
            command = error.ctx.command_path if error.ctx else "cabinet"
            fail(f"{error.format_message().rstrip('.')}; `{command} --help` says more", error.exit_code)
        except click.ClickException as error:
            fail(error.format_message(), error.exit_code)
        except click.Abort:
            fail("interrupted", 130)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="blackjack-cabinet", prog_name="cabinet")
@click.option("-v", "--verbose", is_flag=True, help="Say more on standard error.")
def main(verbose: bool) -> None:
    """A blackjack cabinet: deals three games, takes notes, prints tickets, never loses a cent."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)


@main.command(
    short_help="Run the cabinet until it is stopped.",
    epilog=example("cabinet run --simulate --windowed --data data/simulated"),
)
@data_to_run_on
@settings_file
@click.option(
    "--simulate", is_flag=True, help="Simulated acceptor, printer and panel; keys work (touch KEYS to see which)."
)
@click.option("--windowed", is_flag=True, help="A window instead of the whole display.")
@click.pass_context
@speaking
def run(context: click.Context, data: Path, config_path: Path | None, simulate: bool, windowed: bool) -> None:
    """Run the cabinet until it is stopped. A simulated one has its books in data/simulated unless --data names them."""
    from cabinet.commands.run import run_cabinet

    if simulate and context.get_parameter_source("data") is not ParameterSource.COMMANDLINE:
        data = Path(SIMULATED_DATA)

    sys.exit(run_cabinet(data.absolute(), config_path, simulate=simulate, windowed=windowed))


@main.command(
    short_help="Play by itself on simulated hardware, and check the books.",
    epilog=example("cabinet autoplay --rounds 30 --data data/autoplay --screens screens"),
)
@data_of_autoplay
@settings_file
@click.option("--rounds", type=Whole(0, 1_000_000), default=30, show_default=True, help="Rounds to play.")
@click.option(
    "--screens",
    type=click.Path(file_okay=False, path_type=Path),
    default="screens",
    show_default=True,
    help="Folder for pictures of what was on the screen.",
)
@as_json_option
@speaking
def autoplay(data: Path, config_path: Path | None, rounds: int, screens: Path, as_json: bool) -> None:
    """Let the cabinet play by itself on simulated hardware and check its books."""
    from cabinet.commands.pictures import run_autoplay

    print_verdict(run_autoplay(data.absolute(), config_path, rounds=rounds, screens=screens), as_json)


for _command in (
    book_commands.meters,
    book_commands.status,
    book_commands.recall,
    book_commands.events,
    book_commands.tickets,
    book_commands.verify,
    book_commands.restore,
    book_commands.report,
    book_commands.check_report,
    system_commands.commission,
    system_commands.setup,
    system_commands.update,
    system_commands.idle,
    system_commands.doctor,
    system_commands.devices,
    system_commands.wiring,
    system_commands.quick_card,
    tool_commands.screens,
    tool_commands.bench,
    tool_commands.par,
    tool_commands.simulate,
    tool_commands.rng,
):
    main.add_command(_command)
