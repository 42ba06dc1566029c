"""The identity of the program that runs: its version, its files, and the versions of its system libraries.

Rules: two machines with the same files and the same libraries have the same hash. The sample settings and bytecode are
no part of the program. The module remembers nothing; `cabinet.runtime.startup` compares.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Final

from cabinet.text.shipped import PACKAGE, assets_folder

PACKAGES: Final = ("cabinet", "drivers")
NOT_INSTALLED: Final = "not installed"
UNKNOWN: Final = "of unknown version"


def program_version() -> str:
    """Returns the version of the installed program."""
    return _version_of("blackjack-cabinet")


def _version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED


@cache
def library_versions() -> Mapping[str, str]:
    """Returns the version of each library that belongs to the identity of the program. They do not change in a run.

    These come from the system and are not locked with the program. What is loaded says its version itself, because a
    package of the system may lack the list that Python reads; lgpio is loaded only where its pins are.
    """
    import numpy as np
    import pygame

    lgpio = _version_of("lgpio")
    return {
        "SDL": ".".join(map(str, pygame.get_sdl_version())),
        "lgpio": UNKNOWN if lgpio == NOT_INSTALLED and util.find_spec("lgpio") else lgpio,
        "numpy": np.__version__,
        "pygame": pygame.version.ver,
    }


def program_hash(root: Path | None = None, libraries: Mapping[str, str] | None = None) -> str:
    """Returns a 128-bit hash over every file of the program and the versions of the libraries, in hex.

    It includes the pictures in any place of installation.
    """
    state = hashlib.blake2b(digest_size=16)
    for name, path in sorted(_program_files(root or PACKAGE.parent)):
        content = path.read_bytes()
        state.update(f"{name}\0{len(content)}\0".encode() + content)
    for name, version in sorted((library_versions() if libraries is None else libraries).items()):
        state.update(f"{name}\0{version}\0".encode())
    return state.hexdigest()


def _program_files(top: Path) -> Iterator[tuple[str, Path]]:
    """Yields every file of the program with its name in the hash."""
    assets = assets_folder(top / "cabinet")
    for package in PACKAGES:
        for path in (top / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and not path.is_relative_to(assets):
                yield path.relative_to(top).as_posix(), path
    for path in assets.rglob("*.svg"):
        yield f"assets/{path.relative_to(assets).as_posix()}", path
