"""The bars of a bar code, as a simulated printer draws them: CODE 128 and Interleaved 2 of 5.

Runs are module widths, in turn a bar and a space. Rule: data that a printer does not print (wrong set, odd digits)
gives None, without an error. Sources: ISO/IEC 15417, ISO/IEC 16390.
"""

from dataclasses import dataclass

_CODE128 = (  # noqa: SIM905 - a hundred quoted strings would hide the table
    "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 "
    "123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 "
    "232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 "
    "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 "
    "111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 "
    "111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 "
    "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232"
).split()
_CODE128_STOP = "2331112"
_START_C = 105
_ITF_WIDE = (  # which of a digit's five bars are wide
    "00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """A drawable code: its digits and the widths of bars and spaces in modules."""

    digits: str
    runs: tuple[int, ...]

    @property
    def modules(self) -> int:
        """The whole width."""
        return sum(self.runs)


def encode_bars(kind: int, data: bytes) -> Bars | None:
    """Returns the bars of a GS k command of this kind; None for data that is printed blank."""
    if kind == 73:
        return _code128(data)
    if kind in {5, 70}:
        return _itf(data)
    return None


def _code128(data: bytes) -> Bars | None:
    pairs = data[2:]
    if data[:2] != b"{C" or not pairs or max(pairs) > 99:
        return None
    check = (_START_C + sum(place * pair for place, pair in enumerate(pairs, start=1))) % 103
    symbols = [_CODE128[value] for value in (_START_C, *pairs, check)] + [_CODE128_STOP]
    return Bars(digits="".join(f"{pair:02d}" for pair in pairs), runs=tuple(int(width) for width in "".join(symbols)))


def _itf(data: bytes) -> Bars | None:
    digits = data.decode("latin-1")
    if not digits or len(digits) % 2 or not (digits.isascii() and digits.isdigit()):
        return None
    runs = [1, 1, 1, 1]
    for at in range(0, len(digits), 2):
        bars, spaces = _ITF_WIDE[int(digits[at])], _ITF_WIDE[int(digits[at + 1])]
        for bar, space in zip(bars, spaces, strict=True):
            runs += [3 if bar == "1" else 1, 3 if space == "1" else 1]
    return Bars(digits=digits, runs=(*runs, 3, 1, 1))
