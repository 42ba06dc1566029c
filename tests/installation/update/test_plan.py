"""Which version may follow which, and what a cabinet must have for it."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.update_acts import refused
from support.updates import FIRST, SECOND, Installed, installed, members_of, public_key, sign, unpack_first

from cabinet.installation.update import plan as checks
from cabinet.installation.update.plan import SPARE_BYTES, RefusedError, check_media, plan_back, plan_update
from cabinet.installation.update.versions import RELEASE, switch


@pytest.fixture
def cabinet(tmp_path: Path):
    """A stopped cabinet; nothing here starts it."""
    with installed(tmp_path, running=False) as found:
        yield found


def set_form(cabinet: Installed, form: int) -> None:
    """Lets the version that runs write another form."""
    path = cabinet.paths.version(FIRST) / RELEASE
    path.write_bytes(path.read_bytes().replace(b'"form": 5', f'"form": {form}'.encode()))


def test_a_newer_version_for_this_cabinet_is_taken(cabinet: Installed):
    plan = plan_update(cabinet.paths, cabinet.package(SECOND))
    assert (plan.old.version, plan.new.version, plan.comment) == (FIRST, SECOND, "blackjack-cabinet 0.2.0 arm64")


@pytest.mark.parametrize(
    ("release", "reason"),
    [
        ({"python": "3.14"}, r"made for Python 3\.14, this cabinet has 3\.13"),
        ({"form": 4}, "writes form 4 of the books, 0.1.0 already writes form 5"),
        ({"form": 7}, "moves the books to form 6 at its first start, and 0.1.0 reads up to form 5"),
    ],
)
def test_a_version_that_does_not_fit_is_refused(cabinet: Installed, release: dict[str, object], reason: str):
    with pytest.raises(RefusedError, match=reason):
        plan_update(cabinet.paths, cabinet.package(SECOND, **release))


def test_a_version_for_another_processor_is_refused(cabinet: Installed):
    path = cabinet.paths.version(FIRST) / RELEASE
    path.write_bytes(path.read_bytes().replace(b"arm64", b"amd64"))
    with pytest.raises(RefusedError, match="made for the processor arm64, this cabinet has amd64"):
        plan_update(cabinet.paths, cabinet.package(SECOND))


@pytest.mark.parametrize("form", [5, 6])
def test_a_version_whose_first_start_the_version_before_can_read_is_taken(cabinet: Installed, form: int):
    assert plan_update(cabinet.paths, cabinet.package(SECOND, form=form)).new.form == form


def test_the_key_of_the_operator_counts_before_that_of_the_program(cabinet: Installed):
    package, own = cabinet.package(SECOND), cabinet.paths.at("etc/blackjack-cabinet/release.key")
    own.write_text(public_key(b"\x09" * 32), encoding="utf-8")
    with pytest.raises(RefusedError, match="the file is not the one that was signed"):
        plan_update(cabinet.paths, package)
    sign(package, "the operator's own", key=b"\x09" * 32)
    assert plan_update(cabinet.paths, package).comment == "the operator's own"


def test_a_cabinet_without_a_key_takes_nothing(cabinet: Installed):
    package = cabinet.package(SECOND)
    (cabinet.paths.share() / "release.key").unlink()
    with pytest.raises(RefusedError, match=r"share/release\.key: the public key .* write it to .*/etc/"):
        plan_update(cabinet.paths, package)


def test_a_pipe_is_no_package_and_is_not_waited_for(cabinet: Installed):
    pipe = cabinet.packages / "pipe.deb"
    os.mkfifo(pipe)
    with pytest.raises(RefusedError, match=r"pipe\.deb: is no file"):
        plan_update(cabinet.paths, pipe)


def test_a_pipe_is_no_signature_and_no_key(cabinet: Installed):
    package = cabinet.package(SECOND)
    signature = package.with_name(f"{package.name}.minisig")
    signature.unlink()
    os.mkfifo(signature)
    with pytest.raises(RefusedError, match=r"minisig: cannot be read: it is no file"):
        plan_update(cabinet.paths, package)
    os.mkfifo(cabinet.paths.at("etc/blackjack-cabinet/release.key"))
    with pytest.raises(RefusedError, match=r"release\.key: .* it is no file"):
        plan_update(cabinet.paths, package)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"x" * 10_000, b""])
def test_a_signature_that_is_no_text_is_refused(cabinet: Installed, content: bytes):
    package = cabinet.package(SECOND)
    package.with_name(f"{package.name}.minisig").write_bytes(content)
    with pytest.raises(RefusedError, match=r"it is no text|is too long|is empty"):
        plan_update(cabinet.paths, package)


def test_a_file_that_is_not_there_is_named(cabinet: Installed):
    with pytest.raises(RefusedError, match=r"nothing\.deb.*: cannot be read: No such file"):
        plan_update(cabinet.paths, cabinet.packages / "nothing.deb")


def test_the_way_back_is_open_while_the_version_before_reads_the_books(cabinet: Installed):
    shutil.copytree(cabinet.paths.version(FIRST), cabinet.paths.version(SECOND), symlinks=True)
    path = cabinet.paths.version(SECOND) / RELEASE
    path.write_bytes(path.read_bytes().replace(b'"0.1.0"', b'"0.2.0"').replace(b'"form": 5', b'"form": 6'))
    switch(cabinet.paths, SECOND)
    assert plan_back(cabinet.paths, 5).new.version == FIRST
    with pytest.raises(RefusedError, match="reads the books up to form 5, and they have form 6"):
        plan_back(cabinet.paths, 6)


def test_a_protected_system_is_not_updated(cabinet: Installed):
    """What is written there is gone at the next start, and the books may have moved on by then."""
    overlay = "28 1 0:25 / / rw,relatime - overlay overlay rw,lowerdir=/lower,upperdir=/upper,workdir=/work\n"
    with pytest.raises(RefusedError, match=r"is on overlay .* switch the protection of the system off"):
        check_media(cabinet.paths, overlay)
    check_media(cabinet.paths, overlay.replace("overlay overlay", "ext4 /dev/mmcblk0p2"))
    with pytest.raises(RefusedError, match="is mounted read-only"):
        check_media(cabinet.paths, "28 1 179:2 / / ro,relatime - ext4 /dev/mmcblk0p2 ro\n")


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the room that every medium has."""

    def set_free(size: int) -> None:
        monkeypatch.setattr(checks.shutil, "disk_usage", lambda _: SimpleNamespace(free=size))

    return set_free


