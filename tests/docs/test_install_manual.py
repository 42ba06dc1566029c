"""The installation manual keeps up with the set-up: every answer, option, file and finding is in it."""

import re
from pathlib import Path

from support.card import make_card
from support.commands import call

from cabinet.commands.doctor.checks import CHECKS, Visit
from cabinet.commands.main import main
from cabinet.config.settings import Config
from cabinet.installation.paths import ON_CABINET
from cabinet.installation.setup import plan
from cabinet.installation.setup.answers import HINTS, NEEDED
from cabinet.installation.setup.questions import DEFAULTS

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _first_cells(heading: str) -> list[str]:
    """Returns the first cell of each row of the table below a heading."""
    (part,) = re.findall(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", MANUAL, re.MULTILINE | re.DOTALL)
    return [line.split("|")[1].strip() for line in part.splitlines() if line.startswith("| ")][1:]


def test_each_answer_has_a_row():
    named = re.findall(r"`(\w+)`", " ".join(_first_cells("The answers")))
    assert sorted(named) == sorted(HINTS)


def test_the_answers_without_a_default_are_marked():
    marked = {name for cell in _first_cells("The answers") for name in re.findall(r"`(\w+)` \*", cell)}
    known_by_the_machine = {"time_zone"}
    assert marked == set(NEEDED) - set(DEFAULTS) - known_by_the_machine


def test_the_example_has_every_answer_that_must_be_given(tmp_path: Path):
    (example,) = re.findall(r"```toml\n(.*?)```", MANUAL, re.DOTALL)
    answers = tmp_path / "answers.toml"
    answers.write_text(example, encoding="utf-8")
    card = make_card(tmp_path / "card")
    result = call("setup", "--root", card.root, "--answers", answers, "--dry-run")
    assert (result.exit_code, "Dry run: nothing was written." in result.output) == (0, True), result.output
    for line in example.splitlines():
        answers.write_text(example.replace(line, ""), encoding="utf-8")
        name = line.partition(" ")[0]
        result = call("setup", "--root", card.root, "--answers", answers, "--dry-run")
        assert f"{name}: found no answer, expected one; missing are {name}\n" in result.output


def test_the_image_names_the_same_answers_that_must_be_given():
    (sentence,) = re.findall(r"([^.]*) must be given\. Without `time_zone`", MANUAL)
    (table,) = re.findall(r"this is enough:\n\n```toml\n(.*?)```", MANUAL, re.DOTALL)
    assert re.findall(r"`(\w+)`", sentence) == re.findall(r"^(\w+) =", table, re.MULTILINE)


def test_each_option_has_a_row():
    options = {each.opts[0] for each in main.commands["setup"].params if not getattr(each, "hidden", False)}
    assert {
        re.findall(r"--[a-z-]+", cell)[0] for cell in _first_cells("3. Install and set up (twenty minutes)")
    } == options


def test_each_file_has_a_row():
    named = {cell.strip("`") for cell in _first_cells("The files")}
    written = {str(file.path) for file in plan.FILES} | {str(ON_CABINET.settings), str(ON_CABINET.local_time)}
    assert named == written | {str(ON_CABINET.units)}


def test_each_finding_of_the_doctor_has_a_row(tmp_path: Path):
    visit = Visit(config=Config(), data=tmp_path / "data", simulate=True, root=make_card(tmp_path).root, wall_ms=0)
    found = ["Settings", *(check(visit).what for check in CHECKS)]
    named = [name for cell in _first_cells("4. What the doctor says") for name in cell.split(", ")]
    assert sorted(named) == sorted(found)


def test_a_cabinet_is_set_up_with_five_commands_at_most():
    (part,) = re.findall(r"^## A real cabinet\n(.*?)(?=^## )", README, re.MULTILINE | re.DOTALL)
    (block,) = re.findall(r"```\w*\n(.*?)```", part, re.DOTALL)
    commands = [line for line in block.splitlines() if line.strip()]
    assert 1 <= len(commands) <= 5
    assert all(command in MANUAL for command in commands)
