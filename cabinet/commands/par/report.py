"""The par sheet and the worth of one hand as reports.

Knows: the order of the sheet, the tone of each piece of advice. Does not know: figures, media.
"""

from cabinet.commands.par.arguments import card_word
from cabinet.commands.par.document import UPCARDS
from cabinet.commands.par.sections import LEGEND, ChartPart, Document, chart_parts, net_word, sections, signed
from cabinet.commands.par.sections import Section as Figures
from cabinet.report.value import Bars, Beside, Block, Column, Report, Section, Span, Table, Tone, Words, words

_TONES = {"H": Tone.FIELD_1, "S": Tone.FIELD_2, "D": Tone.FIELD_3, "d": Tone.FIELD_4, "P": Tone.FIELD_5}
_SHOWN = 1 / 200
"""A chance below this share of the largest has no bar."""


def sheet_report(document: Document) -> Report:
    """Returns the whole sheet."""
    first, *others = sections(document)
    reading = Section(blocks=tuple(f"· {sentence}" for sentence in document["reading"]))
    parts = (reading, _section(first, document), _chart(document), *(_section(each, document) for each in others))
    took = Section(blocks=(f"Computed in {document['seconds']:.1f} s",))
    return Report(data=document, title=f"{document['title']}: par sheet", sections=(*parts, took))


def hand_report(document: Document) -> Report:
    """Returns the worth of every action with one hand, best first."""
    title = f"{', '.join(document['hand'])} against {document['up']}, given {document['given']}"
    ranked = sorted(document["actions"].items(), key=lambda each: -each[1])
    rows = tuple((action, f"{worth:+.8f}", signed(worth - ranked[0][1])) for action, worth in ranked)
    table = Table(columns=words("action", "gain per bet", "against the best"), rows=rows)
    return Report(data=document, sections=(Section(title=title, blocks=(table,)),))


def _section(section: Figures, document: Document) -> Section:
    table = Table(columns=words(*section.head), rows=section.rows)
    bars = (_bars(document),) if section.head[0] == "net" else ()
    return Section(title=section.title, blocks=(table, *bars))


def _bars(document: Document) -> Bars:
    """Returns the distribution as bars."""
    pairs = document["distribution"]
    least = _SHOWN * max(chance for _, chance in pairs)
    return Bars(rows=tuple((net_word(net), chance) for net, chance in pairs if chance >= least))


def _chart(document: Document) -> Section:
    """Returns the chart, a letter with a tone for each cell, with its legend."""
    parts: Block = Beside(tables=tuple(map(_chart_part, chart_parts(document))))
    legend = (part for advice, meaning in LEGEND for part in (_field(advice.value), f" {meaning}  "))
    return Section(title="The best chart", blocks=(parts, tuple(legend)))


def _chart_part(part: ChartPart) -> Table:
    columns = (Column(name=part.title), *(Column(name=f" {card_word(value)}", figures=True) for value in UPCARDS))
    rows: tuple[tuple[Words, ...], ...] = tuple((f"{hand} ", *map(_field, letters)) for hand, letters in part.rows)
    return Table(columns=columns, rows=rows, framed=False)


def _field(letter: str) -> Span:
    return Span(text=f" {letter} ", tone=_TONES[letter])
