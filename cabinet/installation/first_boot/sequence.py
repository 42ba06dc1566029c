"""The first start of a card that was written from the image: blank card in, commissioned cabinet out.

Rules:
- The card says by the file `pending` that it is new; without it nothing here runs.
- Each step can be repeated: after a power cut the next start does them all again and completes.
- The answers come from the boot partition, which every computer can write. They hold the PIN, so that file is wiped,
  but only when the machine is complete: until then the builder can correct it.
- No act makes a file system, and books that are there stay.
- A problem is one sentence, for the screen and for the report on the boot partition. Neither shows the PIN.

The module asks no person and knows no screen; the programs of the system, the set-up and the plugs come
from its caller.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cabinet.config.acceptor import BY_PULSES
from cabinet.config.reader import ConfigError
from cabinet.config.text_file import parse_toml, read_text
from cabinet.installation.durable import remove_file, write_file
from cabinet.installation.errors import InstallationError
from cabinet.installation.first_boot.card import LSBLK, SETTLE, SFDISK, Act, find_place, plan_growth
from cabinet.installation.paths import DATA_LABEL, ON_CABINET, Paths
from cabinet.installation.setup.answers import Answers, make_answers
from cabinet.installation.setup.known import find_known
from cabinet.installation.setup.questions import DEFAULTS
from cabinet.installation.setup.settings_file import write_value
from cabinet.installation.system.board import examine_board
from cabinet.installation.system.sockets import ACCEPTOR, PRINTER

ANSWERS: Final = "cabinet-answers.toml"
"""The file on the boot partition that the builder of the cabinet writes."""
REPORT: Final = "cabinet-report.txt"
"""The file on the boot partition that says how the first start ended."""
PENDING: Final = "pending"
DONE: Final = "done"
GROWING: Final = "/run/blackjack-cabinet-card"
"""Where the partition of the books is mounted while it is enlarged."""
BEGIN: Final = Act(command=("cabinet", "commission", "--if-new", "--out-of-service"))
IDENTITY: Final = (
    # A system that is read-only cannot keep these two later.
    Act(command=("systemd-machine-id-setup", "--commit")),
    Act(command=("ssh-keygen", "-A")),
)
RESTART: Final = Act(command=("systemctl", "--no-block", "reboot"))


class FirstBootError(InstallationError):
    """The first start cannot be completed; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBoot:
    """What a first start works with."""

    paths: Paths
    say: Callable[[str], None]
    """Shows one line to the builder."""
    run: Callable[[Act], str]
    """Runs a program of the system and returns what it prints. Raises FirstBootError."""
    learn: Callable[[str], str]
    """Returns the socket into which the adapter of this name is plugged. Raises SocketError."""
    set_up: Callable[[Path], None]
    """Makes the set-up with a file of answers. Raises its errors."""
    is_mounted: Callable[[Path], bool]

    @property
    def answers(self) -> Path:
        """Returns the file of the builder."""
        return self.paths.boot / ANSWERS

    @property
    def moved(self) -> Path:
        """Returns the checked answers, with what was learned, for the set-up and for the next start."""
        return self.paths.first_boot / "answers.toml"


def is_pending(paths: Paths) -> bool:
    """Returns True if this card is new, or its first start was not completed."""
    return (paths.first_boot / PENDING).exists()


def complete(first: FirstBoot) -> bool:
    """Does the first start; returns whether the Pi is to be restarted. Raises errors with a sentence."""
    done = first.paths.first_boot / DONE
    if not done.exists():
        _grow(first)
        _learn_sockets(first, _take_answers(first))
        first.say("The machine is being set up ...")
        first.set_up(first.moved)
        _begin(first)
        wipe(first.answers)
        write_file(done, b"")
        write_report(first.paths, COMPLETE)
        return True
    wipe(first.answers)
    remove_file(first.moved)
    remove_file(first.paths.first_boot / PENDING)
    remove_file(done)
    return False


def write_report(paths: Paths, text: str) -> None:
    """Writes how the first start ended to the boot partition. Raises OSError."""
    write_file(paths.boot / REPORT, text.encode("utf-8"))


COMPLETE: Final = (
    "The first start is complete. The machine restarts, and is out of service until the technician turns the audit\n"
    'key and chooses "Put back in service" in the menu.\n'
    f"The file {ANSWERS} had the PIN and was removed.\n"
)


