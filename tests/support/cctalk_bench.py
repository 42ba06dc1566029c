"""A ccTalk host and a unit on a wire in virtual time, ready to run."""

from collections.abc import Sequence

from support.notes import CHANNELS, TAKE_ALL
from support.wire import Wire

from drivers.bills.cctalk.codec import Header
from drivers.bills.cctalk.frame import Check
from drivers.bills.cctalk.host import CcTalkProtocol
from drivers.bills.events import BillEvent, BillOrder, Enabled, Offered, Stack
from drivers.simulated.cctalk_validator import CcTalkValidator
from drivers.simulated.note_path import REAL, Timings

CcTalkWire = Wire[BillEvent, BillOrder]


class Unit(CcTalkValidator):
    """A validator that keeps what it received. `answers` replaces replies (header and data; None is silence)."""

    def __init__(
        self,
        answers: dict[int, tuple[int, bytes] | None] | None = None,
        *,
        check: Check = Check.SIMPLE,
        timings: Timings = REAL,
    ) -> None:
        super().__init__(CHANNELS, check=check, timings=timings)
        self.answers = answers or {}
        self.received: list[tuple[int, bytes]] = []

    def _execute(self, header: int, data: bytes) -> tuple[int, bytes] | None:
        self.received.append((header, data))
        if header in self.answers:
            return self.answers[header]
        return super()._execute(header, data)

    def headers(self) -> list[int]:
        """The headers received, equal ones in a row only once."""
        received = [header for header, _ in self.received]
        return [header for at, header in enumerate(received) if at == 0 or header != received[at - 1]]

    def routes(self) -> list[int]:
        """The ways of the routes received."""
        return [data[0] for header, data in self.received if header == Header.ROUTE]


def join(unit: CcTalkValidator, protocol: CcTalkProtocol | None = None) -> CcTalkWire:
    wire: CcTalkWire = Wire(protocol or CcTalkProtocol(), unit)
    wire.connect()
    wire.order(TAKE_ALL)
    return wire


def running(unit: CcTalkValidator, protocol: CcTalkProtocol | None = None) -> CcTalkWire:
    """A wire whose start-up is done and whose unit is switched on; what was reported until then is dropped."""
    wire = join(unit, protocol)
    wire.run_until_event(Enabled)
    wire.events.clear()
    return wire


def events_after(wire: CcTalkWire, seconds: float = 3.0) -> Sequence[BillEvent]:
    """All that is reported within this time, except what is said about switching on and off."""
    wire.events.clear()
    wire.run(seconds)
    return [event for event in wire.events if not isinstance(event, Enabled)]


def stacking(unit: CcTalkValidator, wire: CcTalkWire, value_cents: int = 2000) -> None:
    """Brings a note as far as the way into the box."""
    assert unit.insert(value_cents)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run_until(lambda: unit.phase == "stacking")
