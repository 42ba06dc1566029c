"""The signature of a text: the machine signs, and the holder of its public key checks.

Rules:
- The text is signed as it stands: UTF-8, lines that end with a line feed. The last two lines are the public key and the
  signature; they are part of the text, so that it needs no second file.
- The signing key follows from the secret of the machine's ticket numbers. It is not stored, and the secret does not
  follow from it.
- Every line of a signed text is printable: a terminal shows it as it stands, and a line that moves the cursor would
  hide others.
- A text with the wrong key is signed by another machine. Only a key that was noted at the machine proves which one.
Does not know what the text says, and reads no file.
"""

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from cabinet.statement.errors import StatementError

KEY_LINE: Final = "Key "
SIGNATURE_LINE: Final = "Signature "
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_UTF8_MARK: Final = "\ufeff"
_PURPOSE: Final = b"blackjack cabinet statement 1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A text whose signature fits its key. `text` is without the lines of key and signature."""

    text: str
    key: str


def signing_key(secret: bytes) -> Ed25519PrivateKey:
    """Returns the key with which a machine signs; `secret` is the secret of its ticket numbers."""
    derived = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=_PURPOSE).derive(secret)
    return Ed25519PrivateKey.from_private_bytes(derived)


def public_key(key: Ed25519PrivateKey) -> str:
    """Returns the public key as text, 44 characters of base64."""
    return b64encode(key.public_key().public_bytes_raw()).decode()


def sign(text: str, key: Ed25519PrivateKey) -> str:
    """Returns the text with its key and its signature. `text` must end with a line feed; ValueError otherwise."""
    if not text.endswith("\n"):
        raise ValueError("a text to sign must end with a line feed")
    keyed = f"{text}{KEY_LINE}{public_key(key)}\n"
    return f"{keyed}{SIGNATURE_LINE}{b64encode(key.sign(keyed.encode())).decode()}\n"


def check(signed: str, key: str = "") -> Signed:
    """Checks a signed text, with the machine's noted public key if there is one.

    A phone or an editor may add or lose blanks and line feeds at the end, and add the mark of UTF-8 at the beginning;
    nothing else may differ. Raises StatementError that says what does not fit.
    """
    keyed, found, last = (
        signed.removeprefix(_UTF8_MARK).replace("\r\n", "\n").rstrip().rpartition(f"\n{SIGNATURE_LINE}")
    )
    text, has_key, written = keyed.rpartition(f"\n{KEY_LINE}")
    if not found or not has_key:
        raise StatementError(
            f'the last two lines must begin with "{KEY_LINE.strip()}" and "{SIGNATURE_LINE.strip()}": this is no '
            "statement of a cabinet, or its end is missing"
        )
    if key and written != key.strip():
        raise StatementError(
            f"the statement is signed with the key {_quoted(written)}, not with {_quoted(key.strip())}"
        )
    try:
        public = Ed25519PublicKey.from_public_bytes(_bytes(written, KEY_BYTES, "key"))
        public.verify(_bytes(last, SIGNATURE_BYTES, "signature"), f"{keyed}\n".encode())
    except InvalidSignature as error:
        raise StatementError("the signature does not fit: the text was changed after the machine signed it") from error
    odd = next((line for line in text.split("\n") if not line.isprintable()), None)
    if odd is not None:
        raise StatementError(f"the line {_quoted(odd)} has characters that cannot be printed; no cabinet writes them")
    return Signed(text=f"{text}\n", key=written)


def _quoted(found: str) -> str:
    """Returns the beginning of a part of a text for a message, without characters that cannot be printed."""
    return repr(found[:60])


def _bytes(text: str, count: int, name: str) -> bytes:
    try:
        found = b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise StatementError(f"the {name} must be base64 of {count} bytes, not {_quoted(text)}") from error
    if len(found) != count:
        raise StatementError(f"the {name} must have {count} bytes, not {len(found)}")
    return found
