"""The kinds of pins: the wrong ones are refused, and the library under them is named."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest
from gpiozero import Factory
from support.pin_libraries import use_rpi_gpio

from drivers.errors import ConfigurationError
from drivers.panel.gpio import open_contact
from drivers.panel.layout import DEFAULT_INPUTS, Input
from drivers.panel.pin_factory import HEADER_CHIPS, find_chip, library_of, make_factory, why_not_rpigpio


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


OLD, NEW = ("RPi.GPIO", "0.7.1"), ("rpi-lgpio", "0.6")
WORKS = "6.1.0-rpi7-rpi-v8"
TODAY = "6.12.34+rpt-rpi-v8"


def open_deal(release: str, compatible: Path = Path("none"), work: str = ".") -> list[int]:
    """Opens the contact of DEAL by RPi.GPIO. Returns the pins that the library watches for edges."""
    factory = make_factory("rpigpio", compatible=compatible, release=release, environment={"LG_WD": work})
    with closing(factory), open_contact(Input.DEAL, DEFAULT_INPUTS[Input.DEAL], factory):
        return sorted(sys.modules["RPi.GPIO"].watched)


@pytest.mark.parametrize(("package", "version"), [OLD, NEW])
def test_either_library_of_the_name_watches_a_contact_on_an_old_kernel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, package: str, version: str
) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, package, version)
    assert open_deal(WORKS) == [DEFAULT_INPUTS[Input.DEAL].pin]


def test_rpi_lgpio_works_on_the_kernels_of_today_and_on_a_pi_5(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, *NEW)
    compatible = tmp_path / "compatible"
    compatible.write_bytes(b"raspberrypi,5-model-b\0brcm,bcm2712\0")
    assert open_deal(TODAY, compatible) == [DEFAULT_INPUTS[Input.DEAL].pin]


def test_the_old_library_is_refused_on_the_kernels_of_today_before_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, *OLD)
    reason = (
        r"RPi\.GPIO 0\.7\.1 writes pin numbers to /sys/class/gpio/export, where .* begins at 0 only before Linux 6\.6, "
        r"and this is 6\.12\.34\+rpt-rpi-v8: no contact is seen; install rpi-lgpio .*, or choose lgpio"
    )
    with pytest.raises(ConfigurationError, match=reason):
        open_deal(TODAY)
    assert "RPi.GPIO" not in sys.modules


def test_the_old_library_is_refused_on_a_pi_5(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, *OLD)
    compatible = tmp_path / "compatible"
    compatible.write_bytes(b"raspberrypi,5-model-b\0brcm,bcm2712\0")
    with pytest.raises(
        ConfigurationError, match=r"RPi\.GPIO 0\.7\.1 does not know the chip of a Pi 5; install rpi-lgpio"
    ):
        open_deal(WORKS, compatible)


def test_the_library_that_carries_the_name_decides_where_both_were_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, *OLD)
    (tmp_path / "rpi_lgpio-0.6.dist-info").mkdir()
    (tmp_path / "rpi_lgpio-0.6.dist-info" / "METADATA").write_text("Name: rpi-lgpio\nVersion: 0.6\n")
    assert str(library_of("rpigpio")) == "RPi.GPIO 0.7.1"
    with pytest.raises(ConfigurationError, match="no contact is seen"):
        open_deal(TODAY)


def test_the_library_under_the_pins_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert [library_of(name) for name in ("lgpio", "rpigpio", "mock")] == [None, None, None]
    use_rpi_gpio(monkeypatch, tmp_path, *NEW)
    assert str(library_of("rpigpio")) == "rpi-lgpio 0.6, imported as RPi.GPIO"
    assert str(library_of("lgpio")) == "lgpio"
    assert library_of("mock") is None


def test_a_library_that_refuses_to_watch_is_reported_with_the_contact(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, *OLD, edges=False)
    with pytest.raises(ConfigurationError, match="deal on GPIO24 cannot be opened: Failed to add edge detection"):
        open_deal(WORKS)


def test_rpi_lgpio_needs_the_work_folder_of_lgpio(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use_rpi_gpio(monkeypatch, tmp_path, *NEW)
    with pytest.raises(ConfigurationError, match="pin factory rpigpio: its work folder /no/such cannot"):
        open_deal(TODAY, work="/no/such")


def test_a_missing_library_is_reported_with_the_one_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(
        ConfigurationError, match=r"found no library RPi\.GPIO; install rpi-lgpio \(python3-rpi-lgpio\)"
    ):
        make_factory("rpigpio", release=WORKS)


FALL_BACK = """
import sys
from gpiozero import DigitalOutputDevice
from gpiozero.exc import PinFactoryFallback
from drivers.panel.pin_factory import make_factory
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
