"""Turns the bounces of real contacts into single presses and releases.

Rules:
- A press counts when the contact has been closed for `press_s`, a release when it has been open for REST_S; the time
  of each is its beginning. Shorter changes are ignored. So a second press comes REST_S after the last edge at the
  earliest: a gap of a bad contact is not a release, and a pulse from a nearby line is not a press.
- A press and its release both count without a poll between them: the second edge confirms the first level.
- A polled level overrides an earlier edge. It replaces a lost edge, and it cancels a level that does not count yet.
  An unconfirmed press is dropped, because presses spend money.
- An edge may be reported up to LATE_S after the poll that read its level. Until then a level that does not count yet
  is in doubt: it does not count, and an edge that comes decides.
- Time is an argument. A time that runs backwards (an edge stamped just after a poll began) counts as "now".

Knows no pins, no gpiozero, no threads, no clocks, and no purpose of an input.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.panel.layout import Input

PRESS_S = 0.015
"""Seconds that a contact must be closed for a press: longer than bounces and disturbances of lines, and within the
16.7 ms of a frame."""
REST_S = 0.030
"""Seconds that a contact must be open for a release; no finger is quicker."""
LATE_S = 0.050
"""Seconds in which the edge of a polled level arrives, also on a busy machine. After that it is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An input became active (pressed, open, turned) or inactive at `at_s`, monotonic seconds."""

    name: Input
    active: bool
    at_s: float


@dataclass(slots=True, kw_only=True)
class _Contact:
    """The state of one input: the level that counts, the last level seen, and its time. `doubted_s` is when a poll read
    the other level while the last one did not count yet."""

    settled: bool
    seen: bool
    since_s: float
    doubted_s: float | None = None

    @property
    def pending(self) -> bool:
        """True if the last level does not count yet."""
        return self.seen is not self.settled


class Debouncer:
    """Debounces any number of inputs. `levels` are the levels that count at the start (inactive if not named)."""

    def __init__(self, *, press_s: float = PRESS_S, levels: Mapping[Input, bool] | None = None) -> None:
        self._press_s = press_s
        self._contacts = {
            name: _Contact(settled=level, seen=level, since_s=float("-inf")) for name, level in (levels or {}).items()
        }
        self._changes: list[Change] = []

    def edge(self, name: Input, level: bool, at_s: float) -> None:
        """Records a change of the input to `level` at `at_s`. The same level twice means a lost edge between."""
        contact = self._contact(name)
        at_s = max(at_s, contact.since_s)
        held_until_s, doubted_s = at_s, contact.doubted_s
        if doubted_s is not None:
            held_until_s, contact.doubted_s = min(at_s, doubted_s), None
            if level is contact.seen or at_s >= doubted_s + LATE_S:
                contact.seen = contact.settled
        self._settle(name, contact, held_until_s)
        contact.seen, contact.since_s = level, at_s

    def sample(self, name: Input, level: bool, at_s: float) -> None:
        """Records the polled `level` of the input at `at_s`; no change if it equals the last edge."""
        contact = self._contact(name)
        at_s = max(at_s, contact.since_s)
        if level is contact.seen:
            if contact.doubted_s is not None:
                contact.since_s, contact.doubted_s = at_s, None
        elif not contact.pending:
            contact.seen, contact.since_s = level, at_s
        elif contact.doubted_s is None:
            contact.doubted_s = at_s

    def settle(self, levels: Mapping[Input, bool]) -> None:
        """Sets the levels that count from now on, like those of the start; they are not changes."""
        for name, level in levels.items():
            contact = self._contact(name)
            contact.settled = contact.seen = level
            contact.doubted_s = None

    def pending(self) -> frozenset[Input]:
        """Returns the inputs whose last level does not count yet, which must be polled again."""
        return frozenset(name for name, contact in self._contacts.items() if contact.pending)

    def due(self) -> float | None:
        """Returns when `changes` may return a change without another edge; None if only after one."""
        if self._changes:
            return self._changes[0].at_s
        waiting = (self._counts_s(self._contacts[name]) for name in self.pending())
        return min(waiting, default=None)

    def changes(self, now: float) -> tuple[Change, ...]:
        """Returns the changes that now count, oldest first, each once."""
        for name in self.pending():
            self._settle(name, self._contacts[name], now)
        changes, self._changes = tuple(sorted(self._changes, key=lambda change: change.at_s)), []
        return changes

    def _contact(self, name: Input) -> _Contact:
        return self._contacts.setdefault(name, _Contact(settled=False, seen=False, since_s=float("-inf")))

    def _counts_s(self, contact: _Contact) -> float:
        """Returns when the last level seen counts, or when its doubt ends. It is compared as a sum, because a
        difference can round to just below it."""
        if contact.doubted_s is not None:
            return contact.doubted_s + LATE_S
        return contact.since_s + (self._press_s if contact.seen else REST_S)

    def _settle(self, name: Input, contact: _Contact, now: float) -> None:
        if not contact.pending or now < self._counts_s(contact):
            return
        if contact.doubted_s is not None:
            contact.seen, contact.since_s, contact.doubted_s = contact.settled, contact.doubted_s, None
        else:
            contact.settled = contact.seen
            self._changes.append(Change(name=name, active=contact.seen, at_s=contact.since_s))
