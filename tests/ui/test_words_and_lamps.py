"""Texts agree with lamps in every language: a button that the message line or a notice names is lit, or is about to be
because its meaning has just changed."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cabinet.engine.inputs import Button
from cabinet.presentation.snapshot import unready_now
from cabinet.text.messages import LANGUAGES, Words
from cabinet.tools.screens_gallery import Exhibit, gallery, screen_of
from cabinet.ui.scenes.bars import BUTTON_WORDS
from cabinet.ui.touch import is_reading
from cabinet.ui.ui_state import MachineInfo, UiState
from cabinet.ui.view import NoticeView, Scene, Screen

PAGES = (UiState(), UiState(help_page=0), UiState(help_page=99), UiState(session_shown=True))
"""No page, the rules, the chart, the session."""
each = pytest.mark.parametrize("code", LANGUAGES)


def asked_for(screen: Screen) -> str:
    """Returns the requests to the player on a screen: the message line, and the notice when there is one."""
    notice = screen.overlay
    notice_texts = (notice.sentence, notice.advice, *notice.more) if isinstance(notice, NoticeView) else ()
    return " ".join((screen.rail.message, screen.rail.hint, *notice_texts))


def named(words: str, names: dict[str, Button]) -> set[Button]:
    """Returns the buttons that a text names; only their names are in capitals."""
    longest_first = sorted(names, key=len, reverse=True)
    found = re.findall(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)", words)
    return {names[name] for name in found}


def shown(facts: MachineInfo) -> Iterator[tuple[str, Exhibit, Screen]]:
    """Yields every exhibit of a player, with each page that can be open over it."""
    for name, exhibit in gallery().items():
        for page in (exhibit.ui, *PAGES):
            opened = replace(exhibit, ui=page)
            screen = screen_of(opened, facts)
            if screen.scene is not Scene.AUDIT:
                yield name, opened, screen


def facts_in(code: str) -> MachineInfo:
    return MachineInfo(machine_id="0042", venue="-", language=LANGUAGES[code])


@pytest.mark.requirement("PD-06")
@each
def test_a_named_button_is_lit(code: str):
    words = Words(language=LANGUAGES[code], currency="USD")
    names = {words.say(key): button for button, key in BUTTON_WORDS.items()}
    dark, asked = {}, 0
    for name, exhibit, screen in shown(facts_in(code)):
        lit = {legend.button for legend in screen.rail.legends if legend.lit}
        lit |= unready_now(exhibit.snapshot, exhibit.now_s)
        wanted = named(asked_for(screen), names)
        asked += len(wanted)
        if wanted - lit:
            dark[name] = (asked_for(screen), wanted - lit)
    assert asked > 50
    assert dark == {}


def test_under_a_page_the_message_line_only_asks_to_close_it():
    under = {screen.rail.message for _, _, screen in shown(facts_in("en")) if is_reading(screen)}
    assert "Close this page to play on" in under
    assert not any(message.startswith(("Press", "Place")) for message in under)


def test_names_are_found_as_whole_words():
    names = {"HIT": Button.HIT, "CASH OUT": Button.CASH_OUT, "PLACE": Button.PLACE}
    assert named("HIT plays on, CASH OUT pays.", names) == {Button.HIT, Button.CASH_OUT}
    assert named("Place 1: WHITE", names) == set()
