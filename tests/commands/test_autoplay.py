"""The cabinet that plays by itself: its strategy, its session over wires and pins, what it makes of what it finds."""

import json
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.commands import call, finish, is_one_sentence, run, start, wait_until
from support.journals import keep, session_steps
from support.machines import dealt
from support.rounds import draws

from cabinet.commands import autoplay
from cabinet.commands.autoplay import (
    ROUNDS_AT_MOST,
    ROUNDS_WITHOUT_NEWS,
    STILL_S,
    AutoplayError,
    Patience,
    Player,
    Report,
    play,
    wishes,
)
from cabinet.commands.main import main
from cabinet.config.settings import Config
from cabinet.engine.blackjack import act, deal
from cabinet.engine.inputs import DeclineInsurance, Stand
from cabinet.engine.log import LogKind
from cabinet.engine.round import Action, Round
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, TABLE, Rules
from cabinet.engine.state import Machine, Phase
from cabinet.presentation.snapshot import Snapshot
from cabinet.runtime.build import Cabinet, build
from cabinet.store import reports
from cabinet.store.journal import FILE, Journal
from cabinet.store.verify import verify

# --- the strategy -----------------------------------------------------------------------------------------------


def first(rules: Rules, cards: str) -> tuple[str, ...]:
    """The wishes for the first hand of a deal: player, dealer, player, and the dealer's hole card."""
    return wishes(deal(rules, (1_000,), draws(cards)))


@pytest.mark.parametrize(
    ("cards", "wish"),
    [
        ("8S 6D 8H 10C", "split"),
        ("AS 6D AH 10C", "split"),
        ("10S 6D KH 10C", "stand"),
        ("6S 6D 5H 10C", "double"),
        ("6S 9D 4H 10C", "double"),
        ("6S 9D 3H 10C", "hit"),
        ("10S 7D 6H 10C", "hit"),
        ("10S 6D 6H 10C", "stand"),
        ("10S 2D 2H 10C", "stand"),
        ("10S 7D 7H 10C", "stand"),
        ("AS 7D 6H 10C", "hit"),
        ("AS 7D 7H 10C", "stand"),
    ],
)
def test_the_plain_strategy_wishes_first_what_is_written(cards: str, wish: str):
    assert first(TABLE, cards)[0] == wish


def test_nothing_is_doubled_against_an_ace():
    cabinet = dealt("table", "6S AD 5H 9C")
    cabinet.do(DeclineInsurance())
    assert cabinet.machine.round is not None
    assert wishes(cabinet.machine.round)[0] == "hit"


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_wish_that_cannot_be_granted_has_another_behind_it(rules: Rules):
    cards = {EUROPEAN: "8S 9C 8H", TABLE: "8S 9C 8H 10D", CLASSIC: "8S 10D 8H 9C"}
    assert first(rules, cards[rules]) == ("split", "hit", "stand")


def test_the_wishes_are_those_of_the_hand_whose_turn_it_is():
    round_: Round = act(deal(EUROPEAN, (1_000, 1_000), draws("10S 6S 9C KH 5H")), Action.STAND, draws(""))
    assert wishes(round_)[0] == "double"


# --- sessions ---------------------------------------------------------------------------------------------------


def session(data: Path, rounds: int) -> Report:
    """A whole session on a data folder."""
    cabinet = build(Config(), data, simulate=True, human_pace=False)
    return play(cabinet, data, rounds=rounds, show=lambda _name, _snapshot: None, progress=lambda _done: None)


def stored(data: Path) -> Machine:
    """The machine in a folder's journal."""
    with Journal(data, str) as journal:
        assert journal.machine is not None
        return journal.machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What a session left: its folder, what its command wrote, and what of that others read."""

    data: Path
    code: int
    err: str
    reported: dict[str, Any]

    def sights(self) -> list[str]:
        """What was looked at, in order."""
        return [Path(path).stem.partition("-")[2] for path in self.reported["screens"]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A session of six rounds on a new folder, played by the command."""
    folder = tmp_path_factory.mktemp("played")
    code, out, err = run("autoplay", "--rounds", "6", "--data", "data", "--screens", "seen", "--json", cwd=folder)
    return Played(data=folder / "data", code=code, err=err, reported=json.loads(out))


