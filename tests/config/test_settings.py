"""Settings: the sample says what the defaults are; whatever cannot be used is refused by file, key, found, expected."""

import re
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.config.reader import read_section
from cabinet.config.settings import RULES, Config, ConfigError, load
from cabinet.engine.rules import CLASSIC, EUROPEAN, GAMES, DoubleOn, HitAt21, LateBlackjackTakes, SplitBy
from cabinet.engine.state import Settings
from drivers.panel.debounce import PRESS_S

SAMPLE = Path(__file__).parents[2] / "assets" / "cabinet.toml"


@pytest.fixture
def settle(tmp_path):
    """Loads a file with this text."""

    def load_text(text: str) -> Config:
        file = tmp_path / "cabinet.toml"
        file.write_text(text, encoding="utf-8")
        return load(file)

    return load_text


# --- what is left out -------------------------------------------------------------------------------------------


def test_without_a_file_the_defaults_hold():
    assert load(None) == Config()


def test_an_empty_file_is_the_defaults(settle):
    assert settle("") == Config()


def test_the_defaults_are_those_of_the_engine():
    assert Config().settings() == Settings()


def test_the_sample_means_the_defaults():
    sample, usual = load(SAMPLE), Config()
    assert sample.settings() == usual.settings()
    assert sample.wiring() == usual.wiring()
    assert sample.panel.press_ms == usual.panel.press_ms == round(PRESS_S * 1_000)
    for part in ("machine", "money", "acceptor", "printer", "display", "sound"):
        assert getattr(sample, part) == getattr(usual, part)


def _keys(section: object, prefix: str = "") -> set[str]:
    """Every key a section has, to the leaves."""
    found: set[str] = set()
    for item in fields(section):  # type: ignore[arg-type]
        value = getattr(section, item.name)
        name = f"{prefix}{item.name}"
        found |= _keys(value, f"{name}.") if is_dataclass(value) else {name}
    return found


def test_the_sample_has_every_key():
    raw = tomllib.loads(SAMPLE.read_text(encoding="utf-8"))
    for key in _keys(Config()):
        found = raw
        for part in key.split("."):
            assert part in found, key
            found = found[part]
    assert raw["games"]["limits"].keys() == raw["games"]["rules"].keys() == GAMES.keys()
    assert all(rules.keys() == RULES.keys() for rules in raw["games"]["rules"].values())
    assert len(raw["panel"]["inputs"]) == 17


def test_every_key_of_the_sample_has_a_word_beside_it():
    """One game's rules and limits are explained; the others repeat them."""
    explained = set()
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        name, equals, rest = line.partition(" = ")
        if equals and "#" in rest:
            explained.add(name)
    said_above = {
        "windowed",
        "min_cents",
        "max_cents",
        "data",
        "clock",
        "latch",
        "enable",
        "outputs",
        "port",
        "protocol",
    }
    plain = {"dealer_hits_soft_17", "double_after_split", "split_aces_one_card", "resplit_aces"}
    pays = {"blackjack_pays", "insurance_pays"}
    leaves = {key.rpartition(".")[2] for key in _keys(Config())} - {"inputs", "pins", "limits", "rules"}
    assert (leaves | RULES.keys()) - explained - said_above - plain - pays == set()


# --- what may be set --------------------------------------------------------------------------------------------


def test_a_key_that_is_given_counts(settle):
    config = settle(
        '[machine]\nnumber = 7\n[money]\nnotes_cents = [2000, 500]\n[games]\noffered = ["table"]\nturbo = false'
    )
    settings = config.settings()
    assert config.machine.number == 7
    assert settings.notes_cents == (500, 2000)
    assert [table.rules.game_id for table in settings.tables] == ["table"]
    assert not settings.turbo_allowed


def test_limits_are_set_game_by_game(settle):
    settings = settle("[games.limits.table]\nmin_cents = 500\nmax_cents = 50_000\nchips_cents = [500, 5000]").settings()
    assert settings.table("table").limits.chips_cents == (500, 5000)
    assert settings.table("classic").limits == Settings().table("classic").limits


