"""The bytes of ICT's interface."""

from collections.abc import Mapping

import pytest

from drivers.bills.events import Trouble
from drivers.bills.ict.codec import FRAUDS, LASTING, DeviceByte, Fault, HostByte, read_fault, read_type


@pytest.mark.parametrize("shift", [0, 1])
def test_each_fault_has_its_code_and_some_models_count_one_higher(shift: int) -> None:
    assert [read_fault(0x20 + shift + number, shift=shift) for number in range(11)] == list(Fault)


@pytest.mark.parametrize(("code", "shift"), [(0x1F, 0), (0x2B, 0), (0x2F, 0), (0x20, 1), (0x2C, 1), (0x2F, 5)])
def test_other_bytes_are_no_fault(code: int, shift: int) -> None:
    assert read_fault(code, shift=shift) is None


HOSTS: Mapping[str, Mapping[int, Fault]] = {
    "zynesis/pi-bill-acceptor, ICT_Protocol.cpp": {
        0x20: Fault.MOTOR,
        0x21: Fault.CHECKSUM,
        0x22: Fault.JAM,
        0x23: Fault.REMOVED,
        0x24: Fault.STACKER_OPEN,
        0x25: Fault.SENSOR,
        0x26: Fault.COMMUNICATION,
        0x27: Fault.FISHING,
        0x28: Fault.STACKER,
        0x29: Fault.REJECT,
        0x2A: Fault.INVALID_COMMAND,
    },
    "an ICT-104 controller, ba_ict104.c": {
        0x20: Fault.MOTOR,
        0x21: Fault.CHECKSUM,
        0x22: Fault.JAM,
        0x23: Fault.REMOVED,
        0x24: Fault.STACKER_OPEN,
        0x25: Fault.SENSOR,
        0x27: Fault.FISHING,
        0x28: Fault.STACKER,
        0x29: Fault.REJECT,
        0x2A: Fault.INVALID_COMMAND,
    },
}
LV77: Mapping[int, Fault] = {
    0x21: Fault.MOTOR,
    0x22: Fault.CHECKSUM,
    0x23: Fault.JAM,
    0x24: Fault.REMOVED,
    0x25: Fault.STACKER_OPEN,
    0x28: Fault.FISHING,
    0x29: Fault.STACKER,
    0x2A: Fault.REJECT,
    0x2B: Fault.INVALID_COMMAND,
}
"""A host of ICT-104U V0.3. Its code of a sensor is 27, where one step up from the others is 26; both are HARDWARE."""


@pytest.mark.parametrize("host", HOSTS)
def test_public_hosts_read_the_same_faults(host: str) -> None:
    assert {code: read_fault(code, shift=0) for code in HOSTS[host]} == HOSTS[host]


def test_a_public_host_of_a_model_that_counts_higher_reads_the_same_faults() -> None:
    assert {code: read_fault(code, shift=1) for code in LV77} == LV77
    assert {LASTING[fault][0] for code in (0x26, 0x27) if (fault := read_fault(code, shift=1))} == {Trouble.HARDWARE}


def test_public_hosts_use_the_same_bytes() -> None:
    said = {"ACCEPT": 0x02, "STATUS": 0x0C, "REJECT": 0x0F, "HOLD": 0x18, "ENABLE": 0x3E, "DISABLE": 0x5E}
    received = {"STACKED": 0x10, "RETURNED": 0x11, "FAULT_OVER": 0x2F, "ENABLED": 0x3E, "DISABLED": 0x5E}
    received |= {"POWER_UP": 0x80, "POWER_UP_END": 0x8F, "VALIDATED": 0x81}
    assert {name: HostByte[name].value for name in said} == said
    assert {word.name: word.value for word in DeviceByte} == received


def test_types_are_channels_from_one_on() -> None:
    assert [read_type(byte) for byte in (0x3F, 0x40, 0x46, 0x49, 0x4A)] == [None, 1, 7, 10, None]


def test_a_fault_stands_or_is_a_fraud_or_is_about_one_note_or_command() -> None:
    rest = set(Fault) - set(LASTING) - set(FRAUDS)
    assert rest == {Fault.REJECT, Fault.INVALID_COMMAND}
    assert not set(LASTING) & set(FRAUDS)


def test_two_words_are_the_same_byte() -> None:
    assert HostByte.ACCEPT is HostByte.ACKNOWLEDGE_POWER_UP
