"""One press of a screen counts once."""

import pytest

from cabinet.window.tap_filter import SAME_S, TapFilter


@pytest.mark.parametrize(
    ("position", "later_s", "counts"),
    [
        ((500, 500), 0.0, False),
        ((510, 495), 0.05, False),
        ((500, 500), SAME_S, True),
        ((560, 500), 0.01, True),
        ((500, 540), 0.01, True),
    ],
)
def test_an_echo_is_close_in_time_and_place(position: tuple[int, int], later_s: float, counts: bool):
    taps = TapFilter((1920, 1080))
    assert taps.accept((500, 500), 10.0)
    assert taps.accept(position, 10.0 + later_s) == counts


def test_echoes_do_not_extend_the_echo_time():
    taps = TapFilter((1920, 1080))
    accepted = [taps.accept((500, 500), 10.0 + 0.03 * n) for n in range(7)]
    assert accepted == [True, False, False, True, False, False, True]


def test_the_echo_distance_grows_with_the_display():
    large, small = TapFilter((3840, 2160)), TapFilter((1280, 720))
    for taps in (large, small):
        taps.accept((500, 500), 10.0)
    assert not large.accept((540, 500), 10.01)
    assert small.accept((540, 500), 10.01)
