"""The samples for pictures: every page of the attendant's menu can be shown with them."""

from datetime import UTC, datetime

from support.attendant_data import every_page
from support.machines import SETTINGS, seated

from cabinet.attendant.menu import GROUPS
from cabinet.tools.screens_samples import CLOSED, ENTRIES, sample_data

NOW = datetime(2031, 3, 5, 14, 32, tzinfo=UTC)


def test_every_page_of_the_menu_has_something_to_show():
    data = sample_data(seated("table", credit=100_000).machine, SETTINGS, NOW)
    assert (len(data.events), len(data.closings)) == (ENTRIES, 2 * CLOSED)
    shown = {where.path[:2] for where, page in every_page(data) if page.lines or page.menu or page.figures or page.code}
    assert {(group.name, leaf.name) for group in GROUPS for leaf in group.leaves if leaf.opens} <= shown
