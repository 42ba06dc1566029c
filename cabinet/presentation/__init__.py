"""The contract between the cabinet's thread and the window.

Lives here: the snapshot that is published, the timeline of its animations, the gate for presses, and the port through
which the window reaches the cabinet. Pure values and functions, used by both threads.
Does not live here: layout, words, colours or pygame.
"""
