"""A host without any sense: it says to a simulated NV9 what a test wants, one command at a time."""

from collections.abc import Iterator

from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.simulated.nv9 import NV9


class Host:
    """Talks to the unit directly, one command at a time."""

    def __init__(self, unit: NV9) -> None:
        self.unit = unit
        self.now = 0.0
        self._bits = self._flip()

    @staticmethod
    def _flip() -> Iterator[bool]:
        while True:
            yield True
            yield False

    def ask(self, command: str, *, sequence: bool | None = None) -> str:
        """The reply's data in hex, or "" for silence."""
        bit = next(self._bits) if sequence is None else sequence
        data = bytes.fromhex(command)
        self.unit.receive(encode(Frame(sequence=bit, address=0, data=data)), self.now)
        frames = Decoder().feed(self.unit.bytes_to_send())
        return frames[0].data.hex(" ").upper() if frames else ""

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.unit.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.unit.tick(self.now)
        self.now = end
        self.unit.tick(end)

    def enable(self, mask: str = "FF FF") -> None:
        assert self.ask("06 07") == "F0"
        assert self.ask(f"02 {mask}") == "F0"
        assert self.ask("0A") == "F0"
        self.ask("07")
