"""Pictures of the screen's states."""

from pathlib import Path

import pygame
import pytest

from cabinet.config.settings import Config
from cabinet.tools import screens
from cabinet.tools.screens import (
    CONTACT_SHEET,
    SHOWN,
    SHOWN_COLUMNS,
    report_folders,
    write_contact_sheet,
    write_screens,
)
from cabinet.tools.screens_gallery import screen_of
from cabinet.ui.paint.still import GAP, THUMB_W
from cabinet.window.machine_info import machine_info

pytestmark = pytest.mark.screen


def test_each_state_is_written_at_each_size_with_a_contact_sheet(tmp_path: Path):
    reported: list[str] = []
    written = write_screens(tmp_path, ((640, 360), (480, 384)), reported.append, ("betting", "audit"))
    names = [str(path.relative_to(tmp_path)) for path in written]
    assert names == [
        "640x360/betting.png",
        "640x360/audit.png",
        "480x384/betting.png",
        "480x384/audit.png",
        CONTACT_SHEET,
    ]
    assert reported == [str(path) for path in written[:-1]]
    assert pygame.image.load(written[2]).get_size() == (480, 384)
    assert sorted(tmp_path.rglob("*.part")) == []


def test_a_dozen_states_are_one_picture(tmp_path: Path):
    write_contact_sheet(tmp_path / "sheet.png")
    width, height = pygame.image.load(tmp_path / "sheet.png").get_size()
    rows = -(-len(SHOWN) // SHOWN_COLUMNS)
    assert THUMB_W * SHOWN_COLUMNS < width < (THUMB_W + 3 * GAP) * SHOWN_COLUMNS
    assert 270 * rows < height < 360 * rows


def test_a_state_that_does_not_exist_is_named(tmp_path: Path):
    with pytest.raises(KeyError, match="nowhere"):
        write_screens(tmp_path, ((640, 360),), names=("nowhere",))


def test_pictures_state_the_computed_returns_and_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen = []
    monkeypatch.setattr(screens, "screen_of", lambda exhibit, facts: seen.append(facts) or screen_of(exhibit, facts))

    write_screens(tmp_path, ((480, 270),), names=("choice",))

    (facts,) = seen
    assert facts.returns == machine_info(Config(), tmp_path).returns
    assert facts.charts == machine_info(Config(), tmp_path).charts


def test_progress_that_cannot_be_written_over_is_one_line_for_each_folder(capsys: pytest.CaptureFixture[str]):
    report = report_folders()
    for name in ("screens/800x600/a.png", "screens/800x600/b.png", "screens/1920x1080/a.png"):
        report(name)
    assert capsys.readouterr().err.splitlines() == ["Painting screens/800x600", "Painting screens/1920x1080"]
