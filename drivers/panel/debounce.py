"""Turn the chatter of real contacts into single presses and releases.

Rules:
- A press counts once the contact has held for `press_s`, a release once it has been away for REST_S; the time of each
  is when it began. Anything shorter never happened. So a second press comes REST_S after the last edge at the earliest:
  a hole in a bad contact is not a release, and a pulse from a line nearby is not a press.
- A press and its release both count even when nobody looked between them: the second edge settles the first level.
- A polled level outranks a remembered edge. It completes an edge that was lost, and it takes back a level that has not
  counted yet; a press that cannot be confirmed is lost rather than invented, because presses spend money.
- Time is an argument. Times that run backwards (an edge stamped just after a poll began) are read as "now".

Does not know: pins, gpiozero, threads, clocks, what an input is for.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.panel.layout import Input

PRESS_S = 0.015
"""How long a contact must hold to be pressed: longer than contacts bounce and lines disturb each other, and within the
16.7 ms of a frame."""
REST_S = 0.030
"""How long it must be away to be released; no finger is that quick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An input became active (pressed, open, turned) or inactive at `at_s`, monotonic seconds."""

    name: Input
    active: bool
    at_s: float


@dataclass(slots=True, kw_only=True)
class _Contact:
    """What is known of one input: the level that counts, the level seen last and since when."""

    settled: bool
    seen: bool
    since_s: float


class Debouncer:
    """Debounces any number of inputs; `levels` are the ones that count from the start (inactive if not named)."""

    def __init__(self, *, press_s: float = PRESS_S, levels: Mapping[Input, bool] | None = None) -> None:
        self._press_s = press_s
        self._contacts = {
            name: _Contact(settled=level, seen=level, since_s=float("-inf")) for name, level in (levels or {}).items()
        }
        self._changes: list[Change] = []

    def edge(self, name: Input, level: bool, at_s: float) -> None:
        """Record that the input went to `level` at `at_s`. The same level twice means that an edge between was lost."""
        contact = self._contact(name)
        at_s = max(at_s, contact.since_s)
        self._settle(name, contact, at_s)
        contact.seen, contact.since_s = level, at_s

    def sample(self, name: Input, level: bool, at_s: float) -> None:
        """Record that the input was found at `level` at `at_s`; no news if it agrees with the last edge."""
        contact = self._contact(name)
        if level is not contact.seen:
            contact.seen, contact.since_s = level, max(at_s, contact.since_s)

    def settle(self, levels: Mapping[Input, bool]) -> None:
        """Let these levels count from now on, as those of the start do; they are no changes."""
        for name, level in levels.items():
            contact = self._contact(name)
            contact.settled = contact.seen = level

    def pending(self) -> frozenset[Input]:
        """Return the inputs whose last level does not count yet: the ones worth looking at again."""
        return frozenset(name for name, contact in self._contacts.items() if contact.seen is not contact.settled)

    def due(self) -> float | None:
        """Return when `changes` may have something to say without another edge; None if only after one."""
        if self._changes:
            return self._changes[0].at_s
        waiting = (self._counts_s(self._contacts[name]) for name in self.pending())
        return min(waiting, default=None)

    def changes(self, now: float) -> tuple[Change, ...]:
        """Return what has come to count since the last call, oldest first; each change is returned once."""
        for name in self.pending():
            self._settle(name, self._contacts[name], now)
        changes, self._changes = tuple(sorted(self._changes, key=lambda change: change.at_s)), []
        return changes

    def _contact(self, name: Input) -> _Contact:
        return self._contacts.setdefault(name, _Contact(settled=False, seen=False, since_s=float("-inf")))

    def _counts_s(self, contact: _Contact) -> float:
        """From when the level seen last counts. A sum, compared as it is: a difference can round to just under it."""
        return contact.since_s + (self._press_s if contact.seen else REST_S)

    def _settle(self, name: Input, contact: _Contact, now: float) -> None:
        if contact.seen is not contact.settled and now >= self._counts_s(contact):
            contact.settled = contact.seen
            self._changes.append(Change(name=name, active=contact.seen, at_s=contact.since_s))