def incomplete(problem: str) -> str:
    """Returns the report of a first start that found a problem."""
    return (
        f"The first start of this machine is not complete:\n\n  {problem}.\n\n"
        "Switch the machine off. What is wrong in the answers is put right on the first partition of the card, in the\n"
        f"file {ANSWERS}. Then switch the machine on again. No books have been changed.\n"
    )


# --- the card ---------------------------------------------------------------------------------------------------


def _grow(first: FirstBoot) -> None:
    """Lets the partition of the books reach to the end of the card."""
    first.run(Act(command=SETTLE))
    place = find_place(json.loads(first.run(Act(command=LSBLK))), str(first.paths.root))
    table = json.loads(first.run(Act(command=(*SFDISK, place.card))))
    for act in plan_growth(place, table, GROWING):
        first.run(act)


# --- answers ----------------------------------------------------------------------------------------------------


def _take_answers(first: FirstBoot) -> dict[str, Any]:
    """Returns the answers of the builder, with what an earlier try has learned. Raises ConfigError, FirstBootError."""
    earlier = _read(first.moved) if first.moved.exists() else {}
    if not first.answers.exists():
        if earlier:
            return earlier
        other = first.answers.with_name(f"{ANSWERS}.txt")
        found = f"found {other.name}" if other.exists() else "found none"
        raise FirstBootError(
            f"{ANSWERS}: {found}, expected this file on the first partition of the card; make it from "
            "cabinet-answers-example.toml, which is there too"
        )
    learned = {name: value for name, value in earlier.items() if name in _SOCKETS.values()}
    return {**learned, **_read(first.answers)}


_SOCKETS: Final = {name: f"{name}_socket" for name in (ACCEPTOR, PRINTER)}
"""Name of a device -> the answer that has its socket."""


def _read(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(read_text(path))
    except ConfigError as error:
        raise ConfigError(f"{path.name}: {error}") from error
    except OSError as error:
        raise FirstBootError(f"{path.name}: cannot be read: {error.strerror}; write this file anew") from error


def check_answers(raw: Mapping[str, object], known: Mapping[str, object]) -> Answers:
    """Returns the answers of a machine that is made from the image. Raises ConfigError."""
    try:
        answers = make_answers({**known, "books_partition": True, **raw}, simulated=False)
    except ConfigError as error:
        raise ConfigError(f"{ANSWERS}: {error}") from error
    if not answers.books_partition:
        raise ConfigError(
            f"{ANSWERS}: books_partition: found false, expected true or nothing; this card has a partition "
            "for the books"
        )
    return answers


def _learn_sockets(first: FirstBoot, raw: dict[str, Any]) -> None:
    """Learns the sockets that are not known, and keeps the answers with each of them."""
    paths = first.paths
    known = {**DEFAULTS, **find_known(paths, paths.setup / "answers.toml", examine_board(paths))}
    answers = check_answers(raw, known)
    # The books begin here, out of service, not by the set-up.
    raw = {**raw, "books_partition": True, "commission": False}
    for name in _unknown_sockets(answers):
        raw[_SOCKETS[name]] = first.learn(name)
        _keep(first.moved, raw)
    check_answers(raw, known)
    _keep(first.moved, raw)


def _unknown_sockets(answers: Answers) -> Iterator[str]:
    """Yields the devices whose sockets must be learned."""
    if answers.acceptor != BY_PULSES and not answers.acceptor_socket:
        yield ACCEPTOR
    if not answers.printer_socket:
        yield PRINTER


def _keep(path: Path, raw: Mapping[str, object]) -> None:
    text = "".join(f"{name} = {write_value(value)}\n" for name, value in raw.items())
    write_file(path, text.encode("utf-8"), mode=0o600)


def wipe(path: Path) -> None:
    """Removes a file after its contents have been written over; harmless where there is none. Raises OSError."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        file.write(b"#" * path.stat().st_size)
        file.flush()
        os.fsync(file.fileno())
    remove_file(path)


# --- books ------------------------------------------------------------------------------------------------------


def _begin(first: FirstBoot) -> None:
    """Begins the books on their partition; books that are there stay."""
    if not first.is_mounted(first.paths.data):
        raise FirstBootError(
            f"{ON_CABINET.data}: the partition {DATA_LABEL} is not mounted there, so no books begin; switch the "
            "machine off and on, and use another card if that does not help"
        )
    for act in IDENTITY:
        first.run(act)
    first.say(first.run(BEGIN).strip())
