"""The commands of an SSP host besides polls: keys, version, identity, bar code reader and counters.

Each question is a part of the conversation. It returns the unit's reply, or raises UnfitError with the reason.

Source: Innovative Technology, SSP Protocol Manual GA138. Knows no notes and no time.
"""

from dataclasses import dataclass

from drivers.bills.conversation import Ask, SilentError, Talk, UnfitError
from drivers.bills.events import Trouble
from drivers.bills.ssp.codec import (
    BAR_CODE_SETUP,
    HIGHEST_VERSION,
    LOWEST_VERSION,
    POLLS,
    Answer,
    BarCode,
    Command,
    Setup,
    bar_code_inhibit,
    read_bar_code,
    read_counters,
    read_setup,
)
from drivers.bills.ssp.exchange import Exchange
from drivers.bills.ssp.secret import GENERATOR, MODULUS, NUMBER_SIZE, Seal, Secrecy, agree, public_number, shared_key


class KeyWantedError(Exception):
    """The unit requires a key, or has lost the agreed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The generic answer and the bytes after it."""

    code: int
    rest: bytes

    @property
    def ok(self) -> bool:
        """True if the unit executed the command."""
        return self.code == Answer.OK

    def __str__(self) -> str:
        return (bytes((self.code,)) + self.rest).hex(" ").upper()


@dataclass(frozen=True, slots=True, kw_only=True)
class Polled:
    """The reply to a poll, and its protocol version."""

    command: int
    reply: bytes
    version: int


class Questions:
    """Sends commands over one `Exchange`. `secrecy` None: a unit that requires a sealed line cannot be used."""

    def __init__(self, exchange: Exchange, secrecy: Secrecy | None) -> None:
        self._exchange = exchange
        self._secrecy = secrecy
        self._version = LOWEST_VERSION

    @property
    def can_seal(self) -> bool:
        """True if a key may be agreed."""
        return self._secrecy is not None

    def ask(self, command: int, parameters: bytes = b"") -> Talk[bytes, Reply]:
        """Sends a new command and returns its reply. Raises SilentError, KeyWantedError, or UnfitError for a missing
        key."""
        reply = yield Ask(self._exchange.write(bytes((command,)) + parameters))
        if not reply:
            raise SilentError
        if reply[0] == Answer.KEY_NOT_SET:
            if not self.can_seal:
                raise UnfitError(
                    Trouble.HARDWARE, 'the unit requires an encrypted line (FA), but the encryption is set to "never"'
                )
            raise KeyWantedError
        return Reply(code=reply[0], rest=reply[1:])

    def poll(self, command: Command) -> Talk[bytes, Polled]:
        """Polls with this command."""
        reply = yield from self.ask(command)
        return Polled(command=command, reply=bytes((reply.code,)) + reply.rest, version=self._version)

    def poll_again(self) -> Talk[bytes, Polled | None]:
        """Repeats a poll that got no reply: the stored reply may carry a credit."""
        question = self._exchange.unanswered
        if question is None or question.command[0] not in POLLS:
            return None
        reply = yield Ask(question.wire, repeats=0)
        return self.late(question.command[0], reply) if reply else None

    def late(self, command: int, reply: bytes) -> Polled | None:
        """Returns the late reply to a poll that was given up; None when the command was not a poll."""
        return Polled(command=command, reply=reply, version=self._version) if command in POLLS else None

    def agree_on_key(self) -> Talk[bytes, None]:
        """Exchanges keys; from here on the line is sealed."""
        secrecy = self._secrecy
        if secrecy is None:
            raise KeyWantedError
        secret = 2 + int.from_bytes(secrecy.draw(NUMBER_SIZE), "little") % (MODULUS - 3)
        reply = Reply(code=Answer.OK, rest=b"")
        for command, number in (
            (Command.SET_GENERATOR, GENERATOR),
            (Command.SET_MODULUS, MODULUS),
            (Command.EXCHANGE_KEYS, public_number(secret)),
        ):
            reply = yield from self.ask(command, number.to_bytes(NUMBER_SIZE, "little"))
            if not reply.ok:
                raise UnfitError(
                    Trouble.HARDWARE, f"the unit does not exchange keys: {command:02X} is answered {reply}"
                )
        agreed = agree(secret, int.from_bytes(reply.rest, "little")) if len(reply.rest) == NUMBER_SIZE else None
        if agreed is None:
            raise UnfitError(Trouble.HARDWARE, f"the unit's answer gives no usable key: {reply}")
        self._exchange.seal = Seal(shared_key(secrecy.fixed_key, agreed), secrecy.draw)

    def agree_on_version(self) -> Talk[bytes, None]:
        """Steps down from the highest known protocol version to one that the unit accepts."""
        refused = []
        for version in range(HIGHEST_VERSION, LOWEST_VERSION - 1, -1):
            reply = yield from self.ask(Command.HOST_VERSION, bytes((version,)))
            if reply.ok or reply.code == Answer.UNKNOWN_COMMAND:
                self._version = version if reply.ok else LOWEST_VERSION
                return
            refused.append(f"{version} with {reply}")
        raise UnfitError(Trouble.HARDWARE, f"the unit refuses every protocol version: {', '.join(refused)}")

    def read_setup(self) -> Talk[bytes, Setup]:
        """Reads the setup. Raises UnfitError unless the unit accepts notes."""
        reply = yield from self.ask(Command.SETUP)
        setup = read_setup(reply.rest) if reply.ok else None
        if setup is None:
            raise UnfitError(Trouble.HARDWARE, f"not the setup of a note validator: {reply}")
        return setup

    def read_serial(self) -> Talk[bytes, str]:
        """Reads the serial number; empty when the unit does not report one."""
        reply = yield from self.ask(Command.SERIAL_NUMBER)
        return str(int.from_bytes(reply.rest, "big")) if reply.ok else ""

    def read_firmware(self, otherwise: str) -> Talk[bytes, str]:
        """Reads the firmware version; `otherwise` when the unit does not report one."""
        reply = yield from self.ask(Command.FIRMWARE)
        return (reply.rest.decode("ascii", "replace") if reply.ok else otherwise).strip("\0 ")

    def set_up_bar_codes(self) -> Talk[bytes, bool]:
        """Sets up the bar code reader, with tickets disabled. Returns False when the unit has no reader."""
        fitted = yield from self.ask(Command.BAR_CODE_READERS)
        if not fitted.ok or not fitted.rest or not fitted.rest[0]:
            return False
        known = yield from self.ask(Command.SET_UP_BAR_CODES, BAR_CODE_SETUP)
        switched = yield from self.ask(Command.SET_BAR_CODE_INHIBIT, bar_code_inhibit(notes=True, tickets=False))
        return known.ok and switched.ok

    def read_bar_code(self) -> Talk[bytes, BarCode | None]:
        """Reads the last ticket; None when the unit does not report one."""
        reply = yield from self.ask(Command.BAR_CODE_DATA)
        return read_bar_code(reply.rest) if reply.ok else None

    def read_counter(self) -> Talk[bytes, int | None]:
        """Reads the count of all notes the unit has ever kept; None when it does not count them."""
        reply = yield from self.ask(Command.COUNTERS)
        counters = read_counters(reply.rest) if reply.ok else None
        return counters["stacked"] + counters["stored"] if counters else None
