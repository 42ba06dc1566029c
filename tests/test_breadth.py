"""What `make test` leaves to `make test-all`: never the whole of a test, never a rule of its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.breadth import choose

SUITE = """
import pytest

@pytest.mark.sample(2)
@pytest.mark.parametrize("number", range(5))
def test_each(number):
    pass

@pytest.mark.breadth
def test_once_more():
    pass

def test_always():
    pass
"""


def test_a_sample_is_spread_and_begins_with_the_first():
    assert choose(10, 1) == {0}
    assert choose(10, 3) == {0, 3, 6}
    assert choose(2, 3) == {0, 1}
    with pytest.raises(ValueError, match="at least one"):
        choose(3, 0)


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        (["-m", "not breadth"], ["test_each[0]", "test_each[2]", "test_always"]),
        ([], [*(f"test_each[{number}]" for number in range(5)), "test_once_more", "test_always"]),
    ],
    ids=["make test", "make test-all"],
)
def test_make_test_runs_the_sample_and_make_test_all_runs_everything(tmp_path: Path, chosen: list[str], names: list):
    (tmp_path / "test_tiers.py").write_text(SUITE)
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", "--collect-only", "-q", *chosen],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert [line.partition("::")[2] for line in found.stdout.splitlines() if "::" in line] == names
