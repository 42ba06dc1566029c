"""The serial line: exclusive, bounded in time, and clear about what went wrong."""

import os
import subprocess
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.bills.catalog import PROTOCOLS
from drivers.errors import LineError, LineGoneError
from drivers.protocol import LineSettings, Parity
from drivers.serial_link import SerialLink, describe, has_mini_uart, open_link, prepare_port
from drivers.simulated.pty_line import PtyFarEnd

SSP = LineSettings(baud=9600, stop_bits=2)


class Echo:
    """Sends received bytes back."""

    def __init__(self) -> None:
        self.owed = b""

    def receive(self, data: bytes, now: float) -> None:
        self.owed += data

    def tick(self, now: float) -> None:
        return

    def due(self) -> float | None:
        return None

    def bytes_to_send(self) -> bytes:
        owed, self.owed = self.owed, b""
        return owed


@pytest.fixture
def far(tmp_path: Path) -> Iterator[PtyFarEnd]:
    end = PtyFarEnd(Echo(), directory=tmp_path)
    end.start()
    yield end
    end.stop()


def read_all(link: SerialLink, size: int) -> bytes:
    data = b""
    while len(data) < size:
        piece = link.read(5.0)
        assert piece, f"only {data!r} came back"
        data += piece
    return data


def test_bytes_go_out_and_come_back_as_they_are(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    link.write(bytes(range(256)))
    assert read_all(link, 256) == bytes(range(256))
    link.close()


def test_reading_an_idle_line_ends_empty(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    assert link.read(0.0) == b""
    link.close()


def test_the_requested_settings_can_be_read(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    assert (link.path, link.settings) == (far.path, SSP)
    link.close()


def test_a_port_is_prepared_with_every_setting_before_it_is_open() -> None:
    settings = LineSettings(baud=19200, data_bits=7, parity=Parity.EVEN, stop_bits=2)
    port = prepare_port(settings)
    assert not port.is_open
    assert (port.baudrate, port.bytesize, port.parity, port.stopbits) == (19200, 7, "E", 2)
    assert (port.exclusive, port.dtr, port.rts) == (True, True, True)
    assert (port.timeout, port.write_timeout) == (0, 2.0)


@pytest.mark.parametrize(
    ("name", "bits", "parity", "stops"),
    [
        ("ssp", 8, "N", 2),
        ("cctalk", 8, "N", 1),
        ("ict", 8, "E", 1),
        ("id003", 8, "E", 1),
        ("ebds", 7, "E", 1),
        ("pyramid", 7, "E", 1),
    ],
)
def test_every_acceptor_asks_its_port_for_the_line_that_its_maker_states(
    name: str, bits: int, parity: str, stops: int
) -> None:
    port = prepare_port(PROTOCOLS[name].line)
    assert (port.baudrate, port.bytesize, port.parity, port.stopbits) == (9600, bits, parity, stops)
    assert port.exclusive


@pytest.mark.fault(31)
def test_a_second_owner_is_refused_in_a_clear_sentence(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    with pytest.raises(LineError) as caught:
        SerialLink(far.path, SSP)
    assert str(caught.value) == (
        f"the serial line {far.path} is in use by another program; stop that program, which may be a cabinet that is "
        "still running, and try again"
    )
    link.close()
    open_link(far.path, SSP).close()


def open_plainly(path: str) -> str:
    """Open the line in another program, without the lock and without being root; its complaint, "" when it got in."""
    terminal = os.path.realpath(path)
    someone = 65534 if os.geteuid() == 0 else None
    if someone is not None:
        Path(terminal).chmod(0o666)
    shell = subprocess.run(
        ["/bin/sh", "-c", f": <> {terminal}"], user=someone, capture_output=True, text=True, check=False
    )
    return shell.stderr


@pytest.mark.fault(31)
def test_a_program_that_asks_for_no_lock_is_refused_too(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    assert "busy" in open_plainly(far.path)
    link.close()
    assert open_plainly(far.path) == ""


def test_a_refused_second_owner_leaves_the_line_to_the_first(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    with pytest.raises(LineError):
        SerialLink(far.path, SSP)
    assert "busy" in open_plainly(far.path)
    link.write(b"!")
    assert read_all(link, 1) == b"!"
    link.close()


def test_a_missing_line_names_the_remedy(tmp_path: Path) -> None:
    path = str(tmp_path / "acceptor")
    with pytest.raises(LineError, match=r"9600 8N2.*check that the adapter is plugged in") as caught:
        SerialLink(path, SSP)
    assert path in str(caught.value)


def test_a_file_is_not_a_line(tmp_path: Path) -> None:
    path = tmp_path / "acceptor"
    path.write_bytes(b"")
    with pytest.raises(LineError, match="cannot open"):
        SerialLink(str(path), SSP)


def test_an_impossible_baud_rate_is_a_line_error(far: PtyFarEnd) -> None:
    with pytest.raises(LineError, match="cannot open"):
        SerialLink(far.path, LineSettings(baud=-1))


@pytest.mark.requirement("BA-11")
def test_an_unplugged_line_is_gone_for_reading_and_writing(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, SSP)
    far.unplug()
    with pytest.raises(LineGoneError, match="while reading"):
        link.read(1.0)
    with pytest.raises(LineGoneError, match="while writing 1 bytes"):
        link.write(b"x")
    link.close()
    link.close()


def test_closing_frees_the_file(far: PtyFarEnd) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    link = SerialLink(far.path, SSP)
    link.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (SSP, "9600 8N2"),
        (LineSettings(baud=9600, parity=Parity.EVEN), "9600 8E1"),
        (LineSettings(baud=4800, data_bits=7, parity=Parity.ODD), "4800 7O1"),
    ],
)
def test_settings_are_described_in_the_usual_short_form(settings: LineSettings, words: str) -> None:
    assert describe(settings) == words


def make_uart(root: Path, name: str, compatible: bytes) -> None:
    node = root / "class/tty" / name / "device/of_node"
    node.mkdir(parents=True)
    (node / "compatible").write_bytes(compatible)


def test_the_mini_uart_is_known_by_its_device_tree_node(tmp_path: Path) -> None:
    make_uart(tmp_path, "ttyS0", b"brcm,bcm2835-aux-uart\0")
    make_uart(tmp_path, "ttyAMA0", b"arm,pl011\0arm,primecell\0")
    assert has_mini_uart("/dev/ttyS0", sys_root=tmp_path)
    assert not has_mini_uart("/dev/ttyAMA0", sys_root=tmp_path)
    assert not has_mini_uart("/dev/ttyUSB0", sys_root=tmp_path)


@pytest.mark.parametrize("settings", [SSP, LineSettings(baud=9600, parity=Parity.EVEN)])
def test_a_path_that_leads_nowhere_or_is_none_is_a_line_error(tmp_path: Path, settings: LineSettings) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (str(loop), f"{tmp_path}/a\0b", f"{tmp_path}/{'a' * 300}", "/" + "a" * 5000):
        with pytest.raises(LineError, match="cannot open the serial line"):
            SerialLink(path, settings)


def test_parity_on_the_mini_uart_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivers.serial_link.has_mini_uart", lambda _: True)
    with pytest.raises(LineError, match="mini UART and has no parity, but 9600 8E1 is needed"):
        SerialLink("/dev/ttyS0", LineSettings(baud=9600, parity=Parity.EVEN))


def test_waking_ends_a_read_that_would_wait_for_a_minute(far: PtyFarEnd) -> None:
    link = SerialLink(far.path, LineSettings(baud=9600))
    began = time.monotonic()
    waker = threading.Thread(target=link.wake)

    waker.start()
    got = link.read(60.0)

    waker.join()
    link.close()
    assert got == b""
    assert time.monotonic() - began < 30.0


def find_open(path: str) -> int:
    """Where this process has the line open; no second open is possible."""
    terminal = os.path.realpath(path)
    return next(int(fd.name) for fd in Path("/proc/self/fd").iterdir() if os.path.realpath(fd) == terminal)


@pytest.mark.parametrize(("parity", "dropped"), [(Parity.EVEN, True), (Parity.NONE, False)])
def test_bytes_of_wrong_parity_are_dropped_by_the_kernel_where_there_is_parity(
    far: PtyFarEnd, parity: Parity, *, dropped: bool
) -> None:
    link = SerialLink(far.path, LineSettings(baud=9600, parity=parity))
    link.write(b"!")
    assert read_all(link, 1) == b"!"
    input_flags = termios.tcgetattr(find_open(far.path))[0]
    wanted = termios.INPCK | termios.IGNPAR
    assert (input_flags & wanted == wanted) is dropped
    link.close()
