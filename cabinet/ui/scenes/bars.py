"""The top bar, the rail and the fine line: on the screen in every scene but the attendant's.

Rules: credit, bet and paid are always shown. A button is lit and an area can be touched only for what
the engine accepts.
A win is counted up during its animation, though the credit is the player's already. TURBO is not shown where it
is not allowed.
"""

from collections.abc import Hashable
from functools import lru_cache

from cabinet.engine.inputs import (
    BackOut,
    BetAll,
    Button,
    ChangeInsurance,
    ChooseChip,
    ChooseGame,
    Command,
    Deal,
    DeclineInsurance,
    Double,
    DoubleBet,
    Insure,
    KeepPlaying,
    LeaveTable,
    PointAtGame,
    ToggleTurbo,
    Wake,
)
from cabinet.engine.rules import Limits, Table
from cabinet.engine.state import LockKind, Machine, Phase, Settings, State
from cabinet.presentation.memo_key import IdentityKey, PartsKey
from cabinet.presentation.snapshot import lit_now
from cabinet.presentation.timeline import REMEMBERED
from cabinet.text.messages import Key, Words
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.ui_state import MachineInfo
from cabinet.ui.view import ChipView, LegendView, MeterView, Rail, TopBar, TopItem, TopItemView

BUTTON_WORDS = {button: Key[f"BUTTON_{button.name}"] for button in Button}
_SECOND_WORDS: dict[type[Command], Key] = {
    Wake: Key.SECOND_START,
    PointAtGame: Key.SECOND_NEXT_GAME,
    ChooseGame: Key.SECOND_SIT_DOWN,
    LeaveTable: Key.SECOND_LEAVE,
    BetAll: Key.SECOND_ALL_PLACES,
    DoubleBet: Key.SECOND_DOUBLE_BET,
    Double: Key.SECOND_DOUBLE_DOWN,
    ToggleTurbo: Key.SECOND_TURBO,
    ChangeInsurance: Key.SECOND_AMOUNT,
    Insure: Key.SECOND_YES,
    DeclineInsurance: Key.SECOND_NO,
    BackOut: Key.SECOND_BACK_OUT,
    KeepPlaying: Key.SECOND_BACK_OUT,
}
ASKED = frozenset({State.INSURANCE, State.DECIDING})
"""States with a question, in which the player may ask the coach and cannot choose another game."""
BOOKS_UNREAD = frozenset(
    {LockKind.MEMORY, LockKind.SETTINGS_REFUSED, LockKind.DATA_REFUSED, LockKind.DATA_PARTITION_MISSING}
)
"""With these locks the books are unknown: the player has the amount of the lock alone."""
NO_FIGURE = "–"
"""Stands where a meter has no figure."""
SEATED = frozenset({State.BETTING, State.SETTLED, State.INSURANCE, State.DECIDING})


# --- top bar and footer -------------------------------------------------------------------------------------------


def top_bar(moment: Moment) -> TopBar:
    """Returns the game's title and limits, the switches and the time of day."""
    return _top_bar(_known(moment, moment.ui, IdentityKey(moment.facts), moment.words.clock(moment.wall)))


@lru_cache(maxsize=REMEMBERED)
def _top_bar(known: PartsKey[Moment]) -> TopBar:
    moment = known.it
    seated = moment.machine.phase is not Phase.CHOOSING and not moment.machine.attract
    return TopBar(
        title=moment.words.title(moment.table.rules) if seated else moment.facts.venue,
        limits=limits_text(moment, moment.table) if seated else "",
        items=_items(moment),
        clock=moment.words.clock(moment.wall),
        clock_on=moment.ui.session_shown,
        badge=moment.words.say(Key.SIMULATED) if moment.facts.simulated else "",
    )


def limits_text(moment: Moment, table: Table) -> str:
    """Returns the limits of a table in a few words."""
    limits: Limits = table.limits
    key = Key.LIMITS_A_PLACE if table.rules.places_max > 1 else Key.LIMITS
    low, high = moment.words.short_money(limits.min_cents), moment.words.short_money(limits.max_cents)
    return moment.words.say(key, low=low, high=high)


