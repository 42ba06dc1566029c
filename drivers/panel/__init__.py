"""Buttons, lamps, doors and key switches."""
