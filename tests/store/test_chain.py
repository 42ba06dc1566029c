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


@given(st.text(max_size=5), st.text(max_size=5), st.text(max_size=5), st.text(max_size=5))
def test_borders_between_fields_count(a: str, b: str, c: str, d: str) -> None:
    one, two = ROW._replace(events=a, tickets=b), ROW._replace(events=c, tickets=d)
    assert (link(START, one) == link(START, two)) is ((a, b) == (c, d))


def test_bytes_that_are_no_text_are_another_row() -> None:
    damaged = ROW._replace(input=b'{"is":"\xff"}'.decode(errors="surrogateescape"))
    assert link(START, damaged) != link(START, ROW)


def test_a_digest_has_128_bits_and_depends_on_every_byte() -> None:
    assert len(digest(b"machine")) == 16
    assert digest(b"machine") != digest(b"machinE")
