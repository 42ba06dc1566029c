"""Which sound belongs to which event, and the waveforms. Does not know the sound card."""
