"""Facts about the machine's records as a whole: that they began, and the form they are kept in. See `inputs`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCommissioned:
    """The technician has said that this is a new machine; `version` is the program's. Its records begin here."""

    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormChanged:
    """With this step the journal goes over from form `old` to form `new`; `why`, where no technician has confirmed the
    program, says what had no word in the old one."""

    old: int
    new: int
    why: str = ""
