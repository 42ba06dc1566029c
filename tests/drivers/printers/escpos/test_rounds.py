"""One question at a time; a late answer never counts for the next one."""

from drivers.printers.escpos.rounds import Rounds


def test_the_next_question_goes_out_only_after_the_answer() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.begin((1, 4), 10.0, patient=False)
    assert rounds.questions() == bytes.fromhex("10 04 01")
    assert rounds.questions() == b""

    rounds.answer(0x12, 10.1)
    assert rounds.questions() == bytes.fromhex("10 04 04")
    rounds.answer(0x1E, 10.2)

    done = rounds.finished()
    assert done is not None
    assert (done.begun_at, dict(done.answers), done.unanswered) == (10.0, {1: 0x12, 4: 0x1E}, frozenset())
    assert rounds.finished() is None
    assert rounds.due() is None


def test_an_impatient_round_ends_at_the_first_silence() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.begin((1, 2), 0.0, patient=False)
    rounds.questions()
    assert rounds.due() == 1.0
    rounds.tick(1.0)

    done = rounds.finished()
    assert done is not None
    assert done.unanswered == {1}
    assert rounds.questions() == b""


def test_a_patient_round_waits_out_the_silence_and_throws_a_late_answer_away() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.begin((1, 2), 0.0, patient=True)
    rounds.questions()
    rounds.tick(1.0)
    rounds.answer(0x1A, 1.2)  # the late answer to the first question
    assert rounds.questions() == b""
    assert rounds.due() == 2.0

    rounds.tick(2.0)
    assert rounds.questions() == bytes.fromhex("10 04 02")
    rounds.answer(0x12, 2.1)
    done = rounds.finished()
    assert done is not None
    assert (dict(done.answers), done.unanswered) == ({2: 0x12}, {1})


def test_a_round_after_silence_waits_for_late_answers_too() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.begin((1,), 0.0, patient=False)
    rounds.questions()
    rounds.tick(1.0)
    rounds.begin((1,), 1.0, patient=False)
    assert rounds.questions() == b""
    rounds.tick(2.0)
    assert rounds.questions() == bytes.fromhex("10 04 01")


def test_a_running_round_is_not_begun_again() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.begin((1,), 0.0, patient=False)
    rounds.questions()
    rounds.begin((2,), 0.5, patient=False)
    assert rounds.questions() == b""


def test_an_unsolicited_answer_is_dropped() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.answer(0x12, 0.0)
    assert rounds.finished() is None
    assert not rounds.running


def test_stop_forgets_the_round() -> None:
    rounds = Rounds(timeout_s=1.0)
    rounds.begin((1,), 0.0, patient=False)
    rounds.stop()
    assert (rounds.running, rounds.due(), rounds.questions()) == (False, None, b"")
