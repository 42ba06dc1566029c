"""What each sentence of the help says of bets, credit and buttons, asked of the machine by pressing: see `help_claims`.

A claim has a cabinet of one game and its settings at hand; it gives the parts of its sentence, or None where the
sentence is not true there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from support.help_play import Parts, ratio, splits, when
from support.machines import POWER, Cabinet, seated

from cabinet.engine.bets import chips_down, why_not_bets
from cabinet.engine.effects import PayingOut
from cabinet.engine.inputs import (
    Bet,
    BillOffered,
    BillStacked,
    Button,
    ChooseChip,
    Deal,
    DeclineInsurance,
    Double,
    Fault,
    FaultBegan,
    Insure,
    Split,
    Stand,
    VoidRound,
)
from cabinet.engine.machine import bound, lit
from cabinet.engine.play import decks_in_play, insurance_choices, insurance_offer, places_asked
from cabinet.engine.round import Round
from cabinet.engine.rules import Table
from cabinet.engine.state import Phase, Settings, State
from cabinet.text.messages import Key, Words

RICH = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class At:
    """The table at which a sentence is said, in a cabinet of these settings."""

    table: Table
    settings: Settings
    words: Words

    def seated(self, credit: int = RICH, cards: str = "") -> Cabinet:
        """A player at the table without a bet."""
        return seated(self.table.rules.game_id, credit=credit, settings=self.settings, cards=cards or None)

    def cards(self, *hands: str, up: str = "6D", hole: str = "9C", then: str = "") -> str:
        """Cards of the deal in their order: these hands, and the dealer's."""
        rules = self.table.rules
        first, second = (hole, up) if rules.hole_card_first else (up, hole)
        pairs = [hand.split() for hand in hands]
        order = [pair[0] for pair in pairs] + [first] + [pair[1] for pair in pairs]
        return " ".join([*order, *([second] if rules.hole_card else []), then, *([] if rules.hole_card else [hole])])

    def dealt(self, hand: str, *, credit: int = RICH, bets: int = 4, places: int = 1, **dealer: str) -> Cabinet:
        """Places `bets` chips on each of some places and deals the same hand to each; the dealer draws small cards."""
        cabinet = self.seated(credit, f"{self.cards(*[hand] * places, **dealer)} 4S 4H 4D 4C 4S 4H")
        cabinet.do(*(Bet(place=place) for place in range(places) for _ in range(bets)), Deal())
        return cabinet

    def after_a_round(self, credit: int = RICH) -> Cabinet:
        """A round has been played with two chips on the first place."""
        return finished(self.dealt("10S 9S", bets=2, credit=credit))

    def money(self, cents: int) -> str:
        """An amount as the help writes it."""
        return self.words.short_money(cents)


Claim = Callable[[At], Parts | None]


def finished(cabinet: Cabinet) -> Cabinet:
    """The round played to its end without a further stake."""
    while cabinet.state is not State.SETTLED:
        cabinet.do(DeclineInsurance() if cabinet.state is State.INSURANCE else Stand())
    return cabinet


def press(cabinet: Cabinet, button: Button) -> bool:
    """Press a button; whether it is taken."""
    if button not in lit(cabinet.settings, cabinet.machine):
        return False
    command = bound(cabinet.settings, cabinet.machine, button)
    assert command is not None
    return cabinet.refusal(command) is None


def bets_of(cabinet: Cabinet) -> tuple[int, ...]:
    """The chips down."""
    return chips_down(cabinet.settings, cabinet.machine)


# --- the table and bets ---------------------------------------------------------------------------------------------


def _decks(at: At) -> Parts | None:
    cabinet = at.seated()
    return when(true=True, count=decks_in_play(cabinet.settings, cabinet.machine))


def _places(at: At) -> list[int]:
    cabinet = at.seated()
    return [place for place in range(6) if cabinet.refusal(Bet(place=place)) is None]


def _one_place(at: At) -> Parts | None:
    return when(len(_places(at)) == 1)


def _many_places(at: At) -> Parts | None:
    return when(len(_places(at)) > 1, number=at.words.number(len(_places(at))))


