"""The code for a phone: a text as the modules of a QR code.

Rules: error correction of level M, no border (the painter leaves one of four modules). The library is read when the
first code is made, because it is seldom needed.
"""

from functools import lru_cache
from typing import Final

LONGEST: Final = 900
"""The longest text, in bytes: its code has 113 modules on a side, which a phone reads from a screen 480 px high."""
BORDER: Final = 4
"""The clear modules around a code (ISO/IEC 18004)."""


@lru_cache(maxsize=4)
def modules(text: str) -> tuple[tuple[bool, ...], ...]:
    """Returns the rows of the code; True is dark. Raises ValueError for a text over LONGEST bytes."""
    size = len(text.encode())
    if size > LONGEST:
        raise ValueError(f"a code can hold {LONGEST} bytes, not {size}")
    from qrcode.constants import ERROR_CORRECT_M
    from qrcode.main import QRCode

    code = QRCode(error_correction=ERROR_CORRECT_M, border=0)
    code.add_data(text.encode())
    code.make(fit=True)
    return tuple(tuple(bool(module) for module in row) for row in code.get_matrix())
