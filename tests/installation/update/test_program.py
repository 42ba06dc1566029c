"""Answers of a version: what is read of them, and what is no answer."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from cabinet.installation.paths import ON_CABINET, USER, Paths
from cabinet.installation.update import program as asking
from cabinet.installation.update.program import Program, ProgramError, user_of

DATA = Path("/")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A version whose command is a script; `say` writes it."""
    paths = Paths(root=tmp_path)
    folder = paths.version("0.2.0")
    (folder / "bin").mkdir(parents=True)
    return Program(paths=paths, folder=folder)


def say(program: Program, script: str) -> None:
    command = program.paths.command(program.folder)
    command.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    command.chmod(0o755)


def test_books_that_are_whole_have_no_problem(program: Program):
    say(program, """echo '{"ok": true, "rows": 5, "problems": []}'""")
    assert program.verify(DATA) == ()


def test_the_problems_of_damaged_books_are_those_of_the_answer(program: Program):
    say(program, """echo '{"ok": false, "problems": ["row 7"]}'; exit 1""")
    assert program.verify(DATA) == ("row 7",)


def test_damaged_books_without_a_problem_are_damaged(program: Program):
    say(program, """echo '{"ok": false}'; exit 1""")
    assert program.verify(DATA) != ()


def test_only_bad_findings_count(program: Program):
    findings = ", ".join(
        f'{{"what": "{what}", "grade": "{grade}", "found": "x", "todo": "change it"}}'
        for what, grade in (("A", "good"), ("B", "bad"), ("C", "poor"))
    )
    say(program, f"""echo '{{"ok": false, "findings": [{findings}]}}'; exit 1""")
    assert program.bad_findings(DATA) == {"B": "x: change it"}


def test_a_version_is_asked_with_the_settings_of_the_cabinet(program: Program):
    say(program, 'echo "$@" "$CABINET_CONFIG" >&2; exit 1')
    settings = program.paths.settings
    with pytest.raises(ProgramError) as failure:
        program.rehearse(DATA)
    assert f"update --rehearse / --config {settings} {settings}" in str(failure.value)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exit 1", "failed with 1: its answer is not understood"),
        ("echo 'the disk is gone' >&2; exit 7", "failed with 7: the disk is gone"),
        ("echo '{'", "its answer is not understood"),
        ("""echo '{"rows": 5}'""", "its answer is not understood"),
        ("kill -9 $$", "failed with -9"),
    ],
)
def test_what_is_no_answer_is_an_error(program: Program, script: str, said: str):
    say(program, script)
    with pytest.raises(ProgramError, match=said):
        program.verify(DATA)


def test_on_a_cabinet_root_asks_as_the_cabinets_user(program: Program, monkeypatch: pytest.MonkeyPatch):
    """A version that is not proved gets no rights that the service does not have."""
    known = SimpleNamespace(pw_uid=987, pw_gid=986)
    monkeypatch.setattr(asking.pwd, "getpwnam", lambda name: known if name == USER else None)
    monkeypatch.setattr(asking.os, "getgrouplist", lambda _, group: [group, 44])
    monkeypatch.setattr(asking.os, "geteuid", lambda: 0)
    assert user_of(ON_CABINET) == {"user": 987, "group": 986, "extra_groups": [986, 44]}
    assert user_of(program.paths) == {}, "in a folder there is no such user"


def test_a_cabinet_without_its_user_is_an_error(program: Program, monkeypatch: pytest.MonkeyPatch):
    def missing(_: str) -> None:
        raise KeyError

    monkeypatch.setattr(asking.pwd, "getpwnam", missing)
    monkeypatch.setattr(asking.os, "geteuid", lambda: 0)
    with pytest.raises(ProgramError, match=f"there is no user {USER}"):
        replace(program, paths=ON_CABINET).verify(DATA)


def test_a_command_that_is_not_there_is_an_error(program: Program):
    with pytest.raises(ProgramError, match="gave no answer"):
        program.verify(DATA)
