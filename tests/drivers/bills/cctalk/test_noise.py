"""ccTalk on bad lines and with bad units: any bytes, loss, damage, power cuts, restarts."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cctalk_bench import CcTalkWire, Unit
from support.notes import TAKE_ALL, VALUES_CENTS, Keeper
from support.wire import Harm, Wire, unharmed

from drivers.bills.cctalk.frame import Check, Frame, encode
from drivers.bills.cctalk.host import CcTalkProtocol, CcTalkTiming
from drivers.bills.events import BillEvent, BillOrder, Return, Stack, Stacked, Take
from drivers.protocol import Confirm

PIECES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.binary(max_size=12).map(lambda data: encode(Frame(destination=1, source=40, header=0, data=data), CHECK)),
        st.just("echo"),
        st.sampled_from([Stack(), Return(), TAKE_ALL, Take(channels=frozenset()), Confirm(receipt=1)]),
        st.floats(0.0, 3.0),
        st.sampled_from(["open", "close"]),
    ),
    max_size=60,
)
CHECK = Check.SIMPLE


@given(PIECES)
def test_no_bytes_orders_or_times_make_it_raise(pieces: list[bytes | BillOrder | float | str]) -> None:
    protocol = CcTalkProtocol(timing=CcTalkTiming(repeats=1))
    protocol.opened(0.0)
    now, sent = 0.0, b""
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
                protocol.receive(sent, now)
            case _:
                protocol.order(piece, now)
        sent = protocol.bytes_to_send() or sent
        protocol.events()


class Babbler:
    """A unit that answers each command with its echo and a valid frame of random content, sometimes plausible."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._unit = Unit()
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        rng = self._rng
        self._unit.receive(data, now)
        honest = self._unit.bytes_to_send()
        babble = rng.randbytes(rng.choice([0, 1, 2, 7, 11, 11]))
        reply = encode(Frame(destination=1, source=40, header=rng.choice([0, 0, 0, 5, 6]), data=babble), CHECK)
        self._owed += honest if rng.random() < 0.9 else data + reply

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(6))
def test_a_babbling_unit_never_makes_it_raise_or_stop_asking(seed: int) -> None:
    rng = random.Random(seed)
    wire: CcTalkWire = Wire(CcTalkProtocol(), Babbler(seed))
    wire.connect()
    for _ in range(200):
        wire.run(rng.random())
        wire.order(rng.choice([Stack(), Return(), TAKE_ALL, Confirm(receipt=rng.randrange(9))]))
    asked = len(wire.sent)
    wire.run(30.0)
    assert len(wire.sent) > asked


@pytest.mark.parametrize("check", list(Check))
def test_noise_in_bulk_is_never_money(check: Check) -> None:
    """The host asks all the time, so that noise can be mistaken for a reply."""
    rng = random.Random(1)
    unit = Unit(check=check)
    wire: CcTalkWire = Wire(CcTalkProtocol(timing=CcTalkTiming(reply_timeout_s=0.05)), unit)
    wire.connect()
    wire.order(TAKE_ALL)
    wire.damage = lambda _: [(0.0, rng.randbytes(400))]
    received = 0
    while received < 500_000:
        wire.run(1.0)
        received = 400 * len(wire.sent)
        wire.protocol.receive(rng.randbytes(20_000), wire.now)
        received += 20_000
    assert not [event for event in wire.events if isinstance(event, Stacked)]


class Street:
    """The cabinet's books at an acceptor on a bad line with faults: everything drawn from one seed."""

    def __init__(self, seed: int, *, check: Check) -> None:
        self.rng = random.Random(seed)
        self.unit = Unit(check=check)
        self.keeper = Keeper()
        harm = self._draw_harm().by(self.rng)
        self.wire: CcTalkWire = Wire(CcTalkProtocol(), self.unit, damage=harm, on_event=self._act)
        self.crash, self.power_cut, self.unplug = (self.rng.choice(odds) for odds in ((0, 0.03), (0, 0.03), (0, 0.02)))
        self.wire.connect()
        self.wire.order(TAKE_ALL)

    def _draw_harm(self) -> Harm:
        rng = self.rng
        return Harm(
            lost=rng.choice([0.0, 0.05, 0.15]),
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
            self.wire.restart_host(CcTalkProtocol())
            self.wire.order(TAKE_ALL)
        elif luck < self.crash + self.power_cut:
            self.unit.power_cycle(to_cashbox=self.rng.random() < 0.6)
        elif luck < self.crash + self.power_cut + self.unplug:
            self.wire.disconnect()
            self.wire.run(self.rng.random() * 20.0)
            self.wire.connect()


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
@pytest.mark.parametrize("check", list(Check))
def test_no_bad_day_credits_more_than_went_into_the_box_nor_passes_a_note_over(check: Check) -> None:
    for seed in range(15):
        street = Street(seed, check=check)
        street.take_notes(8)
        keeper, stacked = street.keeper, Counter(street.unit.stacked)
        assert not Counter(keeper.credited) - stacked, f"seed {seed}: credited what is not in the box"
        reported = Counter([*keeper.credited, *keeper.unexpected, *keeper.doubtful])
        assert not stacked - reported, f"seed {seed}: an unreported note in the box"


@pytest.mark.requirement("BA-02")
def test_on_a_good_line_every_note_is_credited_and_nothing_is_left_to_doubt() -> None:
    street = Street(0, check=CHECK)
    street.wire.damage = unharmed
    street.crash = street.power_cut = street.unplug = 0.0
    street.take_notes(100)
    keeper = street.keeper
    assert keeper.credited == street.unit.stacked
    assert (len(keeper.credited), keeper.doubtful, keeper.unexpected, keeper.returned) == (100, [], [], 0)
