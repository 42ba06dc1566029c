"""The first start of a card that was written from the image: its partitions, its answers, its set-up."""
