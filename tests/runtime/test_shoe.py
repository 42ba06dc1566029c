"""Drawing cards: exactly uniform, from the secure generator, nothing kept.

What can be proved is proved by going through every number the generator can give; the statistics at the end look at
dealt cards, with thresholds that true randomness misses less than once in a billion runs.
"""

import ast
import inspect
import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from support import rounds
from support.rounds import seeded_draw
from support.source import find_imports, is_within, read_product

from cabinet.engine.blackjack import deal
from cabinet.engine.cards import Card, Draw, rank_of, suit_of
from cabinet.engine.rules import GAMES, TABLE
from cabinet.runtime.shoe import ByteSource, ChanceError, Shoe, make_draw, self_test
from cabinet.tools.simulate import seeded_draw as simulated_draw

PACK = 312


def numbers(values: Iterable[int]) -> ByteSource:
    """A source that gives these two-byte numbers, one per call."""
    waiting = iter(values)

    def source(count: int) -> bytes:
        return next(waiting).to_bytes(count, "big")

    return source


def owned_cards(decks: int, out: frozenset[int] = frozenset()) -> Counter[Card | None]:
    """For every number two bytes can be: the card it gives first, or None when it is thrown away."""
    owners: Counter[Card | None] = Counter()
    for number in range(1 << 16):
        try:
            owners[Shoe(decks, numbers([number])).draw(out)] += 1
        except StopIteration:
            owners[None] += 1
    return owners


# --- exactly uniform --------------------------------------------------------------------------------------------


@pytest.mark.requirement("RN-03", "RN-04")
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_every_card_is_given_by_equally_many_numbers(decks: int) -> None:
    cards = 52 * decks
    share, left = divmod(1 << 16, cards)
    expected = dict.fromkeys(range(cards), share)
    owners = owned_cards(decks)
    assert owners.pop(None, 0) == left
    assert owners == expected


