"""ccTalk note validators: frame, codec, exchange, notes, host."""
