"""The only drawing: from a Screen to pixels.

A Screen and its layout become a list of blits (`compose`), each of which names the asset it shows; `assets` makes and
keeps these; `painter` compares the list with the one before and repaints what is different.

Rules: nothing here decides what is shown, in which words or when; equal screens cost nothing; what can be prepared is
prepared before it is needed. Does not know the machine, the clock or where presses come from.
"""
