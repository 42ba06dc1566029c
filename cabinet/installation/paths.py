"""Every path of an installed cabinet, in one place. Pure.

Rules: all paths are below a root, which is `/` on a cabinet and a folder in a test or in an image. A path that is
written into a file is one of `ON_CABINET`, because the file is read on the cabinet. The module opens no file.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

NAME: Final = "blackjack-cabinet"
"""The name of the package, its folders, its user's service and its files."""
USER: Final = "blackjack"
"""The user and group that the service runs as."""
SERVICE: Final = f"{NAME}.service"
DATA_LABEL: Final = "CABINETDATA"
"""The label of the file system of the books."""
SECOND_LABEL: Final = "CABINET2ND"
"""The label of the file system of the second copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """The paths below `root`."""

    root: Path = Path("/")

    def at(self, path: str | Path) -> Path:
        """Returns the place below the root of a path of the cabinet."""
        return self.root / str(path).lstrip("/")

    def on_cabinet(self, path: Path) -> Path:
        """Returns the path as the cabinet sees it. Raises ValueError for a path outside the root."""
        return Path("/") / path.relative_to(self.root)

    # --- the program ---

    @property
    def programs(self) -> Path:
        """Returns the folder of all versions."""
        return self.at(f"opt/{NAME}")

    @property
    def current(self) -> Path:
        """Returns the link to the version that runs."""
        return self.programs / "current"

    def version(self, version: str) -> Path:
        """Returns the folder of one version, such as `/opt/blackjack-cabinet/0.1.0`."""
        return self.programs / version

    def share(self, version: Path | None = None) -> Path:
        """Returns the folder of the files of a version that are no program; None for the version that runs."""
        return (version or self.current) / "share"

    def command(self, version: Path | None = None) -> Path:
        """Returns the program `cabinet` of a version; None for the version that runs."""
        return (version or self.current) / "bin" / "cabinet"

    # --- settings and data ---

    @property
    def settings(self) -> Path:
        """Returns the operator's settings."""
        return self.at(f"etc/{NAME}/cabinet.toml")

    @property
    def data(self) -> Path:
        """Returns the folder of the books."""
        return self.at(f"var/lib/{NAME}")

    @property
    def mark(self) -> Path:
        """Returns the folder that remembers outside the books that there are some."""
        return self.at(f"var/lib/{NAME}-mark")

    @property
    def second(self) -> Path:
        """Returns the folder of the second copy."""
        return self.at("media/second")

    @property
    def setup(self) -> Path:
        """Returns the folder of the set-up: its list of changes, and copies of the files before them."""
        return self.at(f"var/lib/{NAME}-setup")

    @property
    def first_boot(self) -> Path:
        """Returns the folder of the first start of an image; it holds nothing once that is complete."""
        return self.at(f"var/lib/{NAME}-first-boot")

    @property
    def update(self) -> Path:
        """Returns the folder of an update in progress, and of the copies of the books made before updates."""
        return self.at(f"var/lib/{NAME}-update")

    # --- files of the system ---

    @property
    def boot(self) -> Path:
        """Returns the boot partition, which every computer can read."""
        return self.at("boot/firmware")

    @property
    def config_txt(self) -> Path:
        """Returns the firmware's settings."""
        return self.at("boot/firmware/config.txt")

    @property
    def cmdline_txt(self) -> Path:
        """Returns the kernel's command line."""
        return self.at("boot/firmware/cmdline.txt")

    @property
    def fstab(self) -> Path:
        """Returns the table of mounts."""
        return self.at("etc/fstab")

    @property
    def journald(self) -> Path:
        """Returns the drop-in of the system's log."""
        return self.at(f"etc/systemd/journald.conf.d/60-{NAME}.conf")

    @property
    def timesyncd(self) -> Path:
        """Returns the drop-in of the time service."""
        return self.at(f"etc/systemd/timesyncd.conf.d/60-{NAME}.conf")

    @property
    def sockets(self) -> Path:
        """Returns the udev rules of the two learned USB sockets."""
        return self.at(f"etc/udev/rules.d/61-{NAME}-sockets.rules")

    @property
    def usb_lock(self) -> Path:
        """Returns the udev rules that refuse keyboards at the USB sockets."""
        return self.at(f"etc/udev/rules.d/63-{NAME}-usb.rules")

    @property
    def remote_access(self) -> Path:
        """Returns the drop-in of the SSH server; the first value that it reads is in force."""
        return self.at(f"etc/ssh/sshd_config.d/01-{NAME}.conf")

    @property
    def firewall(self) -> Path:
        """Returns the rules of the firewall."""
        return self.at("etc/nftables.conf")

    @property
    def sound(self) -> Path:
        """Returns the settings of the sound library."""
        return self.at("etc/asound.conf")

    @property
    def cloud_init(self) -> Path:
        """Returns the file that keeps cloud-init from running at each start."""
        return self.at("etc/cloud/cloud-init.disabled")

    @property
    def local_time(self) -> Path:
        """Returns the link to the time zone."""
        return self.at("etc/localtime")

    @property
    def units(self) -> Path:
        """Returns the folder of the administrator's links to units: enabled ones and masked ones."""
        return self.at("etc/systemd/system")


ON_CABINET: Final = Paths()
"""The paths as the cabinet itself sees them."""
