"""The agreed key and the count of a simulated eSSP unit.

Written from the description of the unit's side, not from the host of this product: they share only the wire. The unit
accepts any primes from the host. A frame that is damaged, sealed with another key or has another count is dropped
silently. Knows no commands except the key exchange.
"""

from collections.abc import Callable

from drivers.bills.ssp.codec import Answer, Command
from drivers.bills.ssp.secret import FIXED_KEY, NUMBER_SIZE, seal, shared_key, unseal

_SMALL_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


class Keys:
    """One unit's end of a sealed line. `draw` returns the bytes of its secret number and of the packing."""

    def __init__(self, draw: Callable[[int], bytes], fixed_key: int = FIXED_KEY) -> None:
        self._draw = draw
        self._fixed_key = fixed_key
        self._generator = self._modulus = 0
        self._key: bytes | None = None
        self._count = 0

    @property
    def agreed(self) -> bool:
        """True if a key is agreed."""
        return self._key is not None

    def exchange(self, command: int, number: int) -> bytes:
        """Applies one of the three commands of the exchange. Returns the answer."""
        if command != Command.EXCHANGE_KEYS:
            return self._on_prime(command, number)
        if not self._generator or not self._modulus:
            return bytes((Answer.CANNOT_PROCESS,))
        secret = 2 + int.from_bytes(self._draw(NUMBER_SIZE), "little") % (self._modulus - 2)
        self._key = shared_key(self._fixed_key, pow(number, secret, self._modulus))
        self._count = 0
        public = pow(self._generator, secret, self._modulus)
        return bytes((Answer.OK,)) + public.to_bytes(NUMBER_SIZE, "little")

    def unseal(self, data: bytes) -> bytes | None:
        """Returns the command in the data of a frame; None when the frame must be dropped."""
        found = unseal(self._key, data) if self._key is not None else None
        if found is None or found[0] != self._count:
            return None
        self._count += 1
        return found[1]

    def seal(self, reply: bytes) -> bytes:
        """Returns the data of the frame that answers the last unsealed command."""
        if self._key is None:
            raise ValueError("there is no key to seal with")
        return seal(self._key, self._count, reply, self._draw)

    def _on_prime(self, command: int, number: int) -> bytes:
        if not is_prime(number):
            return bytes((Answer.OUT_OF_RANGE,))
        if command == Command.SET_GENERATOR:
            self._generator = number
        else:
            self._modulus = number
        return bytes((Answer.OK,))


def is_prime(number: int) -> bool:
    """Returns True if this number of at most 64 bits is prime (Miller and Rabin; these bases are enough for all of
    them)."""
    if number < 2 or any(number % prime == 0 for prime in _SMALL_PRIMES):
        return number in _SMALL_PRIMES
    odd, halvings = number - 1, 0
    while odd % 2 == 0:
        odd, halvings = odd // 2, halvings + 1
    return not any(_is_witness(base, odd, halvings, number) for base in _SMALL_PRIMES)


def _is_witness(base: int, odd: int, halvings: int, number: int) -> bool:
    """Returns True if `base` proves that `number` is not prime."""
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return False
    for _ in range(halvings - 1):
        power = power * power % number
        if power == number - 1:
            return False
    return True
