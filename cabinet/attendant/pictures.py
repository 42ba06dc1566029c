"""The steps of a past game as values: what the table showed after each card, choice and result. Pure.

Rules: the engine plays the recorded choices again with the recorded cards. Only a game whose events then equal the
recorded ones has steps, so that no step shows what the player did not see. A step reads nothing and changes nothing.
This module knows neither the journal nor the screen.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from cabinet.engine import blackjack, round_events
from cabinet.engine.cards import Card, Draw
from cabinet.engine.effects import (
    CardDealt,
    DealerPeeked,
    Event,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
    RoundBegan,
    RoundSettled,
    RoundVoided,
)
from cabinet.engine.errors import EngineError
from cabinet.engine.ledger import Account, Books
from cabinet.engine.round import Action, Round, Stage
from cabinet.engine.state import Machine, Phase, Seat, Settings

_OF_THE_TABLE = (
    CardDealt,
    DealerPeeked,
    HandPlayed,
    HandSettled,
    HoleTurned,
    InsuranceAnswered,
    InsuranceSettled,
)
"""The events that the engine derives from two states of a round."""
_STEPS = (*_OF_THE_TABLE, RoundBegan, RoundSettled, RoundVoided)
"""The events that are a step each."""
_PHASES = {Stage.INSURANCE: Phase.INSURANCE, Stage.DECIDING: Phase.DECIDING, Stage.OVER: Phase.SETTLED}


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """What the journal has about one step of a game. `credit_cents` is the credit after it, `money` what moved beside
    the stakes: the stored word and cents."""

    when: str
    credit_cents: int
    drawn: tuple[Card, ...] = ()
    events: tuple[Event, ...] = ()
    money: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStep:
    """One step of a past game. `machine` is the machine after the row of this step; of the row's events the first
    `shown` have happened.

    `money` is the stored word and the cents of money that moved; otherwise the last event that has happened is what the
    step shows. The three amounts are those on the screen at this step.
    """

    machine: Machine
    events: tuple[Event, ...] = ()
    shown: int = 0
    when: str
    money: tuple[str, int] | None = None
    bet_cents: int = 0
    paid_cents: int = 0
    credit_cents: int = 0
    still: bool = False
    """True for the last step of a row: then the table stood still, until the player's next choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """A past game with its steps; without any it cannot be shown, and `kept` says whether its rows are there."""

    number: int
    steps: tuple[GameStep, ...] = ()
    kept: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A step with its words, for a page. `strip` marks it as a record, `said` is what happened, `amounts` are names and
    amounts."""

    step: GameStep
    strip: str
    said: str
    amounts: tuple[tuple[str, str], ...] = ()


class _DifferentError(Exception):
    """The engine does not play the game as it was recorded."""


def past_game(number: int, rows: tuple[GameRow, ...], settings: Settings) -> PastGame:
    """Returns a game from its rows, the first of which began it. Without that row, or where the rules of the game have
    changed since, it has no steps."""
    if not any(isinstance(event, RoundBegan) for row in rows for event in row.events):
        return PastGame(number=number, kept=False)
    try:
        return PastGame(number=number, steps=tuple(_Replay(settings=settings).steps(rows)))
    except (_DifferentError, EngineError, LookupError):
        return PastGame(number=number)


@dataclass(slots=True)
class _Replay:
    """A game that is played again, row by row."""

    settings: Settings
    round_: Round | None = None
    game_id: str = ""
    left: list[Card] = field(default_factory=list)
    """The recorded cards of the row that are not drawn yet."""

    def steps(self, rows: tuple[GameRow, ...]) -> Iterator[GameStep]:
        """Yields the steps of all rows. Raises _DifferentError, EngineError or LookupError where the engine plays
        otherwise."""
        for row in rows:
            self._play(row)
            yield from self._steps_of(row)

    def _play(self, row: GameRow) -> None:
        """Plays the choices of a row, and compares what happens."""
        before, self.left = self.round_, list(row.drawn)
        for event in row.events:
            self._choose(event, self._draw)
        if self.round_ is before:
            return
        assert self.round_ is not None
        happened = round_events.events_between(before, self.round_)
        if self.left or happened != tuple(event for event in row.events if isinstance(event, _OF_THE_TABLE)):
            raise _DifferentError

    def _choose(self, event: Event, draw: Draw) -> None:
        if isinstance(event, RoundBegan):
            self.game_id = event.game_id
            self.round_ = blackjack.deal(self.settings.table(event.game_id).rules, event.bets, draw)
        elif self.round_ is None:
            return
        elif isinstance(event, HandPlayed):
            self.round_ = blackjack.act(self.round_, Action(event.action), draw)
        elif isinstance(event, InsuranceAnswered):
            self.round_ = blackjack.insure(self.round_, event.cents, draw)

    def _draw(self, out: Collection[Card]) -> Card:
        del out
        if not self.left:
            raise _DifferentError
        return self.left.pop(0)

    def _steps_of(self, row: GameRow) -> Iterator[GameStep]:
        events = tuple(event for event in row.events if isinstance(event, _STEPS))
        if self.round_ is None or not (events or row.money):
            return
        whole = GameStep(
            machine=self._machine(row),
            events=events,
            when=row.when,
            bet_cents=self.round_.staked_cents,
            credit_cents=row.credit_cents,
        )
        for cents in row.money:
            yield replace(whole, shown=len(events), money=cents, still=not events)
        paid = sum(event.returned_cents for event in events if isinstance(event, RoundSettled))
        for shown in range(1, len(events) + 1):
            ended = isinstance(events[shown - 1], RoundSettled)
            yield replace(
                whole,
                shown=shown,
                paid_cents=paid if ended else 0,
                credit_cents=row.credit_cents - (0 if ended else paid),
                still=shown == len(events),
            )

    def _machine(self, row: GameRow) -> Machine:
        round_ = self.round_
        assert round_ is not None
        return Machine(
            phase=_PHASES[round_.stage],
            round=round_,
            results=blackjack.results(round_) if round_.stage is Stage.OVER else None,
            seat=Seat(game_id=self.game_id),
            books=Books(balances={Account.CREDIT.value: row.credit_cents}),
        )