def _limits(at: At) -> Parts | None:
    cabinet = at.seated()
    others = (0,) * (len(bets_of(cabinet)) - 1)
    taken = [c for c in range(50, 30_000, 50) if why_not_bets(cabinet.settings, cabinet.machine, (c, *others)) is None]
    return when(taken, low=at.money(min(taken)), high=at.money(max(taken)))


def _chips(at: At) -> Parts | None:
    cabinet = at.seated()
    chips = [cabinet.machine.seat.chip_cents]
    while press(cabinet, Button.CHIP) and cabinet.machine.seat.chip_cents != chips[0]:
        chips.append(cabinet.machine.seat.chip_cents)
    return when(true=True, chips=", ".join(map(at.money, chips)))


def _small_chip(at: At) -> Parts | None:
    cabinet = at.seated()
    chip = cabinet.machine.seat.chip_cents
    press(cabinet, Button.BET)
    return when(max(bets_of(cabinet)) > chip, low=at.money(max(bets_of(cabinet))))


def _bet_buttons(at: At) -> Parts | None:
    cabinet = at.seated()
    before = cabinet.machine.seat.chip_cents
    changed = press(cabinet, Button.CHIP) and cabinet.machine.seat.chip_cents != before
    put = press(cabinet, Button.BET) and sum(bets_of(cabinet)) > 0
    return when(changed and put and press(cabinet, Button.CLEAR) and not sum(bets_of(cabinet)))


def _place_button(at: At) -> Parts | None:
    cabinet = at.seated()
    return when(press(cabinet, Button.PLACE) and cabinet.machine.seat.place == 1)


def _all_button(at: At) -> Parts | None:
    limits = at.table.limits
    cabinet = at.seated()
    cabinet.do(ChooseChip(chip_cents=limits.chips_cents[-1]))
    while press(cabinet, Button.BET):
        pass
    cabinet.do(ChooseChip(chip_cents=limits.chips_cents[0]))
    full = bets_of(cabinet)[0]
    taken = press(cabinet, Button.SPLIT)
    first = max(cabinet.machine.seat.chip_cents, limits.min_cents)
    return when(taken and bets_of(cabinet) == (full, *[first] * (len(bets_of(cabinet)) - 1)))


def _rebet_button(at: At) -> Parts | None:
    cabinet = at.after_a_round()
    last = cabinet.machine.seat.last_bets[at.table.rules.game_id]
    once = press(cabinet, Button.REBET) and bets_of(cabinet) == last
    return when(once and press(cabinet, Button.REBET) and bets_of(cabinet) == tuple(2 * bet for bet in last))


def _double_button(at: At) -> Parts | None:
    cabinet = at.after_a_round()
    twice = tuple(2 * bet for bet in cabinet.machine.seat.last_bets[at.table.rules.game_id])
    without = press(cabinet, Button.DOUBLE) and bets_of(cabinet) == twice
    return when(without and press(cabinet, Button.DOUBLE) and bets_of(cabinet) == tuple(2 * bet for bet in twice))


def _deal_button(at: At) -> Parts | None:
    cabinet = at.after_a_round()
    last = cabinet.machine.seat.last_bets[at.table.rules.game_id]
    cabinet.cards(at.cards("10S 9S", then="4S 4H"))
    again = press(cabinet, Button.DEAL) and cabinet.machine.seat.last_bets[at.table.rules.game_id] == last
    return when(again and cabinet.machine.round_number == 2)


def _clear_button(at: At) -> Parts | None:
    cabinet = at.seated()
    return when(press(cabinet, Button.CLEAR) and cabinet.machine.phase is Phase.CHOOSING)


# --- insurance ------------------------------------------------------------------------------------------------------


def _asked(at: At, *, bets: int = 4, credit: int = RICH, places: int = 1) -> Cabinet:
    cabinet = at.dealt("10S 9S", bets=bets, credit=credit, places=places, up="AD")
    assert cabinet.state is State.INSURANCE
    return cabinet


def _choices(cabinet: Cabinet) -> tuple[int, ...]:
    return insurance_choices(cabinet.settings, cabinet.machine)


def _bet_cents(cabinet: Cabinet) -> int:
    return places_asked(cabinet.settings, cabinet.machine)[0].bet_cents


