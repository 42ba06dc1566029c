"""The operator's settings: a TOML file becomes validated, frozen values.

An unknown key or a value out of range is an error that names the file, the key and the accepted values.
Does not know how the settings are used.
"""
