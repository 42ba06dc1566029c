"""Draws the wiring of a cabinet as one page to print: the header in the middle, lamps, devices and supplies beside it.

Rules: plain SVG of shapes and texts, without styles of a browser, so that every program shows it the same. The page is
landscape A4 and reads in black and white too: each colour has a word. Pure; the module knows no file.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from cabinet.config.settings import Config
from cabinet.installation.wiring.header import Kind, Position, Register, list_positions, list_registers
from cabinet.text.quoting import cut
from drivers.panel.layout import Level

WIDTH, HEIGHT = 1400, 990
"""Of the page, in units; the ratio is that of A4."""
INK, PALE, LINE, PAPER = "#1a202c", "#4a5568", "#a0aec0", "#ffffff"
COLOURS: Final = {
    Kind.BUTTON: "#2b6cb0",
    Kind.DOOR: "#975a16",
    Kind.KEY: "#6b46c1",
    Kind.LAMP: "#276749",
    Kind.ACCEPTOR: "#0f766e",
    Kind.TAKEN: "#718096",
    Kind.FREE: "#cbd5e0",
    Kind.GROUND: "#1a202c",
    Kind.SUPPLY: "#c53030",
}
_HEADER_X, _HEADER_Y, _ROW = 400, 112, 33
_PANEL_X: Final = 850


@dataclass(slots=True)
class Page:
    """The parts of a drawing in their order."""

    parts: list[str] = field(default_factory=list)

    def box(
        self, x: float, y: float, w: float, h: float, *, fill: str = PAPER, line: str = LINE, corner: int = 6
    ) -> None:
        """Adds a rectangle."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{corner}" fill="{fill}" stroke="{line}"/>'
        )

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        """Adds a filled circle."""
        self.parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="0.6"/>'
        )

    def wire(self, *points: tuple[float, float], colour: str = INK, width: float = 1.6) -> None:
        """Adds a line through points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>')

    def text(
        self, x: float, y: float, words: str, *, size: int = 12, bold: bool = False, fill: str = INK, at: str = "start"
    ) -> None:
        """Adds one line of text; `at` is start, middle or end."""
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}"{weight} fill="{fill}" text-anchor={quoteattr(at)}>'
            f"{escape(words)}</text>"
        )

    def lines(self, x: float, y: float, texts: Iterable[str], *, size: int = 12, step: int = 17) -> float:
        """Adds lines of text below each other; returns the y below the last."""
        for words in texts:
            self.text(x, y, words, size=size)
            y += step
        return y


def draw_wiring(config: Config) -> str:
    """Returns the page as an SVG document. Raises ConfigError for a wiring that cannot be built."""
    page = Page()
    page.box(0, 0, WIDTH, HEIGHT, line=PAPER, corner=0)
    page.text(30, 48, f"Wiring of machine {config.machine.number:04d}", size=26, bold=True)
    page.text(30, 74, cut(config.machine.venue, 40), size=14, fill=PALE)
    page.text(
        _HEADER_X + 20,
        778,
        "from above; position 1 is at the corner with the square pad",
        size=11,
        fill=PALE,
        at="middle",
    )
    _draw_header(page, list_positions(config))
    below = _draw_lamps(page, list_registers(config), 48)
    below = _draw_devices(page, config, below + 26)
    below = _draw_supplies(page, below + 26)
    _draw_checks(page, below + 26)
    _draw_sketches(page, config)
    body = "\n".join(page.parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="DejaVu Sans, Arial, sans-serif">\n<title>Wiring</title>\n{body}\n</svg>\n'
    )


# --- the header -------------------------------------------------------------------------------------------------


def _draw_header(page: Page, positions: Iterable[Position]) -> None:
    page.box(_HEADER_X - 20, _HEADER_Y - 22, 80, 20 * _ROW + 10, fill="#edf2f7")
    for position in positions:
        right = position.number % 2 == 0
        y = _HEADER_Y + (position.number - 1) // 2 * _ROW
        x = _HEADER_X + 40 * right
        if position.number == 1:
            page.box(x - 13, y - 13, 26, 26, fill="#e2e8f0", line=INK, corner=0)
        page.dot(x, y, 11, COLOURS[position.kind])
        ink = INK if position.kind is Kind.FREE else PAPER
        page.text(x, y + 4, str(position.number), size=11, bold=True, fill=ink, at="middle")
        _draw_label(page, position, x, y, right=right)


def _draw_label(page: Page, position: Position, x: float, y: float, *, right: bool) -> None:
    side, at = (1, "start") if right else (-1, "end")
    colour = COLOURS[position.kind]
    quiet = position.kind in {Kind.FREE, Kind.TAKEN}
    if position.pin is None:
        page.text(x + 30 * side, y + 4, position.name, size=12, bold=True, fill=colour, at=at)
        return
    page.wire((x + 12 * side, y), (x + 30 * side, y), colour=colour)
    left = x + 30 if right else x - 92
    page.box(left, y - 9, 62, 18, fill=PAPER, line=colour, corner=4)
    page.text(left + 31, y + 4, f"GPIO{position.pin}", size=11, fill=INK, at="middle")
    start = x + 100 * side
    if position.note:
        page.text(start, y - 1, position.name, size=13, bold=True, fill=colour, at=at)
        page.text(start, y + 11, position.note, size=10, fill=PALE, at=at)
    else:
        page.text(start, y + 4, position.name, size=12, fill=PALE if quiet else colour, at=at)


# --- lamps, devices, supplies -----------------------------------------------------------------------------------


def _draw_lamps(page: Page, registers: tuple[Register, ...], y: float) -> float:
    page.text(_PANEL_X, y, "Lamps", size=18, bold=True, fill=COLOURS[Kind.LAMP])
    if not registers:
        return page.lines(
            _PANEL_X,
            y + 24,
            (
                "Each lamp has its own pin, by one channel of a ULN2803A.",
                "The chip keeps it dark while the pin is open.",
            ),
        )
    for number, register in enumerate(registers):
        left, top = _PANEL_X + number % 3 * 176, y + 16 + number // 3 * 186
        page.box(left, top, 166, 176, fill="#f0fff4", line=COLOURS[Kind.LAMP])
        page.text(left + 83, top + 18, f"74HC595 no. {number + 1}", size=12, bold=True, at="middle")
        for row, name in enumerate(register.outputs):
            line = top + 38 + row * 18
            page.text(left + 12, line, f"Q{'ABCDEFGH'[row]}", size=11, fill=PALE)
            page.text(left + 40, line, name or "–", size=12, bold=bool(name))
    top = y + 16 + ((len(registers) - 1) // 3 + 1) * 186 + 6
    return page.lines(
        _PANEL_X,
        top,
        (
            "QH' (9) of each register to SER (14) of the next; /SRCLR (10) to 3.3 V.",
            "Registers on 3.3 V, 100 nF at each. 10 kΩ from /OE to 3.3 V: never omit it.",
        ),
        size=11,
        step=15,
    )


def _draw_devices(page: Page, config: Config, y: float) -> float:
    page.text(_PANEL_X, y, "Acceptor and printer", size=18, bold=True, fill=COLOURS[Kind.ACCEPTOR])
    page.box(_PANEL_X, y + 16, 96, 118, fill="#edf2f7")
    page.text(_PANEL_X + 48, y + 36, "Pi: USB", size=12, bold=True, at="middle")
    for socket in range(4):
        left, top = _PANEL_X + 14 + socket % 2 * 38, y + 48 + socket // 2 * 40
        page.box(left, top, 30, 28, fill=PAPER, line=INK, corner=2)
    by_line = config.acceptor.pins() is None
    rows = [(f"Acceptor: {config.acceptor.protocol}", config.acceptor.port if by_line else "on pins, see the header")]
    rows.append((f"Printer: {config.printer.protocol}, {config.printer.baud} baud", config.printer.port))
    for number, (name, port) in enumerate(rows):
        top = y + 20 + number * 60
        if number or by_line:
            plug = (_PANEL_X + 82, y + 62 + number * 40)
            page.wire(plug, (_PANEL_X + 190, top + 23), width=2.4, colour=COLOURS[Kind.ACCEPTOR])
        page.box(_PANEL_X + 190, top, 320, 46, line=COLOURS[Kind.ACCEPTOR])
        page.text(_PANEL_X + 204, top + 20, name, size=13, bold=True)
        page.text(_PANEL_X + 204, top + 37, cut(port, 46), size=11, fill=PALE)
    return page.lines(
        _PANEL_X,
        y + 154,
        (
            "USB adapters of the level that the maker of the device names. Each keeps its",
            "own socket: `cabinet setup` learns it. Own supply (12 V or 24 V), common ground.",
        ),
        size=11,
        step=15,
    )


def _draw_supplies(page: Page, y: float) -> float:
    page.text(_PANEL_X, y, "Supplies", size=18, bold=True, fill=COLOURS[Kind.SUPPLY])
    return page.lines(
        _PANEL_X,
        y + 22,
        (
            "A pin carries 3.3 V at most: no part of the panel may connect 5 V or 12 V to it.",
            "The Pi's own: Pi 3 5.1 V 2.5 A, Pi 4 5.1 V 3 A, Pi 5 5.1 V 5 A.",
            "Lamps: their own 12 V supply with a fuse. All supplies share one ground.",
            "Doors and buttons have separate ground wires.",
        ),
        size=11,
        step=15,
    )


def _draw_checks(page: Page, y: float) -> None:
    page.text(_PANEL_X, y, "Before players come", size=18, bold=True)
    page.lines(
        _PANEL_X,
        y + 22,
        (
            "1. Power without the program: every lamp is dark.",
            "2. Audit key, Tests, Lamps and buttons: every lamp is lit; a pressed button",
            "    darkens its own lamp, and no other.",
            "3. Pull the plug of each door: it must read open.",
            "4. Turn both keys: the menu and SERVICE's lamp say so.",
        ),
        size=11,
        step=15,
    )


# --- sketches ---------------------------------------------------------------------------------------------------


def _draw_sketches(page: Page, config: Config) -> None:
    y = 810
    page.wire((30, y - 14), (WIDTH - 30, y - 14), colour=LINE, width=1)
    _sketch_contact(page, 30, y)
    _sketch_lamp(page, 490, y)
    if config.acceptor.pins() is not None:
        _sketch_pulses(page, 920, y, low=config.acceptor.pulse.active is Level.LOW)
    else:
        _draw_legend(page, 950, y)


def _sketch_contact(page: Page, x: float, y: float) -> None:
    page.text(x, y + 8, "A contact with a wire of more than half a metre", size=13, bold=True)
    page.text(x, y + 84, "pin", size=12, bold=True)
    page.wire((x + 30, y + 80), (x + 150, y + 80))
    _resistor(page, x + 150, y + 80, "1 kΩ")
    page.wire((x + 200, y + 80), (x + 270, y + 80), (x + 300, y + 66))
    page.dot(x + 270, y + 80, 3, INK)
    page.dot(x + 304, y + 80, 3, INK)
    page.text(x + 270, y + 56, "contact", size=11, fill=PALE)
    page.wire((x + 304, y + 80), (x + 350, y + 80), (x + 350, y + 110))
    _ground(page, x + 350, y + 110)
    page.wire((x + 70, y + 80), (x + 70, y + 68))
    _resistor(page, x + 70, y + 43, "4.7 kΩ", upright=True)
    page.text(x + 70, y + 36, "3.3 V", size=11, fill=COLOURS[Kind.SUPPLY], at="middle")
    page.wire((x + 120, y + 80), (x + 120, y + 100))
    page.wire((x + 108, y + 100), (x + 132, y + 100), width=2.4)
    page.wire((x + 108, y + 106), (x + 132, y + 106), width=2.4)
    page.text(x + 138, y + 108, "100 nF", size=11, fill=PALE)
    page.wire((x + 120, y + 106), (x + 120, y + 118))
    _ground(page, x + 120, y + 118)
    page.text(
        x, y + 158, "A short, dry wire needs the contact only: the Pi has a resistor of 50 kΩ.", size=11, fill=PALE
    )


def _sketch_lamp(page: Page, x: float, y: float) -> None:
    page.text(x, y + 8, "A lamp", size=13, bold=True)
    page.box(x, y + 40, 86, 46, fill="#f0fff4", line=COLOURS[Kind.LAMP])
    page.text(x + 43, y + 60, "74HC595", size=11, bold=True, at="middle")
    page.text(x + 43, y + 76, "or a pin", size=11, at="middle")
    page.wire((x + 86, y + 63), (x + 126, y + 63))
    page.box(x + 126, y + 40, 110, 46)
    page.text(x + 181, y + 60, "ULN2803A", size=11, bold=True, at="middle")
    page.text(x + 181, y + 76, "one channel", size=11, at="middle")
    page.wire((x + 236, y + 63), (x + 286, y + 63))
    page.parts.append(
        f'<circle cx="{x + 302:g}" cy="{y + 63:g}" r="16" fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'
    )
    page.wire((x + 291, y + 52), (x + 313, y + 74))
    page.wire((x + 313, y + 52), (x + 291, y + 74))
    page.wire((x + 318, y + 63), (x + 366, y + 63))
    page.text(x + 372, y + 67, "12 V", size=12, bold=True, fill=COLOURS[Kind.SUPPLY])
    page.wire((x + 181, y + 86), (x + 181, y + 104))
    _ground(page, x + 181, y + 104)
    page.text(x, y + 142, "COM (10) of each ULN2803A to 12 V. One channel switches 200 mA;", size=11, fill=PALE)
    page.text(x, y + 158, "two channels side by side for a tower lamp that needs more.", size=11, fill=PALE)


def _sketch_pulses(page: Page, x: float, y: float, *, low: bool) -> None:
    page.text(x, y + 8, "A pulse acceptor (12 V)", size=13, bold=True)
    page.lines(
        x,
        y + 34,
        (
            "Pulses: 12 V by 2.2 kΩ to the diode of an optocoupler, the acceptor's",
            "open collector at its other end; its transistor from the pin to",
            f"ground, and 4.7 kΩ from the pin to {'3.3 V' if low else 'ground'}.",
            "Release: 4.7 kΩ from the pin to ground, 1 kΩ to the diode of an",
            'optocoupler; its transistor pulls the inhibit wire to "enabled".',
            "No current through the optocoupler must mean: inhibited.",
        ),
        size=11,
        step=17,
    )


def _draw_legend(page: Page, x: float, y: float) -> None:
    page.text(x, y + 8, "Colours", size=13, bold=True)
    for number, kind in enumerate(each for each in Kind if each is not Kind.ACCEPTOR):
        left, top = x + number // 4 * 190, y + 36 + number % 4 * 26
        page.dot(left + 8, top, 8, COLOURS[kind])
        page.text(left + 26, top + 4, kind.value, size=12)


def _resistor(page: Page, x: float, y: float, value: str, *, upright: bool = False) -> None:
    """Adds a resistor of 50 units from the point to the right, or of 25 down from it."""
    if upright:
        page.box(x - 7, y, 14, 25, line=INK, corner=0)
        page.text(x + 12, y + 17, value, size=11, fill=PALE)
    else:
        page.box(x, y - 7, 50, 14, line=INK, corner=0)
        page.text(x + 25, y - 12, value, size=11, fill=PALE, at="middle")


def _ground(page: Page, x: float, y: float) -> None:
    for width, drop in ((12, 0), (8, 4), (4, 8)):
        page.wire((x - width, y + drop), (x + width, y + drop), width=2)
