"""The page under a simulated print head: commands in, strips of printed paper and their text out.

Rules, as on a real head:
- a line is printed by LF, or when the next letter does not fit;
- a bar code wider than the head is printed blank, without an error;
- the knife is some way behind the head: paper not fed past it belongs to the next piece;
- a cheap board starts in its Chinese mode, also after each reset: a letter above 127 swallows the next byte, until FS
  . ends the mode;
- boards print different letters for a missing code page;
- the module knows no power, no paper and no covers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from drivers.simulated.bars import encode_bars
from drivers.simulated.escpos_parser import Command, Op
from drivers.simulated.ticket_picture import (
    CELL_WIDTH_DOTS,
    LINE_DOTS,
    BarStrip,
    BlankStrip,
    Letter,
    Strip,
    TextStrip,
)

HEAD_TO_KNIFE_DOTS = 100
_BELOW_BARS_DOTS = 6

CODE_PAGES: Mapping[int, str] = {0: "cp437", 2: "cp850", 16: "cp1252", 18: "cp852", 19: "cp858"}


def read_lines(strips: tuple[Strip, ...]) -> tuple[str, ...]:
    """Returns the text on a piece of paper, one entry a line, indented as on the paper; white paper gives empty
    lines."""
    lines: list[str] = []
    for strip in strips:
        if isinstance(strip, TextStrip):
            words = "".join(letter.sign for letter in strip.letters)
            lines.append((" " * (strip.left_dots // CELL_WIDTH_DOTS) + words).rstrip())
        elif isinstance(strip, BlankStrip):
            lines.extend("" for _ in range(strip.height_dots // LINE_DOTS))
    return tuple(lines)


def read_barcode(strips: tuple[Strip, ...]) -> str | None:
    """Returns the digits of the bar code on a piece of paper; None without one."""
    return next((strip.bars.digits for strip in strips if isinstance(strip, BarStrip)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Modes:
    """The modes that last until a change or a reset."""

    encoding: str = "cp437"
    chinese: bool = False
    align: int = 0
    bold: bool = False
    inverse: bool = False
    wide: int = 1
    high: int = 1
    bar_height: int = 162
    bar_width: int = 3
    bar_text: int = 0


class Page:
    """The paper printed since the last cut."""

    def __init__(
        self, *, width_dots: int, starts_chinese: bool = True, code_pages: Mapping[int, str] = CODE_PAGES
    ) -> None:
        self._width_dots = width_dots
        self._code_pages = code_pages
        self._at_start = _Modes(chinese=starts_chinese)
        self._modes = self._at_start
        self._line: list[Letter] = []
        self.unknown_commands = 0
        self.strips: tuple[Strip, ...] = (BlankStrip(height_dots=HEAD_TO_KNIFE_DOTS),)

    @property
    def is_blank(self) -> bool:
        """True if there is only white paper."""
        return all(isinstance(strip, BlankStrip) for strip in self.strips)

    def cut(self) -> tuple[Strip, ...]:
        """Cuts behind the head. Returns the cut piece and keeps the paper before the knife."""
        kept: list[Strip] = []
        fallen = list(self.strips)
        missing = HEAD_TO_KNIFE_DOTS
        while fallen and missing > 0:
            strip = fallen.pop()
            if isinstance(strip, BlankStrip) and strip.height_dots > missing:
                fallen.append(BlankStrip(height_dots=strip.height_dots - missing))
                strip = BlankStrip(height_dots=missing)
            kept.insert(0, strip)
            missing -= strip.height_dots
        self.strips = tuple(kept)
        return tuple(fallen)

    def tear_off(self) -> tuple[Strip, ...]:
        """Returns all paper so far, which is pulled out for a new roll; modes and an unprinted line stay."""
        torn = self.strips
        self.strips = (BlankStrip(height_dots=HEAD_TO_KNIFE_DOTS),)
        return torn

    def power_up(self) -> None:
        """Deletes the modes and the unprinted line."""
        self._modes = self._at_start
        self._line = []

    def take(self, command: Command) -> int:
        """Executes one command. Returns the dot lines of paper it used."""
        before = len(self.strips)
        if command.op is Op.TEXT:
            self._add_text(command.data)
        elif command.op is Op.NEW_LINE:
            self._print_line()
        elif command.op is Op.RESET:
            self.power_up()
        elif command.op is Op.FEED_LINES:
            self._feed(command.value * LINE_DOTS)
        elif command.op is Op.FEED_DOTS:
            self._feed(command.value)
        elif command.op is Op.BARCODE:
            self._print_barcode(command)
        elif command.op is Op.CUT:
            self._feed(command.value)
        else:
            self._set_mode(command)
        return sum(strip.height_dots for strip in self.strips[before:])

    def _set_mode(self, command: Command) -> None:
        value, modes = command.value, self._modes
        changed = {
            Op.CODE_PAGE: replace(modes, encoding=self._code_pages.get(value, "cp437")),
            Op.CHINESE: replace(modes, chinese=True),
            Op.NOT_CHINESE: replace(modes, chinese=False),
            Op.ALIGN: replace(modes, align=value % 48),
            Op.BOLD: replace(modes, bold=bool(value & 1)),
            Op.INVERSE: replace(modes, inverse=bool(value & 1)),
            Op.SIZE: replace(modes, wide=(value >> 4 & 7) + 1, high=(value & 7) + 1),
            Op.BAR_HEIGHT: replace(modes, bar_height=value),
            Op.BAR_WIDTH: replace(modes, bar_width=value),
            Op.BAR_TEXT: replace(modes, bar_text=value % 48),
        }
        self.unknown_commands += command.op is Op.UNKNOWN
        self._modes = changed.get(command.op, modes)

    def _add_text(self, data: bytes) -> None:
        modes = self._modes
        for sign in _read_chinese(data) if modes.chinese else data.decode(modes.encoding, "replace"):
            letter = Letter(sign=sign, wide=modes.wide, high=modes.high, bold=modes.bold, inverse=modes.inverse)
            if self._line_dots() + letter.wide * CELL_WIDTH_DOTS > self._width_dots:
                self._print_line()
            self._line.append(letter)

    def _line_dots(self) -> int:
        return sum(letter.wide for letter in self._line) * CELL_WIDTH_DOTS

    def _print_line(self) -> None:
        self.strips += (TextStrip(letters=tuple(self._line), left_dots=self._left_dots(self._line_dots())),)
        self._line = []

    def _left_dots(self, used_dots: int) -> int:
        return (self._width_dots - used_dots) * self._modes.align // 2

    def _feed(self, dots: int) -> None:
        if self._line:
            self._print_line()
        if dots:
            self.strips += (BlankStrip(height_dots=dots),)

    def _print_barcode(self, command: Command) -> None:
        modes = self._modes
        bars = encode_bars(command.value, command.data)
        if bars is None or bars.modules * modes.bar_width > self._width_dots:
            self._feed(modes.bar_height)
            return
        left = self._left_dots(bars.modules * modes.bar_width)
        self.strips += (BarStrip(bars=bars, module_dots=modes.bar_width, height_dots=modes.bar_height, left_dots=left),)
        if modes.bar_text & 2:
            self._feed(_BELOW_BARS_DOTS)
            self._line = [Letter(sign=digit) for digit in bars.digits]
            self._print_line()


def _read_chinese(data: bytes) -> str:
    """Decodes a line in Chinese mode: a byte above 127 swallows the next byte, or is lost at the end of a line."""
    signs, at = "", 0
    while at < len(data):
        length = 1 if data[at] < 0x80 else 2
        signs += data[at : at + length].decode("gbk", "replace")[:1]
        at += length
    return signs
