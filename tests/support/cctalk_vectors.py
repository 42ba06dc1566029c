"""Known ccTalk frames: (meaning, kind of check sum, destination, source, header, data, bytes in decimal)."""

from drivers.bills.cctalk.frame import Check, Frame

_KNOWN = (
    ("serial number of coin acceptor 2", Check.SIMPLE, 2, 1, 242, "", "2 0 1 242 11"),
    ("serial number 12345678", Check.SIMPLE, 1, 2, 0, "78 97 188", "1 3 2 0 78 97 188 143"),
    ("simple poll of a bill validator", Check.SIMPLE, 40, 1, 254, "", "40 0 1 254 217"),
    ("simple poll of a coin acceptor", Check.SIMPLE, 2, 1, 254, "", "2 0 1 254 255"),
    ("maker", Check.SIMPLE, 2, 1, 246, "", "2 0 1 246 7"),
    ("read bill events", Check.SIMPLE, 40, 1, 159, "", "40 0 1 159 56"),
    ("master inhibit off", Check.SIMPLE, 40, 1, 228, "1", "40 1 1 228 1 241"),
    ("route to the stacker", Check.SIMPLE, 40, 1, 154, "1", "40 1 1 154 1 59"),
    ("simple poll with CRC", Check.CRC, 40, 0, 254, "", "40 0 182 254 33"),
    ("read bill events with CRC", Check.CRC, 40, 0, 159, "", "40 0 49 159 93"),
    ("master inhibit off with CRC", Check.CRC, 40, 0, 228, "1", "40 1 234 228 1 73"),
)


def decimal(text: str) -> bytes:
    """Bytes written in decimal."""
    return bytes(int(word) for word in text.split())


VECTORS: tuple[tuple[str, Check, Frame, bytes], ...] = tuple(
    (
        meaning,
        check,
        Frame(destination=destination, source=source, header=header, data=decimal(data)),
        decimal(wire),
    )
    for meaning, check, destination, source, header, data, wire in _KNOWN
)
