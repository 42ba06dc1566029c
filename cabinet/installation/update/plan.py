"""The checks before an update: which version follows which, and whether this cabinet can take it. Writes nothing.

Rules: nothing of a file is read before its signature has been verified; a version is taken only if the version before
can still read the books after its first start, because the way back must stay open until the technician confirms it.
"""

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cabinet.installation.durable import folder_bytes
from cabinet.installation.errors import InstallationError
from cabinet.installation.paths import NAME, Paths
from cabinet.installation.update.package_file import SIGNATURE_ENDING, Package, PackageError, read_package
from cabinet.installation.update.signature import LONGEST_TEXT, SignatureError, check_key, verify_signature
from cabinet.installation.update.versions import Release, VersionError, current_release, order_of, version_before
from cabinet.store.mounts import why_unfit

RELEASE_KEY: Final = "release.key"
SPARE_BYTES: Final = 32 * 1024 * 1024
"""Room that an update leaves free."""


class RefusedError(InstallationError):
    """The update is refused, and nothing was changed. The message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdatePlan:
    """A change of versions that may begin."""

    old: Release
    new: Release
    package: Package | None = None
    """The package to unpack; None if the version is installed already."""
    comment: str = ""
    """The trusted comment of the signature."""

    def show_steps(self, paths: Paths) -> str:
        """Returns the sentence that says what an update with this plan would do."""
        unpacked = f", unpack it beside {self.old.version}" if self.package is not None else ""
        return (
            f"There is room for it. An update would stop the cabinet, check the books and copy them to {paths.update}"
            f"{unpacked}, try {self.new.version} on a copy of the books, let {paths.current} lead to it, start it and "
            "compare every meter."
        )


def plan_update(paths: Paths, file: Path) -> UpdatePlan:
    """Checks a file against this cabinet. Raises RefusedError."""
    try:
        old = current_release(paths)
        comment = check_signature(paths, file)
        package = read_package(file, paths)
    except (VersionError, PackageError) as error:
        raise RefusedError(str(error)) from error
    new = package.release
    _check_system(file, old, new)
    if order_of(new.version) <= order_of(old.version):
        raise RefusedError(
            f"{file}: it is version {new.version}, and {old.version} runs: expected a newer one{_how_to_go_back(paths)}"
        )
    _check_form(file, old, new)
    plan = UpdatePlan(old=old, new=new, package=package, comment=comment)
    check_room(paths, plan)
    return plan


def plan_back(paths: Paths, form: int) -> UpdatePlan:
    """Checks the way back to the version before; `form` is that of the books. Raises RefusedError."""
    try:
        old, new = current_release(paths), version_before(paths)
    except VersionError as error:
        raise RefusedError(str(error)) from error
    if form > new.form:
        raise RefusedError(
            f"version {new.version} reads the books up to form {new.form}, and they have form {form} since the "
            f"technician cleared *program changed*: there is no way back from {old.version}. Wait for a newer "
            f"version with the repair, or restore a copy of the books from {paths.update}: what was played since is "
            "not in it"
        )
    plan = UpdatePlan(old=old, new=new)
    check_room(paths, plan)
    return plan


def check_signature(paths: Paths, file: Path) -> str:
    """Returns the trusted comment of the signature beside a file. Raises RefusedError."""
    beside = file.with_name(f"{file.name}{SIGNATURE_ENDING}")
    if file.exists() and not file.is_file():
        raise RefusedError(f"{file}: is no file; name the package of the new version")
    key = _read_key(paths)
    try:
        signature = _read_text(beside)
        with file.open("rb") as stream:
            return verify_signature(key, signature, stream)
    except SignatureError as error:
        raise RefusedError(f"{file}: {error}; copy both files again from the place of the release") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise RefusedError(
            f"{getattr(error, 'filename', None) or file}: cannot be read: {reason}; an update is two files: the "
            f"package, and {beside.name} beside it"
        ) from error


def _read_key(paths: Paths) -> str:
    """Returns the public key of releases: the operator's own, otherwise the one of the version that runs. Raises
    RefusedError."""
    own = paths.at(f"etc/{NAME}/{RELEASE_KEY}")
    path = own if os.path.lexists(own) else paths.share() / RELEASE_KEY
    try:
        text = _read_text(path)
        check_key(text)
    except (OSError, UnicodeDecodeError, SignatureError) as error:
        no_text = "it is no text" if isinstance(error, UnicodeDecodeError) else str(error)
        reason = error.strerror if isinstance(error, OSError) else no_text
        raise RefusedError(
            f"{path}: the public key of the releases cannot be read: {reason}; write it to {own}, as the place of the "
            "release shows it"
        ) from error
    return text


def _read_text(path: Path) -> str:
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no file", str(path))
    with path.open(encoding="utf-8") as file:
        return file.read(LONGEST_TEXT + 1)


def _how_to_go_back(paths: Paths) -> str:
    """Returns the end of a sentence that names the way back; empty without a version before."""
    try:
        return f"; `cabinet update --back` goes back to {version_before(paths).version}"
    except VersionError:
        return ""


def _check_system(file: Path, old: Release, new: Release) -> None:
    """Refuses a version that this system cannot run."""
    for what, found, expected in (
        ("the processor", new.architecture, old.architecture),
        ("Python", new.python, old.python),
    ):
        if found != expected:
            raise RefusedError(
                f"{file}: it is made for {what} {found}, this cabinet has {expected}; get the file for {expected}, or "
                "install this version with apt on a new system"
            )


def _check_form(file: Path, old: Release, new: Release) -> None:
    """Refuses a version that would close the way back at its first start."""
    if new.form < old.form:
        raise RefusedError(
            f"{file}: version {new.version} writes form {new.form} of the books, {old.version} already writes form "
            f"{old.form}: expected a version that writes the same form or a newer one"
        )
    if new.form - 1 > old.form:
        raise RefusedError(
            f"{file}: version {new.version} moves the books to form {new.form - 1} at its first start, and "
            f"{old.version} reads up to form {old.form}: there would be no way back. Update to a version of "
            f"form {old.form + 1} first"
        )


def check_media(paths: Paths, mounts: str) -> None:
    """Refuses an update that would be lost without power or could not be written. Raises RefusedError.

    `mounts` is the kernel's list of file systems. On a protected system the old version would start again on books
    whose form has moved on.
    """
    for folder in (paths.programs, paths.update):
        if unfit := why_unfit(mounts, folder):
            raise RefusedError(
                f"{unfit}: an update would not last; switch the protection of the system off, restart, update, and "
                "switch it on again"
            )


def check_room(paths: Paths, plan: UpdatePlan) -> None:
    """Refuses an update for which a medium has too little room. Raises RefusedError.

    Needed are the package and the version unpacked, and two copies of the books: the one that stays, the one for the
    trial.
    """
    program = 0 if plan.package is None else plan.package.unpacked_bytes + plan.package.file.stat().st_size
    needed: dict[int, tuple[Path, int]] = {}
    for folder, size in ((paths.programs, program), (paths.update, 2 * folder_bytes(paths.data))):
        place = next(each for each in (folder, *folder.parents) if each.exists())
        device = place.stat().st_dev
        needed[device] = (place, needed.get(device, (place, SPARE_BYTES))[1] + size)
    for place, size in needed.values():
        free = shutil.disk_usage(place).free
        if free < size:
            raise RefusedError(
                f"{place}: {free // 2**20} MB are free, the update needs {size // 2**20 + 1} MB; remove what is not "
                "needed, then try again"
            )
