"""The plan of a set-up: makes changes and remarks from the answers and the machine's files. Writes nothing.

Rules: each row of `FILES` is one file with its reason; a text that is correct already gives no change, so a second
set-up has none. A drop-in that the package brings is not written. The settings are checked as a whole before anything
is planned.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cabinet.config.money import NOTES, strange_notes
from cabinet.config.settings import Config, ConfigError, parse
from cabinet.config.text_file import parse_toml
from cabinet.installation.paths import DATA_LABEL, NAME, ON_CABINET, SECOND_LABEL, SERVICE, USER, Paths
from cabinet.installation.root import check_below
from cabinet.installation.setup.answers import Answers
from cabinet.installation.setup.changes import Change, ChangeError, Kind, read_contents
from cabinet.installation.setup.settings_file import Values, set_values
from cabinet.installation.system.blocks import BlockError, put_block, split_lines
from cabinet.installation.system.board import Board
from cabinet.installation.system.boot_files import Radio, count_lines, find_pin_conflicts, put_cmdline, put_config
from cabinet.installation.system.drop_ins import (
    CLOUD_INIT,
    JOURNALD,
    MASKED_UNITS,
    SSHD,
    Sound,
    firewall_lines,
    sound_lines,
    time_server_lines,
)
from cabinet.installation.system.fstab import Mounts, find_own_mounts, put_mounts
from cabinet.installation.system.sockets import ACCEPTOR, PRINTER, gives_name, put_sockets, read_sockets

_UNITS: Final = "/usr/lib/systemd/system"
_ZONES: Final = "/usr/share/zoneinfo"
_MASK: Final = "/dev/null"
_SSH_UNITS: Final = ("ssh.service", "ssh.socket")
MOST_CENTS: Final = 10_000
"""The largest note that a new machine takes where its currency has larger ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupPlan:
    """The changes of a set-up, and the remarks for the technician."""

    changes: tuple[Change, ...]
    remarks: tuple[str, ...]
    access: tuple[str, ...]
    """The remarks on the ways into the machine that end; they come before all others."""
    config: Config
    """The settings after the set-up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The input of a plan."""

    answers: Answers
    paths: Paths
    board: Board
    sample: str
    """The sample settings, for a machine without any."""
    usb_rules: str
    """The rules that lock USB sockets, as they ship; empty where they do not."""

    def text(self, path: Path) -> str | None:
        """Returns the text of a file of the cabinet; None where there is none. Raises ChangeError for a link."""
        place = self.paths.at(path)
        if place.is_symlink():
            raise ChangeError(f"{path}: is a link, expected a file; replace it by the file it leads to")
        contents = read_contents(place)
        return None if contents is None else contents.decode("utf-8", errors="surrogateescape")


def plan_setup(site: Site) -> SetupPlan:
    """Returns the plan. Raises ConfigError, ChangeError, RootError and SocketError, each with a sentence."""
    _check_places(site)
    _check_zone(site)
    settings = _settings_change(site)
    config = parse((settings.after or b"").decode("utf-8"), ON_CABINET.settings)
    changes = (settings, *_file_changes(site, config), *_link_changes(site))
    return SetupPlan(
        changes=tuple(change for change in changes if change.needed),
        remarks=tuple(_remarks(site, config)),
        access=tuple(_access_remarks(site.answers, site.board)),
        config=config,
    )


def _check_places(site: Site) -> None:
    """Raises RootError where a link leads a file of the set-up out of the root."""
    links = (path for path, _, _ in _links(site))
    own = (site.paths.setup / "list", site.paths.second / "copy", *(site.paths.at(file.path) for file in FILES))
    for place in (site.paths.settings, *own, *map(site.paths.at, links)):
        check_below(site.paths, place)


def _check_zone(site: Site) -> None:
    zones, zone = site.paths.at(_ZONES), site.answers.time_zone
    if not zones.is_dir():
        raise ConfigError(f"{zones}: does not exist, expected the time zones of the system; install the package tzdata")
    if not (zones / zone).is_file():
        raise ConfigError(f'time_zone: found "{zone}", expected the name of a file below {zones}')


# --- settings ---------------------------------------------------------------------------------------------------


def _settings_change(site: Site) -> Change:
    path = ON_CABINET.settings
    text = site.text(path)
    base = site.sample if text is None else text
    try:
        after = set_values(_plain_text(base), _needed_values(_plain_text(base), site.answers))
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return Change(
        path=path,
        before=_bytes(text),
        after=_bytes(after),
        reason="your answers in the settings" if text else "the sample with your answers",
        kind=Kind.SETTINGS,
        mode=0o640,
        group=_find_group(site.paths),
        pattern=_bytes(base),
    )


