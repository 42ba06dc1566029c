"""The signed figures of the books."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.cases import case
from support.machines import seated

from cabinet.attendant.data import AttendantData
from cabinet.engine.state import Settings
from cabinet.runtime.signed_statement import StatementSigner
from cabinet.statement.code import LONGEST, modules
from cabinet.statement.signing import check, public_key, signing_key
from cabinet.statement.text import read_lines
from cabinet.tools.gallery_books import busy_data

SECRET = bytes(range(32))
HASH = b"^" * 32


@pytest.fixture
def data() -> AttendantData:
    return busy_data(seated("table", credit=12_300).machine, Settings())


def at_row(row: int) -> StatementSigner:
    return StatementSigner(SECRET, lambda: (row, HASH))


def lines_of(signed: str) -> dict[str, str]:
    return dict(read_lines(check(signed).text))


def test_the_statement_is_signed_with_the_key_of_the_secret(data):
    signer = at_row(9)
    key = public_key(signing_key(SECRET))
    assert signer.public_key == key
    assert check(signer.statement(data), key).key == key


def test_the_statement_names_the_row_and_its_hash(data):
    found = lines_of(at_row(48_210).statement(data))
    assert (found["Row"], found["Hash"], found["Credit"]) == ("48210", HASH.hex()[:32], "$123.00")


def test_the_figures_are_signed_anew_after_each_row_and_at_each_time(data):
    rows = [1]
    signer = StatementSigner(SECRET, lambda: (rows[-1], HASH))
    first = signer.statement(data)
    assert signer.statement(data) is first
    rows.append(2)
    assert lines_of(signer.statement(data))["Row"] == "2"
    assert lines_of(signer.statement(replace(data, time="later")))["Time"] == "later"


def _largest(meters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _largest(value) if isinstance(value, Mapping) else 2**63 - 1 for name, value in meters.items()}


@pytest.mark.parametrize(
    "venue", ["A" * 2_000, "\N{SNOW CAPPED MOUNTAIN}\N{GRINNING FACE}" * 300, "two\nlines\x00", ""]
)
def test_a_statement_always_fits_a_code(data, venue):
    for name, meters in {"busy": data.meters, "the largest": _largest(data.meters)}.items():
        with case(meters=name):
            large = replace(data, venue=venue, meters=meters, sign="\N{POUND SIGN}")
            signed = at_row(2**63 - 1).statement(large)
            assert len(signed.encode()) <= LONGEST
            assert modules(signed)
            assert lines_of(signed)["Row"] == f"{2**63 - 1}"


def test_a_short_venue_is_whole(data):
    found = lines_of(at_row(1).statement(replace(data, venue="Caf\u00e9: left")))
    assert found["Venue"] == "Caf\u00e9: left"
