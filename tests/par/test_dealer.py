"""The dealer's finals, against published figures and against drawing card by card."""

import numpy as np
import pytest

from cabinet.par.dealer import BLACKJACK, BUST, FINALS, blackjack_chance, final_totals
from cabinet.par.hands import full_pack

SIX_DECKS = """
2  0.13965640 0.13438863 0.13001965 0.12401888 0.11841273 0.35350371 0.00000000
3  0.13429575 0.13053882 0.12522601 0.12081741 0.11492790 0.37419410 0.00000000
4  0.13055572 0.12406152 0.12127157 0.11644068 0.11186560 0.39580492 0.00000000
5  0.12184346 0.12243712 0.11757538 0.11179292 0.10794518 0.41840594 0.00000000
6  0.16570661 0.10619404 0.10643124 0.10155092 0.09727558 0.42284160 0.00000000
7  0.36920804 0.13793092 0.07842801 0.07868158 0.07381578 0.26193568 0.00000000
8  0.12893999 0.35995491 0.12872317 0.06921888 0.06947015 0.24369290 0.00000000
9  0.12030985 0.11734848 0.35185421 0.12036839 0.06087718 0.22924189 0.00000000
10 0.11191401 0.11166876 0.11194461 0.34001390 0.03481738 0.21247094 0.07717042
1  0.13001663 0.13082156 0.13059395 0.13090969 0.05350353 0.11547297 0.30868167
"""


@pytest.mark.parametrize("line", SIX_DECKS.strip().splitlines(), ids=lambda line: f"up {line.split()[0]}")
def test_six_decks_give_the_known_finals_to_every_digit(line: str):
    up, *expected = line.split()
    finals = final_totals(full_pack(6).array[None], hits_soft_17=False)[0, int(up) - 1]
    assert [f"{chance:.8f}" for chance in finals] == expected


def _draw_on(left: list[int], cards: list[int], chance: float, sums: list[float], *, hits_soft_17: bool) -> None:
    """The dealer's finals the long way: card by card."""
    hard = sum(cards)
    soft = 1 in cards and hard <= 11
    points = hard + 10 * soft
    if len(cards) > 1 and (points > 17 or (points == 17 and not (soft and hits_soft_17))):
        natural = len(cards) == 2 and points == 21
        sums[BLACKJACK if natural else BUST if points > 21 else points - 17] += chance
        return
    for value in range(1, 11):
        if left[value - 1]:
            rest = left.copy()
            rest[value - 1] -= 1
            share = chance * left[value - 1] / sum(left)
            _draw_on(rest, [*cards, value], share, sums, hits_soft_17=hits_soft_17)


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_a_thinned_pack_gives_what_drawing_card_by_card_gives(hits_soft_17: bool):
    pack = [2, 4, 0, 3, 4, 1, 4, 4, 2, 9]
    finals = final_totals(np.array([pack]), hits_soft_17=hits_soft_17)[0]
    for up in (1, 2, 6, 9, 10):
        left = pack.copy()
        left[up - 1] -= 1
        sums = [0.0] * len(FINALS)
        _draw_on(left, [up], 1.0, sums, hits_soft_17=hits_soft_17)
        assert finals[up - 1] == pytest.approx(sums, abs=1e-14)


def test_an_upcard_that_is_not_in_the_pack_has_no_finals():
    pack = full_pack(1).array
    pack[4] = 0
    finals = final_totals(pack[None], hits_soft_17=False)[0]
    assert finals[4].sum() == 0
    assert np.delete(finals, 4, axis=0).sum(axis=1) == pytest.approx(np.ones(9))


def test_blackjack_is_the_hole_card_alone():
    packs = np.stack([full_pack(6).array, full_pack(1).array])
    assert blackjack_chance(packs) == pytest.approx(final_totals(packs, hits_soft_17=False)[:, :, BLACKJACK])
