"""Quotes foreign text in our sentences: a value of the settings, a path, a device's message. Pure.

Rules:
- no output can steer a terminal or be invisible: an unprintable character stands as its escape;
- text longer than a line is cut, with a mark.
"""

LONGEST = 80


def plain(text: str) -> str:
    """Returns the text with a TOML escape for each unprintable character."""
    return "".join(each if each.isprintable() else _escape(ord(each)) for each in text)


def cut(text: str, longest: int = LONGEST) -> str:
    """Returns the text as `plain`, at most this long."""
    shown = plain(text[: longest + 1])
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def quote(text: str) -> str:
    """Returns the text in quotes, as `cut`."""
    return f'"{cut(text)}"'


def show(found: object) -> str:
    """Returns a value as a settings file writes it, as `cut`."""
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
    except ValueError:  # Python formats no number above some thousand digits
        return "a number of very many digits"


def _escape(code: int) -> str:
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
