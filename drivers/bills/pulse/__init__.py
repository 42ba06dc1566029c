"""Pulse acceptors on a pin: the line and the host."""
