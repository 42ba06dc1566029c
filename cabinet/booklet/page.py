"""The booklet of a machine as one HTML file that can be read in any browser and printed.

Rules: nothing is loaded from anywhere and no script runs; every word is escaped. Knows the page, not the figures.
"""

from html import escape

from cabinet.booklet.figures_html import STYLE, figures_html
from cabinet.booklet.value import Booklet, Row, Section

_STYLE = """
body{font:14px/1.4 "DejaVu Sans",Verdana,sans-serif;color:#222;max-width:70em;margin:2em auto;padding:0 1em}
h1{font-size:1.7em;margin:0}h2{font-size:1.15em;margin:1.8em 0 .4em;border-bottom:2px solid #888}
table{border-collapse:collapse;width:100%}th,td{padding:.15em .6em;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}th{font-weight:600}section{break-inside:avoid-page}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
@media print{body{margin:0;max-width:none;font-size:10.5px}h2{margin-top:1em}}
"""


def write_page(found: Booklet) -> str:
    """Returns the whole page."""
    title = f"{found.venue}: {found.title}" if found.venue else found.title
    head = (
        f'<!DOCTYPE html>\n<html lang="{escape(found.language)}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}{STYLE}</style></head><body>"
    )
    parts = (head, f"<h1>{escape(title)}</h1>", f"<p>{escape(found.time)}</p>", *map(_section, found.sections))
    return "\n".join((*parts, "</body></html>\n"))


def _section(section: Section) -> str:
    table = _table(section.rows) if section.rows else ""
    return f"<section><h2>{escape(section.title)}</h2>{figures_html(section.figures)}{table}</section>"


def _table(rows: tuple[Row, ...]) -> str:
    head, *body = rows
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    cells = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body)
    return f"<table><tr>{top}</tr>{cells}</table>"
