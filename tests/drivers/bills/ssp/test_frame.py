"""SSP frames: known vectors both ways, doubling, damage."""

from hypothesis import given
from hypothesis import strategies as st
from support.cases import case
from support.ssp_vectors import VECTORS

from drivers.bills.ssp.frame import Decoder, Frame, encode

FRAMES = st.builds(
    Frame, sequence=st.booleans(), address=st.integers(0, 0x7D), data=st.binary(min_size=1, max_size=255)
)
NASTY = st.lists(st.sampled_from([0x7F, 0x00, 0x01, 0x80, 0xF0]), max_size=40).map(bytes)


def frame_of(head: int, data: bytes) -> Frame:
    return Frame(sequence=head >= 0x80, address=head & 0x7F, data=data)


def test_a_known_frame_is_written_and_read_byte_for_byte() -> None:
    for meaning, head, data, wire in VECTORS:
        with case(meaning=meaning, head=head, data=data, wire=wire):
            assert encode(frame_of(head, data)) == wire
            assert Decoder().feed(wire) == (frame_of(head, data),)


def test_a_known_frame_is_read_byte_by_byte() -> None:
    for meaning, head, data, wire in VECTORS:
        with case(meaning=meaning, head=head, data=data, wire=wire):
            decoder = Decoder()
            pieces = [decoder.feed(bytes((byte,))) for byte in wire]
            assert pieces == [()] * (len(wire) - 1) + [(frame_of(head, data),)]


def test_every_single_flipped_bit_is_refused() -> None:
    for meaning, head, data, wire in VECTORS:
        with case(meaning=meaning, head=head, data=data, wire=wire):
            for bit in range(8 * len(wire)):
                damaged = bytearray(wire)
                damaged[bit // 8] ^= 1 << bit % 8
                assert Decoder().feed(bytes(damaged)) == (), f"bit {bit}"


def test_a_frame_cut_anywhere_does_not_harm_the_next_one() -> None:
    for meaning, head, data, wire in VECTORS:
        with case(meaning=meaning, head=head, data=data, wire=wire):
            for length in range(len(wire)):
                inside_a_pair = wire[1:length].replace(b"\x7f\x7f", b"").endswith(b"\x7f")
                # Half a pair and the next start look like a pair: the repeat gets through.
                repeats = 2 if inside_a_pair else 1
                with case(length=length):
                    assert Decoder().feed(wire[:length] + wire * repeats) == (frame_of(head, data),)


@given(FRAMES)
def test_what_is_written_is_read_again(frame: Frame) -> None:
    assert Decoder().feed(encode(frame)) == (frame,)


@given(st.lists(FRAMES, max_size=4), st.integers(1, 9))
def test_frames_in_a_row_are_read_however_they_are_cut(frames: list[Frame], size: int) -> None:
    wire = b"".join(encode(frame) for frame in frames)
    decoder = Decoder()
    pieces = [decoder.feed(wire[at : at + size]) for at in range(0, len(wire), size)]
    assert [frame for piece in pieces for frame in piece] == frames


@given(st.one_of(st.binary(max_size=200), NASTY), FRAMES)
def test_a_frame_after_garbage_is_read_at_the_latest_when_repeated(garbage: bytes, frame: Frame) -> None:
    assert frame in Decoder().feed(garbage + encode(frame) + encode(frame))


def test_no_seven_f_stands_alone_behind_the_start() -> None:
    wire = encode(Frame(sequence=True, address=0, data=b"\x7f\x7f\x01\x7f"))
    assert wire[1:].replace(b"\x7f\x7f", b"").count(b"\x7f") == 0


def test_forgetting_drops_half_a_frame() -> None:
    decoder = Decoder()
    decoder.feed(bytes.fromhex("7F 80 01 F0 23"))
    decoder.forget()
    assert decoder.feed(b"\x80") == ()
