"""The contact sheet: every piece can be drawn without a display, and the pieces are there."""

from cabinet.ui.art.felt import felt
from cabinet.ui.art.sheet import SIZE, contact_sheet


def test_every_piece_can_be_drawn_together_without_a_display() -> None:
    sheet = contact_sheet()
    assert sheet.get_size() == SIZE
    bare = felt(SIZE, "european")
    covered = sum(
        sheet.get_at((x, y)) != bare.get_at((x, y)) for x in range(0, SIZE[0], 12) for y in range(0, SIZE[1], 12)
    )
    assert covered > 0.5 * (SIZE[0] // 12) * (SIZE[1] // 12)
