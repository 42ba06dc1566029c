"""Betting: chips, places, clearing, rebet, double bet. Chips down are not stakes; DEAL makes them stakes.

Source: the betting chapters of the three rule texts; requirements CM-03, CM-12.
"""

from cabinet.engine.effects import BetsChanged, Reason
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    ChooseChip,
    ChooseGame,
    ChoosePlace,
    ClearBets,
    DoubleBet,
    LeaveTable,
    PointAtGame,
    Rebet,
    TakeChip,
    ToggleTurbo,
    Wake,
)
from cabinet.engine.rules import Table
from cabinet.engine.state import Machine, Phase, Settings
from cabinet.engine.step import StepBuilder

Bets = tuple[int, ...]


def table_of(settings: Settings, machine: Machine) -> Table:
    """The table the player sits at."""
    return settings.table(machine.seat.game_id)


def chips_down(settings: Settings, machine: Machine) -> Bets:
    """The chips down, one amount per place of the table."""
    return machine.seat.bets or (0,) * table_of(settings, machine).rules.places_max


def last_bets(settings: Settings, machine: Machine) -> Bets | None:
    """The bets of this game's last round; None before the first."""
    bets = machine.seat.last_bets.get(machine.seat.game_id)
    return bets if bets and len(bets) == table_of(settings, machine).rules.places_max else None


def with_chip(settings: Settings, machine: Machine, place: int) -> Bets:
    """The bets after one click on a place; the first click of a small chip puts the table's minimum down."""
    limits = table_of(settings, machine).limits
    bets = list(chips_down(settings, machine))
    bets[place] += machine.seat.chip_cents if bets[place] else max(machine.seat.chip_cents, limits.min_cents)
    return tuple(bets)


def why_not_bets(settings: Settings, machine: Machine, bets: Bets) -> Reason | None:
    """Why these bets may not lie on the table; None when they may."""
    limits = table_of(settings, machine).limits
    if max(bets) > limits.max_cents:
        return Reason.OVER_LIMIT
    if any(0 < bet < limits.min_cents for bet in bets):
        return Reason.UNDER_LIMIT
    if sum(bets) > machine.books.credit_cents:
        return Reason.NO_CREDIT
    return None


def place_bets(step: StepBuilder, bets: Bets) -> None:
    """Puts exactly these bets on the table; what is left of the last round is cleared away."""
    before = chips_down(step.settings, step.machine)
    step.update(phase=Phase.BETTING, round=None, results=None)
    step.update_seat(bets=bets)
    step.emit(BetsChanged(before=before, after=bets))


# --- chip, place, game ------------------------------------------------------------------------------------------


def why_not_chip(settings: Settings, machine: Machine, command: ChooseChip) -> Reason | None:
    """A chip must be one of the table's."""
    chips = table_of(settings, machine).limits.chips_cents
    if command.chip_cents is None:
        return None if len(chips) > 1 else Reason.NO_SUCH
    return None if command.chip_cents in chips else Reason.NO_SUCH


def choose_chip(step: StepBuilder, command: ChooseChip) -> None:
    """Takes the chip, or the next larger one, in hand."""
    chips = table_of(step.settings, step.machine).limits.chips_cents
    if command.chip_cents is not None:
        step.update_seat(chip_cents=command.chip_cents)
    else:
        now = chips.index(step.machine.seat.chip_cents) if step.machine.seat.chip_cents in chips else -1
        step.update_seat(chip_cents=chips[(now + 1) % len(chips)])


def why_not_place(settings: Settings, machine: Machine, command: ChoosePlace) -> Reason | None:
    """A place must exist; pointing at the next one needs more than one."""
    places = table_of(settings, machine).rules.places_max
    if command.place is None:
        return None if places > 1 else Reason.NO_SUCH
    return None if 0 <= command.place < places else Reason.NO_SUCH


