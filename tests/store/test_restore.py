"""The first copy written anew from the second, because a person says so."""

from pathlib import Path

import pytest
from support.journals import keep, session_steps

from cabinet.store.errors import StoreError, StoreMissingError
from cabinet.store.mirror import DOUBT_FILE
from cabinet.store.opening import FILE
from cabinet.store.restore import restore
from cabinet.store.verify import verify


@pytest.mark.requirement("PL-06")
def test_what_is_restored_is_whole_and_in_doubt(tmp_path: Path) -> None:
    keep(tmp_path / "second", *session_steps()[:5])
    assert restore(tmp_path / "second", tmp_path / "new").seq == 5
    assert verify(tmp_path / "new").rows == 5
    assert "check against papers" in (tmp_path / "new" / DOUBT_FILE).read_text(encoding="utf-8")
    with pytest.raises(StoreError, match="there is data here; nothing was written"):
        restore(tmp_path / "second", tmp_path / "new")


def test_a_folder_that_cannot_be_had_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "nothing", tmp_path / ("a" * 300)):
        with pytest.raises(StoreMissingError, match="connect the medium of the second copy"):
            restore(place, tmp_path / "new")
    assert not (tmp_path / "new" / FILE).exists()
