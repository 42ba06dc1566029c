"""The journal: one durable transaction per step, read back at the next start.

Rules:
- Each copy has one connection, used by one thread at a time, with WAL and full synchronisation, verified after setting.
- Input, drawn cards, transfers, counts, events, tickets and the new machine go to disk together or not at all.
- A card, a credit or a byte for a device leaves the cabinet only after `commit` has returned. `commit` returns only if
  the written files are those that the next start opens.
- With a mirror the step goes to the first copy, then to the second, and `commit` returns after both. A second copy that
  refuses does not stop the step: it is durably marked as behind before `commit` returns.
"""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Self

from cabinet.engine.effects import Event, PayingOut
from cabinet.engine.inputs import Input, RecordsDropped
from cabinet.engine.ledger import ROUTES, Account
from cabinet.engine.record_facts import FormChanged
from cabinet.engine.step import Step
from cabinet.store import acceptance, compact, mark, mirror, opening, schema
from cabinet.store.compact import KEEPING, Keeping
from cabinet.store.errors import StoreDamagedError, StoreError, StoreFullError, StorePlaceError
from cabinet.store.ground import ANY, Ground
from cabinet.store.head import newest_entry, read_head
from cabinet.store.mirror import Condition, Copy, Decision, Plan
from cabinet.store.opening import (
    FILE,
    LOCK_FILE,
    Place,
    connect,
    explained,
    own_folder,
    own_known,
    own_new,
    refusal,
    trouble_of,
)
from cabinet.store.record import Dropping, Progress, Stamp, make_record, write, write_fact
from cabinet.store.vocabulary import Vocabulary, vocabulary_of

__all__ = ["FILE", "LOCK_FILE", "Copies", "Journal", "Stamp", "own_folder"]


_AWAY = frozenset({Account.IN_TRANSIT, Account.TICKETS, Account.HAND_PAID})
"""The accounts of money that leaves the machine."""


class Copies(Enum):
    """The number and the state of the copies."""

    ONE = "one"
    TWO = "two"
    SECOND_LOST = "second lost"


