"""How what others wrote is shown in a sentence of ours: a value of the settings, a path, what a device says. Pure.

Rules:
- nothing is shown that could steer a terminal or hide from a reader: what cannot be printed stands as its escape;
- what is longer than a line is cut, and the cut is seen.
"""

LONGEST = 80


def plain(text: str) -> str:
    """The text with an escape, written as TOML would, for each character that cannot be printed."""
    return "".join(each if each.isprintable() else _escape(ord(each)) for each in text)


def cut(text: str, longest: int = LONGEST) -> str:
    """The text as `plain`, and no longer than this."""
    shown = plain(text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def quote(text: str) -> str:
    """The text in quotes, as `cut`."""
    return f'"{cut(text)}"'


def show(found: object) -> str:
    """A value as it stands in a settings file, as `cut`."""
    match found:
        case bool():
            return str(found).lower()
        case str():
            return quote(found)
        case dict():
            return "a table"
        case tuple():
            return show(list(found))
        case _:
            return _write(found)


def _write(found: object) -> str:
    try:
        return cut(str(found))
    except ValueError:  # Python writes no number of more than some thousand digits
        return "a number of very many digits"


def _escape(code: int) -> str:
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
