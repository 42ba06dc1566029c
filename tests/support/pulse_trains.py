"""A pulse counter with a wire that a test moves, in virtual time."""

from collections.abc import Iterable

from support.notes import CHANNELS, TAKE_ALL

from drivers.bills.events import Channel, Enabled, Unsolicited
from drivers.bills.pulse.host import Counting, PulseCounter, PulseEvent, PulseTiming

FEW = {10: CHANNELS[0], 50: CHANNELS[2], 100: CHANNELS[3], 200: CHANNELS[4]}


class Line:
    """A counter with a wire that a test moves."""

    def __init__(self, table: dict[int, Channel] | None = None, timing: PulseTiming | None = None) -> None:
        self.counter = PulseCounter(table or FEW, timing=timing)
        self.now = 100.0
        self.reported: list[PulseEvent] = []
        self.counter.opened(True, self.now)
        self.counter.order(TAKE_ALL)
        self.wait(1.0)
        self.reported.clear()

    def low(self, seconds: float, *, gap_s: float = 0.1) -> None:
        """One low, then high for `gap_s`."""
        self.counter.edge(False, self.now)
        self.wait(seconds)
        self.counter.edge(True, self.now)
        self.wait(gap_s)

    def pulses(self, count: int, *, low_s: float = 0.05, gap_s: float = 0.1) -> None:
        for _ in range(count):
            self.low(low_s, gap_s=gap_s)

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.counter.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.counter.tick(self.now)
            self.collect()
        self.now = end
        self.collect()

    def collect(self) -> None:
        self.reported += self.counter.events()

    def rest(self) -> list[PulseEvent]:
        """Lets the train end, and returns what was reported so far except how far the count had come."""
        self.wait(1.0)
        reported: list[PulseEvent] = [event for event in self.reported if not isinstance(event, Counting | Enabled)]
        self.reported.clear()
        return reported


def unknown(events: Iterable[PulseEvent]) -> str:
    """Returns what is known of the only thing that was reported: a note of unknown value."""
    (unsolicited,) = events
    assert isinstance(unsolicited, Unsolicited)
    assert unsolicited.reported_cents is None
    return f"{unsolicited.detail}; {unsolicited.evidence}"
