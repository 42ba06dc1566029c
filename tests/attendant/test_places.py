"""Every lock has a place where to look, or a reason for none."""

from cabinet.attendant.charts import Place
from cabinet.attendant.places import PLACE_WORDS, PLACES, WITHOUT_A_PLACE
from cabinet.engine.state import LockKind


def test_every_lock_has_a_place_or_a_reason_for_none():
    assert PLACES.keys() | WITHOUT_A_PLACE.keys() == set(LockKind)
    assert not PLACES.keys() & WITHOUT_A_PLACE.keys()
    assert all(WITHOUT_A_PLACE.values())


def test_every_place_has_a_name_of_its_own_and_a_lock():
    assert PLACE_WORDS.keys() == set(Place) == set(PLACES.values())
    assert len(set(PLACE_WORDS.values())) == len(Place)
