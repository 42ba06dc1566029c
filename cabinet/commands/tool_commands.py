"""The commands that a cabinet can do without: the par sheet, simulation, pictures, measurements, random bytes."""

import re
import sys
from pathlib import Path

import click

from cabinet.commands.options import (
    Whole,
    Word,
    as_json_option,
    data_folder,
    example,
    game_rules,
    print_verdict,
    speaking,
)
from cabinet.engine.errors import RulesError
from cabinet.engine.rules import Rules


def _drawn(_context: click.Context, _option: click.Parameter, sizes: tuple[str, ...]) -> tuple[str, ...]:
    """Refuses a size that no table is shown in, in the words of the window."""
    from cabinet.config.mounting import unfit

    for text in sizes:
        found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
        if found and (why := unfit((int(found[1]), int(found[2])))):
            raise click.BadParameter(f"{text!r} is {why}")
    return sizes


@click.command(
    short_help="Write a picture of every screen.", epilog=example("cabinet screens screens --size 1920x1080")
)
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


@click.command(
    short_help="Measure times as ratios.", epilog=example("cabinet bench --json --data /var/lib/blackjack-cabinet")
)
@data_folder
@click.option("--quick", is_flag=True, hidden=True, help="So few samples that the figures mean nothing.")
@as_json_option
@speaking
def bench(data: Path, quick: bool, as_json: bool) -> None:
    """Measure frames, commits, rounds, start-up and memory, as ratios taken in one run.

    Commits are measured in a new folder beside the journal, which is left alone.
    """
    from cabinet.tools.bench.report import run_bench

    print_verdict(run_bench(data.absolute(), quick=quick), as_json)


@click.command(
    short_help="Compute what a game returns.", epilog=example("cabinet par classic --set decks=8 --html par.html")
)
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a page to print to this file.")
@click.option("--effects", is_flag=True, help="Also what changing each rule would do (takes some time).")
@click.option("--hand", help="Only the worth of every action with this hand, such as A,7; needs --up.")
@click.option("--up", help="The dealer's upcard for --hand.")
@as_json_option
@speaking
@game_rules
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
        try:
            print_verdict(command.run_hand(rules, hand, up), as_json)
        except RulesError as error:
            raise click.UsageError(str(error)) from error
    report = command.run_par(rules, html=html, effects=effects)
    if as_json or html is None:
        print_verdict(report, as_json)


@click.command(
    short_help="Play rounds and compare their return.",
    epilog=example("cabinet simulate classic --rounds 1000000 --strategy chart"),
)
@click.option("--rounds", type=Whole(1, 10**12), default=1_000_000, show_default=True, help="How many.")
@click.option("--jobs", type=Whole(1, 256), help="Processes that play. Default: one for each core.")
@click.option(
    "--strategy",
    type=Word(["best", "chart", "dealer", "never-bust"]),
    default="chart",
    show_default=True,
    help="How the rounds are played.",
)
@click.option("--places", type=Whole(1, 5), default=1, show_default=True, help="Places played each round.")
@click.option("--seed", type=Whole(0), default=1, show_default=True, help="Repeats a run.")
@as_json_option
@speaking
@game_rules
def simulate(rules: Rules, rounds: int, jobs: int | None, strategy: str, places: int, seed: int, as_json: bool) -> None:
    """Play rounds on the cabinet's own engine and compare the return with the par sheet.

    Exit code 1 when they are so far apart that one of them must be wrong.
    """
    from cabinet.tools import simulate

    job = simulate.Job(rules=rules, strategy=simulate.Strategy(strategy), rounds=rounds, places=places, seed=seed)
    print_verdict(simulate.finding_report(simulate.run_simulation(job, jobs)), as_json)


@click.command(short_help="Write random bytes for test suites.", epilog=example("cabinet rng --bytes 1000000"))
@click.option("--bytes", "count", type=Whole(1), help="How many. Default: without an end.")
@speaking
def rng(count: int | None) -> None:
    """Write raw bytes of the generator the cards are drawn with to standard output, for outside test suites."""
    from cabinet.tools.rng import write_to_stdout

    write_to_stdout(count)
