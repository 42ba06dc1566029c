"""The requests of a ccTalk host, most of them during start-up.

Each question is a part of the conversation. It returns what the unit reports.

Rules:
- A busy unit is asked again for a while. The caller judges every other reply that is not OK.
- An unusable unit raises UnfitError with the trouble to report and what was found and expected.

Source: ccTalk Serial Communication Protocol, Generic Specification, parts 1 to 3. Knows no notes in the path.
"""

from dataclasses import dataclass

from drivers.bills.cctalk.codec import (
    HIGHEST_TYPE,
    STACKER_AND_ESCROW,
    Answer,
    BillId,
    Header,
    Ring,
    Scaling,
    make_channel,
    read_bill_id,
    read_ring,
    read_scaling,
    read_serial,
    read_text,
)
from drivers.bills.cctalk.exchange import Exchange
from drivers.bills.cctalk.frame import Frame
from drivers.bills.conversation import Ask, Conversation, Pause, SilentError, Talk, UnfitError
from drivers.bills.events import Channel, Trouble

BUSY_PAUSE_S = 0.1
BUSY_REPLIES = 50
_PRIORITY_UNITS_S = {1: 0.001, 2: 0.01, 3: 1.0, 4: 60.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The identity of the unit."""

    maker: str
    product: str
    serial: str


class Questions:
    """Sends commands over one `Exchange`, as parts of its conversation."""

    def __init__(
        self, exchange: Exchange, conversation: Conversation[Frame], *, busy_pause_s: float = BUSY_PAUSE_S
    ) -> None:
        self._exchange = exchange
        self._conversation = conversation
        self._busy_pause_s = busy_pause_s

    def send(self, header: Header, data: bytes = b"", *, once: bool = False) -> Talk[Frame, Frame | None]:
        """Returns the reply, None without one. `once`: never repeats the command."""
        return (yield Ask(self._exchange.write(header, data), 0 if once else None))

    def ask(self, header: Header, data: bytes = b"") -> Talk[Frame, Frame]:
        """Returns the reply, after waiting while the unit is busy. Raises SilentError without a reply, UnfitError when
        the unit stays busy."""
        for _ in range(BUSY_REPLIES):
            reply = yield from self.send(header, data)
            if reply is None:
                raise SilentError
            if reply.header != Answer.BUSY:
                return reply
            yield Pause(self._conversation.now + self._busy_pause_s)
        raise UnfitError(Trouble.HARDWARE, f"the unit stays busy when asked for {header.name}")

    def identify(self) -> Talk[Frame, Unit]:
        """Reads the identity of the unit. Raises UnfitError when it is not a bill validator."""
        maker = read_text((yield from self.ask(Header.MAKER)).data)
        category = read_text((yield from self.ask(Header.CATEGORY)).data)
        if "bill" not in category.lower():
            raise UnfitError(
                Trouble.WRONG_DEVICE, f"the unit is a {category or 'device without a name'}, not a bill validator"
            )
        product = read_text((yield from self.ask(Header.PRODUCT)).data)
        serial = yield from self.ask(Header.SERIAL_NUMBER)
        return Unit(maker=maker, product=product, serial=read_serial(serial.data, maker))

    def read_events(self) -> Talk[Frame, Ring]:
        """Reads the events of the unit once."""
        reply = yield from self.ask(Header.EVENTS)
        ring = read_ring(reply.data) if reply.header == Answer.OK else None
        if ring is None:
            raise UnfitError(Trouble.HARDWARE, f"not five events: {show(reply)}")
        return ring

    def read_channels(self) -> Talk[Frame, tuple[Channel, ...]]:
        """Reads the note types of the unit with their values."""
        scalings: dict[str, Scaling | None] = {}
        channels: list[Channel] = []
        for number in range(1, HIGHEST_TYPE + 1):
            reply = yield from self.ask(Header.BILL_ID, bytes((number,)))
            bill = read_bill_id(reply.data) if reply.header == Answer.OK else None
            if bill is not None:
                channel = yield from self._value(number, bill, scalings)
                channels += [channel] if channel else []
        return tuple(channels)

    def _value(self, number: int, bill: BillId, scalings: dict[str, Scaling | None]) -> Talk[Frame, Channel | None]:
        if bill.country not in scalings:
            reply = yield from self.ask(Header.COUNTRY_SCALING, bill.country.encode("ascii"))
            scalings[bill.country] = read_scaling(reply.data) if reply.header == Answer.OK else None
        scaling = scalings[bill.country]
        return make_channel(number, bill, scaling) if scaling else None

    def check_itself(self) -> Talk[Frame, None]:
        """Runs the self-check of the unit; a unit without one counts as healthy. Raises UnfitError for a fault."""
        reply = yield from self.ask(Header.SELF_CHECK)
        if reply.header == Answer.OK and reply.data[:1] > b"\0":
            raise UnfitError(Trouble.HARDWARE, f"the unit's self-check reports fault {reply.data.hex(' ').upper()}")

    def set_mode(self) -> Talk[Frame, None]:
        """Sets the stacker and escrow mode. Raises UnfitError when the unit refuses."""
        reply = yield from self.ask(Header.SET_OPERATING_MODE, bytes((STACKER_AND_ESCROW,)))
        if reply.header != Answer.OK:
            raise UnfitError(Trouble.HARDWARE, f"the unit refuses stacker and escrow mode: {show(reply)}")

    def read_firmware(self) -> Talk[Frame, str]:
        """Reads the software revision; empty when the unit does not report one."""
        reply = yield from self.send(Header.SOFTWARE)
        return read_text(reply.data) if reply is not None and reply.header == Answer.OK else ""

    def read_poll_interval(self) -> Talk[Frame, float | None]:
        """Reads the longest poll interval that the unit allows, in seconds; None when it does not report one."""
        reply = yield from self.send(Header.POLLING_PRIORITY)
        if reply is None or reply.header != Answer.OK or len(reply.data) != 2:
            return None
        return _PRIORITY_UNITS_S.get(reply.data[0], 0.0) * reply.data[1] or None


def show(reply: Frame) -> str:
    """Formats a reply for a message to the attendant."""
    name = Answer(reply.header).name if reply.header in list(Answer) else str(reply.header)
    return f"{name} {reply.data.hex(' ').upper()}".strip()
