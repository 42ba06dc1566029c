"""Turns what the cabinet is into what its screen shows, at one moment.

Rules: pure; the same arguments give the same Screen; the presenter decides no money, card or legality, it asks. Equal
Screens need no painting, and a Screen says when it will change by itself (`next_change_s`).
Does not know pixels, sounds or threads.
"""

from dataclasses import replace
from datetime import datetime

from cabinet.engine.inputs import Button
from cabinet.engine.state import Phase, Settings, State
from cabinet.ui.messages import Key
from cabinet.ui.news import News
from cabinet.ui.scenes.attract import attract_change_s, attract_view, demonstration, table_shown
from cabinet.ui.scenes.bars import footer, rail, top_bar
from cabinet.ui.scenes.choice import choice_view
from cabinet.ui.scenes.help import help_view, keys_view
from cabinet.ui.scenes.moment import Moment, moment_of
from cabinet.ui.scenes.notices import notice, notice_until_s
from cabinet.ui.scenes.session import session_change_s, session_view
from cabinet.ui.scenes.speech import is_win, said_until_s, speech
from cabinet.ui.scenes.sweep import lay, swept, swept_change_s
from cabinet.ui.scenes.table import soft_change_s, sprites, table_view
from cabinet.ui.ui_state import CabinetFacts, UiState
from cabinet.ui.view import Overlay, QuestionButton, QuestionView, Scene, Screen


def present(news: News, ui: UiState, now_s: float, wall: datetime, settings: Settings, facts: CabinetFacts) -> Screen:
    """The screen at `now_s` (monotonic), with `wall` on its clock."""
    moment = moment_of(news, ui, now_s, wall, settings, facts)
    screen = _with_scene(moment, _bare(moment))
    changes = (*_changes_s(moment), screen.next_change_s)
    due = [change for change in changes if change is not None and change > now_s]
    return replace(screen, next_change_s=min(due, default=None))


def _bare(moment: Moment) -> Screen:
    """Bars and overlays; the scene is put in later."""
    message, hint = speech(moment)
    scene = _scene(moment)
    return Screen(
        scene=scene,
        felt=moment.machine.game_id,
        top=top_bar(moment),
        rail=rail(moment, message, hint, celebrate=is_win(moment)),
        footer=footer(moment, moment.machine.game_id),
        overlay=None if scene is Scene.AUDIT else _overlay(moment),
        telling=not moment.open,
        four_colour=moment.facts.four_colour,
    )


def _scene(moment: Moment) -> Scene:
    if moment.state is State.AUDIT:
        return Scene.AUDIT
    if moment.state is State.ATTRACT:
        return Scene.ATTRACT
    machine = moment.machine
    phase = machine.resume if machine.phase is Phase.CASHING_OUT else machine.phase
    return Scene.CHOICE if phase is Phase.CHOOSING else Scene.TABLE


def _with_scene(moment: Moment, screen: Screen) -> Screen:
    match screen.scene:
        case Scene.AUDIT:
            return replace(screen, audit=moment.news.attendant)
        case Scene.ATTRACT:
            return _with_attract(moment, screen)
        case Scene.CHOICE:
            return replace(screen, choice=choice_view(moment))
        case Scene.TABLE:
            seen = moment.seen
            table, question = table_view(seen), _question(moment)
            if question is not None:
                table = replace(table, question=question)
            return replace(
                screen,
                table=table,
                sprites=(*swept(moment), *sprites(seen)),
                swept=lay(moment),
                next_change_s=soft_change_s(seen),
            )


def _with_attract(moment: Moment, screen: Screen) -> Screen:
    shown = table_shown(moment)
    game_id = None if shown is None else shown.rules.game_id
    screen = replace(screen, attract=attract_view(moment), footer=footer(moment, game_id))
    if shown is None:
        return replace(screen, next_change_s=attract_change_s(moment, None))
    seen = demonstration(moment, shown)
    return replace(
        screen,
        felt=shown.rules.game_id,
        table=replace(table_view(seen), plate=()),
        sprites=sprites(seen),
        next_change_s=attract_change_s(moment, seen.telling),
    )


def _overlay(moment: Moment) -> Overlay | None:
    """The gravest thing on top: what stops the machine, then help or the session, then a payment."""
    laid = notice(moment)
    if laid is not None and (moment.state is State.LOCKED or moment.machine.printing is not None):
        return laid
    return help_view(moment) or session_view(moment) or keys_view(moment) or laid


def _question(moment: Moment) -> QuestionView | None:
    """The insurance question of the place asked, once the cards that lead to it lie on the table."""
    machine, round_ = moment.machine, moment.machine.round
    if machine.phase is not Phase.INSURANCE or round_ is None or round_.turn is None or not moment.telling.told:
        return None
    say, words = moment.words.say, moment.words
    one = round_.rules.places_max == 1
    place = round_.places[round_.turn[0]].number + 1
    offered = ((Button.STAND, Key.QUESTION_NO), (Button.HIT, Key.QUESTION_YES), (Button.CHIP, Key.QUESTION_CHANGE))
    return QuestionView(
        text=say(Key.QUESTION if one else Key.QUESTION_PLACE, place=place),
        amount=words.money(machine.insurance_offer_cents),
        detail=say(Key.QUESTION_DETAIL, ratio=words.ratio(round_.rules.insurance_pays)),
        buttons=tuple(
            QuestionButton(button=button, word=say(key), lit=moment.is_lit(button))
            for button, key in offered
            if button is not Button.CHIP or moment.is_lit(button)
        ),
    )


def _changes_s(moment: Moment) -> tuple[float | None, ...]:
    """When something other than the scene changes by itself."""
    wall = moment.wall
    minute = moment.now_s + 60 - wall.second - wall.microsecond / 1_000_000
    opens = None if moment.open else moment.news.open_at_s
    return (
        None if moment.state is State.AUDIT else minute,
        opens,
        moment.telling.next_change_s(moment.now_s),
        swept_change_s(moment),
        said_until_s(moment),
        notice_until_s(moment),
        session_change_s(moment),
    )
