"""Signed statements: what a machine says of its books, outside the machine.

A statement is plain text that a person can read and a program can check. It is on the screen as a code for a phone, and
in a folder that an attendant takes away. May not import the machine, the store or the screen: it gets text and bytes.
"""
