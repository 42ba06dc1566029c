"""The acceptor's settings: every option arrives where it counts, and one that means nothing is refused by its key."""

import pytest

from cabinet.config.acceptor import ACCEPTORS
from cabinet.config.settings import Config, ConfigError, load
from cabinet.runtime.build import make_taker
from drivers.bills.catalog import PROTOCOLS, Option
from drivers.bills.id003.host import Id003Protocol
from drivers.bills.pulse.line import PulseProtocol
from drivers.panel.layout import AcceptorPins, Level
from drivers.printers.paper import Symbology

PULSE = '[acceptor]\nprotocol = "pulse"\n[acceptor.pulse]\n'
NEEDED = {"ict": "values_cents = [100, 500]\n", "pulse": "[acceptor.pulse]\nnotes = { 1 = 100, 5 = 500 }\n"}


@pytest.fixture
def settle(tmp_path):
    """Loads a file with this text."""

    def load_text(text: str) -> Config:
        file = tmp_path / "cabinet.toml"
        file.write_text(text, encoding="utf-8")
        return load(file)

    return load_text


@pytest.mark.parametrize("name", ACCEPTORS)
def test_each_acceptor_can_be_chosen_with_what_it_needs(name, settle):
    config = settle(f'[acceptor]\nprotocol = "{name}"\n{NEEDED.get(name, "")}')
    taker = make_taker(config)
    if name in PROTOCOLS:
        assert taker.line == PROTOCOLS[name].line
    else:
        assert isinstance(taker, PulseProtocol)


GIVEN = {
    Option.ADDRESS: "address = 3",
    Option.POLL_INTERVAL: "poll_interval_s = 0.1",
    Option.VALUES: "values_cents = [100, 500]",
    Option.FAULT_SHIFT: "fault_shift = 1",
    Option.ENCRYPTION: 'encryption = "always"',
    Option.FIXED_KEY: 'fixed_key = "00112233445566FF"',
    Option.COUNTRIES: 'countries = { 01 = "USD" }',
}


def test_every_option_is_tried_below():
    assert GIVEN.keys() == set(Option)


@pytest.mark.parametrize("option", Option)
@pytest.mark.parametrize("name", ACCEPTORS)
def test_an_option_is_refused_by_the_protocols_that_do_not_use_it(name, option, settle):
    needed = "" if option is Option.VALUES and name == "ict" else NEEDED.get(name, "")
    text = f'[acceptor]\nprotocol = "{name}"\n{GIVEN[option]}\n{needed}'
    if name in PROTOCOLS and option in PROTOCOLS[name].options:
        chosen = settle(text).acceptor.chosen("USD")
        assert getattr(chosen, option) != getattr(Config().acceptor.chosen("USD"), option)
    else:
        with pytest.raises(
            ConfigError, match=rf"acceptor\.{option}: found .*, expected nothing: the protocol is {name}"
        ):
            settle(text)


@pytest.mark.parametrize("name", ACCEPTORS)
def test_every_acceptor_may_say_how_many_notes_its_box_holds(name, settle):
    text = f'[acceptor]\nprotocol = "{name}"\nstacker_notes = 600\n{NEEDED.get(name, "")}'
    assert settle(text).acceptor.stacker_notes == 600


@pytest.mark.parametrize("count", ["-1", "10001", "1.5"])
def test_a_box_holds_a_count_of_notes(count, settle):
    with pytest.raises(ConfigError, match=r"acceptor\.stacker_notes"):
        settle(f"[acceptor]\nstacker_notes = {count}")


def test_the_countries_of_an_id003_unit_arrive_as_numbers(settle):
    config = settle('[acceptor]\nprotocol = "id003"\ncountries = { 01 = "USD", 7E = "CAD" }')
    assert config.acceptor.chosen("USD").countries == {0x01: "USD", 0x7E: "CAD"}
    assert isinstance(make_taker(config), Id003Protocol)


def test_the_pins_of_a_pulse_acceptor_are_part_of_the_wiring(settle):
    config = settle(f'{PULSE}pin = 14\nrelease_pin = 9\nactive = "high"\nnotes = {{ 1 = 100 }}')
    assert config.wiring().acceptor == AcceptorPins(pulse=14, release=9, active=Level.HIGH)
    assert Config().wiring().acceptor is None


