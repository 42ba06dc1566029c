"""Words: the player's messages in every language, number and date formats, amounts in words, quoted settings.

Does not know the machine's state, the screen or the devices.
"""
