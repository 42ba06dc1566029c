"""The location of the files that ship with the program and are no code: pictures and the sample settings.

Rules: in a checkout they are in `assets/` beside the package, in an installed program inside it; the wheel copies them
(`pyproject.toml`). Does not know formats.
"""

from pathlib import Path

import cabinet

PACKAGE = Path(cabinet.__file__).parent
"""The package `cabinet`, from any module."""
SAMPLE_SETTINGS = "cabinet.toml"
"""The file with every setting and its default."""


def assets_folder(package: Path = PACKAGE) -> Path:
    """Returns the folder of these files; it may be missing in a damaged installation."""
    inside = package / "assets"
    return inside if inside.is_dir() else package.parent / "assets"
