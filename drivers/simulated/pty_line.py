"""The far end of a serial line without hardware: a pseudo-terminal with a simulated device behind it.

The drivers open `path` like any serial port. It differs from a real port only in that a pseudo-terminal ignores
parity and has no modem lines.

Rules:
- One thread owns the device and the line. Another thread passes a function to `call`, which runs it in the owner's
  thread, so a device needs no lock and no clock.
- The stable name is a symbolic link, like that of a udev rule. `unplug` removes it and hangs the line up, `replug`
  restores it on a new terminal. The device keeps running between, like one with its own power supply.
- Bytes sent without an open far end are lost, as on a wire.

A device whose wires are pins has the same thread without the line: `FarEnd`.

Knows no meaning of the bytes.
"""

import contextlib
import os
import selectors
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from drivers.errors import LineError

ResultT = TypeVar("ResultT")

_READ_SIZE = 4096
_LONGEST_NAP_S = 0.5
_PATIENCE_S = 5.0
_POLL_S = 0.5
"""Seconds between a caller's checks that the device's thread still runs."""


class Clockwork(Protocol):
    """The interface of a simulated device on pins; `now` is monotonic seconds."""

    def tick(self, now: float) -> None:
        """Handles what is due at `now`, and the effects of a user action."""

    def due(self) -> float | None:
        """Returns when `tick` must be called next; None means only after bytes or a user action."""


class Device(Clockwork, Protocol):
    """The interface of a simulated device on a line."""

    def receive(self, data: bytes, now: float) -> None:
        """Handles bytes from the host."""

    def bytes_to_send(self) -> bytes:
        """Returns the bytes to send to the host, each once."""


class FarEnd:
    """Runs one simulated device in its own thread. The device is on pins, so there is no line to open."""

    def __init__(self, device: Clockwork, *, name: str) -> None:
        self.name = name
        self.failure: BaseException | None = None
        self._clockwork = device
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._stopping = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Plugs the line in and runs the device; a second call has no effect."""
        if self._thread is not None:
            return
        self._plug()
        self._thread = threading.Thread(target=self._run, name=f"far end {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hangs up, ends the thread and removes the name; a second call has no effect."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping = True
        self._wake()
        thread.join(_PATIENCE_S)
        self._unplug()
        os.close(self._wake_read)
        os.close(self._wake_write)
        self._clean_up()

    def call(self, act: Callable[[], ResultT]) -> ResultT:
        """Runs `act` in the device's thread, then lets the device react. Returns (or raises) the result of `act`.

        Waits as long as that thread runs, even on a slow machine. Raises `LineError` when it has stopped.
        """
        thread = self._thread
        if thread is None:
            return act()
        if self.failure is not None:
            raise LineError(f"the simulated device {self.name} has stopped: {self.failure!r}") from self.failure
        future: Future[ResultT] = Future()
        self._calls.put((future, act))
        self._wake()
        while not wait((future,), _POLL_S).done:
            if not thread.is_alive() and not future.done():
                raise LineError(f"the simulated device {self.name} has stopped: {self.failure!r}")
        return future.result()

    def _plug(self) -> None:
        """Plugs the line in; pins need nothing."""

    def _unplug(self) -> None:
        """Unplugs the line."""

    def _clean_up(self) -> None:
        """Removes what `start` made."""

    def _listen(self, selector: selectors.BaseSelector) -> None:
        """Registers the files that wake the device."""

    def _exchange(self, now: float) -> None:
        self._clockwork.tick(now)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b"!")

    def _run(self) -> None:
        try:
            while not self._stopping:
                self._wait()
                self._turn()
        except BaseException as failure:  # noqa: BLE001 - kept for the owner: a simulation must not stop silently
            self.failure = failure
            for future, _ in self._waiting():
                future.set_exception(LineError(f"the simulated device {self.name} has stopped: {failure!r}"))

    def _waiting(self) -> Iterator[tuple[Future[Any], Callable[[], Any]]]:
        with contextlib.suppress(Empty):
            while True:
                yield self._calls.get_nowait()

    def _wait(self) -> None:
        due = self._clockwork.due()
        nap = _LONGEST_NAP_S if due is None else min(_LONGEST_NAP_S, max(0.0, due - time.monotonic()))
        with selectors.SelectSelector() as selector:
            selector.register(self._wake_read, selectors.EVENT_READ)
            self._listen(selector)
            selector.select(nap)

    def _turn(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_read, _READ_SIZE)
        for future, act in self._waiting():
            _settle(future, act)
        self._exchange(time.monotonic())


class PtyFarEnd(FarEnd):
    """Runs one simulated device behind a pseudo-terminal.

    `directory` has the stable name `name`; without one a temporary directory is made, and removed by `stop`. `chunk`
    is the number of bytes in each write of the device.
    """

    def __init__(
        self, device: Device, *, directory: Path | None = None, name: str = "line", chunk: int | None = None
    ) -> None:
        super().__init__(device, name=name)
        self._device = device
        self._own_directory = tempfile.TemporaryDirectory(prefix="line-") if directory is None else None
        self._link = (Path(self._own_directory.name) if self._own_directory else Path(str(directory))) / name
        self._chunk = chunk
        self._master: int | None = None
        self._slave: int | None = None

    @property
    def path(self) -> str:
        """The stable name to open; the same after `unplug` and `replug`."""
        return str(self._link)

    def unplug(self) -> None:
        """Pulls the adapter: the host's open line breaks and the name disappears."""
        self.call(self._unplug)

    def replug(self) -> None:
        """Puts the adapter back under the same name."""
        self.call(self._plug)

    def _plug(self) -> None:
        if self._master is not None:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(self._slave))

    def _unplug(self) -> None:
        if self._master is None or self._slave is None:
            return
        self._link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = None

    def _clean_up(self) -> None:
        if self._own_directory is not None:
            self._own_directory.cleanup()

    def _listen(self, selector: selectors.BaseSelector) -> None:
        if self._master is not None:
            selector.register(self._master, selectors.EVENT_READ)

    def _exchange(self, now: float) -> None:
        if data := self._read():
            self._device.receive(data, now)
        self._device.tick(time.monotonic())
        self._write(self._device.bytes_to_send())

    def _read(self) -> bytes:
        if self._master is None:
            return b""
        try:
            return os.read(self._master, _READ_SIZE)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> None:
        step = self._chunk or max(1, len(data))
        for start in range(0, len(data), step):
            if self._master is not None:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._master, data[start : start + step])


def _settle(future: Future[Any], act: Callable[[], Any]) -> None:
    """Runs `act` and hands its result to the waiting caller, so that a wrong call fails in the caller's thread."""
    try:
        future.set_result(act())
    except BaseException as failure:  # noqa: BLE001 - raised again by the caller's `result`
        future.set_exception(failure)
