"""ICT's interface on bad lines: any bytes, loss, delay, power cuts, restarts.

There is no check sum, so a wrong byte is found only by its parity bit: here it arrives as a missing one, because the
line drops it. Nothing protects against a byte that comes twice, which a wire does not do.
"""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ict_bench import IctWire, running, scripted
from support.notes import CHANNELS, TAKE_ALL, VALUES_CENTS, Keeper
from support.wire import Harm, Wire, unharmed

from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Offered,
    Return,
    Stack,
    Stacked,
    Started,
    Take,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.ict.host import IctProtocol, IctTiming
from drivers.protocol import Confirm
from drivers.simulated.ict import Ict

MEANT = bytes.fromhex("80 8F 81 40 41 46 10 11 20 22 29 2A 2F 3E 5E")
PIECES = st.lists(
    st.one_of(
        st.binary(max_size=20),
        st.lists(st.sampled_from(MEANT), max_size=8).map(bytes),
        st.sampled_from([Stack(), Return(), TAKE_ALL, Take(channels=frozenset()), Confirm(receipt=1)]),
        st.floats(0.0, 70.0),
        st.sampled_from(["open", "close"]),
    ),
    max_size=60,
)


@pytest.mark.fault(28)
@given(PIECES)
def test_no_bytes_orders_or_times_make_it_raise_or_accept_unasked(
    pieces: list[bytes | BillOrder | float | str],
) -> None:
    """Each 02 answers a power-up or a Stack; each value follows an 02 or a reported note."""
    protocol = IctProtocol(CHANNELS)
    protocol.opened(0.0)
    now, allowed, accepted, notes, valued = 0.0, 0, 0, 0, 0
    for piece in pieces:
        match piece:
            case bytes():
                allowed += piece.count(0x8F)
                notes += sum(0x40 <= byte <= 0x49 for byte in piece)
                protocol.receive(piece, now)
            case float():
                now += piece
                protocol.tick(now)
            case "open":
                protocol.opened(now)
            case "close":
                protocol.closed(now)
            case str():
                raise AssertionError(piece)
            case _:
                allowed += isinstance(piece, Stack)
                protocol.order(piece, now)
        due = protocol.due()
        assert due is None or due > 0.0
        accepted += protocol.bytes_to_send().count(0x02)
        valued += sum(isinstance(event, Stacked) and event.value_cents is not None for event in protocol.events())
        assert accepted <= allowed
        assert valued <= notes


@pytest.mark.no_cover
def test_noise_in_bulk_is_never_money_of_a_value(breadth: int) -> None:
    wire, unit = scripted()
    noise = random.Random(1).randbytes(250_000 * breadth)
    for at in range(0, len(noise), 10_000):
        wire.protocol.receive(noise[at : at + 10_000], wire.now)
        wire.run(0.1)
    stacked = [event.value_cents for event in wire.events if isinstance(event, Stacked)]
    assert set(stacked) <= {None}
    assert unit.received.count(0x02) <= noise.count(b"\x80\x8f")


