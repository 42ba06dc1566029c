"""The plan of a set-up: what it refuses, and what it remarks. Files and repeats are proved with the command."""

import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from support.card import ANSWERS, USB_RULES, make_card

from cabinet.config.reader import ConfigError
from cabinet.installation.root import RootError
from cabinet.installation.setup.answers import read_answers
from cabinet.installation.setup.changes import ChangeError
from cabinet.installation.setup.plan import Site, plan_setup
from cabinet.installation.system.board import Board
from cabinet.text.shipped import SAMPLE_SETTINGS, assets_folder

SAMPLE = (assets_folder() / SAMPLE_SETTINGS).read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(
        answers=read_answers(f"{ANSWERS}ssh = true\n", simulated=False),
        paths=make_card(tmp_path),
        board=Board(pi=5, keys=True),
        sample=SAMPLE,
        usb_rules=USB_RULES,
    )


def _after(site: Site, name: str) -> str:
    (change,) = (each for each in plan_setup(site).changes if each.path.name == name)
    return (change.after or b"").decode()


def _answering(site: Site, **answers: object) -> Site:
    return replace(site, answers=replace(site.answers, **answers))


def test_a_stock_card_with_a_way_in_has_no_remark(site: Site):
    assert (plan_setup(site).access, plan_setup(site).remarks) == ((), ())


def test_a_machine_that_closes_its_last_way_in_says_so(site: Site):
    (remark,) = plan_setup(_answering(site, ssh=False)).access
    assert remark.startswith("without remote access no command can be run on this machine after the restart")


def test_remote_access_without_a_key_is_a_remark(site: Site):
    (remark,) = plan_setup(replace(site, board=replace(site.board, keys=False))).access
    assert remark.startswith("no user has a key for remote access")


@pytest.mark.parametrize(("wireless", "remarks"), [(True, 0), (False, 1)])
def test_a_network_that_the_set_up_cuts_is_a_remark(site: Site, wireless: bool, remarks: int):
    cut = _answering(replace(site, board=replace(site.board, by_radio=True)), wireless=wireless)
    assert len(plan_setup(cut).access) == remarks


def test_a_medium_without_its_label_is_a_remark_with_the_command(site: Site):
    board = replace(site.board, labels=frozenset({"CABINETDATA", "bootfs"}))
    (remark,) = plan_setup(replace(site, board=board)).remarks
    assert "mkfs.ext4 -L CABINET2ND DEVICE" in remark


def test_the_pins_of_the_boot_file_are_those_of_the_settings(site: Site):
    site.paths.settings.parent.mkdir(parents=True)
    site.paths.settings.write_text("[panel.inputs]\nhit = { pin = 9 }\n")
    assert "gpio=4-6,9,12-13,16-22,24-27=ip,pu" in _after(site, "config.txt")


def test_a_key_that_a_file_leaves_to_an_equal_default_is_not_written(site: Site):
    site.paths.settings.parent.mkdir(parents=True)
    site.paths.settings.write_text('[machine]\nvenue = "Old"\n')
    raw = tomllib.loads(_after(site, "cabinet.toml"))
    assert raw["machine"] == {"venue": "The House", "number": 17, "currency": "EUR"}
    assert "acceptor" not in raw


def test_notes_of_another_currency_give_way_to_those_of_this_one(site: Site):
    text = _after(_answering(site, currency="CHF"), "cabinet.toml")
    assert tomllib.loads(text)["money"]["notes_cents"] == [1000, 2000, 5000, 10000]


def test_an_acceptor_that_counts_by_pulses_takes_its_notes_only(site: Site):
    pulsing = _answering(site, acceptor="pulse", acceptor_socket="", pulse_notes={"2": 500, "4": 1000})
    raw = tomllib.loads(_after(pulsing, "cabinet.toml"))
    assert (raw["money"]["notes_cents"], raw["acceptor"]["pulse"]["notes"]) == ([500, 1000], {"2": 500, "4": 1000})
    assert "gpio=15=" in _after(pulsing, "config.txt") or "gpio=4-6,12-13,15-27=ip,pu" in _after(pulsing, "config.txt")
    assert not any("acceptor" in remark for remark in plan_setup(pulsing).remarks)


