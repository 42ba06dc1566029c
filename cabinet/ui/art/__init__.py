"""The pieces of the table, drawn by our own code at the pixel size asked for.

Rules: every function here is pure drawing, the same arguments give the same pixels; sizes are in pixels; a returned
surface carries per-pixel alpha where the piece is not a full rectangle, and is not yet converted to a display.
Pieces are drawn anew at each call and belong to the caller, who keeps what it shows often; only text is cached here.

Knows nothing of rounds, money owed, layout, time or a display.
"""
