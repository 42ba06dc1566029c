"""Service, watchdog, log, libraries and power of the examined machine."""

from dataclasses import replace

import pytest
from support.visits import BAD, GOOD, POOR, is_, link, put, simulated, with_environment

from cabinet.commands.doctor.findings import Grade
from cabinet.commands.doctor.system import (
    Libraries,
    LogSettings,
    Watchdog,
    check_libraries,
    check_log,
    check_power,
    check_service,
    check_watchdog,
    libraries_finding,
    log_files,
    log_finding,
    watchdog_finding,
)
from cabinet.commands.doctor.visit import Visit
from cabinet.runtime.program import library_versions

# --- service and watchdog ---------------------------------------------------------------------------------------


def test_only_the_service_manager_restarts_the_cabinet_itself(world: Visit):
    is_(check_service(world), POOR, "not enabled", "run `cabinet setup`")
    is_(check_service(with_environment(world, WATCHDOG_USEC="10000000")), GOOD, "when it hangs")
    link(world, "/etc/systemd/system/multi-user.target.wants/blackjack-cabinet.service")
    is_(check_service(world), GOOD, "starts the cabinet")


def test_the_armed_watchdog_is_read_with_its_time(world: Visit):
    is_(check_watchdog(world), POOR, "none", "run `cabinet setup`, then restart")
    is_(check_watchdog(simulated(world)), GOOD, "simulated")
    place = "/sys/class/watchdog/watchdog0"
    put(world, f"{place}/identity", "Broadcom BCM2835 Watchdog timer\n")
    is_(check_watchdog(world), POOR, "BCM2835", "unknown state")
    state = put(world, f"{place}/state", "inactive\n")
    put(world, f"{place}/timeout", "14\n")
    is_(check_watchdog(world), POOR, "is inactive, not armed", "RuntimeWatchdogSec=14")
    state.write_text("active\n")
    is_(check_watchdog(world), GOOD, "BCM2835", "armed, 14 s")


def test_a_watchdog_that_waits_for_minutes_is_poor():
    is_(watchdog_finding(Watchdog(identity="dog", state="active", timeout="60")), GOOD, "60 s")
    is_(watchdog_finding(Watchdog(identity="dog", state="active", timeout="61")), POOR, "waits 61 s")


# --- the system's log -------------------------------------------------------------------------------------------

RASPBERRY = "/usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf"
OWN = "/etc/systemd/journald.conf.d/60-blackjack-cabinet.conf"


def test_the_log_of_raspberry_pi_os_is_lost_until_the_cabinet_keeps_it(world: Visit):
    put(world, "/etc/systemd/journald.conf", "[Journal]\n#Storage=auto\n")
    put(world, RASPBERRY, "[Journal]\nStorage=volatile\n")
    is_(check_log(world), POOR, f"Storage=volatile in {RASPBERRY}", "lost when the power goes", "`cabinet setup`")
    is_(check_log(simulated(world)), GOOD, "simulated")
    put(world, OWN, "[Journal]\nStorage=persistent\n")
    is_(check_log(world), GOOD, f"Storage=persistent in {OWN}")
    put(world, "/proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 0:9 / /var/log rw - tmpfs tmpfs rw")
    is_(check_log(world), POOR, "/var/log/journal is on tmpfs")


def test_drop_ins_come_by_name_and_a_nearer_folder_hides_a_name(world: Visit):
    put(world, "/usr/lib/systemd/journald.conf", "[Journal]\nStorage=none\n")
    for folder, name in (("usr/lib", "10-a"), ("usr/lib", "20-b"), ("run", "20-b"), ("etc", "20-b"), ("run", "15-c")):
        put(world, f"/{folder}/systemd/journald.conf.d/{name}.conf")
    put(world, "/etc/systemd/journald.conf.d/README", "Storage=none")
    assert [str(world.paths.on_cabinet(path)) for path in log_files(world.paths)] == [
        "/usr/lib/systemd/journald.conf",
        "/usr/lib/systemd/journald.conf.d/10-a.conf",
        "/run/systemd/journald.conf.d/15-c.conf",
        "/etc/systemd/journald.conf.d/20-b.conf",
    ]
    put(world, "/etc/systemd/journald.conf")
    main, *others = (str(world.paths.on_cabinet(path)) for path in log_files(world.paths))
    assert main == "/etc/systemd/journald.conf"
    assert not [path for path in others if path.endswith("/journald.conf")]


