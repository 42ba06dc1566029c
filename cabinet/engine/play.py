"""Playing a round on the cabinet: from bets to stakes, through insurance and decisions, to the paid result.

Stakes are posted when they are committed, results in the same step as the last card. Meters move here, once per cause.
Knows `blackjack` as the only judge of the cards.
"""

from itertools import takewhile

from cabinet.engine import bets as betting
from cabinet.engine import blackjack, locks, round_events
from cabinet.engine.effects import Reason, RoundBegan, RoundSettled
from cabinet.engine.errors import EngineError
from cabinet.engine.inputs import (
    ChangeInsurance,
    Deal,
    DeclineInsurance,
    Double,
    Hit,
    Insure,
    Split,
    Stand,
)
from cabinet.engine.ledger import Route
from cabinet.engine.locks import audit_or_lock, notes_counted_from_here
from cabinet.engine.log import LogKind
from cabinet.engine.round import Action, HandResult, InsuranceResult, Outcome, Place, Results, Round, Stage
from cabinet.engine.rules import Limits
from cabinet.engine.state import LockKind, Machine, Phase, Settings
from cabinet.engine.step import StepBuilder

_PHASES = {Stage.INSURANCE: Phase.INSURANCE, Stage.DECIDING: Phase.DECIDING, Stage.OVER: Phase.SETTLED}
_ACTIONS: dict[type, Action] = {
    Hit: Action.HIT,
    Stand: Action.STAND,
    Double: Action.DOUBLE,
    Split: Action.SPLIT,
}
_ACTION_METERS = {Action.DOUBLE: "doubles", Action.SPLIT: "splits"}


def bets_to_deal(settings: Settings, machine: Machine) -> tuple[int, ...] | None:
    """Returns what DEAL would stake: the placed chips, or without any the last round's bets; None when there are
    neither."""
    down = betting.chips_down(settings, machine)
    return down if sum(down) else betting.last_bets(settings, machine)


def why_not_deal(settings: Settings, machine: Machine, _command: Deal) -> Reason | None:
    """Requires bets within limits and credit."""
    bets = bets_to_deal(settings, machine)
    return Reason.NO_BETS if bets is None else betting.why_not_bets(settings, machine, bets)


def deal(step: StepBuilder, _command: Deal) -> None:
    """Makes the bets stakes and deals. The books are audited first; books that contradict themselves lock the machine
    instead."""
    if not audit_or_lock(step):
        return
    bets = bets_to_deal(step.settings, step.machine) or ()
    machine = step.machine
    game_id = machine.seat.game_id
    number = machine.round_number + 1
    step.update(round_number=number, round=None, results=None)
    step.update_seat(bets=(0,) * len(bets), last_bets={**machine.seat.last_bets, game_id: bets})
    step.update_shown(last_paid_cents=0, paid_out_cents=0, paid_out_total_cents=0)
    notes_counted_from_here(step)
    stake(step, sum(bets))
    step.emit(RoundBegan(number=number, game_id=game_id, bets=bets))
    rules = step.settings.table(game_id).rules
    advance(step, None, blackjack.deal(rules, bets, step.draw))


def stake(step: StepBuilder, cents: int) -> None:
    """Moves credit to the stakes, with the meters in all and per game."""
    step.post(Route.WAGER, cents)
    if cents:
        step.count_named({f"{step.machine.seat.game_id}.coin_in": cents})


def decks_in_play(settings: Settings, machine: Machine) -> int:
    """Returns the number of decks for the next card: those of the open round, otherwise those of the present table."""
    if machine.round is not None and machine.phase in {Phase.INSURANCE, Phase.DECIDING}:
        return machine.round.rules.decks
    return betting.table_of(settings, machine).rules.decks


def open_round(machine: Machine) -> Round:
    """Returns the open round. Raises EngineError when there is none, which no row of the table allows."""
    if machine.round is None:
        raise EngineError(f"no round is open in {machine.phase.value}")
    return machine.round


