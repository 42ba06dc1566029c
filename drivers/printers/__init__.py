"""Ticket printers, one file per printer language."""
