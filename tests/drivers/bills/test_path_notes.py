"""The document in the path of an acceptor, for a protocol that adds nothing of its own."""

import pytest

from drivers.bills.events import (
    Channel,
    Offered,
    Rejected,
    Returned,
    Stacked,
    Trouble,
    TroubleBegan,
    TroubleEnded,
)
from drivers.bills.path_notes import NoteInPath, PathNotes, Stage

FIVE = Channel(number=2, value_cents=500, currency="USD")


class PlainNotes(PathNotes[NoteInPath]):
    """Notes whose unit shows a jam only as it begins and as it ends."""

    NAMED_ONCE = (Trouble.JAM,)
    OVER_WHEN_STARTED = ((Trouble.HARDWARE, ""),)

    def confirm(self, receipt: int) -> None:
        """Keeps no receipts."""

    def _report_lost_note(self, note: NoteInPath) -> None:
        self.report_lost(f"note {note.channel}")

    def close_earlier(self) -> bool:
        """Has another note in escrow."""
        return self._close_earlier()

    def arrive(self, channel: int) -> None:
        """Offers a note."""
        self._offer(NoteInPath(channel=channel, stage=Stage.GOING))

    def find(self, stage: Stage) -> None:
        """Knows a note in this stage."""
        self._note = NoteInPath(channel=2, stage=stage)

    def stacked(self, channel: int) -> None:
        """Reports a note."""
        self._report_stacked(channel, receipt=1, recovered=False)

    def cheat(self) -> None:
        """Reports a note on a string."""
        self._report_fraud()

    def back(self, *, offered: bool) -> None:
        """Reports a note that is out again."""
        self._report_back(offered=offered, code=7, reason="not recognised")


@pytest.fixture
def notes() -> PlainNotes:
    notes = PlainNotes()
    notes.set_channels((FIVE,))
    return notes


@pytest.mark.requirement("BA-01")
def test_an_offered_note_is_held_and_has_the_value_of_its_type(notes: PlainNotes) -> None:
    notes.arrive(2)
    assert notes.events() == [Offered(channel=2, value_cents=500)]
    assert notes.stage is Stage.HELD
    assert notes.events() == []
    notes.arrive(3)
    assert notes.events() == [Offered(channel=3, value_cents=0)]


@pytest.mark.requirement("BA-01")
@pytest.mark.parametrize(("channel", "cents"), [(2, 500), (3, None)])
def test_a_stacked_note_of_an_unknown_type_has_no_value(notes: PlainNotes, channel: int, cents: int | None) -> None:
    notes.stacked(channel)
    assert notes.events() == [Stacked(channel=channel, value_cents=cents, receipt=1)]


@pytest.mark.parametrize("stage", Stage)
def test_only_a_held_note_can_be_decided_on_and_only_once(notes: PlainNotes, stage: Stage) -> None:
    notes.find(stage)
    assert notes.order_stack() is (stage is Stage.HELD)
    assert not notes.order_return()
    assert notes.stage is (Stage.STACKING if stage is Stage.HELD else stage)


def test_without_a_note_nothing_can_be_decided(notes: PlainNotes) -> None:
    assert not notes.order_stack()
    assert not notes.order_return()
    notes.lose_contact()
    assert notes.stage is None


@pytest.mark.requirement("BA-03")
@pytest.mark.parametrize("stage", Stage)
def test_a_note_that_nothing_has_accepted_goes_back_when_the_contact_is_lost(notes: PlainNotes, stage: Stage) -> None:
    notes.find(stage)
    notes.lose_contact()
    undecided = stage in (Stage.ARRIVED, Stage.HELD, Stage.ACCEPTED)
    assert notes.stage is (Stage.GOING if undecided else stage)


@pytest.mark.parametrize("stage", Stage)
def test_an_accepted_note_is_never_marked_as_given_back(notes: PlainNotes, stage: Stage) -> None:
    notes.find(stage)
    notes.begin_return()
    assert notes.stage is (stage if stage in (Stage.ACCEPTED, Stage.STACKING) else Stage.BACK)


