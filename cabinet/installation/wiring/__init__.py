"""The wiring of the configured panel: the positions of the header, and their drawing. Pure."""
