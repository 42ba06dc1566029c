"""Verifies minisign signatures: whether a file is the one that the holder of the release key signed. Pure.

Rules: only signatures over a hash of the file are valid (`ED`: Ed25519 over BLAKE2b-512), so a file of any size is read
once and never held; the trusted comment counts only with its own signature, which covers the file's signature too. An
error says which part does not fit. The module opens no file and knows no package.

Format: minisign's manual, "Signature format" and "Public key format".
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from cabinet.installation.errors import InstallationError

_KEY_METHOD, _HASHED, _WHOLE = b"Ed", b"ED", b"Ed"
_METHOD_BYTES, _ID_BYTES, _KEY_BYTES, _SIGNATURE_BYTES = 2, 8, 32, 64
_UNTRUSTED, _TRUSTED = "untrusted comment: ", "trusted comment: "
LONGEST_TEXT: Final = 4096
"""A signature and a public key are shorter than this, in characters."""
PIECE_BYTES: Final = 1 << 20
"""How much of the file is read at a time."""


class SignatureError(InstallationError):
    """The file is not proved to be from the holder of the key. The message says which part does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    number: bytes
    verifier: Ed25519PublicKey


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signature:
    number: bytes
    of_file: bytes
    comment: str
    of_comment: bytes


def verify_signature(public_key: str, signature: str, stream: BinaryIO) -> str:
    """Returns the trusted comment of a signature that fits the key and all bytes of the stream.

    `public_key` and `signature` are the texts of the files that minisign writes. Raises SignatureError.
    """
    key, found = _read_key(public_key), _read_signature(signature)
    if found.number != key.number:
        raise SignatureError(f"it is signed with another key: {_shown(found.number)}, expected {_shown(key.number)}")
    state = hashlib.blake2b(digest_size=64)
    while piece := stream.read(PIECE_BYTES):
        state.update(piece)
    _check(key, found.of_file, state.digest(), "the file is not the one that was signed")
    covered = found.of_file + found.comment.encode()
    _check(key, found.of_comment, covered, "the trusted comment is not the one that was signed")
    return found.comment


def check_key(public_key: str) -> None:
    """Raises SignatureError for a text that is no public key of minisign."""
    _read_key(public_key)


def _check(key: _Key, signature: bytes, message: bytes, problem: str) -> None:
    try:
        key.verifier.verify(signature, message)
    except InvalidSignature:
        raise SignatureError(problem) from None


def _read_key(text: str) -> _Key:
    """Reads a public key file: a comment, then the key; the comment may be missing."""
    lines = _lines(text, "the public key")
    body = _decode(lines[-1], _METHOD_BYTES + _ID_BYTES + _KEY_BYTES, "the public key")
    if len(lines) > 2 or body[:_METHOD_BYTES] != _KEY_METHOD:
        raise SignatureError("the public key is not one of minisign: expected one comment and one line that begins RW")
    rest = body[_METHOD_BYTES:]
    verifier = Ed25519PublicKey.from_public_bytes(rest[_ID_BYTES:])
    return _Key(number=rest[:_ID_BYTES], verifier=verifier)


def _read_signature(text: str) -> _Signature:
    """Reads a signature file: four lines."""
    lines = _lines(text, "the signature")
    if len(lines) != 4 or not lines[0].startswith(_UNTRUSTED) or not lines[2].startswith(_TRUSTED):
        raise SignatureError("the signature is not one of minisign: expected four lines, two of them comments")
    body = _decode(lines[1], _METHOD_BYTES + _ID_BYTES + _SIGNATURE_BYTES, "the signature")
    method, number = body[:_METHOD_BYTES], body[_METHOD_BYTES : _METHOD_BYTES + _ID_BYTES]
    if method == _WHOLE:
        raise SignatureError("the signature is of the old kind, over the whole file: sign it without -l")
    if method != _HASHED:
        raise SignatureError("the signature is of an unknown kind, expected ED")
    return _Signature(
        number=number,
        of_file=body[_METHOD_BYTES + _ID_BYTES :],
        comment=lines[2].removeprefix(_TRUSTED),
        of_comment=_decode(lines[3], _SIGNATURE_BYTES, "the signature of the comment"),
    )


def _lines(text: str, what: str) -> list[str]:
    if len(text) > LONGEST_TEXT:
        raise SignatureError(f"{what} is too long: {len(text)} characters, at most {LONGEST_TEXT}")
    lines = text.rstrip("\r\n").split("\n")
    if not lines[-1]:
        raise SignatureError(f"{what} is empty")
    return [line.rstrip("\r") for line in lines]


def _decode(line: str, length: int, what: str) -> bytes:
    try:
        body = base64.b64decode(line, validate=True)
    except (binascii.Error, ValueError):
        raise SignatureError(f"{what} is no base64: {line[:20]!r}") from None
    if base64.b64encode(body).decode() != line:
        raise SignatureError(f"{what} is no base64: {line[-20:]!r} has bits behind its end")
    if len(body) != length:
        raise SignatureError(f"{what} has {len(body)} bytes, expected {length}")
    return body


def _shown(number: bytes) -> str:
    """Returns the number of a key as minisign prints it."""
    return number[::-1].hex().upper()