@pytest.mark.screen
def test_a_session_plays_every_game_and_leaves_the_books_in_balance(played: Played):
    assert (played.code, played.err) == (0, "")
    reported = played.reported
    assert list(reported) == ["rounds", "inserted", "wagered", "paid", "ticket", "balanced", "screens"]
    assert (reported["rounds"], reported["balanced"], reported["inserted"]) == (6, True, 12_000)
    books = stored(played.data).books
    assert [game for game in GAMES if books.meter(f"{game}.games_played") != 2] == []


@pytest.mark.screen
@pytest.mark.requirement("CM-05")
def test_what_went_in_came_out_or_was_lost(played: Played):
    books, reported = stored(played.data).books, played.reported
    assert books.credit_cents == 0
    assert books.meter("tickets_out") == reported["inserted"] - reported["wagered"] + reported["paid"]
    assert verify(played.data).ok


@pytest.mark.screen
def test_a_session_shows_everything_from_the_welcome_to_the_attendant(played: Played):
    sights = played.sights()
    assert sights[0] == "start"
    assert sights[-3:] == ["printing", "paid", "attendant"]
    assert [game for game in GAMES if f"{game}-result" not in sights] == []
    assert len(sights) == len(set(sights)), "each sight is looked at once"


@pytest.mark.screen
def test_the_ticket_and_the_sights_of_a_session_are_pictures(played: Played):
    folder = played.data.parent
    for path in (played.reported["ticket"], *played.reported["screens"]):
        assert (folder / path).read_bytes().startswith(b"\x89PNG")


@pytest.mark.screen
@pytest.mark.requirement("CM-09")
def test_a_second_session_goes_on_with_the_journal_and_large_wins_are_settled(played: Played):
    data, before = played.data, stored(played.data).books
    settings = data.parent / "cabinet.toml"
    settings.write_text("[money]\nlarge_win_cents = 50\n")
    result = call("autoplay", "--rounds", "3", "--data", data, "--screens", data.parent / "more", "--config", settings)
    assert result.exit_code == 0, result.output
    assert "notes in" in result.stdout
    assert "Every account balances." in result.stdout
    machine = stored(data)
    assert machine.books.meter("games_played") == before.meter("games_played") + 3
    assert machine.locks == ()
    assert settled(data, "large win") == machine.books.meter("games_won") - before.meter("games_won")


def test_books_of_a_player_are_refused_and_left_alone(tmp_path: Path):
    keep(tmp_path, *session_steps())
    before = (tmp_path / FILE).read_bytes()
    result = call("autoplay", "--rounds", "1", "--data", tmp_path, "--screens", tmp_path / "screens")
    assert result.exit_code == 1
    assert is_one_sentence(result.stderr)
    assert "books that autoplay has not begun" in result.stderr
    assert (tmp_path / FILE).read_bytes() == before


