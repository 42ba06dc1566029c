"""An examined machine and its findings in a test's hands."""

from dataclasses import replace
from pathlib import Path

from cabinet.commands.doctor.findings import Finding, Grade
from cabinet.commands.doctor.visit import Visit

GOOD, POOR, BAD = Grade.GOOD, Grade.POOR, Grade.BAD


def put(world: Visit, path: str, text: str = "") -> Path:
    """A file of the machine."""
    file = world.at(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def with_environment(world: Visit, **environment: str) -> Visit:
    """A machine whose cabinet has this environment."""
    return replace(world, environment=environment)


def simulated(world: Visit) -> Visit:
    """The machine as a simulated cabinet has it."""
    return replace(world, simulate=True)


def forbidden(world: Visit, *paths: Path) -> Visit:
    """The cabinet's user has no right on these."""

    def may(path: Path, _mode: int) -> bool:
        return path not in paths

    return replace(world, may=may)


def is_(finding: Finding, grade: Grade, *words: str) -> None:
    """Fails unless the finding has this grade and these words, and says what to do where it is not good."""
    said = f"{finding.found} {finding.todo}"
    assert (finding.grade, [word for word in words if word not in said]) == (grade, []), said
    assert bool(finding.todo) is (grade is not GOOD), "whatever is not good says what to do"


def link(world: Visit, path: str, target: str = "/usr/lib/somewhere") -> Path:
    """A link of the machine, such as that of an enabled unit."""
    place = world.at(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    return place
