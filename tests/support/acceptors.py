"""Every way of talking to a bill acceptor that there is, with a simulated unit, in the forms that matter for money."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from support import pulse_bench
from support.ebds_bench import cashflow as extended_host
from support.id003_bench import NOTE_TYPES
from support.notes import CHANNELS
from support.till import Host, Till
from support.wire import Damage, unharmed

from drivers.bills.cctalk.frame import Check
from drivers.bills.cctalk.host import CcTalkProtocol
from drivers.bills.ebds.codec import NOTE_TABLES, Policy
from drivers.bills.ebds.host import EbdsProtocol
from drivers.bills.ict.host import IctProtocol
from drivers.bills.id003.host import Id003Protocol
from drivers.bills.ssp.host import SspProtocol
from drivers.simulated.cashflow import Cashflow
from drivers.simulated.cctalk_validator import CcTalkValidator
from drivers.simulated.ict import Ict
from drivers.simulated.nv9 import NV9
from drivers.simulated.uba import UBA


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One form of a unit; `cut` cuts its power, a note on its way ends in the box or comes out where that is open."""

    unit: Callable[[], Any]
    host: Callable[[], Host]
    cut: Callable[[Any, bool], object]
    connected: Callable[[Any], object] = id
    """What the unit's side does when a host opens the line: mostly nothing."""
    escrow: bool = True
    """True if a note waits for the host; where none does, a unit's power cut can lose a note without a word."""


def _to_cashbox(unit: Any, into_box: bool) -> None:
    unit.power_cycle(to_cashbox=into_box)


def _nv9(*, knows_note: bool = True, **traits: Any) -> Kind:
    return Kind(
        unit=lambda: NV9(CHANNELS, **traits),
        host=SspProtocol,
        cut=lambda unit, into_box: unit.power_cycle(to_cashbox=into_box, knows_note=knows_note),
    )


def _uba(**traits: Any) -> Kind:
    return Kind(
        unit=lambda: UBA(NOTE_TYPES, **traits),
        host=lambda: Id003Protocol(currency="USD"),
        cut=lambda unit, into_box: unit.power_cycle(to_stacker=into_box),
    )


def _cashflow(host: Callable[[], Host], **traits: Any) -> Kind:
    return Kind(unit=lambda: Cashflow(CHANNELS, **traits), host=host, cut=lambda unit, _: unit.power_cycle())


def _pyramid(policy: Policy) -> Host:
    return EbdsProtocol(currency="USD", values_cents=NOTE_TABLES["USD"], policy=policy)


def _cctalk(check: Check) -> Kind:
    return Kind(unit=lambda: CcTalkValidator(CHANNELS, check=check), host=CcTalkProtocol, cut=_to_cashbox)


KINDS: Mapping[str, Kind] = {
    "ssp with acks": _nv9(),
    "ssp with counters": _nv9(knows_acks=False),
    "ssp that forgets the value": _nv9(knows_note=False),
    "ssp plain": _nv9(knows_acks=False, knows_counters=False),
    "id003": _uba(),
    "id003 that reports vend valid after power-up": _uba(reports_recovered=True),
    "id003 that forgets vend valid": _uba(remembers_credit=False),
    "ebds": _cashflow(extended_host),
    "pyramid with policy A": _cashflow(lambda: _pyramid(Policy.A), extended=False),
    "pyramid with policy B": _cashflow(lambda: _pyramid(Policy.B), extended=False),
    "pyramid with policy C": _cashflow(lambda: _pyramid(Policy.C), extended=False),
    "pyramid that forgets": _cashflow(lambda: _pyramid(Policy.B), extended=False, keeps_event=False),
    "cctalk": _cctalk(Check.SIMPLE),
    "cctalk with crc": _cctalk(Check.CRC),
    "ict": Kind(unit=lambda: Ict(CHANNELS), host=lambda: IctProtocol(CHANNELS), cut=_to_cashbox),
    "pulse": Kind(
        unit=pulse_bench.PulseUnit,
        host=pulse_bench.host,
        cut=lambda unit, _: unit.power_cut(),
        connected=lambda unit: unit.found(),
        escrow=False,
    ),
}


def till_of(kind: Kind, *, damage: Damage = unharmed) -> tuple[Till, Any]:
    """A till with a unit of this kind, which has reported who it is and takes notes."""
    unit = kind.unit()
    till = Till(make=kind.host, unit=unit, damage=damage, on_connect=lambda: kind.connected(unit), escrow=kind.escrow)
    till.wire.run_until(lambda: till.taking and unit.enabled, at_most_s=120.0)
    return till, unit
