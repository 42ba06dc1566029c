"""The pure engine: money, cards, rules, play, ledger and the machine. No clock, file, port or randomness."""
