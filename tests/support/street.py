"""A cabinet's keeper at an acceptor, a bad line, and a bad day: everything drawn from one seed."""

import random
from collections.abc import Callable, Iterable
from typing import Protocol

from support.notes import TAKE_ALL, VALUES_CENTS, Keeper
from support.wire import Harm, Wire, unharmed

from drivers.bills.events import BillEvent, BillOrder, Stacked
from drivers.protocol import WireProtocol
from drivers.simulated.pty_line import Device


class Acceptor(Device, Protocol):
    """A simulated acceptor that takes notes and knows the truth about them."""

    stacked: list[int]
    returned: list[int]

    def insert(self, value_cents: int) -> bool:
        """Puts in a genuine note; False when the unit does not draw it in."""


class Street:
    """`make` builds a fresh host, `cut_power` cuts the unit's power for a moment. Without `bad_days` all goes well."""

    def __init__(
        self,
        seed: int,
        unit: Acceptor,
        make: Callable[[], WireProtocol[BillEvent, BillOrder]],
        cut_power: Callable[[random.Random], None],
        *,
        bad_days: bool = True,
        crashes: bool = True,
        values_cents: Iterable[int] = VALUES_CENTS,
    ) -> None:
        self.rng = random.Random(seed)
        self.unit = unit
        self.keeper = Keeper()
        self.reported_stacked = 0
        self.crashed = 0
        self._make = make
        self._cut_power = cut_power
        self._values_cents = tuple(values_cents)
        odds = (0, 0.05) if bad_days else (0,)
        self._crash, self._power_cut, self._unplug = (self.rng.choice(odds) for _ in range(3))
        self._crash = self._crash if crashes else 0
        damage = self._draw_harm().by(self.rng) if bad_days else unharmed
        self.wire: Wire[BillEvent, BillOrder] = Wire(make(), unit, damage=damage, on_event=self._act)
        self.wire.connect()
        self.wire.order(TAKE_ALL)

    def _draw_harm(self) -> Harm:
        rng = self.rng
        return Harm(
            lost=rng.choice([0.0, 0.05, 0.2]),
            flipped=rng.choice([0.0, 0.05]),
            cut=rng.choice([0.0, 0.05]),
            doubled=rng.choice([0.0, 0.1]),
            delayed=rng.choice([0.0, 0.1]),
            longest_delay_s=rng.choice([0.3, 1.5]),
        )

    def _act(self, event: BillEvent) -> None:
        self.reported_stacked += isinstance(event, Stacked)
        for order in self.keeper.handle(event):
            self.wire.protocol.order(order, self.wire.now)

    def go_on(self, *, tries: int) -> None:
        """Puts a note in every four seconds, then lets the line heal and everything come to rest."""
        for _ in range(tries):
            self.unit.insert(self.rng.choice(self._values_cents))
            end = self.wire.now + 4.0
            while self.wire.now < end:
                self.wire.run(self.rng.random() * 0.7)
                self._have_bad_luck()
        self.wire.damage = unharmed
        self.wire.run(60.0)

    def _have_bad_luck(self) -> None:
        luck = self.rng.random()
        if luck < self._crash:
            self.crashed += 1
            self.wire.restart_host(self._make())
            self.wire.order(TAKE_ALL)
        elif luck < self._crash + self._power_cut:
            self._cut_power(self.rng)
        elif luck < self._crash + self._power_cut + self._unplug / 5:
            self.wire.disconnect()
            self.wire.run(self.rng.random() * 20.0)
            self.wire.connect()
