"""The panel on its pins: contacts become changes, lamps become levels, and the wrong pins are refused."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest
from gpiozero import Button, Factory
from support.panel import Bench

from drivers.errors import ConfigurationError
from drivers.panel.debounce import PRESS_S, Change
from drivers.panel.gpio import HEADER_CHIPS, SAMPLE_EVERY_S, Panel, find_chip, make_factory, why_not_rpigpio
from drivers.panel.layout import (
    BUTTONS,
    DEFAULT_INPUTS,
    DEFAULT_LAMPS,
    DOORS,
    Input,
    InputPin,
    LampPins,
    Level,
    Pull,
    Tower,
    Wiring,
)

NO_LAMPS: frozenset[Input] = frozenset()
DARK: frozenset[Tower] = frozenset()


@pytest.mark.parametrize("name", BUTTONS)
def test_a_tap_is_one_press_and_one_release(name: Input) -> None:
    bench = Bench()
    with bench.open() as panel:
        start_s = bench.clock.now
        bench.far.tap(name, hold_s=0.05)
        assert panel.poll(bench.clock.now) == (
            Change(name=name, active=True, at_s=start_s),
            Change(name=name, active=False, at_s=start_s + 0.05),
        )


def test_a_pin_of_a_simulated_cabinet_does_not_remember_what_it_was() -> None:
    bench = Bench()
    with bench.open() as panel:
        for _ in range(50):
            bench.far.tap("hit", hold_s=0.05)
        assert panel.poll(bench.clock.now)
        pin = bench.factory.pin(DEFAULT_INPUTS[Input.HIT].pin)
        assert len(pin.states) == 1


def test_an_edge_wakes_the_poller_and_does_nothing_else() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.press("hit")
        assert bench.woken == 1
        assert panel.poll(bench.clock.now) == ()


def test_an_edge_from_another_thread_is_taken_by_the_poller() -> None:
    bench = Bench()
    with bench.open() as panel:
        finger = threading.Thread(target=bench.far.press, args=("hit",))
        finger.start()
        finger.join(5)
        assert panel.poll(bench.clock.now) == ()
        bench.clock.move(0.015)
        assert [change.name for change in panel.poll(bench.clock.now)] == [Input.HIT]


def test_a_bouncing_button_is_one_press() -> None:
    bench = Bench()
    with bench.open() as panel:
        for _ in range(8):
            bench.far.press("deal")
            bench.clock.move(0.0007)
            bench.far.release("deal")
            bench.clock.move(0.0004)
        bench.far.press("deal")
        bench.clock.move(0.031)
        assert [change.active for change in panel.poll(bench.clock.now)] == [True]


def test_a_panel_whose_press_is_set_shorter_counts_it_sooner() -> None:
    bench = Bench()
    panel = Panel(bench.wiring, bench.wake, bench.factory, press_s=0.006, clock=bench.clock)
    bench.far.press("hit")
    bench.clock.move(0.0061)
    assert [change.name for change in panel.poll(bench.clock.now)] == [Input.HIT]
    panel.close()


def test_due_is_when_the_press_counts_and_then_when_to_poll_again() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.poll(bench.clock.now)
        assert panel.due() == bench.clock.now + SAMPLE_EVERY_S
        bench.far.press("hit")
        panel.poll(bench.clock.now)
        assert panel.due() == bench.clock.now + PRESS_S
        assert len(panel.poll(panel.due())) == 1
        assert panel.due() == bench.clock.now + SAMPLE_EVERY_S


@pytest.mark.fault(24, 25)
@pytest.mark.parametrize("active", [True, False])
def test_a_lost_edge_is_found_by_the_next_poll(active: bool) -> None:
    bench = Bench()
    if not active:
        bench.far.press("hit")
    with bench.open() as panel:
        panel.poll(bench.clock.now)
        pin = bench.factory.pin(DEFAULT_INPUTS[Input.HIT].pin)
        pin.edges = "none"
        (bench.far.press if active else bench.far.release)("hit")
        assert bench.woken == 0
        bench.clock.move(SAMPLE_EVERY_S)
        assert panel.poll(bench.clock.now) == ()
        bench.clock.move(0.030)
        changes = panel.poll(bench.clock.now)
        assert [(change.name, change.active) for change in changes] == [(Input.HIT, active)]


def test_a_glitch_whose_end_was_lost_is_not_a_press() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.press("hit")
        bench.factory.pin(DEFAULT_INPUTS[Input.HIT].pin).edges = "none"
        bench.far.release("hit")
        bench.clock.move(0.01)
        assert panel.poll(bench.clock.now) == ()


def test_at_rest_no_button_is_pressed_no_door_open_no_key_turned() -> None:
    with Bench().open() as panel:
        assert panel.levels() == dict.fromkeys(Input, False)
        assert panel.stuck_at_start == frozenset()


@pytest.mark.parametrize("door", DOORS)
def test_a_door_opens_and_shuts(door: Input) -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.open_door(door)
        bench.clock.move(0.031)
        opened = panel.poll(bench.clock.now)
        bench.far.close_door(door)
        bench.clock.move(0.031)
        shut = panel.poll(bench.clock.now)
    assert [(change.name, change.active) for change in (*opened, *shut)] == [(door, True), (door, False)]


@pytest.mark.parametrize("door", DOORS)
def test_a_door_that_is_open_at_the_start_is_in_the_levels(door: Input) -> None:
    bench = Bench()
    bench.far.open_door(door)
    with bench.open() as panel:
        assert [name for name, level in panel.levels().items() if level] == [door]
        bench.clock.move(1)
        assert panel.poll(bench.clock.now) == ()


def test_a_door_that_was_read_open_for_a_moment_is_reported_shut() -> None:
    """The poll read it as open; the debouncer alone would not have counted it."""
    bench = Bench()
    with bench.open() as panel:
        bench.far.open_door("main_door")
        assert panel.settle()[Input.MAIN_DOOR]
        bench.clock.move(0.003)
        bench.far.close_door("main_door")
        bench.clock.move(0.031)
        changes = panel.poll(bench.clock.now)
        assert [(change.name, change.active) for change in changes] == [(Input.MAIN_DOOR, False)]


def test_a_cut_door_wire_reads_as_open() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.factory.pin(DEFAULT_INPUTS[Input.CASHBOX_DOOR].pin).hold(None)
        assert panel.levels()[Input.CASHBOX_DOOR]


def test_a_key_turns_on_and_off() -> None:
    bench = Bench()
    with bench.open() as panel:
        bench.far.turn_key("audit_key", on=True)
        bench.clock.move(0.031)
        assert [(change.name, change.active) for change in panel.poll(bench.clock.now)] == [(Input.AUDIT_KEY, True)]
        bench.far.turn_key("audit_key", on=False)
        bench.clock.move(0.031)
        assert [(change.name, change.active) for change in panel.poll(bench.clock.now)] == [(Input.AUDIT_KEY, False)]


@pytest.mark.fault(26)
def test_a_button_stuck_at_the_start_is_reported_and_is_no_press() -> None:
    bench = Bench()
    bench.far.press("deal")
    bench.far.open_door("main_door")
    with bench.open() as panel:
        assert panel.stuck_at_start == {Input.DEAL}
        bench.clock.move(1)
        assert panel.poll(bench.clock.now) == ()
        bench.far.release("deal")
        bench.clock.move(0.031)
        assert [change.active for change in panel.poll(bench.clock.now)] == [False]


@pytest.mark.parametrize("pull", Pull)
@pytest.mark.parametrize("active", Level)
def test_every_way_to_wire_a_contact_reads_pressed_as_pressed(pull: Pull, active: Level) -> None:
    contact = InputPin(pin=9, pull=pull, active=active)
    bench = Bench(wiring=Wiring(inputs={**DEFAULT_INPUTS, Input.HIT: contact}))
    with bench.open() as panel:
        assert not panel.levels()[Input.HIT]
        bench.far.press("hit")
        bench.clock.move(0.031)
        assert [change.active for change in panel.poll(bench.clock.now)] == [True]
        assert panel.levels()[Input.HIT]


def test_the_first_bit_sent_is_the_last_output_of_the_chain() -> None:
    bench = Bench()
    with bench.open() as panel:
        sent: list[bool] = []
        data, clock, latch = (
            bench.factory.pin(pin) for pin in (DEFAULT_LAMPS.data, DEFAULT_LAMPS.clock, DEFAULT_LAMPS.latch)
        )
        clock.watch(lambda level: sent.append(bool(data.state)) if level else None)
        latched_after: list[int] = []
        latch.watch(lambda level: latched_after.append(len(sent)) if level else None)
        panel.show(frozenset({Input.CASH_OUT}), frozenset({Tower.TOWER_FAULT}))
    # Outputs 15 and 14 carry nothing, 13 is the fault lamp, 0 is CASH OUT.
    assert sent[:16] == [False, False, True, *[False] * 12, True]
    assert latched_after[0] == 16


def test_nothing_is_clocked_when_the_lamps_stay_as_they_are() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.show(frozenset({Input.HIT}), DARK)
        clocked: list[bool] = []
        bench.factory.pin(DEFAULT_LAMPS.clock).watch(clocked.append)
        panel.show(frozenset({Input.HIT}), DARK)
        assert clocked == []


def test_darkness_is_clocked_in_before_the_outputs_are_enabled() -> None:
    bench = Bench()
    factory = bench.factory
    order: list[str] = []
    factory.pin(DEFAULT_LAMPS.latch).watch(lambda level: order.append("latch") if level else None)
    factory.pin(DEFAULT_LAMPS.enable).watch(lambda level: order.append("off" if level else "on"))
    with bench.open():
        assert order[0] == "latch"
        assert order[-1] == "on"
        assert bench.far.lamps() == NO_LAMPS


def test_an_unwired_lamp_is_passed_over() -> None:
    bench = Bench(wiring=Wiring(lamps=replace(DEFAULT_LAMPS, outputs=(Input.HIT,))))
    with bench.open() as panel:
        panel.show(frozenset({Input.HIT, Input.DEAL}), frozenset(Tower))
        assert bench.far.lamps() == {Input.HIT}
        assert bench.far.tower() == DARK


@pytest.mark.parametrize("active", Level)
def test_only_the_pins_of_lamps_that_change_are_written(active: Level) -> None:
    lamps = LampPins(pins={Input.HIT: 7, Input.DEAL: 8, Tower.TOWER_CALL: 9}, active=active)
    bench = Bench(wiring=Wiring(lamps=lamps))
    with bench.open() as panel:
        panel.show(frozenset({Input.HIT, Input.DEAL}), DARK)
        written: list[int] = []
        for pin in lamps.pins.values():
            bench.factory.pin(pin).watch(lambda _, pin=pin: written.append(pin))
        panel.show(frozenset({Input.HIT}), frozenset({Tower.TOWER_CALL}))
        assert sorted(written) == [8, 9]
        assert bench.far.lamps() == {Input.HIT}
        assert bench.far.tower() == {Tower.TOWER_CALL}


def test_closing_puts_the_lamps_out_before_the_pins_are_let_go() -> None:
    bench = Bench()
    with bench.open() as panel:
        panel.show(frozenset(BUTTONS), frozenset(Tower))
        levels: list[bool] = []
        bench.factory.pin(DEFAULT_LAMPS.enable).watch(levels.append)
        panel.close()
        panel.close()
        assert levels == [True]
    assert bench.far.lamps() == NO_LAMPS


def test_a_pin_that_is_taken_is_reported_by_function_and_number_and_the_rest_is_let_go() -> None:
    bench = Bench()
    with (
        Button(DEFAULT_INPUTS[Input.HIT].pin, pin_factory=bench.factory),
        pytest.raises(ConfigurationError, match="hit on GPIO23 cannot be opened"),
        bench.open(),
    ):
        pass
    assert bench.far.lamps() == NO_LAMPS
    with bench.open() as panel:
        assert panel.levels()[Input.HIT] is False


@pytest.mark.fault(26)
def test_an_unknown_pin_factory_is_refused_by_name() -> None:
    with pytest.raises(ConfigurationError, match="'pigpio' is unknown; expected one of lgpio, rpigpio, mock"):
        make_factory("pigpio")


@pytest.mark.parametrize("folder", ["/proc", "/nowhere/at/all"])
def test_lgpio_without_a_work_folder_is_refused_by_its_name(folder: str) -> None:
    with pytest.raises(ConfigurationError, match=f"{folder} cannot be written .*LG_WD"):
        make_factory("lgpio", environment={"LG_WD": folder})


def in_fresh_python(code: str, tmp_path: Path) -> str:
    """Runs code without an earlier import of lgpio, with its work folder in `tmp_path`. Returns its output."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={"LG_WD": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])},
        cwd=tmp_path,
    )
    return done.stdout


