"""A moment asks the engine and decides nothing."""

from dataclasses import replace

from support.snapshot import FACTS, WALL, Player, at

from cabinet.engine.inputs import Bet, Button, Deal, Hit, Key, KeyTurned, ToggleTurbo
from cabinet.engine.state import State
from cabinet.text.messages import ENGLISH, LANGUAGES
from cabinet.ui.scenes.moment import moment_of


def test_a_moment_reports_allowed_commands_and_lit_buttons():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    moment = player.moment()
    assert not moment.open
    assert not moment.allows(Hit())
    moment = player.settle().moment()
    assert moment.open
    assert moment.allows(Hit())
    assert moment.is_lit(Button.HIT)
    assert moment.bound(Button.HIT) == Hit()
    assert moment.state is State.DECIDING
    assert moment.table.rules.game_id == "classic"


def test_a_moment_counts_from_the_start_of_its_animation():
    moment = Player().put(*at("classic")).wait(2.5).moment()
    assert moment.since_began_s() == 2.5


def test_turbo_is_followed_only_where_it_is_allowed():
    player = Player().put(*at("classic"), ToggleTurbo(), Bet(), Deal(), cards="AS 6S 7H 9D")
    assert all(beat.land_s == beat.start_s for beat in player.moment().playback.beats)


def test_a_moment_uses_the_cabinets_currency():
    player = Player()
    facts = replace(FACTS, currency="EUR")
    moment = moment_of(player.snapshot, player.ui, player.now_s, WALL, player.settings, facts)
    assert moment.words.money(100) == "€1.00"


def test_the_attendant_reads_english_while_the_player_reads_another_language():
    player = Player().put(*at("classic")).read(language=LANGUAGES["de"])
    assert player.moment().words.language == LANGUAGES["de"]
    assert player.put(KeyTurned(key=Key.AUDIT, on=True)).moment().words.language == ENGLISH