class Journal:
    """The open journal of one data folder, and of its mirror if there is one."""

    def __init__(
        self,
        folder: Path,
        number_of: Callable[[int], str],
        *,
        second: Path | None = None,
        keeping: Keeping = KEEPING,
        ground: Ground = ANY,
        progress: Progress | None = None,
    ) -> None:
        """Opens or creates the journal in `folder`; `number_of` returns the validation number of a ticket sequence.

        `second` is the existing folder of the second copy; its files are created. Both folders must meet the conditions
        of `ground`. `progress` receives rows done and rows in all. Raises StoreBusyError when another process owns a
        folder, StoreDamagedError when the data contradicts itself, StoreMissingError when a machine that has played has
        lost its data, StoreRefusedError when `ground` refuses a folder, StoreError when a folder cannot be used.
        """
        ground.check_place(folder)
        self._ground = ground
        self._number_of, self._progress = number_of, progress
        self._keeping = keeping
        self._folder, self._second_folder = folder, second
        self._second: sqlite3.Connection | None = None
        self._dropping: Dropping | None = None
        self._checking: compact.Checking | None = None
        self.second_trouble = ""
        """Why the second copy cannot be written; empty while it can be."""
        self.recovered: tuple[str, ...] = ()
        """What this start renewed, with the reasons."""
        self.unseen = ""
        """Why this start could not read the second copy; empty if it could, or if no second copy is wanted."""
        self.compared = False
        """True if the first copy has every row of a sound second copy."""
        self.doubt = ""
        """Why newer steps may be missing; empty if none can be."""
        self._doubted: Copy | None = None
        """The second copy for which `renew_lost_second` has reported a doubt."""
        self._alone = False
        self._reach = ExitStack()
        """The open resources of the second copy: its folder, then its file."""
        self._owned = ExitStack()
        self._reached = mark.Reached(folder)
        self._owned.callback(self._reached.close)
        with ExitStack() as undo:
            undo.callback(self._owned.close)
            self._owned.callback(self._let_go)
            if second is None:
                self._own_only()
            else:
                self._reconcile_copies(second)
            self._open()
            self.doubt = self.doubt or mirror.read_doubt(folder)
            undo.pop_all()

    def __enter__(self) -> Self:
        """Returns the journal itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Closes the journal."""
        self.close()

    @property
    def seq(self) -> int:
        """Returns the number of the last durable step; 0 before the first."""
        return self._seq

    @property
    def connection(self) -> sqlite3.Connection:
        """Returns the first copy's connection, for reports on the same thread."""
        return self._connection

    @property
    def connections(self) -> tuple[sqlite3.Connection, ...]:
        """The connections of every copy that can be written, the first copy's first."""
        return (self._connection,) if self._second is None else (self._connection, self._second)

    @property
    def copies(self) -> Copies:
        """Returns the number and the state of the copies now."""
        if self._second_folder is None:
            return Copies.ONE
        return Copies.SECOND_LOST if self._second is None else Copies.TWO

    # --- opening ------------------------------------------------------------------------------------------------

    def _own_only(self) -> None:
        """Owns the folder of an only copy after it is accepted. An invalid number of the newest row is a doubt."""
        if not mirror.is_known(self._folder):
            self._ground.check_new()
        own_known(self._folder, self._owned)
        acceptance.accept(self._folder, self._ground, self._progress)
        own_new(self._folder, self._owned)
        if trouble := mirror.number_trouble(self._folder):
            mirror.doubt_number(self._folder, trouble)

    def _open(self) -> None:
        """Opens the first copy and reads its end; then opens the second, unless it is lost."""
        path = self._folder / FILE
        with explained(path):
            self._connection = connect(path)
            self._owned.callback(self._connection.close)
            self._form = schema.make_ready(self._connection)
            self._seq, self.row_hash, self.machine = read_head(self._connection, checked=True)
            self._marked = mark.is_marked(self._folder)
            self._entry = newest_entry(self._connection)
            self._first = compact.first_kept(self._connection)
            self._places = Place.both_of(path)
        if self._seq:
            self._reached.record(self._seq, wait=True)
        if self._second_folder is not None and not self.second_trouble:
            try:
                self._open_second(self._second_folder)
            except StoreFullError as error:
                self._lose_second(str(error))

    def _open_second(self, folder: Path) -> None:
        with explained(folder / FILE):
            connection = connect(folder / FILE)
            self._reach.callback(connection.close)
            schema.make_ready(connection, self._form)
            self._second_places = Place.both_of(folder / FILE)
            mirror.share_facts(self._connection, connection)
        self._second = connection
        self._second_reached = mark.Reached(folder)
        self._reach.callback(self._second_reached.close)
        if self._seq:
            self._record_second(wait=True)

    def _reconcile_copies(self, folder: Path) -> None:
        """Examines both copies and makes them equal before either is used."""
        mirror.check_apart(self._folder, folder)
        first = Copy(condition=Condition.MISSING, known=mirror.is_known(self._folder))
        with ExitStack() as opened:
            one = None
            unfit = str(self._ground.unfit(folder) or "")
            second, other = mirror.find_second(folder, opened, self._reach, self._progress, unfit=unfit)
            own_known(self._folder, self._owned)
            if first.known:
                first, one = mirror.find_copy(self._folder, opened, self._progress)
            decision = mirror.decide(
                first,
                second,
                behind=mirror.is_behind(self._folder),
                same_story=mirror.same_story(one, other, first, second),
            )
            if decision.plan is Plan.RENEW_FIRST and other is not None and not first.identity:
                self._ground.check_owner(folder, dict(mirror.facts_of(other)))
            acceptance.accept_copies(self._folder, self._ground, first, second)
            own_new(self._folder, self._owned)
            if decision.plan is not Plan.WITHOUT_SECOND:
                own_new(folder, self._reach)
            self.compared = {first.condition, second.condition} == {Condition.SOUND}
            if decision.unproven and other is not None:
                mirror.doubt(other, second, self._folder)
            numbers = self._check_numbers(folder if other else None, agree=self.compared and decision.agree)
            self._carry_out(decision, one, other, folder)
            self.recovered += numbers

    def _check_numbers(self, second: Path | None, *, agree: bool) -> tuple[str, ...]:
        """Returns what to report about invalid numbers of the newest row; each such number is written again.

        An invalid number of the first copy is a doubt, unless two sound copies `agree`. `second` is the folder of a
        sound second copy.
        """
        said = []
        if trouble := mirror.number_trouble(self._folder):
            if agree:
                mark.forget_reached(self._folder)
                said.append(f"first copy: {trouble}; renewed, because the two copies agree")
            else:
                mirror.doubt_number(self._folder, trouble)
        if second is not None and (trouble := mirror.number_trouble(second)):
            said.append(f"second copy: {trouble}; renewed")
        return tuple(said)

    def _carry_out(
        self,
        decision: Decision,
        one: sqlite3.Connection | None,
        other: sqlite3.Connection | None,
        folder: Path,
    ) -> None:
        match decision.plan:
            case Plan.GO_ON:
                if one is not None and other is not None:
                    mirror.unmark_behind(self._folder)
            case Plan.WITHOUT_SECOND:
                self.second_trouble = self.unseen = decision.detail
                mirror.mark_behind(self._folder, 0)
            case Plan.RENEW_FIRST if other is not None:
                if one is not None:
                    one.close()
                mirror.renew(other, self._folder)
            case Plan.RENEW_SECOND | Plan.CATCH_UP if one is not None:
                if other is not None:
                    other.close()
                self._renew_second(one, folder)
            case _:
                raise StoreError(f"{decision.plan.value}: there is nothing to make it from")
        if decision.detail and not self.second_trouble:
            self.recovered = (decision.detail,)

    def _renew_second(self, source: sqlite3.Connection, folder: Path) -> None:
        """Renews the second copy; if its medium refuses, continues without it."""
        try:
            mirror.renew(source, folder)
        except StoreFullError as error:
            self.second_trouble = str(error)
            mirror.mark_behind(self._folder, 0)
        else:
            mirror.unmark_behind(self._folder)

    # --- writing ------------------------------------------------------------------------------------------------

    def commit(self, input_: Input, step: Step, stamp: Stamp) -> None:
        """Makes the step durable. Raises StoreFullError when the medium refuses, StoreError when the journal's files
        are no longer in their place: then no effect of the step may follow, whether the medium has kept it or not.
        Raises NoWordError, with nothing written, when the form has no word for a value; commit `form_change` first."""
        self.check_files()
        record = make_record(
            input_,
            step,
            stamp,
            seq=self._seq + 1,
            before=self.row_hash,
            entry=self._entry,
            numbers=self._numbered(step.events),
            words=self._words(input_),
            machine=self.machine,
        )
        snapshot = record.row.seq % self._keeping.step == 0
        prepare = schema.move_on if isinstance(input_, FormChanged) else None
        record = replace(record, snapshot=snapshot, dropping=self._agreed(input_), prepare=prepare)
        self._leave_marks(record.row.seq)
        try:
            write(self._connection, record, self._progress)
        except sqlite3.Error as error:
            raise refusal(error, self._folder / FILE, outcome="the step was not acted upon") from error
        self._seq, self.row_hash, self.machine = record.row.seq, record.hash, step.machine
        self._entry += len(record.entries)
        if isinstance(input_, FormChanged):
            self._form = schema.NEWEST
        if record.dropping is not None:
            self._first, self._dropping, self._checking = record.dropping.checkpoint.seq, None, None
        self._write_second(lambda second: write(second, record, self._progress))
        self.check_files()
        wait = any(ROUTES[each.route].target in _AWAY for each in step.postings)
        self._record_second(wait=wait)
        self._reached.record(self._seq, wait=wait)

    def _leave_marks(self, seq: int) -> None:
        """Marks, once in a run, that the machine has played and that a second copy elsewhere is behind this row."""
        if self._seq and not self._marked:
            mark.leave(self._folder)
            self._marked = True
        if self._second_folder is None and not self._alone:
            mirror.mark_behind(self._folder, seq)
            self._alone = True

    def _words(self, input_: Input) -> Vocabulary | None:
        """Returns the names that encode this step, None for the newest. The step that changes the form uses the
        newest."""
        newest = self._form == schema.NEWEST or isinstance(input_, FormChanged)
        return None if newest else vocabulary_of(self._form)

    def _numbered(self, events: Iterable[Event]) -> dict[str, str]:
        """Returns the validation number of each ticket that a step begins, by sequence."""
        return {
            str(event.sequence): self._number_of(event.sequence) for event in events if isinstance(event, PayingOut)
        }

    def _write_second(self, action: Callable[[sqlite3.Connection], None]) -> None:
        """Does the same in the second copy. If its medium refuses, the copy is behind from now on, durably on
        return."""
        if self._second is None:
            return
        try:
            action(self._second)
        except sqlite3.Error as error:
            self._lose_second(str(refusal(error, self._second_path)))
        except StoreDamagedError as error:
            self._lose_second(f"{self._second_path}: {error}")

    def _record_second(self, *, wait: bool) -> None:
        """Writes the number of the newest row of the second copy. If its medium refuses a number with `wait`, the copy
        is behind from now on."""
        if self._second is None or self._second_folder is None:
            return
        try:
            if wait:
                mark.leave(self._second_folder)
            self._second_reached.record(self._seq, wait=wait)
        except StoreError as error:
            self._lose_second(str(error))

    def _lose_second(self, trouble: str) -> None:
        self.second_trouble, self._second = trouble, None
        mirror.mark_behind(self._folder, self._seq)

    @property
    def _second_path(self) -> Path:
        return (self._second_folder or self._folder) / FILE

    # --- whether all is in its place ----------------------------------------------------------------------------

    def check_files(self) -> None:
        """Checks that the written files are still those that the next start opens; quick.

        A file removed or replaced under an open journal accepts further steps and keeps none. Raises StoreError for the
        first copy; a second copy is lost then.
        """
        trouble = trouble_of(self._places)
        if trouble is not None:
            raise StoreError(f"{trouble}; the machine stops, put the file back and start it again")
        if self._second is not None and (trouble := trouble_of(self._second_places)) is not None:
            self._lose_second(trouble)

    # --- the renewal of a lost copy ------------------------------------------------------------------------------

    def renew_lost_second(self) -> str | None:
        """Tries to renew a lost second copy; returns what was done, None while it is not possible.

        It compares the found copy first, as at a start. A copy of another machine stays unchanged. So does one with
        rows that the first copy lacks: `doubt` reports it until the next attempt, once for each found copy, because a
        doubt that a person has settled does not come back by itself.
        """
        self.doubt = ""
        folder = self._second_folder
        lost = self.copies is Copies.SECOND_LOST
        if not lost or folder is None or opening.why_out_of_reach(folder):
            return None
        with suppress(sqlite3.Error):
            self._let_go()
        try:
            return self._renew_lost_second(folder)
        except StoreError as error:
            self.second_trouble = str(error)
            if not mirror.is_behind(self._folder):
                mirror.mark_behind(self._folder, self._seq)
            return None

    def _renew_lost_second(self, folder: Path) -> str | None:
        """As `renew_lost_second`. Raises StoreError when the folder or its content may not be written."""
        mirror.check_apart(self._folder, folder)
        if trouble := self._ground.unfit(folder):
            raise StorePlaceError(str(trouble), found=trouble.short)
        with ExitStack() as reach:
            with ExitStack() as opened:
                second, other = mirror.find_second(folder, opened, reach)
                if second.condition is Condition.OUT_OF_REACH:
                    raise StoreFullError(second.detail)
                first = self._as_found()
                same = mirror.same_story(self._connection, other, first, second)
                refused = mirror.why_not_renew(first, second, same_story=same)
            if refused is not None:
                self.doubt = "" if second == self._doubted else refused
                self._doubted = second
                raise StoreDamagedError(refused)
            own_new(folder, reach)
            self.second_trouble = ""
            self._renew_second(self._connection, folder)
            if self.second_trouble:
                return None
            self._reach = reach.pop_all()
        self._open_second(folder)
        if self._second is None:
            return None
        self.compared = self.compared or second.condition is Condition.SOUND
        return "second copy: it was out of reach"

    def _let_go(self) -> None:
        """Releases the second copy."""
        self._reach.close()

    def _as_found(self) -> Copy:
        """Returns the open first copy as `mirror.find_copy` would describe it."""
        if not self._seq:
            return Copy(condition=Condition.EMPTY)
        identity = compact.identity(self._connection) or b""
        return Copy(condition=Condition.SOUND, seq=self._seq, hash=self.row_hash, identity=identity)

    def forget_doubt(self) -> None:
        """Removes the doubt, after the lock for it is durable."""
        self.doubt = ""
        mirror.forget_doubt(self._folder)

    # --- the form -----------------------------------------------------------------------------------------------

    def form_change(self, why: str = "") -> FormChanged | None:
        """Returns the fact that moves the journal to the newest form, None if it is in that form. The caller commits it
        after the program is confirmed, or because of `why`; the program before this one cannot read that form."""
        return None if self._form == schema.NEWEST else FormChanged(old=self._form, new=schema.NEWEST, why=why)

    # --- dropping what is old -----------------------------------------------------------------------------------

    def find_droppable(self) -> RecordsDropped | None:
        """Returns the fact that drops old records, to step and commit next. Returns None while there are few or not all
        are checked: each call checks some (`Keeping.at_once`), so that play continues. Raises StoreDamagedError when a
        row to drop does not fit its hash."""
        if self._seq - self._first < self._keeping.rows + self._keeping.step:
            return None
        with explained(self._folder / FILE):
            if self._checking is None:
                self._checking = compact.begin_check(self._connection, self._seq, self._keeping)
            if self._checking is None or not compact.go_on(self._connection, self._checking, self._keeping):
                return None
            self._dropping = compact.plan(self._connection, self._checking, self._keeping)
            return compact.fact_of(self._connection, self._dropping, self._keeping)

    def _agreed(self, input_: Input) -> Dropping | None:
        """Returns what this step drops: exactly the result of `find_droppable`."""
        if not isinstance(input_, RecordsDropped):
            return None
        if self._dropping is None or compact.seal(self._dropping) != input_.digest:
            raise StoreError("records can only be dropped as `find_droppable` has returned; call it again")
        return self._dropping

    # --- facts --------------------------------------------------------------------------------------------------

    def fact(self, name: str) -> str | None:
        """Returns a stored fact about this installation, such as its secret."""
        with explained(self._folder / FILE):
            found = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def remember(self, name: str, value: str) -> None:
        """Stores a fact durably."""
        try:
            write_fact(self._connection, name, value)
        except sqlite3.Error as error:
            raise refusal(error, self._folder / FILE) from error
        self._write_second(lambda second: write_fact(second, name, value))

    def close(self) -> None:
        """Closes the journal and releases the folder. Harmless when already closed."""
        self._owned.close()
