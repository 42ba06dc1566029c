"""Changes of the system's files: shown, applied and undone.

Rules:
- A change has the contents before and after, and the reason.
- Each write is durable and in one step: after a kill or a power cut a file is old or new, never half.
- Before a file changes, its contents are copied into the set-up's folder and the change is listed there, so an
  interrupted set-up can be repeated or undone.
- No change is made behind a link that leads out of the root.
- Settings that every user could read become private: they have the PIN.
- An undo restores the bytes of a file that is as the set-up left it; from a file that was edited since, it removes only
  the lines of the set-up.

Works with any root and also on FAT. The module does not know what the files mean.
"""

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from cabinet.installation.durable import make_link, partial, remove_file, write_file
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import Paths
from cabinet.installation.root import check_below
from cabinet.installation.system.blocks import BlockError, remove_block, split_lines
from cabinet.installation.system.boot_files import undo_cmdline

_PIN: Final = re.compile(r"""(technician_pin\W*?=\s*)(?:\"{3}.*?(?:\"{3}|\Z)|'{3}.*?(?:'{3}|\Z))?[^\n]*""", re.DOTALL)
"""The technician's PIN in settings, also over several lines; what follows is hidden whether or not it is valid."""
_ANOTHER: Final = "\0"
"""Marks a hidden PIN that differs from the one before, so that its line is shown as a change."""
LIST: Final = "changes.json"
COPIES: Final = "before"
_ENCODING: Final = "latin-1"
"""Keeps every byte of a file that is not UTF-8, too."""


class ChangeError(InstallationError):
    """A change cannot be made or undone; the message gives the reason."""


class Kind(StrEnum):
    """How an undo treats a file that was edited since."""

    BLOCK = "block"
    """Its marked block is removed."""
    CMDLINE = "cmdline"
    """Parts of the kernel's command line are taken out."""
    LINK = "link"
    """A link of the user stays."""
    COPY = "copy"
    """A copy for the technician; an edited one stays."""
    SETTINGS = "settings"
    """The operator's settings: an undo never touches them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file before and after; None where it does not exist. `path` is as the cabinet sees it. The contents of a link
    are its target. `mode` and `group` (a number; None for that of the program) are those of a new file. `pattern` is
    the text that a new file is made from: only the difference is shown."""

    path: Path
    before: bytes | None
    after: bytes | None
    reason: str
    kind: Kind = Kind.BLOCK
    mode: int = 0o644
    group: int | None = None
    pattern: bytes | None = None
    edited: bool = False
    """Said of an undo: the file was edited since the set-up, and the edit stays."""

    @property
    def needed(self) -> bool:
        """Returns True if the file must change."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One file in the list of a set-up. Contents are texts in which each letter is one byte."""

    kind: Kind
    existed: bool
    """Whether there was a file or a link before the set-up."""
    link: str | None
    """The target of the link before the set-up."""
    written: tuple[str | None, ...]
    """All contents that a set-up has written."""
    reason: str


def show_change(change: Change) -> str:
    """Returns the change as a diff with its reason. The technician's PIN is hidden before and after the change."""
    head = f"{change.path}: {change.reason}"
    if change.kind is Kind.LINK:
        targets = ("nothing" if each is None else each.decode(_ENCODING) for each in (change.before, change.after))
        return f"{head}\n    link to {' -> '.join(targets)}\n"
    if change.kind is Kind.COPY:
        return f"{head}\n"
    old = change.pattern if change.before is None else change.before
    lines = list(unified_diff(*_hide_pin(_text(old), _text(change.after)), lineterm="", n=0))[2:]
    shown = "\n".join(f"    {line.rstrip().rstrip(_ANOTHER)}" for line in lines if not line.startswith("@@"))
    return f"{head}\n{shown}\n"


