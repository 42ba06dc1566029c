"""`cabinet update` on the command line: exit codes, sentences, and the interface between versions."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import call, is_one_sentence, run
from support.journals import keep, session_steps
from support.programs import Programs
from support.updates import (
    FIRST,
    SECOND,
    ChildService,
    Installed,
    control_of,
    installed,
    members_of,
    sign,
    write_package,
)
from support.version_program import Fault

from cabinet.commands import update as command
from cabinet.commands.update import run_update
from cabinet.installation.update.environment import Pace, Updater
from cabinet.installation.update.record import Record, Stage, write_record
from cabinet.installation.update.service import ServiceError


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[Installed]:
    """A stopped cabinet."""
    with installed(tmp_path, running=False) as found:
        found.paths.update.mkdir()
        yield found


def go(cabinet: Installed, file: Path | None, *, resume: bool = False, dry_run: bool = False) -> int:
    """The command inside this process, with the service of the test."""
    return run_update(
        file, cabinet.paths.root, resume=resume, at_start=resume, dry_run=dry_run, service=cabinet.service
    )


@pytest.mark.parametrize("arguments", [[], ["x.deb", "--back"], ["--back", "--resume"], ["x.deb", "--resume"]])
def test_one_thing_at_a_time_is_asked_for(arguments: list[str]):
    result = call("update", *arguments)
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)


def test_a_dry_run_ends_with_0_and_says_the_plan(cabinet: Installed, capsys: pytest.CaptureFixture[str]):
    assert go(cabinet, cabinet.package(SECOND), dry_run=True) == 0
    assert "Nothing was changed: this was a dry run." in capsys.readouterr().out


@pytest.mark.parametrize("dry_run", [False, True])
def test_a_system_that_is_read_only_is_writable_during_the_update_and_not_for_a_dry_run(
    cabinet: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dry_run: bool
):
    mounts = cabinet.paths.at("proc/self/mountinfo")
    mounts.parent.mkdir(parents=True, exist_ok=True)
    mounts.write_text("24 1 179:2 / / ro,noatime - ext4 /dev/mmcblk0p2 ro\n")
    (tmp_path / "programs").mkdir()
    programs = Programs(tmp_path / "programs", monkeypatch)
    programs.add("mount")
    assert go(cabinet, cabinet.packages / "nothing.deb", dry_run=dry_run) == 1
    both = [f"mount -o remount,{way} {cabinet.paths.root}" for way in ("rw", "ro")]
    assert programs.calls == ([] if dry_run else both)


def test_a_refused_update_ends_with_1_and_one_sentence(cabinet: Installed, capsys: pytest.CaptureFixture[str]):
    assert go(cabinet, cabinet.packages / "nothing.deb") == 1
    assert is_one_sentence(capsys.readouterr().err)


def test_a_root_without_a_cabinet_is_one_sentence(tmp_path: Path):
    code, _, said = run("update", "--back", "--root", tmp_path)
    assert code == 1
    assert is_one_sentence(said)


def test_a_version_that_is_taken_back_ends_with_4(cabinet: Installed, monkeypatch: pytest.MonkeyPatch):
    def quick(**parts: object) -> Updater:
        return Updater(**parts, pace=Pace(trial_s=2.0, steady_s=0.0, poll_s=0.05))  # type: ignore[arg-type]

    monkeypatch.setattr(command, "Updater", quick)
    assert go(cabinet, cabinet.package(SECOND, Fault.ENDS)) == 4
    assert cabinet.current() == FIRST


def test_the_next_start_of_the_system_ends_an_interrupted_update_with_4(cabinet: Installed):
    write_record(cabinet.paths, Record(stage=Stage.TRYING, old=FIRST, old_form=5, new=SECOND, unpacked=True))
    assert go(cabinet, None, resume=True) == 4
    assert go(cabinet, None, resume=True) == 0


def test_books_that_cannot_be_read_leave_an_interrupted_update_as_it_is_with_5(cabinet: Installed):
    record = Record(stage=Stage.TRYING, old=FIRST, old_form=5, new=SECOND, unpacked=True)
    write_record(cabinet.paths, record)
    cabinet.paths.data.rename(cabinet.paths.data.with_name("away"))
    assert go(cabinet, None, resume=True) == 5


class NoAnswer(ChildService):
    """A service manager that gives no answer."""

    def is_up(self) -> bool:
        """Fails."""
        raise ServiceError("`systemctl is-active` gave no answer")


def test_a_service_manager_without_an_answer_is_one_sentence(cabinet: Installed, capsys: pytest.CaptureFixture[str]):
    write_record(cabinet.paths, Record(stage=Stage.TRYING, old=FIRST, old_form=5, new=SECOND, unpacked=True))
    cabinet.service = NoAnswer(cabinet.paths)
    assert go(cabinet, cabinet.package(SECOND)) == 1
    assert is_one_sentence(capsys.readouterr().err)


def test_a_lost_terminal_does_not_end_an_update(cabinet: Installed, monkeypatch: pytest.MonkeyPatch):
    def lost(_: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(command.click, "echo", lost)
    assert go(cabinet, cabinet.package(SECOND), dry_run=True) == 0


def test_a_rehearsal_answers_in_the_words_that_another_version_reads(tmp_path: Path):
    """The interface between versions: fields may come, none may go."""
    keep(tmp_path, *session_steps())
    code, out, said = run("update", "--rehearse", tmp_path, "--config", _settings(tmp_path))
    assert code == 0, said
    answer = json.loads(out)
    assert {"version", "figures"} <= answer.keys()
    known = {"accounts", "meters", "locks", "held", "form", "start", "program"}
    assert known <= answer["figures"].keys()


def _settings(folder: Path) -> Path:
    path = folder / "cabinet.toml"
    path.write_text('[data]\nmark = ""\n', encoding="utf-8")
    return path


def test_a_package_without_its_program_is_refused_by_a_dry_run(cabinet: Installed, capsys: pytest.CaptureFixture[str]):
    package = cabinet.packages / "empty.deb"
    members = [each for each in members_of(SECOND) if not each[0].name.endswith("bin/cabinet")]
    sign(write_package(package, control_of(SECOND), members), "empty")
    assert go(cabinet, package, dry_run=True) == 1
    assert "it has no program" in capsys.readouterr().err


def test_a_folder_of_versions_that_leads_out_of_the_root_is_refused(tmp_path: Path):
    (tmp_path / "root/opt").mkdir(parents=True)
    (tmp_path / "root/opt/blackjack-cabinet").symlink_to(tmp_path)
    code, _, said = run("update", "--back", "--root", tmp_path / "root")
    assert (code, is_one_sentence(said), "leads out of" in said) == (1, True, True)


def test_the_cabinet_can_read_a_new_version_whatever_the_mask_of_the_shell(cabinet: Installed):
    """Many systems give root the mask 077."""
    package, mask = cabinet.package(SECOND), os.umask(0o077)
    try:
        assert go(cabinet, package) == 0
    finally:
        os.umask(mask)
    made = (cabinet.paths.version(SECOND), cabinet.paths.version(SECOND) / "bin", cabinet.paths.version(SECOND) / "lib")
    assert [each.stat().st_mode & 0o777 for each in made] == [0o755] * 3
