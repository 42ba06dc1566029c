"""The settings and the machine as values."""

from dataclasses import fields
from typing import get_type_hints

import pytest
from support.cases import case

from cabinet.engine.changes import (
    AcceptorChanges,
    AccessChanges,
    MachineChanges,
    PrinterChanges,
    ProgramChanges,
    SeatChanges,
    ShownChanges,
)
from cabinet.engine.errors import RulesError
from cabinet.engine.rules import CLASSIC, GAMES, Limits, Table
from cabinet.engine.state import Acceptor, Access, LockKind, Machine, Printer, Program, Seat, Settings, Shown, State


def test_the_delivered_settings_offer_the_three_games() -> None:
    assert [table.rules for table in Settings().tables] == list(GAMES.values())
    assert Settings().table("classic").rules is CLASSIC


def test_a_game_that_is_not_offered_is_an_error_that_names_those_that_are() -> None:
    settings = Settings(tables=(Table(rules=CLASSIC, limits=Limits()),))
    with pytest.raises(RulesError, match="no table for game 'european'; offered are classic"):
        settings.table("european")


def test_a_machine_that_never_played_has_no_credit_no_lock_and_no_intent() -> None:
    machine = Machine()
    assert machine.books.credit_cents == 0
    assert (machine.locks, machine.acceptor.in_path, machine.printer.printing, machine.round) == ((), None, None, None)


def test_names_shown_to_people_are_unique() -> None:
    for kinds in (LockKind, State):
        values = [kind.value for kind in kinds]
        assert len(set(values)) == len(values)


CHANGES = {
    Machine: MachineChanges,
    Acceptor: AcceptorChanges,
    Access: AccessChanges,
    Printer: PrinterChanges,
    Program: ProgramChanges,
    Seat: SeatChanges,
    Shown: ShownChanges,
}


def test_the_changes_of_a_machine_and_of_its_groups_are_their_fields_with_their_types() -> None:
    for kind, changes in CHANGES.items():
        with case(kind=kind.__name__):
            hints = get_type_hints(kind)
            assert get_type_hints(changes) == {field.name: hints[field.name] for field in fields(kind)}
            assert not changes.__required_keys__
