"""The code pages of receipt printers: the letter that a byte above 127 prints.

Rules:
- the number is sent in ESC t after every reset. The numbers are Epson's; other makers use the same ones
  for these pages;
- boards print different letters for a missing page, so the operator chooses a page that prints correctly. `ascii`
  always works: no byte above 127 is sent.

Source: Epson's ESC/POS reference for ESC t. Knows no text: see `lines.fold`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CodePage:
    """A code page: its number in the printer and the codec for its bytes."""

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
