"""EBDS on bad lines and with bad units: any bytes, loss, damage, power cuts, restarts."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ebds_bench import join
from support.notes import CHANNELS, TAKE_ALL
from support.street import Street
from support.wire import byte_by_byte

from drivers.bills.ebds.codec import NOTE_TABLES, NoteMessage, Policy, write_note
from drivers.bills.ebds.frame import Frame, Kind, encode
from drivers.bills.ebds.host import EbdsProtocol, EbdsTiming
from drivers.bills.events import BillOrder, Return, Stack, Take, TroubleBegan
from drivers.protocol import Confirm
from drivers.simulated.cashflow import Cashflow, Timings

STATES = st.lists(st.integers(0, 0x7F), min_size=6, max_size=6).map(bytes)
NOTE = write_note(NoteMessage(index=0, currency="USD", value_cents=500))
PIECES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.builds(
            lambda kind, ack, data: encode(Frame(kind=kind, ack=ack, data=data)),
            st.sampled_from([Kind.REPLY, Kind.AUXILIARY, Kind.EXTENDED]),
            st.booleans(),
            st.one_of(STATES, STATES.map(lambda state: b"\x02" + state + NOTE)),
        ),
        st.sampled_from([Stack(), Return(), TAKE_ALL, Take(channels=frozenset()), Confirm(receipt=1)]),
        st.floats(0.0, 3.0),
        st.sampled_from(["open", "close"]),
    ),
    max_size=60,
)


@given(PIECES, st.booleans())
def test_no_bytes_orders_or_times_make_it_raise(
    pieces: list[bytes | BillOrder | float | str],
    pyramid: bool,
) -> None:
    protocol = EbdsProtocol(timing=EbdsTiming(repeats=1), values_cents=NOTE_TABLES["USD"] if pyramid else None)
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
    """A unit that answers each message with valid frames of random content, and sometimes with noise."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        rng, ack = self._rng, bool(data[2] & 1)
        state = bytes((rng.choice([0, *(1 << bit for bit in range(7)), 0x11, 0x41]), *rng.choices(range(0x80), k=5)))
        answers = [
            Frame(kind=Kind.REPLY, ack=ack, data=state),
            Frame(kind=Kind.EXTENDED, ack=ack, data=b"\x02" + state + NOTE),
            Frame(kind=Kind.AUXILIARY, ack=ack, data=b"SC66"),
            Frame(kind=Kind.REPLY, ack=not ack, data=state),
        ]
        self._owed += b"".join(encode(answer) for answer in rng.sample(answers, k=rng.randrange(1, 4)))
        self._owed += rng.randbytes(rng.randrange(3))

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(8))
def test_a_babbling_unit_never_makes_it_raise_or_stop_asking(seed: int) -> None:
    rng = random.Random(seed)
    wire = join(Babbler(seed))
    for _ in range(200):
        wire.run(rng.random())
        wire.order(rng.choice([Stack(), Return(), TAKE_ALL, Confirm(receipt=rng.randrange(9))]))
    asked = len(wire.sent)
    wire.run(30.0)
    assert len(wire.sent) > asked


@pytest.mark.no_cover
def test_noise_in_bulk_is_dropped() -> None:
    protocol = EbdsProtocol()
    protocol.opened(0.0)
    rng = random.Random(1)
    for hundredth in range(100):
        protocol.receive(rng.randbytes(10_000), hundredth * 0.01)
    assert [event for event in protocol.events() if not isinstance(event, TroubleBegan)] == []


def make_street(seed: int, *, bad_days: bool = True, crashes: bool = True) -> tuple[Cashflow, Street]:
    extended = seed % 2 == 0
    unit = Cashflow(
        CHANNELS, extended=extended, keeps_event=seed % 4 < 2, lingers=seed % 3, timings=Timings(boot_s=1.0)
    )

    def make() -> EbdsProtocol:
        values_cents = None if extended else NOTE_TABLES["USD"]
        return EbdsProtocol(currency="USD", values_cents=values_cents, policy=Policy(seed // 2 % 3))

    def cut_power(_: random.Random) -> None:
        unit.take_out()
        unit.power_cycle()

    return unit, Street(seed, unit, make, cut_power, bad_days=bad_days, crashes=crashes)


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
def test_no_bad_day_credits_more_than_went_into_the_box_nor_passes_a_note_over(breadth: int) -> None:
    taken, days = 0, 8 * breadth
    for seed in range(days):
        unit, street = make_street(seed)
        street.go_on(tries=15)
        unit.take_out()
        street.wire.run(20.0)
        keeper, stacked = street.keeper, Counter(unit.stacked)
        taken += len(unit.stacked)
        assert not Counter(keeper.credited) - stacked, f"seed {seed}: credited what is not in the box"
        passed_over = stacked - Counter([*keeper.credited, *keeper.doubtful])
        assert passed_over.total() <= len(keeper.unexpected), f"seed {seed}: an unreported note in the box"
        assert street.reported_stacked <= len(unit.stacked) + street.crashed, (
            f"seed {seed}: more notes reported than stacked"
        )
    assert taken > 4 * days


@pytest.mark.no_cover
@pytest.mark.requirement("BA-02")
def test_within_one_life_of_the_host_no_note_is_reported_twice_whatever_the_line_and_the_power_do() -> None:
    for seed in range(30, 42):
        unit, street = make_street(seed, crashes=False)
        street.go_on(tries=15)
        assert street.reported_stacked <= len(unit.stacked), f"seed {seed}"
        assert street.keeper.unexpected == [], f"seed {seed}"


@pytest.mark.no_cover
@pytest.mark.requirement("BA-02")
@pytest.mark.parametrize("seed", [0, 1, 2, 5])
def test_on_a_good_line_every_note_is_credited_and_nothing_is_left_to_doubt(seed: int) -> None:
    unit, street = make_street(seed, bad_days=False)
    street.go_on(tries=20)
    keeper = street.keeper
    assert keeper.credited == unit.stacked
    assert len(keeper.credited) >= 15
    assert (keeper.doubtful, keeper.unexpected, keeper.returned) == ([], [], 0)


@pytest.mark.requirement("BA-02")
def test_one_byte_at_a_time_makes_no_difference() -> None:
    unit, street = make_street(0, bad_days=False)
    street.wire.damage = byte_by_byte
    street.go_on(tries=8)
    assert street.keeper.credited == unit.stacked
    assert len(unit.stacked) >= 5
