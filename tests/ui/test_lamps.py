"""Lamps follow the news: what is lit is what is taken."""

import pytest
from support.news import Player, at

from cabinet.engine.inputs import Bet, Button, Deal
from cabinet.ui.lamps import lamps_of


@pytest.mark.requirement("PD-06")
def test_lamps_are_dark_while_a_story_is_told_and_lit_for_what_is_accepted_after():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    assert lamps_of(player.news, player.now_s) == {Button.SERVICE}
    player.settle()
    assert lamps_of(player.news, player.now_s) == {Button.SERVICE, Button.HIT, Button.STAND, Button.DOUBLE}
