"""Makes the screen of a moment from the cabinet's snapshot.

Rules: pure, so the same arguments give the same Screen. The presenter decides no money, card or legality; it asks the
engine. Equal Screens need no painting, and a Screen reports when it next changes by itself (`next_change_s`). Does not
know pixels, sounds or threads.
"""

from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from cabinet.attendant.pages import Line, LineStyle, Page
from cabinet.engine.inputs import Button
from cabinet.engine.state import Phase, Settings, State
from cabinet.presentation.meanings import next_ready_s
from cabinet.presentation.memo_key import IdentityKey, PartsKey
from cabinet.presentation.snapshot import Snapshot, not_yet_meant
from cabinet.text.messages import Key
from cabinet.ui.scenes.attract import attract_change_s, attract_view, demonstration, table_shown
from cabinet.ui.scenes.bars import footer, rail, top_bar, uncounted_cents
from cabinet.ui.scenes.choice import choice_view
from cabinet.ui.scenes.help import help_view, keys_view
from cabinet.ui.scenes.moment import Moment, moment_of
from cabinet.ui.scenes.notices import PAID_S, notice, notice_until_s
from cabinet.ui.scenes.past import past_table
from cabinet.ui.scenes.session import session_change_s, session_view
from cabinet.ui.scenes.speech import asked_cents, asked_text, is_win, said_until_s, speech
from cabinet.ui.scenes.sweep import swept, swept_change_s, table_before
from cabinet.ui.scenes.table import soft_change_s, sprites, table_view
from cabinet.ui.ui_state import MachineInfo, UiState
from cabinet.ui.view import Overlay, QuestionButton, QuestionView, Scene, Screen


def present(
    snapshot: Snapshot, ui: UiState, now_s: float, wall: datetime, settings: Settings, facts: MachineInfo
) -> Screen:
    """Returns the screen at `now_s` (monotonic), with `wall` on its clock."""
    moment = moment_of(snapshot, ui, now_s, wall, settings, facts)
    screen = _remembered(moment)
    scene, change_s = _scene_of(moment, screen.scene)
    due = [change for change in (*_changes_s(moment), change_s) if change is not None and change > now_s]
    return replace(screen, **scene, next_change_s=min(due, default=None))


def _remembered(moment: Moment) -> Screen:
    """Returns bars and overlays; during an animation those of the last frame, until a beat begins or ends."""
    ui, playback, snapshot = moment.ui, moment.playback, moment.snapshot
    if playback.finished or ui.session_shown:
        return _without_scene(moment)
    wall = (moment.wall.hour, moment.wall.minute)
    just_paid = moment.now_s < snapshot.paid_at_s + PAID_S
    known = (
        IdentityKey(snapshot),
        IdentityKey(moment.settings),
        IdentityKey(moment.facts),
        moment.words,
        ui,
        moment.open,
        wall,
        just_paid,
    )
    return _between_beats(PartsKey(moment, *known, playback.boundary_count, uncounted_cents(moment)))


@lru_cache(maxsize=8)
def _between_beats(known: PartsKey[Moment]) -> Screen:
    return _without_scene(known.it)