REFUSED = {
    f"{PULSE}pin = 15": "acceptor.pulse.notes: found nothing, expected numbers of pulses",
    f"{PULSE}notes = {{ x = 100 }}": 'acceptor.pulse.notes: found "x", expected a number of pulses, 1 to 1000',
    f"{PULSE}notes = {{ 0 = 100 }}": 'acceptor.pulse.notes: found "0"',
    f"{PULSE}notes = {{ 01 = 100, 1 = 500 }}": 'acceptor.pulse.notes: found "1"',
    f"{PULSE}notes = {{ 1 = 0 }}": "acceptor.pulse.notes: found [0], expected notes of more than 0 cents",
    f"{PULSE}notes = {{ 1 = 100, 2 = 100 }}": "acceptor.pulse.notes: found [100, 100]",
    f"{PULSE}notes = {{ 1 = 100, 2 = 500, 3 = 1000 }}": "acceptor.pulse.notes: a pulse is worth 100 cents in the note",
    f"{PULSE}notes = {{ 1 = 300 }}": "acceptor.pulse.notes: found a note of 300, expected only notes of money",
    f"{PULSE}notes = {{ 1 = 100 }}\nstuck_s = 0.06": "acceptor.pulse: pulse timing: found noise_s",
    f"{PULSE}notes = {{ 1 = 100 }}\ntrain_end_s = 0.3": "acceptor.pulse: pulse timing: train_end_s is 0.3",
    f"{PULSE}notes = {{ 1 = 100 }}\npin = 17": "acceptor.pulse.pin: wiring: service and acceptor pulses are both on",
    f"{PULSE}notes = {{ 1 = 100 }}\nrelease_pin = 15": "acceptor.pulse.pin: wiring: acceptor pulses and acceptor rele",
    f"{PULSE}notes = {{ 1 = 100 }}\nrelease_pin = 2": "acceptor.pulse.release_pin: wiring: acceptor release on GPIO2",
    f'{PULSE}notes = {{ 1 = 100 }}\npin = 2\nactive = "high"': "acceptor.pulse.pin: wiring: acceptor pulses on GPIO2",
    f"{PULSE}notes = {{ 1 = 100 }}\n[panel]\nuart_in_use = true": "acceptor.pulse.pin: wiring: acceptor pulses on GPI",
    "[acceptor]\n[acceptor.pulse]\nnotes = { 1 = 100 }": "acceptor.pulse: found a table, expected nothing: the",
    '[acceptor]\nprotocol = "pulse"\nport = "/dev/ttyUSB0"': "acceptor.port: found /dev/ttyUSB0, expected nothing: the",
    '[acceptor]\nprotocol = "ict"': "acceptor.values_cents: found nothing, expected the values of its note types",
    '[acceptor]\nprotocol = "id003"\ncountries = { XY = "USD" }': 'acceptor.countries: found "XY", expected a country',
    '[acceptor]\nprotocol = "id003"\ncountries = { 01 = "dollar" }': 'acceptor.countries.01: found "dollar", expected',
    '[acceptor]\nencryption = "perhaps"': 'acceptor.encryption: found "perhaps", expected one of auto, always, never',
    '[acceptor]\nfixed_key = "0123"': "acceptor.fixed_key: found 4 characters, expected sixteen hexadecimal digits",
    "[acceptor]\npoll_interval_s = 0": "acceptor.poll_interval_s: found 0",
    '[printer]\nprotocol = "tcl"\npaper = "58mm"': 'printer.paper: found "58mm", expected nothing: the protocol is tcl',
    '[printer]\nprotocol = "tcl"\nbar_code = "Interleaved 2 of 5"': 'printer.bar_code: found "Interleaved 2 of 5", exp',
    '[printer]\nbar_code = "CODE128-C"': 'printer.bar_code: found "CODE128-C", expected "Interleaved 2 of 5": acc',
    '[printer]\nbar_code = "QR"': 'printer.bar_code: found "QR", expected one of auto, CODE128-C, Interleaved 2 of 5',
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=REFUSED.values())
def test_what_contradicts_itself_is_named_by_its_key(text, message, settle, tmp_path):
    with pytest.raises(ConfigError) as refused:
        settle(text)
    assert str(refused.value).startswith(f"{tmp_path / 'cabinet.toml'}: {message}")


@pytest.mark.requirement("TP-12")
@pytest.mark.parametrize(
    ("text", "bar_code"),
    [
        ("", Symbology.ITF),
        ('[acceptor]\nprotocol = "id003"', Symbology.ITF),
        ('[acceptor]\nprotocol = "ebds"', Symbology.CODE128_C),
        ("[money]\ntickets_in = false", Symbology.CODE128_C),
        ('[money]\ntickets_in = false\n[printer]\nbar_code = "CODE128-C"', Symbology.CODE128_C),
        ('[acceptor]\nprotocol = "ebds"\n[printer]\nbar_code = "Interleaved 2 of 5"', Symbology.ITF),
    ],
)
def test_tickets_carry_the_bar_code_that_the_acceptor_reads_unless_another_is_chosen(text, bar_code, settle):
    assert settle(text).bar_code() is bar_code


def test_a_key_that_is_refused_is_not_shown(settle):
    with pytest.raises(ConfigError) as refused:
        settle('[acceptor]\nprotocol = "id003"\nfixed_key = "00112233445566FF"')
    assert "00112233445566FF" not in str(refused.value)
