"""The small system files."""

import pytest

from cabinet.installation.system.drop_ins import JOURNALD, firewall_lines, sound_lines, time_server_lines


def test_the_log_survives_a_power_cut():
    assert "Storage=persistent" in JOURNALD


@pytest.mark.parametrize("ssh", [True, False])
def test_the_firewall_opens_the_technicians_access_only_if_there_is_one(ssh: bool):
    assert any("tcp dport 22 accept" in line for line in firewall_lines(ssh=ssh)) is ssh


def test_the_firewall_drops_what_it_does_not_name():
    assert sum("policy drop;" in line for line in firewall_lines(ssh=True)) == 2


def test_the_firewall_closes_every_bracket():
    text = "".join(firewall_lines(ssh=True))
    assert text.count("{") == text.count("}")


def test_sound_goes_to_the_card_by_its_name():
    assert [line.split()[-1] for line in sound_lines("vc4hdmi1") if "vc4hdmi1" in line] == [
        '"sysdefault:CARD=vc4hdmi1"',
        "vc4hdmi1",
    ]


def test_without_a_card_sound_goes_nowhere():
    assert "    type null" in sound_lines("")


def test_a_time_server_of_the_house_is_used():
    assert (time_server_lines("10.0.0.1")[1:], time_server_lines("")) == (("NTP=10.0.0.1",), ())