def _plain_text(text: str) -> str:
    """Returns the text without the mark of UTF-8 that some editors write. Raises ConfigError for bytes that are no
    text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        where = f"line {text.count(chr(10), 0, error.start) + 1}"
        raise ConfigError(f"{where}: found a letter that is no UTF-8; save the file as UTF-8 text") from error
    return text.removeprefix("\ufeff")


def _needed_values(base: str, answers: Answers) -> Values:
    """Returns the values to write, without those that are equal to a default which the file leaves out."""
    raw, usual = parse_toml(base), Config()
    return {
        (table, key): value
        for (table, key), value in _values(raw, answers).items()
        if key in _table(raw, table) or value != _default(usual, table, key)
    }


def _values(raw: dict[str, Any], answers: Answers) -> dict[tuple[str, str], object]:
    values: dict[tuple[str, str], object] = {
        ("machine", "number"): answers.number,
        ("machine", "venue"): answers.venue,
        ("machine", "location"): answers.location,
        ("machine", "currency"): answers.currency,
        ("machine", "helpline"): answers.helpline,
        ("acceptor", "protocol"): answers.acceptor,
        ("acceptor", "values_cents"): list(answers.note_values),
        ("acceptor.pulse", "notes"): answers.pulse_notes,
        ("printer", "protocol"): answers.printer,
        ("data", "mirror"): str(ON_CABINET.second) if answers.second_copy else "",
        ("data", "own_partition"): answers.books_partition,
        ("attendant", "technician_pin"): answers.technician_pin,
    }
    notes = _table(raw, "money").get("notes_cents", list(Config().money.notes_cents))
    if answers.pulse_notes:
        values["money", "notes_cents"] = sorted(answers.pulse_notes.values())
    elif strange_notes(notes, answers.currency):
        values["money", "notes_cents"] = [cents for cents in NOTES[answers.currency] if cents <= MOST_CENTS]
    return values


def _table(raw: dict[str, Any], table: str) -> dict[str, Any]:
    for name in table.split("."):
        found = raw.get(name, {})
        raw = found if isinstance(found, dict) else {}
    return raw


def _default(usual: object, table: str, key: str) -> object:
    for name in (*table.split("."), key):
        usual = getattr(usual, name)
    return list(usual) if isinstance(usual, tuple) else usual


def _find_group(paths: Paths) -> int | None:
    """Returns the number of the cabinet's group below the root; None where there is no such group."""
    place = paths.at("etc/group")
    if not place.is_file():
        return None
    text = place.read_text(encoding="utf-8", errors="replace")
    found = re.search(rf"^{USER}:[^:\n]*:(\d{{1,9}}):", text, re.MULTILINE)
    return int(found[1]) if found else None


# --- files with a block -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFile:
    """One file of the system with its new text; None leaves the file as it is."""

    path: Path
    reason: str
    make: Callable[[str, Site, Config], str | None]
    kind: Kind = Kind.BLOCK


def _boot(make: Callable[[str, Site, Config], str]) -> Callable[[str, Site, Config], str | None]:
    """Leaves the boot files out where there is no boot partition."""

    def made(text: str, site: Site, config: Config) -> str | None:
        return make(text, site, config) if _has_boot_files(site) else None

    return made


def _config_txt(text: str, site: Site, config: Config) -> str:
    answers = site.answers
    charge = answers.charge_clock and site.board.pi in {5, None}
    return put_config(text, config.wiring(), Radio(wireless=answers.wireless, charge_clock=charge))


def _cmdline_txt(text: str, site: Site, _config: Config) -> str:
    """Returns the kernel's line; an empty one stays empty, because without root= the Pi does not start."""
    if not text.strip():
        return text
    answers = site.answers
    known = answers.screen != "other" and answers.screen_mode != "monitor"
    return put_cmdline(text, screen=f"HDMI-A-{answers.screen[-1]}:{answers.screen_mode}M@60D" if known else "")


def _fstab(text: str, site: Site, _config: Config) -> str:
    return put_mounts(text, _mounts(site.answers))


def _sockets(text: str, site: Site, config: Config) -> str:
    ports = {ACCEPTOR: config.acceptor.port, PRINTER: config.printer.port}
    return put_sockets(text, {**read_sockets(text), **_learned(site.answers)}, ports)


def _journald(text: str, site: Site, _config: Config) -> str:
    shipped = site.paths.at("usr/lib/systemd/journald.conf.d") / ON_CABINET.journald.name
    return put_block(text, () if shipped.exists() else JOURNALD)


def _timesyncd(text: str, site: Site, _config: Config) -> str:
    return put_block(text, time_server_lines(site.answers.time_server))


def _sound(text: str, site: Site, _config: Config) -> str:
    return put_block(text, sound_lines(_sound_card(site)))


