"""Lists the devices a cabinet can be built with, and what each can and cannot promise. Only the catalogues know."""

from typing import TYPE_CHECKING, Any

from drivers.bills.catalog import PROTOCOLS, PULSES, Facts, Promises
from drivers.printers.catalog import LANGUAGES, PrinterLanguage
from drivers.serial_link import describe

if TYPE_CHECKING:
    from rich.console import Console


def list_devices() -> dict[str, list[dict[str, Any]]]:
    """Every acceptor protocol and every printer language, as plain values."""
    return {
        "acceptors": [_acceptor(facts) for facts in (*PROTOCOLS.values(), PULSES)],
        "printers": [_printer(language) for language in LANGUAGES.values()],
    }


def _acceptor(facts: Promises) -> dict[str, Any]:
    on_a_line = isinstance(facts, Facts)
    return {
        "protocol": facts.name,
        "title": facts.title,
        "devices": facts.devices,
        "line": describe(facts.line) if isinstance(facts, Facts) else "two pins",
        "settings": sorted(facts.options) if isinstance(facts, Facts) else ["pulse"],
        "escrow": on_a_line,
        "money_at": facts.money_at,
        "repeated_until_confirmed": facts.repeated_until_confirmed,
        "after_power_cut": facts.after_power_cut,
    }


def _printer(language: PrinterLanguage) -> dict[str, Any]:
    return {
        "protocol": language.name,
        "devices": language.summary,
        "bauds": list(language.bauds),
        "reports_status": language.reports_status,
        "tells_when_taken": language.reports_taken,
        "has_form": language.has_form,
    }


def run_devices(*, as_json: bool) -> int:
    """Print the list; 0."""
    from rich.console import Console

    from cabinet.commands.journal import print_json

    if as_json:
        print_json(list_devices())
    else:
        show(Console(highlight=False))
    return 0


_WORDS = (
    ("devices", "for"),
    ("line", "line"),
    ("settings", "settings"),
    ("money_at", "is money at"),
    ("repeated_until_confirmed", "repeated until confirmed"),
    ("after_power_cut", "after a power cut"),
)


def show(console: "Console") -> None:
    """The list as text, to be read in a narrow window too."""
    from rich.table import Table
    from rich.text import Text

    listed = list_devices()
    for acceptor in listed["acceptors"]:
        console.print(Text(f'acceptor.protocol = "{acceptor["protocol"]}": {acceptor["title"]}', style="bold"))
        grid = Table.grid(padding=(0, 2, 0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for key, words in _WORDS:
            value = acceptor[key]
            grid.add_row(words, ", ".join(value) if isinstance(value, list) else value)
        if not acceptor["escrow"]:
            grid.add_row("escrow", "none: a note that it has reported is in the box")
        console.print(grid)
    for printer in listed["printers"]:
        console.print(Text(f'printer.protocol = "{printer["protocol"]}"', style="bold"))
        taken = (
            "reports when a ticket is taken" if printer["tells_when_taken"] else "cannot report when a ticket is taken"
        )
        bauds = ", ".join(map(str, printer["bauds"]))
        console.print(Text(f"  {printer['devices']}; {bauds} baud; {taken}"))
