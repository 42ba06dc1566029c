"""A unit that falls silent while it is jammed or its cash box is out, for every protocol of a line."""

from itertools import product

import pytest
from support.cases import case
from support.wire import Wire

from drivers.bills.catalog import PROTOCOLS, AcceptorSettings, make_protocol
from drivers.bills.events import BillEvent, BillOrder, Started, Trouble, TroubleBegan, TroubleEnded
from drivers.simulated.units import Hand, Pace, SerialAcceptor, make_unit

NOTES_CENTS = (100, 500, 1_000, 2_000)
HANDS = ((Hand.JAM, Trouble.JAM), (Hand.BOX_OUT, Trouble.CASHBOX_REMOVED))


@pytest.mark.requirement("BA-08")
def test_what_only_the_unit_reports_ends_with_its_silence_and_a_box_that_is_out_is_reported_again() -> None:
    for name, (hand, trouble) in product(PROTOCOLS, HANDS):
        settings = AcceptorSettings(currency="USD", values_cents=NOTES_CENTS if name == "ict" else None)
        unit = make_unit(name, settings, NOTES_CENTS, pace=Pace.INSTANT)
        if hand in unit.cannot:
            continue
        assert isinstance(unit.device, SerialAcceptor)
        wire: Wire[BillEvent, BillOrder] = Wire(make_protocol(name, settings), unit.device)
        with case(name=name, trouble=trouble):
            wire.connect()
            wire.run_until(lambda wire=wire: any(isinstance(event, Started) for event in wire.events))
            unit.hands[hand]()
            wire.run_until_event(TroubleBegan)
            wire.run(2.0)
            wire.events.clear()
            wire.disconnect()
            assert TroubleEnded(trouble=trouble) in wire.events
            assert any(isinstance(event, TroubleBegan) and event.trouble is Trouble.LINK for event in wire.events)
            if trouble is Trouble.JAM:
                continue
            wire.connect()
            wire.run(10.0)
            again = [event.trouble for event in wire.events if isinstance(event, TroubleBegan)]
            assert again == [Trouble.LINK, trouble]
