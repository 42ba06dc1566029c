"""Hardware: wire protocols, serial lines and pins. Knows notes, channels, paper and edges, but no credit."""