RULE_CHANGES = {
    "decks = 8": ("decks", 8),
    "places_max = 3": ("places_max", 3),
    "hole_card = true": ("hole_card", True),
    "hole_card_first = true\nhole_card = true": ("hole_card_first", True),
    "dealer_hits_soft_17 = true": ("dealer_hits_soft_17", True),
    'double_on = "any two cards under 21"': ("double_on", DoubleOn.UNDER_21),
    "double_after_split = false": ("double_after_split", False),
    'split_by = "same value"': ("split_by", SplitBy.VALUE),
    "splits_max = 1": ("splits_max", 1),
    "split_aces_one_card = false": ("split_aces_one_card", False),
    "resplit_aces = true": ("resplit_aces", True),
    'hit_at_21 = "never"': ("hit_at_21", HitAt21.NEVER),
    "cards_max = 11": ("cards_max", 11),
    "insurance_partial = false": ("insurance_partial", False),
    "blackjack_pays = [1, 1]": ("blackjack_pays", (1, 1)),
    "insurance_pays = [3, 2]": ("insurance_pays", (3, 2)),
    'late_blackjack_takes = "original stakes only"': ("late_blackjack_takes", LateBlackjackTakes.ORIGINAL_STAKES),
}


@pytest.mark.parametrize(("text", "change"), RULE_CHANGES.items())
def test_each_rule_can_be_changed(settle, text, change):
    name, value = change
    rules = settle(f"[games.rules.european]\n{text}").settings().table("european").rules
    assert getattr(rules, name) == value
    assert getattr(EUROPEAN, name) != value


def test_the_changes_above_are_all_there_are():
    assert {name for name, _ in RULE_CHANGES.values()} == RULES.keys()


def test_no_limit_of_cards_is_written_as_zero(settle):
    assert settle("[games.rules.table]\ncards_max = 0").settings().table("table").rules.cards_max is None


def test_a_change_of_one_game_leaves_the_others(settle):
    settings = settle("[games.rules.table]\nsplits_max = 2").settings()
    assert settings.table("classic").rules == CLASSIC


def test_an_acceptor_that_does_not_report_values_has_them_in_the_settings(settle):
    acceptor = settle('[acceptor]\nprotocol = "ict"\nvalues_cents = [100, 500]\nfault_shift = 2').acceptor
    chosen = acceptor.chosen("USD")
    assert (chosen.values_cents, chosen.fault_shift, chosen.currency) == ((100, 500), 2, "USD")
    assert Config().acceptor.chosen("USD").values_cents is None


def test_a_ticket_that_never_expires_is_written_as_zero(settle):
    assert settle("[money]\nticket_expires_days = 0").money.ticket_expires_days == 0


# --- what is refused --------------------------------------------------------------------------------------------

