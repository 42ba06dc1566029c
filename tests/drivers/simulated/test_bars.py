"""The bars against an independent table: they read back to the digits."""

import pytest
from barcode.charsets import code128  # type: ignore[import-untyped,unused-ignore]
from hypothesis import given
from hypothesis import strategies as st

from drivers.simulated.bars import encode_bars

PAIRS = st.lists(st.integers(0, 99), min_size=1, max_size=12)


def as_modules(runs: tuple[int, ...]) -> str:
    return "".join(("1" if place % 2 == 0 else "0") * width for place, width in enumerate(runs))


@given(PAIRS)
def test_code128_c_reads_back_by_the_published_table(pairs: list[int]) -> None:
    bars = encode_bars(73, b"{C" + bytes(pairs))
    assert bars is not None
    modules = as_modules(bars.runs)
    symbols = [code128.CODES.index(modules[at : at + 11]) for at in range(0, len(modules) - 13, 11)]

    assert symbols[0] == 105
    assert symbols[1:-1] == pairs
    assert symbols[-1] == (105 + sum(place * pair for place, pair in enumerate(pairs, 1))) % 103
    assert modules[-13:] == code128.STOP + "11"
    assert bars.digits == "".join(f"{pair:02d}" for pair in pairs)
    assert bars.modules == 35 + 11 * len(pairs)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=12).map(lambda pairs: "".join(f"{n:02d}" for n in pairs)))
def test_interleaved_2_of_5_reads_back(digits: str) -> None:
    bars = encode_bars(70, digits.encode())
    assert bars is not None
    assert bars.runs[:4] == (1, 1, 1, 1)
    assert bars.runs[-3:] == (3, 1, 1)

    weights = (1, 2, 4, 7, 0)  # each digit is the sum of the weights of its two wide bars; eleven stands for nought
    read = ""
    for at in range(4, len(bars.runs) - 3, 10):
        for shift in (0, 1):
            wide = [width == 3 for width in bars.runs[at + shift : at + 10 : 2]]
            assert sum(wide) == 2
            read += str(sum(weight for weight, is_wide in zip(weights, wide, strict=True) if is_wide) % 11)
    assert read == digits


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (73, b"12345678"),
        (73, b"{C"),
        (73, b"{C\x64"),
        (73, b"{B12"),
        (70, b"123"),
        (70, b"12x4"),
        (70, b""),
        (4, b"12"),
    ],
)
def test_what_a_printer_cannot_encode_is_blank(kind: int, data: bytes) -> None:
    assert encode_bars(kind, data) is None
