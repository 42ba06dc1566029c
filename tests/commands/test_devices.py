"""`cabinet devices`: everything that can be configured is listed, with what it promises after a power cut."""

import json

import pytest
from support.commands import call
from support.reports import shown

from cabinet.commands import devices
from cabinet.config.acceptor import ACCEPTORS
from drivers.bills.catalog import PROTOCOLS, PULSES
from drivers.printers.catalog import LANGUAGES


def test_json_names_every_acceptor_and_printer_that_can_be_configured():
    listed = json.loads(call("devices", "--json").stdout)
    assert [each["protocol"] for each in listed["acceptors"]] == list(ACCEPTORS)
    assert [each["protocol"] for each in listed["printers"]] == list(LANGUAGES)
    assert {each["protocol"]: each["line"] for each in listed["acceptors"]} == {
        "ssp": "9600 8N2",
        "cctalk": "9600 8N1",
        "ict": "9600 8E1",
        "id003": "9600 8E1",
        "ebds": "9600 7E1",
        "pyramid": "9600 7E1",
        "pulse": "two pins",
    }
    assert [each["protocol"] for each in listed["acceptors"] if not each["escrow"]] == ["pulse"]


@pytest.mark.parametrize("width", [60, 200])
def test_text_says_of_each_what_holds_after_a_power_cut(width: int):
    words = " ".join(shown(devices.devices_report(), width).split())
    for facts in (*PROTOCOLS.values(), PULSES):
        assert f'acceptor.protocol = "{facts.name}"' in words
        assert facts.after_power_cut.split()[0] in words
    assert words.count("after a power cut") >= len(ACCEPTORS)
    assert 'printer.protocol = "escpos"' in words


def test_the_command_ends_well_without_json():
    result = call("devices")
    assert result.exit_code == 0
    assert "escrow" in result.stdout