def test_autoplay_has_a_folder_of_its_own_whatever_the_service_has(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/blackjack-cabinet")
    assert main.commands["autoplay"].make_context("autoplay", []).params["data"] == Path("data/autoplay")
    assert main.commands["meters"].make_context("meters", []).params["data"] == Path("/var/lib/blackjack-cabinet")


def settled(data: Path, kind: str) -> int:
    """How often the attendant has settled a lock of this kind, by the log."""
    with Journal(data, str) as journal:
        found = reports.events(journal.connection, limit=10_000, what=[LogKind.SETTLED.value])
    return sum(event.detail.startswith(kind) for event in found)


def interrupted(data: Path, moment: str) -> None:
    """A session that ends at its first sight of something, as a power cut would end it: nothing is put in order."""
    cabinet = build(Config(), data, simulate=True, human_pace=False)
    assert cabinet.simulated_devices is not None

    class CutError(Exception):
        pass

    def cut(name: str, _snapshot: Snapshot) -> None:
        if name.endswith(moment):
            raise CutError

    player = Player(cabinet, cabinet.simulated_devices, cut)
    cabinet.start()
    try:
        with pytest.raises(CutError):
            _play_until_cut(player)
    finally:
        cabinet.controller.stop()
        for pump in cabinet.pumps:
            pump.stop()
        cabinet.parts.close()


def _play_until_cut(player: Player) -> None:
    player.arrive()
    player.refill()
    player.sit_down("european")
    for number in range(1, 200):
        player.play_round(number)


def test_a_session_finishes_the_hand_and_spends_the_credit_of_one_that_was_cut_short(tmp_path: Path):
    interrupted(tmp_path, "deciding")
    left = stored(tmp_path)
    assert left.phase is Phase.DECIDING
    assert left.books.credit_cents > 0
    report = session(tmp_path, 0)
    assert report.balanced
    assert report.rounds == 0, "the hand that was finished belongs to the session that began it"
    machine = stored(tmp_path)
    assert machine.books.credit_cents == 0
    assert machine.phase is not Phase.DECIDING


def test_a_cabinet_that_is_real_cannot_play_by_itself(tmp_path: Path):
    cabinet = build(Config(), tmp_path, simulate=True)
    real = Cabinet(
        config=cabinet.config,
        journal=cabinet.journal,
        controller=cabinet.controller,
        manager=cabinet.manager,
        simulated_devices=None,
        parts=cabinet.parts,
        pumps=cabinet.pumps,
        live=cabinet.live,
    )
    with pytest.raises(AutoplayError, match="simulated"):
        play(real, tmp_path, rounds=1, show=lambda _name, _snapshot: None, progress=lambda _done: None)
    cabinet.parts.close()


def test_what_does_not_come_is_named_with_the_state_it_was_waited_for_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    cabinet = build(Config(), tmp_path, simulate=True, human_pace=False)
    assert cabinet.simulated_devices is not None
    player = Player(cabinet, cabinet.simulated_devices, lambda _name, _snapshot: None)
    cabinet.start()
    try:
        player.arrive()
        monkeypatch.setattr(autoplay, "ROUNDS_WITHOUT_NEWS", 1)
        words = "waited 1 turns of every part without news for a miracle; the cabinet is choosing, locks: none"
        with pytest.raises(AutoplayError, match=words):
            player.wait_for("a miracle", lambda: False)
    finally:
        cabinet.stop()


def waiting() -> Patience:
    """A wait for something of two parts, begun at second 100."""
    return Patience(alive=(1.0, 1.0), number=7, moved_s=100.0)


def test_time_alone_uses_up_no_patience_on_a_slow_machine():
    patience = waiting()
    for second in range(250):
        patience.note((2.0 + second, 1.0), 7, 101.0 + second)
        assert patience.spent(101.0 + second) is None, "one part has not had its turn"
    patience.note((300.0, 300.0), 7, 399.0)
    assert patience.spent(399.0) is None
    assert patience.spent(399.0 + STILL_S) == "300 s in which some part had no turn"


def test_turns_without_snapshot_use_it_up_and_snapshot_give_it_back():
    patience = waiting()
    for turn in range(ROUNDS_WITHOUT_NEWS - 1):
        patience.note((2.0 + turn, 2.0 + turn), 7, 100.0)
    assert patience.spent(100.0) is None
    patience.note((500.0, 500.0), 8, 100.0)
    assert patience.spent(100.0) is None
    for turn in range(ROUNDS_WITHOUT_NEWS - 1):
        patience.note((501.0 + turn, 501.0 + turn), 8, 100.0)
    assert patience.spent(100.0) == "80 turns of every part without news"


def test_snapshot_for_ever_do_not_keep_a_wait_alive():
    patience = waiting()
    for turn in range(ROUNDS_AT_MOST):
        patience.note((2.0 + turn, 2.0 + turn), turn, 100.0)
    assert patience.spent(100.0) == "1600 turns of every part"


# --- the command ------------------------------------------------------------------------------------------------


@pytest.mark.sample(1)
@pytest.mark.screen
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.requirement("PL-01")
def test_a_session_that_is_stopped_leaves_the_journal_in_order(number: int, tmp_path: Path):
    process = start("autoplay", "--rounds", "100000", "--data", tmp_path / "data", "--screens", tmp_path / "seen")
    wait_until(process, lambda: any((tmp_path / "seen").glob("*-start.png")))
    process.send_signal(number)
    code, out, err = finish(process)
    assert (code, out) == (130, "")
    assert err.strip() == "cabinet: interrupted"
    assert verify(tmp_path / "data").ok
    with Journal(tmp_path / "data", str) as journal:
        assert journal.fact("running") == "no"


def test_a_hand_under_way_is_one_of_the_phases_that_are_finished_first():
    cabinet = dealt("table", "10S 6D 8H 10C 9D")
    assert cabinet.machine.phase in autoplay.HAND_PHASES
    cabinet.do(Stand())
    assert cabinet.machine.phase not in autoplay.HAND_PHASES