def test_too_little_room_is_refused_with_what_is_needed(cabinet: Installed, free: Callable[[int], None]):
    package = cabinet.package(SECOND)
    books = sum(each.stat().st_size for each in cabinet.paths.data.rglob("*") if each.is_file())
    plan = plan_update(cabinet.paths, package)
    assert plan.package is not None
    needed = SPARE_BYTES + plan.package.unpacked_bytes + package.stat().st_size + 2 * books
    free(needed)
    plan_update(cabinet.paths, package)
    free(needed - 1)
    with pytest.raises(RefusedError, match=r"32 MB are free, the update needs \d+ MB"):
        plan_update(cabinet.paths, package)


def test_the_way_back_is_named_only_where_there_is_one(cabinet: Installed):
    package = cabinet.package(FIRST)
    with pytest.raises(RefusedError, match=r"expected a newer one$"):
        plan_update(cabinet.paths, package)
    unpack_first(cabinet.paths, members_of("0.0.9"))
    with pytest.raises(RefusedError, match=r"expected a newer one; `cabinet update --back` goes back to 0\.0\.9$"):
        plan_update(cabinet.paths, package)


def test_the_processor_is_checked_before_the_version(cabinet: Installed):
    """Another file of the same version is the right one then, and no newer version."""
    path = cabinet.paths.version(FIRST) / RELEASE
    path.write_bytes(path.read_bytes().replace(b"arm64", b"amd64"))
    with pytest.raises(RefusedError, match="made for the processor arm64, this cabinet has amd64"):
        plan_update(cabinet.paths, cabinet.package(FIRST))


@pytest.mark.parametrize("text", ["", "no key", "untrusted comment: a key\nUldRAAAA\n"])
def test_a_bad_public_key_is_named_and_not_the_file_of_the_update(still: Installed, text: str):
    key = still.paths.share() / "release.key"
    key.write_text(text)
    refused(still, still.package(SECOND), rf"^{key}: the public key of the releases cannot be read: ")


def test_the_operators_own_key_counts_also_where_it_leads_to_nothing(still: Installed):
    own = still.paths.at("etc/blackjack-cabinet/release.key")
    own.symlink_to("nothing")
    refused(still, still.package(SECOND), rf"^{own}: the public key of the releases cannot be read")


def test_a_link_to_no_version_is_named_before_the_key_in_that_version(still: Installed):
    package = still.package(SECOND)
    still.paths.current.unlink()
    with pytest.raises(RefusedError, match="current: expected a link to a version"):
        still.update(package)