# --- insurance --------------------------------------------------------------------------------------------------


def insurance_choices(settings: Settings, machine: Machine, place: Place | None = None) -> tuple[int, ...]:
    """The amounts offered for a place, or for the place asked; largest first.

    Half of the bet is offered always. Where the rules let a part be insured, so are the chips of the table below that
    half, and what the credit covers when that is less. EngineError when no place is given and none is asked.
    """
    round_ = open_round(machine)
    most = blackjack.insurance_max_cents(round_) if place is None else blackjack.half_bet_cents(place)
    limits = betting.table_of(settings, machine).limits
    parts = (*limits.chips_cents, _whole_part(machine, limits)) if round_.rules.insurance_partial else ()
    return tuple(sorted({most, *(part for part in parts if 0 < part < most)}, reverse=True))


def _whole_part(machine: Machine, limits: Limits) -> int:
    """Returns what the credit covers, in the steps for which insurance pays whole credits."""
    step = limits.credit_cents * open_round(machine).rules.insurance_pays[1]
    return machine.books.credit_cents // step * step


def _covered(settings: Settings, machine: Machine, place: Place | None = None) -> tuple[int, ...]:
    """Returns the amounts offered that the credit covers, largest first."""
    return tuple(cents for cents in insurance_choices(settings, machine, place) if cents <= machine.books.credit_cents)


def insurance_offer(settings: Settings, machine: Machine) -> int:
    """The amount that YES insures: the one chosen, while it is offered and the credit covers it; else the largest that
    the credit covers, which a note put in during the question raises; else half of the bet."""
    covered = _covered(settings, machine)
    if machine.seat.insurance_offer_cents in covered:
        return machine.seat.insurance_offer_cents
    return covered[0] if covered else insurance_choices(settings, machine)[0]


def places_asked(settings: Settings, machine: Machine) -> tuple[Place, ...]:
    """The places that the insurance question is about: one, or a row of places for which the credit covers nothing.

    EngineError when no round is open; empty when no place is asked.
    """
    round_ = open_round(machine)
    if round_.stage is not Stage.INSURANCE or round_.turn is None:
        return ()
    asked, *others = round_.places[round_.turn[0] :]
    if _covered(settings, machine, asked):
        return (asked,)
    return (asked, *takewhile(lambda place: not _covered(settings, machine, place), others))


def why_not_change_insurance(settings: Settings, machine: Machine, _command: ChangeInsurance) -> Reason | None:
    """Requires another amount that the credit covers."""
    if len(insurance_choices(settings, machine)) == 1:
        return Reason.RULES
    offered = insurance_offer(settings, machine)
    others = [cents for cents in _covered(settings, machine) if cents != offered]
    return None if others else Reason.NO_CREDIT


def change_insurance(step: StepBuilder, _command: ChangeInsurance) -> None:
    """Offers the next amount that the credit covers."""
    choices = _covered(step.settings, step.machine)
    now = choices.index(insurance_offer(step.settings, step.machine))
    step.update_seat(insurance_offer_cents=choices[(now + 1) % len(choices)])


def why_not_insure(settings: Settings, machine: Machine, command: Insure) -> Reason | None:
    """The amount must be one that is offered, and the credit must cover it."""
    cents = insurance_offer(settings, machine) if command.cents is None else command.cents
    if cents not in insurance_choices(settings, machine):
        return Reason.RULES
    return Reason.NO_CREDIT if cents > machine.books.credit_cents else None


def insure(step: StepBuilder, command: Insure) -> None:
    """Stakes the insurance."""
    cents = insurance_offer(step.settings, step.machine) if command.cents is None else command.cents
    stake(step, cents)
    step.count(insurance_taken=1)
    before = open_round(step.machine)
    advance(step, before, blackjack.insure(before, cents, step.draw))


