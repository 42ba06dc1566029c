"""Where the files are that come with the program and are no code: pictures and the sample settings.

Rules: in a checkout they lie in `assets/` beside the package, in an installed program inside it; the wheel copies them
(`pyproject.toml`). Knows no format.
"""

from pathlib import Path

import cabinet

PACKAGE = Path(cabinet.__file__).parent
"""The package `cabinet`, wherever this module stands in it."""
SAMPLE_SETTINGS = "cabinet.toml"
"""The file with every setting and its default."""


def assets_folder(package: Path = PACKAGE) -> Path:
    """The folder of these files, which may be missing where an installation is damaged."""
    inside = package / "assets"
    return inside if inside.is_dir() else package.parent / "assets"
