"""The contents of the screen, moment by moment."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.attendant_data import MenuHand, bare_desk
from support.machines import seated
from support.snapshot import WALL, Player, at, notes

from cabinet.attendant.pages import Line, LineStyle
from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    Bet,
    BetAll,
    Button,
    CashOut,
    ChooseChip,
    Deal,
    DeclineInsurance,
    Door,
    DoorClosed,
    DoorOpened,
    Hit,
    Insure,
    Key,
    KeyTurned,
    PlayerLeft,
    Split,
    Stand,
    TicketPrinted,
    Wake,
)
from cabinet.engine.state import Machine, Phase, Settings, State
from cabinet.tools.screens_gallery import SAMPLE_FACTS, Exhibit, gallery, screen_of
from cabinet.ui.presenter import present
from cabinet.ui.scenes.bars import BOOKS_UNREAD, NO_FIGURE
from cabinet.ui.view import NoticeView, Scene, Screen, TopItem

FIVE = "KS AD 8S QD AH 10C 9H 6C 8D 7S KC"


def meters(screen: Screen) -> list[str]:
    """Returns BET, PAID and CREDIT."""
    return [meter.value for meter in screen.rail.meters]


def dealer_cards(screen: Screen) -> list[int | None]:
    """Returns the dealer's cards as far as they are shown."""
    assert screen.table is not None
    return [card.card for card in screen.table.dealer.hand.cards]


def test_the_same_moment_gives_the_same_screen():
    for exhibit in gallery().values():
        assert screen_of(exhibit) == screen_of(exhibit)


def moments_of(exhibit: Exhibit) -> tuple[Exhibit, ...]:
    """Returns an exhibit, and the states that led to it."""
    began_s = exhibit.snapshot.began_at_s
    return exhibit, *(replace(exhibit, now_s=began_s + after_s) for after_s in (0.05, 0.17, 0.19, 0.6, 1.1, 2.0))


def test_a_screen_does_not_change_before_its_next_change():
    """Except for those that ask for the next frame."""
    for name, exhibit in ((name, moment) for name, shown in gallery().items() for moment in moments_of(shown)):
        now = screen_of(exhibit)
        until_s = now.next_change_s if now.next_change_s is not None else exhibit.now_s + 3600
        if until_s - exhibit.now_s < 0.02:
            continue
        middle_s = exhibit.now_s + (until_s - exhibit.now_s) * 0.9
        after_s = exhibit.now_s - exhibit.snapshot.began_at_s
        assert screen_of(replace(exhibit, now_s=middle_s)) == now, f"{name}, {after_s:.2f} s after it began"


def test_the_attendants_page_does_not_change_by_itself():
    assert screen_of(gallery()["audit"]).next_change_s is None
    assert screen_of(gallery()["audit-past-split"]).next_change_s is None


def test_the_cause_of_silence_stands_only_below_the_sound_test():
    facts = replace(SAMPLE_FACTS, silent="no sound: nothing there")
    audit, hand = gallery()["audit"], MenuHand(data=bare_desk(seated()))
    hand.choose("Tests", "Sound")
    testing = replace(audit, snapshot=replace(audit.snapshot, attendant=hand.page), menu=None)
    shown = screen_of(testing, facts).audit
    assert shown is not None
    assert shown.lines[-1] == Line(cells=("no sound: nothing there",), style=LineStyle.WARN)
    cells = [line.cells[1] for line in shown.lines if line.cells[1:]]
    assert "not heard" in cells
    assert "heard now" not in cells
    assert screen_of(testing).audit == testing.snapshot.attendant
    for name, exhibit in gallery().items():
        assert "nothing there" not in repr(screen_of(exhibit, facts)), name


@pytest.mark.requirement("RG-01")
def test_the_clock_is_on_every_screen_of_the_player_and_turns_with_the_minute():
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        assert screen.top.clock == "14:32", name
        if screen.scene is not Scene.AUDIT:
            assert screen.next_change_s is not None
            assert screen.next_change_s <= exhibit.now_s + 60


@pytest.mark.requirement("PD-10")
def test_the_malfunction_line_is_on_every_screen():
    assert all("Malfunction voids all pays and play" in screen_of(e).footer for e in gallery().values())


@pytest.mark.requirement("PD-01", "PD-05", "PD-22")
def test_the_credit_is_on_every_screen_but_the_attendants():
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        assert [meter.label for meter in screen.rail.meters] == ["BET", "PAID", "CREDIT"], name
        if screen.animating:
            continue
        machine = exhibit.snapshot.machine
        cents = machine.books.credit_cents - sum(machine.seat.bets)
        shown = f"${cents // 100:,}.{cents % 100:02d}"
        unread = any(lock.kind in BOOKS_UNREAD for lock in machine.locks)
        assert screen.rail.meters[2].value == (NO_FIGURE if unread else shown), name


