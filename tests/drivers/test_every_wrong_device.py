"""A device with another protocol on the line, or only an echo: reported as a fault, and never as money."""

import pytest
from support.acceptors import KINDS
from support.ebds_vectors import VECTORS as EBDS
from support.id003_vectors import VECTORS as ID003
from support.ssp_vectors import VECTORS as SSP
from support.till import Till

from drivers.bills.catalog import PROTOCOLS
from drivers.bills.events import BillEvent, Offered, Stacked, Started, Trouble, TroubleBegan

HOSTS = ("ssp with acks", "id003", "ebds", "pyramid with policy A", "cctalk", "ict")
TALK = {
    "SSP": {meaning: wire for meaning, _, _, wire in SSP}["disabled"],
    "ID-003": {meaning: wire for meaning, _, _, wire in ID003}["inhibited"],
    "EBDS": {meaning: wire for meaning, *_, wire in EBDS}["idle"],
    "CCNET": bytes.fromhex("02 03 06 33 DA 81"),
}
"""The bytes of a unit of each protocol. A ccTalk unit does not answer an unknown question."""
SPEAKS = {"ssp": "SSP", "id003": "ID-003", "ebds": "EBDS", "pyramid": "EBDS", "cctalk": "ccTalk", "ict": "ICT"}
CASES = [(name, language) for name in HOSTS for language in TALK if SPEAKS[name.split()[0]] != language]


class Other:
    """Answers everything with the same bytes, or with an echo when `says` is None."""

    def __init__(self, says: bytes | None) -> None:
        self.says = says
        self._owed = b""

    def receive(self, data: bytes, now: float) -> None:
        self._owed += data if self.says is None else self.says

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self._owed = self._owed, b""
        return owed


def events_after(name: str, says: bytes | None) -> list[BillEvent]:
    """All that a host reports of it in a minute."""
    till = Till(make=KINDS[name].host, unit=Other(says))
    till.wire.run(60.0)
    assert till.cabinet.credit == till.claimed == 0
    assert not [event for event in till.wire.events if isinstance(event, Started | Offered | Stacked)]
    return till.wire.events


@pytest.mark.requirement("BA-11")
@pytest.mark.fault(18)
@pytest.mark.parametrize(("name", "language"), CASES)
def test_a_device_of_another_language_is_named(name: str, language: str) -> None:
    words = f"this looks like {language}, but {SPEAKS[name.split(maxsplit=1)[0]]} is configured"
    found = events_after(name, TALK[language])
    if name == "ict":  # its single bytes have no form: those of another language may pass for faults first
        found = [event for event in found if event == TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail=words)]
    assert found[0] == TroubleBegan(trouble=Trouble.WRONG_DEVICE, detail=words)


@pytest.mark.requirement("BA-11")
@pytest.mark.parametrize("name", HOSTS)
def test_our_own_echo_is_no_device(name: str) -> None:
    assert TroubleBegan in {type(event) for event in events_after(name, None)}


def test_every_protocol_is_among_them() -> None:
    assert {name.split()[0] for name in HOSTS} == set(PROTOCOLS)
