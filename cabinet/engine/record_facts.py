"""Facts about the machine's records and its program as a whole: that the records began, the form they are kept in, an
update that was taken back. See `inputs`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCommissioned:
    """The technician has said that this is a new machine; `version` is the program's. Its records begin here.

    With `out_of_service` it takes no money until the technician puts it into service."""

    version: str
    out_of_service: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormChanged:
    """With this step the journal goes over from form `old` to form `new`; `why`, where no technician has confirmed the
    program, says what had no word in the old one."""

    old: int
    new: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateTakenBack:
    """A newer version of the program, `version`, did not prove itself, and the one before runs again; `why` says what
    was wrong. `at` is the time of day of the update, which no other update has."""

    version: str
    at: str
    why: str
