"""EBDS (MEI) and Pyramid RS-232: frame, codec, notes, host."""
