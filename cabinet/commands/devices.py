"""Lists the devices a cabinet can be built with, and what each can and cannot promise. Only the catalogues know."""

from typing import Any

from cabinet.report.value import Column, Report, Section, Table
from drivers.bills.catalog import PROTOCOLS, PULSES, Facts, Promises
from drivers.printers.catalog import LANGUAGES, PrinterLanguage
from drivers.serial_link import describe


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


_WORDS = (
    ("devices", "for"),
    ("line", "line"),
    ("settings", "settings"),
    ("money_at", "is money at"),
    ("repeated_until_confirmed", "repeated until confirmed"),
    ("after_power_cut", "after a power cut"),
)


def devices_report() -> Report:
    """Returns the list with a section for each device."""
    listed = list_devices()
    sections = (*map(_acceptor_section, listed["acceptors"]), *map(_printer_section, listed["printers"]))
    return Report(data=listed, sections=sections)


def _acceptor_section(acceptor: dict[str, Any]) -> Section:
    rows = [(f"  {words}", _listed(acceptor[key])) for key, words in _WORDS]
    if not acceptor["escrow"]:
        rows.append(("  escrow", "none: a note that it has reported is in the box"))
    title = f'acceptor.protocol = "{acceptor["protocol"]}": {acceptor["title"]}'
    return Section(title=title, blocks=(Table(columns=(Column(), Column()), rows=tuple(rows), framed=False),))


def _listed(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _printer_section(printer: dict[str, Any]) -> Section:
    taken = "reports when a ticket is taken" if printer["tells_when_taken"] else "cannot report when a ticket is taken"
    bauds = ", ".join(map(str, printer["bauds"]))
    rows = (("  for", printer["devices"]), ("  speed", f"{bauds} baud"), ("  ticket", taken))
    table = Table(columns=(Column(), Column()), rows=rows, framed=False)
    return Section(title=f'printer.protocol = "{printer["protocol"]}"', blocks=(table,))
