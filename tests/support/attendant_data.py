"""Desks for the attendant's pages, made from real machines and a real journal, and hands in the menu."""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from support.machines import Cabinet

from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu import GROUPS, Extra, Menu, Request, entries, open_menu, page, press, touch
from cabinet.attendant.menu.moves import node_of
from cabinet.attendant.pages import Line, Page, PageTouch, Touched
from cabinet.config.settings import Config
from cabinet.engine.inputs import Button, Input
from cabinet.engine.step import Step
from cabinet.runtime.attendant_data import AttendantDataReader
from cabinet.runtime.startup import RELEASED_MS
from cabinet.runtime.ticket import validation_number
from cabinet.store.journal import Journal, Stamp

SECRET = bytes(range(32))
MACHINE = 42


def number_of(sequence: int) -> str:
    """The validation number of a ticket of these cabinets."""
    return validation_number(SECRET, MACHINE, sequence)


@dataclass(slots=True)
class KeptCabinet:
    """A cabinet whose steps go into a journal, as the cabinet's thread has them go; `desk` is what it leads to."""

    cabinet: Cabinet
    journal: Journal
    reader: AttendantDataReader
    steps: int = 0

    def do(self, *inputs: Input) -> Step:
        """Takes steps that must be accepted, and keeps them."""
        for input_ in inputs:
            step = self.cabinet.do(input_)
            self._commit(input_, step)
        return step

    def keep(self, steps: Iterable[tuple[Input, Step]]) -> None:
        """Keeps steps that were taken elsewhere; the cabinet is where they lead."""
        for input_, step in steps:
            self._commit(input_, step)
            self.cabinet.machine = step.machine

    def _commit(self, input_: Input, step: Step) -> None:
        wall_ms = RELEASED_MS + self.steps * 1_000
        self.journal.commit(input_, step, Stamp(boot=1, wall_ms=wall_ms, mono_ms=self.steps, clock_ok=True))
        self.steps += 1

    def data(self) -> AttendantData:
        """The desk now."""
        return self.reader.data(self.cabinet.machine)


def keep(folder: Path, cabinet: Cabinet, undo: ExitStack) -> KeptCabinet:
    """Puts a cabinet on a journal of its own."""
    journal = undo.enter_context(Journal(folder, number_of))
    return KeptCabinet(cabinet=cabinet, journal=journal, reader=AttendantDataReader(Config(), journal, folder))


def bare_desk(cabinet: Cabinet) -> AttendantData:
    """A desk with a machine and nothing from a journal."""
    return AttendantData(machine=cabinet.machine, settings=cabinet.settings, sign="$")


@dataclass(slots=True)
class MenuHand:
    """An attendant in the menu, with the panel's four buttons."""

    data: AttendantData
    menu: Menu = field(default_factory=open_menu)
    asked: list[Request] = field(default_factory=list)

    def press(self, *buttons: Button) -> None:
        """Press buttons of the panel."""
        for button in buttons:
            self.menu, request = press(self.menu, button, self.data)
            if request is not None:
                self.asked.append(request)

    def choose(self, *labels: str) -> None:
        """Moves the bar to each line in turn and chooses it. Labels may be beginnings. A line of a group is also found
        from the first page."""
        for label in labels:
            if not self._on_page(label):
                self._open_group(label)
            lines = [entry.label.startswith(label) for entry in entries(self.menu, self.data)]
            while self.menu.selected != lines.index(True):
                self.press(Button.BET)
            self.press(Button.DEAL)

    def _on_page(self, label: str) -> bool:
        return any(entry.label.startswith(label) for entry in entries(self.menu, self.data))

    def _open_group(self, label: str) -> None:
        """Goes to the group that has this line."""
        for group in GROUPS:
            self.menu = Menu(path=(group.name,))
            if self._on_page(label):
                return
        raise ValueError(label)

    def touch(self, what: Touched, word: str = "", nth: int = 0) -> None:
        """Touches something on the page."""
        if what is Touched.ENTRY:
            nth = self.page.first + [line.startswith(word) for line in self.page.menu].index(True)
            word = self.page.menu[nth - self.page.first]
        self.menu, request = touch(
            self.menu, PageTouch(place=self.page.place, what=what, nth=nth, word=word), self.data
        )
        if request is not None:
            self.asked.append(request)

    @property
    def page(self) -> Page:
        """The page that is shown."""
        return page(self.menu, self.data)

    @property
    def sheets(self) -> tuple[Page, ...]:
        """Every page of what is read here, turned one by one; only where there is nothing to choose."""
        found = [self.page]
        for _ in range(found[0].position[1] - 1):
            self.press(Button.BET)
            found.append(self.page)
        return tuple(found)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Every line that can be read here."""
        return [line.cells for sheet in self.sheets for line in sheet.lines]

    @property
    def text(self) -> str:
        """All of it as one text."""
        return "\n".join("  ".join(cells) for cells in self.rows)


def listed(data: AttendantData, *path: str) -> tuple[Line, ...]:
    """Every line of a long list."""
    node = node_of(Menu(path=path), data)
    assert node.listing is not None
    return tuple(line for row in node.listing.rows(0, node.listing.count) for line in row)


def every_page(data: AttendantData) -> Iterable[tuple[Menu, Page]]:
    """Every place of the menu that can be reached by choosing, with its page."""
    waiting, seen = [open_menu()], set()
    while waiting:
        menu = waiting.pop()
        if menu in seen:
            continue
        seen.add(menu)
        yield menu, page(menu, data)
        waiting += _next(menu, data)


def _next(menu: Menu, data: AttendantData) -> list[Menu]:
    """Where each choice and each turn of the page leads; a yes ends the way."""
    found = []
    for at in range(len(entries(menu, data))):
        after, request = press(Menu(path=menu.path, asking=menu.asking, selected=at), Button.DEAL, data)
        found += [after] if request is None else []
    if not entries(menu, data):
        found += [press(menu, Button.BET, data)[0], press(menu, Button.CLEAR, data)[0]]
    return found


__all__ = ["Extra", "KeptCabinet", "MenuHand", "bare_desk", "every_page", "keep", "listed", "number_of"]
