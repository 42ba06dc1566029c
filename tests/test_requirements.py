"""The list of requirements is sound, and a run reports truly which of them it proved."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from support.coverage_floors import PYPROJECT_FILE, compare_with_floors, read_floors
from support.requirements import (
    Level,
    Requirement,
    explain_unknown_ids,
    parse_requirements,
    read_requirements,
    summarise,
)


def _requirement(id_: str, level: Level = Level.MUST) -> Requirement:
    return Requirement(id=id_, level=level, title=f"Title of {id_}")


def _listed(*requirements: Requirement) -> dict[str, Requirement]:
    return {requirement.id: requirement for requirement in requirements}


def test_ids_of_a_group_are_numbered_from_one_without_a_gap():
    groups = defaultdict(list)
    for id_ in read_requirements():
        groups[id_[:2]].append(int(id_[3:]))
    assert groups
    for prefix, numbers in groups.items():
        assert numbers == list(range(1, len(numbers) + 1)), f"{prefix}: {numbers}"


def test_every_title_is_one_short_line_of_its_own():
    titles = [line.title for line in read_requirements().values()]
    assert len(set(titles)) == len(titles)
    assert [title for title in titles if not 0 < len(title) <= 100 or "\n" in title or title.endswith(".")] == []


def test_a_line_that_is_no_requirement_is_refused_by_name():
    with pytest.raises(ValueError, match="'Bills' is no requirement id"):
        parse_requirements('Bills = { level = "M", title = "x" }')
    with pytest.raises(ValueError, match="BA-01 must have exactly a level and a title"):
        parse_requirements('BA-01 = { level = "M" }')
    with pytest.raises(ValueError, match="'X' is not a valid Level"):
        parse_requirements('BA-01 = { level = "X", title = "x" }')


def test_an_id_outside_the_list_is_reported_with_the_test_that_names_it():
    assert explain_unknown_ids("test_a", ["BA-01", "BA-99"], {"BA-01"}) == [
        "test_a names requirement 'BA-99', which is not in tests/requirements.toml"
    ]


def test_a_test_with_an_unknown_id_fails(tmp_path):
    lost = tmp_path / "test_lost.py"
    lost.write_text("import pytest\n\n@pytest.mark.requirement('ZZ-99')\ndef test_lost():\n    pass\n")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "--rootdir", tmp_path, lost],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    assert "test_lost.py::test_lost names requirement 'ZZ-99'" in run.stdout


def test_the_summary_counts_proved_lines_and_lists_what_must_still_be_proved():
    known = _listed(
        _requirement("BA-01"), _requirement("BA-02"), _requirement("CM-01"), _requirement("CO-01", Level.SHOULD)
    )
    assert summarise(known, passed={"BA-02", "CO-01"}, failed=set()) == [
        "requirements: 2 of 4 lines proved (1 of the 3 that must be)",
        "not yet proved, though they must be:",
        "  BA 01",
        "  CM 01",
    ]


def test_a_requirement_with_a_failing_test_is_not_proved():
    known = _listed(_requirement("BA-01"))
    assert summarise(known, passed={"BA-01"}, failed={"BA-01"})[0].startswith("requirements: 0 of 1")


def test_the_summary_has_no_list_when_nothing_is_missing():
    known = _listed(_requirement("BA-01"), _requirement("CO-02", Level.OPTION))
    assert summarise(known, passed={"BA-01"}, failed=set()) == [
        "requirements: 1 of 2 lines proved (1 of the 1 that must be)"
    ]


def test_a_folder_below_its_coverage_floor_is_named_and_fails_the_run():
    lines, reached = compare_with_floors({"a": 79.9, "b": 90.0}, {"a": 80, "b": 90})
    assert lines == ["coverage of a: 79.9 % (BELOW its floor of 80 %)", "coverage of b: 90.0 % (floor 90 %)"]
    assert not reached
    assert compare_with_floors({"b": 90.0}, {"b": 90})[1]


def test_coverage_floors_name_folders_that_are_there():
    floors = read_floors()
    assert set(floors) == {"cabinet/engine", "cabinet/store", "drivers"}
    assert all((PYPROJECT_FILE.parent / folder).is_dir() for folder in floors)
