"""Commands out of a stream, cut anywhere, and never an exception."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.simulated.escpos_parser import Command, Op, read_command


@pytest.mark.parametrize(
    ("stream", "command", "length"),
    [
        ("48 49 0A", Command(op=Op.TEXT, data=b"HI"), 2),
        ("0A", Command(op=Op.NEW_LINE), 1),
        ("00", Command(op=Op.NOTHING), 1),
        ("1B 40", Command(op=Op.RESET), 2),
        ("1B 74 13", Command(op=Op.CODE_PAGE, value=19), 3),
        ("1C 2E", Command(op=Op.NOT_CHINESE), 2),
        ("1C 26", Command(op=Op.CHINESE), 2),
        ("1D 21 11", Command(op=Op.SIZE, value=0x11), 3),
        ("1D 6B 49 03 7B 43 05", Command(op=Op.BARCODE, value=73, data=b"{C\x05"), 7),
        ("1D 6B 05 31 32 00 41", Command(op=Op.BARCODE, value=5, data=b"12"), 6),
        ("1D 56 00", Command(op=Op.CUT), 3),
        ("1D 56 42 20", Command(op=Op.CUT, value=32), 4),
        ("10 04 01", Command(op=Op.NOTHING, value=1), 3),
        ("1D 72 01", Command(op=Op.ASK_SENSOR, value=1), 3),
        ("1B 7F", Command(op=Op.UNKNOWN, value=0x7F), 2),
    ],
)
def test_a_command_is_read_with_its_length(stream: str, command: Command, length: int) -> None:
    assert read_command(bytes.fromhex(stream)) == (command, length)


@pytest.mark.parametrize(
    "stream", ["", "1B", "1B 74", "1D 6B", "1D 6B 49 03 7B", "1D 6B 05 31", "1D 56", "1D 56 42", "10 04"]
)
def test_half_a_command_is_waited_for(stream: str) -> None:
    assert read_command(bytes.fromhex(stream)) is None


@given(st.binary(max_size=200))
def test_any_stream_is_consumed_to_less_than_one_command(stream: bytes) -> None:
    while (found := read_command(stream)) is not None:
        assert 0 < found[1] <= len(stream)
        stream = stream[found[1] :]
    assert stream == b"" or stream[0] in {0x10, 0x1B, 0x1C, 0x1D}
