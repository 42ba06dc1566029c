"""The pages of what an attendant takes away."""

from dataclasses import replace

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.machines import seated

from cabinet.attendant.menu.take_away import KEY_SHOWN
from cabinet.engine.inputs import Button
from cabinet.engine.state import Settings
from cabinet.statement.signing import check
from cabinet.tools.gallery_books import busy_data

CODE = (Button.PLACE, Button.HIT)


@pytest.fixture
def data():
    return busy_data(seated("table", credit=12_300).machine, Settings())


def test_the_code_holds_the_signed_figures_and_the_page_shows_them(data):
    hand = MenuHand(data=data)
    hand.press(*CODE)
    code = hand.page.code
    assert code is not None
    signed = check(code.text)
    assert ("Credit", "$123.00") in code.rows
    assert all(f"\n{name}: {value}\n" in signed.text for name, value in code.rows)
    assert f"{signed.key[:KEY_SHOWN]}..." in code.words[0]
    assert "cabinet check-report" in code.words[1]


def test_nothing_is_signed_before_the_page_is_shown(data):
    made = []

    def statement(_data):
        made.append(1)
        return data.statement(data)

    hand = MenuHand(data=_with(data, statement))
    hand.press(CODE[0])
    assert (hand.page.code, made) == (None, [])
    hand.press(CODE[1])
    assert (hand.page.code is not None, bool(made)) == (True, True)


def test_a_machine_without_a_key_says_so():
    hand = MenuHand(data=bare_desk(seated("table", credit=0)))
    hand.press(*CODE)
    assert hand.page.code is None
    assert hand.page.lines[0].cells == ("This machine has no key to sign with.",)


def _with(data, statement):
    return replace(data, statement=statement)
