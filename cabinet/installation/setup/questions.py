"""The questions of the set-up, as a table: their text and order, and how a typed answer is read. Pure.

Rules: each answer of `Answers` has a question, except those that no person types. A question that does not matter after
the answers before it is left out. The module asks nothing itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Final

from cabinet.config.acceptor import ACCEPTORS, BY_PULSES, WITH_VALUES
from cabinet.config.printer import PRINTERS
from cabinet.config.reader import ConfigError
from cabinet.installation.setup.answers import Answers
from cabinet.installation.system.drop_ins import Sound
from cabinet.text.amounts import CURRENCIES
from cabinet.text.quoting import quote


class Form(Enum):
    """How an answer is typed."""

    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes or no"
    SECRET = "digits that are not shown"
    CENTS = "amounts in cents with blanks between"
    PULSES = "pulses=cents with blanks between"
    SOCKET = "learned from a plug"


Given = Mapping[str, object]
"""Name of an answer -> the answer, for those that are given already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. `pi` are the models that it is asked on; empty for all."""

    name: str
    ask: str
    form: Form = Form.TEXT
    choices: tuple[str, ...] = ()
    applies: Callable[[Given], bool] = lambda _given: True
    pi: frozenset[int] = frozenset()


def _on_a_line(given: Given) -> bool:
    return given.get("acceptor") != BY_PULSES


QUESTIONS: Final = (
    Question(name="number", ask="Number of this machine (0 to 9999; no other machine may have it)", form=Form.NUMBER),
    Question(name="venue", ask="Name of the house, as tickets print it"),
    Question(name="location", ask="Place in the house, the second line of tickets; empty for none"),
    Question(name="helpline", ask="Help line for players, shown on the screen; empty for none"),
    Question(name="currency", ask="Currency of the notes", choices=tuple(CURRENCIES)),
    Question(name="acceptor", ask="Protocol of the bill acceptor (`cabinet devices` lists them)", choices=ACCEPTORS),
    Question(
        name="note_values",
        ask="Value of each note type in cents, for a unit that does not report them; empty for one that does",
        form=Form.CENTS,
        applies=lambda given: given.get("acceptor") in WITH_VALUES,
    ),
    Question(
        name="pulse_notes",
        ask="Pulses of each note with its cents, such as 2=100 10=500",
        form=Form.PULSES,
        applies=lambda given: not _on_a_line(given),
    ),
    Question(name="printer", ask="Protocol of the ticket printer", choices=PRINTERS),
    Question(name="acceptor_socket", ask="the acceptor", form=Form.SOCKET, applies=_on_a_line),
    Question(name="printer_socket", ask="the printer", form=Form.SOCKET),
    Question(name="technician_pin", ask="PIN of the technician, six digits", form=Form.SECRET),
    Question(
        name="books_partition",
        ask="Do the books have a partition of their own, with the label CABINETDATA",
        form=Form.YES_NO,
    ),
    Question(
        name="second_copy",
        ask="Is there a second medium for a copy of the books, with the label CABINET2ND",
        form=Form.YES_NO,
    ),
    Question(name="time_zone", ask="Time zone, such as Europe/Vienna"),
    Question(name="time_server", ask="Time server of the house; empty for those of the system"),
    Question(name="sound", ask="Output of the sound", choices=tuple(Sound)),
    Question(name="screen", ask="Socket of the screen", choices=("hdmi1", "hdmi2", "other")),
    Question(
        name="screen_mode",
        ask="Size of the screen, such as 1920x1080, also while it is off at power-up; monitor for what it reports",
        applies=lambda given: given.get("screen") != "other",
    ),
    Question(
        name="charge_clock",
        ask="Can the battery of the clock be charged (a usual lithium coin cell cannot, and must not be)",
        form=Form.YES_NO,
        pi=frozenset({5}),
    ),
    Question(name="ssh", ask="Is the technician to have remote access by SSH, with a key", form=Form.YES_NO),
    Question(name="wireless", ask="Is the network by radio", form=Form.YES_NO),
    Question(name="firewall", ask="Is a firewall to let in nothing but this access", form=Form.YES_NO),
    Question(
        name="lock_usb",
        ask="Are the USB sockets to refuse keyboards and network adapters from the next start on",
        form=Form.YES_NO,
    ),
    Question(
        name="eeprom",
        ask="May the set-up change the boot loader, so that the Pi starts from this medium only",
        form=Form.YES_NO,
        pi=frozenset({4, 5}),
    ),
    Question(
        name="commission",
        ask="Are the books of a new machine to begin at the end (no for a machine that has books)",
        form=Form.YES_NO,
    ),
)

DEFAULTS: Final[Given] = {
    "acceptor": "ssp",
    "printer": "escpos",
    "second_copy": False,
    "sound": Sound.HDMI_1.value,
    **{item.name: item.default for item in fields(Answers) if isinstance(item.default, str | bool)},
}
"""The value of an empty line if the machine itself gives none."""


def read_typed(question: Question, text: str) -> object:
    """Returns a typed answer as the value of an answers file. Raises ConfigError."""
    words = text.strip()
    match question.form:
        case Form.NUMBER:
            return _number(question.name, words)
        case Form.YES_NO:
            return _yes(question.name, words)
        case Form.CENTS:
            return _cents(question.name, words)
        case Form.PULSES:
            return _pulses(question.name, words)
        case _:
            return words


def show_typed(question: Question, value: object) -> str:
    """Returns a value as a person types it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return " ".join(map(str, value))
        case dict():
            return " ".join(f"{pulses}={cents}" for pulses, cents in value.items())
        case None:
            return ""
        case _:
            return "" if question.form is Form.SECRET else str(value)


def _number(name: str, text: str) -> int:
    if not _is_number(text):
        raise ConfigError(f"{name}: found {quote(text)}, expected a whole number")
    return int(text)


def _cents(name: str, text: str) -> list[int]:
    amounts = _separate(text)
    for each in amounts:
        if not _is_number(each):
            raise ConfigError(f"{name}: found {quote(each)}, expected amounts in cents, such as 500 1000 2000")
    return [int(each) for each in amounts]


def _pulses(name: str, text: str) -> dict[str, int]:
    """Returns number of pulses -> cents; a number that is given twice has no meaning."""
    found: dict[str, int] = {}
    expected = "expected pulses=cents, such as 2=100 10=500"
    for each in _separate(text):
        pulses, _, cents = each.partition("=")
        if not (_is_number(pulses) and _is_number(cents)):
            raise ConfigError(f"{name}: found {quote(each)}, {expected}")
        if pulses in found:
            raise ConfigError(f"{name}: found {quote(pulses)} twice, {expected}")
        found[pulses] = int(cents)
    if not found:
        raise ConfigError(f"{name}: found nothing, {expected}")
    return found


def _separate(text: str) -> list[str]:
    """Returns the words of a list; a comma between two of them counts only with a blank after it, because `5,00` is one
    amount."""
    return [each.removesuffix(",") for each in text.split()]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _yes(name: str, text: str) -> bool:
    match text.lower():
        case "y" | "yes":
            return True
        case "n" | "no":
            return False
        case _:
            raise ConfigError(f"{name}: found {quote(text)}, expected yes or no")