def choose_place(step: StepBuilder, command: ChoosePlace) -> None:
    """Points at a place."""
    places = table_of(step.settings, step.machine).rules.places_max
    step.update_seat(place=(step.machine.seat.place + 1) % places if command.place is None else command.place)


def why_not_point(settings: Settings, _machine: Machine, command: PointAtGame | ChooseGame) -> Reason | None:
    """A game must be offered."""
    ids = {table.rules.game_id for table in settings.tables}
    return None if command.game_id is None or command.game_id in ids else Reason.NO_SUCH


def point_at_game(step: StepBuilder, command: PointAtGame) -> None:
    """Points at a game, or at the next one."""
    ids = [table.rules.game_id for table in step.settings.tables]
    now = ids.index(step.machine.seat.game_id) if step.machine.seat.game_id in ids else -1
    step.update_seat(game_id=command.game_id or ids[(now + 1) % len(ids)])


def reset_play(step: StepBuilder) -> None:
    """Goes back to the game choice of a new machine, without bets and cards."""
    fresh = step.settings.tables[0].rules.game_id
    step.update(phase=Phase.CHOOSING, round=None, results=None, attract=False)
    step.update_seat(game_id=fresh, bets=(), last_bets={})
    if len(step.settings.tables) == 1:
        choose_game(step, ChooseGame())


def forget_player(step: StepBuilder) -> None:
    """Forgets what a player who has left chose: the last bets of every game, chip, place and TURBO.

    The cards and the result of the last round stay on the table until the next hand.
    """
    machine = step.machine
    smallest = {table.rules.game_id: table.limits.chips_cents[0] for table in step.settings.tables}
    chip = smallest.get(machine.seat.game_id, 0) if machine.seat.chip_cents else 0
    step.update_seat(last_bets={}, chip_cents=chip, place=0, turbo=False)


def choose_game(step: StepBuilder, command: ChooseGame) -> None:
    """Sits down at a table with the smallest chip in hand and no bets."""
    game_id = command.game_id or step.machine.seat.game_id
    table = step.settings.table(game_id)
    step.update(phase=Phase.BETTING, round=None, results=None)
    step.update_seat(
        game_id=game_id, place=0, chip_cents=table.limits.chips_cents[0], bets=(0,) * table.rules.places_max
    )
    step.update_shown(last_paid_cents=0)


def why_not_leave(settings: Settings, machine: Machine, _command: LeaveTable) -> Reason | None:
    """Chips on the table must be cleared first; with one game there is nothing to choose."""
    if len(settings.tables) < 2:
        return Reason.NO_SUCH
    return Reason.NOT_NOW if sum(machine.seat.bets) else None


def leave_table(step: StepBuilder, _command: LeaveTable) -> None:
    """Back to the game choice."""
    step.update(phase=Phase.CHOOSING, round=None, results=None)
    step.update_seat(bets=())


def wake(step: StepBuilder, _command: Wake) -> None:
    """The idle display is back as it was."""
    step.update(attract=False)


def why_not_turbo(settings: Settings, _machine: Machine, _command: ToggleTurbo) -> Reason | None:
    """The operator decides whether there is a TURBO."""
    return None if settings.turbo_allowed else Reason.NOT_ALLOWED


def toggle_turbo(step: StepBuilder, _command: ToggleTurbo) -> None:
    """Switches TURBO; it changes the pace and nothing else."""
    step.update_seat(turbo=not step.machine.seat.turbo)


# --- bets -------------------------------------------------------------------------------------------------------


def _place_of(machine: Machine, place: int | None) -> int:
    return machine.seat.place if place is None else place


def why_not_bet(settings: Settings, machine: Machine, command: Bet) -> Reason | None:
    """The place must exist, and take one more chip."""
    place = _place_of(machine, command.place)
    if not 0 <= place < table_of(settings, machine).rules.places_max:
        return Reason.NO_SUCH
    return why_not_bets(settings, machine, with_chip(settings, machine, place))


