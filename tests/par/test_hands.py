"""Hands as counts."""

import numpy as np
import pytest

from cabinet.par.hands import ACE, VALUES, full_pack, list_hands


def test_there_are_3072_hands_of_two_or_more_cards_in_six_decks():
    assert len(list_hands(full_pack(6), None).hard) == 3072


def test_every_hand_is_listed_once_and_none_is_bust():
    hands = list_hands(full_pack(6), None)

    assert len(np.unique(hands.counts, axis=0)) == len(hands.counts)
    assert hands.hard.max() == 21
    assert (hands.size >= 2).all()


def test_an_ace_counts_eleven_where_that_does_not_bust():
    hands = list_hands(full_pack(6), None)
    soft_17, hard_17 = hands.find((1, 0, 0, 0, 0, 1, 0, 0, 0, 0)), hands.find((1, 0, 0, 0, 0, 1, 0, 0, 0, 1))

    assert (hands.points[soft_17], hands.soft[soft_17]) == (17, True)
    assert (hands.points[hard_17], hands.soft[hard_17]) == (17, False)


def test_one_more_card_leads_to_the_hand_that_holds_it_or_to_a_bust():
    hands = list_hands(full_pack(6), None)
    for row in range(0, len(hands.hard), 97):
        for card, value in enumerate(VALUES):
            after = hands.after[row, card]
            if hands.hard[row] + value > 21:
                assert after == len(hands.hard)
            else:
                assert (hands.counts[after] - hands.counts[row]).tolist() == [int(i == card) for i in range(10)]


def test_a_single_deck_has_no_hand_of_five_aces():
    assert list_hands(full_pack(1), None).counts[:, ACE].max() == 4


def test_hands_stop_at_the_limit_of_cards():
    assert list_hands(full_pack(6), 5).size.max() == 5


def test_a_hand_that_is_bust_cannot_be_found():
    with pytest.raises(ValueError, match="at most 21 points"):
        list_hands(full_pack(6), None).find((0, 0, 0, 0, 0, 0, 0, 0, 0, 3))


def test_six_decks_hold_312_cards():
    assert full_pack(6).array.tolist() == [24] * 9 + [96]
