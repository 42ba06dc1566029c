"""The only drawing: from a Screen to pixels.

A Screen and its layout become a list of blits (`compose`), each of which names the asset it shows; `assets` makes and
keeps these; `painter` compares the list with the last one and repaints the differences.

Rules: nothing here decides contents, texts or times. Equal screens cost nothing. Assets are prepared before they are
needed where possible. Does not know the machine, the clock or the source of presses.
"""
