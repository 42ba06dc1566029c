"""`cabinet setup` on cards of every kind: it asks, shows, writes, repeats and takes back."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.boot_files import BOOT_FILES
from support.card import ANSWERS, GROUP, make_card, read_card
from support.cases import case
from support.commands import call
from support.journals import keep, session_steps
from support.kills import kill_at_each_act

from cabinet.commands.main import main
from cabinet.commands.setup import Options, SetupError, set_up, take_back
from cabinet.config.settings import load
from cabinet.installation.paths import Paths
from cabinet.installation.setup.answers import NEEDED
from cabinet.installation.system.blocks import remove_block
from cabinet.installation.system.sockets import read_sockets

TYPED = [
    *("17", "The House", "", "", "EUR", "ssp", "escpos", "493817", "493817"),
    *("no", "yes", "Europe/Vienna", "", "hdmi1", "hdmi1", "1920x1080", "no", "yes", "no", "yes", "yes", "no", "no"),
]
"""The answers that a person types on a Pi 5."""


@pytest.fixture
def card(tmp_path: Path) -> Paths:
    return make_card(tmp_path / "card")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.toml"
    path.write_text(ANSWERS, encoding="utf-8")
    return path


def _setup(card: Paths, *more: str | Path) -> Result:
    return call("setup", "--root", card.root, *more)


def _typed(card: Paths, *lines: str) -> Result:
    arguments = ["setup", "--root", str(card.root)]
    return CliRunner().invoke(main, arguments, input="".join(f"{line}\n" for line in lines), prog_name="cabinet")


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_a_second_run_changes_nothing(tmp_path: Path, answers: Path, kind: str):
    card = make_card(tmp_path / "card", kind)
    assert _setup(card, "--answers", answers, "--yes").exit_code == 0
    first = read_card(card)
    second = _setup(card, "--answers", answers, "--yes")
    assert "nothing to change" in second.output
    assert read_card(card) == first


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_the_users_lines_stay(tmp_path: Path, answers: Path, kind: str):
    card = make_card(tmp_path / "card", kind)
    before = read_card(card)
    _setup(card, "--answers", answers, "--yes")
    for name in ("boot/firmware/config.txt", "etc/fstab", "etc/nftables.conf"):
        with case(name=name):
            assert read_card(card)[name].startswith(before[name])


@pytest.mark.parametrize("kind", BOOT_FILES)
def test_the_undo_restores_the_bytes_and_leaves_the_settings(tmp_path: Path, answers: Path, kind: str):
    card = make_card(tmp_path / "card", kind)
    before = read_card(card)
    _setup(card, "--answers", answers, "--yes")
    settings = card.settings.read_bytes()
    assert _setup(card, "--undo", "--yes").exit_code == 0
    assert read_card(card) == {**before, "etc/blackjack-cabinet/cabinet.toml": settings}


def test_the_settings_have_the_answers(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    config = load(card.settings)
    assert (config.machine.number, config.machine.venue, config.machine.currency) == (17, "The House", "EUR")
    assert (config.data.mirror, config.attendant.technician_pin) == ("/media/second", "493817")
    assert config.money.notes_cents == (500, 1000, 2000, 5000, 10000)
    assert config.data.own_partition


def test_books_without_a_partition_need_none(card: Paths, answers: Path):
    answers.write_text(answers.read_text().replace("books_partition = true", "books_partition = false"))
    _setup(card, "--answers", answers, "--yes")
    assert not load(card.settings).data.own_partition


def test_the_settings_can_be_read_by_root_and_the_cabinet_only(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    assert card.settings.stat().st_mode & 0o777 == 0o640
    assert card.settings.stat().st_gid == GROUP


def test_the_files_of_the_system_have_the_answers(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    assert read_sockets(card.sockets.read_text()) == {
        "acceptor": "platform-xhci-hcd.0-usb-0:1:1.0",
        "printer": "platform-xhci-hcd.1-usb-0:1:1.0",
    }
    assert "LABEL=CABINETDATA" in card.fstab.read_text()
    assert "video=HDMI-A-1:1920x1080M@60D" in card.cmdline_txt.read_text()
    assert "CARD=vc4hdmi0" in card.sound.read_text()
    assert card.local_time.readlink() == Path("/usr/share/zoneinfo/Europe/Vienna")
    assert (card.units / "getty@tty1.service").readlink() == Path("/dev/null")
    assert (card.units / "multi-user.target.wants/blackjack-cabinet.service").is_symlink()
    assert card.second.is_dir()


def test_an_existing_settings_file_keeps_its_other_lines(card: Paths, answers: Path):
    card.settings.parent.mkdir(parents=True)
    card.settings.write_text('# of the house\n[sound]\nvolume = 3  # quiet\n\n[machine]\nnumber = 5\nvenue = "Old"\n')
    result = _setup(card, "--answers", answers, "--yes")
    text = card.settings.read_text()
    assert text.startswith("# of the house\n[sound]\nvolume = 3  # quiet\n")
    assert "+number = 17" in result.output
    assert (load(card.settings).sound.volume, load(card.settings).machine.number) == (3, 17)


def test_a_dry_run_writes_nothing(card: Paths, answers: Path):
    before = read_card(card)
    result = _setup(card, "--answers", answers, "--dry-run")
    assert "+dtparam=watchdog=on" in result.output
    assert (result.exit_code, read_card(card), card.setup.exists()) == (0, before, False)


def test_every_change_is_shown_with_its_reason(card: Paths, answers: Path):
    output = _setup(card, "--answers", answers, "--yes").output
    before = read_card(make_card(card.root.with_name("other")))
    changed = [name for name, contents in read_card(card).items() if before.get(name) != contents]
    assert len(changed) > 12
    assert [name for name in changed if f"/{name}: " not in output] == []


def test_the_pin_is_never_shown(card: Paths, answers: Path):
    result = _setup(card, "--answers", answers, "--yes")
    assert "493817" not in result.output
    kept = [path for path in card.setup.rglob("*") if path.is_file() and "493817" in path.read_text()]
    assert kept == []


def test_the_pin_that_is_replaced_is_never_shown(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    answers.write_text(ANSWERS.replace("493817", "820164"))
    for more in (("--answers", answers, "--dry-run"), ("--answers", answers, "--yes")):
        result = _setup(card, *more)
        assert '-technician_pin = "******"' in result.output
        assert ("493817" in result.output, "820164" in result.output) == (False, False)


def test_an_undo_never_shows_the_pin(card: Paths, answers: Path):
    card.settings.parent.mkdir(parents=True)
    card.settings.write_text("[attendant]\ntechnician_pin = '820164'\n")
    _setup(card, "--answers", answers, "--yes")
    for more in ("--dry-run", "--yes"):
        result = _setup(card, "--undo", more)
        assert (result.exit_code, "493817" in result.output, "820164" in result.output) == (0, False, False)


def test_the_copy_of_the_settings_can_be_read_by_root_only(card: Paths, answers: Path):
    card.settings.parent.mkdir(parents=True)
    card.settings.write_text("[attendant]\ntechnician_pin = '820164'\n")
    card.settings.chmod(0o644)
    _setup(card, "--answers", answers, "--yes")
    kept = [path for path in card.setup.rglob("*") if path.is_file() and "820164" in path.read_text()]
    assert [(path.name, path.stat().st_mode & 0o777) for path in kept] == [("cabinet.toml", 0o600)]


def test_without_a_yes_nothing_is_written(card: Paths):
    before = read_card(card)
    result = _typed(card, *TYPED, "n")
    assert (result.exit_code, read_card(card)) == (1, before), result.output


def test_typed_answers_make_a_cabinet(card: Paths):
    result = _typed(card, *TYPED, "y")
    assert result.exit_code == 0, result.output
    config = load(card.settings)
    assert (config.machine.number, config.attendant.technician_pin) == (17, "493817")


def test_a_pin_is_typed_twice(card: Paths):
    wrong = [each if number != 8 else "493871" for number, each in enumerate(TYPED)]
    result = _typed(card, *wrong[:9], "493817", "493817", *TYPED[9:], "y")
    assert "do not match" in result.output
    assert load(card.settings).attendant.technician_pin == "493817"


def test_a_wrong_typed_answer_is_asked_again(card: Paths):
    typed = ["42", *TYPED]
    result = _typed(card, *typed, "y")
    assert "that is" in result.output or "number of this machine" in result.output
    assert load(card.settings).machine.number == 17


def test_the_second_set_up_offers_the_answers_of_the_first(card: Paths):
    _typed(card, *TYPED, "y")
    before = read_card(card)
    result = _typed(card, *[""] * len(TYPED))
    assert "nothing to change" in result.output
    assert read_card(card) == before


def test_a_repeat_needs_no_answers(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    before = read_card(card)
    assert _setup(card, "--yes").exit_code == 0
    assert read_card(card) == before


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_answer_is_named(card: Paths, answers: Path, name: str):
    lines = [line for line in ANSWERS.splitlines() if not line.startswith(f"{name} ")]
    answers.write_text("\n".join(lines))
    result = _setup(card, "--answers", answers, "--yes")
    if result.exit_code == 0:  # the machine or the table of questions has a default
        assert name in {"acceptor", "printer", "second_copy", "sound", "time_zone"}
    else:
        assert f"answers.toml: {name}: found no answer, expected one; missing are {name}\n" in result.output


def test_the_missing_answers_are_those_that_neither_the_machine_nor_the_set_up_knows(card: Paths, answers: Path):
    answers.write_text("", encoding="utf-8")
    output = _setup(card, "--answers", answers, "--yes").output
    assert output.endswith("missing are number, venue, currency, technician_pin\n")


def test_a_system_without_a_time_zone_has_that_of_the_kernel(card: Paths, answers: Path):
    card.local_time.unlink()
    answers.write_text("\n".join(line for line in ANSWERS.splitlines() if "time_zone" not in line))
    assert _setup(card, "--answers", answers, "--yes").exit_code == 0
    assert card.local_time.readlink() == Path("/usr/share/zoneinfo/Etc/UTC")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("number = 42", 'number: found "42", expected the number of this machine'),
        ("number = 10000", "number: found 10000, expected"),
        ('venue = "Blackjack Cabinet"', "venue: found"),
        ('venue = ""', "venue: found"),
        ('technician_pin = ""', "technician_pin: found 0 characters, expected a PIN of 6 digits"),
        ("technician_pin = 493817", "technician_pin: found a whole number, expected six digits in quotes"),
        ('technician_pin = "12a456"', "technician_pin: found 6 characters, expected 6 digits"),
        ('currency = "XYZ"', 'currency: found "XYZ", expected one of USD'),
        ('acceptor = "best"', 'acceptor: found "best", expected one of'),
        ('acceptor = "pulse"', "pulse_notes: found nothing, expected numbers of pulses"),
        ('acceptor = "ict"', "acceptor.values_cents"),
        ('printer = "laser"', 'printer: found "laser", expected one of'),
        ('printer_socket = "platform-xhci-hcd.0-usb-0:1:1.0"', "expected another socket than that of the acceptor"),
        ('printer_socket = "a b"', 'printer_socket: found "a b", expected udev'),
        ('time_zone = "Europe/Nowhere"', 'time_zone: found "Europe/Nowhere", expected the name of a file below /'),
        ('time_zone = "../etc"', 'time_zone: found "../etc", expected the name of a time zone'),
        ('sound = "usb"', "sound: found usb, expected a USB sound adapter"),
        ('sound = "loud"', 'sound: found "loud", expected one of hdmi1, hdmi2, usb, none'),
        ('screen_mode = "big"', 'screen_mode: found "big", expected width x height'),
        ("second_copy = 3", "second_copy: found 3, expected true or false"),
        ('colour = "red"', "colour: unknown answer, expected one of number"),
        ("number = ", "is not TOML"),
    ],
)
def test_a_wrong_answer_gives_a_sentence_and_writes_nothing(card: Paths, answers: Path, line: str, sentence: str):
    name = line.partition(" ")[0]
    kept = [each for each in ANSWERS.splitlines() if not each.startswith(f"{name} ")]
    answers.write_text("\n".join([*kept, line]))
    before = read_card(card)
    result = _setup(card, "--answers", answers, "--yes")
    assert (result.exit_code, sentence in result.output, result.output.count("\n")) == (1, True, 1), result.output
    assert read_card(card) == before


def test_a_simulated_cabinet_may_have_the_samples_number_and_no_pin(tmp_path: Path, answers: Path):
    card = make_card(tmp_path / "card", model="Some laptop")
    text = ANSWERS.replace("17", "42").replace("The House", "Blackjack Cabinet").replace("493817", "")
    answers.write_text(text)
    assert _setup(card, "--answers", answers, "--yes", "--simulated").exit_code == 0
    assert load(card.settings).machine.number == 42


def test_another_machine_is_refused(tmp_path: Path, answers: Path):
    card = make_card(tmp_path / "card", model="Raspberry Pi Zero 2 W Rev 1.0")
    (card.root / "etc/os-release").write_text('VERSION_ID="12"\n')
    result = _setup(card, "--answers", answers, "--yes")
    assert "this machine cannot be a cabinet: the board is Raspberry Pi Zero 2 W" in result.output
    assert "Debian 12" in result.output
    assert result.exit_code == 1


def test_a_missing_answers_file_is_named(card: Paths):
    assert "/nowhere.toml: No such file" in _setup(card, "--answers", "/nowhere.toml", "--yes").output


def test_an_edited_boot_file_keeps_the_edit_at_an_undo(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    card.config_txt.write_text(card.config_txt.read_text() + "mine=1\n")
    result = _setup(card, "--undo", "--yes")
    assert card.config_txt.read_text() == f"{BOOT_FILES['stock'][0]}mine=1\n"
    assert "Note: /boot/firmware/config.txt was edited since the set-up: the lines of the set-up" in result.output


def test_an_undo_counts_only_the_files_that_are_as_they_were(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    card.config_txt.write_text(card.config_txt.read_text() + "mine=1\n")
    card.local_time.unlink()
    card.local_time.symlink_to("/usr/share/zoneinfo/Asia/Tokyo")
    listed = len(json.loads((card.setup / "changes.json").read_text()))
    result = _setup(card, "--undo", "--yes")
    settings = 1
    assert f"as they were before the set-up: {listed - settings - 2}.\n" in result.output
    assert "Note: /etc/localtime was edited since the set-up: it stays as it is." in result.output


def test_an_undo_below_a_folder_asks_for_no_restart(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    assert "reboot" not in _setup(card, "--undo", "--yes").output


@pytest.mark.parametrize("work", [set_up, take_back])
def test_without_the_rights_of_root_it_says_what_to_do(card: Paths, answers: Path, work: Callable[[Options], int]):
    options = Options(root=card.root, live=False, answers=answers, yes=True, may=lambda _path, _right: False)
    with pytest.raises(SetupError, match=r"etc cannot be written, .* run it with: sudo cabinet setup$"):
        work(options)


@pytest.mark.parametrize("old_new", [("17", "18"), ("EUR", "GBP")])
def test_settings_of_money_do_not_change_while_the_machine_holds_any(
    card: Paths, answers: Path, old_new: tuple[str, str]
):
    _setup(card, "--answers", answers, "--yes")
    card.data.mkdir(parents=True)
    keep(card.data, *session_steps()[:10])
    before = read_card(card)
    answers.write_text(ANSWERS.replace(*old_new))
    result = _setup(card, "--answers", answers, "--yes")
    assert (
        "cabinet: the machine holds a credit of 100.00: settings of money and play cannot change now" in result.output
    )
    assert (result.exit_code, read_card(card)) == (1, before)


def test_words_may_change_while_the_machine_holds_money(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    card.data.mkdir(parents=True)
    keep(card.data, *session_steps()[:10])
    answers.write_text(f'{ANSWERS}helpline = "0800 1"\n')
    assert _setup(card, "--answers", answers, "--yes").exit_code == 0
    assert load(card.settings).machine.helpline == "0800 1"


def test_books_that_cannot_be_read_do_not_keep_the_set_up_from_its_work(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    card.data.mkdir(parents=True)
    (card.data / "journal.db").write_bytes(b"no journal")
    answers.write_text(ANSWERS.replace("17", "18"))
    result = _setup(card, "--answers", answers, "--yes")
    assert (result.exit_code, "Note: the books cannot be read" in result.output) == (0, True)
    assert load(card.settings).machine.number == 18


def test_a_dry_run_needs_no_rights(card: Paths, answers: Path):
    assert (
        set_up(Options(root=card.root, live=False, answers=answers, dry_run=True, may=lambda _path, _right: False)) == 0
    )


def test_an_undo_asks_first(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    before = read_card(card)
    result = CliRunner().invoke(main, ["setup", "--root", str(card.root), "--undo"], input="n\n", prog_name="cabinet")
    assert (result.exit_code, read_card(card)) == (1, before)


def test_a_pin_that_the_user_takes_is_a_note(tmp_path: Path, answers: Path):
    card = make_card(tmp_path / "card", "edited")
    result = _setup(card, "--answers", answers, "--yes")
    assert 'Note: config.txt line 5: "dtoverlay=w1-gpio" takes GPIO4, which is cash_out' in result.output


def test_a_changed_answer_changes_its_files_only(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    before = read_card(card)
    answers.write_text(ANSWERS.replace("second_copy = true", "second_copy = false"))
    _setup(card, "--answers", answers, "--yes")
    changed = {name for name, contents in read_card(card).items() if before.get(name) != contents}
    assert changed == {"etc/blackjack-cabinet/cabinet.toml", "etc/fstab"}


def test_remote_access_opens_what_was_closed(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    assert (card.units / "ssh.service").readlink() == Path("/dev/null")
    answers.write_text(f"{ANSWERS}ssh = true\n")
    _setup(card, "--answers", answers, "--yes")
    assert not (card.units / "ssh.service").is_symlink()
    assert "PasswordAuthentication no" in card.remote_access.read_text()
    assert "tcp dport 22 accept" in card.firewall.read_text()


def test_drop_ins_of_the_package_are_not_written_again(card: Paths, answers: Path):
    shipped = card.root / "usr/lib/systemd/journald.conf.d/60-blackjack-cabinet.conf"
    shipped.parent.mkdir(parents=True)
    shipped.write_text("[Journal]\n")
    _setup(card, "--answers", answers, "--yes")
    assert not card.journald.exists()


def test_a_kill_leaves_old_or_new_files_and_a_repeat_completes(tmp_path: Path, answers: Path, breadth: int):
    root = tmp_path / "card"
    options = Options(root=root, live=False, answers=answers, yes=True)

    def prepare() -> None:
        shutil.rmtree(root, ignore_errors=True)
        make_card(root, "edited")

    prepare()
    paths = Paths(root=root)
    old = read_card(paths)
    set_up(options)
    new = read_card(paths)
    seen = 0
    for done in kill_at_each_act(prepare, lambda: _discard(set_up(options)), every=max(1, 24 // breadth)):
        seen = done
        found = read_card(paths)
        half = [
            name
            for name in found
            if not name.endswith(".partial") and found[name] not in (old.get(name), new.get(name))
        ]
        assert half == []
        set_up(options)
        assert read_card(paths) == new
    assert seen > 100


def _discard(_code: int) -> None:
    return None


def test_the_block_is_the_only_thing_in_the_firmwares_file(card: Paths, answers: Path):
    _setup(card, "--answers", answers, "--yes")
    assert remove_block(card.config_txt.read_text()) == BOOT_FILES["stock"][0]


@pytest.mark.parametrize("more", [["--dry-run"], ["--undo", "--yes"]])
def test_a_root_that_does_not_exist_is_named(tmp_path: Path, answers: Path, more: list[str]):
    result = call("setup", "--root", tmp_path / "nothing", "--answers", answers, *more)
    assert f"cabinet: {tmp_path}/nothing: the folder of --root does not exist" in result.output
    assert (result.exit_code, (tmp_path / "nothing").exists()) == (1, False)


def test_a_folder_of_the_root_that_leads_out_of_it_is_left_alone(card: Paths, answers: Path, tmp_path: Path):
    outside = tmp_path / "outside"
    (card.root / "etc").rename(outside)
    (card.root / "etc").symlink_to(outside)
    before = {each: each.read_bytes() for each in outside.rglob("*") if each.is_file()}
    result = _setup(card, "--answers", answers, "--yes")
    assert (result.exit_code, f"etc: is a link to {outside}, which leads out of" in result.output) == (1, True)
    assert {each: each.read_bytes() for each in outside.rglob("*") if each.is_file()} == before


def test_an_undo_without_a_set_up_says_so(card: Paths):
    before = read_card(card)
    result = _setup(card, "--undo", "--yes")
    assert result.output == f"There is no set-up to take back below {card.root}: nothing was changed.\n"
    assert (result.exit_code, read_card(card)) == (0, before)


def test_the_remark_on_remote_access_stands_before_all_changes(card: Paths, answers: Path):
    shown = _setup(card, "--answers", answers, "--dry-run").output
    assert shown.startswith("Note: without remote access no command can be run on this machine after the restart")
