"""The screen of an idle cabinet: a welcome, and a demonstration hand of each game in turn.

Rules: the engine deals and plays the hands, so they only show what can happen. Each hand is marked as a demonstration
and names its lesson (`lessons`). Every amount, credit and win on the screen is real. Slides change slowly and drift a
little, so that nothing burns into the glass; between changes the picture rests.
"""

from cabinet.engine import blackjack
from cabinet.engine.locks import printing_stopped
from cabinet.engine.round import Stage
from cabinet.engine.rules import Table
from cabinet.engine.state import Machine, Phase, Seat
from cabinet.presentation.timeline import FRAME_S, timeline
from cabinet.text.messages import Key
from cabinet.ui.scenes.choice import game_lines
from cabinet.ui.scenes.lessons import TURNS, Lesson, Step, hand_for, lessons_of
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.scenes.playback import Playback
from cabinet.ui.scenes.table import Seen
from cabinet.ui.view import AttractView

SLIDE_S = 14.0
FADE_S = 0.6
DRIFT = ((0, 0), (6, 3), (3, 7), (-4, 5), (-7, 0), (-3, -5), (4, -6), (7, -2))
"""Where slides stand in turn, in design units."""


def slide_of(moment: Moment) -> int:
    """Returns the number of the slide, counted from the start of attract."""
    return max(0, int(moment.since_began_s() // SLIDE_S))


def slide_began_s(moment: Moment) -> float:
    """Returns when the present slide began."""
    return moment.snapshot.began_at_s + slide_of(moment) * SLIDE_S


def table_shown(moment: Moment) -> Table | None:
    """Returns the table that is demonstrated; None on the welcome slide."""
    turn = slide_of(moment) % (len(moment.settings.tables) + 1)
    return moment.settings.tables[turn - 1] if turn else None


def attract_view(moment: Moment) -> AttractView:
    """Returns the texts of the slide. The venue's name stands in the top bar."""
    slide, table = slide_of(moment), table_shown(moment)
    fade = min(1.0, (moment.now_s - slide_began_s(moment)) / FADE_S)
    return AttractView(
        slide=slide,
        heading=moment.words.say(Key.ATTRACT_HEADING) if table is None else moment.words.title(table.rules),
        lines=_welcome(moment) if table is None else _lines(moment, table),
        call=moment.words.say(Key.ATTRACT_START) if table is None else "",
        foot=_foot(moment) if table is None else (),
        drift=DRIFT[slide % len(DRIFT)],
        fade=round(max(0.0, fade), 2),
    )


def _lines(moment: Moment, table: Table) -> tuple[str, ...]:
    """Returns what distinguishes the game, and where its hand comes from."""
    return (*game_lines(moment.words, table.rules), moment.words.say(Key.ATTRACT_CHOSEN))


def _welcome(moment: Moment) -> tuple[str, ...]:
    say, words = moment.words.say, moment.words
    notes = ", ".join(words.short_money(cents) for cents in moment.settings.notes_cents)
    lines = (
        say(Key.ATTRACT_NOTES, notes=notes) if moment.snapshot.notes and notes else "",
        say(Key.CASH_OUT_BY_HAND) if printing_stopped(moment.machine) else "",
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


def attract_change_s(moment: Moment, playback: Playback | None) -> float:
    """Returns when the slide changes next: a fade, a card of the demonstration, or the next slide."""
    began = slide_began_s(moment)
    if moment.now_s < began + FADE_S:
        return moment.now_s + FRAME_S
    table = table_shown(moment)
    played = () if table is None else tuple(began + FADE_S + step.at_s for step in _steps(moment, table))
    playback_s = None if playback is None else playback.next_change_s(moment.now_s)
    due = (playback_s, *(at_s for at_s in played if at_s > moment.now_s), began + SLIDE_S)
    return min(at_s for at_s in due if at_s is not None)


# --- the demonstration ----------------------------------------------------------------------------------------------

LESSON_KEYS = {
    Lesson.BLACKJACK: Key.DEMONSTRATION_BLACKJACK,
    Lesson.DOUBLE: Key.DEMONSTRATION_DOUBLE,
    Lesson.SPLIT: Key.DEMONSTRATION_SPLIT,
    Lesson.PUSH: Key.DEMONSTRATION_PUSH,
    Lesson.LOSS: Key.DEMONSTRATION_LOSS,
}


def lesson_of(moment: Moment, table: Table) -> Lesson:
    """Returns the lesson of the demonstration on the slide: another one for each game."""
    turn, game = divmod(slide_of(moment), len(moment.settings.tables) + 1)
    lessons = lessons_of(table.rules)
    return lessons[(turn + 2 * (game - 1)) % len(lessons)]


def demonstration(moment: Moment, table: Table) -> Seen:
    """Returns a demonstration hand as far as it is played, timed from the start of the slide."""
    began_s = slide_began_s(moment) + FADE_S
    steps = _steps(moment, table)
    step = max((s for s in steps if began_s + s.at_s <= moment.now_s), key=lambda s: s.at_s, default=steps[0])
    from_s, over = began_s + step.at_s, step.round_.stage is Stage.OVER
    machine = Machine(
        phase=Phase.SETTLED if over else Phase.DECIDING,
        round=step.round_,
        results=blackjack.results(step.round_) if over else None,
        seat=Seat(game_id=table.rules.game_id),
    )
    beats = timeline(step.events, turbo=False, from_s=from_s)
    playback = Playback(beats=beats, at_s=moment.now_s, open_at_s=max(beat.end_s for beat in beats))
    return Seen(
        machine=machine,
        table=table,
        playback=playback,
        words=moment.words,
        now_s=moment.now_s,
        amounts=False,
        lesson=moment.words.say(LESSON_KEYS[lesson_of(moment, table)]),
    )


def _steps(moment: Moment, table: Table) -> tuple[Step, ...]:
    turn = slide_of(moment) // (len(moment.settings.tables) + 1)
    return hand_for(table.rules, lesson_of(moment, table), turn % TURNS)
