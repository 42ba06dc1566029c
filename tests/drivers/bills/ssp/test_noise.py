"""SSP on bad lines and with bad units: any bytes, loss, damage, power cuts, restarts."""

import random
from collections import Counter
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.notes import ALL, CHANNELS, TAKE_ALL, VALUES_CENTS, Keeper
from support.scripted_unit import SETUP
from support.ssp_bench import SspWire, draw, join, running, sealed_host
from support.wire import Harm, Wire, byte_by_byte, unharmed

from drivers.bills.events import (
    BillEvent,
    BillOrder,
    Enabled,
    Offered,
    Return,
    Stack,
    Stacked,
    Take,
    TroubleBegan,
)
from drivers.bills.ssp.codec import Command
from drivers.bills.ssp.exchange import Exchange
from drivers.bills.ssp.frame import Decoder, Frame, encode
from drivers.bills.ssp.host import SspProtocol, SspTiming
from drivers.bills.ssp.secret import SEALED, Seal, Secrecy, seal
from drivers.protocol import Confirm
from drivers.simulated.nv9 import NV9

PIECES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.builds(
            lambda sequence, data: encode(Frame(sequence=sequence, address=0, data=data)),
            st.booleans(),
            st.one_of(
                st.binary(min_size=1, max_size=12),
                st.lists(st.integers(0xB5, 0xFF), max_size=8).map(lambda events: b"\xf0" + bytes(events)),
            ),
        ),
        st.sampled_from(
            [
                Stack(),
                Return(),
                TAKE_ALL,
                Take(channels=ALL, tickets=True),
                Take(channels=frozenset()),
                Confirm(receipt=1),
            ]
        ),
        st.floats(0.0, 3.0),
        st.sampled_from(["open", "close"]),
    ),
    max_size=60,
)


@pytest.mark.parametrize("always", [False, True])
@given(pieces=PIECES)
def test_no_bytes_orders_or_times_make_it_raise(*, always: bool, pieces: list[bytes | BillOrder | float | str]) -> None:
    protocol = SspProtocol(timing=SspTiming(repeats=1), secrecy=Secrecy(draw=draw, always=always))
    protocol.opened(0.0)
    now = 0.0
    for piece in pieces:
        match piece:
            case bytes():
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
                protocol.order(piece, now)
        protocol.bytes_to_send()
        protocol.events()


