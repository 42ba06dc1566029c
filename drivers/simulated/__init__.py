"""The far end of each wire, for simulated cabinets and tests."""
