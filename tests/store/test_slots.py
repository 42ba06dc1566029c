"""The number in two slots: what holds, what does not, and what a program without slots reads in it."""

import pytest

from cabinet.store import slots

SLOT = len(slots.slot(0))


def test_a_number_comes_back_from_both_slots() -> None:
    for number in (0, 1, 42, 10**18 - 1):
        assert slots.numbers(slots.whole(number)) == (number, number)
        assert slots.newest(slots.whole(number)) == number


def test_the_higher_of_two_slots_counts_whichever_it_is() -> None:
    for one, other in ((3, 4), (4, 3)):
        content = slots.whole(one)[: slots.place(1)] + slots.slot(other)
        assert slots.numbers(content) == (one, other)
        assert slots.newest(content) == 4


@pytest.mark.requirement("PL-07")
def test_every_single_flipped_bit_of_a_slot_is_noticed() -> None:
    sound = slots.whole(9_007)
    for which in range(slots.COUNT):
        for at in range(slots.place(which), slots.place(which) + SLOT):
            for bit in range(8):
                content = bytearray(sound)
                content[at] ^= 1 << bit
                found = slots.numbers(bytes(content))
                assert (found[which], found[1 - which]) == (None, 9_007), (at, bit)


def test_slots_lie_in_pages_of_their_own() -> None:
    pages = {(slots.place(which) + n) // slots.PAGE for which in range(slots.COUNT) for n in (0, SLOT - 1)}
    assert len(pages) == slots.COUNT


def test_a_program_without_slots_reads_the_number_in_the_first_page() -> None:
    """It reads 4096 bytes and takes what is left without the spaces around for the number."""
    assert slots.whole(77)[:4096].strip() == b"%020d" % 77


def test_a_file_without_slots_holds_one_number() -> None:
    for content, number in ((b"%020d\n" % 5, 5), (b"%020d" % 5, 5), (b"%020d\n" % 0, 0)):
        assert slots.numbers(content) == (number,)
    for content in (b"9" * 20 + b"\n", b"%020d\n\0" % 5, b"\0" * 21, b"-%019d\n" % 5, b""):
        assert slots.newest(content) is None


def test_a_truncated_mark_never_gives_a_lower_number() -> None:
    sound = slots.whole(123)
    for size in (*range(20), *range(22, 200), slots.PAGE - 1, slots.PAGE, slots.PAGE + 1, slots.place(1) - 1):
        assert slots.newest(sound[:size]) in {None, 123}
