"""The screen's own state changes only by its commands."""

from cabinet.engine.inputs import Button
from cabinet.text.messages import LANGUAGES
from cabinet.ui.ui_state import (
    VOLUMES,
    ButtonDown,
    CloseOverlay,
    MachineInfo,
    NextChoice,
    NextLanguage,
    NextVolume,
    OpenHelp,
    OpenSession,
    ShowKeys,
    TurnPage,
    UiState,
    fresh_ui,
    ui_step,
    volume_step,
)


def test_help_opens_at_its_first_page_turns_and_closes():
    ui = ui_step(UiState(), OpenHelp())
    assert ui.help_page == 0
    ui = ui_step(ui_step(ui, TurnPage(by=1)), TurnPage(by=1))
    assert ui.help_page == 2
    assert ui_step(ui, TurnPage(by=-9)).help_page == 0
    assert ui_step(ui, CloseOverlay()).help_page is None


def test_help_and_the_list_of_keys_are_never_open_together():
    keys = ui_step(ui_step(UiState(), OpenHelp()), ShowKeys())
    assert (keys.keys_shown, keys.help_page) == (True, None)
    assert not ui_step(keys, OpenHelp()).keys_shown
    assert not ui_step(keys, CloseOverlay()).keys_shown


def test_the_session_opens_alone_with_no_choice_pointed_at():
    ui = ui_step(ui_step(UiState(), OpenHelp()), OpenSession())
    assert (ui.session_shown, ui.help_page, ui.choice) == (True, None, None)
    ui = ui_step(ui_step(ui, NextChoice()), NextChoice())
    assert ui.choice == 1
    for wish in (OpenHelp(), ShowKeys(), CloseOverlay()):
        after = ui_step(ui, wish)
        assert (after.session_shown, after.choice) == (False, None)


def test_the_operators_volume_is_a_step_and_only_zero_is_silent():
    assert [volume_step(volume) for volume in range(11)] == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]


def test_volume_goes_round():
    ui, seen = UiState(volume=0), []
    for _ in range(VOLUMES):
        ui = ui_step(ui, NextVolume())
        seen.append(ui.volume)
    assert seen == [1, 2, 3, 0]


def test_languages_go_round():
    ui, seen = UiState(language=LANGUAGES["fr"], languages=(LANGUAGES["de"], LANGUAGES["fr"])), []
    for _ in range(3):
        ui = ui_step(ui, NextLanguage())
        seen.append(ui.language.code)
    assert seen == ["de", "fr", "de"]


def test_a_new_player_gets_the_operators_language():
    chosen = (LANGUAGES["en"], LANGUAGES["es"])
    ui = fresh_ui(MachineInfo(machine_id="0042", languages=chosen, language=LANGUAGES["es"]), volume=3)
    assert ui == UiState(languages=chosen, language=LANGUAGES["es"], volume=3)


def test_several_buttons_are_down_at_once():
    ui = ui_step(ui_step(UiState(), ButtonDown(button=Button.HIT)), ButtonDown(button=Button.DEAL))
    assert ui.pressed == {Button.HIT, Button.DEAL}
