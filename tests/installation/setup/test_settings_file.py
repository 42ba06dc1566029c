"""Single values in a settings file."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.config.reader import ConfigError
from cabinet.installation.setup.settings_file import set_values, write_value
from cabinet.text.shipped import SAMPLE_SETTINGS, assets_folder

SAMPLE = (assets_folder() / SAMPLE_SETTINGS).read_text(encoding="utf-8")


def test_a_value_changes_and_its_comment_stays():
    text = set_values(SAMPLE, {("machine", "number"): 17})
    assert [line for line in text.splitlines() if line.startswith("number")] == [
        "number = 17                     # 0 to 9999; part of every ticket number, so each machine needs its own"
    ]


def test_comments_stay_in_their_column():
    text = set_values(SAMPLE, {("machine", "venue"): "The House", ("machine", "currency"): "EUR"})
    part = text.partition("[machine]\n")[2].partition("\n\n")[0]
    assert len({line.index("#") for line in part.splitlines()}) == 1


def test_a_long_value_pushes_its_comment_on():
    text = set_values('[machine]\nvenue = "A"  # first line\n', {("machine", "venue"): "The Golden House"})
    assert text == '[machine]\nvenue = "The Golden House" # first line\n'


def test_no_other_line_changes():
    text = set_values(SAMPLE, {("machine", "venue"): 'The "Golden" # 7', ("acceptor", "protocol"): "ebds"})
    changed = [new for old, new in zip(SAMPLE.splitlines(), text.splitlines(), strict=True) if old != new]
    assert [line.partition(" = ")[0] for line in changed] == ["venue", "protocol"]


def test_a_list_of_several_lines_is_replaced_as_one():
    text = "a = 1\n[money]\nnotes_cents = [ # of the house\n  100, # small\n]  # all\nb = 2\n"
    assert set_values(text, {("money", "notes_cents"): [500]}) == "a = 1\n[money]\nnotes_cents = [500]  # all\nb = 2\n"


def test_a_missing_key_goes_below_its_table_and_a_missing_table_to_the_end():
    text = set_values('[machine]\nvenue = "A"', {("machine", "number"): 3, ("data", "mirror"): "/media/second"})
    assert text == '[machine]\nnumber = 3\nvenue = "A"\n\n[data]\nmirror = "/media/second"\n'


def test_a_table_in_a_table_is_found():
    text = set_values(SAMPLE, {("acceptor.pulse", "notes"): {"2": 100, "10": 500}})
    assert tomllib.loads(text)["acceptor"]["pulse"]["notes"] == {"2": 100, "10": 500}


def test_a_value_that_is_there_changes_nothing():
    odd = "[machine]\nnumber=0x11 # odd\n"
    assert set_values(odd, {("machine", "number"): 17}) == odd


@pytest.mark.parametrize("text", ['machine.venue = "A"\n', "machine = { number = 1 }\n"])
def test_a_key_that_cannot_be_changed_by_itself_is_an_error(text: str):
    with pytest.raises(ConfigError, match=r"^machine.number: .* change it with an editor"):
        set_values(text, {("machine", "number"): 2})


def test_a_key_in_another_table_or_in_a_text_is_not_mistaken():
    text = '[other]\nnumber = 1\n[machine]\nvenue = """\nnumber = 2\n"""\nnumber = 3\n'
    try:
        changed = set_values(text, {("machine", "number"): 4})
    except ConfigError:
        return
    assert tomllib.loads(changed)["other"]["number"] == 1


@given(value=st.text(alphabet=st.characters(exclude_categories=["C", "Z"]), max_size=20))
def test_every_printable_text_reads_back(value: str):
    assert tomllib.loads(set_values(SAMPLE, {("machine", "venue"): value}))["machine"]["venue"] == value


@pytest.mark.parametrize("value", [True, 3, 'a "b" \\', [1, 2], {}, {"2": 100}])
def test_a_value_reads_back(value: object):
    assert tomllib.loads(f"a = {write_value(value)}")["a"] == value


@pytest.mark.parametrize("text", ["machine = 5\n", "[[machine]]\nnumber = 5\n"])
def test_what_is_no_table_is_named(text: str):
    with pytest.raises(ConfigError, match=r"^machine: found .* expected a table"):
        set_values(text, {("machine", "number"): 17})
