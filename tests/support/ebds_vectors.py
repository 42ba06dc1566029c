"""Known EBDS frames: (meaning, kind, ack, data, bytes on the wire), as open implementations have them."""

from drivers.bills.ebds.frame import Kind

VECTORS: tuple[tuple[str, Kind, bool, bytes, bytes], ...] = tuple(
    (meaning, kind, ack, bytes.fromhex(data), bytes.fromhex(wire))
    for meaning, kind, ack, data, wire in (
        ("poll, all notes, escrow, extended", Kind.POLL, False, "7F 1C 10", "02 08 10 7F 1C 10 03 6B"),
        ("poll, plain", Kind.POLL, False, "7F 00 00", "02 08 10 7F 00 00 03 67"),
        ("poll, all disabled", Kind.POLL, False, "00 10 10", "02 08 10 00 10 10 03 18"),
        ("stack", Kind.POLL, False, "7F 3C 00", "02 08 10 7F 3C 00 03 5B"),
        ("return", Kind.POLL, True, "7F 5C 00", "02 08 11 7F 5C 00 03 3A"),
        ("soft reset", Kind.AUXILIARY, False, "7F 7F 7F", "02 08 60 7F 7F 7F 03 17"),
        ("idle", Kind.REPLY, False, "01 10 00 00 54 2A", "02 0B 20 01 10 00 00 54 2A 03 44"),
        ("idle, another firmware", Kind.REPLY, True, "01 10 00 00 01 02", "02 0B 21 01 10 00 00 01 02 03 38"),
        ("escrow of 5", Kind.REPLY, False, "04 10 28 00 01 01", "02 0B 20 04 10 28 00 01 01 03 17"),
        ("stacked and idle, 5", Kind.REPLY, True, "11 10 28 00 01 01", "02 0B 21 11 10 28 00 01 01 03 03"),
        ("stacked and idle, no value", Kind.REPLY, True, "11 10 00 00 01 02", "02 0B 21 11 10 00 00 01 02 03 28"),
        ("returned and idle", Kind.REPLY, True, "41 10 00 00 01 02", "02 0B 21 41 10 00 00 01 02 03 78"),
        ("cheated", Kind.REPLY, True, "01 11 00 00 01 02", "02 0B 21 01 11 00 00 01 02 03 39"),
        ("jammed", Kind.REPLY, True, "00 14 00 00 01 02", "02 0B 21 00 14 00 00 01 02 03 3D"),
        ("stacker full", Kind.REPLY, True, "00 18 00 00 01 02", "02 0B 21 00 18 00 00 01 02 03 31"),
        ("cassette missing", Kind.REPLY, True, "01 00 00 00 01 02", "02 0B 21 01 00 00 00 01 02 03 28"),
        ("escrow time-outs", Kind.EXTENDED, False, "04 00 00 00 01 02", "02 0B 70 04 00 00 00 01 02 03 7C"),
        ("ask for note 1", Kind.EXTENDED, False, "02 00 00 00 01", "02 0A 70 02 00 00 00 01 03 79"),
        (
            "take note 1 only",
            Kind.EXTENDED,
            False,
            "03 00 00 00 01 00 00 00 00 00 00 00",
            "02 11 70 03 00 00 00 01 00 00 00 00 00 00 00 03 63",
        ),
        (
            "application 280000123",
            Kind.AUXILIARY,
            False,
            "32 38 30 30 30 30 31 32 33",
            "02 0E 60 32 38 30 30 30 30 31 32 33 03 54",
        ),
    )
)