def _insurance_half(at: At) -> Parts | None:
    cabinet = _asked(at)
    bet, credit = _bet_cents(cabinet), cabinet.credit
    declined = _asked(at)
    declined.do(DeclineInsurance())
    cabinet.do(Insure())
    staked = sum(place.insurance_cents or 0 for place in _round(cabinet).places)
    without = sum(place.insurance_cents or 0 for place in _round(declined).places)
    return when((staked, without) == (bet // 2, 0) and credit - cabinet.credit <= bet // 2)


def _round(cabinet: Cabinet) -> Round:
    assert cabinet.machine.round is not None
    return cabinet.machine.round


def _insurance_less(at: At) -> Parts | None:
    """From which bet on less is offered, though the credit covers half; the amounts below half are chips."""
    found: dict[int, tuple[int, ...]] = {}
    for bets in range(1, 8):
        cabinet = _asked(at, bets=bets)
        found[_bet_cents(cabinet)] = _choices(cabinet)[1:]
    less = {cents for choices in found.values() for cents in choices}
    if not less:
        return None
    above = 2 * min(less)
    chips = set(at.table.limits.chips_cents)
    assert all(set(choices) == {chip for chip in chips if 2 * chip < bet} for bet, choices in found.items())
    return when(all(bool(choices) == (bet > above) for bet, choices in found.items()), amount=at.money(above))


def _insurance_covered(at: At) -> Parts | None:
    credit = at.table.limits.credit_cents * at.table.rules.insurance_pays[1]
    staked = _bet_cents(_asked(at))
    cabinet = _asked(at, credit=staked + credit + 1)
    return when(insurance_offer(cabinet.settings, cabinet.machine) == credit and press(cabinet, Button.HIT))


def _insurance_together(at: At) -> Parts | None:
    if len(_places(at)) == 1:
        return None
    staked = _bet_cents(_asked(at))
    cabinet = _asked(at, credit=2 * staked, places=2)
    together = len(places_asked(cabinet.settings, cabinet.machine)) == 2
    return when(together and press(cabinet, Button.STAND) and cabinet.state is not State.INSURANCE)


# --- credit ---------------------------------------------------------------------------------------------------------


def _needed(*, split: bool) -> Claim:
    def claim(at: At) -> Parts | None:
        staked = _bet_cents(_asked(at))
        pair = at.dealt("8S 8H", credit=staked)
        insurance = _asked(at, credit=staked).refusal(Insure())
        refused = {insurance, pair.refusal(Double())} | ({pair.refusal(Split())} if split else set())
        enough = at.dealt("8S 8H", credit=2 * staked, then="2S 3S")
        allowed = enough.refusal(Split() if split else Double()) is None
        return when(refused == {"NO_CREDIT"} and allowed and (splits(at.table.rules) > 0) is split)

    return claim


def _note(at: At) -> Parts | None:
    cents = max(at.settings.notes_cents, default=100)
    for cabinet in (at.dealt("8S 8H", credit=10_000), _asked(at, credit=10_000)):
        before = cabinet.credit
        cabinet.do(BillOffered(cents=cents))
        if cabinet.machine.acceptor.in_path is None:
            return None
        cabinet.do(BillStacked(cents=cents))
        assert cabinet.credit == before + cents
    return when(true=True)


def _whole(at: At) -> Parts | None:
    """A blackjack pays its ratio to the cent for the smallest bets, and half of them is insured."""
    paid = set()
    for bets in range(1, 4):
        cabinet = at.dealt("AS KS", bets=bets)
        result = cabinet.machine.results
        assert result is not None
        paid.add(Fraction(result.returned_cents - result.staked_cents, result.staked_cents))
        asked = _asked(at, bets=bets)
        assert 2 * _choices(asked)[0] == _bet_cents(asked)
    return when(len(paid) == 1, ratio=ratio(at.words, min(paid)))


# --- buttons --------------------------------------------------------------------------------------------------------


def _hand_buttons(*, split: bool) -> Claim:
    def claim(at: At) -> Parts | None:
        hit, stood, doubled, pair = (at.dealt("8S 8H", then="2S 2H") for _ in range(4))
        works = press(hit, Button.HIT) and len(_round(hit).places[0].hands[0].cards) == 3
        works = works and press(stood, Button.STAND) and stood.state is State.SETTLED
        works = works and press(doubled, Button.DOUBLE) and doubled.meter("doubles") == 1
        parted = press(pair, Button.SPLIT) and pair.meter("splits") == 1
        return when(works and parted is split)

    return claim


def _insurance_buttons(*, part: bool) -> Claim:
    def claim(at: At) -> Parts | None:
        yes, no, other = (_asked(at, bets=6) for _ in range(3))
        answers = press(yes, Button.HIT) and bool(_round(yes).places[0].insurance_cents)
        answers = answers and press(no, Button.STAND) and _round(no).places[0].insurance_cents == 0
        before = insurance_offer(other.settings, other.machine)
        changed = press(other, Button.CHIP) and insurance_offer(other.settings, other.machine) != before
        return when(answers and changed is part)

    return claim


def _turbo(at: At) -> Parts | None:
    cabinet = at.seated()
    return when(press(cabinet, Button.HIT) and cabinet.machine.seat.turbo and bets_of(cabinet) == bets_of(at.seated()))


def _service(at: At) -> Parts | None:
    cabinet, calling = at.after_a_round(credit=20_000), at.dealt("8S 8H")
    credit = cabinet.credit
    press(cabinet, Button.CASH_OUT)
    paid = [event.cents for event in cabinet.events if isinstance(event, PayingOut)]
    in_play = Button.CASH_OUT in lit(calling.settings, calling.machine)
    return when(paid == [credit] and not in_play and press(calling, Button.SERVICE) and calling.machine.calling)


def _waits(at: At) -> Parts | None:
    cabinet = at.dealt("8S 8H")
    before = cabinet.machine.round
    cabinet.do(replace(POWER, clean=False))
    return when(cabinet.machine.round == before and press(cabinet, Button.STAND))


def _void(at: At) -> Parts | None:
    cabinet = at.dealt("8S 8H")
    cabinet.do(FaultBegan(fault=Fault.DISPLAY_LOST))
    cabinet.audit()
    cabinet.do(VoidRound())
    return when(cabinet.credit == RICH and not cabinet.meter("coin_out"))


MONEY_CLAIMS: Mapping[Key, Claim] = {
    Key.TABLE_DECKS: _decks,
    Key.TABLE_PLACE_ONE: _one_place,
    Key.TABLE_PLACES: _many_places,
    Key.TABLE_LIMITS: _limits,
    Key.TABLE_CHIPS: _chips,
    Key.TABLE_SMALL_CHIP: _small_chip,
    Key.BUTTONS_CHIPS: _bet_buttons,
    Key.BUTTONS_PLACE: _place_button,
    Key.BUTTONS_ALL: _all_button,
    Key.BUTTONS_REBET: _rebet_button,
    Key.BUTTONS_DOUBLE: _double_button,
    Key.BUTTONS_DEAL: _deal_button,
    Key.BUTTONS_CLEAR: _clear_button,
    Key.INSURANCE_HALF: _insurance_half,
    Key.INSURANCE_LESS: _insurance_less,
    Key.INSURANCE_COVERED: _insurance_covered,
    Key.INSURANCE_TOGETHER: _insurance_together,
    Key.AMOUNTS_NEEDED: _needed(split=True),
    Key.AMOUNTS_NEEDED_UNSPLIT: _needed(split=False),
    Key.AMOUNTS_NOTE: _note,
    Key.AMOUNTS_WHOLE: _whole,
    Key.BUTTONS_HAND: _hand_buttons(split=False),
    Key.BUTTONS_HAND_SPLIT: _hand_buttons(split=True),
    Key.BUTTONS_INSURANCE: _insurance_buttons(part=False),
    Key.BUTTONS_INSURANCE_PART: _insurance_buttons(part=True),
    Key.BUTTONS_TURBO: _turbo,
    Key.BUTTONS_SERVICE: _service,
    Key.MALFUNCTION_WAITS: _waits,
    Key.MALFUNCTION_VOID: _void,
}
"""The sentences that are about bets, credit and buttons."""