def _sshd(text: str, site: Site, _config: Config) -> str:
    return put_block(text, SSHD if site.answers.ssh else ())


def _firewall(text: str, site: Site, _config: Config) -> str:
    return put_block(text, firewall_lines(ssh=site.answers.ssh) if site.answers.firewall else ())


def _cloud_init(text: str, site: Site, _config: Config) -> str | None:
    return put_block(text, CLOUD_INIT) if site.paths.cloud_init.parent.is_dir() else None


def _usb_lock(text: str, site: Site, _config: Config) -> str:
    lines = (line.rstrip("\n") for line in split_lines(site.usb_rules))
    return put_block(text, lines if site.answers.lock_usb else ())


FILES: Final = (
    SystemFile(path=ON_CABINET.config_txt, reason="pins, watchdog and radio of the board", make=_boot(_config_txt)),
    SystemFile(
        path=ON_CABINET.cmdline_txt,
        reason="no text of the kernel on the player's screen, no console on the header",
        make=_boot(_cmdline_txt),
        kind=Kind.CMDLINE,
    ),
    SystemFile(path=ON_CABINET.fstab, reason="the books and their second copy, by label", make=_fstab),
    SystemFile(path=ON_CABINET.sockets, reason="acceptor and printer by their USB sockets", make=_sockets),
    SystemFile(path=ON_CABINET.journald, reason="a log that survives a power cut", make=_journald),
    SystemFile(path=ON_CABINET.timesyncd, reason="the time server of the house", make=_timesyncd),
    SystemFile(path=ON_CABINET.sound, reason="the output of the sound", make=_sound),
    SystemFile(path=ON_CABINET.remote_access, reason="remote access with a key only", make=_sshd),
    SystemFile(path=ON_CABINET.firewall, reason="nothing comes in but the technician", make=_firewall),
    SystemFile(path=ON_CABINET.cloud_init, reason="a shorter start", make=_cloud_init),
    SystemFile(path=ON_CABINET.usb_lock, reason="no keyboard at the USB sockets", make=_usb_lock),
)
"""Every text file that a set-up may change, in the order of the changes; the settings come before."""


def _file_changes(site: Site, config: Config) -> Iterator[Change]:
    for file in FILES:
        before = site.text(file.path)
        try:
            after = file.make(before or "", site, config)
        except BlockError as error:
            raise ChangeError(f"{file.path}: {error}") from error
        if after is None or after == (before or ""):
            continue
        if file.kind is Kind.CMDLINE and before is not None:
            yield from _copy_of_cmdline(site, before)
        yield Change(
            path=file.path, before=_bytes(before), after=_bytes(after or None), reason=file.reason, kind=file.kind
        )


def _has_boot_files(site: Site) -> bool:
    """Returns True if the boot partition is mounted: an empty folder is only the place for it."""
    return site.paths.config_txt.is_file() or site.paths.cmdline_txt.is_file()


def _copy_of_cmdline(site: Site, before: str) -> Iterator[Change]:
    """Yields a copy of the old line: the line cannot have comments, and a card that does not start is repaired on
    another computer."""
    path = ON_CABINET.cmdline_txt.with_name(f"cmdline.txt.before-{NAME}")
    if site.text(path) is None:
        yield Change(
            path=path, before=None, after=_bytes(before), reason="a copy of the kernel's line before", kind=Kind.COPY
        )


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", errors="surrogateescape")


def _mounts(answers: Answers) -> Mounts:
    return Mounts(books=answers.books_partition, second=answers.second_copy)


def _learned(answers: Answers) -> dict[str, str]:
    given = {ACCEPTOR: answers.acceptor_socket, PRINTER: answers.printer_socket}
    return {name: path for name, path in given.items() if path}


def _sound_card(site: Site) -> str:
    """Returns the name of the sound card. Raises ConfigError for a card that the machine does not have."""
    match site.answers.sound:
        case Sound.HDMI_1:
            return "vc4hdmi" if site.board.pi == 3 else "vc4hdmi0"
        case Sound.HDMI_2:
            if site.board.pi == 3:
                raise ConfigError("sound: found hdmi2, expected hdmi1, usb or none: a Pi 3 has one HDMI socket")
            return "vc4hdmi1"
        case Sound.USB:
            if not site.board.usb_sound:
                raise ConfigError("sound: found usb, expected a USB sound adapter in a socket; plug it in and repeat")
            return site.board.usb_sound
        case Sound.NONE:
            return ""


# --- links ------------------------------------------------------------------------------------------------------


