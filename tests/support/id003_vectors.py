"""Known ID-003 frames: (meaning, code, data, bytes on the wire). Two independent open implementations agree on them."""

VECTORS: tuple[tuple[str, int, bytes, bytes], ...] = tuple(
    (meaning, bytes.fromhex(body)[0], bytes.fromhex(body)[1:], bytes.fromhex(wire))
    for meaning, body, wire in (
        ("status request, or idle", "11", "FC 05 11 27 56"),
        ("reset, or power up", "40", "FC 05 40 2B 15"),
        ("ack", "50", "FC 05 50 AA 05"),
        ("stack-1, or power up with a note in the acceptor", "41", "FC 05 41 A2 04"),
        ("stack-2, or power up with a note in the stacker", "42", "FC 05 42 39 36"),
        ("return, or stacker full", "43", "FC 05 43 B0 27"),
        ("hold, or stacker open", "44", "FC 05 44 0F 53"),
        ("version", "88", "FC 05 88 6F 5F"),
        ("table of notes", "8A", "FC 05 8A 7D 7C"),
        ("inhibit", "C3 01", "FC 06 C3 01 8D C7"),
        ("take notes", "C3 00", "FC 06 C3 00 04 D6"),
        ("all denominations on", "C0 00 00", "FC 07 C0 00 00 2D B5"),
        ("mode: poll", "C2 00", "FC 06 C2 00 DC CF"),
        ("mode: interrupt", "C2 01", "FC 06 C2 01 55 DE"),
        ("escrow of denomination 61", "13 61", "FC 06 13 61 B0 FB"),
        ("escrow of denomination 63", "13 63", "FC 06 13 63 A2 D8"),
        ("escrow of denomination 68", "13 68", "FC 06 13 68 71 66"),
        ("stacking", "14", "FC 05 14 8A 01"),
        ("vend valid", "15", "FC 05 15 03 10"),
        ("stacked", "16", "FC 05 16 98 22"),
        ("initialising", "1B", "FC 05 1B 7D F9"),
        ("inhibited", "1A", "FC 05 1A F4 E8"),
        ("accepting", "12", "FC 05 12 BC 64"),
        ("returning", "18", "FC 05 18 E6 CB"),
        ("holding", "19", "FC 05 19 6F DA"),
        ("jam in the acceptor", "45", "FC 05 45 86 42"),
        ("jam in the stacker", "46", "FC 05 46 1D 70"),
        ("paused", "47", "FC 05 47 94 61"),
        ("cheated", "48", "FC 05 48 63 99"),
        (
            "ticket 001234567890123456 in escrow",
            "13 6F 30 30 31 32 33 34 35 36 37 38 39 30 31 32 33 34 35 36",
            "FC 18 13 6F 30 30 31 32 33 34 35 36 37 38 39 30 31 32 33 34 35 36 51 7E",
        ),
    )
)