def _known(moment: Moment, *parts: Hashable) -> PartsKey[Moment]:
    """Returns a key of the moment from these parts, the machine, the words, whether presses are taken, and the buttons
    of the attendant's page."""
    page = moment.snapshot.attendant
    at_desk = page.does if page is not None else ()
    return PartsKey(
        moment, IdentityKey(moment.machine), IdentityKey(moment.settings), moment.words, moment.open, at_desk, *parts
    )


def _items(moment: Moment) -> tuple[TopItemView, ...]:
    say, ui = moment.words.say, moment.ui
    items: list[TopItemView] = []
    if moment.allows(LeaveTable()):
        items.append(TopItemView(item=TopItem.GAMES, word=say(Key.ITEM_GAMES)))
    if moment.settings.turbo_allowed and moment.state in SEATED:
        turbo = moment.machine.seat.turbo
        items.append(
            TopItemView(item=TopItem.TURBO, word=say(Key.ITEM_TURBO), enabled=moment.allows(ToggleTurbo()), on=turbo)
        )
    items.append(TopItemView(item=TopItem.RULES, word=say(Key.ITEM_RULES), on=ui.help_page is not None))
    items.append(TopItemView(item=TopItem.LANGUAGE, word=ui.language.code.upper(), enabled=len(ui.languages) > 1))
    items.append(TopItemView(item=TopItem.SOUND, word=say(Key.ITEM_SOUND), on=ui.volume > 0, level=ui.volume))
    if moment.machine.seat.game_id in moment.facts.coaches and moment.state in ASKED:
        items.append(TopItemView(item=TopItem.COACH, word=say(Key.ITEM_COACH), on=ui.coached))
    if moment.facts.keys:
        items.append(TopItemView(item=TopItem.KEYS, word=say(Key.ITEM_KEYS), on=ui.keys_shown))
    return tuple(items)


def footer(moment: Moment, game_id: str | None) -> str:
    """Returns the fine line: the malfunction clause, the theoretical return of the game shown, if any, and the
    machine."""
    return _footer(IdentityKey(moment.facts), moment.words, game_id)


@lru_cache(maxsize=REMEMBERED)
def _footer(facts_: IdentityKey[MachineInfo], words: Words, game_id: str | None) -> str:
    say, facts = words.say, facts_.it
    returns = facts.returns.get(game_id or "")
    parts = (
        say(Key.FOOTER_MALFUNCTION),
        say(Key.FOOTER_RETURN, percent=words.percent(returns)) if returns else "",
        say(Key.FOOTER_MACHINE, machine_id=facts.machine_id),
    )
    return " · ".join(part for part in parts if part)


# --- rail ---------------------------------------------------------------------------------------------------------


def rail(moment: Moment, message: str, hint: str, *, celebrate: bool) -> Rail:
    """Returns the rail with these texts in its middle."""
    shown = (message, hint, celebrate, lit_now(moment.snapshot, moment.now_s), moment.ui.pressed)
    return _rail(_known(moment, uncounted_cents(moment), *shown), message, hint, celebrate=celebrate)


@lru_cache(maxsize=REMEMBERED)
def _rail(known: PartsKey[Moment], message: str, hint: str, *, celebrate: bool) -> Rail:
    moment = known.it
    words, machine = moment.words, moment.machine
    shown = ((Key.METER_BET, bet_shown(machine)), (Key.METER_PAID, paid_shown(moment)))
    return Rail(
        chips=_chips(_known(moment)),
        message=message,
        hint=hint,
        meters=tuple(_meter(moment, key, cents) for key, cents in (*shown, (Key.METER_CREDIT, credit_shown(moment)))),
        legends=legends(moment),
        celebrate=celebrate,
        value_chars=len(words.money(_largest(IdentityKey(moment.settings)))),
    )


def _meter(moment: Moment, label: Key, cents: int) -> MeterView:
    """Returns an amount in currency and in whole credits of the table; without books no figure."""
    words = moment.words
    if any(lock.kind in BOOKS_UNREAD for lock in moment.machine.locks):
        return MeterView(label=words.say(label), value=NO_FIGURE, credits="")
    whole = cents // moment.table.limits.credit_cents
    return MeterView(label=words.say(label), value=words.money(cents), credits=words.say_count(Key.CREDITS, whole))