def _link_changes(site: Site) -> Iterator[Change]:
    for path, target, reason in _links(site):
        place = site.paths.at(path)
        if place.exists() and not place.is_symlink():
            continue  # a file of the user in this place stays, and a remark names it
        before = read_contents(place)
        if before is not None and _leads_to(path, before, target, site.paths):
            continue
        yield Change(path=path, before=before, after=target.encode(), reason=reason, kind=Kind.LINK)
    for unit in _SSH_UNITS if site.answers.ssh else ():
        path = ON_CABINET.units / unit
        if (before := read_contents(site.paths.at(path))) == _MASK.encode():
            yield Change(path=path, before=before, after=None, reason="remote access with a key only", kind=Kind.LINK)


def _leads_to(path: Path, found: bytes, target: str, paths: Paths) -> bool:
    """Returns True if a link leads to the target already, perhaps written in another way."""
    return paths.at(path.parent / found.decode()).resolve() == paths.at(target).resolve()


def _links(site: Site) -> Iterator[tuple[Path, str, str]]:
    """Yields path, target and reason of each link."""
    units = ON_CABINET.units
    yield ON_CABINET.local_time, f"{_ZONES}/{site.answers.time_zone}", "the time zone"
    for unit, reason in MASKED_UNITS.items():
        yield units / unit, _MASK, reason
    for unit in () if site.answers.ssh else _SSH_UNITS:
        yield units / unit, _MASK, "no remote access"
    if site.answers.ssh:
        yield units / "multi-user.target.wants/ssh.service", f"{_UNITS}/ssh.service", "remote access with a key only"
    if site.answers.firewall:
        yield (
            units / "sysinit.target.wants/nftables.service",
            f"{_UNITS}/nftables.service",
            "the firewall at each start",
        )
    yield units / f"multi-user.target.wants/{SERVICE}", f"{_UNITS}/{SERVICE}", "the cabinet at each start"


# --- remarks ----------------------------------------------------------------------------------------------------


def _remarks(site: Site, config: Config) -> Iterator[str]:
    answers, paths = site.answers, site.paths
    if not _has_boot_files(site):
        yield (
            f"{ON_CABINET.config_txt.parent}: no boot files there, so they are left out; mount the boot partition, "
            "then repeat the set-up"
        )
    else:
        yield from map(str, find_pin_conflicts(site.text(ON_CABINET.config_txt) or "", config.wiring()))
        yield from _kernel_line_remarks(site.text(ON_CABINET.cmdline_txt) or "")
    yield from find_own_mounts(site.text(ON_CABINET.fstab) or "", _mounts(answers))
    for path, _, _ in _links(site):
        if paths.at(path).exists() and not paths.at(path).is_symlink():
            yield f"{path}: is a file and not a link of the system; it stays as it is"
    for wanted, label in ((answers.books_partition, DATA_LABEL), (answers.second_copy, SECOND_LABEL)):
        if wanted and site.board.labels is not None and label not in site.board.labels:
            yield (
                f"no connected medium has the label {label}; make its file system, then repeat the set-up: "
                f"mkfs.ext4 -L {label} DEVICE (this deletes what is on DEVICE)"
            )
    if answers.firewall and not paths.at("usr/sbin/nft").exists():
        yield "the firewall needs a program that is missing: apt install nftables"
    if answers.lock_usb and not site.usb_rules:
        yield "the rules of the USB sockets are missing in this installation; the sockets stay open"
    known = {**read_sockets(site.text(ON_CABINET.sockets) or ""), **_learned(answers)}
    for name, port in ((ACCEPTOR, config.acceptor.port), (PRINTER, config.printer.port)):
        wanted = gives_name(port) and not (name == ACCEPTOR and config.acceptor.pins() is not None)
        if wanted and name not in known:
            yield f"{name}: its USB socket is not known, so {port} is missing; run `cabinet setup` with it at hand"


def _kernel_line_remarks(text: str) -> Iterator[str]:
    lines = count_lines(text)
    if lines > 1:
        yield (
            f"{ON_CABINET.cmdline_txt}: has {lines} lines, and the kernel reads the first one only; move the parts of "
            "the others to the end of the first line, with blanks between"
        )
    if "root=" not in text.partition("\n")[0]:
        yield f"{ON_CABINET.cmdline_txt}: its first line has no part root=, without which the Pi does not start; add it"


def _access_remarks(answers: Answers, board: Board) -> Iterator[str]:
    """Yields what a technician must know before remote access ends."""
    if not answers.ssh:
        yield (
            "without remote access no command can be run on this machine after the restart, because the screen has no "
            "login; to open it again, put the card into another computer and delete "
            f"{ON_CABINET.units}/getty@tty1.service and {ON_CABINET.usb_lock}"
        )
    elif not board.keys:
        yield (
            "no user has a key for remote access, and a password is refused; put a key into ~/.ssh/authorized_keys "
            "before the restart"
        )
    if board.by_radio and not answers.wireless:
        yield "the network of this machine is by radio, which is off after the restart; connect a cable"
