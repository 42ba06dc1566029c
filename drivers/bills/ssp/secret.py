"""eSSP, the encrypted form of SSP: the key exchange, and the sealing of commands and replies.

    7E | AES-128-ECB( length | count | payload | packing | CRC low | CRC high )

Rules:
- The key's low eight bytes are the fixed key that both sides were given, its high eight bytes the number they agree on
  by Diffie-Hellman over 64 bits; both little-endian.
- The count is four bytes, little-endian, 0 after the key exchange. A command carries n, its reply n + 1, the next
  command n + 1. A frame with another count is dropped.
- The CRC, that of SSP frames, covers length to packing; the packing fills the last block with unpredictable bytes.
- The host chooses the primes; they are not secret. The generator is the larger one, as in the maker's own host, and
  no power of it smaller than half the modulus is 1.

Random bytes come from outside (`Draw`). Source: Innovative Technology, SSP Implementation Guide GA973.
Knows no commands.
"""

from collections.abc import Callable
from dataclasses import dataclass

from drivers.checks import crc16_cms

FIXED_KEY = 0x0123456701234567
"""The maker's key in every unit; a key changed in the unit must be set in the settings too."""

MODULUS = 0x7FFFFFFFFFFFEE27
GENERATOR = 0x7FFFFFFFFFFFEEFB
NUMBER_SIZE = 8
SEALED = 0x7E
LONGEST_PAYLOAD = 233
"""Bytes that fit into one frame: 255 bytes of data, 15 blocks after the mark, without length, count and CRC."""

_BLOCK = 16
_COUNT_AT = 1
_PAYLOAD_AT = 5
_CRC_SIZE = 2

Draw = Callable[[int], bytes]
"""Returns the given number of unpredictable bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrecy:
    """The encryption of a line: with `always` from the first command on or not at all, otherwise when the unit
    requires it.

    `fixed_key` is a number of 64 bits.
    """

    draw: Draw
    always: bool = False
    fixed_key: int = FIXED_KEY


def shared_key(fixed_key: int, agreed: int) -> bytes:
    """Returns the sixteen bytes of the AES key."""
    return fixed_key.to_bytes(NUMBER_SIZE, "little") + agreed.to_bytes(NUMBER_SIZE, "little")


def public_number(secret: int) -> int:
    """Returns the public number for the host's secret number."""
    return pow(GENERATOR, secret, MODULUS)


def agree(secret: int, public_of_other: int) -> int | None:
    """Returns the number both sides now know; None when the other side's number would make it predictable."""
    if not 1 < public_of_other < MODULUS - 1:
        return None
    return pow(public_of_other, secret, MODULUS)


def seal(key: bytes, count: int, payload: bytes, draw: Draw) -> bytes:
    """Returns the data of a frame with the sealed `payload`. Raises ValueError when it is too long."""
    if len(payload) > LONGEST_PAYLOAD:
        raise ValueError(f"a sealed payload has at most {LONGEST_PAYLOAD} bytes, not {len(payload)}")
    head = bytes((len(payload),)) + count.to_bytes(_PAYLOAD_AT - _COUNT_AT, "little") + payload
    body = head + draw(-(len(head) + _CRC_SIZE) % _BLOCK)
    body += crc16_cms(body).to_bytes(_CRC_SIZE, "little")
    return bytes((SEALED,)) + _encrypt(key, body)


def unseal(key: bytes, data: bytes) -> tuple[int, bytes] | None:
    """Returns count and payload of a sealed frame; None when it is damaged or sealed with another key."""
    blocks = data[1:]
    if data[:1] != bytes((SEALED,)) or not blocks or len(blocks) % _BLOCK:
        return None
    body = _decrypt(key, blocks)
    end = _PAYLOAD_AT + body[0]
    if end + _CRC_SIZE > len(body) or crc16_cms(body[:-_CRC_SIZE]) != int.from_bytes(body[-_CRC_SIZE:], "little"):
        return None
    return int.from_bytes(body[_COUNT_AT:_PAYLOAD_AT], "little"), body[_PAYLOAD_AT:end]


class Seal:
    """The host's end of one sealed line: the agreed key, and the count that both sides keep."""

    def __init__(self, key: bytes, draw: Draw) -> None:
        self._key = key
        self._draw = draw
        self._count = 0

    def close(self, command: bytes) -> bytes:
        """Returns the sealed command. The count increases only with its reply."""
        return seal(self._key, self._count, command, self._draw)

    def open(self, data: bytes) -> bytes | None:
        """Returns the opened reply to the last sealed command; None for anything else."""
        found = unseal(self._key, data)
        if found is None or found[0] != self._count + 1:
            return None
        self._count += 1
        return found[1]


def _encrypt(key: bytes, blocks: bytes) -> bytes:
    # Takes a tenth of a second to load, and most lines are never sealed.
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # the units have no other mode
    return cipher.update(blocks) + cipher.finalize()


def _decrypt(key: bytes, blocks: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    cipher = Cipher(algorithms.AES(key), modes.ECB()).decryptor()
    return cipher.update(blocks) + cipher.finalize()
