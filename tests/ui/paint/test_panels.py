"""Game choice, attract, and overlays."""

from dataclasses import replace

import pytest
from support.blits import all_words, box_of, composed, ink_of, pieces_of, showing, words_of
from support.display import open_display
from support.fitting import words_set
from support.screens import table_screen
from support.tables import SIZES

from cabinet.text.messages import LANGUAGES, Language
from cabinet.tools.screens_gallery import SAMPLE_FACTS, gallery, screen_of
from cabinet.ui.art.icons import icon
from cabinet.ui.layout.geometry import Rect
from cabinet.ui.layout.screen import layout
from cabinet.ui.paint.assets import Assets
from cabinet.ui.paint.decor import fan, framed
from cabinet.ui.paint.grounds import dialog, shade, veil
from cabinet.ui.paint.keys import key, keycap, lozenge
from cabinet.ui.paint.panels import game_fan, game_ground
from cabinet.ui.paint.pieces import Faded
from cabinet.ui.view import (
    HelpView,
    KeysView,
    Kind,
    NoticeTone,
    NoticeView,
    Overlay,
    OverlayAction,
    OverlayButton,
    Screen,
    Slot,
)

pytestmark = pytest.mark.screen

SIZE = (1280, 720)
LONG = "The ticket printer has stopped and does not answer. " * 6
NOTICE = NoticeView(tone=NoticeTone.FAULT, title="Ticket printer", sentence="It stopped.", advice="Please wait.")


@pytest.fixture(scope="module")
def assets() -> Assets:
    open_display(SIZE)
    return Assets(200 * 2**20)


def under(overlay: Overlay) -> Screen:
    return replace(table_screen(), overlay=overlay)


def test_each_game_has_its_own_cloth_and_the_one_pointed_at_a_bright_frame(assets: Assets):
    screen = screen_of(gallery()["choice"])
    where = layout(SIZE, screen)
    blits = composed(screen, SIZE, assets)
    assert screen.choice is not None
    for nth, game in enumerate(screen.choice.games):
        (ground,) = showing(blits, framed, tuple(where.rect(Slot(Kind.GAME, nth=nth))[2:]), game.game_id)
        assert ground.asset == game_ground(where, game.game_id, nth, bright=game.pointed)
        assert {game.title, game.limits, game.returns, *game.lines} <= all_words(blits)
        assert game_fan(where, game.game_id, nth) in [blit.asset for blit in showing(blits, fan)]
    assert sum(game.pointed for game in screen.choice.games) == 1


def test_the_lines_of_all_games_are_of_one_size_and_clear_of_the_limits(assets: Assets):
    screen = screen_of(gallery()["choice"])
    assert screen.choice is not None
    many, *others = screen.choice.games
    long = replace(many, lines=(*many.lines, "One line more", "And another"))
    screen = replace(screen, choice=replace(screen.choice, games=(long, *others)))
    blits = composed(screen, SIZE, assets)
    said = {words for game in (long, *others) for words in game.lines}
    lines = [blit for blit in blits if all_words([blit]) & said]
    assert len({piece.args[1] for blit in lines for piece in pieces_of(blit.asset)}) == 1
    lowest = max(ink_of(blit, assets).bottom for blit in lines)
    limits = min(ink_of(blit, assets).y for blit in blits if all_words([blit]) & {game.limits for game in others})
    assert limits - lowest >= 12


@pytest.mark.parametrize("drift", [(0, 0), (7, 3), (12, 6)])
def test_the_demonstrations_mark_stands_above_the_name_and_never_fades(assets: Assets, drift: tuple[int, int]):
    screen = screen_of(gallery()["attract-dealing"])
    assert screen.attract is not None
    assert screen.table is not None
    moved = replace(screen, attract=replace(screen.attract, drift=drift, fade=0.5))
    blits = composed(moved, SIZE, assets)
    (above,) = [blit for blit in blits if screen.table.demonstration in all_words([blit])]
    (name,) = [blit for blit in blits if screen.attract.heading in all_words([blit]) and blit.y > above.y]
    assert not isinstance(above.asset, Faded)
    assert isinstance(name.asset, Faded)
    assert abs(ink_of(above, assets).x - ink_of(name, assets).x) <= 1
    assert ink_of(above, assets).bottom < ink_of(name, assets).y


def test_a_slide_fades_in(assets: Assets):
    screen = screen_of(gallery()["attract-welcome"])
    assert screen.attract is not None
    half = replace(screen, attract=replace(screen.attract, fade=0.5))
    heading = screen.attract.heading
    found = [blit for blit in composed(half, SIZE, assets) if heading in all_words([blit])]
    assert all(isinstance(blit.asset, Faded) for blit in found if blit.y > 60)
    assert not any(isinstance(blit.asset, Faded) for blit in composed(screen, SIZE, assets))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_no_line_of_a_slide_is_broken_and_those_of_all_games_are_of_one_size(size: tuple[int, int], language: Language):
    found = {}
    for name in ("attract-welcome", "attract-classic", "attract-european", "attract-table"):
        screen = screen_of(gallery()[name], replace(SAMPLE_FACTS, language=language))
        assert screen.attract is not None
        found[name] = {words.words: words.px for words in words_set(screen, size) if words.kind == "line"}
        assert set(screen.attract.lines) <= found[name].keys()
        found[name] = {found[name][words] for words in screen.attract.lines}
    assert all(len(sizes) == 1 for sizes in found.values())
    assert found["attract-classic"] == found["attract-european"] == found["attract-table"]


