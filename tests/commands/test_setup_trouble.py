"""`cabinet setup` among bad files, other set-ups, books that are there, and a shell with another mask."""

import fcntl
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.card import ANSWERS, make_card, read_card
from support.cases import case
from support.commands import call
from support.journals import keep, session_steps

from cabinet.commands.main import main
from cabinet.commands.setup import Options, SetupError, set_up
from cabinet.config.settings import load
from cabinet.installation.paths import Paths
from cabinet.installation.update.record import right_to_update


@pytest.fixture
def card(tmp_path: Path) -> Paths:
    return make_card(tmp_path / "card")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.toml"
    path.write_text(ANSWERS, encoding="utf-8")
    return path


def _setup(card: Paths, *more: str | Path) -> Result:
    return call("setup", "--root", card.root, *more)


@pytest.mark.parametrize("mask", [0o000, 0o027, 0o077])
def test_the_cabinet_can_read_its_settings_whatever_the_mask_of_the_shell(card: Paths, answers: Path, mask: int):
    """Many systems give root the mask 077."""
    before = os.umask(mask)
    try:
        assert _setup(card, "--answers", answers, "--yes").exit_code == 0
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    made = (card.settings.parent, card.second, card.sockets.parent)
    assert [each.stat().st_mode & 0o777 for each in made] == [0o755] * 3
    assert card.setup.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"# Caf\xe9\n[machine]\nnumber = 5\n", "line 1: found a letter that is no UTF-8; save the file as UTF-8"),
        (b"machine = 5\n", "machine: found 5, expected a table"),
        (b"x = " + b"[" * 100_000, "is not TOML"),
        (b"[machine]\nnumber = " + b"9" * 5_000, "is not TOML"),
    ],
)
def test_settings_that_cannot_be_changed_give_a_sentence_and_stay(
    card: Paths, answers: Path, content: bytes, sentence: str
):
    card.settings.parent.mkdir(parents=True)
    card.settings.write_bytes(content)
    result = _setup(card, "--answers", answers, "--yes")
    assert (result.exit_code, sentence in result.output, result.output.count("\n")) == (1, True, 1), result.output
    assert card.settings.read_bytes() == content


def test_settings_with_the_mark_of_utf_8_take_the_answers(card: Paths, answers: Path):
    card.settings.parent.mkdir(parents=True)
    card.settings.write_bytes(b"\xef\xbb\xbf[machine]\nnumber = 5\n")
    assert _setup(card, "--answers", answers, "--yes").exit_code == 0
    assert load(card.settings).machine.number == 17


def test_damaged_answers_of_the_last_set_up_are_written_anew(card: Paths, answers: Path):
    card.setup.mkdir(parents=True)
    (card.setup / "answers.toml").write_bytes(b"\xff")
    assert _setup(card, "--answers", answers, "--yes").exit_code == 0
    assert (card.setup / "answers.toml").read_text().startswith("number = 17\n")


def test_two_set_ups_at_a_time_are_refused(card: Paths, answers: Path):
    handle = os.open(card.fstab.parent, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    before = read_card(card)
    for words in (("--answers", answers, "--yes"), ("--undo", "--yes")):
        with case(words=words):
            assert "another set-up is running" in _setup(card, *words).output
    os.close(handle)
    assert read_card(card) == before


def test_a_set_up_during_an_update_is_refused(card: Paths, answers: Path):
    with right_to_update(card):
        before = read_card(card)
        assert "an update of the program is running" in _setup(card, "--answers", answers, "--yes").output
        assert read_card(card) == before


def test_an_input_that_ends_says_how_to_answer_without_a_terminal(card: Paths, answers: Path):
    for words in ((), ("--answers", str(answers))):
        with case(words=words):
            result = CliRunner().invoke(main, ["setup", "--root", str(card.root), *words], input="")
            assert result.exit_code == 1
            assert "give --answers FILE and --yes" in result.output


def test_a_partition_is_not_mounted_over_books(card: Paths, answers: Path):
    keep(card.data, *session_steps())
    before = read_card(card)
    with pytest.raises(SetupError, match=r"there are books in .* which the partition CABINETDATA would hide"):
        set_up(Options(root=card.root, live=True, answers=answers, yes=True))
    assert read_card(card) == before
