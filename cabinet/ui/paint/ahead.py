"""What will be seen in the course of a story, made while it is told.

Rules: how a story goes on is known when it begins, so each moment at which something of it begins or is over is looked
at once, in their order, in the time that a frame leaves over; nothing is drawn on the screen. What comes otherwise than
was foreseen is made when it is seen. Does not know the loop.
"""

from collections import deque
from collections.abc import Callable

from cabinet.ui.news import News
from cabinet.ui.pace import timeline
from cabinet.ui.paint.painter import Painter
from cabinet.ui.view import Screen


class Ahead:
    """Looks ahead in the newest story."""

    def __init__(self, painter: Painter, screen_at: Callable[[News, float], Screen]) -> None:
        """`screen_at` presents the news at a moment."""
        self._painter = painter
        self._screen_at = screen_at
        self._news: News | None = None
        self._moments: deque[float] = deque()

    def look(self, news: News, now_s: float) -> bool:
        """Make what one more moment of the story will show; False when there is none to come."""
        if news is not self._news:
            self._news, self._moments = news, deque(moments_of(news))
            self._painter.forget_ahead()
        while self._moments and self._moments[0] <= now_s:
            self._moments.popleft()
        if not self._moments:
            return False
        self._painter.look_ahead(self._screen_at(news, self._moments.popleft()))
        return True


def moments_of(news: News) -> tuple[float, ...]:
    """When something of the story begins or is over, in order, up to when it has been told."""
    beats = timeline(news.events, turbo=news.machine.turbo, from_s=news.told_at_s)
    times = {time_s for beat in beats for time_s in (beat.start_s, beat.end_s)}
    return tuple(sorted(time_s for time_s in {*times, news.open_at_s} if time_s >= news.told_at_s))