def test_help_is_set_larger_where_the_display_is_higher():
    screen = screen_of(gallery()["help"])
    assert isinstance(screen.overlay, HelpView)
    wide, high = ({words.words: words.px for words in words_set(screen, size)} for size in (SIZE, (1280, 1024)))
    short = screen.overlay.lines[0]
    assert high[short] > 1.15 * wide[short]


@pytest.mark.requirement("PD-22")
def test_a_slide_drifts_and_the_bars_do_not(assets: Assets):
    screen = screen_of(gallery()["attract-with-credit"])
    assert screen.attract is not None
    still, moved = (
        composed(replace(screen, attract=replace(screen.attract, drift=drift)), SIZE, assets)
        for drift in ((0, 0), (12, 6))
    )
    for before, after in zip(still, moved, strict=True):
        assert (after.x - before.x, after.y - before.y) in {(0, 0), (8, 4)}
    assert "$100.00" in all_words(moved)


@pytest.mark.parametrize("tone", NoticeTone)
def test_a_notice_shows_all_its_texts_inside_its_panel(assets: Assets, tone: NoticeTone):
    view = replace(
        NOTICE,
        tone=tone,
        sentence=LONG,
        advice=LONG,
        amount="$1,250.00",
        amount_label="TO BE PAID",
        more=("Also: door open", "Also: note stuck"),
        foot="Machine 0042",
        buttons=(OverlayButton(action=OverlayAction.BACK_OUT, word="KEEP PLAYING"),),
    )
    screen = under(view)
    panel = layout(SIZE, screen).rect(Slot(Kind.OVERLAY))
    plain = composed(table_screen(), SIZE, assets)
    new = [blit for blit in composed(screen, SIZE, assets) if blit not in plain and not showing([blit], veil)]
    assert all(box_of(blit).within(panel) for blit in new)
    said = " ".join(words for blit in new for words in words_of(blit))
    for words in (view.title, view.amount, view.amount_label, *view.more, view.foot, "KEEP PLAYING"):
        assert words in said
    assert said.count("does not answer.") == 2 * 6
    assert len(showing(new, icon)) == 1


def test_a_table_that_must_not_be_read_is_covered_and_others_darkened(assets: Assets):
    play = layout(SIZE, under(NOTICE)).play
    (dark,) = showing(composed(under(NOTICE), SIZE, assets), veil)
    assert box_of(dark) == play
    blits = composed(under(replace(NOTICE, covers=True)), SIZE, assets)
    assert showing(blits, veil) == []
    assert play in [box_of(blit) for blit in showing(blits, shade)]
    assert assets.get(showing(blits, shade)[0].asset).get_alpha() in {None, 255}


def test_help_puts_a_mark_before_each_sentence_and_its_buttons_below(assets: Assets):
    buttons = tuple(
        OverlayButton(action=action, word=word, enabled=enabled)
        for action, word, enabled in (
            (OverlayAction.BACK, "BACK", False),
            (OverlayAction.FORWARD, "NEXT", True),
            (OverlayAction.CLOSE, "CLOSE", True),
        )
    )
    view = HelpView(
        title="Rules", heading="Splitting", lines=("One.", LONG, "Two."), position="Page 2 of 9", buttons=buttons
    )
    screen = under(view)
    where = layout(SIZE, screen)
    blits = composed(screen, SIZE, assets)
    assert len(showing(blits, lozenge)) == 3
    assert {"Rules", "Splitting", "One.", "Two.", "Page 2 of 9"} <= all_words(blits)
    for nth, button in enumerate(buttons):
        room = where.rect(Slot(Kind.OVERLAY_BUTTON, nth=nth))
        (cap,) = showing(blits, key, (room.w, room.h), button.word)
        assert [dict(piece.options)["lit"] for piece in pieces_of(cap.asset)] == [button.enabled]
    body = where.rect(Slot(Kind.OVERLAY_BODY))
    texts = [blit for blit in blits if all_words([blit]) & {"One.", "Two."}]
    assert all(ink_of(blit, assets).within(body) for blit in texts)


def test_the_list_of_keys_shows_each_key_and_its_meaning(assets: Assets):
    rows = tuple((f"F{n}", f"meaning {n}") for n in range(1, 25))
    screen = under(KeysView(title="Keys", rows=rows, buttons=()))
    blits = composed(screen, SIZE, assets)
    body = layout(SIZE, screen).rect(Slot(Kind.OVERLAY_BODY))
    caps = showing(blits, keycap)
    assert len(caps) == 24
    assert all(box_of(cap).within(body) for cap in caps)
    assert not any(box_of(a).meets(box_of(b)) for a in caps for b in caps if a is not b)
    assert {meaning for _, meaning in rows} <= all_words(blits)


def test_an_overlay_has_an_opaque_panel(assets: Assets):
    screen = under(NOTICE)
    box = layout(SIZE, screen).rect(Slot(Kind.OVERLAY))
    found = [box_of(blit) for blit in composed(screen, SIZE, assets) if blit.asset == dialog((box.w, box.h))]
    assert found == [Rect(*box)]
