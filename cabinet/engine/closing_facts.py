"""Closings: what an attendant ends and then counts."""

from enum import Enum


class ClosingKind(Enum):
    """What a closing ends."""

    PERIOD = "period"
    CASH_BOX = "cash box"
