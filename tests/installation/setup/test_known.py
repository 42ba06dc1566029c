"""What the set-up knows before it asks."""

from pathlib import Path

from support.card import ANSWERS, make_card

from cabinet.installation.setup.answers import read_answers
from cabinet.installation.setup.known import answers_to_keep, find_known
from cabinet.installation.system.board import Board
from cabinet.installation.system.sockets import put_sockets

NOTHING = Path("/nowhere")


def test_a_new_machine_says_its_time_zone_and_its_screen(tmp_path: Path):
    known = find_known(make_card(tmp_path), NOTHING, Board(screens=("HDMI-A-2",)))
    assert known == {"time_zone": "Etc/UTC", "screen": "hdmi2", "sound": "hdmi2"}


def test_media_with_the_cabinets_labels_are_known(tmp_path: Path):
    known = find_known(make_card(tmp_path), NOTHING, Board(labels=frozenset({"CABINET2ND", "rootfs"})))
    assert ("books_partition" in known, known["second_copy"]) == (False, True)


def test_settings_are_known_but_for_what_is_the_samples(tmp_path: Path):
    card = make_card(tmp_path)
    card.settings.parent.mkdir(parents=True)
    card.settings.write_text('[machine]\nnumber = 42\nvenue = "A"\n[attendant]\ntechnician_pin = "493817"\n')
    known = find_known(card, NOTHING, Board())
    assert ("number" in known, known["venue"], known["technician_pin"]) == (False, "A", "493817")


def test_books_that_are_on_a_partition_stay_there_also_while_it_is_missing(tmp_path: Path):
    card = make_card(tmp_path)
    card.settings.parent.mkdir(parents=True)
    for words, known in (("own_partition = true", True), ("own_partition = false", None)):
        card.settings.write_text(f"[data]\n{words}\n")
        assert find_known(card, NOTHING, Board(labels=frozenset())).get("books_partition") is known


def test_a_setting_counts_more_than_the_last_set_up(tmp_path: Path):
    card, kept = make_card(tmp_path), tmp_path / "kept.toml"
    kept.write_text('venue = "Old"\nssh = true\ntechnician_pin = "111111"\ncolour = "red"\n')
    card.settings.parent.mkdir(parents=True)
    card.settings.write_text('[machine]\nvenue = "New"\n')
    known = find_known(card, kept, Board())
    assert (known["venue"], known["ssh"]) == ("New", True)
    assert {"technician_pin", "colour"} & set(known) == set()


def test_learned_sockets_are_known(tmp_path: Path):
    card = make_card(tmp_path)
    card.sockets.parent.mkdir(parents=True)
    card.sockets.write_text(put_sockets("", {"printer": "platform-a"}))
    assert find_known(card, NOTHING, Board())["printer_socket"] == "platform-a"


def test_what_cannot_be_read_is_not_known(tmp_path: Path):
    card, kept = make_card(tmp_path), tmp_path / "kept.toml"
    kept.write_text("= 1")
    card.settings.parent.mkdir(parents=True)
    card.settings.write_text("= 1")
    assert set(find_known(card, kept, Board())) == {"time_zone"}


def test_neither_the_pin_nor_an_act_is_kept():
    kept = answers_to_keep(read_answers(ANSWERS, simulated=False))
    assert {"technician_pin", "commission", "printer_socket"} & set(kept) == set()
    assert (kept["sound"], kept["number"]) == ("hdmi1", 17)
