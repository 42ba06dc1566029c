"""SSP and eSSP (Innovative Technology, NV9 and kin): frame, codec, encryption, notes, host."""
