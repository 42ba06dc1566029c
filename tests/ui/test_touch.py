"""Lit buttons, touch areas and the commands that the engine accepts always agree."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.snapshot import SIZE, WALL, Player, at, notes

from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    BackOut,
    Bet,
    BetAll,
    Button,
    CashOut,
    ChooseChip,
    ChooseGame,
    Deal,
    Door,
    DoorOpened,
    KeepPlaying,
    LeaveTable,
    LimitLoss,
    LimitTime,
    SessionBegan,
    TakeChip,
    TicketPrinted,
    TimeLimitReached,
    ToggleTurbo,
    Wake,
)
from cabinet.engine.state import Phase, Settings, State
from cabinet.presentation.gate import SkipAnimation, accept
from cabinet.presentation.snapshot import is_open, lit_now
from cabinet.tools.screens_gallery import gallery, screen_of
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import layout
from cabinet.ui.touch import Area, Wish, areas, command_at
from cabinet.ui.ui_state import (
    CloseOverlay,
    MachineInfo,
    NextLanguage,
    NextVolume,
    OpenHelp,
    OpenSession,
    ShowKeys,
    TurnPage,
    UiCommand,
)
from cabinet.ui.view import Kind, Slot

BUTTONS = tuple(Button)
OFTEN = 0.7
"""How often DEAL is preferred, so that rounds are played and not only prepared."""


def touchable(player: Player) -> tuple[Area, ...]:
    """Returns all areas that can be touched now."""
    screen = player.screen()
    return areas(screen, layout(SIZE, screen))


def wishes_in(found: tuple[Area, ...], *, enabled: bool) -> list[Wish]:
    """Returns the wishes of the enabled areas (or the disabled ones), with those of held keys."""
    every = ((area.wish, area.enabled, area.ctrl, area.ctrl_enabled, area.shift, area.shift_enabled) for area in found)
    pairs = ((pair[n], pair[n + 1]) for pair in every for n in (0, 2, 4))
    return [wish for wish, on in pairs if wish is not None and on is enabled]


def accepted(player: Player, wish: Wish) -> bool | None:
    """Returns whether the cabinet accepts it now; None for wishes of the screen alone."""
    if isinstance(wish, UiCommand):
        return None
    command = accept(player.settings, player.snapshot, wish, player.now_s, pressed_at_s=player.now_s)
    if command is None or isinstance(command, SkipAnimation):
        return False
    return engine.why_not(player.settings, player.machine, command) is None


def check_one_set(player: Player) -> None:
    """Checks that lamps, legends, areas and engine agree at this moment."""
    screen = player.screen()
    lamps = lit_now(player.snapshot, player.now_s)
    assert {legend.button for legend in screen.rail.legends if legend.lit} == lamps
    assert {button for button in Button if accepted(player, button)} == lamps
    found = touchable(player)
    skips = screen.animating or engine.state_of(player.machine) is State.ATTRACT
    for wish in wishes_in(found, enabled=True):
        assert accepted(player, wish) is not False or (wish == Wake() and skips)
    for wish in wishes_in(found, enabled=False):
        assert accepted(player, wish) is not True


@pytest.mark.requirement("PD-06", "PD-17", "CM-04")
@given(seed=st.integers(0, 10_000), game=st.sampled_from(["european", "table", "classic"]), credit=st.integers(1, 4))
def test_lit_lamps_enabled_areas_and_accepted_actions_agree(seed: int, game: str, credit: int):
    player = Player(seed=seed).put(*at(game, 2_500, credit * 10_000))
    chooser = random.Random(seed)
    for _ in range(25):
        check_one_set(player)
        player.wish(chooser.choice(BUTTONS))
        if player.machine.printer.printing is not None:
            player.put(TicketPrinted(sequence=player.machine.printer.printing.sequence), *notes(10_000))
        player.wait(chooser.choice((0.0, 0.1, 1.0, 9.0)))


def test_they_also_agree_under_locks_in_attract_and_at_the_choice():
    player = Player()
    check_one_set(player)
    player.put(*at("classic"), Bet(), Deal(), DoorOpened(door=Door.MAIN))
    check_one_set(player)
    payer = Player(settings=Settings(ticket_max_cents=10_000)).put(*at("classic"))
    payer.wish(Button.CASH_OUT)
    check_one_set(payer.settle())
    assert BackOut() in wishes_in(touchable(payer), enabled=True)


@pytest.mark.parametrize("game", ["european", "table", "classic"])
def test_every_part_of_every_game_is_reached_by_touch_alone(game: str):
    reached = _play(game, _by_touch)
    assert reached == set(Phase)


@pytest.mark.parametrize("game", ["european", "table", "classic"])
def test_every_part_of_every_game_is_reached_by_buttons_alone(game: str):
    reached = _play(game, _by_button)
    assert reached == set(Phase)


def _by_touch(player: Player, chooser: random.Random) -> None:
    found = [area for area in touchable(player) if area.enabled and not isinstance(area.wish, UiCommand)]
    deals = [area for area in found if area.wish is Button.DEAL]
    area = chooser.choice(deals if deals and chooser.random() < OFTEN else found)
    wish = command_at(touchable(player), area.rect.centre)
    if isinstance(wish, Button) or (wish is not None and not isinstance(wish, UiCommand)):
        player.wish(wish)


def _by_button(player: Player, chooser: random.Random) -> None:
    lit = sorted(lit_now(player.snapshot, player.now_s), key=lambda button: button.value)
    player.wish(Button.DEAL if Button.DEAL in lit and chooser.random() < OFTEN else chooser.choice(lit))


def _play(game: str, choose: object) -> set[Phase]:
    """Returns the phases reached in a few hundred touches."""
    assert callable(choose)
    chooser = random.Random(5)
    tables = tuple(table for table in Settings().tables if table.rules.game_id == game)
    other = tuple(table for table in Settings().tables if table.rules.game_id != game)[:1]
    player = Player(settings=Settings(tables=tables + other), seed=7).put(*notes(100_000))
    reached = {player.machine.phase}
    for _ in range(800):
        choose(player, chooser)
        reached.add(player.machine.phase)
        if player.machine.printer.printing is not None:
            player.put(TicketPrinted(sequence=player.machine.printer.printing.sequence))
        if player.machine.books.credit_cents < 20_000 and player.machine.phase in {Phase.BETTING, Phase.SETTLED}:
            player.put(*notes(10_000))
        player.settle()
        if reached == set(Phase):
            break
    return reached


def at_slot(player: Player, slot: Slot, *, ctrl: bool = False, shift: bool = False) -> Wish | None:
    """Returns the wish of a touch in the middle of a slot."""
    return command_at(touchable(player), player.where().rect(slot).centre, ctrl=ctrl, shift=shift)


def test_touching_a_legend_is_pressing_its_button():
    player = Player().put(*at("classic"), Bet()).settle()
    nth = BUTTONS.index(Button.DEAL)
    assert at_slot(player, Slot(Kind.LEGEND, nth=nth)) is Button.DEAL
    assert at_slot(player, Slot(Kind.LEGEND, nth=BUTTONS.index(Button.STAND))) is None


def test_a_tap_places_a_chip_with_ctrl_on_all_places_and_with_shift_takes_one_back():
    player = Player().put(*at("european")).settle()
    place = Slot(Kind.PLACE, 3)
    assert at_slot(player, place) == Bet(place=3)
    assert at_slot(player, place, ctrl=True) == BetAll()
    assert at_slot(player, place, shift=True) is None
    player.put(Bet(place=3)).settle()
    assert at_slot(player, place, shift=True) == TakeChip(place=3)


def test_chips_games_and_switches_are_touched_where_they_are():
    player = Player().put(*at("table")).settle()
    assert at_slot(player, Slot(Kind.CHIP, nth=1)) == ChooseChip(chip_cents=500)
    items = [at_slot(player, Slot(Kind.TOP_ITEM, nth=n)) for n in range(len(player.screen().top.items))]
    assert items == [LeaveTable(), ToggleTurbo(), OpenHelp(), NextLanguage(), NextVolume()]
    assert at_slot(Player(), Slot(Kind.GAME, nth=2)) == ChooseGame(game_id="classic")


@pytest.mark.requirement("RG-02", "RG-03", "RG-05")
def test_the_clock_opens_the_session_where_limits_are_set_and_a_pause_is_ended():
    player = Player().put(*at("table"), SessionBegan(at_ms=round(WALL.timestamp() * 1_000))).settle()
    assert at_slot(player, Slot(Kind.CLOCK)) == OpenSession()
    player.read(session_shown=True)
    check_one_set(player)
    assert at_slot(player, Slot(Kind.CLOCK)) == CloseOverlay()
    wishes = [at_slot(player, Slot(Kind.OVERLAY_BUTTON, nth=nth)) for nth in (0, 4, 8)]
    assert wishes == [LimitTime(session_s=900), LimitLoss(cents=5_000), CloseOverlay()]
    assert at_slot(player, Slot(Kind.LEGEND, nth=BUTTONS.index(Button.CASH_OUT))) is Button.CASH_OUT
    player.put(LimitTime(session_s=900), TimeLimitReached()).settle()
    check_one_set(player)
    both = [at_slot(player, Slot(Kind.OVERLAY_BUTTON, nth=nth)) for nth in (0, 1)]
    assert both == [Button.CASH_OUT, KeepPlaying()]


def test_the_insurance_question_is_answered_by_touch():
    player = Player().put(*at("table"), Bet(), Deal(), cards="10S AS 9H 5D").settle()
    answers = [at_slot(player, Slot(Kind.QUESTION_BUTTON, nth=n)) for n in range(2)]
    assert answers == [Button.STAND, Button.HIT]


def test_a_touch_during_an_animation_skips_it_and_cannot_play():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").wait(0.3)
    wish = at_slot(player, Slot(Kind.PLACE))
    assert wish == Wake()
    player.wish(Wake())
    assert is_open(player.snapshot, player.now_s)
    assert player.machine.phase is Phase.DECIDING


def test_a_touch_of_any_dark_legend_or_word_skips_an_animation():
    player = Player().put(*at("classic"), Bet(), Deal(), cards="AS 6S 7H 9D").wait(0.3)
    screen = player.screen()
    dark = [Slot(Kind.LEGEND, nth=nth) for nth, legend in enumerate(screen.rail.legends) if not legend.lit]
    dark += [Slot(Kind.TOP_ITEM, nth=nth) for nth, item in enumerate(screen.top.items) if not item.enabled]
    assert len(dark) >= len(BUTTONS) - 1
    assert {at_slot(player, slot) for slot in dark} == {Wake()}
    player.settle()
    assert {at_slot(player, slot) for slot in dark} != {Wake()}


def test_help_blocks_the_table_and_turns_its_pages():
    player = Player().put(*at("european")).settle().read(help_page=1)
    wishes = wishes_in(touchable(player), enabled=True)
    assert {TurnPage(by=-1), TurnPage(by=1), CloseOverlay()} <= set(wishes)
    assert at_slot(player, Slot(Kind.PLACE, 0)) is None
    player.read(help_page=0)
    assert TurnPage(by=-1) not in wishes_in(touchable(player), enabled=True)


def test_a_notice_of_payment_blocks_nothing():
    paid = Player().put(*at("european"), CashOut(), TicketPrinted(sequence=1)).wait(1)
    assert paid.screen().overlay is not None
    assert at_slot(paid, Slot(Kind.CHIP, nth=0)) == ChooseChip(chip_cents=100)


def test_the_key_list_opens_only_where_the_cabinet_is_simulated_and_has_keys():
    idle = Player(facts=MachineInfo(machine_id="1", simulated=True)).put(*at("european"))
    assert ShowKeys() not in wishes_in(touchable(idle), enabled=True)
    player = Player().put(*at("european"))
    assert ShowKeys() not in wishes_in(touchable(player), enabled=True)
    keys = (("x", "put in a note"),)
    simulated = Player(facts=MachineInfo(machine_id="1", simulated=True, keys=keys)).put(*at("european"))
    assert ShowKeys() in wishes_in(touchable(simulated), enabled=True)


def test_the_topmost_area_wins_and_a_disabled_one_hides_what_is_below():
    under = Area(rect=Rect(0, 0, 100, 100), wish=OpenHelp(), enabled=True)
    over = Area(rect=Rect(0, 0, 50, 50), wish=CloseOverlay(), enabled=False)
    assert command_at((over, under), (10, 10)) is None
    assert command_at((over, under), (60, 60)) == OpenHelp()
    assert command_at((over, under), (200, 10)) is None


@pytest.mark.parametrize("size", [(1280, 720), (1280, 1024), (1920, 1080), (3840, 2160)])
def test_no_two_touch_areas_overlap(size: tuple[int, int]):
    """Except for the felt, which is touched as a whole during an animation."""
    for name, exhibit in gallery().items():
        screen = screen_of(exhibit)
        found = [area for area in areas(screen, layout(size, screen)) if area.wish != Wake()]
        meeting = [(a.wish, b.wish) for a, b in itertools.combinations(found, 2) if a.rect.meets(b.rect)]
        assert meeting == [], name
