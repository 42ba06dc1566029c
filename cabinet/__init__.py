"""The blackjack cabinet: engine, store, screen, attendant's side and the thread that ties them together."""
