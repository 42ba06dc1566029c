"""Every byte of a played journal matters or is provably unused: what is changed is found and its place named.

`pytest tests/store/test_tampering.py --tamper-every 1` (`make tamper`) changes every single byte, one after the other;
`make test` a sample of them, from a seed. The work is split into tests that stay short.
"""

import random
import re
import shutil
import sqlite3
from math import ceil
from pathlib import Path

import pytest
from support.journals import keep, number_of, open_journal, raw, session_steps

from cabinet.store import mirror
from cabinet.store.errors import StoreDamagedError, StoreError
from cabinet.store.journal import FILE, Journal
from cabinet.store.verify import verify

PLACE = re.compile(
    r"row \d+|log entry \d+|ticket \d+|the stored machine|checkpoint|machine kept beside|account |meter |"
    r"what is remembered|the file is damaged|the log up to|journal\.db: |sealed"
)
"""How a place is named: a row, an entry, a ticket, a meter, a table, or the file when its structure is broken."""

BYTES = 90_000
"""The approximate size of the journal, in bytes."""
PER_TEST = 500


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Splits the changed bytes among the tests."""
    if "share" in metafunc.fixturenames:
        shares = ceil(BYTES / metafunc.config.getoption("--tamper-every") / PER_TEST)
        metafunc.parametrize(
            "share", [slice(first, None, shares) for first in range(shares)], ids=lambda s: f"{s.start}"
        )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a session of every kind of money."""
    folder = tmp_path_factory.mktemp("played")
    keep(folder, *session_steps())
    with open_journal(folder) as journal:
        journal.remember("ticket secret", "00" * 16)
    return folder


def said_by(path: Path) -> list[str]:
    """Everything the file says: its form, and every row of every table by its columns, read through no index."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        connection.text_factory = bytes
        (form,) = connection.execute("PRAGMA user_version").fetchone()
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        ]
        rows = [
            repr((name, row))
            for name in tables
            for row in connection.execute(f"SELECT * FROM {name.decode()} NOT INDEXED ORDER BY 1")
        ]
    finally:
        connection.close()
    return [f"form {form}", *rows]


def changed_bytes(size: int, every: int, seed: str) -> list[tuple[int, int]]:
    """Places and the bits to turn over there."""
    lot = random.Random(f"tampering {seed}")
    first = lot.randrange(every)
    return [(at, 1 << lot.randrange(8)) for at in range(first, size, every)]


@pytest.mark.no_cover
@pytest.mark.requirement("EV-05", "PL-07", "PL-08")
def test_whatever_byte_is_changed_verify_names_the_place_or_the_byte_says_nothing(
    played: Path, tmp_path: Path, share: slice, request: pytest.FixtureRequest
) -> None:
    every, seed = request.config.getoption("--tamper-every"), request.config.getoption("--cut-seed")
    content, right = (played / FILE).read_bytes(), said_by(played / FILE)
    found, unused = 0, 0
    for at, bits in changed_bytes(len(content), every, seed)[share]:
        spoiled = bytearray(content)
        spoiled[at] ^= bits
        (tmp_path / FILE).write_bytes(spoiled)
        try:
            problems = verify(tmp_path).problems
        except StoreDamagedError as error:
            problems = (str(error),)
        if problems:
            found += 1
            assert any(PLACE.search(problem) for problem in problems), (at, bits, problems)
        else:
            unused += 1
            assert said_by(tmp_path / FILE) == right, (at, bits, "was not found and says something else")
    assert found
    assert unused, "a page has room to spare"


@pytest.mark.requirement("PL-06", "PL-07", "PL-08")
def test_a_start_refuses_what_verify_finds_and_repairs_it_from_the_second_copy(
    played: Path, tmp_path: Path, share: slice, request: pytest.FixtureRequest
) -> None:
    every, seed = request.config.getoption("--tamper-every") * 16, request.config.getoption("--cut-seed")
    content = (played / FILE).read_bytes()
    (tmp_path / "second").mkdir()
    refused = 0
    for at, bits in changed_bytes(len(content), every, seed)[share]:
        spoiled = bytearray(content)
        spoiled[at] ^= bits
        alone = tmp_path / "alone"
        shutil.rmtree(alone, ignore_errors=True)
        shutil.copytree(played, alone)
        (alone / FILE).write_bytes(spoiled)
        try:
            fine = verify(alone).ok
        except StoreDamagedError:
            fine = False
        try:
            with open_journal(alone):
                opened = True
        except StoreError:
            opened = False
        assert opened is fine, (at, bits)
        if not fine:
            refused += 1
            _check_repair(played, tmp_path, bytes(spoiled), at)
    assert refused


def _check_repair(played: Path, tmp_path: Path, spoiled: bytes, at: int) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(played, folder)
    mirror.unmark_behind(first)  # both are as if they had always been kept together
    (first / FILE).write_bytes(spoiled)
    with Journal(first, number_of, second=second) as journal:
        assert journal.recovered, at
        assert journal.seq == len(session_steps())
    assert verify(first).ok
    with raw(first) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
