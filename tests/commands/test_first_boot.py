"""`cabinet setup --first-boot`: what the builder reads on the screen and on the boot partition."""

import sys
from pathlib import Path

import pytest
from support.commands import call
from support.image_card import ANSWERED, SystemPrograms, first_boot, make_image_card

from cabinet.commands.first_boot import run_act, run_first_boot, show
from cabinet.installation.first_boot.card import Act
from cabinet.installation.first_boot.sequence import ANSWERS, REPORT, RESTART, FirstBootError, is_pending
from cabinet.installation.paths import Paths


def report_of(card: Paths) -> str:
    """Return the report on the boot partition."""
    return (card.boot / REPORT).read_text(encoding="utf-8")


def test_a_card_that_is_not_new_is_left_as_it_is(tmp_path: Path):
    done = call("setup", "--first-boot", "--root", tmp_path)
    assert (done.exit_code, list(tmp_path.iterdir())) == (0, [])


def test_a_new_card_becomes_a_machine_that_restarts(tmp_path: Path):
    card, said = make_image_card(tmp_path), list[str]()
    programs = SystemPrograms(card)
    assert run_first_boot(first_boot(card, programs, said)) == 0
    assert programs.done[-1] == " ".join(RESTART.command)
    assert "out of service" in said[-1]


def test_the_start_after_it_lets_the_cabinet_begin_without_a_restart(tmp_path: Path):
    card, said = make_image_card(tmp_path), list[str]()
    run_first_boot(first_boot(card, SystemPrograms(card), said))
    again = SystemPrograms(card)
    assert run_first_boot(first_boot(card, again, said)) == 0
    assert again.done == []
    assert not is_pending(card)


def test_a_problem_is_on_the_screen_and_on_the_boot_partition_and_the_card_stays_new(tmp_path: Path):
    card, said = make_image_card(tmp_path, ANSWERED.replace("17", "42")), list[str]()
    programs = SystemPrograms(card)
    assert run_first_boot(first_boot(card, programs, said)) == 1
    assert 'number: found "42"' in said[-1]
    assert report_of(card) == said[-1]
    assert is_pending(card)
    assert " ".join(RESTART.command) not in programs.done


def test_a_problem_shows_no_pin(tmp_path: Path):
    card, said = make_image_card(tmp_path, ANSWERED.replace("493817", "4938171")), list[str]()
    assert run_first_boot(first_boot(card, SystemPrograms(card), said)) == 1
    assert "technician_pin: found 7 characters" in said[-1]
    assert "4938171" not in report_of(card) + "".join(said)


def test_a_boot_partition_that_takes_no_report_leaves_the_sentence_on_the_screen(tmp_path: Path):
    card, said = make_image_card(tmp_path, None), list[str]()
    (card.boot / REPORT).mkdir()
    assert run_first_boot(first_boot(card, SystemPrograms(card), said)) == 1
    assert ANSWERS in said[-1]


def test_a_corrected_answer_completes_the_first_start(tmp_path: Path):
    card, said = make_image_card(tmp_path, ANSWERED.replace("17", "42")), list[str]()
    run_first_boot(first_boot(card, SystemPrograms(card), said))
    (card.boot / ANSWERS).write_text(ANSWERED, encoding="utf-8")
    assert run_first_boot(first_boot(card, SystemPrograms(card), said)) == 0
    assert "is complete" in report_of(card)


def test_each_text_has_the_screen_for_itself(capsys: pytest.CaptureFixture[str]):
    show("one\ntwo")
    assert capsys.readouterr().out == "\033[2J\033[H\n\n  one\n  two\n\n"


def test_a_program_of_the_system_gets_its_input_and_returns_what_it_prints():
    assert run_act(Act(command=("cat",), feed=",+\n")) == ",+\n"


def test_a_program_that_fails_is_named_with_its_words():
    failing = (sys.executable, "-c", "import sys; sys.exit('no room')")
    with pytest.raises(FirstBootError, match=r"` failed: no room; switch the machine off and on"):
        run_act(Act(command=failing))
    assert run_act(Act(command=failing, good=(0, 1))) == ""
    with pytest.raises(FirstBootError, match="/no-such-program"):
        run_act(Act(command=("/no-such-program",)))