class BoardWithThreeChips(ModuleType):
    """The part of the library lgpio that gpiozero and the panel use, with the answers of a Pi 5."""

    SET_PULL_NONE = SET_PULL_UP = SET_PULL_DOWN = BOTH_EDGES = RISING_EDGE = FALLING_EDGE = 0
    LABELS: ClassVar = {0: "gpio-brcmstb", 4: "raspberrypi-exp-gpio", 13: "pinctrl-rp1"}
    error = OSError

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.opened: set[int] = set()

    def gpiochip_open(self, number: int) -> int:
        if number not in self.LABELS:
            raise self.error("can not open gpiochip")
        self.opened.add(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.opened.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        return [0, 54, f"gpiochip{handle}", self.LABELS[handle]]


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> BoardWithThreeChips:
    """Makes this the installed lgpio; gpiozero's objects for it are dropped afterwards."""
    board = BoardWithThreeChips()
    monkeypatch.setitem(sys.modules, "lgpio", board)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", board)
    del sys.modules["gpiozero.pins.lgpio"]
    return board


def make_lgpio(folder: Path, *numbers: int) -> Factory:
    """Makes the pins of lgpio with `folder` as its work folder and as the /dev that holds these gpiochips."""
    for number in numbers:
        (folder / f"gpiochip{number}").touch()
    return make_factory("lgpio", devices=folder, environment={"LG_WD": str(folder)})


def test_the_headers_chip_is_opened_by_its_number_and_the_others_are_let_go(
    board: BoardWithThreeChips, tmp_path: Path
) -> None:
    factory = make_lgpio(tmp_path, 0, 4, 13)
    assert factory.chip == 13
    assert board.opened == {13}
    factory.close()
    assert board.opened == set()


@pytest.mark.usefixtures("board")
def test_a_chip_that_may_not_be_opened_is_reported_with_the_group_to_be_in(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"gpiochip7 cannot be opened .*is the user in the group gpio\?"):
        make_lgpio(tmp_path, 7)


@pytest.mark.usefixtures("board")
def test_lgpio_on_a_machine_without_gpiochips_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="found no gpiochip; expected one labelled pinctrl-rp1 or"):
        make_lgpio(tmp_path)


