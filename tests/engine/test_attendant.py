"""The attendant's acts that move no money: out of service, the recall."""

import pytest
from support.machines import Cabinet, dealt, seated

from cabinet.engine.attendant import why_not_service
from cabinet.engine.effects import Reason
from cabinet.engine.inputs import (
    Bet,
    CashOut,
    Deal,
    Double,
    Fault,
    FaultBegan,
    FaultEnded,
    Key,
    KeyTurned,
    RecallViewed,
    SetOutOfService,
    Split,
    TicketPrinted,
)
from cabinet.engine.log import LogKind
from cabinet.engine.state import State

RESET = KeyTurned(key=Key.RESET, on=True)
PAIR = "8S 6D 8H 10C"


def _out_of_service(cabinet: Cabinet) -> None:
    cabinet.audit()
    cabinet.do(SetOutOfService(out=True))
    cabinet.audit(on=False)


@pytest.mark.requirement("AT-12", "PL-14")
def test_out_of_service_takes_no_bet_and_no_note_but_pays() -> None:
    cabinet = seated("table")
    _out_of_service(cabinet)
    assert cabinet.state is State.LOCKED
    assert cabinet.refusal(Bet(place=0)) == "LOCKED"
    cabinet.do(CashOut(), TicketPrinted(sequence=1))
    assert cabinet.credit == 0
    cabinet.audit()
    assert cabinet.refusal(SetOutOfService(out=True)) == "NOT_NOW"
    cabinet.do(SetOutOfService(out=False))
    assert cabinet.refusal(SetOutOfService(out=False)) == "NOT_NOW"
    assert cabinet.locked() == []
    assert {LogKind.OUT_OF_SERVICE, LogKind.BACK_IN_SERVICE} <= set(cabinet.logged())


@pytest.mark.requirement("PL-14")
def test_out_of_service_lets_an_open_hand_finish_with_all_its_choices() -> None:
    cabinet = dealt("table", PAIR + " 3S 2S 10S 10S 2H")
    cabinet.do(FaultBegan(fault=Fault.BILL_JAM), FaultEnded(fault=Fault.BILL_JAM))
    cabinet.audit()
    cabinet.do(SetOutOfService(out=True), RESET)
    cabinet.audit(on=False)
    assert cabinet.state is State.DECIDING
    cabinet.do(Split(), Double(), Double())
    assert cabinet.state is State.LOCKED
    assert cabinet.refusal(Deal()) == "LOCKED"
    cabinet.do(CashOut())


def test_a_machine_is_put_back_into_service_only_when_it_is_out() -> None:
    cabinet = seated("table")
    refused = [why_not_service(cabinet.settings, cabinet.machine, SetOutOfService(out=out)) for out in (True, False)]
    assert refused == [None, Reason.NOT_NOW]


def test_a_view_of_the_last_games_is_logged_and_changes_nothing() -> None:
    cabinet = seated("table")
    before = cabinet.machine
    cabinet.do(RecallViewed())
    assert (cabinet.machine, cabinet.logged()[-1]) == (before, LogKind.RECALL_VIEWED)
