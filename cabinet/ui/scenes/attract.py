"""What an idle cabinet shows: a welcome, and a demonstration hand of each game in turn.

Rules: hands are dealt and played by the very engine, so nothing is shown that cannot happen; no amount, credit or win
is shown that is not real; slides change slowly and drift a little, so that nothing burns into the glass, and between
changes the picture rests. The cards of a demonstration follow from the number of the slide, not from chance.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

from cabinet.engine import blackjack, story
from cabinet.engine.cards import Card, Draw, total_of
from cabinet.engine.effects import Event, RoundBegan
from cabinet.engine.round import Action, Round, Stage
from cabinet.engine.rules import Rules, Table
from cabinet.engine.state import Machine, Phase
from cabinet.ui.messages import Key
from cabinet.ui.pace import timeline
from cabinet.ui.scenes.choice import game_lines
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.scenes.table import Seen
from cabinet.ui.scenes.telling import FRAME_S, Telling
from cabinet.ui.view import AttractView

SLIDE_S = 14.0
FADE_S = 0.6
DRIFT = ((0, 0), (6, 3), (3, 7), (-4, 5), (-7, 0), (-3, -5), (4, -6), (7, -2))
"""Where slides stand, in turn, in design units."""
STAND_FROM = 17
STRIDE = 131
"""Shares no divisor with a pack of six decks, so that following it meets every card once."""


def slide_of(moment: Moment) -> int:
    """The number of the slide shown, counted from when attract began."""
    return max(0, int(moment.since_told_s() // SLIDE_S))


def slide_began_s(moment: Moment) -> float:
    """When the slide shown came up."""
    return moment.news.told_at_s + slide_of(moment) * SLIDE_S


def table_shown(moment: Moment) -> Table | None:
    """The table that is demonstrated; None on the welcome slide."""
    turn = slide_of(moment) % (len(moment.settings.tables) + 1)
    return moment.settings.tables[turn - 1] if turn else None


def attract_view(moment: Moment) -> AttractView:
    """The words of the slide. The name of the house stands in the top bar."""
    slide, table = slide_of(moment), table_shown(moment)
    fade = min(1.0, (moment.now_s - slide_began_s(moment)) / FADE_S)
    return AttractView(
        slide=slide,
        heading=moment.words.say(Key.ATTRACT_HEADING) if table is None else moment.words.title(table.rules),
        lines=_welcome(moment) if table is None else game_lines(moment.words, table.rules),
        call=moment.words.say(Key.ATTRACT_START) if table is None else "",
        foot=_foot(moment) if table is None else (),
        drift=DRIFT[slide % len(DRIFT)],
        fade=round(max(0.0, fade), 2),
    )


def _welcome(moment: Moment) -> tuple[str, ...]:
    say, words = moment.words.say, moment.words
    notes = ", ".join(words.short_money(cents) for cents in moment.settings.notes_cents)
    lines = (
        say(Key.ATTRACT_NOTES, notes=notes) if moment.news.notes and notes else "",
        *(
            say(
                Key.ATTRACT_LIMITS,
                game=words.title(table.rules),
                low=words.short_money(table.limits.min_cents),
                high=words.short_money(table.limits.max_cents),
            )
            for table in moment.settings.tables
        ),
    )
    return tuple(line for line in lines if line)


def _foot(moment: Moment) -> tuple[str, ...]:
    words = moment.words
    time = words.say(Key.ATTRACT_TIME, date=words.date(moment.wall), clock=words.clock(moment.wall))
    return tuple(line for line in (moment.facts.helpline, time) if line)


def attract_change_s(moment: Moment, telling: Telling | None) -> float:
    """When the slide changes next: a fade, a card of the demonstration, or the next slide."""
    began = slide_began_s(moment)
    if moment.now_s < began + FADE_S:
        return moment.now_s + FRAME_S
    story_s = None if telling is None else telling.next_change_s(moment.now_s)
    return min(began + SLIDE_S, began + SLIDE_S if story_s is None else story_s)


# --- the demonstration ----------------------------------------------------------------------------------------------


def demonstration(moment: Moment, table: Table) -> Seen:
    """A hand of this table, told from the beginning of the slide."""
    round_, events = _played(table.rules, slide_of(moment))
    machine = Machine(game_id=table.rules.game_id, phase=Phase.SETTLED, round=round_, results=blackjack.results(round_))
    began = slide_began_s(moment) + FADE_S
    beats = timeline(events, turbo=False, from_s=began)
    telling = Telling(beats=beats, at_s=moment.now_s, open_at_s=max(beat.end_s for beat in beats))
    return Seen(
        machine=machine,
        table=table,
        telling=telling,
        words=moment.words,
        now_s=moment.now_s,
        amounts=False,
    )


@lru_cache(maxsize=4)
def _played(rules: Rules, slide: int) -> tuple[Round, tuple[Event, ...]]:
    """A whole round played plainly, and its story."""
    draw = _draw_from(slide)
    bets = (0, 1000, 0, 1000, 0) if rules.places_max == 5 else (1000,) * rules.places_max
    round_ = blackjack.deal(rules, bets, draw)
    events = [RoundBegan(number=0, game_id=rules.game_id, bets=bets), *story.tell(None, round_)]
    while round_.stage is not Stage.OVER:
        after = _play_on(round_, draw)
        events += story.tell(round_, after)
        round_ = after
    return round_, tuple(events)


def _play_on(round_: Round, draw: Draw) -> Round:
    if round_.stage is Stage.INSURANCE or round_.turn is None:
        return blackjack.insure(round_, 0, draw)
    index, hand = round_.turn
    total = total_of(round_.places[index].hands[hand].cards)
    hits = total.points < STAND_FROM and Action.HIT in blackjack.legal_actions(round_)
    return blackjack.act(round_, Action.HIT if hits else Action.STAND, draw)


def _draw_from(slide: int) -> Draw:
    """Cards in a fixed order that begins elsewhere for every slide."""
    cards: Iterator[Card] = (((slide + 1) * 29 + step * STRIDE) % 312 for step in range(312))

    def draw(out: Collection[Card]) -> Card:
        return next(card for card in cards if card not in out)

    return draw
