"""The pages on which the attendant does something: tests, the technician's level, the PIN. Pure.

Rules: a test names itself in the title and moves no meter; of a PIN no digit is shown.
"""

from cabinet.attendant import technician, trials
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.values import Entry, Extra, Menu, Node, PinTyped, Steps, UseLanguage
from cabinet.engine import technician as access
from cabinet.engine.inputs import PrepareMemoryClear
from cabinet.text.attendant_words import text

TESTS, TECHNICIAN = text("Tests"), text("Technician")
LAMPS, SOUND, DISPLAY = text("Lamps and buttons"), text("Sound"), text("Display")
LANGUAGE = text("Language")
LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français", "es": "Español"}
"""The languages of the pages by their two letters, each named in itself."""
DEVICES, PIN = text("Acceptor and printer"), text("Enter the PIN")


def test_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the list of tests, or one test."""
    if len(menu.path) < 3:
        tests = tuple(Entry(label=data.say(name), goes=(name,)) for name in (LAMPS, SOUND, DISPLAY, DEVICES))
        ticket = Entry(label=data.say("Print a test ticket"), short=data.say("test ticket"), asks=Extra.TEST_TICKET)
        return Node(title=data.say(TESTS), entries=(*tests, ticket))
    name = menu.path[2]
    title = data.say("TEST: {test}", test=data.say(name).lower())
    if name == LAMPS:
        return Node(title=title, lines=trials.lamp_lines(data, menu.pressed), steps=Steps.LAMPS)
    if name == SOUND:
        return Node(
            title=title,
            lines=trials.sound_lines(data, menu.trial),
            silent_lines=trials.sound_lines(data, menu.trial, silent=True),
            steps=Steps.TRIALS,
            trials=len(trials.SOUNDS),
            sound=trials.sound(menu.trial),
        )
    if name == DISPLAY:
        return Node(
            title=title,
            lines=trials.display_lines(data, menu.trial),
            steps=Steps.TRIALS,
            trials=len(trials.PICTURES),
            pattern=trials.pattern(menu.trial),
        )
    return Node(title=title, lines=trials.device_lines(data))


def language_node(_: Menu, data: AttendantData) -> Node:
    """Returns the choice of the language."""
    return Node(
        title=data.say(LANGUAGE),
        entries=tuple(Entry(label=name, asks=UseLanguage(code=code)) for code, name in LANGUAGES.items()),
    )


def technician_node(menu: Menu, data: AttendantData) -> Node:
    """Returns the page of the technician's level, or the entry of the PIN."""
    if len(menu.path) > 2:
        return Node(
            title=data.say(PIN),
            lines=technician.pin_lines(data, len(menu.digits)),
            steps=Steps.DIGITS,
            most_digits=technician.PIN_LENGTH,
            at_once=True,
            take=lambda digits: Entry(label="", asks=PinTyped(digits=digits)),
        )
    return Node(title=data.say(TECHNICIAN), lines=technician.level_lines(data), entries=_technician_entries(data))


def _technician_entries(data: AttendantData) -> tuple[Entry, ...]:
    machine = data.machine
    may_enter = access.may_enter_pin(data.settings, machine)
    enter = (Entry(label=data.say(PIN), goes=(PIN,), short=data.say("PIN")),) if may_enter else ()
    if machine.access.clear_prepared:
        return (*enter, Entry(label=data.say("Keep the memory"), asks=PrepareMemoryClear(on=False)))
    clear = PrepareMemoryClear(on=True)
    allowed = access.why_not_prepare(data.settings, machine, clear) is None
    return (*enter, Entry(label=data.say("Clear the memory"), asks=clear)) if allowed else enter
