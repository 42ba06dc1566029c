"""The par sheet as one HTML file that can be read in any browser and printed.

Rules that hold: nothing is loaded from anywhere, no script runs; every word is escaped; colours survive printing, and
every cell has its letter for printers without colour.
Knows: the page. Does not know: figures.
"""

from html import escape

from cabinet.commands.par.arguments import card_word
from cabinet.commands.par.document import UPCARDS
from cabinet.commands.par.plots import Bar, draw_bars, draw_funnel
from cabinet.commands.par.sections import LEGEND, ChartPart, Document, Section, chart_parts, net_word, percent, sections

_STYLE = """
body{font:14px/1.4 "DejaVu Sans",Verdana,sans-serif;color:#222;max-width:60em;margin:2em auto;padding:0 1em}
h1{font-size:1.7em;margin:0}h2{font-size:1.1em;margin:1.6em 0 .4em}
table{border-collapse:collapse;margin:.3em 0}th,td{padding:.15em .7em;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}th{border-bottom:2px solid #888;font-weight:600}
section{break-inside:avoid}svg{width:100%;max-width:640px;height:auto;display:block}
.big{font-size:2.4em;font-weight:600;margin:.2em 0 0}.chart{display:flex;flex-wrap:wrap;gap:2em;align-items:flex-start}
.chart td{text-align:center;padding:.1em;min-width:1.7em;border:1px solid #fff}.chart th{border:0;text-align:center}
td.H{background:#f3efe6}td.S{background:#f1d483}td.D{background:#8fce9f}td.d{background:#b9dfc2}td.P{background:#8ec7e6}
.legend td{text-align:left}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
@media print{body{margin:0;max-width:none;font-size:10.5px}h2{margin-top:1em}}
"""


def write_page(document: Document) -> str:
    """The whole page."""
    title = f"{document['title']}: par sheet"
    tables = sections(document)
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    )
    parts = [
        head,
        f"<h1>{escape(title)}</h1>",
        f'<p class="big">{percent(document["return_best"], 2)}</p>',
        "<p>returned to the player of every bet, by best play</p>",
        "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in document["reading"]) + "</ul>",
        _section(tables[0]),
        _chart(document),
        *(_section(table) + _plot_of(table, document) for table in tables[1:]),
        f"<p>Computed in {document['seconds']:.1f} s.</p></body></html>\n",
    ]
    return "\n".join(parts)


def _section(section: Section) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in section.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in section.rows)
    return f"<section><h2>{escape(section.title)}</h2><table><tr>{head}</tr>{rows}</table></section>"


def _chart(document: Document) -> str:
    parts = "".join(_chart_part(part) for part in chart_parts(document))
    cells = "".join(f'<tr><td class="{a.value}">{a.value}</td><td>{escape(words)}</td></tr>' for a, words in LEGEND)
    legend = f'<table class="legend">{cells}</table>'
    return f'<section><h2>The best chart</h2><div class="chart">{parts}</div>{legend}</section>'


def _chart_part(part: ChartPart) -> str:
    head = "".join(f"<th>{card_word(value)}</th>" for value in UPCARDS)
    rows = "".join(
        f"<tr><th>{escape(hand)}</th>" + "".join(f'<td class="{cell}">{cell}</td>' for cell in letters) + "</tr>"
        for hand, letters in part.rows
    )
    return f"<table><tr><th>{part.title}</th>{head}</tr>{rows}</table>"


def _plot_of(section: Section, document: Document) -> str:
    """The plot that goes with a table, if any."""
    if section.head[0] == "upcard" and section.head[-1] == "best chart":
        gains = document["ev_by_upcard_best"].items()
        bars = [Bar(name=up, value=gain, word=f"{100 * gain:+.1f} %", gain=gain) for up, gain in gains]
        return draw_bars(section.title, bars)
    if section.head[0] == "net":
        chances = document["distribution"]
        bars = [Bar(name=net_word(net), value=c, word=f"{100 * c:.2g} %", gain=net) for net, c in chances]
        return draw_bars(section.title, bars)
    if section.head[0] == "rounds" and "one place" in section.title:
        return _funnel(section.title, document)
    return ""


def _funnel(title: str, document: Document) -> str:
    bands: dict[float, list[tuple[int, float, float]]] = {}
    for band in document["bands"]:
        if band["places"] == 1:
            bands.setdefault(band["confidence"], []).append((band["rounds"], band["low"], band["high"]))
    return draw_funnel(title, document["return_chart"], bands)