def test_the_credit_shown_excludes_placed_chips():
    player = Player().put(*at("european"), BetAll()).settle()
    assert meters(player.screen()) == ["$125.00", "$0.00", "$175.00"]
    player.put(Deal(), cards=FIVE).settle()
    assert meters(player.screen()) == ["$125.00", "$0.00", "$175.00"]


def test_places_without_credit_for_insurance_are_asked_in_one_question():
    bets = (Bet(place=0), Bet(place=2), Bet(place=3), Bet(place=4))
    cards = "KS AD 8S QD AC 9H 6C 8D 7S"
    player = Player().put(*at("european", credit_cents=10_000), *bets, Deal(), cards=cards).settle()
    table = player.screen().table
    assert table is not None
    assert table.question is not None
    assert table.question.text == "Places 1, 3, 4, 5: insurance against a dealer’s blackjack?"
    assert table.question.amount == "$50.00"
    assert [button.lit for button in table.question.buttons] == [True, False]
    player.put(DeclineInsurance()).settle()
    assert player.machine.phase is Phase.DECIDING


def test_the_question_names_what_the_credit_covers_and_a_note_raises_it():
    chips = (ChooseChip(chip_cents=10_000), Bet(place=0), ChooseChip(chip_cents=2_500))
    cards = "KS QD AC 9H 8D"
    player = Player().put(*at("european", credit_cents=20_000), *chips, Bet(place=1), Deal(), cards=cards).settle()
    assert question(player) == ("Place 1: insurance against a dealer’s blackjack?", "$50.00")
    player.put(Insure()).settle()
    assert question(player) == ("Place 2: insurance against a dealer’s blackjack?", "$12.50")
    short = Player().put(*at("european", 500, 10_000), *(Bet(place=0),) * 15, Deal(), cards="KS AC 9H").settle()
    assert question(short)[1] == "$25.00"
    short.put(*notes(10_000)).settle()
    assert question(short)[1] == "$37.50"


def question(player: Player) -> tuple[str, str]:
    """Returns the insurance question and the amount that it names."""
    table = player.screen().table
    assert table is not None
    assert table.question is not None
    return table.question.text, table.question.amount


def test_a_win_is_counted_up_while_the_credit_is_final_already():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
    assert player.machine.books.credit_cents == 32_500
    shown = player.shows(meters)
    assert shown[0] == ["$25.00", "$0.00", "$275.00"]
    assert shown[-1] == ["$25.00", "$50.00", "$325.00"]
    counted = [float(line[2][1:]) for line in shown if isinstance(line, list)]
    assert counted == sorted(counted)
    assert len(counted) > 10


def test_no_card_shows_before_its_beat():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D")
    counts = [len(dealer) for dealer in player.shows(dealer_cards) if isinstance(dealer, list)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 2)


def test_the_hole_card_is_known_to_the_screen_only_when_it_is_turned():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()
    assert dealer_cards(player.screen())[0] is None
    player.put(Stand(), cards="KH")
    shown = player.shows(dealer_cards)
    first = [line[0] for line in shown if isinstance(line, list)]
    assert first[0] is None
    assert first[-1] is not None


@pytest.mark.requirement("PD-02")
def test_cards_stake_and_win_stay_until_the_next_hand_is_begun():
    player = Player().put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH").settle()
    ended = player.screen().table
    player.wait(3600)
    assert player.screen().table == ended
    player.put(DoorOpened(door=Door.MAIN), DoorClosed(door=Door.MAIN), PlayerLeft(), Wake()).settle()
    assert player.screen().table == ended
    player.put(Bet()).settle()
    table = player.screen().table
    assert table is not None
    assert table.places[0].hands[0].cards == ()


@pytest.mark.requirement("PD-07")
def test_every_result_is_named_and_totals_are_shown():
    table = screen_of(gallery()["results"]).table
    assert table is not None
    words = [place.hands[0].banner.word for place in table.places if place.hands[0].banner]
    assert words == ["LOSES", "LOSES", "BUST", "LOSES", "BLACKJACK"]
    assert [place.hands[0].plaque.number for place in table.places if place.hands[0].plaque] == [
        "19",
        "19",
        "26",
        "17",
        "21",
    ]
    assert table.dealer.hand.plaque is not None
    assert table.dealer.hand.plaque.number == "21"