@pytest.mark.parametrize(("pi", "card"), [(3, "vc4hdmi"), (4, "vc4hdmi0"), (5, "vc4hdmi0"), (None, "vc4hdmi0")])
def test_the_sound_card_is_that_of_the_model(site: Site, pi: int | None, card: str):
    assert f'"sysdefault:CARD={card}"' in _after(replace(site, board=Board(pi=pi, keys=True)), "asound.conf")


def test_a_pi_3_has_no_second_hdmi_socket(site: Site):
    with pytest.raises(ConfigError, match="a Pi 3 has one HDMI socket"):
        plan_setup(_answering(replace(site, board=Board(pi=3, keys=True)), sound="hdmi2"))


def test_only_a_pi_5_charges_its_clock(site: Site):
    charging = _answering(site, charge_clock=True)
    assert "rtc_bbat_vchg" in _after(charging, "config.txt")
    assert "rtc_bbat_vchg" not in _after(replace(charging, board=Board(pi=4, keys=True)), "config.txt")


def test_a_socket_that_is_not_known_is_a_remark(site: Site):
    (remark,) = plan_setup(_answering(site, printer_socket="")).remarks
    assert remark.startswith("printer: its USB socket is not known, so /dev/cabinet/printer is missing")


def test_the_rules_give_the_names_of_the_settings(site: Site):
    site.paths.settings.parent.mkdir(parents=True)
    site.paths.settings.write_text('[printer]\nport = "/dev/tickets"\n')
    assert 'SYMLINK+="tickets", ENV{CABINET_LINE}="printer"' in _after(site, site.paths.sockets.name)


def test_a_learned_socket_stays_when_only_the_other_is_learned_anew(site: Site):
    site.paths.sockets.parent.mkdir(parents=True)
    site.paths.sockets.write_bytes(_after(site, site.paths.sockets.name).encode())
    text = _after(_answering(site, acceptor_socket="platform-new", printer_socket=""), site.paths.sockets.name)
    assert ('"platform-new", SYMLINK+="cabinet/acceptor"' in text, "cabinet/printer" in text) == (True, True)


@pytest.mark.parametrize(
    ("missing", "remark"),
    [
        ("usr/sbin/nft", "apt install nftables"),
        ("boot/firmware/config.txt", ""),
    ],
)
def test_a_missing_file_is_a_remark_where_it_matters(site: Site, missing: str, remark: str):
    (site.paths.root / missing).unlink()
    assert [remark in each for each in plan_setup(site).remarks] == ([True] if remark else [])


def test_without_a_boot_partition_the_boot_files_are_left_out(site: Site):
    for path in (site.paths.config_txt, site.paths.cmdline_txt):
        path.unlink()
    site.paths.config_txt.parent.rmdir()
    plan = plan_setup(site)
    assert [each for each in plan.changes if each.path.name in {"config.txt", "cmdline.txt"}] == []
    assert plan.remarks[0].startswith("/boot/firmware: no boot files there")


def test_an_empty_folder_is_no_mounted_boot_partition(site: Site):
    for path in (site.paths.config_txt, site.paths.cmdline_txt):
        path.unlink()
    plan = plan_setup(site)
    assert [each for each in plan.changes if each.path.name in {"config.txt", "cmdline.txt"}] == []
    assert plan.remarks[0].endswith("mount the boot partition, then repeat the set-up")


def test_a_kernel_line_without_a_root_is_a_remark(site: Site):
    site.paths.cmdline_txt.write_text("quiet\n")
    assert any("no part root=" in each for each in plan_setup(site).remarks)


@pytest.mark.parametrize("content", [None, "", "\n"])
def test_no_kernel_line_is_made_of_nothing(site: Site, content: str | None):
    site.paths.cmdline_txt.unlink()
    if content is not None:
        site.paths.cmdline_txt.write_text(content)
    plan = plan_setup(site)
    assert [each for each in plan.changes if each.path.name.startswith("cmdline.txt")] == []
    assert any("no part root=" in each for each in plan.remarks)


def test_a_file_where_a_link_belongs_stays_and_is_a_remark(site: Site):
    (site.paths.units / "man-db.timer").write_text("[Timer]\n")
    plan = plan_setup(site)
    assert [each for each in plan.changes if each.path.name == "man-db.timer"] == []
    assert any(each.startswith("/etc/systemd/system/man-db.timer: is a file") for each in plan.remarks)


def test_a_link_where_a_file_belongs_is_an_error(site: Site):
    site.paths.sound.symlink_to("elsewhere.conf")
    with pytest.raises(ChangeError, match=r"^/etc/asound\.conf: is a link, expected a file"):
        plan_setup(site)


