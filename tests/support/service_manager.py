"""A stand-in for `systemctl` where no systemd runs: one service, started, watched and stopped in its order.

It is copied into a system of a test and runs there with the system's own Python. The service is the installed program
with simulated devices and a window that no display shows. It is *active* once the program has said READY=1, as systemd
counts. What the installed drop-in has as `ExecStartPre` runs first, as root; its failure ends nothing.
"""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

STATE = Path("/run/stand-in")
PROGRAM = "/opt/blackjack-cabinet/current/bin/cabinet"
DROP_INS = Path("/usr/lib/systemd/system/blackjack-cabinet.service.d")
DATA, SETTINGS = "/var/lib/blackjack-cabinet", "/etc/blackjack-cabinet/cabinet.toml"
USER = "blackjack"
PATIENCE_S = 120.0


def main() -> int:
    """Carries out one order; returns the exit code."""
    order = sys.argv[1]
    if order == "start":
        start()
    elif order == "stop":
        stop()
    elif order == "is-active":
        sys.stdout.write(f"{state()}\n")
        return 0 if state() == "active" else 3
    return 0


def state() -> str:
    """Returns the state of the service in the words of systemd."""
    written = STATE / "state"
    return written.read_text(encoding="ascii") if written.exists() else "inactive"


def write_state(name: str) -> None:
    """Puts a state in force at once."""
    new = STATE / "state.new"
    new.write_text(name, encoding="ascii")
    new.replace(STATE / "state")


def start() -> None:
    """Starts the service in the background."""
    if state() != "inactive":
        return
    STATE.mkdir(exist_ok=True)
    write_state("activating")
    if os.fork():
        return
    os.setsid()
    log = os.open(STATE / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (0, 1, 2):
        os.dup2(log, stream)
    prepare()
    watch()
    os._exit(0)


def prepare() -> None:
    """Runs what comes before the program."""
    for file in sorted(DROP_INS.glob("*.conf")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("ExecStartPre="):
                subprocess.run(shlex.split(line.partition("=")[2].lstrip("-+")), check=False)


def watch() -> None:
    """Runs the program to its end and follows what it reports."""
    address = str(STATE / "notify")
    Path(address).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as reports:
        reports.bind(address)
        Path(address).chmod(0o666)
        reports.settimeout(0.1)
        command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", PROGRAM, "run"]
        command += ["--simulate", "--windowed", "--data", DATA, "--config", SETTINGS]
        environment = {**os.environ, "NOTIFY_SOCKET": address, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
        with subprocess.Popen(command, cwd="/var/tmp", env=environment) as program:
            (STATE / "pid").write_text(str(program.pid), encoding="ascii")
            while program.poll() is None:
                try:
                    if b"READY=1" in reports.recv(4096):
                        write_state("active")
                except TimeoutError:
                    continue
    write_state("inactive")


def stop() -> None:
    """Ends the program in order and waits for it."""
    if state() == "inactive":
        return
    os.kill(int((STATE / "pid").read_text(encoding="ascii")), signal.SIGTERM)
    until_s = time.monotonic() + PATIENCE_S
    while state() != "inactive" and time.monotonic() < until_s:
        signal.sigtimedwait([signal.SIGUSR2], 0.1)


if __name__ == "__main__":
    sys.exit(main())
