"""Programs of a system, as scripts in a folder that alone is searched; each writes down how it was called."""

from pathlib import Path

import pytest


class Programs:
    """A folder of scripts. `calls` has every call, in order."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._log = folder / "calls"
        self._log.touch()
        self._shell = next(path for path in map(Path, ("/bin/sh", "/usr/bin/sh")) if path.exists())
        patch.setenv("PATH", str(folder))

    def add(self, name: str, *, says: str = "", complains: str = "", code: int = 0) -> None:
        """Adds a program that prints, complains and ends with this code."""
        (self._folder / f"{name}.out").write_text(says)
        (self._folder / f"{name}.err").write_text(complains)
        script = self._folder / name
        script.write_text(
            f"#!{self._shell}\necho {name} \"$@\" >> '{self._log}'\n"
            f"while IFS= read -r line; do echo \"$line\"; done < '{script}.out'\n"
            f"while IFS= read -r line; do echo \"$line\" >&2; done < '{script}.err'\nexit {code}\n"
        )
        script.chmod(0o755)

    @property
    def calls(self) -> list[str]:
        """Returns each call with its arguments."""
        return self._log.read_text().splitlines()
