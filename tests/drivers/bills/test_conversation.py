"""Conversations with a device that sends only when asked."""

import pytest

from drivers.bills.conversation import Ask, Conversation, Pause, Send, SilentError, Talk, UnfitError, keep_talking
from drivers.bills.events import Trouble

Received = list[str | None]


def make(talk: Talk[str, None], *, repeats: int = 2) -> Conversation[str]:
    conversation: Conversation[str] = Conversation(reply_timeout_s=1.0, repeats=repeats)
    conversation.begin(talk, 10.0)
    return conversation


def asking(received: Received, *questions: Ask | Send | Pause) -> Talk[str, None]:
    for question in questions:
        received.append((yield question))
    while True:
        yield Pause(1e9)


def test_a_question_goes_out_and_its_answer_comes_back() -> None:
    received: Received = []
    conversation = make(asking(received, Ask(b"a"), Ask(b"b")))
    assert conversation.bytes_to_send() == b"a"
    assert conversation.bytes_to_send() == b""
    assert (conversation.is_asking, conversation.due()) == (True, 11.0)
    conversation.answer("yes", 10.2)
    assert received == ["yes"]
    assert (conversation.bytes_to_send(), conversation.due()) == (b"b", 11.2)


def test_a_question_without_answer_is_repeated_and_then_given_up() -> None:
    received: Received = []
    conversation = make(asking(received, Ask(b"a"), Pause(99.0)))
    sent = [conversation.bytes_to_send()]
    while conversation.is_asking:
        due = conversation.due()
        assert due is not None
        assert conversation.tick(due)
        sent.append(conversation.bytes_to_send())
    assert sent == [b"a", b"a", b"a", b""]
    assert (received, conversation.unanswered, conversation.now) == ([None], b"a", 13.0)


def test_a_question_may_have_its_own_number_of_repeats() -> None:
    received: Received = []
    conversation = make(asking(received, Ask(b"a", 0)))
    conversation.tick(11.0)
    assert received == [None]


def test_nothing_is_repeated_too_early() -> None:
    conversation = make(asking([], Ask(b"a")))
    conversation.bytes_to_send()
    assert not conversation.tick(10.9)
    assert conversation.bytes_to_send() == b""


def test_what_needs_no_answer_goes_out_with_what_follows() -> None:
    received: Received = []
    conversation = make(asking(received, Send(b"t"), Ask(b"a")))
    assert conversation.bytes_to_send() == b"ta"
    assert received == [None]


def test_an_answer_to_nothing_changes_nothing() -> None:
    received: Received = []
    conversation = make(asking(received, Pause(20.0)))
    conversation.answer("late", 10.5)
    assert received == []


@pytest.mark.parametrize("ends", [True, False])
def test_an_order_ends_only_the_pause_that_waits_for_one(*, ends: bool) -> None:
    received: Received = []
    conversation = make(asking(received, Pause(20.0, orders_end_it=ends), Ask(b"a")))
    conversation.notice_order(10.5)
    assert conversation.bytes_to_send() == (b"a" if ends else b"")
    conversation.tick(20.0)
    assert received == [None]


def test_stopping_owes_nothing_and_waits_for_nothing_but_keeps_the_unanswered_question() -> None:
    conversation = make(asking([], Ask(b"a")))
    conversation.stop()
    assert (conversation.bytes_to_send(), conversation.due(), conversation.unanswered) == (b"", None, b"a")
    conversation.answer("late", 10.5)
    conversation.tick(50.0)
    assert conversation.bytes_to_send() == b""


def test_trying_again_comes_less_and_less_often_until_it_works() -> None:
    reasons: list[SilentError | UnfitError] = []
    outcomes: list[Exception | None] = [
        SilentError(),
        UnfitError(Trouble.HARDWARE, "broken"),
        *(SilentError() for _ in range(4)),
        None,
        SilentError(),
        None,
    ]

    def start_up() -> Talk[str, None]:
        starts.append(conversation.now)
        outcome = outcomes.pop(0) if outcomes else None
        if outcome is not None:
            raise outcome
        yield Send(b"")

    def serve() -> Talk[str, None]:
        yield Pause(conversation.now + 100.0)

    starts: list[float] = []
    conversation: Conversation[str] = Conversation(reply_timeout_s=1.0, repeats=0)
    conversation.begin(keep_talking(conversation, start_up=start_up, serve=serve, give_up=reasons.append), 0.0)
    while outcomes:
        due = conversation.due()
        assert due is not None
        conversation.tick(due)
    assert starts == [0.0, 0.5, 1.5, 3.5, 7.5, 12.5, 17.5, 117.5, 118.0]
    assert [type(reason) for reason in reasons[:2]] == [SilentError, UnfitError]
    assert len(reasons) == 7
