"""`cabinet doctor`: checks settings, data, devices and system, and reports each finding with its remedy.

Changes nothing on the machine.
"""
