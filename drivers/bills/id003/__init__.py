"""ID-003 (JCM): frame, codec, notes, host."""
