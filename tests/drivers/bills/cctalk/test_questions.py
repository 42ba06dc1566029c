"""The questions of the start-up, answered by the test."""

import pytest

from drivers.bills.cctalk.codec import Header
from drivers.bills.cctalk.exchange import Exchange
from drivers.bills.cctalk.frame import Check, Frame, decode
from drivers.bills.cctalk.questions import BUSY_PAUSE_S, BUSY_REPLIES, Questions, Unit, show
from drivers.bills.conversation import Ask, Conversation, Pause, Send, SilentError, Talk, UnfitError
from drivers.bills.events import Channel, Trouble

OK, NAK, BUSY = 0, 5, 6


def reply(header: int = OK, data: bytes = b"") -> Frame:
    return Frame(destination=1, source=40, header=header, data=data)


def questions() -> Questions:
    return Questions(Exchange(address=40), Conversation(reply_timeout_s=1.0, repeats=0))


def asked(step: Ask | Send | Pause) -> tuple[int, bytes] | None:
    """Returns header and data of a command; None for a pause."""
    if not isinstance(step, Ask):
        return None
    frame = decode(step.wire, Check.SIMPLE)
    assert frame is not None
    return frame.header, frame.data


def run(
    talk: Talk[Frame, object], answers: dict[tuple[int, bytes], Frame | None], default: Frame | None = None
) -> object:
    """Runs a conversation with these answers. Returns its result."""
    step = next(talk)
    while True:
        command = asked(step)
        try:
            step = talk.send(answers.get(command, default) if command is not None else None)
        except StopIteration as end:
            return end.value


def test_a_busy_unit_is_asked_again_after_a_pause() -> None:
    talk = questions().ask(Header.POLL)
    assert asked(next(talk)) == (Header.POLL, b"")
    assert talk.send(reply(BUSY)) == Pause(BUSY_PAUSE_S)
    assert asked(next(talk)) == (Header.POLL, b"")
    with pytest.raises(StopIteration):
        talk.send(reply())


def test_a_unit_that_stays_busy_cannot_be_used() -> None:
    talk = questions().ask(Header.POLL)
    next(talk)
    for _ in range(BUSY_REPLIES - 1):
        talk.send(reply(BUSY))
        next(talk)
    talk.send(reply(BUSY))
    with pytest.raises(UnfitError, match="stays busy"):
        next(talk)


def test_no_answer_ends_the_conversation() -> None:
    talk = questions().ask(Header.POLL)
    next(talk)
    with pytest.raises(SilentError):
        talk.send(None)


def test_a_command_that_may_go_out_only_once_has_no_repeats() -> None:
    steps = next(questions().send(Header.ROUTE)), next(questions().send(Header.ROUTE, once=True))
    assert [step.repeats for step in steps if isinstance(step, Ask)] == [None, 0]


def test_the_unit_identifies_itself() -> None:
    answers: dict[tuple[int, bytes], Frame | None] = {
        (Header.MAKER, b""): reply(data=b"Money Controls"),
        (Header.CATEGORY, b""): reply(data=b"Bill_Validator"),
        (Header.PRODUCT, b""): reply(data=b"Ardac"),
        (Header.SERIAL_NUMBER, b""): reply(data=bytes((78, 97, 188))),
    }
    assert run(questions().identify(), answers) == Unit(maker="Money Controls", product="Ardac", serial="12345678")


def test_a_coin_acceptor_is_the_wrong_device() -> None:
    with pytest.raises(UnfitError) as unfit:
        run(questions().identify(), {}, reply(data=b"Coin Acceptor"))
    assert unfit.value.trouble is Trouble.WRONG_DEVICE


def test_only_types_with_a_value_of_a_known_country_are_channels() -> None:
    answers: dict[tuple[int, bytes], Frame | None] = {
        (Header.BILL_ID, b"\1"): reply(data=b"US0001A"),
        (Header.BILL_ID, b"\2"): reply(data=b"US0005A"),
        (Header.BILL_ID, b"\3"): reply(data=b"XX0005A"),
        (Header.BILL_ID, b"\4"): reply(NAK),
        (Header.COUNTRY_SCALING, b"US"): reply(data=bytes((100, 0, 2))),
        (Header.COUNTRY_SCALING, b"XX"): reply(data=bytes(3)),
    }
    assert run(questions().read_channels(), answers, reply(data=b".......")) == (
        Channel(number=1, value_cents=100, currency="USD"),
        Channel(number=2, value_cents=500, currency="USD"),
    )


@pytest.mark.parametrize("answer", [reply(NAK), reply(data=bytes(10))])
def test_what_is_no_ring_of_events_cannot_be_used(answer: Frame) -> None:
    with pytest.raises(UnfitError, match="not five events"):
        run(questions().read_events(), {}, answer)


@pytest.mark.requirement("BA-07")
def test_a_failed_self_check_cannot_be_used_and_a_missing_one_can() -> None:
    with pytest.raises(UnfitError, match="fault 1E 02"):
        run(questions().check_itself(), {}, reply(data=b"\x1e\x02"))
    assert run(questions().check_itself(), {}, reply(data=b"\0")) is None
    assert run(questions().check_itself(), {}, reply(NAK)) is None


def test_a_unit_without_escrow_cannot_be_used() -> None:
    with pytest.raises(UnfitError, match="stacker and escrow"):
        run(questions().set_mode(), {}, reply(NAK))


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
    assert run(questions().read_poll_interval(), {}, answer) == (
        None if interval_s is None else pytest.approx(interval_s)
    )


@pytest.mark.parametrize(("answer", "text"), [(None, ""), (reply(NAK), ""), (reply(data=b"1.2 "), "1.2")])
def test_the_software_revision_is_optional(answer: Frame | None, text: str) -> None:
    assert run(questions().read_firmware(), {}, answer) == text


def test_a_reply_is_shown_by_name_and_bytes() -> None:
    assert (show(reply(data=b"\xff")), show(reply(NAK)), show(reply(9))) == ("OK FF", "NAK", "9")