@pytest.mark.requirement("RN-03", "RN-04", "PD-14")
def test_cards_that_are_left_stay_equally_likely() -> None:
    out = frozenset(range(0, PACK, 2))
    owners = owned_cards(6, out)
    owners.pop(None)
    assert owners == dict.fromkeys(range(1, PACK, 2), (1 << 16) // PACK)


@pytest.mark.requirement("RN-03")
def test_a_number_beyond_the_pack_is_thrown_away_and_not_folded() -> None:
    share = (1 << 16) // PACK
    first_beyond = share * PACK
    assert Shoe(6, numbers([first_beyond, 65_535, 5 * share])).draw(()) == 5
    assert Shoe(6, numbers([first_beyond - 1])).draw(()) == PACK - 1


@pytest.mark.requirement("PD-14")
def test_a_card_that_is_out_is_drawn_again() -> None:
    share = (1 << 16) // PACK
    assert Shoe(6, numbers([7 * share, 8 * share, 9 * share])).draw((7, 8)) == 9


@pytest.mark.requirement("PD-14")
def test_the_whole_pack_can_be_drawn_each_card_once() -> None:
    draw = make_draw(6)
    out: list[Card] = []
    while len(out) < PACK:
        out.append(draw(out))
    assert sorted(out) == list(range(PACK))


@pytest.mark.requirement("PD-14")
@pytest.mark.parametrize("draw", [make_draw(1), simulated_draw(1, 7)], ids=["secure", "seeded"])
def test_a_draw_from_a_pack_that_is_used_up_is_an_error(draw: Draw) -> None:
    with pytest.raises(ChanceError, match="all 52 cards of the pack are out"):
        draw(range(52))


# --- where the randomness comes from ----------------------------------------------------------------------------


@pytest.mark.requirement("RN-02", "RN-06")
def test_cards_come_from_the_secure_generator_of_the_system() -> None:
    given: list[bytes] = []

    def listening(count: int) -> bytes:
        given.append(os.urandom(count))
        return given[-1]

    draw = make_draw(6, listening)
    out: list[Card] = []
    for _ in range(20):
        out.append(draw(out))
    share = (1 << 16) // PACK
    cards = [int.from_bytes(block, "big") // share for block in given]
    assert list(dict.fromkeys(card for card in cards if card < PACK)) == out
    assert Shoe.__init__.__defaults__ == (os.urandom,)
    assert make_draw.__defaults__ == (os.urandom,)


@pytest.mark.requirement("RN-06")
def test_two_shoes_never_share_a_sequence() -> None:
    sequences = set()
    for _ in range(8):
        draw = make_draw(6)
        out: list[Card] = []
        while len(out) < 40:
            out.append(draw(out))
        sequences.add(tuple(out))
    assert len(sequences) == 8


@pytest.mark.requirement("SE-06", "RN-08")
def test_a_shoe_keeps_nothing_between_two_draws() -> None:
    asked: list[int] = []

    def counting(count: int) -> bytes:
        asked.append(count)
        return b"\x12\x34"

    shoe = Shoe(6, counting)
    kept = {name: getattr(shoe, name) for name in Shoe.__slots__}
    assert asked == []
    shoe.draw(())
    assert asked == [2]
    assert {name: getattr(shoe, name) for name in Shoe.__slots__} == kept
    assert not hasattr(shoe, "__dict__")


@pytest.mark.requirement("RN-09")
def test_no_generator_that_can_be_seeded_is_within_reach_of_the_cabinet() -> None:
    seedable = ("random", "numpy.random")
    imports = {source.module: find_imports(source.tree) for source in read_product()}
    users = [
        module for module, names in imports.items() if any(is_within(name, each) for name in names for each in seedable)
    ]
    assert users == ["cabinet.tools.simulate"], "only simulated rounds have a seed"
    assert [module for module, names in imports.items() if "cabinet.tools.simulate" in names] == [
        "cabinet.commands.tool_commands"
    ]
    assert "random" in find_imports(ast.parse(inspect.getsource(rounds)))


@pytest.mark.requirement("RN-05")
def test_a_draw_depends_on_nothing_but_the_cards_that_are_out() -> None:
    share = (1 << 16) // PACK
    numbers_ = [number * share for number in (3, 17, 40, 100, 200)]
    cheap = deal(TABLE, (100,), make_draw(6, numbers(numbers_)))
    dear = deal(TABLE, (10_000,), make_draw(6, numbers(numbers_)))
    assert cheap.drawn == dear.drawn


# --- the check at start -----------------------------------------------------------------------------------------


def test_the_generator_of_this_system_passes_the_check() -> None:
    self_test()


def test_a_generator_that_repeats_itself_is_found() -> None:
    with pytest.raises(ChanceError, match="repeats itself"):
        self_test(bytes)


def test_a_generator_that_repeats_only_once_is_found() -> None:
    blocks = [bytes([number]) * 32 for number in (1, 2, 3, 4, 5, 6, 7, 3)]
    with pytest.raises(ChanceError, match="repeats itself"):
        self_test(lambda _count: blocks.pop())


def test_a_generator_that_runs_short_is_found() -> None:
    with pytest.raises(ChanceError, match="block of 31 bytes"):
        self_test(lambda count: os.urandom(count)[1:])


# --- what dealt cards look like ---------------------------------------------------------------------------------


def chi_square(found: Counter[object], expected: dict[object, float]) -> float:
    return sum((found[kind] - count) ** 2 / count for kind, count in expected.items())


def limit(degrees: int) -> float:
    """A chi-square that true randomness exceeds less than once in a billion (Wilson and Hilferty, six sigma)."""
    return degrees * (1 - 2 / (9 * degrees) + 6.0 * (2 / (9 * degrees)) ** 0.5) ** 3


def dealt(rounds: int) -> list[tuple[Card, ...]]:
    draw = make_draw(6)
    hands = []
    for _ in range(rounds):
        out: list[Card] = []
        for _ in range(8):
            out.append(draw(out))
        hands.append(tuple(out))
    return hands


@pytest.fixture(scope="module")
def hands() -> list[tuple[Card, ...]]:
    return dealt(20_000)


@pytest.mark.requirement("RN-01", "RN-04")
@pytest.mark.parametrize(("kind", "kinds"), [(rank_of, 13), (suit_of, 4), (int, PACK)])
def test_ranks_suits_and_cards_are_even_at_every_position(
    hands: list[tuple[Card, ...]], kind: Callable[[Card], int], kinds: int
) -> None:
    for position in range(8):
        found: Counter[object] = Counter(kind(hand[position]) for hand in hands)
        assert chi_square(found, dict.fromkeys(range(kinds), len(hands) / kinds)) < limit(kinds - 1)


@pytest.mark.requirement("RN-01", "RN-04")
def test_pairs_of_neighbouring_ranks_are_as_in_a_real_pack(hands: list[tuple[Card, ...]]) -> None:
    found: Counter[object] = Counter(
        (rank_of(hand[place]), rank_of(hand[place + 1])) for hand in hands for place in range(0, 8, 2)
    )
    pairs = 4 * len(hands)
    expected: dict[object, float] = {
        (first, second): pairs * 24 / 312 * (23 if first == second else 24) / 311
        for first in range(13)
        for second in range(13)
    }
    assert chi_square(found, expected) < limit(168)


@pytest.mark.requirement("RN-01")
def test_cards_do_not_follow_the_round_before(hands: list[tuple[Card, ...]]) -> None:
    found: Counter[object] = Counter(
        (rank_of(before[-1]), rank_of(after[0])) for before, after in zip(hands[::2], hands[1::2], strict=True)
    )
    expected: dict[object, float] = dict.fromkeys(
        ((first, second) for first in range(13) for second in range(13)), len(hands) / 2 / 169
    )
    assert chi_square(found, expected) < limit(168)


@pytest.mark.requirement("RN-01")
def test_runs_and_serial_correlation_are_those_of_chance(hands: list[tuple[Card, ...]]) -> None:
    firsts = [hand[0] for hand in hands]
    count = len(firsts) - 1
    mean = (PACK - 1) / 2
    variance = (PACK * PACK - 1) / 12
    correlation = sum((a - mean) * (b - mean) for a, b in pairwise(firsts)) / count / variance
    assert abs(correlation) < 6.2 / count**0.5
    high = [card > mean for card in firsts]
    changes = sum(a != b for a, b in pairwise(high))
    assert abs(changes - count / 2) < 6.2 * (count / 4) ** 0.5


@pytest.mark.requirement("RN-04")
def test_naturals_and_pairs_come_as_often_as_from_six_decks(hands: list[tuple[Card, ...]]) -> None:
    values = [(min(rank_of(hand[0]) + 1, 10), min(rank_of(hand[2]) + 1, 10)) for hand in hands]
    for share, found in (
        (0.04748949, sum({first, second} == {1, 10} for first, second in values)),
        (0.14518922, sum(first == second for first, second in values)),
    ):
        expected = share * len(hands)
        assert abs(found - expected) < 6.2 * (expected * (1 - share)) ** 0.5


def test_the_statistics_find_a_pack_with_an_ace_too_many() -> None:
    draw = seeded_draw(4)
    loaded: Counter[object] = Counter(rank_of(draw(())) for _ in range(20_000))
    loaded[0] += 400
    assert chi_square(loaded, dict.fromkeys(range(13), 20_400 / 13)) > limit(12)


@pytest.mark.requirement("RN-04")
@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_draws_from_its_own_number_of_decks(game: str) -> None:
    decks = GAMES[game].decks
    assert Shoe(decks, numbers([(1 << 16) // (52 * decks) * 52 * decks - 1])).draw(()) == 52 * decks - 1
