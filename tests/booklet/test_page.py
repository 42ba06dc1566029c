"""The booklet as a page: whole, escaped, and without anything that is loaded."""

from html.parser import HTMLParser

from support.books import desk, hour_of

from cabinet.booklet.page import write_page
from cabinet.booklet.value import Booklet, Section, booklet

VOID = {"meta"}


class _Balanced(HTMLParser):
    """Follows the tags of a page; a tag that was not opened last cannot end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_of_real_figures_is_well_formed_and_loads_nothing():
    page = write_page(booklet(desk(hour_of(0, bills_in=500, coin_in=300, coin_out=800))))
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert {"script", "img", "link", "iframe"}.isdisjoint(parser.seen)
    assert page.count("http") == page.count('xmlns="http://www.w3.org/2000/svg"')


def test_a_table_has_its_head_and_every_row():
    section = Section(title="Meters", rows=(("Meter", "Lifetime"), ("Notes <in>", "$1.00")))
    page = write_page(Booklet(title="Machine 1", venue="", time="now", language="de", sections=(section,)))
    assert '<html lang="de">' in page
    assert "<th>Meter</th><th>Lifetime</th>" in page
    assert "<td>Notes &lt;in&gt;</td><td>$1.00</td>" in page
    assert "<title>Machine 1</title>" in page
