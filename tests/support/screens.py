"""Screens by hand, for tests of painting: sensible bars and rail, and tables that show one thing each."""

from dataclasses import replace
from typing import Any

from cabinet.engine.cards import card_from_code
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
    Rail,
    Scene,
    Screen,
    TableView,
    Tone,
    TopBar,
    TopItem,
    TopItemView,
)

FELT_LINES = ("BLACKJACK PAYS 3 TO 2", "Dealer draws to 16 and stands on all 17s", "INSURANCE PAYS 2 TO 1")


def top_bar(**changes: Any) -> TopBar:
    """A top bar of a European table at 14:32."""
    base = TopBar(
        title="European Blackjack",
        limits="Limits $1 to $100 a place",
        items=(
            TopItemView(item=TopItem.RULES, word="RULES"),
            TopItemView(item=TopItem.LANGUAGE, word="EN"),
            TopItemView(item=TopItem.SOUND, word="SOUND", on=True, level=2),
        ),
        clock="14:32",
    )
    return replace(base, **changes)


def rail(lit: frozenset[Button] = frozenset({Button.SERVICE}), **changes: Any) -> Rail:
    """A rail with four chips, the third raised, and the legends of the panel."""
    chips = tuple(
        ChipView(cents=cents, label=str(cents // 100), raised=cents == 25_00, enabled=True)
        for cents in (1_00, 5_00, 25_00, 100_00)
    )
    legends = tuple(
        LegendView(button=button, word=button.value.upper(), second="", lit=button in lit) for button in Button
    )
    base = Rail(
        chips=chips,
        message="Place your bets",
        hint="Touch the table or press a lit button",
        meters=(
            MeterView(label="BET", value="$25.00", credits="100 credits"),
            MeterView(label="PAID", value="$0.00", credits="0 credits"),
            MeterView(label="CREDIT", value="$84.50", credits="338 credits"),
        ),
        legends=legends,
    )
    return replace(base, **changes)


def hand(codes: str = "", **changes: Any) -> HandView:
    """A hand of these cards, such as `AS 10H`; `--` is a card face down."""
    cards = tuple(
        CardView(card=None if code == "--" else card_from_code(code), turn=0.0 if code == "--" else 1.0)
        for code in codes.split()
    )
    return replace(HandView(cards=cards, open=float(len(cards))), **changes)


def place(number: int, *hands: HandView, **changes: Any) -> PlaceView:
    """A place with these hands, or an empty one."""
    return replace(PlaceView(number=number, hands=hands or (hand(),)), **changes)


def table_screen(*places: PlaceView, dealer: HandView | None = None, **changes: Any) -> Screen:
    """A table with these places (one empty one without)."""
    view = TableView(
        felt_lines=FELT_LINES,
        plate=("European Blackjack", "$1 to $100 a place"),
        dealer=DealerView(hand=dealer or hand()),
        places=places or (place(0),),
    )
    base = Screen(
        scene=Scene.TABLE,
        felt="european",
        top=top_bar(),
        rail=rail(),
        footer="Malfunction voids all pays and play · Theoretical return 99.49 % with best play · Machine 0042",
        table=view,
    )
    return replace(base, **changes)


def five_places() -> Screen:
    """A busy European table in the middle of a round."""
    return table_screen(
        place(0, hand("KS 9H", plaque=Plaque(number="19"), chips=(25_00, 5_00, 5_00), stake="$35.00")),
        place(
            1,
            hand("AD 6C", plaque=Plaque(number="17", soft=True, soft_word="Soft"), chips=(25_00,), stake="$25.00"),
        ),
        place(
            2,
            hand("8S 5D 3C", plaque=Plaque(number="16"), active=True, chips=(25_00,), stake="$25.00"),
            hand("8D JH", plaque=Plaque(number="18"), chips=(25_00,), stake="$25.00"),
        ),
        place(
            3,
            hand(
                "QD 7S 6H",
                plaque=Plaque(number="23", bust=True),
                dimmed=True,
                banner=Banner(word="Bust", amount="-$50.00", tone=Tone.LOSE),
            ),
        ),
        place(
            4,
            hand(
                "AH KC",
                plaque=Plaque(number="21"),
                chips=(100_00,),
                win_chips=(100_00, 25_00, 25_00),
                stake="$100.00",
                banner=Banner(word="Blackjack", amount="+$150.00", tone=Tone.WIN),
            ),
        ),
        dealer=hand("10C", plaque=Plaque(number="10")),
        rail=rail(frozenset({Button.SERVICE, Button.HIT, Button.STAND, Button.DOUBLE})),
    )
