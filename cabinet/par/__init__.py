"""Exact analysis of a rule set: return, strategy, distribution."""
