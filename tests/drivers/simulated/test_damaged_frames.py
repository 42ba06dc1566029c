"""No simulated acceptor executes a known frame with a single flipped bit."""

from support.acceptors import KINDS
from support.cases import case
from support.cctalk_vectors import VECTORS as CCTALK
from support.ebds_vectors import VECTORS as EBDS
from support.id003_vectors import VECTORS as ID003
from support.ssp_vectors import VECTORS as SSP

from drivers.bills.cctalk.frame import Check

KNOWN: tuple[tuple[str, bytes], ...] = (
    *(("ssp with acks", wire) for *_, wire in SSP),
    *(("id003", wire) for *_, wire in ID003),
    *(("ebds", wire) for *_, wire in EBDS),
    *(("cctalk" if check is Check.SIMPLE else "cctalk with crc", wire) for _, check, _, wire in CCTALK),
)


def test_a_frame_with_a_flipped_bit_gets_no_answer() -> None:
    for name, wire in KNOWN:
        with case(name=name, wire=wire):
            for bit in range(8 * len(wire)):
                damaged = bytearray(wire)
                damaged[bit // 8] ^= 1 << bit % 8
                unit = KINDS[name].unit()
                unit.tick(100.0)
                unit.bytes_to_send()
                unit.receive(bytes(damaged), 100.0)
                echo = bytes(damaged) if name.startswith("cctalk") else b""
                assert unit.bytes_to_send() == echo, f"bit {bit}"
