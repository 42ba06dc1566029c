"""What a story will show is made before it is seen, in the time that frames leave over."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pygame
import pytest
from support.display import differing, open_display

from cabinet.bench_deal import frames_of_a_deal
from cabinet.engine.effects import CardDealt
from cabinet.engine.state import Settings
from cabinet.ui.gallery import Exhibit, screen_of
from cabinet.ui.layout import layout
from cabinet.ui.news import News
from cabinet.ui.paint.ahead import Ahead, moments_of
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.compose import Composer
from cabinet.ui.paint.painter import Painter
from cabinet.ui.paint.pieces import Section
from cabinet.ui.view import Screen

pytestmark = pytest.mark.screen

SIZE = (960, 540)
SETTINGS = Settings()


def screen_at(news: News, now_s: float) -> Screen:
    return screen_of(Exhibit(news=news, now_s=now_s, settings=SETTINGS))


def dealt() -> Iterator[tuple[News, float]]:
    """The frames of the story in which cards are dealt."""
    frames = frames_of_a_deal(SETTINGS)
    return ((news, now_s) for news, now_s in frames if any(isinstance(event, CardDealt) for event in news.events))


@pytest.fixture(scope="module")
def surface() -> pygame.Surface:
    return open_display(SIZE)


def test_the_moments_of_a_story_come_in_order_up_to_when_it_is_told():
    news, _ = next(dealt())
    moments = moments_of(news)
    assert len(moments) > 10
    assert all(earlier < later for earlier, later in pairwise(moments))
    assert moments[0] >= news.told_at_s
    assert news.open_at_s in moments


def test_each_moment_is_looked_at_once_and_none_that_has_passed(surface: pygame.Surface):
    del surface
    news, now_s = next(dealt())
    looked: list[float] = []

    def watched(news: News, at_s: float) -> Screen:
        looked.append(at_s)
        return screen_at(news, at_s)

    ahead = Ahead(Painter(SIZE), watched)
    assert ahead.look(news, now_s)
    half = moments_of(news)[len(moments_of(news)) // 2]
    while ahead.look(news, half):
        pass
    assert len(looked) > 2
    assert looked == sorted(set(looked))
    assert all(at_s > half for at_s in looked[1:])
    assert not ahead.look(news, half)


def test_a_story_that_was_looked_at_makes_little_while_it_is_told(surface: pygame.Surface):
    made = []
    for looks in (False, True):
        painter = Painter(SIZE)
        ahead = Ahead(painter, screen_at)
        frames = dealt()
        news, now_s = next(frames)
        painter.paint(surface, screen_at(news, now_s))
        while looks and ahead.look(news, now_s):
            pass
        before = painter.assets.made
        for later, at_s in frames:
            if later is news:
                painter.paint(surface, screen_at(later, at_s))
        made.append(painter.assets.made - before)
    # Cards as they turn over are prepared before a deal, not here.
    assert made[1] < made[0] * 0.7


def test_what_was_made_ahead_is_shown_as_if_it_had_not_been(surface: pygame.Surface):
    painter = Painter(SIZE)
    ahead = Ahead(painter, screen_at)
    for number, (news, now_s) in enumerate(frames_of_a_deal(SETTINGS)):
        painter.paint(surface, screen_at(news, now_s))
        ahead.look(news, now_s)
        if number % 12 == 0:
            anew = pygame.Surface(SIZE)
            Painter(SIZE).paint(anew, screen_at(news, now_s))
            assert differing(surface, anew).size == (0, 0), f"frame {number}"


def test_the_very_sections_that_were_made_ahead_are_handed_out_until_they_are_forgotten(surface: pygame.Surface):
    del surface
    (news, now_s), *_ = dealt()
    now, later = (screen_at(news, at_s) for at_s in (now_s, news.open_at_s + 1.0))
    composer = Composer(Assets(2**28))

    first = composer.compose(now, layout(SIZE, now))
    composer.look_ahead(later, layout(SIZE, later), first)

    def told() -> dict[str, Section]:
        return {section.name: section for section in composer.compose(later, layout(SIZE, later), first).sections}

    ahead = told()
    fresh = [name for name in ahead if ahead[name] not in first.sections]
    assert len(fresh) > 3
    again = told()
    assert all(again[name] is ahead[name] for name in fresh)
    composer.forget_ahead()
    anew = told()
    assert not any(anew[name] is ahead[name] for name in fresh)


def sections_there() -> int:
    """How many sections anybody keeps."""
    gc.collect()
    return sum(isinstance(thing, Section) for thing in gc.get_objects())


def test_nothing_is_kept_of_a_story_when_another_begins(surface: pygame.Surface):
    painter = Painter(SIZE)
    ahead = Ahead(painter, screen_at)
    news, now_s = next(dealt())
    painter.paint(surface, screen_at(news, now_s))
    before = sections_there()
    while ahead.look(news, now_s):
        pass
    assert sections_there() > 4 * before
    assert not ahead.look(replace(news, events=(), open_at_s=now_s), now_s)
    assert sections_there() <= 2 * before, "those shown, and those composed last"
