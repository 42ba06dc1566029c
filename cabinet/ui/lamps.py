"""Which lamps of the panel are lit.

Rules: a button's lamp, its legend on the screen and what the engine accepts are one and the same set at every moment;
while a story is told only what is taken at any time is lit. The tower light follows from the machine alone and is
translated with the device's words.
"""

from cabinet.engine.inputs import Button
from cabinet.ui.news import News, lit_now


def lamps_of(news: News, now_s: float) -> frozenset[Button]:
    """The buttons whose lamps are lit now."""
    return lit_now(news, now_s)