@pytest.mark.requirement("PD-18")
def test_only_the_hand_in_play_is_marked():
    player = Player().put(*at("european"), BetAll(), Deal(), Stand(), Stand(), Split(), cards=f"{FIVE} 3C JH").settle()
    table = player.screen().table
    assert table is not None
    active = [(place.number, n) for place in table.places for n, hand in enumerate(place.hands) if hand.active]
    assert active == [(2, 0)]
    assert player.screen().rail.message == "Place 3, first hand: 11 against a ten"


def test_a_soft_total_alternates_while_it_is_played_and_rests_under_a_lock():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()

    def soft(screen: Screen) -> bool:
        assert screen.table is not None
        plaque = screen.table.places[0].hands[0].plaque
        assert plaque is not None
        assert plaque.number == "18"
        return plaque.soft

    seen = []
    for _ in range(40):
        seen.append(soft(player.screen()))
        player.wait(0.1)
    assert {a != b for a, b in itertools.pairwise(seen)} == {True, False}
    player.put(DoorOpened(door=Door.MAIN)).settle()
    assert {soft(player.wait(0.3).screen()) for _ in range(12)} == {True}


@pytest.mark.requirement("PD-24")
def test_a_payment_text_stays_until_the_next_hand():
    player = Player().put(*at("classic"), CashOut(), TicketPrinted(sequence=1)).wait(1)
    overlay = player.screen().overlay
    assert isinstance(overlay, NoticeView)
    assert overlay.amount == "$300.00"
    player.settle()
    assert "Paid out $300.00" in player.screen().rail.message
    player.put(*notes(10_000), CashOut(), TicketPrinted(sequence=2)).settle()
    assert player.screen().rail.message == "Paid out $100.00, $400.00 in all"
    player.put(*notes(10_000), Bet(), Deal(), cards="AS 6S 7H 9D").settle()
    assert "Paid out" not in player.screen().rail.message + player.screen().rail.hint


@pytest.mark.requirement("PD-20")
def test_turbo_is_not_shown_where_it_is_not_allowed():
    without = Settings(turbo_allowed=False)
    for inputs in ((), at("table"), (*at("table"), Bet(), Deal())):
        screen = Player(settings=without).put(*inputs).settle().screen()
        assert "turbo" not in repr(screen).lower().replace("topitem.turbo", "")
        assert TopItem.TURBO not in {item.item for item in screen.top.items}
    allowed = Player().put(*at("table")).screen()
    assert TopItem.TURBO in {item.item for item in allowed.top.items}


@pytest.mark.requirement("PD-11")
def test_help_opens_without_credit_and_closes_to_the_same_table():
    player = Player().put(*at("european"), Bet(place=2)).settle()
    before = player.screen()
    assert player.read(help_page=0).screen().overlay is not None
    assert player.read(help_page=None).screen() == before
    assert Player().read(help_page=3).screen().overlay is not None


def test_a_lock_covers_everything_and_clearing_it_shows_the_hand_again():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").settle()
    before = player.screen()
    player.put(DoorOpened(door=Door.MAIN)).settle()
    assert isinstance(player.screen().overlay, NoticeView)
    player.put(DoorClosed(door=Door.MAIN)).settle()
    assert replace(player.screen(), table=None) == replace(before, table=None)
    assert player.screen().overlay is None


def test_a_large_win_is_shown_before_the_call_for_the_attendant():
    player = Player(settings=Settings(large_win_cents=2_000))
    player.put(*at("classic"), Bet(), Deal(), Stand(), cards="AS 6S 7H 9D KH")
    assert player.screen().overlay is None
    assert player.settle().screen().overlay is not None


def test_the_scene_follows_the_machine():
    player = Player()
    assert player.screen().scene is Scene.CHOICE
    assert player.put(PlayerLeft()).screen().scene is Scene.ATTRACT
    assert player.put(Wake(), *at("classic")).screen().scene is Scene.TABLE
    assert player.put(KeyTurned(key=Key.AUDIT, on=True)).screen().scene is Scene.AUDIT


def test_a_cash_out_from_the_game_choice_keeps_the_choice_behind_its_notice():
    screen = Player().put(*notes(10_000), CashOut()).screen()
    assert screen.scene is Scene.CHOICE
    assert isinstance(screen.overlay, NoticeView)


