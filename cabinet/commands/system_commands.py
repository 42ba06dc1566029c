"""The commands on the machine and its system: commission, setup, update, idle, doctor, devices, wiring, quick card."""

import sys
from pathlib import Path
from typing import Any

import click

from cabinet.commands.options import as_json_option, data_folder, example, print_verdict, settings_file, speaking
from cabinet.text.messages import LANGUAGES


@click.command(
    short_help="Begin the books of a new machine.",
    epilog=example("cabinet commission --config /etc/blackjack-cabinet/cabinet.toml"),
)
@data_folder
@settings_file
@click.option("--anew", is_flag=True, help="Give up the books that this machine has had.")
@click.option("--out-of-service", is_flag=True, help="Take no money until the technician puts it into service.")
@click.option("--if-new", is_flag=True, help="Leave books that are there, without an error.")
@speaking
def commission(data: Path, config_path: Path | None, **wanted: bool) -> None:
    """Begin the books of a new machine, once, on an empty data folder. A simulated cabinet needs no commissioning."""
    from cabinet.commands.commission import run_command

    click.echo(run_command(config_path, data.absolute(), **wanted))


@click.command(short_help="Make a cabinet of this Pi.", epilog=example("cabinet setup --dry-run"))
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
    """Make a cabinet of this Pi: ask, show each change with its reason, make it, and call the doctor.

    Exit code 0 when the set-up is made and the cabinet can run, 1 when nothing was changed or an error ended the
    set-up, 3 when the set-up is made and the doctor finds something bad.
    """
    from cabinet.commands.first_boot import run_command

    sys.exit(run_command(undo, first_boot, root=root.absolute(), **wanted))


@click.command(
    short_help="Install another version of the program.",
    epilog=example("cabinet update /media/usb/blackjack-cabinet_0.2.0_arm64.deb"),
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--back", is_flag=True, help="Go back to the version before; possible until this one is confirmed.")
@click.option("--resume", is_flag=True, help="End an update that was interrupted; done at every start of the system.")
@click.option("--at-start", is_flag=True, hidden=True, help="The service starts next: leave its start to the system.")
@click.option("--dry-run", is_flag=True, help="Make the checks, change nothing.")
@click.option("--root", type=click.Path(path_type=Path), default="/", hidden=True, help="Folder instead of /.")
@click.option("--rehearse", type=click.Path(path_type=Path), hidden=True, help="Start on a copy of the books.")
@settings_file
@speaking
def update(**wanted: Any) -> None:
    """Install the version of the program in FILE; FILE.minisig is its signature. The books stay as they are.

    The machine must be out of service and hold nothing of a player's. Exit code 0 when it is done, 1 when it was
    refused and nothing has changed, 4 when the new version did not prove itself and the version before runs again, 5
    when the cabinet needs a technician.
    """
    from cabinet.commands.update import run_command

    sys.exit(run_command(**wanted))


@click.command(short_help="Say what of a player's is in the machine.", epilog=example("cabinet idle"))
@speaking
def idle() -> None:
    """Say what of a player's is in the machine: credit, hand, note, payout. Exit code 0 for nothing."""
    from cabinet.commands.idle import say_held

    sys.exit(say_held())


@click.command(
    short_help="Say what is there and what is missing.",
    epilog=example("cabinet doctor --config /etc/blackjack-cabinet/cabinet.toml"),
)
@data_folder
@settings_file
@click.option("--simulate", is_flag=True, help="Leave the hardware out, and ask no device.")
@as_json_option
@speaking
def doctor(data: Path, config_path: Path | None, simulate: bool, as_json: bool) -> None:
    """Say in plain words what hardware, permissions and files are there, and ask the devices who they are.

    While a cabinet is running its devices are not asked. Exit code 1 when the cabinet could not run.
    """
    from cabinet.commands.doctor.checks import examine
    from cabinet.commands.doctor.findings import findings_report

    print_verdict(findings_report(tuple(examine(data, config_path, simulate=simulate))), as_json)


@click.command(short_help="List the acceptors and printers.", epilog=example("cabinet devices --json"))
@as_json_option
@speaking
def devices(as_json: bool) -> None:
    """List the acceptors and printers that can be used, and what each can promise after a power cut."""
    from cabinet.commands.devices import devices_report

    print_verdict(devices_report(), as_json)


@click.command(short_help="Show what is connected to each pin.", epilog=example("cabinet wiring --svg wiring.svg"))
@settings_file
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write a page to print to this file; - for standard output.",
)
@as_json_option
@speaking
def wiring(config_path: Path | None, svg: Path | None, as_json: bool) -> None:
    """Show what is connected to each pin of the header, as the settings have it."""
    from cabinet.commands.wiring import wiring_report, write_wiring
    from cabinet.config.settings import load

    config = load(config_path)
    if svg is None:
        print_verdict(wiring_report(config), as_json)
    write_wiring(config, svg)


@click.command(
    short_help="Write the attendant's quick card.", epilog=example("cabinet quick-card --language de --svg card.svg")
)
@click.option("--language", type=click.Choice(sorted(LANGUAGES)), default="en", show_default=True, help="Its language.")
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default="-",
    show_default=True,
    help="Write the page to this file; - for standard output.",
)
@speaking
def quick_card(language: str, svg: Path) -> None:
    """Write one page to print for an attendant: the keys, what is done most, and what to do about each lock."""
    from cabinet.booklet.quick_card import quick_card as card

    with click.open_file(str(svg), "w", encoding="utf-8") as file:
        file.write(card(language))