def bet(step: StepBuilder, command: Bet) -> None:
    """One chip on one place."""
    place = _place_of(step.machine, command.place)
    bets = with_chip(step.settings, step.machine, place)
    step.update_seat(place=place)
    place_bets(step, bets)


def with_chip_on_all(settings: Settings, machine: Machine) -> Bets:
    """The bets after one chip more on every place that can take one, in the order of the places. A place is left out
    that would come above the table's maximum, or for which the credit that is left is too small."""
    bets = chips_down(settings, machine)
    for place in range(len(bets)):
        more = with_chip(settings, machine, place)[place]
        raised = (*bets[:place], more, *bets[place + 1 :])
        if why_not_bets(settings, machine, raised) is None:
            bets = raised
    return bets


def why_not_bet_all(settings: Settings, machine: Machine, _command: BetAll) -> Reason | None:
    """Some place must take a chip; a table of one place has no other."""
    bets = chips_down(settings, machine)
    if len(bets) == 1:
        return Reason.NO_SUCH
    if with_chip_on_all(settings, machine) != bets:
        return None
    return why_not_bets(settings, machine, with_chip(settings, machine, machine.seat.place))


def bet_all(step: StepBuilder, _command: BetAll) -> None:
    """One chip on every place that can take one."""
    place_bets(step, with_chip_on_all(step.settings, step.machine))


def why_not_take(settings: Settings, machine: Machine, command: TakeChip) -> Reason | None:
    """There must be a chip to take."""
    bets = chips_down(settings, machine)
    return None if 0 <= command.place < len(bets) and bets[command.place] else Reason.NO_BETS


def take_chip(step: StepBuilder, command: TakeChip) -> None:
    """One chip back; when less than the minimum would be left, all of it."""
    bets = list(chips_down(step.settings, step.machine))
    left = bets[command.place] - step.machine.seat.chip_cents
    bets[command.place] = left if left >= table_of(step.settings, step.machine).limits.min_cents else 0
    place_bets(step, tuple(bets))


def why_not_clear(settings: Settings, machine: Machine, _command: ClearBets) -> Reason | None:
    """There must be a bet to clear."""
    return None if sum(chips_down(settings, machine)) else Reason.NO_BETS


def clear_bets(step: StepBuilder, _command: ClearBets) -> None:
    """Every chip back."""
    place_bets(step, (0,) * len(chips_down(step.settings, step.machine)))


def rebet_of(settings: Settings, machine: Machine) -> Bets | None:
    """The bets after REBET: the last round's on top of what is down; None before the first round."""
    last = last_bets(settings, machine)
    if last is None:
        return None
    return tuple(down + again for down, again in zip(chips_down(settings, machine), last, strict=True))


def why_not_rebet(settings: Settings, machine: Machine, _command: Rebet) -> Reason | None:
    """There must be a last round, and its bets must fit limits and credit."""
    bets = rebet_of(settings, machine)
    return Reason.NO_LAST_BET if bets is None else why_not_bets(settings, machine, bets)


def rebet(step: StepBuilder, _command: Rebet) -> None:
    """The last bets again, on top."""
    place_bets(step, rebet_of(step.settings, step.machine) or ())


def doubled_of(settings: Settings, machine: Machine) -> Bets | None:
    """The bets after DOUBLE BET: twice what is down; with nothing down, twice the last round's."""
    down = chips_down(settings, machine)
    base = down if sum(down) else last_bets(settings, machine)
    return None if base is None else tuple(2 * amount for amount in base)


def why_not_double_bet(settings: Settings, machine: Machine, _command: DoubleBet) -> Reason | None:
    """There must be something to double, and the double must fit limits and credit."""
    bets = doubled_of(settings, machine)
    return Reason.NO_LAST_BET if bets is None else why_not_bets(settings, machine, bets)


def double_bet(step: StepBuilder, _command: DoubleBet) -> None:
    """Twice the bets."""
    place_bets(step, doubled_of(step.settings, step.machine) or ())
