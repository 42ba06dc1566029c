"""The body of every simulated ticket printer: the user actions, the power, the mouth, and the tickets on disk.

A unit is a subclass with its paper and its wire face. Every piece of paper is written to the folder as a picture and
as text.

Rules:
- A user action has the same name on every unit, and may be repeated.
- After power-up a unit is silent for a time; a power cut deletes what it has not sent.
- A `silent` unit prints and never answers.

Knows no language. Use a printer only from its own thread (see `pty_line.PtyFarEnd.call`).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from PIL.Image import Image

from drivers.simulated.ticket_picture import save_ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """One piece of paper out of the printer; `cut` is False when it was torn or the roll ended."""

    lines: tuple[str, ...]
    barcode: str | None
    png: Path
    text: Path
    cut: bool


NEWEST_BARCODE = "newest-bar-code.txt"
"""The file beside the tickets with the bar code of the newest ticket that has one."""


def newest_barcode(folder: Path) -> str | None:
    """Returns the bar code of the newest ticket in the folder, of an earlier run too; None without one."""
    try:
        return (folder / NEWEST_BARCODE).read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


class TicketPrinter(ABC):
    """One unit; `tickets` holds every piece of paper so far, `in_chute` those not taken yet."""

    def __init__(self, folder: Path, *, silent: bool) -> None:
        self.silent = silent
        self.tickets: list[Ticket] = []
        self.in_chute: list[Ticket] = []
        self.cover_is_open = False
        self.is_jammed = False
        self.switched_offline = False
        self.powered = True
        self._folder = folder
        self._out = b""
        self._booting = False
        self._boot_until: float | None = None

    # Actions of users

    @abstractmethod
    def paper_out(self) -> None:
        """Ends the paper now."""

    @abstractmethod
    def paper_low(self) -> None:
        """Leaves little paper."""

    @abstractmethod
    def refill(self) -> None:
        """Puts in new paper."""

    def open_cover(self) -> None:
        """Opens the cover; printing stops at once."""
        self.cover_is_open = True
        self._interrupt()

    def close_cover(self) -> None:
        """Shuts the cover; printing continues."""
        self.cover_is_open = False

    def jam(self) -> None:
        """Begins a jam."""
        self.is_jammed = True
        self._interrupt()

    def clear_jam(self) -> None:
        """Ends the jam."""
        self.is_jammed = False

    def go_offline(self) -> None:
        """Uses the button: the printer is offline without a fault."""
        self.switched_offline = True
        self._interrupt()

    def go_online(self) -> None:
        """Uses the button again."""
        self.switched_offline = False

    def power_off(self) -> None:
        """Pulls the plug: the memory is deleted."""
        if self.powered:
            self._lose_power()
        self.powered = self._booting = False
        self._out = b""

    def power_on(self) -> None:
        """Plugs the printer in; it is silent while it starts."""
        if not self.powered:
            self.powered = self._booting = True
            self._boot_until = None

    def fall_silent(self) -> None:
        """Makes the printer print without answers from now on."""
        self.silent = True

    def take(self) -> Ticket | None:
        """Takes the oldest ticket in the mouth; None without one."""
        return self.in_chute.pop(0) if self.in_chute else None

    # The wire

    @abstractmethod
    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""

    @abstractmethod
    def tick(self, now: float) -> None:
        """Continues to print, as far as the unit can."""

    @abstractmethod
    def due(self) -> float | None:
        """Returns the time of the next step."""

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send to the host, each once."""
        owed, self._out = self._out, b""
        return owed

    @property
    def _awake(self) -> bool:
        return self.powered and not self._booting

    def _send(self, data: bytes) -> None:
        if not self.silent:
            self._out += data

    def _boot(self, now: float, lasts_s: float) -> None:
        """Continues the start-up, which began with the first call after power-up."""
        if not self._booting:
            return
        if self._boot_until is None:
            self._boot_until = now + lasts_s
        if now >= self._boot_until:
            self._booting, self._boot_until = False, None

    @abstractmethod
    def _lose_power(self) -> None:
        """Deletes what the unit has in memory."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Stops printing at once."""

    def _deliver(self, picture: Image, *, lines: tuple[str, ...], barcode: str | None, cut: bool) -> None:
        """Puts a piece of paper into the mouth and writes it into the folder under the next number."""
        self._folder.mkdir(parents=True, exist_ok=True)
        number = 1 + len(list(self._folder.glob("ticket-*.png")))
        png, text = (self._folder / f"ticket-{number:04d}.{ending}" for ending in ("png", "txt"))
        save_ticket(picture, png)
        text.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if barcode is not None:
            (self._folder / NEWEST_BARCODE).write_text(f"{barcode}\n", encoding="utf-8")
        ticket = Ticket(lines=lines, barcode=barcode, png=png, text=text, cut=cut)
        self.tickets.append(ticket)
        self.in_chute.append(ticket)
