"""`cabinet bench`: measures frames, steps, commits and the window on the machine at hand.

Knows the window, the engine and the store from outside; the product runs without it.
"""
