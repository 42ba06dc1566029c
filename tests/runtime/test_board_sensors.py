"""What the kernel shows of voltage and temperature, on folders that look like a Pi's, and what it means."""

from pathlib import Path

import pytest
from support.journals import open_journal
from support.machines import seated

from cabinet.engine.inputs import Bet, Fault, FaultBegan, FaultEnded
from cabinet.engine.state import LockKind, Machine
from cabinet.runtime.board_sensors import conditions
from cabinet.runtime.clock import Clock, read_wall_ms
from cabinet.runtime.housekeeping import CHECK_EVERY_S, Housekeeping, make_housekeeping

THROTTLED = "devices/platform/soc/soc:firmware/get_throttled"
BOARD = {Fault.OVER_TEMPERATURE, Fault.UNDER_VOLTAGE}
ZONE = "class/thermal/thermal_zone0/temp"


def put(system: Path, name: str, words: str) -> None:
    path = system / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{words}\n")


def standing(system: Path) -> set[Fault]:
    return {each.fault for each in conditions(system) if each.begins}


def test_where_nothing_is_shown_nothing_is_wrong(tmp_path: Path):
    assert standing(tmp_path) == set()
    assert all(each.ends for each in conditions(tmp_path))


@pytest.mark.requirement("TE-01")
@pytest.mark.parametrize(
    ("words", "faults"),
    [
        ("0", set()),
        ("50000", set()),
        ("1", {Fault.UNDER_VOLTAGE}),
        ("50005", {Fault.UNDER_VOLTAGE, Fault.OVER_TEMPERATURE}),
        ("8", {Fault.OVER_TEMPERATURE}),
        ("2", set()),
        ("no number", set()),
    ],
)
def test_the_firmware_reports_by_the_bits_of_this_moment(tmp_path: Path, words: str, faults: set[Fault]):
    put(tmp_path, THROTTLED, words)
    assert standing(tmp_path) == faults


@pytest.mark.requirement("TE-01")
def test_the_sensor_of_the_voltage_reports_and_no_other(tmp_path: Path):
    put(tmp_path, "class/hwmon/hwmon0/name", "cpu_thermal")
    put(tmp_path, "class/hwmon/hwmon0/in0_lcrit_alarm", "1")
    assert standing(tmp_path) == set()
    put(tmp_path, "class/hwmon/hwmon1/name", "rpi_volt")
    put(tmp_path, "class/hwmon/hwmon1/in0_lcrit_alarm", "1")
    assert standing(tmp_path) == {Fault.UNDER_VOLTAGE}


def test_between_hot_and_cool_nothing_changes(tmp_path: Path):
    seen = []
    for milli in ("79999", "80000", "77000", "74999"):
        put(tmp_path, ZONE, milli)
        (heat,) = [each for each in conditions(tmp_path) if each.fault is Fault.OVER_TEMPERATURE]
        seen.append((heat.begins, heat.ends))
    assert seen == [(False, False), (True, False), (False, False), (False, True)]


def _of_the_board(housekeeping: Housekeeping, machine: Machine, now: float) -> list[FaultBegan | FaultEnded]:
    """Returns the facts about the board; this test's time makes the clock jump."""
    facts = housekeeping.facts(machine, now)
    return [each for each in facts if isinstance(each, FaultBegan | FaultEnded) and each.fault in BOARD]


@pytest.mark.requirement("TE-01", "TE-04")
def test_a_hot_board_is_a_warning_that_stops_nothing_and_ends_when_it_is_cool(tmp_path: Path):
    system, data = tmp_path / "sys", tmp_path / "data"
    put(system, ZONE, "85000")
    cabinet = seated("table")
    with open_journal(data) as journal:
        clock = Clock(wall_ms=read_wall_ms, floor_ms=0)
        housekeeping = make_housekeeping(journal, (data,), clock, check_program=False, board=lambda: conditions(system))
        reported = _of_the_board(housekeeping, cabinet.machine, 0.0)
        assert reported == [FaultBegan(fault=Fault.OVER_TEMPERATURE, detail="85 degrees")]
        cabinet.do(*reported)
        assert cabinet.locked() == [LockKind.OVER_TEMPERATURE]
        cabinet.do(Bet(place=0))
        put(system, ZONE, "60000")
        assert _of_the_board(housekeeping, cabinet.machine, CHECK_EVERY_S / 2) == []
        cabinet.do(*_of_the_board(housekeeping, cabinet.machine, CHECK_EVERY_S))
    assert cabinet.locked() == []
