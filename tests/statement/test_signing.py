"""The signature of a text: who signed it, and that nothing was changed since."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.statement.errors import StatementError
from cabinet.statement.signing import check, public_key, sign, signing_key

SECRET = bytes(range(32))
KEY = signing_key(SECRET)
TEXT = "MACHINE 42\ncredit: $12.50\n"


def test_a_signed_text_names_its_key_and_is_read_back():
    signed = check(sign(TEXT, KEY))
    assert (signed.text, signed.key) == (TEXT, public_key(KEY))


def test_the_noted_key_of_the_machine_fits():
    assert check(sign(TEXT, KEY), public_key(KEY)).text == TEXT


def test_a_text_of_another_machine_is_refused_with_both_keys():
    other = signing_key(bytes(32))
    with pytest.raises(StatementError) as refused:
        check(sign(TEXT, other), public_key(KEY))
    assert public_key(KEY) in str(refused.value)
    assert public_key(other) in str(refused.value)


def test_one_secret_gives_one_key_and_another_secret_another():
    assert public_key(signing_key(SECRET)) == public_key(KEY) != public_key(signing_key(bytes(32)))


def test_the_key_is_not_the_secret():
    assert KEY.private_bytes_raw() != SECRET


@given(data=st.data())
def test_every_changed_character_is_detected(data: st.DataObject):
    signed = sign(TEXT, KEY).rstrip("\n")
    at = data.draw(st.integers(0, len(signed) - 1))
    other = data.draw(st.characters(codec="ascii", exclude_characters=signed[at] + "\r\n \t\x0b\x0c\x1c\x1d\x1e\x1f"))
    with pytest.raises(StatementError):
        check(f"{signed[:at]}{other}{signed[at + 1 :]}")


def test_a_line_that_was_added_or_removed_is_detected():
    lines = sign(TEXT, KEY).splitlines()
    for changed in ([lines[0], *lines], lines[1:]):
        with pytest.raises(StatementError, match="changed"):
            check("\n".join(changed))


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "  \n\n"])
def test_blanks_at_the_end_and_line_ends_of_another_system_do_no_harm(end: str):
    signed = sign(TEXT, KEY).rstrip("\n")
    assert check(signed + end).text == TEXT
    assert check(signed.replace("\n", "\r\n") + end).text == TEXT


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no statement of a cabinet"),
        ("hello", "no statement of a cabinet"),
        (TEXT, "no statement of a cabinet"),
        (f"{TEXT}Key abc\nSignature def\n", "the key must be base64 of 32 bytes"),
        (f"{TEXT}Key {public_key(KEY)}\nSignature AAAA\n", "the signature must have 64 bytes, not 3"),
        (f"{TEXT}Key AAAA\nSignature AAAA\n", "the key must have 32 bytes, not 3"),
        (f"{TEXT}Key \xe9\nSignature AAAA\n", "the key must be base64"),
    ],
)
def test_what_is_no_statement_is_refused_with_the_reason(text: str, words: str):
    with pytest.raises(StatementError, match=words):
        check(text)


def test_the_mark_of_utf_8_that_an_editor_adds_does_no_harm():
    assert check("\ufeff" + sign(TEXT, KEY)).text == TEXT


@pytest.mark.parametrize("odd", ["\x1b[2J", "\r", "\u202e", "\u2028", "\t"])
def test_a_signed_line_that_cannot_be_printed_is_refused(odd: str):
    with pytest.raises(StatementError, match="cannot be printed") as refused:
        check(sign(f"MACHINE 42\nvenue: {odd}hall\n", KEY))
    assert str(refused.value).isprintable()


def test_a_key_that_is_no_key_is_quoted_in_part():
    with pytest.raises(StatementError) as refused:
        check(f"{TEXT}Key \x1b[2J{'A' * 90_000}\nSignature AAAA\n", public_key(KEY))
    assert len(str(refused.value)) < 250
    assert str(refused.value).isprintable()


def test_a_text_without_an_end_cannot_be_signed():
    with pytest.raises(ValueError, match="line feed"):
        sign("credit: 1", KEY)
