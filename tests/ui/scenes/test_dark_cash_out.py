"""A player with credit and a dark CASH OUT reads the reason, in every state of the machine."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.snapshot import Player, at, snapshot_of

from cabinet.engine import machine as engine
from cabinet.engine.inputs import (
    BackOut,
    Bet,
    BillOffered,
    BillStacked,
    Button,
    CashOut,
    Deal,
    PlayerLeft,
    Stand,
)
from cabinet.engine.locks import LOCKS, hand_open
from cabinet.engine.state import (
    DocumentIntent,
    Lock,
    LockKind,
    Machine,
    NoteIntent,
    Phase,
    PrintIntent,
    Settings,
    State,
    TicketIntent,
)
from cabinet.text.messages import LANGUAGES, Key
from cabinet.ui.scenes.between import why_no_cash_out
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.scenes.notices import notice
from cabinet.ui.scenes.speech import speech

PLAYED = (*at("classic"), Bet(), Deal())
ASKED = (*at("european"), Bet(), Deal())
PHASES: dict[str, Player] = {
    "choosing": Player().put(*at("classic")[:2]),
    "betting": Player().put(*at("classic")),
    "attract": Player().put(*at("classic"), PlayerLeft()),
    "insurance": Player().put(*ASKED, cards="10S AC 6H"),
    "deciding": Player().put(*PLAYED, cards="10S 6S 6H 10D"),
    "settled": Player().put(*PLAYED, Stand(), cards="10S 6S 6H 10D 10C"),
    "printing": Player().put(*at("classic")),
}
NOTE = NoteIntent(cents=500)
PAPERS: tuple[DocumentIntent | None, ...] = (None, NOTE, TicketIntent(sequence=1, cents=500))


def printing(machine: Machine) -> Machine:
    """Returns the machine while it prints. It has no credit then; one with credit reports that it prints."""
    printer = replace(machine.printer, printing=PrintIntent(sequence=1, cents=700))
    return replace(machine, phase=Phase.CASHING_OUT, printer=printer)


def with_paper(machine: Machine, paper: DocumentIntent | None) -> Machine:
    """Returns the machine with this note or ticket in the path."""
    return replace(machine, acceptor=replace(machine.acceptor, document=paper))


def over_the_table(machine: Machine) -> Iterator[Machine]:
    """Yields the machine with everything that can cover a phase: the audit key, every lock, and with those that allow a
    cash-out every paper, each alone and above a closed machine."""
    closed = Lock(lock_id=99, kind=LockKind.OUT_OF_SERVICE)
    for paper in PAPERS:
        yield with_paper(machine, paper)
        yield replace(with_paper(machine, paper), access=replace(machine.access, audit_key=True))
    for number, kind in enumerate(LockKind):
        lock = Lock(lock_id=number, kind=kind)
        passes = not LOCKS[kind].stops_cash_out
        for paper in PAPERS if passes else PAPERS[:1]:
            yield replace(with_paper(machine, paper), locks=(lock,))
            if passes:
                yield replace(with_paper(machine, paper), locks=(lock, closed))


def machines() -> Iterator[tuple[str, Player, Machine]]:
    """Yields every phase with everything that can cover it."""
    for name, player in PHASES.items():
        machine = printing(player.machine) if name == "printing" else player.machine
        for covered in over_the_table(machine):
            yield name, player, covered


def seen(player: Player, machine: Machine) -> Moment:
    """Returns the moment long after every animation."""
    player.snapshot = snapshot_of(machine, now_s=player.now_s)
    return player.settle().moment()


def read(moment: Moment) -> str:
    """Returns everything that the player reads; the attendant's pages are not included."""
    if moment.state is State.AUDIT:
        return "the attendant is at the machine"
    over = notice(moment)
    return f"{over.sentence} {over.advice}" if over is not None else " ".join(speech(moment)).strip()


@pytest.mark.requirement("PD-06", "CM-06")
def test_every_dark_cash_out_with_credit_has_a_reason() -> None:
    dark: set[str] = set()
    for name, player, machine in machines():
        assert machine.books.credit_cents > 0, name
        moment = seen(player, machine)
        if Button.CASH_OUT in engine.lit(player.settings, machine):
            continue
        dark.add(moment.state.value)
        said = read(moment)
        assert said, (name, machine.locks, machine.acceptor.in_path)
        in_path = machine.acceptor.in_path is not None
        waits = in_path and moment.state is not State.AUDIT and not hand_open(machine)
        stopped = machine.printer.printing or any(LOCKS[lock.kind].stops_cash_out for lock in machine.locks)
        if waits and not stopped:
            assert "cash out once your" in said, (name, machine.locks)
    assert dark == {state.value for state in State}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_note_in_the_acceptor_is_named_in_every_language_without_a_dark_button(language) -> None:
    player = Player().put(*at("classic")).read(language=language)
    for paper in PAPERS[1:]:
        moment = seen(player, with_paper(player.machine, paper))
        reason = why_no_cash_out(moment)
        assert reason in speech(moment)
        assert moment.words.say(Key.BUTTON_CASH_OUT) not in reason


def test_the_reason_ends_with_the_note() -> None:
    player = Player().put(*at("classic"), BillOffered(cents=500)).settle()
    assert speech(player.moment())[1] == "You can cash out once your note is in"
    player.put(BillStacked(cents=500)).settle()
    assert "note" not in speech(player.moment())[1]


def test_a_payment_stays_readable_beside_the_reason() -> None:
    player = Player().put(*at("classic")).settle()
    shown = replace(player.machine.shown, paid_out_cents=700, paid_out_total_cents=700)
    paid = replace(with_paper(player.machine, NOTE), shown=shown)
    assert speech(seen(player, paid)) == ("You can cash out once your note is in", "Paid out $7.00")


@pytest.mark.parametrize("phase", ["insurance", "deciding"])
def test_a_dark_cash_out_pressed_in_a_hand_shows_when_it_works(phase: str) -> None:
    inputs, cards = {"insurance": (ASKED, "10S AC 6H"), "deciding": (PLAYED, "10S 6S 6H 10D")}[phase]
    player = Player().put(*inputs, cards=cards).settle()
    player.wish(Button.CASH_OUT)
    assert speech(player.moment())[0] == "You can cash out after this hand"
    assert player.machine.phase is Phase(phase)


def test_backing_out_of_a_hand_pay_waits_for_no_note() -> None:
    player = Player(settings=Settings(ticket_max_cents=10_000)).put(*at("classic"), CashOut()).settle()
    assert engine.why_not(player.settings, player.machine, BackOut()) is None
    assert why_no_cash_out(player.moment()) == ""
