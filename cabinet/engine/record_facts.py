"""Facts about the machine's records as a whole: that they began, and the form they are kept in. See `inputs`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCommissioned:
    """The technician has said that this is a new machine; `version` is the program's. Its records begin here."""

    version: str
