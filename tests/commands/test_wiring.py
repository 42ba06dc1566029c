"""`cabinet wiring`: the table and the page of the configured panel."""

import json
from pathlib import Path

from support.commands import call

from cabinet.commands.wiring import wiring_report, write_wiring
from cabinet.config.settings import Config
from cabinet.installation.wiring.drawing import draw_wiring


def test_the_table_has_every_position_and_every_output():
    output = call("wiring").output
    for word in ("GPIO23", "HIT", "closes to ground when pressed", "tower: fault"):
        assert word in output


def test_the_table_is_that_of_the_settings(tmp_path: Path):
    settings = tmp_path / "cabinet.toml"
    settings.write_text("[panel.inputs]\nhit = { pin = 9 }\n")
    positions = json.loads(call("wiring", "--config", settings, "--json").output)["positions"]
    assert [each["number"] for each in positions if each["name"] == "HIT"] == [21]


def test_the_page_is_written(tmp_path: Path):
    path = tmp_path / "wiring.svg"
    assert call("wiring", "--svg", path).exit_code == 0
    assert path.read_text(encoding="utf-8") == draw_wiring(Config())


def test_the_page_goes_to_standard_output_for_another_users_folder():
    assert call("wiring", "--svg", "-").output == draw_wiring(Config())


def test_a_page_that_cannot_be_written_gives_a_sentence(tmp_path: Path):
    (tmp_path / "file").touch()
    result = call("wiring", "--svg", tmp_path / "file" / "wiring.svg")
    assert (result.exit_code, result.output.count("\n")) == (1, 1)


def test_report_and_page_have_the_same_positions(tmp_path: Path):
    write_wiring(Config(), tmp_path / "page.svg")
    page = (tmp_path / "page.svg").read_text(encoding="utf-8")
    assert all(f">{each.name}<" in page for each in wiring_report(Config()).data["positions"])