class Babbler:
    """A unit that answers each command with a valid frame of random content, and sometimes with noise."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        rng = self._rng
        answer = rng.choice([b"\xf0", b"\xf0", b"\xf0", rng.randbytes(1)])
        codes = b"\xb5\xb6\xcc\xd1\xe1\xe2\xe3\xe4\xe6\xe9\xeb\xec\xed\xee\xef\xf1\x01\x02\x03"
        body = answer + bytes(rng.choices(codes, k=rng.randrange(4))) + rng.randbytes(rng.randrange(3))
        if len(data) > 3 and data[3] == Command.SETUP:
            body = b"\xf0" + SETUP
        sequence = len(data) > 1 and data[1] >= 0x80
        self._owed += encode(Frame(sequence=sequence, address=0, data=body)) + rng.randbytes(rng.randrange(3))

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


@pytest.mark.parametrize("seed", range(8))
def test_a_babbling_unit_never_makes_it_raise_or_stop_asking(seed: int) -> None:
    rng = random.Random(seed)
    wire = join(Babbler(seed))
    for _ in range(300):
        wire.run(rng.random())
        wire.order(rng.choice([Stack(), Return(), TAKE_ALL, Confirm(receipt=rng.randrange(9))]))
    asked = len(wire.sent)
    wire.run(30.0)
    assert len(wire.sent) > asked


NOISE_BYTES = 12_500
"""In make test; `breadth` times as many elsewhere."""
BAD_DAYS = 8


@pytest.mark.no_cover
@pytest.mark.parametrize("always", [False, True])
def test_noise_in_bulk_is_dropped(*, always: bool, breadth: int) -> None:
    protocol = sealed_host(always=always)
    protocol.opened(0.0)
    rng = random.Random(NOISE_BYTES)
    for _ in range(breadth * NOISE_BYTES // 1_000):
        protocol.receive(rng.randbytes(1_000), 0.1)
    assert [event for event in protocol.events() if not isinstance(event, TroubleBegan)] == []


@pytest.mark.no_cover
@pytest.mark.parametrize("encryption", ["offered", "demanded"])
def test_a_unit_in_noise_is_silent_and_answers_afterwards(
    encryption: Literal["offered", "demanded"], breadth: int
) -> None:
    nv9 = NV9(CHANNELS, encryption=encryption)
    wire = running(nv9, sealed_host())
    rng = random.Random(NOISE_BYTES)
    for _ in range(breadth * NOISE_BYTES // 1_000):
        nv9.receive(rng.randbytes(1_000), wire.now)
    assert nv9.bytes_to_send() == b""
    wire.run(5.0)
    wire.run_until(lambda: nv9.insert(2000))
    assert wire.run_until_event(Offered).value_cents == 2000


def test_any_single_flipped_bit_of_a_sealed_reply_is_refused_and_the_repeat_is_taken() -> None:
    key = bytes(range(16))
    command, reply = b"\x56", b"\xf0\xee\x05"
    wire = encode(Frame(sequence=True, address=0, data=seal(key, 1, reply, draw)))
    for bit in range(8 * len(wire)):
        damaged = bytearray(wire)
        damaged[bit // 8] ^= 1 << bit % 8
        exchange = Exchange(address=0)
        exchange.seal = Seal(key, draw)
        exchange.write(command)
        assert exchange.receive(bytes(damaged)) is None, f"bit {bit}"
        assert reply in (exchange.receive(wire), exchange.receive(wire)), f"bit {bit}"


def test_a_replayed_sealed_frame_is_dropped() -> None:
    nv9 = NV9(CHANNELS, encryption="demanded")
    wire = running(nv9, sealed_host())
    overheard = [chunk for chunk in wire.sent if Decoder().feed(chunk)[0].data[0] == SEALED]
    for chunk in overheard[:-1]:
        nv9.receive(chunk, wire.now)
        other = Decoder().feed(chunk)[0]
        nv9.receive(encode(Frame(sequence=not other.sequence, address=0, data=other.data)), wire.now)
    answers = Decoder().feed(nv9.bytes_to_send())
    assert all(answer.data[0] == SEALED for answer in answers)  # a stored reply at most, executed nothing
    assert nv9.enabled
    wire.run(5.0)
    assert not [event for event in wire.events if isinstance(event, TroubleBegan)]


def test_twenty_percent_loss_each_way_only_slows_a_note_down() -> None:
    nv9 = NV9(CHANNELS)
    wire: SspWire = Wire(SspProtocol(), nv9, damage=Harm(lost=0.2).by(random.Random(6)))
    wire.connect()
    wire.order(Take(channels=ALL))
    wire.run_until_event(Enabled, at_most_s=300.0)
    wire.run_until(lambda: nv9.insert(2000), at_most_s=300.0)
    wire.run_until_event(Offered, at_most_s=300.0)
    wire.order(Stack())
    wire.run_until_event(Stacked, at_most_s=300.0)
    assert nv9.stacked == [2000]


class Street:
    """The cabinet's books at an acceptor on a bad line with faults: everything drawn from one seed."""

    def __init__(self, seed: int, *, knows_acks: bool, sealed: bool = False) -> None:
        self.rng = random.Random(seed)
        self.nv9 = NV9(CHANNELS, knows_acks=knows_acks, encryption="demanded" if sealed else "offered")
        self.keeper = Keeper()
        self.wire: SspWire = Wire(sealed_host(), self.nv9, damage=self._draw_harm().by(self.rng), on_event=self._act)
        self.crash, self.power_cut, self.unplug = (self.rng.choice(odds) for odds in ((0, 0.1), (0, 0.1), (0, 0.02)))
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
        for order in self.keeper.handle(event):
            self.wire.protocol.order(order, self.wire.now)

    def take_notes(self, count: int) -> None:
        """Puts notes in until this many were drawn in, then restores the line and waits until nothing moves."""
        while count > 0:
            count -= self.nv9.insert(self.rng.choice(VALUES_CENTS))
            end = self.wire.now + 4.0
            while self.wire.now < end:
                self.wire.run(self.rng.random() * 0.7)
                self._have_bad_luck()
        self.wire.damage = unharmed
        self.wire.run(60.0)

    def _have_bad_luck(self) -> None:
        luck = self.rng.random()
        if luck < self.crash:
            self.wire.restart_host(sealed_host())
            self.wire.order(TAKE_ALL)
        elif luck < self.crash + self.power_cut:
            self.nv9.power_cycle(to_cashbox=self.rng.random() < 0.6, knows_note=self.rng.random() < 0.7)
        elif luck < self.crash + self.power_cut + self.unplug:
            self.wire.disconnect()
            self.wire.run(self.rng.random() * 20.0)
            self.wire.connect()


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize(
    ("knows_acks", "sealed"), [(True, False), (False, False), (True, True), (False, True)], ids=str
)
def test_no_bad_day_credits_more_than_went_into_the_box_nor_passes_a_note_over(
    *, knows_acks: bool, sealed: bool, breadth: int
) -> None:
    for seed in range(breadth * BAD_DAYS // (4 if sealed else 1)):
        street = Street(seed, knows_acks=knows_acks, sealed=sealed)
        street.take_notes(12)
        keeper, stacked = street.keeper, Counter(street.nv9.stacked)
        assert not Counter(keeper.credited) - stacked, f"seed {seed}: credited what is not in the box"
        assert keeper.intent_cents is None, f"seed {seed}: a note that stays open"
        if knows_acks:
            reported = Counter([*keeper.credited, *keeper.unexpected, *keeper.doubtful])
            assert not stacked - reported, f"seed {seed}: an unreported note in the box"


@pytest.mark.requirement("BA-02")
def test_on_a_good_line_every_note_is_credited_and_nothing_is_left_to_doubt() -> None:
    street = Street(0, knows_acks=True)
    street.wire.damage = unharmed
    street.crash = street.power_cut = street.unplug = 0.0
    street.take_notes(100)
    keeper = street.keeper
    assert keeper.credited == street.nv9.stacked
    assert (len(keeper.credited), keeper.doubtful, keeper.unexpected, keeper.returned) == (100, [], [], 0)


@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("sealed", [False, True])
def test_one_byte_at_a_time_makes_no_difference(*, sealed: bool) -> None:
    street = Street(0, knows_acks=True, sealed=sealed)
    street.wire.damage = byte_by_byte
    street.crash = street.power_cut = street.unplug = 0.0
    street.take_notes(10)
    assert street.keeper.credited == street.nv9.stacked
    assert len(street.nv9.stacked) == 10
