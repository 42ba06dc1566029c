"""Every state of the gallery on the screen: complete, readable, and unchanged sections reused."""

from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, showing, words_of
from support.cases import case
from support.display import open_display
from support.screens import five_places, rail, top_bar
from support.screens import hand as a_hand

from cabinet.engine.inputs import Bet, Button
from cabinet.engine.state import Settings
from cabinet.tools.screens_gallery import Stagehand, at, gallery, screen_of
from cabinet.ui.art.felt import rail as rail_art
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.compose import NOTHING, Composed, Composer
from cabinet.ui.paint.grounds import cloth, veil
from cabinet.ui.paint.keys import key
from cabinet.ui.paint.pieces import Section
from cabinet.ui.view import Kind, Scene, Screen, Slot

pytestmark = pytest.mark.screen

SIZE = (960, 540)


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(200 * 2**20)


def test_every_text_is_on_the_display_and_readable(assets: Assets):
    for name in gallery():
        with case(name=name):
            screen = screen_of(gallery()[name])
            blits = composed(screen, SIZE, assets)
            display = Rect(0, 0, *SIZE)
            outside = [words_of(blit) for blit in blits if words_of(blit) and not box_of(blit).within(display)]
            assert outside == []
            said = all_words(blits)
            legends = {legend.word for legend in screen.rail.legends}
            assert legends <= said
            if screen.scene is not Scene.AUDIT:
                meters = {text for meter in screen.rail.meters for text in (meter.label, meter.value)}
                assert meters | {screen.top.clock, screen.footer, screen.rail.message} - {""} <= said


@pytest.mark.requirement("PD-07", "PD-18")
@pytest.mark.parametrize("name", ["fullest-won", "results", "table-split-results", "eleven-cards"])
def test_every_hand_shows_its_total_its_stake_and_its_result(assets: Assets, name: str):
    screen = screen_of(gallery()[name])
    assert screen.table is not None
    blits = composed(screen, SIZE, assets)
    hands = [hand for place in screen.table.places for hand in place.hands if hand.cards]
    for hand in hands:
        assert hand.plaque is not None
        assert hand.banner is not None
        assert {hand.plaque.number, hand.stake, f"{hand.banner.word} {hand.banner.amount}".strip()} <= all_words(blits)
    results = [
        blit for blit in blits if any(hand.banner and hand.banner.amount in "".join(words_of(blit)) for hand in hands)
    ]
    assert len(results) >= len(hands)


def test_an_unchanged_section_is_the_same_object(assets: Assets):
    composer = Composer(assets)
    screen = five_places()
    first = composer.compose(screen, layout(SIZE, screen))
    changed = replace(screen, top=top_bar(clock="14:33"))
    second = composer.compose(changed, layout(SIZE, changed), first)
    pairs = zip(first.sections, second.sections, strict=True)
    different = [section for old, section in pairs if old is not section]
    assert len(different) == 1
    assert "14:33" in all_words(different[0].blits)


LIT = frozenset({Button.SERVICE, Button.HIT})
"""The buttons that are lit on the table in the middle of a round."""


DARK = frozenset({Button.SERVICE})
TURNED = a_hand("KS 5D", active=True)


def before_the_press() -> Screen:
    return replace(five_places(), rail=rail(LIT))


def answered(
    *, lit: frozenset[Button] = frozenset({Button.SERVICE}), pressed: frozenset[Button] = frozenset()
) -> Screen:
    """Returns a table on which all hands change, with other texts and other buttons, as when an animation begins."""
    screen = five_places()
    assert screen.table is not None
    turned = tuple(replace(each, hands=(TURNED,)) for each in screen.table.places)
    legends = tuple(replace(each, pressed=each.button in pressed) for each in rail(lit).legends)
    return replace(
        screen, table=replace(screen.table, places=turned), rail=rail(lit, message="It goes on.", legends=legends)
    )


def after(assets: Assets, *screens: Screen) -> tuple[Composed, Composed]:
    """Returns the last two of some screens, composed one after another; sections may be deferred."""
    composer, before, last = Composer(assets), NOTHING, NOTHING
    for screen in screens:
        before, last = last, composer.compose(screen, layout(SIZE, screen), last, at_once=False)
    return before, last