def test_an_empty_lgpio_package_is_distinguished_from_the_real_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(ConfigurationError, match="empty stub; install python3-lgpio"):
        make_lgpio(tmp_path)


def test_a_missing_lgpio_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(ConfigurationError, match="the library cannot be loaded"):
        make_lgpio(tmp_path)


def test_rpigpio_on_a_pi_5_is_refused_before_it_is_loaded(tmp_path: Path) -> None:
    compatible = tmp_path / "compatible"
    compatible.write_bytes(b"raspberrypi,5-model-b\0brcm,bcm2712\0")
    with pytest.raises(ConfigurationError, match="does not work on a Pi 5; choose lgpio"):
        make_factory("rpigpio", compatible=compatible)


@pytest.mark.parametrize(
    ("release", "works"),
    [
        ("5.15.84-v8+", True),
        ("6.1.0-rpi7-rpi-v8", True),
        ("6.5.13", True),
        ("6.6.20+rpt-rpi-v8", False),
        ("6.12.34+rpt-rpi-v8", False),
        ("7.0.1", False),
    ],
)
def test_rpigpio_is_refused_on_kernels_where_it_sees_no_edge(release: str, *, works: bool) -> None:
    assert (why_not_rpigpio(release, b"raspberrypi,4-model-b") == "") is works


