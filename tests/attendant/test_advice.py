"""Every lock is explained, and the words keep to what the machine does."""

import re
from functools import partial

import pytest
from support.attendant_data import MenuHand, bare_desk
from support.cases import case
from support.locked import under, without_cause
from support.source import find_prose, read_product

from cabinet.attendant.advice import ADVICE, CONSEQUENCES, said
from cabinet.attendant.technician import ONLY
from cabinet.engine.inputs import Key, KeyTurned, ResetPeriod, SetOutOfService, SettleLock, Settlement, VoidRound
from cabinet.engine.locks import LOCKS
from cabinet.engine.settlement import settlements_of
from cabinet.engine.state import ClearedBy, LockKind
from cabinet.text.attendant_words import say


@pytest.mark.requirement("TE-02")
def test_every_lock_has_its_words():
    assert ADVICE.keys() == set(LockKind)
    assert len({advice.what for advice in ADVICE.values()}) == len(LockKind)


def test_every_settlement_says_what_it_does():
    assert CONSEQUENCES.keys() == set(Settlement)


def test_the_words_are_sentences():
    for kind in LockKind:
        with case(kind=kind):
            advice = ADVICE[kind]
            for words in (advice.what, advice.to_do):
                assert words[0].isupper()
                assert words.endswith(".")
                assert "  " not in words


def _ready_for_the_key(kind):
    """The lock with its cause gone."""
    return without_cause(under(kind))


def test_the_reset_key_is_named_exactly_where_it_settles_the_lock():
    for kind in LockKind:
        with case(kind=kind):
            cabinet = _ready_for_the_key(kind)
            cabinet.do(KeyTurned(key=Key.RESET, on=True))
            assert ("reset key" in ADVICE[kind].to_do) == (not cabinet.machine.locks)


@pytest.mark.requirement("AT-04", "TE-02")
def test_every_lock_has_a_page_that_names_it_and_says_how_it_is_settled():
    for kind in LockKind:
        with case(kind=kind):
            cabinet = under(kind)
            cabinet.audit()
            hand = MenuHand(data=bare_desk(cabinet))
            hand.choose("Locks", kind.value.capitalize())
            page = hand.page
            text = " ".join(cell for line in page.lines for cell in line.cells)
            assert page.title == kind.value.capitalize()
            assert page.position == (1, 1)
            assert ADVICE[kind].what in text
            assert ADVICE[kind].to_do in text
            (lock,) = cabinet.machine.locks
            asked = [how.value.capitalize() for how in settlements_of(cabinet.machine, lock)]
            assert list(page.menu) == (["Put back in service"] if kind is LockKind.OUT_OF_SERVICE else asked)
            if LOCKS[kind].cleared_by is ClearedBy.CONDITION:
                assert "It ends by itself" in text


@pytest.mark.parametrize("kind", [kind for kind in LockKind if LOCKS[kind].cleared_by is ClearedBy.ATTENDANT])
def test_what_the_attendant_clears_can_be_cleared_once_the_cause_is_gone(kind):
    cabinet = under(kind)
    hand = MenuHand(data=bare_desk(cabinet))
    hand.choose("Locks", kind.value.capitalize())
    assert ("The fault", "is still reported") in hand.rows
    assert "It can be cleared when the cause is gone." in _text(hand)
    hand = MenuHand(data=bare_desk(without_cause(cabinet, technician=True)))
    hand.choose("Locks", kind.value.capitalize())
    assert hand.page.menu == ("Clear",)
    assert "It can be cleared now." in _text(hand)


def _text(hand: MenuHand) -> str:
    return " ".join(cell for line in hand.page.lines for cell in line.cells)


@pytest.mark.requirement("SE-07")
@pytest.mark.parametrize("kind", [kind for kind in LockKind if LOCKS[kind].technician])
def test_a_lock_for_the_technician_alone_offers_the_attendant_no_settlement(kind):
    hand = MenuHand(data=bare_desk(without_cause(under(kind))))
    hand.choose("Locks", kind.value.capitalize())
    assert hand.page.menu == ()
    assert ONLY in _text(hand)
    assert "It can be cleared" not in _text(hand)


SAY = partial(say, "en")


def test_what_was_not_done_is_never_said_to_have_happened():
    for command in (ResetPeriod(), SetOutOfService(out=True), SetOutOfService(out=False), VoidRound()):
        assert "Nothing was changed" in said(command, SAY, done=False)
        assert "Nothing" not in said(command, SAY, done=True)
    assert said(SetOutOfService(out=True), SAY, done=True) == "The machine is out of service."
    assert said(SettleLock(lock_id=1, how=Settlement.CLEAR), SAY, done=True) == "Settled: Clear."
    assert said(ResetPeriod(), partial(say, "de"), done=True).startswith("Die Periode ist geschlossen")


# --- plain words ------------------------------------------------------------------------------------------------

UNCLEAR = re.compile(
    r"\b(nobody|somebody|whoever|heed|so many|told of|tells of|"  # plain: ok
    r"whose way|for the time|(?<!-)anew|Is there|Has the|Do they)\b"
)
"""Words and turns that attendants and operators have to read twice."""
STORED = frozenset({"suspended note owed to nobody"})
"""Old journals hold these words, and no page shows them."""
READ_BY_PEOPLE = re.compile(r"cabinet\.(attendant|commands|config|engine|runtime|store)\b.*")


def test_what_attendants_and_operators_read_is_plain():
    read = [source for source in read_product() if READ_BY_PEOPLE.fullmatch(source.module)]
    assert len(read) > 40
    found = [(source.module, words) for source in read for words in find_prose(source.tree)]
    assert [each for each in found if UNCLEAR.search(each[1]) and each[1] not in STORED] == []


def test_a_turn_that_has_to_be_read_twice_is_found():
    assert UNCLEAR.search("the memory was cleared for the time 3")
    assert UNCLEAR.search("a note whose way is open")
    assert not UNCLEAR.search("a note still in the acceptor")
