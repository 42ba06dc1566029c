"""The content of the mark `newest-row`: a number in two slots, each with its own check.

Form of the file: three pages of 4096 bytes, of which the last ends behind its slot.

    page 0   the number as 20 digits and a line feed, then spaces: for a person and for programs before the slots
    page 1   slot 0: 20 digits, a space, 16 hexadecimal digits of the check, a line feed; then spaces
    page 2   slot 1, of the same form

Rules: each slot has a separate page, so that a torn or damaged sector damages at most one slot; a slot is valid only if
its check fits; of two valid slots the higher counts. Page 0 is written with the file and read only in a file without
slots, which older programs wrote. The module does not know files.
"""

import re
from hashlib import blake2b

PAGE = 4096
COUNT = 2
_OLD_FORM = re.compile(rb"0*([0-9]{1,18})\n?")
_OLD_SIZES = (20, 21)
"""Bytes of a file without slots."""


def slot(number: int) -> bytes:
    """Returns one slot with this number."""
    digits = b"%020d" % number
    return b"%s %s\n" % (digits, _check(digits))


def _check(digits: bytes) -> bytes:
    return blake2b(digits, digest_size=8, person=b"newest-row").hexdigest().encode()


def place(which: int) -> int:
    """Returns the offset of slot 0 or 1 in the file, in bytes."""
    return PAGE * (1 + which)


def whole(number: int) -> bytes:
    """Returns the content of the file with this number in both slots."""
    return (b"%020d\n" % number).ljust(PAGE) + slot(number).ljust(PAGE) + slot(number)


SIZE = len(whole(0))
"""Bytes of the file."""


def numbers(content: bytes) -> tuple[int | None, ...]:
    """Returns the number of each slot, None for a slot whose check does not fit; a file without slots counts as one
    slot."""
    if len(content) in _OLD_SIZES:
        found = _OLD_FORM.fullmatch(content)
        return (None if found is None else int(found[1]),)
    return tuple(_number(content[place(which) : place(which) + len(slot(0))]) for which in range(COUNT))


def _number(found: bytes) -> int | None:
    digits = found[:20]
    return int(digits) if digits.isdigit() and found == slot(int(digits)) else None


def newest(content: bytes) -> int | None:
    """Returns the highest valid number; None if no slot is valid."""
    return max((number for number in numbers(content) if number is not None), default=None)