def test_rpigpio_on_a_new_kernel_is_refused_before_it_is_loaded(tmp_path: Path) -> None:
    reason = r"detects no contact on Linux 6\.6 and later, .*6\.12\.1; choose lgpio"
    with pytest.raises(ConfigurationError, match=reason):
        make_factory("rpigpio", compatible=tmp_path / "none", release="6.12.1")


def test_rpigpio_served_by_rpi_lgpio_is_taken_on_a_new_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "rpi_lgpio-0.6.dist-info").mkdir()
    (tmp_path / "rpi_lgpio-0.6.dist-info" / "METADATA").write_text("Name: rpi-lgpio\nVersion: 0.6\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(ConfigurationError, match="needs a Pi 3 or 4"):
        make_factory("rpigpio", release="6.12.1")


def test_a_missing_rpigpio_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(ConfigurationError, match="needs a Pi 3 or 4"):
        make_factory("rpigpio", release="6.1.0")


FALL_BACK = """
import sys
from gpiozero import DigitalOutputDevice
from gpiozero.exc import PinFactoryFallback
from drivers.panel.gpio import make_factory
make_factory("mock")
sys.modules["lgpio"] = None
try:
    DigitalOutputDevice(9)
except PinFactoryFallback as error:
    print(error)
"""


@pytest.mark.fault(26)
def test_a_fall_back_of_gpiozero_is_an_error(tmp_path: Path) -> None:
    assert in_fresh_python(FALL_BACK, tmp_path).startswith("Falling back from lgpio")


def test_importing_the_panel_loads_no_pin_library(tmp_path: Path) -> None:
    code = "import sys, drivers.panel.gpio; print(sorted({'lgpio', 'RPi', 'pigpio'} & set(sys.modules)))"
    assert in_fresh_python(code, tmp_path) == "[]\n"


@pytest.mark.parametrize("label", HEADER_CHIPS)
def test_the_header_is_found_by_label_whatever_its_number(label: str) -> None:
    assert find_chip({0: "gpio-brcmstb@107d508500", 10: "raspberrypi-exp-gpio", 13: label}) == 13


def test_the_first_of_two_numbers_for_the_same_chip_is_taken() -> None:
    assert find_chip({4: "pinctrl-rp1", 0: "pinctrl-rp1"}) == 0


def test_a_machine_without_the_header_is_refused_by_what_it_has() -> None:
    with pytest.raises(ConfigurationError, match=r"gpiochip2 is gpio-mockup.*pinctrl-rp1"):
        find_chip({2: "gpio-mockup"})
