"""Signatures made by minisign 0.11: the right one is accepted, everything else is refused with its reason.

The files in `signatures/` were written by the program `minisign`; `changed-comment.minisig` is `right.minisig` with
another trusted comment. The secret keys were thrown away.
"""

import base64
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from cabinet.installation.update.signature import LONGEST_TEXT, PIECE_BYTES, SignatureError, verify_signature

VECTORS = Path(__file__).parent / "signatures"
COMMENT = "blackjack-cabinet 0.2.0 arm64 form 5"


def read(name: str) -> str:
    return (VECTORS / name).read_text(encoding="utf-8")


def check(signature: str, *, key: str = "release.pub", file: bytes | None = None) -> str:
    content = (VECTORS / "file.bin").read_bytes() if file is None else file
    return verify_signature(read(key), signature, io.BytesIO(content))


def test_the_right_file_gives_the_trusted_comment():
    assert check(read("right.minisig")) == COMMENT


def test_a_key_without_its_comment_is_enough():
    bare = read("release.pub").splitlines()[1]
    stream = io.BytesIO((VECTORS / "file.bin").read_bytes())
    assert verify_signature(bare, read("right.minisig"), stream) == COMMENT


@pytest.mark.parametrize(("first", "last"), [(b"", b"\0"), (b"\0", b"")])
def test_a_file_with_one_byte_more_is_refused(first: bytes, last: bytes):
    content = first + (VECTORS / "file.bin").read_bytes() + last
    with pytest.raises(SignatureError, match="the file is not the one that was signed"):
        check(read("right.minisig"), file=content)


def test_a_file_without_its_last_byte_is_refused():
    with pytest.raises(SignatureError, match="the file is not the one that was signed"):
        check(read("right.minisig"), file=(VECTORS / "file.bin").read_bytes()[:-1])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("other-key.minisig", "it is signed with another key"),
        ("other-file.minisig", "the file is not the one that was signed"),
        ("changed-comment.minisig", "the trusted comment is not the one that was signed"),
        ("old-kind.minisig", "over the whole file"),
    ],
)
def test_a_signature_that_does_not_fit_is_refused_with_its_reason(name: str, reason: str):
    with pytest.raises(SignatureError, match=reason):
        check(read(name))


def test_another_key_under_the_number_of_the_right_one_is_refused():
    """The number of a key is no secret: only the key itself counts."""
    right, other = (base64.b64decode(read(name).splitlines()[1]) for name in ("release.pub", "other.pub"))
    forged = base64.b64encode(right[:10] + other[10:]).decode()
    with pytest.raises(SignatureError, match="the file is not the one that was signed"):
        verify_signature(forged, read("right.minisig"), io.BytesIO((VECTORS / "file.bin").read_bytes()))


def test_every_changed_character_below_the_untrusted_comment_is_refused():
    text = read("right.minisig")
    first = text.index("\n") + 1
    for place in range(first, len(text) - 1):
        other = "B" if text[place] == "A" else "A"
        with pytest.raises(SignatureError):
            check(text[:place] + other + text[place + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "untrusted comment: x\n",
        "no\nsignature\nat\nall",
        "x" * (LONGEST_TEXT + 1),
        "untrusted comment: \n!\n",
    ],
)
def test_what_is_no_signature_is_refused_as_such(text: str):
    with pytest.raises(SignatureError, match=r"the signature (is|has)"):
        check(text)


@pytest.mark.parametrize("text", ["", "RWSa", "untrusted comment: k\n!!!", "a\nb\n" + "RW" + "A" * 54])
def test_what_is_no_key_is_refused_as_such(text: str):
    with pytest.raises(SignatureError, match=r"the public key (is|has)"):
        verify_signature(text, read("right.minisig"), io.BytesIO(b""))


class _Pieces(io.BytesIO):
    longest = 0

    def read(self, size: int | None = -1) -> bytes:
        self.longest = max(self.longest, size or 0) if size and size > 0 else 1 << 40
        return super().read(size)


def test_a_file_is_read_in_pieces():
    stream = _Pieces((VECTORS / "file.bin").read_bytes())
    verify_signature(read("release.pub"), read("right.minisig"), stream)
    assert stream.longest == PIECE_BYTES


@pytest.mark.skipif(shutil.which("minisign") is None, reason="the program minisign is not installed here")
def test_the_program_minisign_agrees_on_a_file_of_several_pieces(tmp_path: Path):
    large = tmp_path / "large.bin"
    large.write_bytes(b"one piece and a little" * (PIECE_BYTES // 10))
    calls = (
        ["-G", "-W", "-p", "key.pub", "-s", "key.sec"],
        ["-S", "-W", "-s", "key.sec", "-m", large.name, "-t", "x y"],
    )
    for arguments in calls:
        subprocess.run(["minisign", *arguments], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    signature = (tmp_path / "large.bin.minisig").read_text(encoding="utf-8")
    with large.open("rb") as stream:
        assert verify_signature((tmp_path / "key.pub").read_text(encoding="utf-8"), signature, stream) == "x y"
