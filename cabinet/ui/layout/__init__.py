"""The places of everything on the screen, in pixels: a pure function from a Screen and a size to rectangles.

Does not know pygame, texts or the machine.
"""
