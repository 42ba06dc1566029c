"""The watchdog is fed while everything lives, and not because something lives."""

import os
import socket
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from cabinet.runtime.watchdog import (
    FRAME,
    FRAME_LIMIT_S,
    LINE_LIMIT_S,
    STORE,
    Health,
    ServiceManager,
    Watchdog,
    make_limits,
    may_feed,
    name_line,
    read_watchdog_interval,
)

LIMITS = make_limits("acceptor", "printer")
ACCEPTOR = name_line("acceptor")
PERIOD_S = 10.0


class Listener:
    """The receiving end of NOTIFY_SOCKET."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        words = []
        while True:
            try:
                words.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return words


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    listener = Listener(str(tmp_path / "notify"))
    yield listener
    listener.socket.close()


@pytest.fixture
def manager(listener: Listener) -> ServiceManager:
    return ServiceManager({"NOTIFY_SOCKET": listener.socket.getsockname()})


def test_long_work_is_fed_for_and_gives_a_start_more_time(listener: Listener, manager: ServiceManager) -> None:
    manager.at_work("checking the books:\nrow 20,000 of 90,000")
    assert listener.heard() == [
        "WATCHDOG=1\nEXTEND_TIMEOUT_USEC=60000000\nSTATUS=checking the books: row 20,000 of 90,000"
    ]


def test_every_word_is_heard_as_written(listener: Listener, manager: ServiceManager) -> None:
    manager.ready()
    manager.feed()
    manager.status("two\nlines")
    manager.stopping()
    assert listener.heard() == ["READY=1", "WATCHDOG=1", "STATUS=two lines", "STOPPING=1"]


def test_an_at_sign_means_an_abstract_socket() -> None:
    name = f"cabinet-test-{os.getpid()}"
    listener = Listener(f"\0{name}")
    ServiceManager({"NOTIFY_SOCKET": f"@{name}"}).ready()
    assert listener.heard() == ["READY=1"]
    listener.socket.close()


def test_without_a_service_manager_nothing_is_said(listener: Listener) -> None:
    ServiceManager({}).ready()
    assert listener.heard() == []


def test_a_service_manager_that_goes_and_returns_is_heard_again(listener: Listener, manager: ServiceManager) -> None:
    address = listener.socket.getsockname()
    listener.socket.close()
    manager.feed()
    Path(address).unlink()
    manager.feed()
    returned = Listener(address)
    manager.status("here")
    assert returned.heard() == ["STATUS=here"]
    returned.socket.close()


def test_a_service_manager_that_does_not_listen_does_not_block(listener: Listener, manager: ServiceManager) -> None:
    for _ in range(2000):
        manager.feed()
    assert 0 < len(listener.heard()) < 2000


def test_all_parts_in_time_is_healthy() -> None:
    assert may_feed(100.0, dict.fromkeys(LIMITS, 96.0), LIMITS) is None


def test_a_part_exactly_at_its_limit_is_in_time() -> None:
    assert may_feed(100.0, {**dict.fromkeys(LIMITS, 100.0), FRAME: 70.0}, LIMITS) is None


@pytest.mark.parametrize("part", LIMITS)
def test_a_stale_part_is_named_with_its_age_and_limit(part: str) -> None:
    beats = {**dict.fromkeys(LIMITS, 100.0), part: 60.0}
    assert may_feed(100.0, beats, LIMITS) == f"{part}: silent for 40.0 s (limit {LIMITS[part]:.0f} s)"


def test_a_part_that_never_reported_is_stale() -> None:
    assert may_feed(100.0, {STORE: 100.0}, {STORE: 5.0, FRAME: 30.0}) == "last frame: never reported (limit 30 s)"


def test_several_stale_parts_are_all_named() -> None:
    complaint = may_feed(100.0, dict.fromkeys(LIMITS, 0.0), LIMITS)
    assert complaint is not None
    assert all(part in complaint for part in LIMITS)


@pytest.mark.parametrize("stopped", LIMITS)
def test_stopping_any_one_worker_stops_the_feeding_when_its_limit_is_over(
    stopped: str, listener: Listener, manager: ServiceManager
) -> None:
    health, watchdog = Health(LIMITS, 0.0), Watchdog(manager, PERIOD_S / 3)
    fed_at: list[int] = []
    complaints: list[str] = []
    for now in range(120):
        for part in LIMITS:
            if part != stopped or now < 60:
                health.beat(part, now)
        complaints += [complaint for complaint in (watchdog.tick(health, now),) if complaint]
        fed_at += [now] * listener.heard().count("WATCHDOG=1")
    before = [now for now in fed_at if now <= 60]
    assert all(later - earlier < PERIOD_S for earlier, later in pairwise(before))
    assert before[-1] > 60 - PERIOD_S
    assert fed_at[-1] <= 59 + LIMITS[stopped]
    assert len(complaints) == 1
    assert complaints[0].startswith(f"{stopped}: silent for")


def test_a_silent_worker_is_in_the_status_and_its_return_too(listener: Listener, manager: ServiceManager) -> None:
    health, watchdog = Health({ACCEPTOR: LINE_LIMIT_S}, 0.0), Watchdog(manager, 1.0)
    assert watchdog.tick(health, 6.0) == "acceptor line: silent for 6.0 s (limit 5 s)"
    assert watchdog.tick(health, 7.0) is None
    health.beat(ACCEPTOR, 8.0)
    assert watchdog.tick(health, 8.0) is None
    assert listener.heard() == [
        "STATUS=not feeding the watchdog: acceptor line: silent for 6.0 s (limit 5 s)",
        "STATUS=not feeding the watchdog: acceptor line: silent for 7.0 s (limit 5 s)",
        "WATCHDOG=1",
        "STATUS=all parts report again",
    ]


def test_the_watchdog_is_fed_no_more_often_than_its_interval(listener: Listener, manager: ServiceManager) -> None:
    health, watchdog = Health({STORE: 5.0}, 0.0), Watchdog(manager, 3.0)
    for tenth in range(31):
        watchdog.tick(health, tenth / 10)
    assert listener.heard() == ["WATCHDOG=1", "WATCHDOG=1"]
    assert watchdog.due() == 6.0


def test_without_a_watchdog_there_is_no_feeding(listener: Listener, manager: ServiceManager) -> None:
    watchdog = Watchdog(manager, None)
    assert watchdog.tick(Health({STORE: 5.0}, 0.0), 100.0) is None
    assert watchdog.due() is None
    assert listener.heard() == []


def test_a_dead_screen_is_given_thirty_seconds() -> None:
    health = Health({FRAME: FRAME_LIMIT_S}, 0.0)
    assert health.complaint(30.0) is None
    assert health.complaint(30.1) is not None


def test_a_part_without_a_limit_cannot_report() -> None:
    with pytest.raises(KeyError, match="'sound' is not watched; watched are store"):
        Health({STORE: 5.0}, 0.0).beat("sound", 1.0)


def test_the_interval_is_a_third_of_the_period() -> None:
    assert read_watchdog_interval({"WATCHDOG_USEC": "9000000"}) == 3.0


def test_a_watchdog_for_another_process_is_not_ours() -> None:
    environment = {"WATCHDOG_USEC": "9000000", "WATCHDOG_PID": "4711"}
    assert read_watchdog_interval(environment, pid=4711) == 3.0
    assert read_watchdog_interval(environment, pid=4712) is None


@pytest.mark.parametrize("environment", [{}, {"WATCHDOG_USEC": "0"}])
def test_no_period_means_no_watchdog(environment: dict[str, str]) -> None:
    assert read_watchdog_interval(environment) is None
