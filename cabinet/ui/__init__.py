"""Output to the player: a screen is a value first and painted second; sounds are cues."""
