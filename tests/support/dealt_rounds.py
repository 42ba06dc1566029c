"""Many rounds of blackjack dealt at random and played by a chart, with nothing of the analysis but the chart.

Cards are physical: numbers below 52 x decks, each dealt once per round. All rounds go on in step, as arrays.
"""

import numpy as np

from cabinet.engine.rules import DoubleOn, Rules, SplitBy
from cabinet.par.chart import Advice, Chart

CODE = {advice: index for index, advice in enumerate(Advice)}
STAND, HIT, DOUBLE_OR_HIT, DOUBLE_OR_STAND, SPLIT = (CODE[advice] for advice in Advice)


class Tables:
    """Some rounds at once: `net` is what each place of each round won, in bets."""

    def __init__(self, rules: Rules, chart: Chart, rounds: int, places: int, seed: int):
        self.rules, self.random = rules, np.random.default_rng(seed)
        self.rounds = rounds
        self.drawn = np.full((rounds, 60), -1, dtype=np.int16)
        self.count = np.zeros(rounds, dtype=np.int64)
        self.hard, self.soft, self.pairs = (_codes(rows) for rows in (chart.hard, chart.soft, chart.pairs))
        up = self.draw(np.arange(rounds))
        self.upcard = value_of(up) - 1
        self.dealer = np.zeros((rounds, 2), dtype=np.int64)
        self._add(self.dealer, np.arange(rounds), up)
        if rules.hole_card:
            self._add(self.dealer, np.arange(rounds), self.draw(np.arange(rounds)))
        seats = [self._seat() for _ in range(places)]
        self.at_once = rules.hole_card & (points_of(self.dealer) == 21)
        for seat in seats:
            self._play(seat)
        if not rules.hole_card:
            self._add(self.dealer, np.arange(rounds), self.draw(np.arange(rounds)))
        self.blackjack = points_of(self.dealer) == 21
        self._play_dealer()
        self.net = np.stack([self._settle(seat) for seat in seats], axis=1)

    def draw(self, who: np.ndarray) -> np.ndarray:
        """One card for each of these rounds, none of which is out yet."""
        cards = np.zeros(len(who), dtype=np.int16)
        open_ = np.arange(len(who))
        width = int(self.count.max()) if len(who) else 0
        while len(open_):
            cards[open_] = self.random.integers(0, 52 * self.rules.decks, len(open_))
            taken = (self.drawn[who[open_], :width] == cards[open_, None]).any(axis=1)
            open_ = open_[taken]
        self.drawn[who, self.count[who]] = cards
        self.count[who] += 1
        return cards

    @staticmethod
    def _add(hand: np.ndarray, who: np.ndarray, cards: np.ndarray) -> None:
        """Counts cards to hands kept as (hard total, number of aces)."""
        values = value_of(cards)
        hand[who, 0] += values
        hand[who, 1] += values == 1

    def _seat(self) -> dict[str, np.ndarray]:
        everybody = np.arange(self.rounds)
        first, second = self.draw(everybody), self.draw(everybody)
        hands = np.zeros((self.rounds, 4, 2), dtype=np.int64)
        faces = np.full((self.rounds, 4, 2), -1, dtype=np.int64)
        for place, cards in enumerate((first, second)):
            self._add(hands[:, 0], everybody, cards)
            faces[:, 0, place] = cards % 13
        sizes = np.tile([2, 1, 1, 1], (self.rounds, 1))
        ones = np.ones(self.rounds, dtype=np.int64)
        stakes = np.ones((self.rounds, 4), dtype=np.int64)
        natural = points_of(hands[:, 0]) == 21
        return {"hands": hands, "faces": faces, "sizes": sizes, "number": ones, "stakes": stakes, "natural": natural}

    def _play(self, seat: dict[str, np.ndarray]) -> None:
        for slot in range(self.rules.splits_max + 1):
            going = np.flatnonzero((slot < seat["number"]) & ~seat["natural"] & ~self.at_once)
            lone = going[seat["sizes"][going, slot] == 1]
            self._deal_to(seat, lone, slot)
            while len(going):
                going = self._step(seat, going, slot)

    def _deal_to(self, seat: dict[str, np.ndarray], who: np.ndarray, slot: int) -> None:
        cards = self.draw(who)
        self._add(seat["hands"][:, slot], who, cards)
        two = who[seat["sizes"][who, slot] == 1]
        seat["faces"][two, slot, 1] = (cards % 13)[seat["sizes"][who, slot] == 1]
        seat["sizes"][who, slot] += 1

    def _step(self, seat: dict[str, np.ndarray], who: np.ndarray, slot: int) -> np.ndarray:
        """One decision of each of these rounds; those that go on."""
        rules = self.rules
        hand, faces = seat["hands"][who, slot], seat["faces"][who, slot]
        total, up = points_of(hand), self.upcard[who]
        two = seat["sizes"][who, slot] == 2
        soft = (hand[:, 1] > 0) & (hand[:, 0] <= 11)
        codes = np.where(soft, self.soft[np.minimum(total, 21), up], self.hard[np.minimum(total, 21), up])
        after = seat["number"][who] > 1
        same = faces[:, 0] == faces[:, 1]
        if rules.split_by is SplitBy.VALUE:
            same = np.minimum(faces[:, 0], 9) == np.minimum(faces[:, 1], 9)
        ace = faces[:, 0] == 0
        pair = two & same & (seat["number"][who] <= rules.splits_max) & ~(after & ace & (not rules.resplit_aces))
        codes = np.where(pair, self.pairs[np.minimum(faces[:, 0], 9) + 1, up], codes)
        frozen = after & ace & rules.split_aces_one_card & (codes != SPLIT)
        codes = np.where((total >= 21) | frozen, STAND, codes)
        may_double = two & (rules.double_after_split | ~after)
        may_double &= (rules.double_on is DoubleOn.ANY_TWO) | (total < 21)
        doubles = ((codes == DOUBLE_OR_HIT) | (codes == DOUBLE_OR_STAND)) & may_double
        hits = ((codes == HIT) | (codes == DOUBLE_OR_HIT)) & ~doubles
        seat["stakes"][who[doubles], slot] = 2
        self._deal_to(seat, who[doubles], slot)
        self._deal_to(seat, who[hits], slot)
        self._split(seat, who[codes == SPLIT], slot)
        return who[hits | (codes == SPLIT)]

    def _split(self, seat: dict[str, np.ndarray], who: np.ndarray, slot: int) -> None:
        new = seat["number"][who]
        for place, target in ((0, np.full(len(who), slot)), (1, new)):
            face = seat["faces"][who, slot, place].copy()
            value = np.minimum(face, 9) + 1
            seat["hands"][who, target] = np.stack([value, value == 1], axis=1)
            seat["faces"][who, target, 0] = face
            seat["sizes"][who, target] = 1
        seat["number"][who] += 1
        self._deal_to(seat, who, slot)

    def _play_dealer(self) -> None:
        while True:
            total = points_of(self.dealer)
            soft = (self.dealer[:, 1] > 0) & (self.dealer[:, 0] <= 11)
            drawing = np.flatnonzero((total < 17) | ((total == 17) & soft & self.rules.dealer_hits_soft_17))
            if not len(drawing):
                return
            self._add(self.dealer, drawing, self.draw(drawing))

    def _settle(self, seat: dict[str, np.ndarray]) -> np.ndarray:
        dealer = points_of(self.dealer)
        net = np.zeros(self.rounds)
        for slot in range(4):
            total = points_of(seat["hands"][:, slot])
            result = np.where((dealer > 21) | (total > dealer), 1, np.where(total < dealer, -1, 0))
            result = np.where((total > 21) | self.blackjack, -1, result)
            net += np.where(slot < seat["number"], result * seat["stakes"][:, slot], 0)
        paid, per = self.rules.blackjack_pays
        return np.where(seat["natural"], np.where(self.blackjack, 0, paid / per), net)


def value_of(cards: np.ndarray) -> np.ndarray:
    """Values 1 to 10."""
    return np.minimum(cards % 13, 9).astype(np.int64) + 1


def points_of(hands: np.ndarray) -> np.ndarray:
    """Best totals of hands kept as (hard total, number of aces)."""
    return hands[:, 0] + 10 * ((hands[:, 1] > 0) & (hands[:, 0] <= 11))


def _codes(rows: dict[int, tuple[Advice, ...]]) -> np.ndarray:
    table = np.full((22, 10), STAND)
    for key, row in rows.items():
        table[key] = [CODE[cell] for cell in row]
    return table
