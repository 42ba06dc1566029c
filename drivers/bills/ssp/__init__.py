"""SSP and eSSP (Innovative Technology, NV9 and its relatives): frame, codec, encryption, notes, host."""