REFUSED = {
    "colour = 1": "colour: unknown key, expected one of machine, money, games, acceptor, printer, panel, display, ",
    "[machine]\ncolour = 1": "machine.colour: unknown key, expected one of number, venue, location, currency, helpline",
    "machine = 5": "machine: found 5, expected a table",
    '[machine]\nnumber = "7"': 'machine.number: found "7", expected a whole number',
    "[machine]\nnumber = 7.0": "machine.number: found 7.0, expected a whole number",
    "[machine]\nnumber = true": "machine.number: found true, expected a whole number",
    "[machine]\nnumber = -1": "machine.number: found -1, expected a whole number from 0 to 9999",
    "[machine]\nnumber = 10000": "machine.number: found 10000, expected a whole number from 0 to 9999",
    "[machine]\nvenue = ''": 'machine.venue: found "", expected a text in quotes of 1 to 64',
    '[machine]\nvenue = "Casino 賭場"': 'machine.venue: found "Casino 賭場" with "賭", "場", expected letters that',
    '[machine]\nhelpline = "☎ 0800"': 'machine.helpline: found "☎ 0800" with "☎", expected letters that',
    '[machine]\nvenue = "a\\nb"': 'machine.venue: found "a\\u000Ab", expected one line of plain text',
    '[machine]\ncurrency = "XYZ"': 'machine.currency: found "XYZ", expected one of USD, CAD, AUD, NZD, EUR, GBP, CHF',
    "[money]\ncredit_limit_cents = 99999999999999999999": (
        "money.credit_limit_cents: found 99999999999999999999, expected a whole number of 64 bits at most"
    ),
    "[games.rules.table]\ndecks = 9223372036854775808": (
        "games.rules.table.decks: found 9223372036854775808, expected a whole number of 64 bits at most"
    ),
    "[money]\nnotes_cents = 5": "money.notes_cents: found 5, expected a list",
    "[money]\nnotes_cents = [100, -5]": "money.notes_cents[1]: found -5, expected a whole number from 0 to 10000000000",
    "[money]\nnotes_cents = [100, 0]": "money.notes_cents: found a note of 0, expected more than 0",
    "[money]\nnotes_cents = [100, 100]": "money.notes_cents: found a note twice in [100, 100], expected each once",
    "[money]\nnotes_cents = [100, 300]": "money.notes_cents: found a note of 300, expected some of the notes of USD: 1",
    '[machine]\ncurrency = "EUR"': (
        "money.notes_cents: found a note of 100, expected some of the notes of EUR: 500, 1000, 2000, 5000, 10000, "
        "20000, 50000; list the notes to accept, or set machine.currency"
    ),
    "[money]\ncredit_limit_cents = 5000": (
        "money.credit_limit_cents: found 5000, expected at least the largest note, 10000: it would always go back; "
    ),
    "[money]\nnotes_cents = []\ncredit_limit_cents = 50": (
        "money.credit_limit_cents: found 50, expected at least the smallest min_cents of the games, 100: no bet could "
    ),
    "[money]\nincrement_max_cents = 9": "money.increment_max_cents: found 9, expected more than the largest note",
    "[money]\nticket_expires_days = 29": "money.ticket_expires_days: found 29, expected 30 or more, or 0 for never",
    "[money]\nrejects_max = 0": "money.rejects_max: found 0, expected a whole number from 1 to 1000",
    '[display]\nlanguages = ["en", "xx"]': 'display.languages: found "xx", expected one of en, de, fr, es',
    '[display]\nlanguage = "xx"': 'display.language: found "xx", expected one of en, de, fr, es',
    '[display]\nlanguages = ["en", "en"]': "display.languages: found a language twice in en, en, expected each once",
    '[display]\nattendant_language = "it"': 'display.attendant_language: found "it", expected one of en, de, fr, es',
    '[display]\nlanguages = ["de", "fr"]': 'display.language: found "en", expected one of display.languages, ',
    "[display]\nrotation = 45": "display.rotation: found 45, expected one of 0, 90, 180, 270",
    "[display]\ntouch_rotation = -90": "display.touch_rotation: found -90, expected one of 0, 90, 180, 270",
    "[display]\ntouch_calibration = [1, 0, 0, 1]": "display.touch_calibration: found [1.0, 0.0, 0.0, 1.0], expected",
    "[display]\nlanguages = []": "display.languages: found no language, expected at least one of en, de, fr, es",
    "[games]\noffered = []": "games.offered: found no game, expected at least one of european, table, classic",
    '[games]\noffered = ["poker"]': 'games.offered: found "poker", expected one of european, table, classic',
    '[games]\noffered = ["table", "table"]': "games.offered: found a game twice in table, table, expected each once",
    "[games.limits.poker]": 'games.limits: found "poker", expected one of european, table, classic',
    "[games.limits.table]\nmin = 1": (
        "games.limits.table.min: unknown key, expected one of min_cents, max_cents, chips_cents"
    ),
    '[games.limits.table]\nmin_cents = "1"': 'games.limits.table.min_cents: found "1", expected a whole number',
    "[games.limits]\ntable = 5": "games.limits.table: found 5, expected a table",
    "[games]\nlimits = 5": "games.limits: found 5, expected a table",
    "[games.limits.classic]\nmin_cents = 20000": (
        "games.limits.classic.min_cents: found 20000, expected at most the max_cents of 10000"
    ),
    "[games.limits.classic]\nmax_cents = 10075": "games.limits.classic: table limits: max_cents is 10075, expected an ",
    "[games.limits.classic]\nmax_cents = 5000": (
        "games.limits.classic.chips_cents: found a chip of 10000, expected none above the max_cents of 5000"
    ),
    "[games.limits.classic]\nchips_cents = [0, 100]": (
        "games.limits.classic.chips_cents: found a chip of 0, expected more than 0"
    ),
    "[games.limits.classic]\nmax_cents = 100000\nchips_cents = [500, 2500]": (
        "games.limits.classic.min_cents: found 100, expected at least the smallest chip, 500: no smaller bet can"
    ),
    "[games.limits.classic]\nchips_cents = [125]": "games.limits.classic: table limits: chips_cents has a chip of 125",
    "[games.limits.classic]\nchips_cents = [500, 100]": "games.limits.classic: table limits: chips_cents has (500, ",
    "[games.limits.classic]\nchips_cents = []": "games.limits.classic: table limits: chips_cents is empty",
    "[games]\ncredit_cents = 35": "games.limits.european: table limits: chips_cents has a chip of 100, expected",
    "[games.rules.poker]\ndecks = 6": 'games.rules: found "poker", expected one of european, table, classic',
    "[games.rules.table]\ntitle = 'x'": "games.rules.table.title: unknown key, expected one of decks, places_max",
    "[games.rules.table]\nplaces_max = 6": "games.rules.table: rules of 'table': places_max is 6, expected 1 to 5",
    "[panel]\npress_ms = 4": "panel.press_ms: found 4, expected a whole number from 5 to 16",
    "[panel]\npress_ms = 17": "panel.press_ms: found 17, expected a whole number from 5 to 16",
    "[games.rules.european]\ndecks = 1": (
        "games.rules.european: rules of 'european': decks is 1, expected at least 2: a round of 5 places and 3 splits"
    ),
    "[games.rules.table]\nsplits_max = true": "games.rules.table.splits_max: found true, expected a whole number",
    "[games.rules.table]\ncards_max = false": "games.rules.table.cards_max: found false, expected a whole number",
    '[games.rules.table]\nsplit_by = "suit"': (
        'games.rules.table.split_by: found "suit", expected one of identical rank, same value'
    ),
    "[games.rules.table]\nblackjack_pays = [3]": "games.rules.table.blackjack_pays: found [3], expected a list of 2",
    "[games.rules.table]\nblackjack_pays = [7, 6]": (
        "games.limits.table: found 100, expected amounts that blackjack at 7 to 6 pays in whole cents"
    ),
    "[games.rules.european]\nhole_card_first = true": "games.rules.european: rules of 'european': hole_card_first",
    '[acceptor]\nprotocol = "telepathy"': 'acceptor.protocol: found "telepathy", expected one of ssp, cctalk, ict',
    '[acceptor]\nprotocol = "ict"\nvalues_cents = [100, 0, 300]': (
        "acceptor.values_cents: found a note type worth 300, expected notes of USD: 100, 200, 500, 1000, 2000, 5000, "
    ),
    "[acceptor]\naddress = 126": "acceptor.address: found 126, expected 0 to 125, the addresses of SSP",
    '[acceptor]\nport = ""': 'acceptor.port: found "", expected a path in quotes',
    '[acceptor]\nport = "/dev/a\\u0000b"': 'acceptor.port: found "/dev/a\\u0000b", expected a path in quotes',
    '[printer]\nport = "/dev/a\\nb"': 'printer.port: found "/dev/a\\u000Ab", expected a path in quotes',
    '[data]\nmirror = "/media/\\u0000"': 'data.mirror: found "/media/\\u0000", expected a path in quotes',
    "[data]\nmirror = 2": "data.mirror: found 2, expected a path in quotes without control characters, of 255 ",
    '[data]\nmirror = "second"': 'data.mirror: found "second", expected a folder\'s whole path',
    '[printer]\nport = "/dev/cabinet/acceptor"': 'printer.port: found "/dev/cabinet/acceptor", expected another line',
    '[printer]\nport = "/dev/cabinet/../cabinet/acceptor"': (
        'printer.port: found "/dev/cabinet/../cabinet/acceptor", expected another line than that of the acceptor'
    ),
    '[printer]\nprotocol = "fax"': 'printer.protocol: found "fax", expected one of escpos',
    "[printer]\nbaud = 1200": "printer.baud: found 1200, expected one of 9600, 19200, 38400, 57600, 115200",
    '[printer]\npaper = "A4"': 'printer.paper: found "A4", expected one of 58mm, 80mm',
    '[printer]\ncut = "half"': 'printer.cut: found "half", expected one of full, partial',
    '[printer]\ncode_page = "latin"': 'printer.code_page: found "latin", expected one of cp858, cp1252',
    '[panel]\nfactory = "mock"': 'panel.factory: found "mock", expected one of lgpio, rpigpio',
    "[panel.inputs.hit]\npin = 99": "panel.inputs.hit.pin: found 99, expected a whole number from 0 to 27",
    '[panel.inputs.hit]\npin = "9"': 'panel.inputs.hit.pin: found "9", expected a whole number',
    "[panel.inputs.hit]\npin = 4": "panel.inputs.hit.pin: wiring: cash_out and hit are both on GPIO4",
    '[panel.inputs.hit]\npull = "sideways"': 'panel.inputs.hit.pull: found "sideways", expected one of up, down, none',
    "[panel.inputs.surrender]\npin = 9": "panel.inputs.surrender: unknown key, expected one of cash_out, service, chip",
    "[panel.inputs.hit]\npin = 14\n[panel]\nuart_in_use = true": "panel.inputs.hit.pin: wiring: hit on GPIO14: the ",
    "[panel.lamps]\ndata = 4": "panel.lamps.data: wiring: cash_out and lamp register data are both on GPIO4",
    '[panel.lamps]\noutputs = ["bell"]': 'panel.lamps.outputs: found "bell", expected one of cash_out, service, chip',
    '[panel.lamps]\noutputs = ["hit", "hit"]': "panel.lamps.outputs: wiring: hit named twice among the lamp",
    "[panel.lamps.pins]\nbell = 9": 'panel.lamps.pins.bell: found "bell", expected one of cash_out, service, chip',
    "[panel.lamps.pins]\nhit = 23": "panel.lamps.pins.hit: wiring: hit and hit lamp are both on GPIO23",
    "[display]\nwindowed = [0, 0]": "display.windowed[0]: found 0, expected a whole number from 320 to 16384",
    "[display]\nwindowed = [1280]": "display.windowed: found [1280], expected a list of 2",
    "[display]\nmode = [1920]": "display.mode: found [1920], expected width and height, or [] for the best one",
    "[display]\nmode = [1024, 768]": "display.mode: with display.rotation 0 it is a picture of 1024x768 pixels: the ",
    "[display]\nmode = [1920, 1080]\nrotation = 90": "display.mode: with display.rotation 90 it is a picture of 1080x",
    "[display]\nattract_after_s = 0": "display.attract_after_s: found 0, expected a number from 10 to 86400",
    "[display]\nattract_after_s = 9.9": "display.attract_after_s: found 9.9, expected a number from 10 to 86400",
    "[display]\nattract_after_s = nan": "display.attract_after_s: found nan, expected a number from 10 to 86400",
    "[display]\nabandoned_after_s = 1": "display.abandoned_after_s: found 1, expected a number from 30 to 86400",
    "[display]\nabandoned_after_s = inf": "display.abandoned_after_s: found inf, expected a number from 30 to 86400",
    "[sound]\nvolume = 11": "sound.volume: found 11, expected a whole number from 0 to 10",
    "[sound]\nvolume = 6\nvolume = 7\n[machine]\n": "line 3, volume = 7: is not TOML: Cannot overwrite a value",
    "[sound]\nvolume 6": "line 2, volume 6: is not TOML: Expected '='",
    "[sound]\nvolume =": "line 2, volume =: is not TOML: Invalid value",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_what_cannot_be_used_is_named_by_file_and_key(settle, tmp_path, text, message):
    with pytest.raises(ConfigError) as refused:
        settle(text)
    assert str(refused.value).startswith(f"{tmp_path / 'cabinet.toml'}: {message}")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read: No such file or directory; give another file"):
        load(tmp_path / "none.toml")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load(tmp_path)


def test_a_file_that_is_no_text_is_named(tmp_path):
    file = tmp_path / "cabinet.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"cabinet\.toml: is not TOML: byte 0 is no UTF-8; save it as UTF-8 text"):
        load(file)


def test_a_file_may_begin_with_a_mark_of_its_byte_order(tmp_path):
    file = tmp_path / "cabinet.toml"
    file.write_bytes(b"\xef\xbb\xbf[machine]\nnumber = 7\n")
    assert load(file).machine.number == 7


def test_a_file_without_an_end_says_so(settle):
    with pytest.raises(ConfigError, match="is not TOML"):
        settle('[machine]\nvenue = "')


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(key=st.sampled_from(sorted(_keys(Config()))), value=PLAIN)
def test_any_value_under_any_key_is_taken_or_refused_by_its_key(key, value):
    raw: dict[str, object] = {}
    *parts, last = key.split(".")
    inner = raw
    for part in parts:
        inner = inner.setdefault(part, {})  # type: ignore[assignment]
    inner[last] = value
    assert [each for each in _mistakes(raw) if not each.startswith(key)] == []


def _mistakes(raw: object) -> tuple[str, ...]:
    try:
        read_section(Config, raw)
    except ConfigError as error:
        return error.mistakes
    return ()


def test_every_mistake_of_a_file_is_named_in_one_go(settle):
    wrong = "[machine]\nnumber = -1\ncolour = 2\n[panel.inputs.hit]\npin = 99\n[sound]\nvolume = 11"
    with pytest.raises(ConfigError) as refused:
        settle(wrong)
    text = str(refused.value)
    assert "cabinet.toml: 4 mistakes: (1) machine.number: found -1" in text
    for rest in ("(2) machine.colour: unknown", "(3) panel.inputs.hit.pin: found 99", "(4) sound.volume: found 11"):
        assert rest in text


def test_every_contradiction_of_a_file_is_named_once(settle):
    wrong = '[money]\nnotes_cents = [100, 0]\n[display]\nrotation = 45\nlanguages = []\n[machine]\nvenue = "a\\nb"'
    with pytest.raises(ConfigError) as refused:
        settle(wrong)
    keys = re.findall(r"\(\d\) ([a-z_.]+): found", str(refused.value))
    assert keys == ["money.notes_cents", "machine.venue", "display.rotation", "display.languages"]


# --- the panel --------------------------------------------------------------------------------------------------


def test_a_contact_is_moved_and_keeps_what_was_not_said(settle):
    wiring = settle("[panel.inputs]\nhit = { pin = 9 }\nmain_door = { active = 'low' }").wiring()
    usual = Config().wiring()
    assert wiring.inputs["hit"].pin == 9
    assert wiring.inputs["hit"].pull == usual.inputs["hit"].pull
    assert wiring.inputs["main_door"].pin == usual.inputs["main_door"].pin
    assert wiring.inputs["main_door"].active == "low"
    assert wiring.inputs["deal"] == usual.inputs["deal"]


def test_two_contacts_can_change_places(settle):
    wiring = settle("[panel.inputs]\nhit = { pin = 18 }\nstand = { pin = 23 }").wiring()
    assert (wiring.inputs["hit"].pin, wiring.inputs["stand"].pin) == (18, 23)


def test_the_lamp_register_is_moved_line_by_line(settle):
    lamps = settle('[panel.lamps]\ndata = 9\noutputs = ["deal", "tower_call"]').wiring().lamps
    assert (lamps.data, lamps.clock, lamps.outputs) == (9, 11, ("deal", "tower_call"))


def test_lamps_can_have_pins_of_their_own(settle):
    lamps = settle('[panel.lamps]\nactive = "low"\n[panel.lamps.pins]\ndeal = 9\ntower_call = 10').wiring().lamps
    assert (dict(lamps.pins), lamps.active) == ({"deal": 9, "tower_call": 10}, "low")


def test_a_pin_without_quotes_is_an_error_that_does_not_show_it(tmp_path):
    path = tmp_path / "cabinet.toml"
    path.write_text("[attendant]\ntechnician_pin = 123456\n", encoding="utf-8")
    with pytest.raises(
        ConfigError, match="technician_pin: found a whole number, expected six digits in quotes"
    ) as raised:
        load(path)
    assert "123456" not in str(raised.value)