def _hide_pin(old: str, new: str) -> tuple[list[str], list[str]]:
    """Returns the lines of two texts without the PIN."""
    pins = ([found[0] for found in _PIN.finditer(text)] for text in (old, new))
    mark = _ANOTHER if next(pins) != next(pins) else ""
    return split_lines(_PIN.sub(r'\1"******"', old)), split_lines(_PIN.sub(rf'\1"******"{mark}', new))


def _text(contents: bytes | None) -> str:
    return (contents or b"").decode("utf-8", errors="replace")


# --- apply ------------------------------------------------------------------------------------------------------


def read_contents(path: Path) -> bytes | None:
    """Returns the contents of a file, or the target of a link; None if there is nothing. Raises OSError, and
    ChangeError for a folder or a pipe."""
    if path.is_symlink():
        return os.fsencode(path.readlink())
    if path.exists() and not path.is_file():
        raise ChangeError(f"{path}: is no file, expected one; remove it, then repeat the set-up")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def apply_changes(changes: Iterable[Change], paths: Paths) -> tuple[Change, ...]:
    """Makes the changes that are needed, one after the other, and returns them. Raises ChangeError and OSError."""
    wanted = tuple(changes)
    for change in wanted:
        check_below(paths, paths.at(change.path))
    entries = _read_list(paths)
    made = []
    for change in wanted:
        _remove_leftover(paths.at(change.path))
        if not change.needed:
            continue
        _check_still_as_planned(change, paths)
        entry = _entry(change, entries.get(str(change.path)), paths)
        entries[str(change.path)] = entry
        _write_list(paths, entries)
        _write(paths, change, group=change.group)
        made.append(change)
    return tuple(made)


def _check_still_as_planned(change: Change, paths: Paths) -> None:
    if read_contents(paths.at(change.path)) != change.before:
        raise ChangeError(f"{change.path}: it was changed by another program during the set-up; repeat the set-up")


def _entry(change: Change, known: Entry | None, paths: Paths) -> Entry:
    """Returns the entry of a change, after its contents before are in the set-up's folder."""
    before = change.before
    written = [] if change.kind is Kind.SETTINGS else [_encode(change.after)]
    if known is not None and _encode(change.before) in known.written:
        before = _contents_before(known, change.path, paths)
        written = [*known.written, *written]
    elif known is not None and change.before != _contents_before(known, change.path, paths):
        before = _without_ours(change.before, known, change.path, paths)
    if before is not None and change.kind is not Kind.LINK:
        _keep(paths, _copy_at(change.path, paths), before)
    return Entry(
        kind=change.kind,
        existed=before is not None,
        link=_encode(before) if change.kind is Kind.LINK else None,
        written=tuple(dict.fromkeys(written)),
        reason=change.reason,
    )


def _encode(contents: bytes | None) -> str | None:
    return None if contents is None else contents.decode(_ENCODING)


def _decode(text: str | None) -> bytes | None:
    return None if text is None else text.encode(_ENCODING)


def _copy_at(path: Path, paths: Paths) -> Path:
    return paths.setup / COPIES / str(path).lstrip("/")


def _contents_before(entry: Entry, path: Path, paths: Paths) -> bytes | None:
    """Returns the contents before the set-up; None where there were none. Raises ChangeError for a missing copy."""
    if not entry.existed:
        return None
    if entry.link is not None:
        return _decode(entry.link)
    copy = read_contents(_copy_at(path, paths))
    if copy is None:
        raise ChangeError(
            f"{path}: its copy {_copy_at(path, paths)} is missing, expected the contents before the set-up; restore "
            f"the file by hand, then delete its entry in {paths.setup / LIST}"
        )
    return copy


# --- undo -------------------------------------------------------------------------------------------------------


def plan_undo(paths: Paths) -> tuple[Change, ...]:
    """Returns the changes that undo the set-up, in the reverse order of their list. Raises ChangeError and OSError."""
    return tuple(_undone(Path(path), entry, paths) for path, entry in reversed(_read_list(paths).items()))


