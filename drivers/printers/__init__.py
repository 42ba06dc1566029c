"""Ticket printers, one package per printer language."""
