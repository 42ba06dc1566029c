"""The simulated device at the far end of each wire, for simulated cabinets and tests."""