def test_a_link_that_leads_to_the_zone_in_another_way_stays(site: Site):
    site.paths.local_time.unlink()
    site.paths.local_time.symlink_to("../usr/share/zoneinfo/Europe/Vienna")
    assert [each for each in plan_setup(site).changes if each.path.name == "localtime"] == []


def test_settings_that_contradict_each_other_are_refused_before_anything_is_planned(site: Site):
    site.paths.settings.parent.mkdir(parents=True)
    site.paths.settings.write_text("[money]\ncredit_limit_cents = 50\n")
    with pytest.raises(ConfigError, match=r"^/etc/blackjack-cabinet/cabinet.toml: money\.credit_limit_cents: "):
        plan_setup(site)


def test_settings_that_are_no_toml_are_refused(site: Site):
    site.paths.settings.parent.mkdir(parents=True)
    site.paths.settings.write_text("number 17\n")
    with pytest.raises(ConfigError, match=r"^/etc/blackjack-cabinet/cabinet.toml: "):
        plan_setup(site)


@pytest.mark.parametrize("there", [True, False])
def test_the_work_of_the_first_start_is_done_once_where_there_is_any(site: Site, there: bool):
    if there:
        site.paths.cloud_init.parent.mkdir()
    assert any(each.path.name == "cloud-init.disabled" for each in plan_setup(site).changes) is there


def test_without_shipped_rules_the_usb_sockets_stay_open_and_a_remark_says_so(site: Site):
    plan = plan_setup(replace(site, usb_rules=""))
    assert any("the sockets stay open" in each for each in plan.remarks)
    assert [each for each in plan.changes if "63-" in each.path.name] == []


def test_a_kernel_line_with_a_second_line_is_a_remark(site: Site):
    first = site.paths.cmdline_txt.read_text().rstrip("\n")
    site.paths.cmdline_txt.write_text(f"{first}\n\n  \n")
    assert plan_setup(site).remarks == ()
    site.paths.cmdline_txt.write_text(f"{first}\nusbcore.autosuspend=-1\n")
    (remark,) = plan_setup(site).remarks
    assert remark.startswith("/boot/firmware/cmdline.txt: has 2 lines, and the kernel reads the first one only")


def test_a_root_part_that_the_kernel_does_not_read_is_a_remark(site: Site):
    site.paths.cmdline_txt.write_text("quiet\nroot=/dev/mmcblk0p2\n")
    assert any("its first line has no part root=" in remark for remark in plan_setup(site).remarks)


def test_a_system_without_time_zones_is_named_with_its_folder(site: Site):
    shutil.rmtree(site.paths.at("usr/share/zoneinfo"))
    with pytest.raises(ConfigError, match=rf"^{site.paths.root}/usr/share/zoneinfo: does not exist, expected the time"):
        plan_setup(site)


def test_a_zone_that_is_missing_is_named_with_the_folder_of_the_root(site: Site):
    with pytest.raises(ConfigError, match=rf'found "Europe/Nowhere", .* below {site.paths.root}/usr/share/zoneinfo$'):
        plan_setup(_answering(site, time_zone="Europe/Nowhere"))


@pytest.mark.parametrize(
    "folder", ["etc", "boot/firmware", "etc/systemd/system", "var/lib/blackjack-cabinet-setup", "media/second"]
)
def test_a_folder_of_the_root_that_is_a_link_out_of_it_is_refused(site: Site, tmp_path: Path, folder: str):
    place = site.paths.root / folder
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        place.rename(place.with_name("moved"))
    place.symlink_to(tmp_path.parent)
    with pytest.raises(RootError, match=f"{folder}: is a link to {tmp_path.parent}, which leads out of"):
        plan_setup(site)


@pytest.mark.parametrize("row", ["blackjack", "blackjack:x:", "blackjack:x::", "blackjack:x:many:", "blackjack:x:-5:"])
def test_a_group_without_a_number_is_no_group(site: Site, row: str):
    site.paths.at("etc/group").write_bytes(b"caf\xe9:x:7:\n" + row.encode())
    assert plan_setup(site).changes[0].group is None


def test_a_group_is_found_behind_one_that_is_no_text(site: Site):
    site.paths.at("etc/group").write_bytes(b"caf\xe9:x:7:\nblackjack:x:998:\n")
    assert plan_setup(site).changes[0].group == 998
