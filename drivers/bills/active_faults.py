"""Lasting faults: each is reported once when it begins and once when it ends.

A fault may have several causes. It begins with the first cause and ends with the last. Many acceptors repeat a fault
in every reply while it lasts and do not report its end, so a cause has ended when `QUIET_REPLIES` replies in a row do
not show it. A unit that shows a note as being stacked for longer than any stacker needs is jammed, even when it
reports no jam.

A unit that is silent, or cannot be used, no longer reports a jam or a missing cash box: `fall_silent` ends the faults
that only the unit can report, and they begin again when the unit shows them again. Some units name a fault only as it
begins: such a fault is kept back, and `answer_again` begins it unless the unit has ended it meanwhile.

Knows no protocol.
"""

from collections.abc import Iterable

from drivers.bills.events import Trouble, TroubleBegan, TroubleEnded

QUIET_REPLIES = 5
STACKING_PATIENCE_S = 20.0
"""Seconds. The slowest stackers need a few seconds, including their second and third attempt."""
_STACKING = "stacking"
_ONLY_THE_UNIT_REPORTS = (Trouble.JAM, Trouble.CASHBOX_REMOVED, Trouble.STACKER_FULL, Trouble.STACKER_NEAR_FULL)


class ActiveFaults:
    """The faults that are active now; `edges` returns the changes."""

    def __init__(self, *, named_once: Iterable[Trouble] = ()) -> None:
        """`named_once` are the faults that the unit names only as they begin and as they end."""
        self._named_once = frozenset(named_once)
        self._kept_back: dict[tuple[Trouble, str], str] = {}
        """The faults that were active when the unit fell silent -> their details."""
        self._details: dict[tuple[Trouble, str], str] = {}
        self._quiet: dict[tuple[Trouble, str], int] = {}
        self._edges: list[TroubleBegan | TroubleEnded] = []

    def __contains__(self, trouble: Trouble) -> bool:
        return any(there is trouble for there, _ in self._quiet)

    def begin(self, trouble: Trouble, detail: str = "", cause: str = "") -> None:
        """Marks a cause as active; only the first one begins the fault."""
        if trouble not in self:
            self._edges.append(TroubleBegan(trouble=trouble, detail=detail))
        self._quiet[trouble, cause] = 0
        self._details[trouble, cause] = detail

    def end(self, trouble: Trouble, cause: str | None = None) -> None:
        """Ends this cause of the fault, or all causes for None. Ignores a cause that is not active."""
        for key in [key for key in self._kept_back if key[0] is trouble and cause in (None, key[1])]:
            del self._kept_back[key]
        if trouble not in self:
            return
        for key in [key for key in self._quiet if key[0] is trouble and cause in (None, key[1])]:
            del self._quiet[key]
        if trouble not in self:
            self._edges.append(TroubleEnded(trouble=trouble))

    def fall_silent(self, trouble: Trouble, detail: str = "") -> None:
        """Handles a unit that no longer reports anything, because of `trouble`."""
        self.begin(trouble, detail)
        kept_back = self._kept_back | {key: self._details[key] for key in self._quiet if key[0] in self._named_once}
        for unheard in _ONLY_THE_UNIT_REPORTS:
            self.end(unheard)
        self._kept_back = kept_back

    def answer_again(self) -> None:
        """Handles a unit that reports again; begins the faults that were kept back."""
        kept_back, self._kept_back = self._kept_back, {}
        for (trouble, cause), detail in kept_back.items():
            self.begin(trouble, detail, cause)

    def not_shown(self, trouble: Trouble, cause: str = "") -> None:
        """Counts a reply that does not show this cause; `QUIET_REPLIES` in a row end it."""
        if (trouble, cause) in self._quiet:
            self._quiet[trouble, cause] += 1
            if self._quiet[trouble, cause] >= QUIET_REPLIES:
                self.end(trouble, cause)

    def edges(self) -> list[TroubleBegan | TroubleEnded]:
        """Returns what began and ended since the last call, in order."""
        edges, self._edges = self._edges, []
        return edges


class StackerWatch:
    """Detects a jammed stacker by time. The jam ends as soon as the unit no longer shows the note."""

    def __init__(self, faults: ActiveFaults, *, patience_s: float = STACKING_PATIENCE_S) -> None:
        self._faults = faults
        self._patience_s = patience_s
        self._since: float | None = None

    def watch(self, *, stacking: bool, now: float) -> None:
        """Handles a reply received at `now`; `stacking`: it shows a note on its way into the stacker."""
        if not stacking:
            self._since = None
            self._faults.end(Trouble.JAM, _STACKING)
        elif self._since is None:
            self._since = now
        elif now >= self._since + self._patience_s:
            detail = f"a note is on its way into the stacker for more than {self._patience_s:g} s"
            self._faults.begin(Trouble.JAM, detail, _STACKING)