def test_a_drop_in_can_be_switched_off_by_a_link_to_nothing(world: Visit):
    put(world, RASPBERRY, "[Journal]\nStorage=volatile\n")
    link(world, "/etc/systemd/journald.conf.d/40-rpi-volatile-storage.conf", "/dev/null")
    world.at("/var/log/journal").mkdir(parents=True)
    is_(check_log(world), GOOD, "Storage=auto")


@pytest.mark.parametrize(
    ("texts", "kept", "grade", "word"),
    [
        ((), False, POOR, "Storage=auto"),
        ((), True, GOOD, "Storage=auto"),
        (("[Journal]\nStorage = persistent\n",), False, GOOD, "Storage=persistent in 0"),
        (("[Journal]\nStorage=persistent\n", "[Journal]\nStorage=volatile\n"), True, POOR, "Storage=volatile in 1"),
        (("[Journal]\nStorage=volatile\n", "[Journal]\nStorage=\n"), True, GOOD, "Storage=auto"),
        (("[Other]\nStorage=persistent\n",), False, POOR, "Storage=auto"),
        (("[Journal]\n# Storage=persistent\n",), False, POOR, "Storage=auto"),
        (("[Journal]\nStorage=none\n",), True, POOR, "Storage=none"),
    ],
)
def test_the_last_value_is_in_force(texts: tuple[str, ...], kept: bool, grade: Grade, word: str):
    files = tuple((str(number), text) for number, text in enumerate(texts))
    is_(log_finding(LogSettings(files=files, kept=kept)), grade, word)


# --- libraries --------------------------------------------------------------------------------------------------

LIBRARIES = Libraries(versions={"SDL": "2.32.4", "pygame": "2.6.1", "lgpio": "0.2.2.0"}, kernel="6.12.34+rpt-rpi-v8")


def test_the_libraries_and_the_kernel_are_named(world: Visit):
    put(world, "/proc/sys/kernel/osrelease", "6.12.34+rpt-rpi-v8\n")
    named = [f"{name} {version}" for name, version in library_versions().items()]
    is_(check_libraries(world), GOOD, "kernel 6.12.34+rpt-rpi-v8", *named)


def test_an_sdl_that_cannot_open_the_screen_is_bad():
    is_(libraries_finding(LIBRARIES), GOOD, "SDL 2.32.4")
    bundled = replace(LIBRARIES, bundled_sdl=True)
    is_(libraries_finding(bundled), GOOD)
    is_(libraries_finding(replace(bundled, needs_kmsdrm=True)), BAD, "no KMSDRM", "python3-pygame")
    is_(libraries_finding(replace(LIBRARIES, needs_kmsdrm=True)), GOOD)


def test_the_pygame_of_this_environment_is_known_to_bring_its_sdl(world: Visit):
    on_the_card = with_environment(world, SDL_VIDEODRIVER="kmsdrm")
    is_(check_libraries(on_the_card), BAD, "no KMSDRM")
    is_(check_libraries(simulated(on_the_card)), GOOD)


@pytest.mark.parametrize(("sdl", "grade"), [("2.28.4", POOR), ("2.30.0", GOOD), ("3.2.0", GOOD)])
def test_an_old_sdl_is_poor_on_a_pi_5(sdl: str, grade: Grade):
    five = replace(LIBRARIES, versions={**LIBRARIES.versions, "SDL": sdl}, model="Raspberry Pi 5 Model B")
    is_(libraries_finding(five), grade, f"SDL {sdl}")
    is_(libraries_finding(replace(five, model="Raspberry Pi 4 Model B")), GOOD)


# --- power ------------------------------------------------------------------------------------------------------


def test_a_voltage_drop_and_heat_are_poor(world: Visit):
    is_(check_power(world), GOOD, "not measured")
    put(world, "/sys/class/thermal/thermal_zone0/temp", "48312\n")
    put(world, "/sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    put(world, "/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    alarm = put(world, "/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    is_(check_power(world), GOOD, "48 degrees")
    put(world, "/sys/class/thermal/thermal_zone0/temp", "84000\n")
    is_(check_power(world), POOR, "84 degrees", "air")
    alarm.write_text("1\n")
    is_(check_power(world), POOR, "voltage", "supply")
