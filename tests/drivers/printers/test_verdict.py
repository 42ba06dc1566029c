"""Only a printer with a proved status report may print tickets of value."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.printer_bench import PrinterBench, TclBench

from drivers.printers.document import Paper, PrinterEvent, PrinterStarted, PrinterStatus
from drivers.printers.verdict import PATIENCE_S, Examination, Verdict, judge
from drivers.simulated.tcl_printer import TclTraits
from drivers.simulated.ticket_printer import MUTE, Traits


@pytest.mark.parametrize(
    ("events", "verdict", "detail"),
    [
        ([], Verdict.SILENT, ""),
        ([PrinterStatus(link=False, fault="no answer")], Verdict.SILENT, "no answer"),
        ([PrinterStarted(model="X")], Verdict.REPORTS, "X"),
        ([PrinterStarted(model="X"), PrinterStatus(link=True, fault="too hot")], Verdict.REPORTS, "X, too hot"),
        ([PrinterStatus(link=True, fault="why", reports=False)], Verdict.CANNOT_REPORT, "why"),
        (
            [PrinterStatus(link=True, paper=Paper.OUT, cover_open=True)],
            Verdict.REPORTS,
            "its cover is open, paper out, offline",
        ),
    ],
)
def test_events_make_a_verdict(events: list[PrinterEvent], verdict: Verdict, detail: str) -> None:
    assert judge(events) == Examination(verdict=verdict, detail=detail)


Bench = Callable[[Path], PrinterBench]


def judge_after_a_while(bench: PrinterBench) -> Verdict:
    bench.wire.connect()
    bench.wire.run(PATIENCE_S)
    return judge(bench.wire.events).verdict


@pytest.mark.parametrize("bench", [PrinterBench, TclBench])
def test_a_printer_that_reports_is_fit(tmp_path: Path, bench: Bench) -> None:
    assert judge_after_a_while(bench(tmp_path)) is Verdict.REPORTS


@pytest.mark.fault(39)
@pytest.mark.parametrize(
    ("bench", "verdict"),
    [
        (lambda folder: PrinterBench(folder, traits=MUTE), Verdict.SILENT),
        (lambda folder: PrinterBench(folder, traits=Traits(answers=frozenset({1, 4}))), Verdict.CANNOT_REPORT),
        (lambda folder: PrinterBench(folder, traits=Traits(answers_in_order=False)), Verdict.CANNOT_REPORT),
        (lambda folder: PrinterBench(folder, traits=Traits(nonsense=b"OK")), Verdict.CANNOT_REPORT),
        (lambda folder: TclBench(folder, silent=True), Verdict.SILENT),
        (lambda folder: TclBench(folder, traits=TclTraits(nonsense=b"*S|what|*")), Verdict.CANNOT_REPORT),
    ],
)
def test_a_mute_or_babbling_printer_is_not_fit_whatever_its_language(
    tmp_path: Path, bench: Bench, verdict: Verdict
) -> None:
    assert judge_after_a_while(bench(tmp_path)) is verdict
