"""The keyboard of a simulated cabinet as the screen lists it."""

from cabinet.engine.inputs import Button
from cabinet.presentation.port import SimulatedKey, SimulatedKeys


def test_keys_are_listed_in_capitals_with_their_meaning_in_order():
    keys = SimulatedKeys(
        keys={
            "space": SimulatedKey(meaning=Button.DEAL, down=int),
            "f5": SimulatedKey(meaning="main door", down=int, up=int),
        }
    )
    assert keys.rows() == (("SPACE", Button.DEAL), ("F5", "main door"))