@pytest.mark.requirement("PD-19")
def test_only_a_return_above_the_stake_is_celebrated():
    for cards, inputs, win in (
        ("AS 6S 7H 9D KH", (Stand(),), True),
        ("10S 9S 9H 10D", (Stand(),), False),
        ("10S 9S 6H 10D KD", (Hit(),), False),
    ):
        screen = Player().put(*at("classic"), Bet(), Deal(), *inputs, cards=cards).settle().screen()
        assert screen.rail.celebrate is win
        assert ("!" in screen.rail.message) is win


@given(seed=st.integers(0, 10_000), moments=st.lists(st.floats(0.0, 2.5), min_size=10, max_size=30))
def test_shown_and_uncounted_money_add_up_to_the_credit(seed: int, moments: list[float]):
    player = Player(seed=seed).put(*at("european", 500))
    buttons = tuple(Button)
    for nth, seconds in enumerate(moments):
        player.wish(buttons[(seed + nth * nth * 7) % len(buttons)])
        player.wait(seconds)
        screen = player.screen()
        credit = round(float(screen.rail.meters[2].value[1:].replace(",", "")) * 100)
        machine = player.machine
        at_most = machine.books.credit_cents - sum(machine.seat.bets)
        untold = at_most - credit
        assert 0 <= untold <= (machine.shown.last_paid_cents if machine.phase is Phase.SETTLED else 0)


def scene_wanted(machine: Machine) -> Scene:
    """Returns the scene of a machine, under any overlay."""
    if engine.state_of(machine) is State.AUDIT:
        return Scene.AUDIT
    if engine.state_of(machine) is State.ATTRACT:
        return Scene.ATTRACT
    behind = machine.resume if machine.phase is Phase.CASHING_OUT else machine.phase
    return Scene.CHOICE if behind is Phase.CHOOSING else Scene.TABLE


def test_each_scene_shows_only_its_own_parts():
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        assert screen.scene is scene_wanted(exhibit.snapshot.machine), name
        shown = (screen.audit is not None, screen.attract is not None, screen.choice is not None)
        assert shown == tuple(screen.scene is scene for scene in (Scene.AUDIT, Scene.ATTRACT, Scene.CHOICE)), name
        if screen.scene in {Scene.AUDIT, Scene.CHOICE}:
            pictured = screen.audit is not None and screen.audit.picture is not None
            assert (screen.table is not None) == pictured, name
        if screen.scene is Scene.TABLE:
            assert screen.table is not None, name


def test_wall_time_does_not_touch_the_table():
    player = Player().put(*at("classic"), Bet())
    later = present(player.snapshot, player.ui, player.now_s, WALL.replace(hour=3), player.settings, player.facts)
    assert later.table == player.screen().table
    assert later.top.clock == "03:32"


def test_a_remembered_screen_equals_a_newly_computed_one():
    """An equal machine in another object is not remembered."""
    player = Player().put(*at("european"), BetAll(), Deal(), cards=FIVE + " 2H 10H 6H 5C 9D 9C 3S")
    for command in (None, Stand(), Split(), Hit(), Stand(), Hit(), Stand()):
        if command is not None:
            player.put(command)
        snapshot, now_s = player.snapshot, player.snapshot.began_at_s
        while now_s < snapshot.open_at_s + 0.1:
            seen = screen_of(Exhibit(snapshot=snapshot, now_s=now_s))
            anew = replace(snapshot, machine=replace(snapshot.machine), events=(*snapshot.events,))
            assert screen_of(Exhibit(snapshot=anew, now_s=now_s)) == seen, (command, now_s - snapshot.began_at_s)
            now_s += 1 / 30
        player.settle()


def test_the_demonstration_shows_its_games_return_and_the_welcome_none():
    shown = {name: screen_of(gallery()[name]).footer for name in ("attract-welcome", "attract-european")}
    assert "99.49%" in shown["attract-european"]
    assert "99.49%" not in shown["attract-welcome"]


def test_the_demonstration_has_its_mark_instead_of_a_plate():
    for name in ("attract-european", "attract-table", "attract-dealing"):
        table = screen_of(gallery()[name]).table
        assert table is not None
        assert (table.plate, table.demonstration != "") == ((), True), name
    played = screen_of(gallery()["betting"]).table
    assert played is not None
    assert (len(played.plate), played.demonstration) == (2, "")


def test_the_picture_of_a_past_game_has_its_own_table_and_nothing_of_the_live_one():
    shown = screen_of(gallery()["audit-past-won"])
    assert (shown.scene, shown.felt, shown.sprites, shown.overlay) == (Scene.AUDIT, "classic", (), None)
    assert gallery()["audit-past-won"].snapshot.machine.seat.game_id == "european"
    assert [len(place.hands[0].cards) for place in shown.table.places] == [2]
