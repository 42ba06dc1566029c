"""The pieces of the table, drawn by our own code at the pixel size asked for.

Rules: every function here is pure drawing: the same arguments give the same pixels. Sizes are in pixels. A surface has
per-pixel alpha where the piece is not a full rectangle, and is not yet converted to a display. Each call draws a new
piece that belongs to the caller, who keeps the frequent ones; only text is cached here.

Does not know rounds, money, layout, time or a display.
"""
