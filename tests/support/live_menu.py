"""An attendant at a running cabinet, who finds a line of the menu and chooses it with the panel's buttons."""

from functools import partial

from support.live import Live

from cabinet.attendant.menu import GROUPS
from cabinet.attendant.pages import Page


def page_of(live: Live) -> Page:
    """The page on the screen."""
    page = live.controller.snapshot().attendant
    assert page is not None
    return page


def open_menu(live: Live) -> None:
    """Turns the audit key."""
    live.simulated_devices.do("audit_key_on")
    live.until(lambda: live.controller.snapshot().attendant, "the menu")


def choose(live: Live, *labels: str) -> None:
    """Chooses lines one after the other; a line of a group is found from the first page. Labels may be beginnings."""
    for label in labels:
        group = _group_with(label)
        if group and not _on_page(live, label):
            _go_to_first_page(live)
            _choose_line(live, group)
        live.until(partial(_on_page, live, label), label)
        _choose_line(live, label)


def _on_page(live: Live, label: str) -> bool:
    return any(line.startswith(label) for line in page_of(live).menu)


def _group_with(label: str) -> str:
    found = (group.name for group in GROUPS if any(leaf.name.startswith(label) for leaf in group.leaves))
    return "Service" if label == "Put back in service" else next(found, "")


def _go_to_first_page(live: Live) -> None:
    while not page_of(live).tabbed:
        _press(live, "clear")


def _choose_line(live: Live, label: str) -> None:
    at = [line.startswith(label) for line in page_of(live).menu].index(True)
    while page_of(live).selected != at:
        _press(live, "bet")
    _press(live, "deal")


def _press(live: Live, button: str) -> None:
    """Presses a button and waits for what it does to the page."""
    before = _moved(live)
    live.press(button)
    live.until(lambda: _moved(live) != before, f"what {button} does")


def _moved(live: Live) -> tuple[object, ...]:
    """What a button changes on a page, and no news of the machine does; nothing while a payout has closed the menu."""
    page = live.controller.snapshot().attendant
    return () if page is None else (page.place, page.selected, page.position, page.where)
