"""The tests an attendant makes: each says TEST, asks nothing of the machine, and has something to see or hear."""

from dataclasses import replace
from itertools import product

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.cases import case
from support.locked import under
from support.machines import seated

from cabinet.attendant import menu, trials
from cabinet.engine.inputs import Button
from cabinet.engine.state import LockKind
from cabinet.ui.sound.cues import Cue

TESTS = ("Lamps", "Sound", "Display", "Acceptor")


@pytest.mark.requirement("AT-06", "ME-05")
@pytest.mark.parametrize("name", TESTS)
def test_every_test_says_so_and_asks_nothing_of_the_machine(name):
    hand = MenuHand(data=bare_desk(seated(credit=500)))
    hand.choose("Tests", name)
    assert hand.page.title.startswith("TEST")
    assert hand.page.lines[0].cells[0] == "TEST"
    hand.press(*(button for button in Button if button is not Button.CLEAR))
    assert hand.asked == []
    hand.press(Button.CLEAR, Button.CLEAR, Button.CLEAR)
    assert hand.page.title == "Attendant"


@pytest.mark.requirement("AT-06")
def test_every_sound_there_is_can_be_heard_one_after_the_other():
    assert set(trials.SOUNDS) == {cue.value for cue in Cue}
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose("Tests", "Sound")
    heard, named = [], []
    for _ in trials.SOUNDS:
        heard.append(hand.page.sound)
        marked = [line.cells[0] for line in hand.page.lines if line.cells[-1] == "heard now"]
        assert len(marked) == 1
        named += marked
        hand.press(Button.BET)
    assert heard == list(trials.SOUNDS)
    assert named == ["card", "chip", "press", "small win", "medium win", "large win", "push", "refusal", "alarm"]
    hand.press(Button.CHIP, Button.CHIP)
    assert hand.page.sound == trials.SOUNDS[-2]


def test_the_test_of_the_sound_has_only_words_of_the_chosen_language():
    desk = bare_desk(seated())
    for language, silent in product(("de", "fr", "es"), (False, True)):
        with case(language=language, silent=silent):
            english, words = (
                {cell for line in trials.sound_lines(data, 0, silent=silent) for cell in line.cells if cell}
                for data in (desk, replace(desk, language=language))
            )
            assert english & words == {"TEST"}


@pytest.mark.requirement("AT-06")
def test_the_display_is_filled_with_every_colour_and_grey():
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose("Tests", "Display")
    shown = set()
    for _ in trials.PICTURES:
        assert hand.page.pattern
        shown.update(hand.page.pattern)
        hand.press(Button.DEAL)
    assert {trials.RED, trials.GREEN, trials.BLUE, trials.WHITE, trials.BLACK} <= shown
    assert hand.page.pattern == trials.PICTURES[0][1]


def test_no_other_page_sounds_or_fills_the_screen():
    hand = MenuHand(data=bare_desk(seated()))
    for way in ((), ("Tests",), ("Lamps",)):
        hand.choose(*way)
        assert (hand.page.sound, hand.page.pattern) == ("", ())


@pytest.mark.requirement("AT-06")
@pytest.mark.parametrize(
    ("kind", "device"), [(LockKind.BILL_JAM, "Acceptor"), (LockKind.PAPER_OUT, "Printer")], ids=["acceptor", "printer"]
)
def test_the_page_of_the_devices_names_what_is_wrong_under_its_device(kind, device):
    lines = [line.cells for line in trials.device_lines(bare_desk(under(kind)))]
    at = [cells[0] for cells in lines].index(device)
    assert lines[at + 1] == ("", kind.value)
    well = [line.cells for line in trials.device_lines(bare_desk(seated()))]
    assert well.count(("", "no fault")) == 2


def test_the_test_ticket_is_asked_for_after_a_yes():
    hand = MenuHand(data=bare_desk(seated()))
    hand.choose("Tests", "Print a test ticket", "Yes")
    assert hand.asked == [menu.Extra.TEST_TICKET]
    assert hand.page.title == "Tests"
