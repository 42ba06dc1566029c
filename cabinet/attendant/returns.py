"""Actual returns against theoretical ones: the band in which an actual return is expected after some games. Pure."""

from collections.abc import Mapping
from math import sqrt

from cabinet.attendant.charts import BandRow, Tone
from cabinet.attendant.data import AttendantData

SURE = 2.5758
"""Standard deviations on either side of the mean that hold 99 % of a normal distribution."""


def half_band(data: AttendantData, game_id: str, games: int) -> float | None:
    """Returns half the width of the band that holds 99 of 100 actual returns after `games` games of equal bets; None
    where it is not known.

    It assumes one place per game; with more places the band is narrower.
    """
    spread = data.spreads.get(game_id)
    return None if spread is None or not games else SURE * spread / sqrt(games)


def return_row(data: AttendantData, game_id: str, meters: Mapping[str, int]) -> BandRow:
    """Returns the actual return of a game's meters beside its theoretical one."""
    staked, games = meters.get("coin_in", 0), meters.get("games_played", 0)
    actual = meters.get("coin_out", 0) / staked if staked else None
    theory, half = data.returns.get(game_id), half_band(data, game_id, games)
    low, high = (None, None) if theory is None or half is None else (max(theory - half, 0.0), theory + half)
    tone, verdict = _verdict(data, actual, low, high)
    return BandRow(
        label=data.settings.table(game_id).rules.title,
        actual=actual,
        theoretical=theory,
        low=low,
        high=high,
        games=games,
        words=verdict,
        detail=_detail(data, theory, low, high, games),
        tone=tone,
    )


def _verdict(data: AttendantData, actual: float | None, low: float | None, high: float | None) -> tuple[Tone, str]:
    """Returns how good an actual return is, in colour and words. Only the band decides."""
    if actual is None:
        return Tone.PLAIN, data.say("no game yet")
    if low is None or high is None:
        return Tone.PLAIN, data.say("{actual}, band not known", actual=f"{actual:.2%}")
    if actual < low:
        return Tone.WARN, data.say("{actual}, below its band", actual=f"{actual:.2%}")
    if actual > high:
        return Tone.WARN, data.say("{actual}, above its band", actual=f"{actual:.2%}")
    return Tone.OK, data.say("{actual}, in its band", actual=f"{actual:.2%}")


def _detail(data: AttendantData, theory: float | None, low: float | None, high: float | None, games: int) -> str:
    parts = [] if theory is None else [data.say("Theory: {theory}", theory=f"{theory:.2%}")]
    if low is not None and high is not None:
        parts.append(data.say("band: {low} to {high}", low=f"{low:.2%}", high=f"{high:.2%}"))
    parts.append(data.say("games: {count}", count=f"{games:,}"))
    return " · ".join(parts)
