"""Where the program and the files that ship with it are: in a checkout or installed.

Rules: in a checkout pictures and sample settings are in `assets/` beside the package, in an installed program inside
it; the wheel copies them (`pyproject.toml`). Advice with `make` is for a checkout only: an installed cabinet has no
Makefile. Does not know formats.
"""

from pathlib import Path
from typing import Final

import cabinet

PACKAGE = Path(cabinet.__file__).parent
"""The package `cabinet`, from any module."""
SAMPLE_SETTINGS = "cabinet.toml"
"""The file with every setting and its default."""


def assets_folder(package: Path = PACKAGE) -> Path:
    """Returns the folder of these files; it may be missing in a damaged installation."""
    inside = package / "assets"
    return inside if inside.is_dir() else package.parent / "assets"


def in_checkout(package: Path = PACKAGE) -> bool:
    """Returns True if the program runs from a checkout, where `make` works."""
    return (package.parent / "Makefile").is_file() and (package.parent / "pyproject.toml").is_file()


REPAIR: Final = (
    "run `make setup`",
    (
        "install the package again (`apt install --reinstall ./blackjack-cabinet_VERSION_arm64.deb`), then run "
        "`cabinet doctor`"
    ),
)
"""How an incomplete installation is repaired: in a checkout, and on a cabinet."""


def advise(checkout: str, installed: str, *, package: Path = PACKAGE) -> str:
    """Returns the advice that works where the program is."""
    return checkout if in_checkout(package) else installed
