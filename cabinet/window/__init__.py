"""The pygame window: its loop, display, keyboard, touch input and sound output. Runs on the main thread.

Lives here: everything that needs a real display, sound card or keyboard while the cabinet runs.
Does not live here: what is shown (`ui`), the machine or money (`runtime`). The window reads
snapshots and sends commands.
"""