def _undone(path: Path, entry: Entry, paths: Paths) -> Change:
    check_below(paths, paths.at(path))
    now = read_contents(paths.at(path))
    before, kind = _contents_before(entry, path, paths), entry.kind
    edited = False
    if now == before:
        left = now
    elif _encode(now) in entry.written:
        left = before
    else:
        left = _without_ours(now, entry, path, paths)
        edited = kind is not Kind.SETTINGS and left != before
    return Change(path=path, before=now, after=left, reason=f"undo: {entry.reason}", kind=kind, edited=edited)


def _without_ours(now: bytes | None, entry: Entry, path: Path, paths: Paths) -> bytes | None:
    """Returns the contents of an edited file without the lines of the set-up."""
    before = _contents_before(entry, path, paths)
    if now is None:
        return None
    match entry.kind:
        case Kind.BLOCK:
            try:
                left = remove_block(now.decode(_ENCODING)).encode(_ENCODING)
            except BlockError as error:
                raise ChangeError(f"{path}: {error}") from error
            return None if before is None and not left.strip() else left
        case Kind.CMDLINE:
            text, old = now.decode(_ENCODING), (before or b"").decode(_ENCODING)
            for written in filter(None, entry.written):
                text = undo_cmdline(text, old, written)
            return text.encode(_ENCODING)
        case _:
            return now


def undo_changes(paths: Paths, *, keep: Iterable[str] = ()) -> tuple[Change, ...]:
    """Undoes the set-up and returns the changes of `plan_undo`. Its folder is removed, except the files named `keep`.
    Raises ChangeError and OSError."""
    changes = plan_undo(paths)
    for path in _read_list(paths):
        _remove_leftover(paths.at(path))
    for change in changes:
        if change.needed:
            _write(paths, change)
    _remove_set_up(paths, frozenset(keep))
    return changes


def _remove_set_up(paths: Paths, keep: frozenset[str]) -> None:
    """Removes the list, then the copies, then the folder if nothing stays in it."""
    if not paths.setup.exists():
        return
    (paths.setup / LIST).unlink(missing_ok=True)
    for each in paths.setup.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        elif each.name not in keep:
            each.unlink()
    if not any(paths.setup.iterdir()):
        paths.setup.rmdir()


# --- the list and the files -------------------------------------------------------------------------------------


def _read_list(paths: Paths) -> dict[str, Entry]:
    listed = read_contents(paths.setup / LIST)
    if listed is None:
        return {}
    try:
        return msgspec.json.decode(listed, type=dict[str, Entry])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ChangeError(
            f"{paths.setup / LIST}: is not the list of a set-up: {error}; restore the files by hand from "
            f"{paths.setup / COPIES}, then delete the folder {paths.setup}"
        ) from error


def _write_list(paths: Paths, entries: Mapping[str, Entry]) -> None:
    _keep(paths, paths.setup / LIST, msgspec.json.format(msgspec.json.encode(entries), indent=1))


def _keep(paths: Paths, place: Path, contents: bytes) -> None:
    """Writes a file of the set-up itself, which only root can read."""
    check_below(paths, place)
    write_file(place, contents, 0o600)


def _write(paths: Paths, change: Change, *, group: int | None = None) -> None:
    """Replaces, makes or removes the file or link of a change in one step, durably."""
    place = paths.at(change.path)
    check_below(paths, place)
    if change.after is None:
        remove_file(place)
    elif change.kind is Kind.LINK:
        make_link(place, os.fsdecode(change.after))
    else:
        open_to_all = change.kind is Kind.SETTINGS and place.exists() and bool(place.stat().st_mode & 0o007)
        write_file(place, change.after, change.mode, group=group, anew=open_to_all)


def _remove_leftover(path: Path) -> None:
    """Removes the temporary file of an interrupted set-up."""
    partial(path).unlink(missing_ok=True)
