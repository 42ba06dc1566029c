"""Hardware: wire protocols, lines, pins. Knows notes, channels, paper and edges; never credit."""
