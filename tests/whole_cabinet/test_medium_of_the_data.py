"""A cabinet that takes money on a medium that loses its books, or without its partition: it locks and writes nothing.

The kernel's list of mounts is a file here; all else is the command `run` as it is on a cabinet, up to the window.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import call
from support.journals import keep, session_steps

from cabinet.commands.run import run_cabinet
from cabinet.engine.locks import LOCKS
from cabinet.engine.state import LockKind, Settings
from cabinet.store.journal import FILE
from cabinet.store.verify import verify
from cabinet.text.messages import LANGUAGES
from cabinet.tools.screens_gallery import SAMPLE_FACTS, WALL
from cabinet.ui.presenter import present
from cabinet.ui.ui_state import UiState
from cabinet.ui.view import NoticeView
from cabinet.window.ports import CHECK_EVERY_S, FaultPort
from drivers.errors import ConfigurationError

ROOT = "1 0 179:2 / / rw,noatime - ext4 /dev/mmcblk0p2 rw\n"
PARTITION = "2 1 179:3 / {data} rw,noatime - ext4 /dev/mmcblk0p3 rw\n"
BOUND = "2 1 179:2 /var/lib/blackjack-cabinet {data} rw,noatime - ext4 /dev/mmcblk0p2 rw\n"
"""What the service has in the place of a missing partition: the folder of the root, made writable."""
UNUSUAL = '[games.rules.classic]\nsplits_max = 0\ndecks = 2\n[games]\noffered = ["classic"]\n'
"""Rules whose return sheet is computed and kept beside the books."""


class Machine:
    """A real cabinet with its settings, its data folder and the kernel's list."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data, self._list, self.settings = folder / "data", folder / "mountinfo", folder / "cabinet.toml"
        (folder / "marks").mkdir()
        self.marks = folder / "marks"
        self.set(own_partition=True)
        monkeypatch.setattr("cabinet.store.mounts.MOUNTS", self._list)
        self.ports: list[FaultPort] = []
        self.act: Callable[[FaultPort], None] = lambda _: None

        def window(*, cabinet: FaultPort, options: object) -> int:
            del options
            self.ports.append(cabinet)
            self.act(cabinet)
            return 0

        monkeypatch.setattr("cabinet.window.supervisor.run_window", window)

    def set(self, *, own_partition: bool) -> None:
        """Writes the settings."""
        own = str(own_partition).lower()
        words = f'[data]\nmark = "{self.marks}"\nown_partition = {own}\n[panel]\nfactory = "rpigpio"\n{UNUSUAL}'
        self.settings.write_text(words, encoding="utf-8")

    def mount(self, text: str) -> None:
        """Changes the kernel's list."""
        self._list.write_text(ROOT + text.format(data=self.data), encoding="utf-8")

    def start(self) -> int:
        """Starts the cabinet; without a lock it comes as far as its pins."""
        return run_cabinet(self.data, self.settings, simulate=False, windowed=True)

    def files(self) -> dict[str, bytes]:
        """Returns every file below the data folder."""
        return {str(path): path.read_bytes() for path in self.data.rglob("*") if path.is_file()}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Returns a cabinet whose books are expected on a partition."""
    return Machine(tmp_path, monkeypatch)


@pytest.mark.requirement("PL-02", "TE-02")
@pytest.mark.parametrize("books", [False, True], ids=["no books", "books"])
@pytest.mark.parametrize(
    "line",
    [
        "2 1 0:40 / {data} rw - tmpfs tmpfs rw",
        "2 1 0:41 / {data} rw - ramfs ramfs rw",
        "2 1 0:42 / {data} rw - overlay overlay rw,upperdir=/run/upper",
        "2 1 7:0 / {data} ro - squashfs /dev/loop0 ro",
        "2 1 8:1 / {data} ro,noatime - ext4 /dev/sda1 rw",
        "2 1 8:1 / {data} rw,noatime - ext4 /dev/sda1 ro,errors=remount-ro",
    ],
    ids=["tmpfs", "ramfs", "overlay", "squashfs", "read-only", "read-only since an error"],
)
def test_a_medium_that_does_not_keep_the_books_is_a_lock_and_stays_as_it_is(
    machine: Machine, line: str, *, books: bool
) -> None:
    if books:
        keep(machine.data, *session_steps()[:3])
    before = machine.files()
    machine.mount(line)
    assert machine.start() == 1
    (lock,) = machine.ports[0].snapshot().machine.locks
    kind = line.partition(" - ")[2].split()[0]
    assert (lock.kind, lock.detail.partition(",")[0]) == (LockKind.DATA_REFUSED, f"{machine.data}={kind}")
    assert machine.files() == before
    assert list(machine.marks.iterdir()) == []


@pytest.mark.requirement("PL-02", "TE-02", "TE-03")
@pytest.mark.parametrize("line", ["", BOUND], ids=["nothing mounted", "bind mount of the service"])
@pytest.mark.parametrize("books", [False, True], ids=["empty folder", "old books"])
def test_a_missing_partition_is_a_lock_and_the_folder_below_it_stays_as_it_is(
    machine: Machine, caplog: pytest.LogCaptureFixture, line: str, *, books: bool
) -> None:
    if books:
        keep(machine.data, *session_steps()[:3])
    before = machine.files()
    machine.mount(line)
    assert machine.start() == 1
    (lock,) = machine.ports[0].snapshot().machine.locks
    assert (lock.kind, lock.detail, lock.cents) == (LockKind.DATA_PARTITION_MISSING, f"{machine.data}=179:2", 0)
    assert machine.files() == before
    assert list(machine.marks.iterdir()) == []
    assert "the data partition is missing: " in caplog.text
    rule = LOCKS[lock.kind]
    assert rule.stops_play
    assert rule.stops_notes
    assert rule.stops_cash_out


def test_without_the_setting_a_folder_of_the_root_may_hold_the_books(machine: Machine) -> None:
    keep(machine.data, *session_steps()[:3])
    machine.set(own_partition=False)
    machine.mount("")
    with pytest.raises(ConfigurationError, match="rpigpio"):
        machine.start()
    assert machine.ports == []


@pytest.mark.requirement("PL-02", "PL-04")
def test_the_cabinet_starts_with_its_books_when_the_partition_is_there(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    machine.mount(BOUND)
    steps = session_steps()[:3]
    seen: list[bool] = []

    def wait(port: FaultPort) -> None:
        for now in (0.0, CHECK_EVERY_S):
            port.frame_done(now)
            seen.append(port.stopping)
        keep(machine.data, *steps)
        machine.mount(BOUND + PARTITION.replace("2 1", "3 2", 1))
        for now in (2 * CHECK_EVERY_S - 0.1, 2 * CHECK_EVERY_S):
            port.frame_done(now)
            seen.append(port.stopping)

    machine.act = wait
    assert machine.start() == 0, "the service manager starts the cabinet again"
    assert seen == [False, False, False, True]
    assert f"another file system is at {machine.data}" in caplog.text
    with pytest.raises(ConfigurationError, match="rpigpio"):
        machine.start()
    assert len(machine.ports) == 1
    found = verify(machine.data)
    assert (found.ok, found.rows) == (True, len(steps))


def test_no_command_writes_books_below_a_missing_partition(machine: Machine, tmp_path: Path) -> None:
    second = tmp_path / "second"
    keep(second, *session_steps()[:3])
    machine.mount("")
    for command in (["restore", second], ["commission"]):
        done = call(*command, "--data", machine.data, "--config", machine.settings)
        assert (done.exit_code, "the data partition is missing: " in done.output) == (1, True)
        assert machine.files() == {}
    machine.mount(PARTITION)
    assert call("restore", second, "--data", machine.data, "--config", machine.settings).exit_code == 0
    assert verify(machine.data).ok


def test_an_empty_partition_is_no_new_machine(machine: Machine) -> None:
    machine.mount(PARTITION)
    machine.data.mkdir()
    assert machine.start() == 1
    (lock,) = machine.ports[0].snapshot().machine.locks
    assert (lock.kind, lock.detail) == (LockKind.DATA_REFUSED, f"{machine.data}=?")
    assert machine.files() == {}


def test_a_medium_that_becomes_writable_is_tried_again(machine: Machine) -> None:
    keep(machine.data, *session_steps()[:3])
    read_only = PARTITION.replace("rw,noatime", "ro,noatime")
    machine.mount(read_only)

    def wait(port: FaultPort) -> None:
        machine.mount(PARTITION)
        port.frame_done(0.0)

    machine.act = wait
    assert machine.start() == 0


def test_damaged_books_stay_locked_whatever_is_mounted(machine: Machine) -> None:
    machine.data.mkdir()
    (machine.data / FILE).write_bytes(b"no database at all" * 300)
    machine.mount(PARTITION)

    def wait(port: FaultPort) -> None:
        machine.mount("")
        port.frame_done(0.0)
        assert not port.stopping

    machine.act = wait
    assert machine.start() == 1
    assert machine.ports[0].machine.locks[0].kind is LockKind.MEMORY


@pytest.mark.requirement("TE-02")
@pytest.mark.parametrize(
    ("language", "title", "technician"),
    [
        ("en", "The data partition is missing", "Technician"),
        ("de", "Die Datenpartition fehlt", "Techniker"),
        ("es", "Falta la partición de datos", "técnico"),
        ("fr", "La partition des données est absente", "technicien"),
    ],
)
def test_the_screen_says_what_is_missing_and_who_mends_it(
    machine: Machine, language: str, title: str, technician: str
) -> None:
    machine.mount("")
    machine.start()
    ui = UiState(language=LANGUAGES[language])
    screen = present(machine.ports[0].snapshot(), ui, 0.0, WALL, Settings(), SAMPLE_FACTS)
    assert isinstance(screen.overlay, NoticeView)
    assert screen.overlay.title == title
    assert f"{machine.data}=179:2" in screen.overlay.sentence
    assert technician in screen.overlay.sentence
    assert screen.overlay.covers
    assert screen.overlay.amount == ""
