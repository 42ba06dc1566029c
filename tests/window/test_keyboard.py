"""Keys of a keyboard that hold buttons down."""

from cabinet.presentation.port import SimulatedKey
from cabinet.window.keyboard import SHORTEST_HOLD_S, Keyboard


def key(done: list[str]) -> SimulatedKey:
    return SimulatedKey(meaning="DEAL", down=lambda: done.append("down"), up=lambda: done.append("up"))


def test_a_short_press_holds_the_button_down_for_as_long_as_a_finger_would():
    keys, done = Keyboard(), list[str]()
    keys.press("d", key(done), 10.0)
    keys.release("d", key(done), 10.001)
    keys.lift(10.0 + 0.9 * SHORTEST_HOLD_S)
    assert done == ["down"]
    keys.lift(10.0 + 1.1 * SHORTEST_HOLD_S)
    keys.lift(20.0)
    assert done == ["down", "up"]


def test_a_long_press_ends_with_the_key():
    keys, done = Keyboard(), list[str]()
    keys.press("d", key(done), 10.0)
    keys.lift(19.0)
    keys.release("d", key(done), 20.0)
    keys.lift(20.0)
    assert done == ["down", "up"]


def test_a_key_without_a_hold_needs_no_release():
    keys, done = Keyboard(), list[str]()
    keys.press("n", SimulatedKey(meaning="note", down=lambda: done.append("note")), 10.0)
    keys.release("n", SimulatedKey(meaning="note", down=lambda: done.append("note")), 10.1)
    keys.lift(20.0)
    assert done == ["note"]
