"""Builders for screens with a table on them, made of values alone: as many places, hands and cards as asked for."""

from collections.abc import Sequence

from hypothesis import strategies as st

from cabinet.engine.inputs import Button
from cabinet.ui.view import (
    Banner,
    CardView,
    ChipView,
    DealerView,
    HandView,
    LegendView,
    MeterView,
    PlaceView,
    Plaque,
    QuestionButton,
    QuestionView,
    Rail,
    Scene,
    Screen,
    TableView,
    Tone,
    TopBar,
    TopItem,
    TopItemView,
)

SIZES = ((1280, 720), (1280, 1024), (1920, 1080), (3840, 2160))
"""The displays that must be readable."""


def a_hand(cards: int, *, stake: str = "$200.00", banner: bool = True) -> HandView:
    """A hand with everything on it that can be read."""
    return HandView(
        cards=tuple(CardView(card=nth) for nth in range(cards)),
        open=float(cards),
        plaque=Plaque(number="16", soft=True, soft_word="Soft") if cards else None,
        chips=(10_000, 10_000),
        win_chips=(10_000, 10_000),
        stake=stake,
        banner=Banner(word="BUST", amount=f"−{stake}", tone=Tone.LOSE) if banner and cards else None,
    )


def a_rail(chips: int = 4, *, value_chars: int = 10) -> Rail:
    """Returns a rail with a number of chips."""
    return Rail(
        chips=tuple(ChipView(cents=100 * (n + 1), label="1", raised=n == 1, enabled=True) for n in range(chips)),
        message="Place 3, first hand: 16 against a ten",
        hint="Touch or press a lit button",
        meters=tuple(
            MeterView(label=label, value="$11,000.00", credits="44,000 credits") for label in ("BET", "PAID", "CREDIT")
        ),
        legends=tuple(LegendView(button=b, word=b.value.upper(), second="", lit=True) for b in Button),
        value_chars=value_chars,
    )


def a_top() -> TopBar:
    """A top bar with every word it can have at once: the coach is asked during a hand, games are chosen between."""
    return TopBar(
        title="European Blackjack",
        limits="Limits $1 – $100 a place",
        items=tuple(TopItemView(item=item, word=item.value.upper()) for item in TopItem if item is not TopItem.GAMES),
        clock="14:32",
        badge="SIMULATED",
    )


def a_question() -> QuestionView:
    """The insurance question with all three answers."""
    return QuestionView(
        text="Place 3: insurance against a dealer's blackjack?",
        amount="$12.50",
        detail="pays 2 to 1 if the dealer has blackjack",
        buttons=tuple(
            QuestionButton(button=b, word=b.value, lit=True) for b in (Button.STAND, Button.HIT, Button.CHIP)
        ),
    )


def a_screen(
    places: Sequence[Sequence[int]],
    *,
    dealer: int = 2,
    insured: bool = False,
    question: bool = False,
    stake: str = "$200.00",
) -> Screen:
    """Returns a table whose places hold hands with these numbers of cards; no number is a place without a hand."""
    views = tuple(
        PlaceView(
            number=number,
            hands=tuple(a_hand(cards, stake=stake) for cards in hands) or (a_hand(0),),
            insurance="Insured $100.00" if insured else "",
        )
        for number, hands in enumerate(places)
    )
    table = TableView(
        felt_lines=("Blackjack pays 3 to 2", "Dealer draws to 16 and stands on all 17s", "Insurance pays 2 to 1"),
        plate=("European Blackjack", "6 decks"),
        dealer=DealerView(hand=a_hand(dealer)),
        places=views,
        question=a_question() if question else None,
    )
    return Screen(scene=Scene.TABLE, felt="european", top=a_top(), rail=a_rail(), footer="Malfunction", table=table)


def rounds(most_cards: int = 12) -> st.SearchStrategy[list[list[int]]]:
    """Returns one or five places, each with up to four hands of a limited number of cards."""
    hands = st.lists(st.integers(2, most_cards), min_size=0, max_size=4)
    return st.one_of(
        st.lists(hands, min_size=5, max_size=5),
        st.lists(st.lists(st.integers(2, most_cards), min_size=1, max_size=2), min_size=1, max_size=1),
    )
