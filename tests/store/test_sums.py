"""The sums over rows follow the machine: meters, the beginning of the period, and the marks of the cash box."""

from collections.abc import Mapping

import pytest
from support.clears import CLEARS, back_to_play, prepared
from support.journals import number_of, random_steps, stamp
from support.machines import Cabinet

from cabinet.engine.inputs import Fault, FaultBegan, FaultEnded, Input, ResetPeriod
from cabinet.engine.step import Step
from cabinet.store import codec
from cabinet.store.chain import START, StepRow
from cabinet.store.record import make_record
from cabinet.store.sums import Sums

OUT, BACK = FaultBegan(fault=Fault.CASHBOX_REMOVED), FaultEnded(fault=Fault.CASHBOX_REMOVED)


def row_of(input_: Input, step: Step) -> StepRow:
    """The row of a step."""
    numbers = {str(n): number_of(n) for n in range(1, 200)}
    return make_record(input_, step, stamp(), seq=1, before=START, entry=0, numbers=numbers).row


def of_box(marks: Mapping[str, int]) -> dict[str, int]:
    """The marks of the cash box."""
    return {name: value for name, value in marks.items() if name.startswith("cashbox.")}


def cleared_between_removals() -> Cabinet:
    """A life with a removal before a memory clear and one behind it."""
    cabinet = prepared()
    cabinet.do(ResetPeriod(), OUT, BACK)
    cabinet.do(CLEARS)
    back_to_play(cabinet)
    cabinet.do(OUT, BACK)
    return cabinet


@pytest.mark.requirement("ME-04", "AT-10")
def test_the_sums_are_those_of_the_machine_after_every_step() -> None:
    for steps in (random_steps(31, 600), cleared_between_removals().history, prepared().history):
        sums = Sums()
        for input_, step in steps:
            assert sums.add(row_of(input_, step)) is None
            machine = step.machine
            assert {name: n for name, n in sums.meters.items() if n} == {
                name: n for name, n in machine.books.meters.items() if n
            }
            assert sums.period_start == machine.period_start
            assert of_box(sums.marks) == of_box(machine.marks), input_


def test_sums_that_begin_with_a_machine_go_on_as_those_of_all_rows() -> None:
    steps = cleared_between_removals().history
    whole, late = Sums(), Sums()
    for number, (input_, step) in enumerate(steps):
        whole.add(row_of(input_, step))
        if number == len(steps) // 2:
            late.begin_with(step.machine)
        elif number > len(steps) // 2:
            late.add(row_of(input_, step))
    assert (late.meters, late.period_start) == (whole.meters, whole.period_start)
    assert of_box(late.marks) == of_box(whole.marks)
    assert late.closings == whole.closings[-len(late.closings) :]
    assert late.closings


def older(input_: Input, counts: dict[str, int]) -> StepRow:
    """A row of an older program, which numbered no closing."""
    empty = StepRow(1, 1, 0, 0, 1, 0, 0, codec.encode_input(input_), "[]", "[]", "{}", "[]", "{}", b"")
    return empty._replace(counts=codec.encode_plain(counts))


@pytest.mark.requirement("ME-08")
def test_what_an_older_program_closed_is_followed_but_is_no_closing() -> None:
    sums = Sums(meters={"bills_in": 700, "bills:100": 7, "coin_in": 300})
    sums.add(older(OUT, {"cashbox_removals": 1}))
    assert sums.marks == {"cashbox.bills_in": 700, "cashbox.bills:100": 7}
    sums.add(older(ResetPeriod(), {}))
    assert sums.period_start == sums.meters
    assert sums.closings == []


@pytest.mark.requirement("ME-08", "PL-09")
def test_a_memory_clear_of_an_older_program_forgot_what_was_in_the_cash_box() -> None:
    sums = Sums(meters={"bills_in": 700, "memory_clears": 1}, period_start={"bills_in": 100})
    row = older(CLEARS, {"memory_clears": 1})
    sums.add(row._replace(events='[{"is":"MemoryCleared","number":2}]'))
    assert (sums.marks, sums.period_start, sums.meters) == ({}, {}, {"memory_clears": 2})
