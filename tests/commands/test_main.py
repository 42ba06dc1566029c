"""The command line: help with an example, errors as one sentence, exit codes, nothing but JSON with --json."""

import json
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.commands import call, finish, is_one_sentence, run, start, wait_until
from support.journals import keep, open_journal, raw, session_steps

from cabinet.commands.book_commands import BUSY
from cabinet.commands.main import main
from cabinet.commands.options import speaking
from cabinet.store.errors import StoreFullError
from cabinet.store.journal import FILE

COMMANDS = sorted(main.commands)
READING = ("meters", "recall", "verify")
WRITING = ("run", "autoplay")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a session in it."""
    folder = tmp_path_factory.mktemp("played")
    keep(folder, *session_steps())
    return folder


def arguments_of(name: str) -> list[str]:
    """What a command needs besides its options."""
    return ["pictures"] if name == "screens" else []


# --- help -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_with_an_example(name: str):
    result = call(name, "--help")
    assert result.exit_code == 0
    assert f"Example:\n    cabinet {name}" in result.stdout
    command = main.commands[name]
    assert command.help
    assert command.help.strip().endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_says_what_it_is(name: str):
    options = [each for each in main.commands[name].params if isinstance(each, click.Option)]
    assert [option.name for option in options if not option.help] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_every_command_is_one_that_would_be_understood(name: str):
    epilog = main.commands[name].epilog or ""
    _, first, *words = epilog.rpartition("cabinet ")[2].join(("cabinet ", "")).split()
    assert first == name
    main.commands[name].make_context(name, words, resilient_parsing=False)


@pytest.mark.parametrize("name", ["run", "autoplay", "meters", "recall", "verify", "doctor", "bench"])
def test_commands_that_read_or_write_the_journal_take_its_folder(name: str):
    assert "--data" in call(name, "--help").stdout


def test_the_group_lists_its_commands_and_its_version():
    assert all(f"  {name} " in call("--help").stdout for name in COMMANDS)
    assert call("--version").stdout.startswith("cabinet, version ")


def test_without_a_command_the_help_is_shown():
    result = call()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == call("--help").stdout


# --- errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["bogus"], "No such command 'bogus'; `cabinet --help`"),
        (["meters", "--bogus"], "No such option"),
        (["meters", "extra"], "unexpected extra argument"),
        (["recall", "--rounds", "0"], "'--rounds'"),
        (["recall", "--rounds", "abc"], "found 'abc', expected a whole number from 1 to 1000"),
        (["recall", "--rounds", "1001"], "found '1001', expected a whole number from 1 to 1000"),
        (["rng", "--bytes", "0"], "found '0', expected a whole number of 1 or more"),
        (["par", "roulette"], "'GAME': found 'roulette', expected one of european, table, classic"),
        (["par", "classic", "--set", "decks=abc"], "--set 'decks=abc': found 'abc', expected a whole number"),
        (["simulate", "classic", "--set", "bogus"], "expected a rule, =, and its value, such as decks=8"),
        (["par", "classic", "--set", "decks=99"], "decks is 99, expected 1 to 8"),
        (["autoplay", "--rounds", "-1"], "'--rounds'"),
        (["screens"], "Missing argument"),
        (["screens", "pictures", "--size", "3x"], "a size"),
        (["screens", "pictures", "--size", f"{'9' * 5000}x1"], "a size"),
        (["screens", "pictures", "--size", "800x600"], "is a picture of 800x600 pixels: the smallest is 1280x720"),
        (["screens", "pictures", "--size", "1280x720", "--size", "1280x1100"], "the narrowest is 5 to 4"),
        (["screens", "pictures", "--language", "xx"], "expected one of en, de, fr, es"),
    ],
)
def test_a_wrong_call_is_reported_in_one_sentence_with_code_2(arguments: list[str], word: str):
    result = call(*arguments)
    assert result.exit_code == 2
    assert is_one_sentence(result.stderr)
    assert word in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("extra", [[], ["--json"]], ids=["text", "json"])
def test_a_folder_that_holds_no_journal_is_reported_in_one_sentence(name: str, extra: list[str], tmp_path: Path):
    for folder in (tmp_path, tmp_path / "missing"):
        result = call(name, "--data", folder, *extra)
        assert (result.exit_code, result.stdout) == (1, "")
        assert is_one_sentence(result.stderr)
        assert "no journal here; check --data" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [*READING, *(name for name in WRITING if name != "run"), "doctor", "bench"])
def test_a_file_as_data_folder_is_reported_in_one_sentence(name: str, tmp_path: Path):
    file = tmp_path / "file"
    file.write_text("no folder")
    result = call(name, *arguments_of(name), "--data", file)
    assert (result.exit_code, result.stdout) == (2, "")
    assert is_one_sentence(result.stderr)
    assert "is a file" in result.stderr


@pytest.mark.parametrize("name", ["autoplay", "run", *READING])
def test_a_folder_below_a_file_is_reported_in_one_sentence(name: str, tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    simulate = ["--simulate"] if name == "run" else []
    result = call(name, *simulate, "--data", tmp_path / "file" / "below")
    assert result.exit_code == 1
    assert is_one_sentence(result.stderr)


def test_a_simulated_cabinet_on_a_file_says_so_in_one_sentence(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    result = call("run", "--simulate", "--data", tmp_path / "file")
    assert (result.exit_code, result.stdout) == (1, "")
    assert is_one_sentence(result.stderr)
    assert "cannot be used as data folder" in result.stderr


@pytest.mark.parametrize("name", [*WRITING, "doctor"])
def test_a_folder_as_configuration_is_reported_in_one_sentence(name: str, tmp_path: Path):
    result = call(name, "--config", tmp_path, "--data", tmp_path / "data")
    assert (result.exit_code, result.stdout) == (2, "")
    assert is_one_sentence(result.stderr)


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize(
    ("text", "word"),
    [(None, "cannot be read"), ("[machine", "not TOML"), ("[machine]\nnumbr = 1", "numbr"), ("\0", "not TOML")],
)
def test_a_configuration_that_cannot_be_used_is_reported_in_one_sentence(
    name: str, text: str | None, word: str, tmp_path: Path
):
    file = tmp_path / "cabinet.toml"
    if text is not None:
        file.write_text(text)
    result = call(name, "--config", file, "--data", tmp_path / "data")
    assert (result.exit_code, result.stdout) == (1, "")
    assert is_one_sentence(result.stderr)
    assert str(file) in result.stderr
    assert word in result.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", [*READING, *WRITING])
def test_a_journal_in_use_is_reported_in_one_sentence(name: str, data: Path):
    with open_journal(data):
        result = call(name, "--data", data, *(["--simulate"] if name == "run" else []))
    assert result.exit_code == (BUSY if name == "verify" else 1)
    assert is_one_sentence(result.stderr)
    assert "a cabinet is running on this data folder" in result.stderr


@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("spoil", [b"", b"no database at all" * 300], ids=["empty", "text"])
def test_a_journal_that_is_no_journal_is_reported_and_kept(name: str, spoil: bytes, tmp_path: Path):
    (tmp_path / FILE).write_bytes(spoil)
    result = call(name, "--data", tmp_path)
    assert result.exit_code == 1 or (name == "verify" and not spoil)
    assert "Traceback" not in result.output
    assert (tmp_path / FILE).read_bytes()[: len(spoil)] == spoil


@pytest.mark.requirement("PL-07")
def test_a_changed_journal_ends_with_code_1_and_the_row(tmp_path: Path):
    keep(tmp_path, *session_steps()[:12])
    with raw(tmp_path) as connection:
        connection.execute("UPDATE steps SET credit = credit + 1 WHERE seq = 7")
    result = call("verify", "--data", tmp_path, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["first_bad"] == 7
    assert call("verify", "--data", tmp_path).exit_code == 1


def test_what_the_system_refuses_is_reported_with_the_path(tmp_path: Path):
    (tmp_path / "file").write_text("no folder")
    result = call("screens", tmp_path / "file" / "below")
    assert result.exit_code == 1
    assert is_one_sentence(result.stderr)
    assert str(tmp_path / "file") in result.stderr


def test_an_error_of_ours_is_a_sentence_and_a_mistake_of_ours_is_not_hidden():
    @speaking
    def full() -> None:
        raise StoreFullError("the medium\nis full")

    @speaking
    def wrong() -> None:
        raise ZeroDivisionError

    @speaking
    def incomplete() -> None:
        raise ImportError("no pygame")

    with pytest.raises(click.ClickException, match="is full"):
        full()
    with pytest.raises(ZeroDivisionError):
        wrong()
    with pytest.raises(click.ClickException, match="make setup"):
        incomplete()


words = st.one_of(
    st.sampled_from(
        [*COMMANDS, "--json", "--data", "--rounds", "--config", "--size", "-v", "--", "-", "", "/", "/dev/null"]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
    st.integers(-3, 3).map(str),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arguments=st.lists(words, max_size=5))
def test_whatever_is_written_behind_the_command_there_is_no_traceback(arguments: list[str], tmp_path: Path):
    """Runs only commands that read; the others would change data."""
    first = next((word for word in arguments if not word.startswith("-")), None)
    if first in {*COMMANDS} - {*READING}:
        arguments = ["recall", *arguments[1:]]
    result = call(*arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    if result.exit_code and result.stderr.startswith("cabinet: "):
        assert is_one_sentence(result.stderr)
    assert result.exit_code in {0, 1, 2}


# --- JSON -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READING)
def test_with_json_standard_output_is_one_document_and_nothing_else(name: str, data: Path):
    code, out, err = run(name, "--data", data, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)
    assert out.count("\n") == 1


def test_the_json_of_verify_has_its_keys(data: Path):
    report = json.loads(call("verify", "--data", data, "--json").stdout)
    assert {"ok", "rows", "first_bad", "accounts", "credit", "seconds"} <= report.keys()
    assert report["ok"] is True


def test_the_json_of_recall_is_as_many_rounds_as_were_asked_for(data: Path):
    (one,) = json.loads(call("recall", "--data", data, "--games", "1", "--json").stdout)
    assert {"number", "game", "bets", "cards", "choices", "results", "staked", "returned"} <= one.keys()


@pytest.mark.parametrize("name", READING)
def test_without_json_there_is_text(name: str, data: Path):
    result = call(name, "--data", data)
    assert result.exit_code == 0
    assert {"meters": "coin in", "recall": "RECALL game", "verify": "In order"}[name] in result.stdout


def test_the_folder_may_come_from_the_service_manager(data: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(data))
    assert json.loads(call("meters", "--json").stdout)["lifetime"]["games_played"] > 0


def test_doctor_answers_with_a_code(tmp_path: Path):
    result = call("doctor", "--simulate", "--data", tmp_path / "data", "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == (0 if report["ok"] else 1)


# --- processes --------------------------------------------------------------------------------------------------


@contextmanager
def watched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], bool]]:
    """A service manager that watches; the question is whether the watchdog was fed yet, which takes a shown frame."""
    address = folder / "notify"
    monkeypatch.setenv("NOTIFY_SOCKET", str(address))
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(address))
        manager.setblocking(False)

        def fed() -> bool:
            try:
                return manager.recv(1_000) == b"WATCHDOG=1"
            except BlockingIOError:
                return False

        yield fed
        monkeypatch.delenv("NOTIFY_SOCKET")


@pytest.mark.sample(1)
@pytest.mark.screen
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_cabinet_that_runs_ends_in_order_when_it_is_asked_to(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with watched(tmp_path, monkeypatch) as fed:
        process = start("run", "--simulate", "--windowed", "--data", tmp_path / "data")
        wait_until(process, fed)
    process.send_signal(number)
    code, out, err = finish(process)
    assert (code, out) in {(0, ""), (130, "")}, "130 before the window is there"
    assert "Traceback" not in err
    verdict = json.loads(call("verify", "--data", tmp_path / "data", "--json").stdout)
    assert verdict["ok"] is True
    with open_journal(tmp_path / "data") as journal:
        assert journal.fact("running") == "no"


@pytest.mark.screen
def test_a_simulated_cabinet_never_has_the_default_folder_of_a_real_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "real"))
    with watched(tmp_path, monkeypatch) as fed:
        process = start("run", "--simulate", "--windowed", cwd=tmp_path)
        wait_until(process, fed)
    process.send_signal(signal.SIGTERM)
    finish(process)
    assert (tmp_path / "data" / "simulated" / FILE).exists()
    assert not (tmp_path / "real").exists()


@pytest.mark.sample(1)
@pytest.mark.screen
@pytest.mark.requirement("PL-07")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_cabinet_whose_journal_is_damaged_shows_so_until_it_is_stopped(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / FILE).write_bytes(b"no database at all" * 300)
    with watched(tmp_path, monkeypatch) as fed:
        process = start("run", "--simulate", "--windowed", "--data", tmp_path)
        wait_until(process, fed)
    process.send_signal(number)
    code, out, err = finish(process)
    assert (code, out) == (1, "")
    assert FILE in err
    assert "Traceback" not in err
    assert (tmp_path / FILE).read_bytes() == b"no database at all" * 300


def test_the_list_of_commands_cuts_no_sentence() -> None:
    listed = call("--help").stdout
    assert "..." not in listed.partition("Commands:")[2]
