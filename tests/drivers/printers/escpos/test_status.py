"""Every byte has one meaning, and states measured on printers are decoded correctly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.printers.document import Paper
from drivers.printers.escpos.status import (
    AutomaticStatus,
    Condition,
    Kind,
    classify,
    is_paper_answer,
    read_answers,
    read_automatic,
)


@pytest.mark.requirement("TP-06")
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((0x12, 0x12, 0x12, 0x12), Condition(online=True, paper=Paper.OK)),
        ((0x12, 0x12, 0x12, 0x1E), Condition(online=True, paper=Paper.LOW)),
        ((0x1A, 0x32, 0x12, 0x7E), Condition(online=False, paper=Paper.OUT)),
        ((0x1A, 0x16, 0x12, 0x12), Condition(online=False, paper=Paper.OK, cover_open=True)),
        ((0x1A, 0x52, 0x1A, 0x12), Condition(online=False, paper=Paper.OK, jam=True)),
        ((0x1A, 0x52, 0x32, 0x12), Condition(online=False, paper=Paper.OK, fault="unrecoverable error")),
        ((0x1A, 0x52, 0x52, 0x12), Condition(online=False, paper=Paper.OK, fault="print head too hot")),
        ((0x1A, 0x52, 0x16, 0x12), Condition(online=False, paper=Paper.OK, fault="error that needs an attendant")),
    ],
)
def test_answers_to_dle_eot_distinguish_the_conditions(answers: tuple[int, ...], expected: Condition) -> None:
    assert read_answers(dict(enumerate(answers, start=1))) == expected


def test_a_board_without_error_status_still_reports_an_error_by_its_cause() -> None:
    condition = read_answers({1: 0x1A, 2: 0x52, 4: 0x12})

    assert condition.fault == "error that needs an attendant"


def test_a_board_that_sets_only_two_paper_bits_is_out_of_paper() -> None:
    assert read_answers({1: 0x1A, 2: 0x32, 4: 0x72}).paper is Paper.OUT


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("10 00 00 00", Condition(online=True, paper=Paper.OK)),
        ("10 00 03 00", Condition(online=True, paper=Paper.LOW)),
        ("38 00 00 00", Condition(online=False, paper=Paper.OK, cover_open=True)),
        ("18 00 0F 00", Condition(online=False, paper=Paper.OUT)),
        ("18 08 00 00", Condition(online=False, paper=Paper.OK, jam=True)),
        ("18 20 00 00", Condition(online=False, paper=Paper.OK, fault="unrecoverable error")),
    ],
)
def test_an_automatic_status_reports_the_same_conditions(frame: str, expected: Condition) -> None:
    assert read_automatic(bytes.fromhex(frame)) == expected


@pytest.mark.parametrize(
    ("condition", "obstacle"),
    [
        (Condition(online=True, paper=Paper.OK), ""),
        (Condition(online=True, paper=Paper.LOW), ""),
        (Condition(online=False, paper=Paper.OUT), "out of paper"),
        (Condition(online=False, paper=Paper.OK, cover_open=True), "the cover is open"),
        (Condition(online=False, paper=Paper.OK, jam=True), "the cutter is jammed"),
        (Condition(online=True, paper=Paper.UNKNOWN), "the paper sensor reports nothing"),
    ],
)
def test_an_obstacle_is_named_in_plain_words(condition: Condition, obstacle: str) -> None:
    assert condition.obstacle == obstacle
    assert condition.status.can_print == (condition.online and not obstacle)


def test_fixed_bits_identify_a_byte() -> None:
    kinds = {
        Kind.REAL_TIME: (0x12, 0x1A, 0x16, 0x1E, 0x32, 0x7E, 0x72),
        Kind.ASB_HEAD: (0x10, 0x18, 0x38),
        Kind.IN_ORDER: (0x00, 0x03, 0x0F, 0x60),
        Kind.XON: (0x11,),
        Kind.XOFF: (0x13,),
        Kind.STRAY: (0x80, 0x92, 0xFF, 0x33),
    }
    for kind, samples in kinds.items():
        for byte in samples:
            assert classify(byte) is kind, hex(byte)


@given(st.sampled_from([byte for byte in range(256) if classify(byte) is Kind.REAL_TIME]), st.integers(0, 7))
def test_no_wrong_bit_turns_a_real_time_answer_into_an_in_order_answer(byte: int, bit: int) -> None:
    answers = {0x12, 0x1A, 0x16, 0x32, 0x52, 0x1E, 0x7E, 0x72}
    if byte in answers:
        assert not is_paper_answer(byte ^ 1 << bit)
    assert not is_paper_answer(byte)


def test_an_automatic_status_is_gathered_across_other_bytes_and_begins_anew_with_a_new_head() -> None:
    automatic = AutomaticStatus()
    automatic.begin(0x38)
    assert automatic.gathering
    assert automatic.add(0x01) is None
    automatic.begin(0x10)
    assert [automatic.add(byte) for byte in (0x00, 0x03, 0x00)] == [None, None, bytes.fromhex("10 00 03 00")]
    assert not automatic.gathering


def test_an_unfinished_automatic_status_can_be_given_up() -> None:
    automatic = AutomaticStatus()
    automatic.begin(0x10)
    automatic.give_up()
    assert not automatic.gathering
