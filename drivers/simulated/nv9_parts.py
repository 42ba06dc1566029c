"""The parts of a simulated NV9: its lasting state, its volatile state, and the commands it knows.

Values without behaviour; `drivers.simulated.nv9` changes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from drivers.bills.ssp.codec import COUNTER_NAMES, LOWEST_VERSION, Code, Command
from drivers.simulated.nv9_keys import Keys


@dataclass(slots=True, kw_only=True)
class Kept:
    """An event kept until it is reported (plain poll) or acknowledged (poll with ack)."""

    code: Code
    channel: int = 0
    reported: bool = False


@dataclass(slots=True, kw_only=True)
class Lasting:
    """The state that survives a power cut: the counters, the reject code, the last ticket, the set-up of the bar code
    reader."""

    counters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTER_NAMES, 0))
    last_reject: int = 0
    ticket: str = ""
    ticket_place: int = 0
    bar_code_setup: bytes = bytes((0, 1, 6))


@dataclass(slots=True, kw_only=True)
class Volatile:
    """The state that a power cut deletes."""

    keys: Keys
    enabled: bool = False
    allowed: int = 0
    bar_code_inhibit: int = 0xFE
    version: int = LOWEST_VERSION
    last_sequence: bool | None = None
    last_reply: bytes = b""
    last_poll: float | None = None
    events: list[tuple[Code, int]] = field(default_factory=lambda: [(Code.SLAVE_RESET, 0)])
    side_events: list[bytes] = field(default_factory=list)


PARAMETERS: Mapping[int, int] = {
    **dict.fromkeys(Command, 0),
    Command.SET_INHIBITS: 2,
    Command.HOST_VERSION: 1,
    Command.SET_UP_BAR_CODES: 3,
    Command.SET_BAR_CODE_INHIBIT: 1,
    Command.SET_GENERATOR: 8,
    Command.SET_MODULUS: 8,
    Command.EXCHANGE_KEYS: 8,
}
"""The known commands and the number of bytes after each."""

ACK_COMMANDS = (Command.POLL_WITH_ACK, Command.EVENT_ACK)
READER_COMMANDS = (
    Command.BAR_CODE_READERS,
    Command.SET_UP_BAR_CODES,
    Command.BAR_CODE_INHIBIT,
    Command.SET_BAR_CODE_INHIBIT,
    Command.BAR_CODE_DATA,
)
COUNTER_COMMANDS = (Command.COUNTERS, Command.RESET_COUNTERS)
KEY_COMMANDS = (Command.SET_GENERATOR, Command.SET_MODULUS, Command.EXCHANGE_KEYS)
ALWAYS_CLEAR = frozenset(
    {
        Command.SYNC,
        *KEY_COMMANDS,
        Command.SETUP,
        Command.HOST_VERSION,
        Command.SERIAL_NUMBER,
        Command.UNIT_DATA,
        Command.FIRMWARE,
        Command.DATASET,
        Command.BUILD_REVISION,
    }
)
"""Commands that a unit with demanded encryption still answers in the clear."""
