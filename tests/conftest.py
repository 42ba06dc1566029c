"""What every test run shares.

Devices: nothing in a test opens a window, a sound card or a pin. Hypothesis: the profile `quick` is the one of
`make test` and repeats exactly; `thorough` (`make thorough`) looks further and anew each time. Requirements: ids named
by `@pytest.mark.requirement` are checked against the list. With `--whole-suite` the run closes with the requirements
proved and the coverage of each guarded folder, and fails below a floor. Temporary folders are in memory where there is
room: journals wait for the disk at every commit, and no test asserts anything about the disk itself.
"""

import gc
import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.breadth import mark_breadth
from support.coverage_floors import compare_with_floors, measure_coverage, read_floors
from support.requirements import explain_unknown_ids, read_requirements, summarise

os.environ.update(
    SDL_VIDEODRIVER="dummy",
    SDL_AUDIODRIVER="dummy",
    PYGAME_HIDE_SUPPORT_PROMPT="1",
    GPIOZERO_PIN_FACTORY="mock",
)

COVERED = frozenset({"engine", "store", "drivers"})
"""Folders whose tests are measured. Measuring makes the guarded code three times as slow, so that the tests of other
folders, and those that repeat one thing thousands of times (`no_cover`), run without it."""

MEMORY = Path("/dev/shm")
MEMORY_NEEDED = 2**30


def _choose_temporary_folder() -> None:
    """Let pytest make its folders in memory, unless the environment names a place or there is too little room."""
    if MEMORY.is_mount() and shutil.disk_usage(MEMORY).free >= MEMORY_NEEDED:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


_choose_temporary_folder()

# The garbage collector would visit all that is imported and collected again and again, a second for each visit. It
# waits until that is complete (`pytest_collection_finish`) and leaves it out from then on.
gc.disable()

GC_THRESHOLD = 20_000
"""New objects between two collections. Tests make many objects and keep few."""

# No deadline: an example that is slow because the machine is busy is not a failure.
settings.register_profile("quick", max_examples=50, deadline=None, derandomize=True, database=None)
settings.register_profile(
    "thorough",
    max_examples=2000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # large examples are the point here
)
settings.load_profile("quick")

_PROPERTY = "requirement"
_REQUIREMENTS = read_requirements()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole-suite",
        action="store_true",
        help="close with the requirements proved, and fail when coverage is below a floor (used by make test)",
    )
    parser.addoption(
        "--breadth", type=int, default=1, help="how many times as many random days as make test (make test-all: 4)"
    )
    parser.addoption("--cuts", type=int, default=240, help="how many power cuts to draw (make torture draws many more)")
    parser.addoption("--tamper-every", type=int, default=311, help="the distance of the changed bytes of a journal")
    parser.addoption(
        "--rounds", type=int, default=6_000, help="how many rounds a long life has (make endurance plays a million)"
    )
    parser.addoption("--sessions", type=int, default=50, help="how many sessions of anything (make world: 100,000)")
    parser.addoption("--storms", type=int, default=10_000, help="how many storms of presses (make world: 100,000)")
    parser.addoption("--cut-seed", default="0", help="what power cuts, bytes and sessions are drawn from")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """A worker process measures coverage once: pytest-cov starts it anew there and leaves the first one running below,
    which is twice as slow and goes on where `no_cover` stops the second."""
    plugin = session.config.pluginmanager.getplugin("_cov")
    if hasattr(session.config, "workerinput") and getattr(plugin, "cov_controller", None) is not None:
        plugin.cov_controller.cov.stop()


@pytest.fixture
def breadth(request: pytest.FixtureRequest) -> int:
    """How many times as many random days as in make test are drawn."""
    return int(request.config.getoption("--breadth"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is breadth before `-m` chooses; let the report of each test carry the ids it names, also from a worker
    process."""
    mark_breadth(items)
    for item in items:
        if COVERED.isdisjoint(item.path.parts):
            item.add_marker("no_cover")
    for item in items:
        item.user_properties.extend((_PROPERTY, id_) for id_ in _ids_of(item))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector visit only what the tests themselves make."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that names an id which is not in the list fails before it runs. A window that has closed lets the garbage
    collector visit everything again: that ends here."""
    if not gc.get_freeze_count():
        gc.freeze()
    wrong = explain_unknown_ids(item.nodeid, _ids_of(item), _REQUIREMENTS)
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def _ids_of(item: pytest.Item) -> list[str]:
    return [id_ for mark in item.iter_markers("requirement") for id_ in mark.args]


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--whole-suite") and not is_worker:
        config.pluginmanager.register(ClosingWords(), "closing-words")


class ClosingWords:
    """Collects what the tests of a whole run proved and says it before pytest's last line."""

    def __init__(self) -> None:
        self._passed: set[str] = set()
        self._failed: set[str] = set()
        self._coverage_lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ids = {str(value) for name, value in report.user_properties if name == _PROPERTY}
        if report.failed:
            self._failed |= ids
        elif report.when == "call" and report.passed:
            self._passed |= ids

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        if session.exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            floors = read_floors()
            self._coverage_lines, reached = compare_with_floors(measure_coverage(floors), floors)
            if not reached:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
        return (yield)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("requirements and coverage")
        for line in summarise(_REQUIREMENTS, passed=self._passed, failed=self._failed):
            terminalreporter.write_line(line)
        for line in self._coverage_lines:
            terminalreporter.write_line(line)
