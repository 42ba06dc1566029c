"""Every page of the attendant's menu, for a machine with a long history and the largest amounts: complete, in one size
of type, and readable."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk, every_page, keep
from support.blits import composed, ink_of, pieces_of
from support.display import open_display
from support.fitting import words_set
from support.locked import under, without_cause
from support.machines import Cabinet, seated
from support.screens import table_screen
from support.tables import SIZES

from cabinet.attendant.data import AttendantData, LogRow, TicketRow
from cabinet.attendant.menu import Menu
from cabinet.attendant.menu.lock_pages import LOCKS_PAGE
from cabinet.attendant.pages import Page
from cabinet.attendant.places import PLACES
from cabinet.engine.inputs import Bet, CashOut, Deal, Door, DoorOpened, PrintUnknown, Stand, TicketPrinted
from cabinet.engine.log import LogKind
from cabinet.engine.state import LockKind
from cabinet.text.messages import LANGUAGES
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.lettering import amount, line
from cabinet.ui.view import Kind, Scene, Screen, Slot

pytestmark = pytest.mark.screen

READABLE = 18.0
"""The smallest type of a page on a screen that is 1080 high, in pixels."""
LARGEST_CENTS = 999_999_999_99
MANY = 40
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def _events() -> tuple[LogRow, ...]:
    return tuple(
        LogRow(
            number=10**8 + number,
            when="2031-12-28 23:59:59?",
            what=LogKind.HAND_PAY_PENDING.value,
            detail="the journal's second copy could not be compared with the first: /var/lib/cabinet is not there",
            cents=LARGEST_CENTS,
        )
        for number in range(MANY)
    )


def _tickets() -> tuple[TicketRow, ...]:
    return tuple(
        TicketRow(
            sequence=999_000 + number,
            when="2031-12-28 23:59:59?",
            cents=LARGEST_CENTS,
            state="in doubt",
            tail="0042",
            duplicates=12,
            settled="2031-12-29 23:59:59?",
            good_until="2032-12-28",
        )
        for number in range(MANY)
    )


def _large(report: object) -> object:
    """Returns a report of the store with the largest possible numbers."""
    if isinstance(report, dict):
        return {name: _large(value) for name, value in report.items()}
    return LARGEST_CENTS if isinstance(report, int) and not isinstance(report, bool) else report


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> tuple[AttendantData, ...]:
    """A machine at rest and one with several locks."""
    with ExitStack() as undo:
        found = keep(tmp_path_factory.mktemp("kept"), seated("table", credit=100_000), undo)
        for cards, choices in (("9S 6D 8H 10C 10D", (Stand(),)), ("AS 6D KH 10C", ())):
            found.cabinet.cards(cards)
            found.do(Bet(), Deal(), *choices)
        found.do(CashOut(), TicketPrinted(sequence=1))
        past = found.data()
    locked = seated("table", credit=100_000)
    for given in (CashOut(), PrintUnknown(sequence=1, reason="no answer"), DoorOpened(door=Door.MAIN)):
        locked.do(given)
    return tuple(_longest(past, cabinet) for cabinet in (None, locked))


def _longest(past: AttendantData, cabinet: Cabinet | None) -> AttendantData:
    entries, longest_name = _events(), max(LogKind, key=lambda what: len(what.value)).value
    data = past if cabinet is None else replace(past, machine=bare_desk(cabinet).machine)
    return replace(
        data,
        sign="CHF ",
        records=None,
        meters=_large(past.meters),
        events=tuple(replace(entry, what=longest_name) for entry in entries),
        notes=entries,
        hand_pays=entries,
        tickets_in=entries,
        tickets=_tickets(),
        unpaid=_tickets(),
    )


def shown(page: Page) -> Screen:
    """Returns a page on the screen."""
    return replace(table_screen(), scene=Scene.AUDIT, audit=page)


def texts_of(page: Page) -> set[str]:
    """The words that only the lines of a page have: no tab, title or key has them too."""
    others = {page.title, *(tab.label for tab in page.tabs), *(map(str, range(10)) if page.keypad else ())}
    return {words for row in page.lines for words in row.cells if words} - others


def pages_of(desks: tuple[AttendantData, ...]) -> Iterator[Page]:
    for data in desks:
        yield from (page for _, page in every_page(data))


@pytest.mark.sample(2)
@pytest.mark.requirement("AT-04")
@sizes
def test_every_page_has_one_size_of_type_and_nothing_is_cut(desks: tuple[AttendantData, ...], size: tuple[int, int]):
    open_display((64, 64))
    least = round(READABLE * min(size[0] / 1920, size[1] / 1080))
    unfit, seen, longest = {}, set(), 0
    for page in pages_of(desks):
        screen = shown(page)
        longest = max(longest, len(page.lines))
        found = [words for words in words_set(screen, size) if words.kind != "second"]
        bad = [words for words in found if words.share > 1 or (words.px < least and not page.figures)]
        rows = {words.px for words in found if words.kind == "line" and words.words in texts_of(page)}
        if bad or len(rows) > 1:
            unfit[page.title] = (bad, rows)
        seen.add(page.title)
    assert len(seen) > 15
    assert longest > 14
    assert unfit == {}


@pytest.mark.requirement("AT-04")
def test_lines_of_a_page_never_overlap_or_leave_it(desks: tuple[AttendantData, ...]):
    size = SIZES[0]
    open_display(size)
    assets = Assets(50 * 2**20)
    for page in pages_of(desks):
        screen = shown(page)
        where = layout(size, screen)
        room = where.rect(Slot(Kind.AUDIT_BODY))
        texts = texts_of(page)
        lines = [
            ink_of(blit, assets)
            for blit in composed(screen, size, assets)
            if any(part.make in {line, amount} and set(part.args) & texts for part in pieces_of(blit.asset))
        ]
        body = [ink for ink in lines if ink.y >= room.y]
        assert all(ink.within(room) for ink in body), page.title
        assert not any(a.meets(b) for nth, a in enumerate(body) for b in body[nth + 1 : nth + 8]), page.title


@sizes
def test_every_entry_of_a_menu_is_as_high_as_a_finger(desks: tuple[AttendantData, ...], size: tuple[int, int]):
    for page in pages_of(desks):
        where = layout(size, shown(page))
        mm = 15.6 * 25.4 / (size[0] ** 2 + size[1] ** 2) ** 0.5
        kind = Kind.AUDIT_TAB if page.tabbed else Kind.AUDIT_MENU
        for nth in range(len(page.menu)):
            assert where.rect(Slot(kind, nth=nth)).h * mm >= 9.0, page.title


@pytest.mark.sample(2)
@pytest.mark.requirement("AT-04", "TE-02")
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_page_of_every_lock_fits_with_its_drawing_in_every_language(language: str):
    open_display((64, 64))
    size = (1280, 720)
    least = round(READABLE * size[1] / 1080)
    for kind in LockKind:
        cabinet = without_cause(under(kind))
        cabinet.audit()
        path = ("Service", LOCKS_PAGE, f"{cabinet.machine.locks[0].lock_id}")
        page = MenuHand(data=replace(bare_desk(cabinet), language=language), menu=Menu(path=path)).page
        screen = shown(page)
        found = [words for words in words_set(screen, size) if words.kind != "second"]
        assert [words.words for words in found if words.share > 1 or words.px < least] == [], kind
        assert layout(size, screen).has(Kind.AUDIT_DRAWING) == (kind in PLACES), kind