def decline_insurance(step: StepBuilder, _command: DeclineInsurance) -> None:
    """No insurance for the places asked."""
    before = after = open_round(step.machine)
    for _ in places_asked(step.settings, step.machine):
        after = blackjack.insure(after, 0, step.draw)
    advance(step, before, after)


# --- decisions --------------------------------------------------------------------------------------------------


def why_not_act(_settings: Settings, machine: Machine, command: Hit | Stand | Double | Split) -> Reason | None:
    """The rules must allow the action, and the credit must cover what it adds."""
    round_ = open_round(machine)
    action = _ACTIONS[type(command)]
    if action not in blackjack.legal_actions(round_):
        return Reason.RULES
    return Reason.NO_CREDIT if blackjack.cost_cents(round_, action) > machine.books.credit_cents else None


def act(step: StepBuilder, command: Hit | Stand | Double | Split) -> None:
    """Carries the action out on the hand whose turn it is."""
    before = open_round(step.machine)
    action = _ACTIONS[type(command)]
    stake(step, blackjack.cost_cents(before, action))
    if action in _ACTION_METERS:
        step.count_named({_ACTION_METERS[action]: 1})
    advance(step, before, blackjack.act(before, action, step.draw))


# --- going on ---------------------------------------------------------------------------------------------------


def advance(step: StepBuilder, before: Round | None, after: Round) -> None:
    """Takes over the round as it is now; pays it when it is over. What happened to the power has been read by then."""
    step.update(round=after, phase=_PHASES[after.stage])
    step.update_shown(notice="")
    step.emit(*round_events.events_between(before, after))
    if after.stage is Stage.INSURANCE:
        step.update_seat(insurance_offer_cents=0)
    if after.stage is Stage.OVER:
        pay_round(step, blackjack.results(after))


def pay_round(step: StepBuilder, results: Results) -> None:
    """Pays the round, moves its meters, and locks for a large win (judged on the whole round)."""
    machine = step.machine
    staked, returned = results.staked_cents, results.returned_cents
    for result in results.hands:
        _pay(step, result)
    for insurance in results.insurances:
        _pay(step, insurance)
    if returned:
        step.count_named({f"{machine.seat.game_id}.coin_out": returned})
    step.count_named(_counts(machine.seat.game_id, results))
    step.update(results=results)
    step.update_shown(last_paid_cents=returned)
    step.update_seat(insurance_offer_cents=0)
    step.emit(RoundSettled(number=machine.round_number, staked_cents=staked, returned_cents=returned))
    large = step.settings.large_win_cents
    if large and returned - staked >= large:
        step.log(LogKind.LARGE_WIN, cents=returned - staked)
        locks.add_lock(step, LockKind.LARGE_WIN, cents=returned - staked)


def _pay(step: StepBuilder, result: HandResult | InsuranceResult) -> None:
    back = min(result.stake_cents, result.returned_cents)
    step.post(Route.STAKE_BACK, back)
    step.post(Route.WIN, result.returned_cents - back)
    step.post(Route.LOSS, result.stake_cents - back)


def _counts(game_id: str, results: Results) -> dict[str, int]:
    """How much each counting meter of a finished round moves."""
    net = results.returned_cents - results.staked_cents
    ending = "games_won" if net > 0 else "games_lost" if net < 0 else "games_pushed"
    outcomes = [result.outcome for result in results.hands]
    steps = {
        "games_played": 1,
        ending: 1,
        f"{game_id}.games_played": 1,
        f"{game_id}.{ending}": 1,
        "blackjacks": outcomes.count(Outcome.BLACKJACK),
        "pushes": outcomes.count(Outcome.PUSH),
        "hands_played": len(outcomes),
        "insurance_won": sum(1 for result in results.insurances if result.returned_cents),
        "dealer_blackjacks": int(results.dealer_blackjack),
    }
    return {name: step for name, step in steps.items() if step}
