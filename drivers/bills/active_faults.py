"""Faults that last: each is reported once when it begins and once when it ends.

A fault may have several causes at a time; it begins with the first and ends with the last of them. Many acceptors
repeat a fault in every reply while it is there and say nothing when it is over: a cause that is no longer shown in
`QUIET_REPLIES` replies in a row has ended. Knows no protocol.

A unit that shows a note as being stacked for longer than any stacker needs is jammed, although it does not say so.
"""

from drivers.bills.events import Trouble, TroubleBegan, TroubleEnded

QUIET_REPLIES = 5
STACKING_PATIENCE_S = 20.0
"""The slowest stackers need a few seconds, their second and third attempt included."""
_STACKING = "stacking"


class ActiveFaults:
    """Which faults are there now; the edges come out of `edges`."""

    def __init__(self) -> None:
        self._quiet: dict[tuple[Trouble, str], int] = {}
        self._edges: list[TroubleBegan | TroubleEnded] = []

    def __contains__(self, trouble: Trouble) -> bool:
        return any(there is trouble for there, _ in self._quiet)

    def begin(self, trouble: Trouble, detail: str = "", cause: str = "") -> None:
        """The fault is there; only the first call until its end is an edge."""
        if trouble not in self:
            self._edges.append(TroubleBegan(trouble=trouble, detail=detail))
        self._quiet[trouble, cause] = 0

    def end(self, trouble: Trouble, cause: str | None = None) -> None:
        """This cause of the fault is over, or all of them; nothing happens when it was not there."""
        if trouble not in self:
            return
        for key in [key for key in self._quiet if key[0] is trouble and cause in (None, key[1])]:
            del self._quiet[key]
        if trouble not in self:
            self._edges.append(TroubleEnded(trouble=trouble))

    def not_shown(self, trouble: Trouble, cause: str = "") -> None:
        """A reply did not show this cause; enough of these in a row end it."""
        if (trouble, cause) in self._quiet:
            self._quiet[trouble, cause] += 1
            if self._quiet[trouble, cause] >= QUIET_REPLIES:
                self.end(trouble, cause)

    def edges(self) -> list[TroubleBegan | TroubleEnded]:
        """What has begun and ended since the last call, in order."""
        edges, self._edges = self._edges, []
        return edges


class StackerWatch:
    """The jam of a stacker that does not come to an end; it is over as soon as the unit no longer shows the note."""

    def __init__(self, levels: ActiveFaults, *, patience_s: float = STACKING_PATIENCE_S) -> None:
        self._levels = levels
        self._patience_s = patience_s
        self._since: float | None = None

    def watch(self, *, stacking: bool, now: float) -> None:
        """A reply came at `now`; `stacking`: it shows a note on its way into the stacker."""
        if not stacking:
            self._since = None
            self._levels.end(Trouble.JAM, _STACKING)
        elif self._since is None:
            self._since = now
        elif now >= self._since + self._patience_s:
            detail = f"a note is on its way into the stacker for more than {self._patience_s:g} s"
            self._levels.begin(Trouble.JAM, detail, _STACKING)
