"""An ICT host and a unit on a wire in virtual time; and a host alone that is fed by hand."""

from collections.abc import Sequence

from support.notes import CHANNELS, TAKE_ALL
from support.wire import Wire

from drivers.bills.events import BillEvent, BillOrder, Enabled, Offered, Stack
from drivers.bills.ict.host import IctProtocol
from drivers.simulated.pty_line import Device

IctWire = Wire[BillEvent, BillOrder]


class Script:
    """A unit that sends only what the test orders, and answers the status with "enabled"."""

    def __init__(self) -> None:
        self.received = b""
        self.silent = False
        self._owed = b""

    def say(self, text: str) -> None:
        """These bytes come next."""
        self._owed += bytes.fromhex(text)

    def receive(self, data: bytes, now: float) -> None:
        self.received += data
        if 0x0C in data and not self.silent:
            self._owed += b"\x3e"

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


def join(unit: Device, protocol: IctProtocol | None = None) -> IctWire:
    wire: IctWire = Wire(protocol or IctProtocol(CHANNELS), unit)
    wire.connect()
    wire.order(TAKE_ALL)
    return wire


def running(unit: Device, protocol: IctProtocol | None = None) -> IctWire:
    """A wire whose start-up is done and whose unit is switched on; what was reported until then is dropped."""
    wire = join(unit, protocol)
    wire.run_until(lambda: Enabled(taking=True) in wire.events)
    wire.events.clear()
    return wire


def scripted() -> tuple[IctWire, Script]:
    """A running host with a unit with the bytes of the test; bytes received until now are dropped."""
    unit = Script()
    wire = running(unit)
    unit.received = b""
    return wire, unit


def said(wire: IctWire, unit: Script, text: str, *, seconds: float = 0.1) -> Sequence[BillEvent]:
    """Returns the events when the unit sends this."""
    wire.events.clear()
    unit.say(text)
    wire.run(seconds)
    return [event for event in wire.events if not isinstance(event, Enabled)]


def accepted(wire: IctWire, unit: Script, text: str = "81 44") -> None:
    """The unit offers a note and it is accepted."""
    unit.say(text)
    wire.run_until_event(Offered)
    wire.order(Stack())
    wire.run(0.05)
