"""The par sheet as one HTML file."""

from html.parser import HTMLParser

from support.par_documents import par_document

from cabinet.commands.par.html import write_page
from cabinet.commands.par.sections import chart_parts, sections

_VOID = {"meta"}


class _Reader(HTMLParser):
    """Collects words, cells and tags; fails on a tag that is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += f"{data}\n"


def test_the_page_holds_every_figure_of_the_sheet():
    document = par_document(effects=True)
    words = _Reader(write_page(document)).words

    for section in sections(document):
        assert section.title in words
        assert all(cell in words for row in section.rows for cell in row)
    assert all(sentence in words for sentence in document["reading"])
    assert "<b> & co" in words


def test_the_page_needs_nothing_but_itself():
    reader = _Reader(write_page(par_document()))

    assert not {"script", "link", "img", "iframe", "object"} & set(reader.tags)
    assert not {"src", "href"} & {name for name, _ in reader.attributes}
    assert "url(" not in write_page(par_document())


def test_the_page_has_the_chart_and_three_plots():
    document = par_document()
    reader = _Reader(write_page(document))

    assert reader.tags.count("svg") == 3
    cells = [value for name, value in reader.attributes if name == "class" and value in set("HSDdP")]
    assert len(cells) == sum(10 * len(part.rows) for part in chart_parts(document)) + 5


def test_colours_are_kept_in_print():
    assert "print-color-adjust:exact" in write_page(par_document())
