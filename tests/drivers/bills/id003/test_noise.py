"""ID-003 on bad lines and with bad units: any bytes, loss, damage, power cuts, restarts."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.id003_bench import NOTE_TYPES, join
from support.notes import TAKE_ALL
from support.street import Street
from support.wire import byte_by_byte

from drivers.bills.events import BillOrder, Return, Stack, Take, TroubleBegan
from drivers.bills.id003.codec import STATES, write_note_table
from drivers.bills.id003.frame import Frame, encode
from drivers.bills.id003.host import Id003Protocol, Id003Timing
from drivers.protocol import Confirm
from drivers.simulated.uba import UBA, Timings

TAKE_TICKETS = Take(channels=TAKE_ALL.channels, tickets=True)
TICKET = encode(Frame(code=0x13, data=b"\x6f001234567890123456"))
PIECES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.builds(
            lambda code, data: encode(Frame(code=code, data=data)),
            st.sampled_from([*STATES, 0x50, 0x4B, 0x88, 0x8A, 0xC0, 0xC3]),
            st.binary(max_size=8),
        ),
        st.sampled_from([Stack(), Return(), TAKE_ALL, TAKE_TICKETS, Take(channels=frozenset()), Confirm(receipt=1)]),
        st.just(TICKET),
        st.floats(0.0, 3.0),
        st.sampled_from(["open", "close"]),
    ),
    max_size=60,
)


@given(PIECES)
def test_no_bytes_orders_or_times_make_it_raise(pieces: list[bytes | BillOrder | float | str]) -> None:
    protocol = Id003Protocol(timing=Id003Timing(repeats=1))
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
        rng, command = self._rng, data[2]
        answers = [
            Frame(code=rng.choice(list(STATES)), data=bytes(rng.choices(range(0x60, 0x72), k=rng.randrange(3)))),
            Frame(code=0x13, data=b"\x6f" + rng.choice([b"001234567890123456", b"7", b"", b"\xff"])),
            Frame(code=0x50),
            Frame(code=command, data=data[3:-2]),
            Frame(code=0x8A, data=write_note_table(NOTE_TYPES)),
            Frame(code=0x88, data=b"V1"),
            Frame(code=0x4B),
        ]
        self._owed += b"".join(encode(answer) for answer in rng.sample(answers, k=rng.randrange(1, 6)))
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
        wire.order(rng.choice([Stack(), Return(), TAKE_ALL, TAKE_TICKETS, Confirm(receipt=rng.randrange(9))]))
    asked = len(wire.sent)
    wire.run(30.0)
    assert len(wire.sent) > asked


def test_noise_in_bulk_is_dropped() -> None:
    protocol = Id003Protocol()
    protocol.opened(0.0)
    rng = random.Random(1)
    for second in range(100):
        protocol.receive(rng.randbytes(10_000), second * 0.01)
    assert [event for event in protocol.events() if not isinstance(event, TroubleBegan)] == []


def make_street(seed: int, *, bad_days: bool = True, crashes: bool = True) -> tuple[UBA, Street]:
    uba = UBA(
        NOTE_TYPES,
        remembers_credit=seed % 2 == 0,
        reports_recovered=seed % 4 < 2,
        timings=Timings(initialising_s=1.0, boot_s=1.0),
    )
    street = Street(
        seed,
        uba,
        lambda: Id003Protocol(currency="USD"),
        lambda rng: uba.power_cycle(to_stacker=rng.random() < 0.6),
        bad_days=bad_days,
        crashes=crashes,
    )
    return uba, street


@pytest.mark.no_cover
@pytest.mark.requirement("BA-01", "BA-02", "BA-03")
def test_no_bad_day_credits_more_than_went_into_the_box_nor_passes_a_note_over() -> None:
    taken = 0
    for seed in range(28):
        uba, street = make_street(seed)
        street.go_on(tries=20)
        keeper, stacked = street.keeper, Counter(uba.stacked)
        taken += len(uba.stacked)
        assert not Counter(keeper.credited) - stacked, f"seed {seed}: credited what is not in the box"
        passed_over = stacked - Counter([*keeper.credited, *keeper.doubtful])
        assert passed_over.total() <= len(keeper.unexpected), f"seed {seed}: an unreported note in the box"
        assert street.reported_stacked <= len(uba.stacked) + street.crashed, (
            f"seed {seed}: more notes reported than stacked"
        )
    assert taken > 150


@pytest.mark.no_cover
@pytest.mark.requirement("BA-02")
def test_within_one_life_of_the_host_no_note_is_reported_twice_whatever_the_line_and_the_power_do() -> None:
    for seed in range(40, 58):
        uba, street = make_street(seed, crashes=False)
        street.go_on(tries=20)
        assert street.reported_stacked <= len(uba.stacked), f"seed {seed}"
        assert street.keeper.unexpected == [], f"seed {seed}"


@pytest.mark.requirement("BA-02")
def test_on_a_good_line_every_note_is_credited_and_nothing_is_left_to_doubt() -> None:
    uba, street = make_street(0, bad_days=False)
    street.go_on(tries=60)
    keeper = street.keeper
    assert keeper.credited == uba.stacked
    assert len(keeper.credited) >= 50
    assert (keeper.doubtful, keeper.unexpected, keeper.returned) == ([], [], 0)


@pytest.mark.requirement("BA-02")
def test_one_byte_at_a_time_makes_no_difference() -> None:
    uba, street = make_street(0, bad_days=False)
    street.wire.damage = byte_by_byte
    street.go_on(tries=12)
    assert street.keeper.credited == uba.stacked
    assert len(uba.stacked) >= 8