def _without_scene(moment: Moment) -> Screen:
    """Returns bars and overlays without a scene."""
    message, hint = speech(moment)
    scene = _scene(moment)
    return Screen(
        scene=scene,
        felt=moment.machine.seat.game_id,
        top=top_bar(moment),
        rail=rail(moment, message, hint, celebrate=is_win(moment)),
        footer=footer(moment, moment.machine.seat.game_id),
        overlay=None if scene is Scene.AUDIT else _overlay(moment),
        animating=not moment.open,
        unmeant=not_yet_meant(moment.snapshot, moment.now_s),
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


def _scene_of(moment: Moment, scene: Scene) -> tuple[dict[str, Any], float | None]:
    """Returns the fields of a Screen that show its scene, and when the scene changes by itself."""
    match scene:
        case Scene.AUDIT:
            return _audit(moment), None
        case Scene.ATTRACT:
            return _attract(moment)
        case Scene.CHOICE:
            return {"choice": choice_view(moment)}, None
        case Scene.TABLE:
            seen = moment.seen
            table, question = table_view(seen), _question(moment)
            if question is not None:
                table = replace(table, question=question)
            moving = {"sprites": (*swept(moment), *sprites(seen)), "swept": table_before(moment)}
            return {"table": table, **moving}, soft_change_s(seen)


def _audit(moment: Moment) -> dict[str, Any]:
    """Returns the attendant's page, with the table of the past game that it shows."""
    page = _attendants(moment)
    if page is None or page.picture is None:
        return {"audit": page}
    step = page.picture.step
    table = past_table(step, moment.words, moment.settings)
    return {"audit": page, "felt": step.machine.seat.game_id, "table": table}


def _attendants(moment: Moment) -> Page | None:
    """Returns the attendant's page; the loudspeaker's state, which the window knows, stands below its sound test."""
    page = moment.snapshot.attendant
    if page is None or not page.sound or not moment.facts.silent:
        return page
    trouble = Line(cells=(moment.facts.silent,), style=LineStyle.WARN)
    return replace(page, lines=(*page.silent_lines, trouble))


def _attract(moment: Moment) -> tuple[dict[str, Any], float | None]:
    shown = table_shown(moment)
    game_id = None if shown is None else shown.rules.game_id
    bars = {"attract": attract_view(moment), "footer": footer(moment, game_id)}
    if shown is None:
        return bars, attract_change_s(moment, None)
    seen = demonstration(moment, shown)
    table = replace(table_view(seen), plate=())
    scene = {"felt": shown.rules.game_id, "table": table, "sprites": sprites(seen)}
    return bars | scene, attract_change_s(moment, seen.playback)


def _overlay(moment: Moment) -> Overlay | None:
    """Returns the most serious overlay: a lock that stops the machine, then help or the session, then a payment."""
    found = notice(moment)
    if found is not None and (moment.state is State.LOCKED or moment.machine.printer.printing is not None):
        return found
    return help_view(moment) or session_view(moment) or keys_view(moment) or found


def _question(moment: Moment) -> QuestionView | None:
    """Returns the insurance question of the places asked, once the cards before it lie on the table."""
    machine, round_ = moment.machine, moment.machine.round
    if machine.phase is not Phase.INSURANCE or round_ is None or not moment.playback.finished:
        return None
    say, words = moment.words.say, moment.words
    offered = ((Button.STAND, Key.QUESTION_NO), (Button.HIT, Key.QUESTION_YES), (Button.CHIP, Key.QUESTION_CHANGE))
    return QuestionView(
        text=asked_text(moment, Key.QUESTION, Key.QUESTION_PLACE, Key.QUESTION_PLACES),
        amount=words.money(asked_cents(moment)),
        detail=say(Key.QUESTION_DETAIL, ratio=words.ratio(round_.rules.insurance_pays)),
        buttons=tuple(
            QuestionButton(button=button, word=say(key), lit=moment.is_lit(button))
            for button, key in offered
            if button is not Button.CHIP or moment.is_lit(button)
        ),
    )


def _changes_s(moment: Moment) -> tuple[float | None, ...]:
    """Yields when parts other than the scene change by themselves."""
    wall = moment.wall
    minute = moment.now_s + 60 - wall.second - wall.microsecond / 1_000_000
    opens = None if moment.open else moment.snapshot.open_at_s
    return (
        None if moment.state is State.AUDIT else minute,
        opens,
        next_ready_s(moment.snapshot.meanings, moment.snapshot.open_at_s, moment.now_s),
        moment.playback.next_change_s(moment.now_s),
        swept_change_s(moment),
        said_until_s(moment),
        notice_until_s(moment),
        session_change_s(moment),
    )
