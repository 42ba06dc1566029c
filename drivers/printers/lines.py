"""Text for a printer: only letters that it has, in lines that fit.

Rules:
- control characters are dropped or replaced, so that no text can become a command;
- a letter that the encoding does not have becomes its nearest letters or a question mark. Folding never fails;
- lines are broken here and not by the printer, so that alignment and inverse print stay correct.

Knows no printer language.
"""

import unicodedata

_SPACES = str.maketrans(dict.fromkeys("\u00a0\u202f\u2009\t", " "))
_LIKENESSES = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u2026": "...", "\u2022": "*", "\u2500": "-",
    "\u0141": "L", "\u0142": "l", "\u0152": "OE", "\u0153": "oe", "\u0110": "D", "\u0111": "d",
    "\u00b0": "o", "\u00c4": "AE", "\u00e4": "ae", "\u00d6": "OE", "\u00f6": "oe", "\u00dc": "UE", "\u00fc": "ue",
    "\u20ac": "EUR ", "\u00a3": "GBP ", "\u00df": "ss", "\u00d8": "O", "\u00f8": "o", "\u00c6": "AE", "\u00e6": "ae",
})  # fmt: skip


def fold(text: str, encoding: str) -> str:
    """Returns the text with the nearest letters for those that the encoding does not have."""
    return "".join(_nearest(sign, encoding) for sign in text.translate(_SPACES))


def wrap(text: str, columns: int) -> tuple[str, ...]:
    """Breaks a text at spaces into lines of at most `columns`; cuts a longer word. Returns one line at least."""
    lines: list[str] = []
    rest = text.rstrip()
    while len(rest) > columns:
        space = rest.rfind(" ", 1, columns + 1)
        end = space if space > 0 else columns
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return (*lines, rest)


def format_columns(left: str, right: str, columns: int) -> tuple[str, ...]:
    """Returns left and right text on one line, or on more lines when they do not fit on one."""
    if len(left) + 1 + len(right) <= columns:
        return (left + right.rjust(columns - len(left)),)
    return (*wrap(left, columns), *(line.rjust(columns) for line in wrap(right, columns)))


def _nearest(sign: str, encoding: str) -> str:
    if _fits(sign, encoding):
        return sign
    likeness = sign.translate(_LIKENESSES)
    plain = unicodedata.normalize("NFKD", likeness)
    return "".join(letter for letter in plain if _fits(letter, encoding)) or (
        "" if unicodedata.combining(sign) else "?"
    )


def _fits(sign: str, encoding: str) -> bool:
    if unicodedata.category(sign).startswith("C"):
        return False
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
