"""What the player sees and hears: a value first, painted second."""
