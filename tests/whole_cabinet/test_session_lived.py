"""A player's session on a running cabinet: begun by a note, timed by the clock, through a restart, to its end."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from support.live import Live, running

from cabinet.config.settings import Config, SessionSection
from cabinet.engine.inputs import LimitTime
from cabinet.engine.state import LockKind, Session
from cabinet.runtime.clock import read_wall_ms
from cabinet.runtime.inbox import Pressed

SHORT = replace(Config(), session=SessionSection(gap_s=0.2))


def session_of(live: Live) -> Session:
    """The session, once it is known when it began."""
    live.until(lambda: live.machine.session and live.machine.session.began_ms, "a session of known age")
    assert live.machine.session is not None
    return live.machine.session


@pytest.mark.requirement("RG-02", "PL-05")
def test_a_session_is_begun_by_a_note_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    before_ms = read_wall_ms()
    with running(tmp_path) as live:
        live.note(2_000)
        found = session_of(live)
        assert found.began_ms is not None
        assert before_ms <= found.began_ms <= read_wall_ms()
    with running(tmp_path) as live:
        assert live.machine.session == found


@pytest.mark.requirement("RG-02")
def test_a_machine_left_empty_for_the_gap_has_no_session_any_more(tmp_path: Path) -> None:
    with running(tmp_path, SHORT) as live:
        live.note(2_000)
        session_of(live)
        live.press("cash_out")
        live.until(lambda: live.machine.session is None, "the end of the session")
        assert any(machine.shown.paid_out_cents == 2_000 for machine in live.machines)
        assert live.machine.shown.paid_out_cents == 0


@pytest.mark.requirement("RG-03", "RG-05")
def test_a_time_limit_pauses_play_and_cash_out_ends_it(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        live.sit()
        live.note(2_000)
        session_of(live)
        live.controller.put(Pressed(wish=LimitTime(session_s=1), at_s=time.monotonic()))
        live.until(lambda: live.locked(LockKind.PLAYER_LIMIT), "the time being up")
        live.until(lambda: not live.controller.snapshot().notes, "notes being off")
        live.press("cash_out")
        live.until(
            lambda: live.machine.shown.paid_out_cents == 2_000 and not live.machine.locks, "the ticket and no lock"
        )
        assert live.machine.session is None