def by_name(composed: Composed) -> dict[str, Section]:
    return {section.name: section for section in composed.sections}


def test_in_a_busy_frame_texts_and_dark_legends_are_deferred(assets: Assets):
    before, first = after(assets, before_the_press(), answered())
    assert first.behind == {"message", "legends"}
    was, now = by_name(before), by_name(first)
    assert all(now[name] is was[name] for name in first.behind)
    assert now["hands 0"] is not was["hands 0"]
    _, second = after(assets, before_the_press(), answered(), answered())
    assert second.behind == frozenset()
    then = by_name(second)
    assert "It goes on." in all_words(then["message"].blits)
    assert then["legends"].blits != was["legends"].blits


@pytest.mark.parametrize("buttons", [{"lit": LIT | {Button.STAND}}, {"pressed": frozenset({Button.HIT})}])
@pytest.mark.requirement("PD-06")
def test_pressed_and_lit_buttons_are_never_deferred(assets: Assets, buttons: dict[str, frozenset[Button]]):
    before, first = after(assets, before_the_press(), answered(**buttons))
    assert first.behind == {"message"}
    assert by_name(first)["legends"] is not by_name(before)["legends"]


def test_nothing_is_deferred_in_a_quiet_frame_or_a_new_scene(assets: Assets):
    said = replace(before_the_press(), rail=rail(LIT, message="It goes on."))
    _, little = after(assets, before_the_press(), said)
    assert "It goes on." in all_words(by_name(little)["message"].blits)
    assert little.behind == frozenset()
    _, elsewhere = after(assets, before_the_press(), said, replace(answered(), felt="classic"))
    assert elsewhere.behind == frozenset()


@pytest.mark.requirement("RG-01")
def test_nothing_covers_the_time_of_day(assets: Assets):
    """Not by a lock, an overlay, a flying card or the demonstration."""
    for name in [name for name, exhibit in gallery().items() if exhibit.snapshot.attendant is None]:
        with case(name=name):
            screen = screen_of(gallery()[name])
            blits = composed(screen, SIZE, assets)
            room = layout(SIZE, screen).rect(Slot(Kind.CLOCK))
            clocks = (n for n, blit in enumerate(blits) if screen.top.clock in words_of(blit))
            at = max(n for n in clocks if box_of(blits[n]).within(room))
            assert [words_of(blit) for blit in blits[at + 1 :] if box_of(blit).meets(room)] == []


def test_the_table_is_under_the_rail_and_an_overlay_over_both(assets: Assets):
    blits = composed(screen_of(gallery()["lock-main-door"]), SIZE, assets)
    order = [blits.index(showing(blits, make)[0]) for make in (cloth, rail_art, veil)]
    assert order == sorted(order)
    assert blits.index(showing(blits, key)[-1]) > order[1]


def test_the_attendants_page_has_no_table_and_no_rail(assets: Assets):
    blits = composed(screen_of(gallery()["audit"]), SIZE, assets)
    assert showing(blits, cloth) == showing(blits, rail_art) == []


@pytest.mark.requirement("PD-20")
def test_turbo_switched_off_by_the_operator_leaves_no_word(assets: Assets):
    for allowed in (True, False):
        hand = Stagehand(settings=Settings(turbo_allowed=allowed))
        words = all_words(composed(screen_of(hand.play(*at("classic"), Bet())), SIZE, assets))
        assert any("turbo" in word.lower() for word in words) == allowed


def test_only_a_win_glows(assets: Assets):
    plain = composed(replace(five_places(), rail=rail()), SIZE, assets)
    cheered = composed(replace(five_places(), rail=rail(celebrate=True)), SIZE, assets)
    assert len(cheered) == len(plain) + 1


def test_the_picture_of_a_past_game_is_a_table_below_the_words_of_its_page(assets: Assets):
    exhibit = screen_of(gallery()["audit-past-split"])
    names = [section.name for section in Composer(assets).compose(exhibit, layout(SIZE, exhibit)).sections]
    assert names[0] == "felt"
    assert names[-1] == "audit"
    assert {"print", "dealer", "hands 0", "hands 4"} <= set(names)
    plain = screen_of(gallery()["audit"])
    assert [each.name for each in Composer(assets).compose(plain, layout(SIZE, plain)).sections] == ["audit"]
