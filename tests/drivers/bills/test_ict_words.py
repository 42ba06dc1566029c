"""The bytes of ICT's interface."""

import pytest

from drivers.bills.ict_words import FRAUDS, LASTING, Fault, Say, read_fault, read_type


@pytest.mark.parametrize("shift", [0, 1])
def test_each_fault_has_its_code_and_some_models_count_one_higher(shift: int) -> None:
    assert [read_fault(0x20 + shift + number, shift=shift) for number in range(11)] == list(Fault)


@pytest.mark.parametrize(("code", "shift"), [(0x1F, 0), (0x2B, 0), (0x2F, 0), (0x20, 1), (0x2C, 1), (0x2F, 5)])
def test_other_bytes_are_no_fault(code: int, shift: int) -> None:
    assert read_fault(code, shift=shift) is None


def test_types_are_channels_from_one_on() -> None:
    assert [read_type(byte) for byte in (0x3F, 0x40, 0x46, 0x47)] == [None, 1, 7, None]


def test_a_fault_stands_or_is_a_fraud_or_is_about_one_note_or_command() -> None:
    rest = set(Fault) - set(LASTING) - set(FRAUDS)
    assert rest == {Fault.REJECT, Fault.INVALID_COMMAND}
    assert not set(LASTING) & set(FRAUDS)


def test_two_words_are_the_same_byte() -> None:
    assert Say.ACCEPT is Say.ACKNOWLEDGE_POWER_UP
