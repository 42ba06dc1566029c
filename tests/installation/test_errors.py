"""Each error of the installation becomes a sentence of a command."""

import importlib
import inspect
import pkgutil

from cabinet import installation
from cabinet.installation.errors import InstallationError, describe


def test_each_error_of_the_package_has_the_base_that_commands_know():
    modules = [
        importlib.import_module(each.name)
        for each in pkgutil.walk_packages(installation.__path__, f"{installation.__name__}.")
    ]
    found = {
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Exception) and each.__module__ == module.__name__
    }
    assert len(found) > 10
    assert [each.__qualname__ for each in found if not issubclass(each, InstallationError)] == []


def test_an_error_of_the_system_names_its_file_and_no_number():
    assert describe(OSError(28, "No space left on device", "/var/lib")) == "/var/lib: No space left on device"
    assert describe(OSError(5, "Input/output error")) == "Input/output error"


def test_each_other_error_is_its_own_sentence_without_the_end():
    assert describe(InstallationError("there is no user; install the package.")) == (
        "there is no user; install the package"
    )
