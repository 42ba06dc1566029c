"""The questions of the start-up, answered by the test."""

import pytest

from drivers.bills.cctalk.codec import Header
from drivers.bills.cctalk.frame import Frame
from drivers.bills.cctalk.questions import (
    BUSY_REPLIES,
    Ask,
    Pause,
    Talk,
    Unit,
    ask,
    check_itself,
    identify,
    read_channels,
    read_events,
    read_firmware,
    read_poll_interval,
    set_mode,
    show,
)
from drivers.bills.conversation import SilentError, UnfitError
from drivers.bills.events import Channel, Trouble

OK, NAK, BUSY = 0, 5, 6


def reply(header: int = OK, data: bytes = b"") -> Frame:
    return Frame(destination=1, source=40, header=header, data=data)


def run(talk: Talk[object], answers: dict[tuple[Header, bytes], Frame | None], default: Frame | None = None) -> object:
    """Runs a conversation with these answers. Returns its result."""
    step = next(talk)
    while True:
        answer = answers.get((step.header, step.data), default) if isinstance(step, Ask) else None
        try:
            step = talk.send(answer)
        except StopIteration as end:
            return end.value


def test_a_busy_unit_is_asked_again_after_a_pause() -> None:
    talk = ask(Header.POLL)
    assert next(talk) == Ask(Header.POLL)
    assert isinstance(talk.send(reply(BUSY)), Pause)
    assert next(talk) == Ask(Header.POLL)
    with pytest.raises(StopIteration):
        talk.send(reply())


def test_a_unit_that_stays_busy_cannot_be_used() -> None:
    talk = ask(Header.POLL)
    next(talk)
    for _ in range(BUSY_REPLIES - 1):
        talk.send(reply(BUSY))
        next(talk)
    talk.send(reply(BUSY))
    with pytest.raises(UnfitError, match="stays busy"):
        next(talk)


def test_no_answer_ends_the_conversation() -> None:
    talk = ask(Header.POLL)
    next(talk)
    with pytest.raises(SilentError):
        talk.send(None)


def test_the_unit_identifies_itself() -> None:
    answers = {
        (Header.MAKER, b""): reply(data=b"Money Controls"),
        (Header.CATEGORY, b""): reply(data=b"Bill_Validator"),
        (Header.PRODUCT, b""): reply(data=b"Ardac"),
        (Header.SERIAL_NUMBER, b""): reply(data=bytes((78, 97, 188))),
    }
    assert run(identify(), answers) == Unit(maker="Money Controls", product="Ardac", serial="12345678")


def test_a_coin_acceptor_is_the_wrong_device() -> None:
    with pytest.raises(UnfitError) as unfit:
        run(identify(), {}, reply(data=b"Coin Acceptor"))
    assert unfit.value.trouble is Trouble.WRONG_DEVICE


def test_only_types_with_a_value_of_a_known_country_are_channels() -> None:
    answers = {
        (Header.BILL_ID, b"\1"): reply(data=b"US0001A"),
        (Header.BILL_ID, b"\2"): reply(data=b"US0005A"),
        (Header.BILL_ID, b"\3"): reply(data=b"XX0005A"),
        (Header.BILL_ID, b"\4"): reply(NAK),
        (Header.COUNTRY_SCALING, b"US"): reply(data=bytes((100, 0, 2))),
        (Header.COUNTRY_SCALING, b"XX"): reply(data=bytes(3)),
    }
    assert run(read_channels(), answers, reply(data=b".......")) == (
        Channel(number=1, value_cents=100, currency="USD"),
        Channel(number=2, value_cents=500, currency="USD"),
    )


@pytest.mark.parametrize("answer", [reply(NAK), reply(data=bytes(10))])
def test_what_is_no_ring_of_events_cannot_be_used(answer: Frame) -> None:
    with pytest.raises(UnfitError, match="not five events"):
        run(read_events(), {}, answer)


@pytest.mark.requirement("BA-07")
def test_a_failed_self_check_cannot_be_used_and_a_missing_one_can() -> None:
    with pytest.raises(UnfitError, match="fault 1E 02"):
        run(check_itself(), {}, reply(data=b"\x1e\x02"))
    assert run(check_itself(), {}, reply(data=b"\0")) is None
    assert run(check_itself(), {}, reply(NAK)) is None


def test_a_unit_without_escrow_cannot_be_used() -> None:
    with pytest.raises(UnfitError, match="stacker and escrow"):
        run(set_mode(), {}, reply(NAK))


@pytest.mark.parametrize(
    ("answer", "interval_s"),
    [
        (None, None),
        (reply(NAK), None),
        (reply(data=b"\2"), None),
        (reply(data=b"\0\0"), None),
        (reply(data=b"\2\x14"), 0.2),
        (reply(data=b"\1\xc8"), 0.2),
        (reply(data=b"\3\2"), 2.0),
    ],
)
def test_the_polling_priority_is_a_time(answer: Frame | None, interval_s: float | None) -> None:
    assert run(read_poll_interval(), {}, answer) == (None if interval_s is None else pytest.approx(interval_s))


@pytest.mark.parametrize(("answer", "text"), [(None, ""), (reply(NAK), ""), (reply(data=b"1.2 "), "1.2")])
def test_the_software_revision_is_optional(answer: Frame | None, text: str) -> None:
    assert run(read_firmware(), {}, answer) == text


def test_a_reply_is_shown_by_name_and_bytes() -> None:
    assert (show(reply(data=b"\xff")), show(reply(NAK)), show(reply(9))) == ("OK FF", "NAK", "9")
