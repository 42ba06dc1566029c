"""The attendant's menu and pages, as values."""
