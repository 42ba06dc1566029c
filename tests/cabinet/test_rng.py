"""The raw bytes behind the cards, for outside test suites."""

import subprocess
import sys

import pytest

from cabinet import rng


@pytest.mark.requirement("RN-01")
def test_exactly_as_many_bytes_come_out_as_were_asked_for():
    call = f"from {rng.__name__} import write_to_stdout; write_to_stdout(4099)"
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, check=False, timeout=60)

    assert done.returncode == 0, done.stderr.decode()
    assert len(done.stdout) == 4099
    assert len(set(done.stdout)) > 200, "4,099 random bytes take nearly all of the 256 values"
