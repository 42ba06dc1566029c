"""The hash chain: no field, and no border between fields, can change unnoticed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.store.chain import START, StepRow, digest, link

ROW = StepRow(1, 2, 3, 4, 1, 5, 6, '{"is":"Deal"}', "[1]", "[]", "{}", "[]", "{}", b"m" * 16)


@pytest.mark.requirement("EV-05")
@pytest.mark.parametrize("field", StepRow._fields)
def test_every_field_counts(field: str) -> None:
    value = getattr(ROW, field)
    other = value + (b"x" if isinstance(value, bytes) else "x" if isinstance(value, str) else 1)
    assert link(START, ROW._replace(**{field: other})) != link(START, ROW)


@pytest.mark.requirement("EV-05")
def test_what_stood_before_counts() -> None:
    assert link(link(START, ROW), ROW) != link(START, ROW)


@pytest.mark.requirement("EV-05")
@given(st.text(min_size=1, max_size=8), st.data())
def test_borders_between_fields_count(words: str, data: st.DataObject) -> None:
    """The same characters, cut at two different places, are two different rows."""
    one, two = sorted(data.draw(st.sets(st.integers(0, len(words)), min_size=2, max_size=2)))
    first = ROW._replace(events=words[:one], tickets=words[one:])
    second = ROW._replace(events=words[:two], tickets=words[two:])
    assert link(START, first) != link(START, second)


def test_bytes_that_are_no_text_are_another_row() -> None:
    damaged = ROW._replace(input=b'{"is":"\xff"}'.decode(errors="surrogateescape"))
    assert link(START, damaged) != link(START, ROW)


def test_a_digest_has_128_bits_and_depends_on_every_byte() -> None:
    assert len(digest(b"machine")) == 16
    assert digest(b"machine") != digest(b"machinE")
