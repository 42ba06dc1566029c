"""The code pages of receipt printers: what a byte above 127 looks like on paper.

Rules:
- the number goes out in ESC t after every reset. Epson's numbers; other makers have the same ones for these pages;
- boards differ in what they print for a page they lack, so the operator chooses one that comes out right. `ascii` is
  the page of last resort: no byte above 127 is sent at all.

Source: Epson's ESC/POS reference for ESC t. Knows no text: see `lines.fold`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePage:
    """A page by the number the printer knows it by and the codec that makes its bytes."""

    number: int
    codec: str


CP858 = CodePage(number=19, codec="cp858")
CODE_PAGES: dict[str, CodePage] = {
    "cp858": CP858,
    "cp1252": CodePage(number=16, codec="cp1252"),
    "cp850": CodePage(number=2, codec="cp850"),
    "cp852": CodePage(number=18, codec="cp852"),
    "cp437": CodePage(number=0, codec="cp437"),
    "ascii": CodePage(number=0, codec="ascii"),
}