@lru_cache(maxsize=REMEMBERED)
def _chips(known: PartsKey[Moment]) -> tuple[ChipView, ...]:
    moment, machine = known.it, known.it.machine
    if machine.phase is Phase.CHOOSING or machine.attract:
        return ()
    return tuple(
        ChipView(
            cents=cents,
            label=moment.words.chip(cents),
            raised=cents == machine.seat.chip_cents,
            enabled=moment.allows(ChooseChip(chip_cents=cents)),
        )
        for cents in moment.table.limits.chips_cents
    )


def legends(moment: Moment) -> tuple[LegendView, ...]:
    """Returns the twelve buttons of the panel, in its order."""
    return _legends(_known(moment, lit_now(moment.snapshot, moment.now_s), moment.ui.pressed))


@lru_cache(maxsize=REMEMBERED)
def _legends(known: PartsKey[Moment]) -> tuple[LegendView, ...]:
    moment = known.it
    return tuple(
        LegendView(
            button=button,
            word=moment.words.say(BUTTON_WORDS[button]),
            second=_second_word(moment, button),
            lit=moment.is_lit(button),
            pressed=button in moment.ui.pressed,
        )
        for button in Button
    )


def _second_word(moment: Moment, button: Button) -> str:
    """Returns what the button does now where its own word does not say it; empty on a dark one."""
    if not moment.is_lit(button):
        return ""
    if moment.snapshot.attendant is not None:
        return dict(moment.snapshot.attendant.does).get(button, "")
    if button is Button.SERVICE:
        return moment.words.say(Key.SECOND_CALLED) if moment.machine.calling else ""
    command = moment.bound(button)
    if isinstance(command, Wake) and button is not Button.DEAL:
        return ""
    if isinstance(command, BackOut) and not moment.plays_after_back_out:
        return moment.words.say(Key.SECOND_BACK_TO_CREDIT)
    if isinstance(command, Deal) and not sum(moment.machine.seat.bets):
        return moment.words.say(Key.SECOND_REBET_DEAL)
    key = None if command is None else _SECOND_WORDS.get(type(command))
    return "" if key is None else moment.words.say(key)


# --- amounts ------------------------------------------------------------------------------------------------------


def bet_shown(machine: Machine) -> int:
    """Returns the chips placed while betting; from the deal on every stake of the round, with insurance."""
    if machine.results is not None and machine.phase is not Phase.BETTING:
        return machine.results.staked_cents
    if machine.round is not None:
        hands = sum(hand.stake_cents for place in machine.round.places for hand in place.hands)
        return hands + sum(place.insurance_cents or 0 for place in machine.round.places)
    return sum(machine.seat.bets)


def uncounted_cents(moment: Moment) -> int:
    """Returns what the round returned and the screen has not counted up yet."""
    counting = moment.playback.counting()
    if counting is None or moment.playback.has_ended(counting):
        return 0
    returned = moment.machine.shown.last_paid_cents
    if not moment.playback.has_begun(counting):
        return returned
    counted = int(returned * moment.playback.share(counting))
    return returned - counted + counted % moment.table.limits.credit_cents


def paid_shown(moment: Moment) -> int:
    """Returns what the last round returned to the credit, as far as it is counted up."""
    return moment.machine.shown.last_paid_cents - uncounted_cents(moment)


def credit_shown(moment: Moment) -> int:
    """Returns the credit less the chips on the table, and less the return that is still being counted up."""
    machine = moment.machine
    return machine.books.credit_cents - sum(machine.seat.bets) - uncounted_cents(moment)


@lru_cache(maxsize=REMEMBERED)
def _largest(settings: IdentityKey[Settings]) -> int:
    return largest_amount(settings.it)


def largest_amount(settings: Settings) -> int:
    """Returns more than any meter can show: the highest credit plus the largest round won with every hand doubled."""
    largest = 0
    for table in settings.tables:
        rules, limits = table.rules, table.limits
        hands = rules.places_max * (rules.splits_max + 1)
        largest = max(largest, limits.max_cents * (4 * hands + 2 * rules.places_max))
    return settings.credit_limit_cents + largest