@pytest.mark.requirement("BA-03")
def test_a_note_still_open_at_the_end_of_a_start_up_ends_without_an_outcome(notes: PlainNotes) -> None:
    notes.begin_start_up()
    notes.find(Stage.STACKING)
    notes.finish_start_up()
    assert (notes.stage, notes.events()) == (None, [])


def test_a_start_up_ends_the_faults_of_the_line_and_those_that_it_disproves(notes: PlainNotes) -> None:
    for trouble, cause in ((Trouble.LINK, ""), (Trouble.WRONG_DEVICE, ""), (Trouble.HARDWARE, "")):
        notes.faults.begin(trouble, "", cause)
    notes.faults.begin(Trouble.STACKER_FULL)
    notes.events()
    notes.finish_start_up()
    ended = (Trouble.LINK, Trouble.WRONG_DEVICE, Trouble.HARDWARE)
    assert notes.events() == [TroubleEnded(trouble=trouble) for trouble in ended]
    assert Trouble.STACKER_FULL in notes.faults


def test_a_cause_that_a_start_up_does_not_disprove_stays(notes: PlainNotes) -> None:
    notes.faults.begin(Trouble.HARDWARE, "", "sensor")
    notes.finish_start_up()
    assert Trouble.HARDWARE in notes.faults


@pytest.mark.requirement("BA-08")
def test_a_fault_that_the_unit_names_once_comes_back_with_the_contact(notes: PlainNotes) -> None:
    notes.faults.begin(Trouble.JAM, "stuck")
    notes.faults.fall_silent(Trouble.LINK)
    assert Trouble.JAM not in notes.faults
    notes.finish_start_up()
    assert notes.events()[-1] == TroubleBegan(trouble=Trouble.JAM, detail="stuck")


def test_a_new_start_up_resolves_what_was_unresolved(notes: PlainNotes) -> None:
    notes.unresolved = True
    notes.begin_start_up()
    assert not notes.unresolved


@pytest.mark.parametrize("starting", [True, False])
def test_a_note_that_is_out_again_is_returned_if_it_was_offered_and_rejected_otherwise(
    notes: PlainNotes, *, starting: bool
) -> None:
    notes.finish_start_up()
    if starting:
        notes.begin_start_up()
    notes.back(offered=True)
    notes.back(offered=False)
    assert notes.events() == [Returned(recovered=starting), Rejected(code=7, reason="not recognised")]


@pytest.mark.requirement("BA-08")
def test_a_note_pulled_back_is_a_fraud(notes: PlainNotes) -> None:
    notes.cheat()
    assert notes.events() == [TroubleBegan(trouble=Trouble.CHEAT, detail="a note was pulled back")]


@pytest.mark.requirement("BA-08")
def test_lost_events_are_an_alarm(notes: PlainNotes) -> None:
    notes.report_lost("a note is gone")
    assert notes.events() == [TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="a note is gone")]


@pytest.mark.requirement("BA-01", "BA-03")
def test_another_note_in_escrow_ends_the_earlier_one_by_what_was_ordered(notes: PlainNotes) -> None:
    lost = TroubleBegan(trouble=Trouble.LOST_EVENTS, detail="note 2")
    for order, ends_in in (
        (PlainNotes.order_stack, [lost]),
        (PlainNotes.order_return, [Returned()]),
        (lambda _: None, [Returned()]),
    ):
        notes.finish_start_up()
        notes.arrive(2)
        order(notes)
        notes.events()
        assert notes.close_earlier() is (ends_in == [lost])
        assert (notes.events(), notes.stage) == (ends_in, None)


@pytest.mark.requirement("BA-01")
def test_another_note_in_escrow_reports_nothing_of_one_that_was_not_offered(notes: PlainNotes) -> None:
    for stage in Stage:
        notes.find(stage)
        assert not notes.close_earlier()
        assert (notes.events(), notes.stage) == ([], None)
