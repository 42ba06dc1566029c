"""The program imports only libraries that pyproject.toml asks for, each exception with its reason."""

import importlib.util
import re
import sys
import tomllib

from support.source import PROJECT, find_imports, read_product

DISTRIBUTION_OF = {
    "serial": "pyserial",
    "escpos": "python-escpos",
    "PIL": "pillow",
    "fontpkg_barlow": "fontpkg-barlow",
    "fontpkg_barlow_condensed": "fontpkg-barlow-condensed",
    "fontpkg_marcellus": "fontpkg-marcellus",
    "RPi": "rpi-lgpio",
}
"""Import name -> name of the package to install, where the two differ."""

BROUGHT_BY = {"fontpkg": "fontpkg-barlow"}
"""Import name -> the declared package whose very purpose includes bringing it."""

FOR_TYPES_ONLY = {"typing_extensions"}
"""Imported under `TYPE_CHECKING`: mypy knows it, the program does not need it."""


def _declared_packages() -> set[str]:
    """Names of what pyproject.toml asks for at run time, extras included."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    return {re.split(r"[ <>=!;\[]", line, maxsplit=1)[0] for line in wanted}


def test_every_library_in_use_is_declared():
    known = sys.stdlib_module_names | {"cabinet", "drivers"}
    used = {name.partition(".")[0] for source in read_product() for name in find_imports(source.tree)}
    used -= known | FOR_TYPES_ONLY
    packages = {BROUGHT_BY.get(name, DISTRIBUTION_OF.get(name, name)) for name in used}
    assert packages - _declared_packages() == set()


def test_the_environment_offers_no_pkg_resources():
    """pygame imports it when it is there, which takes longer than the rest of its start and warns."""
    assert importlib.util.find_spec("pkg_resources") is None
