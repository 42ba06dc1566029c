"""`cabinet wiring`: the wiring of the configured panel, as a table, or as a page to print.

The table and the page have the same positions; both come from the settings.
"""

from pathlib import Path

import click

from cabinet.config.settings import Config
from cabinet.installation.durable import write_file
from cabinet.installation.wiring.drawing import draw_wiring
from cabinet.installation.wiring.header import list_positions, list_registers
from cabinet.report.value import Column, Report, Section, Table


def wiring_report(config: Config) -> Report:
    """Returns the positions of the header and the outputs of the lamp registers. Raises ConfigError."""
    positions, registers = list_positions(config), list_registers(config)
    header = Table(
        columns=(Column(name="position", figures=True), Column(name="pin"), Column(name="is"), Column(name="connect")),
        rows=tuple(
            (str(each.number), "" if each.pin is None else f"GPIO{each.pin}", each.name, each.note)
            for each in positions
        ),
    )
    lamps = Table(
        columns=(Column(name="register"), *(Column(name=f"Q{letter}") for letter in "ABCDEFGH")),
        rows=tuple((str(number), *each.outputs) for number, each in enumerate(registers, start=1)),
    )
    sections = [Section(title="The 40-pin header", blocks=(header,))]
    if registers:
        sections.append(Section(title="Lamps on the registers", blocks=(lamps,)))
    return Report(data={"positions": positions, "registers": registers}, sections=tuple(sections))


def write_wiring(config: Config, path: Path) -> None:
    """Writes the page as an SVG file, or to standard output for the path "-". Raises ConfigError and OSError."""
    if str(path) == "-":
        click.echo(draw_wiring(config), nl=False)
        return
    write_file(path.absolute(), draw_wiring(config).encode("utf-8"))
