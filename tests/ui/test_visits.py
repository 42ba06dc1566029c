"""When a player's choices on the screen are reset for the next one."""

from dataclasses import replace

from cabinet.engine.state import Machine, Session
from cabinet.ui.visits import READ_S, Visits

EMPTY = Machine()
PLAYING = replace(EMPTY, session=Session())
ATTRACT = replace(EMPTY, attract=True)


def after_a_session(ended_s: float = 100.0, touched_s: float = 50.0) -> Visits:
    """Returns the visits just after the end of a session."""
    visits = Visits()
    assert not visits.left(PLAYING, 10.0, touched_s)
    assert not visits.left(EMPTY, ended_s, touched_s)
    return visits


def test_attract_begins_with_the_state_of_a_new_player():
    visits = Visits()
    assert not visits.left(EMPTY, 10.0, 9.0)
    assert visits.left(ATTRACT, 11.0, 9.0)
    assert not visits.left(ATTRACT, 12.0, 11.5), "a person reads now"
    assert visits.left(ATTRACT, 11.5 + READ_S, 11.5)


def test_choices_outlast_a_session_by_the_reading_time():
    visits = after_a_session(ended_s=100.0)
    assert not visits.left(EMPTY, 99.9 + READ_S, 50.0)
    assert visits.left(EMPTY, 100.0 + READ_S, 50.0)


def test_the_first_money_resets_the_choices_for_the_next_player():
    assert after_a_session().left(PLAYING, 101.0, 50.0)


def test_choices_of_the_next_player_before_paying_stay():
    visits = after_a_session(ended_s=100.0)
    assert not visits.left(EMPTY, 105.0, 104.0)
    assert not visits.left(PLAYING, 110.0, 104.0)
    assert not visits.left(PLAYING, 110.0 + 2 * READ_S, 104.0), "the choices belong to the present player"


def test_without_a_session_no_choice_is_reset():
    visits = Visits()
    assert not any(visits.left(EMPTY, now, 0.0) for now in (0.0, READ_S, 10 * READ_S))
