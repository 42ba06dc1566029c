"""An SSP host and a unit on a wire in virtual time, ready to run."""

from collections.abc import Sequence

from support.notes import TAKE_ALL
from support.scripted_unit import POLLS, ScriptedUnit
from support.wire import Wire

from drivers.bills.events import BillEvent, BillOrder, Enabled
from drivers.bills.ssp.codec import Command
from drivers.bills.ssp.host import SspProtocol
from drivers.bills.ssp.secret import FIXED_KEY, Secrecy
from drivers.simulated.pty_line import Device

SspWire = Wire[BillEvent, BillOrder]
ACK = Command.EVENT_ACK


def draw(size: int) -> bytes:
    """Bytes for keys that need not be secret."""
    return bytes(range(0x61, 0x61 + size))


def sealed_host(*, always: bool = False, fixed_key: int = FIXED_KEY, address: int = 0) -> SspProtocol:
    """A host that can encrypt."""
    return SspProtocol(address=address, secrecy=Secrecy(draw=draw, always=always, fixed_key=fixed_key))


def join(device: Device, protocol: SspProtocol | None = None) -> SspWire:
    wire: SspWire = Wire(protocol or SspProtocol(), device)
    wire.connect()
    wire.order(TAKE_ALL)
    return wire


def running(device: Device, protocol: SspProtocol | None = None) -> SspWire:
    """A wire whose start-up is done and whose unit is switched on; what was reported until then is dropped."""
    wire = join(device, protocol)
    wire.run_until_event(Enabled)
    wire.events.clear()
    return wire


def events_after(wire: SspWire, seconds: float = 3.0) -> Sequence[BillEvent]:
    """All that is reported within this time."""
    wire.events.clear()
    wire.run(seconds)
    return list(wire.events)


def commands(unit: ScriptedUnit) -> list[int]:
    """Command bytes received, repeated polls and holds shortened to one."""
    received = [data[0] for data in unit.received]
    return [code for at, code in enumerate(received) if at == 0 or code != received[at - 1] or code not in POLLS]
