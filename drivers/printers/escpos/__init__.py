"""ESC/POS printers: bytes, status, a print job, the printer."""