class Chatter:
    """No unit at all: a line full of noise, ten bytes every tenth of a second."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._next = 1000.0
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        return

    def tick(self, now: float) -> None:
        while self._next <= now:
            self._next += 0.1
            self._owed += self._rng.randbytes(10)

    def due(self) -> float | None:
        return self._next

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


@pytest.mark.no_cover
@pytest.mark.requirement("BA-11")
def test_noise_is_no_unit_and_is_reported_as_noise() -> None:
    for seed in range(20):
        wire: IctWire = Wire(IctProtocol(CHANNELS), Chatter(seed))
        wire.connect()
        wire.run(60.0)
        assert not [event for event in wire.events if isinstance(event, Started | Stacked)]
        links = [event for event in wire.events if isinstance(event, TroubleBegan) and event.trouble is Trouble.LINK]
        assert links
        assert "check baud rate, parity and cable" in links[0].detail


def test_a_unit_starts_as_soon_as_the_noise_is_over() -> None:
    wire, unit = scripted()
    wire.disconnect()
    wire.connect()
    for _ in range(30):
        unit.say("00 FF 55")
        wire.run(0.2)
    assert not [event for event in wire.events if isinstance(event, Started)]
    wire.run(IctTiming().settle_s + 0.1)
    assert [event for event in wire.events if isinstance(event, Started)]
    assert isinstance(
        [event for event in wire.events if isinstance(event, TroubleBegan | TroubleEnded)][-1], TroubleEnded
    )


class Street:
    """The cabinet's books at an acceptor on a bad line with faults: everything drawn from one seed."""

    def __init__(self, seed: int, *, good: bool = False) -> None:
        self.rng = rng = random.Random(seed)
        self.unit = Ict(CHANNELS)
        self.keeper = Keeper()
        harm = Harm(lost=rng.choice([0.0, 0.1]), cut=rng.choice([0.0, 0.05]), delayed=rng.choice([0.0, 0.1]))
        damage = unharmed if good else harm.by(rng)
        self.wire: IctWire = Wire(IctProtocol(CHANNELS), self.unit, damage=damage, on_event=self._act)
        odds = ((0, 0), (0, 0), (0, 0)) if good else ((0, 0.03), (0, 0.03), (0, 0.02))
        self.crash, self.power_cut, self.unplug = (rng.choice(chances) for chances in odds)
        self.wire.connect()
        self.wire.order(TAKE_ALL)

    def _act(self, event: BillEvent) -> None:
        for order in self.keeper.handle(event):
            self.wire.protocol.order(order, self.wire.now)

    def take_notes(self, count: int) -> None:
        """Puts notes in until this many were drawn in, then restores the line and waits until nothing moves."""
        while count > 0:
            count -= self.unit.insert(self.rng.choice(VALUES_CENTS))
            end = self.wire.now + 4.0
            while self.wire.now < end:
                self.wire.run(self.rng.random() * 0.7)
                self._have_bad_luck()
        self.wire.damage = unharmed
        self.wire.run(120.0)

    def _have_bad_luck(self) -> None:
        luck = self.rng.random()
        if luck < self.crash:
            self.wire.restart_host(IctProtocol(CHANNELS))
            self.wire.order(TAKE_ALL)
        elif luck < self.crash + self.power_cut:
            self.unit.power_cycle(to_cashbox=self.rng.random() < 0.6)
        elif luck < self.crash + self.power_cut + self.unplug:
            self.wire.disconnect()
            self.wire.run(self.rng.random() * 20.0)
            self.wire.connect()


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
def test_no_bad_day_credits_more_than_went_into_the_box_nor_passes_a_note_over() -> None:
    for seed in range(40):
        street = Street(seed)
        street.take_notes(10)
        keeper, stacked = street.keeper, Counter(street.unit.stacked)
        assert not Counter(keeper.credited) - stacked, f"seed {seed}: credited what is not in the box"
        reported = Counter([*keeper.credited, *keeper.unexpected, *keeper.doubtful, keeper.intent_cents])
        assert not stacked - reported, f"seed {seed}: an unreported note in the box"


@pytest.mark.requirement("BA-02")
def test_on_a_good_line_every_note_is_credited_and_nothing_is_left_to_doubt() -> None:
    street = Street(0, good=True)
    street.take_notes(100)
    keeper = street.keeper
    assert keeper.credited == street.unit.stacked
    assert (len(keeper.credited), keeper.doubtful, keeper.unexpected, keeper.returned) == (100, [], [], 0)


def test_a_wrong_bit_that_parity_finds_is_a_missing_byte_and_costs_at_most_time() -> None:
    unit = Ict(CHANNELS)
    wire = running(unit)
    unit.insert(2000)
    wire.damage = lambda chunk: [] if chunk[:1] == b"\x81" else [(0.0, chunk)]
    wire.run(10.0)
    assert unit.returned == [2000]
    assert not [event for event in wire.events if isinstance(event, Offered | Stacked)]
