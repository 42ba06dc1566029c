"""The simulated NV9 behaves like a real one."""

import pytest
from support.notes import CHANNELS
from support.nv9_host import Host

from drivers.bills.ssp.codec import Code
from drivers.bills.ssp.frame import Frame, encode
from drivers.simulated.nv9 import INSTANT, NV9, Timings


@pytest.fixture
def unit() -> NV9:
    return NV9(CHANNELS, timings=Timings(boot_s=0.0))


@pytest.fixture
def host(unit: NV9) -> Host:
    return Host(unit)


def test_it_starts_disabled_and_inhibited_and_reports_it(unit: NV9, host: Host) -> None:
    assert host.ask("11", sequence=True) == "F0"
    assert host.ask("07", sequence=False) == "F0 F1 E8"
    assert host.ask("07", sequence=True) == "F0 E8"
    assert not unit.insert(500)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("99", "F2"),
        ("07 01", "F3"),
        ("02 FF", "F3"),
        ("06", "F3"),
        ("06 08", "F8"),
        ("06 07", "F0"),
        ("08", "F5"),
        ("18", "F5"),
        ("57", "F5"),
        ("17", "F0 00"),
        ("0C", "F0 00 1C 96 2C"),
    ],
)
def test_commands_are_answered_or_refused_as_in_the_manual(host: Host, command: str, answer: str) -> None:
    assert host.ask(command) == answer


def test_an_old_unit_does_not_know_poll_with_ack() -> None:
    host = Host(NV9(CHANNELS, knows_acks=False))
    assert host.ask("56") == "F2"
    assert host.ask("57") == "F2"


def test_a_repeated_sequence_bit_gets_the_stored_reply_and_is_not_executed(unit: NV9, host: Host) -> None:
    assert host.ask("07", sequence=True) == "F0 F1 E8"
    assert host.ask("0A", sequence=True) == "F0 F1 E8"
    assert not unit.enabled


def test_a_note_goes_through_reading_escrow_and_stacking(unit: NV9, host: Host) -> None:
    host.enable()
    assert unit.insert(2000)
    assert not unit.insert(2000)
    assert host.ask("07") == "F0 EF 00"
    host.wait(0.6)
    assert host.ask("07") == "F0 EF 05"
    assert unit.phase == "escrow"
    assert host.ask("07") == "F0 CC"
    host.wait(1.1)
    assert host.ask("07") == "F0 EE 05 EB"
    assert host.ask("07") == "F0"
    assert (unit.stacked, unit.busy) == ([2000], False)


def test_a_poll_does_not_accept_a_note_it_has_not_reported_of(unit: NV9, host: Host) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(0.6)
    assert host.ask("56") == "F0 EF 05"
    assert unit.phase == "escrow"


def test_hold_keeps_the_note_and_without_it_the_escrow_times_out(unit: NV9, host: Host) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(0.6)
    host.ask("07")
    for _ in range(3):
        host.wait(9.0)
        assert host.ask("18") == "F0"
    host.wait(10.6)
    assert unit.returned == [2000]
    assert host.ask("17") == "F0 13"


@pytest.mark.parametrize(("command", "reason"), [("08", "F0 08"), ("09", "F0 0C")])
def test_reject_and_disable_give_the_note_back(unit: NV9, host: Host, command: str, reason: str) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(0.6)
    host.ask("07")
    assert host.ask(command) == "F0"
    assert host.ask("07").startswith("F0 ED")
    host.wait(0.6)
    assert host.ask("07").startswith("F0 EC")
    assert host.ask("17") == reason
    assert unit.returned == [2000]


def test_an_inhibited_note_and_a_bad_one_are_rejected(unit: NV9, host: Host) -> None:
    host.enable(mask="01 00")
    for note, reason in ((unit.insert, "F0 06"), (unit.insert_bad, "F0 02")):
        assert note(2000)
        host.wait(1.1)
        assert host.ask("17") == reason
    assert unit.returned == [2000, 2000]


def test_unpolled_it_switches_itself_off(unit: NV9, host: Host) -> None:
    host.enable()
    host.wait(9.9)
    assert unit.enabled
    host.ask("07")
    host.wait(10.1)
    assert not unit.enabled


def stack(unit: NV9, host: Host, poll: str) -> str:
    """Run a note into the box and return the first reply that reports it."""
    host.enable()
    unit.insert(2000)
    host.wait(0.6)
    host.ask(poll)
    host.ask(poll)
    host.wait(1.1)
    return host.ask(poll)


def test_with_poll_with_ack_the_credit_repeats_until_acknowledged(unit: NV9, host: Host) -> None:
    assert stack(unit, host, "56") == "F0 EE 05 EB"
    assert host.ask("56") == "F0 EE 05"
    assert not unit.insert(500)
    assert host.ask("57") == "F0"
    assert host.ask("56") == "F0"
    assert unit.insert(500)


def test_a_credit_not_acknowledged_comes_back_after_a_power_cut(unit: NV9, host: Host) -> None:
    stack(unit, host, "56")
    unit.power_cycle()
    assert host.ask("56") == "F0 F1 E2 05 E8"
    assert host.ask("56") == "F0 E2 05 E8"
    assert unit.stacked == [2000]


def test_a_credit_reported_by_a_plain_poll_is_reported_once(unit: NV9, host: Host) -> None:
    assert stack(unit, host, "07") == "F0 EE 05 EB"
    unit.power_cycle()
    assert host.ask("07") == "F0 F1 E8"


@pytest.mark.parametrize(
    ("to_cashbox", "knows_note", "reply"),
    [
        (True, True, "F0 F1 E2 05 E8"),
        (True, False, "F0 F1 E2 00 E8"),
        (False, True, "F0 F1 E1 05 E8"),
        (False, False, "F0 F1 E1 00 E8"),
    ],
)
def test_a_power_cut_while_stacking_ends_in_the_box_or_outside(
    unit: NV9, host: Host, *, to_cashbox: bool, knows_note: bool, reply: str
) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(0.6)
    host.ask("07")
    host.ask("07")
    assert unit.phase == "stacking"
    unit.power_cycle(to_cashbox=to_cashbox, knows_note=knows_note)
    got = host.ask("07")
    assert sorted(got.split()) == sorted(reply.split())
    assert (unit.stacked, unit.returned) == (([2000], []) if to_cashbox else ([], [2000]))


def test_while_booting_it_is_silent() -> None:
    unit = NV9(CHANNELS)
    host = Host(unit)
    unit.power_cycle()
    assert host.ask("11") == ""
    assert unit.due() == 2.0
    host.wait(2.1)
    assert host.ask("11") == "F0"


def test_faults_are_shown_while_they_last(unit: NV9, host: Host) -> None:
    host.enable()
    unit.fill()
    assert host.ask("07") == "F0 E7 E8"
    assert not unit.insert(500)
    unit.empty()
    unit.jam()
    assert host.ask("07") == "F0 E9 E8"
    unit.clear_jam()
    unit.break_down(Code.SAFE_JAM)
    assert host.ask("07") == "F0 EA E8"
    unit.repair(Code.SAFE_JAM)
    unit.remove_cashbox()
    assert host.ask("07") == "F0 E3 E8"
    unit.replace_cashbox()
    assert host.ask("07") == "F0 E4"


def test_a_jammed_note_stays_until_freed_and_is_handed_back(unit: NV9, host: Host) -> None:
    host.enable()
    unit.insert(500)
    unit.jam()
    host.wait(5.0)
    assert unit.phase == "reading"
    unit.clear_jam()
    assert unit.returned == [500]


def test_a_note_pulled_out_is_a_fraud_and_no_credit(unit: NV9, host: Host) -> None:
    host.enable()
    unit.insert(2000)
    host.wait(0.6)
    host.ask("07")
    unit.cheat()
    assert host.ask("07") == "F0 E6 05"
    assert (unit.stacked, unit.returned) == ([], [2000])


def test_reset_forgets_that_it_was_enabled(unit: NV9, host: Host) -> None:
    host.enable()
    host.ask("01")
    assert not unit.enabled
    assert host.ask("07") == "F0 F1 E8"


def test_instant_timings_take_no_time() -> None:
    unit = NV9(CHANNELS, timings=INSTANT)
    host = Host(unit)
    host.enable()
    unit.insert(100)
    assert host.ask("07") == "F0 EF 01"
    host.ask("07")
    assert unit.stacked == [100]


def test_frames_for_another_address_are_not_answered(unit: NV9) -> None:
    unit.receive(encode(Frame(sequence=True, address=1, data=b"\x11")), 0.0)
    assert unit.bytes_to_send() == b""


# Known frames, for any host.


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("7F 80 01 11 65 82", "7F 80 01 F0 23 80"),
        ("7F 80 01 17 71 82", "7F 80 02 F0 08 0C 20"),
        ("7F 80 01 0C 2B 82", "7F 80 05 F0 00 1C 96 2C D4 97"),
        ("7F 80 01 27 D1 82", "7F 80 09 F0 01 06 31 32 33 34 35 36 A1 05"),
        ("7F 80 04 24 03 01 12 EC D7", "7F 80 01 F0 23 80"),
        ("7F 80 02 26 FD 3E D6", "7F 80 01 F0 23 80"),
        ("7F 80 02 06 08 03 94", "7F 80 01 F8 10 00"),
        ("7F 80 03 02 07 00 2B B6", "7F 80 01 F0 23 80"),
        ("7F 80 01 0A 3F 82", "7F 80 01 F0 23 80"),
        ("7F 80 01 09 35 82", "7F 80 01 F0 23 80"),
        ("7F 80 01 18 53 82", "7F 80 01 F0 23 80"),
        ("7F 80 01 07 12 02", "7F 80 02 F0 CC 97 A2"),
    ],
)
def test_the_makers_frames_are_answered_byte_for_byte(command: str, reply: str) -> None:
    """A ticket with the bar code 123456 waits in escrow; a note has been sent back by the host before."""
    unit = NV9(CHANNELS, has_reader=True, timings=INSTANT)
    host = Host(unit)
    host.enable()
    unit.insert(2000)
    host.ask("07")
    host.ask("08")
    assert host.ask("24 03 01 06") == "F0"
    assert host.ask("26 FC") == "F0"
    assert host.ask("07") == "F0 EC"
    assert unit.insert_ticket("123456")
    assert host.ask("07") == "F0 E5"
    unit.timings = Timings()
    unit.receive(bytes.fromhex(command), host.now)
    assert unit.bytes_to_send().hex(" ").upper() == reply


# Counters.


def test_counters_count_kept_and_returned_notes_and_survive_a_power_cut(unit: NV9, host: Host) -> None:
    stack(unit, host, "07")
    unit.insert(500)
    host.wait(0.6)
    host.ask("07")
    host.ask("08")
    host.wait(0.6)
    unit.power_cycle()
    assert host.ask("58") == "F0 05 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00"
    assert unit.counters == {"stacked": 1, "stored": 0, "dispensed": 0, "transferred": 0, "rejected": 1}


def test_a_unit_without_counters_reports_none() -> None:
    assert Host(NV9(CHANNELS, knows_counters=False)).ask("58") == "F2"


# Tickets.

NUMBER = "003217654321098765"
SPELLED = NUMBER.encode().hex(" ").upper()


@pytest.fixture
def reader() -> NV9:
    return NV9(CHANNELS, has_reader=True, timings=Timings(boot_s=0.0))


def take_tickets(host: Host) -> None:
    host.enable()
    assert host.ask("23") == "F0 03 00 01 06"
    assert host.ask("24 03 01 12") == "F0"
    assert host.ask("26 FC") == "F0"


def test_a_ticket_goes_through_escrow_into_the_box_and_its_number_can_be_read(reader: NV9) -> None:
    host = Host(reader)
    take_tickets(host)
    assert host.ask("27") == "F0 00 00"
    assert reader.insert_ticket(NUMBER)
    host.wait(0.6)
    assert host.ask("56") == "F0 E5"
    assert host.ask("27") == f"F0 01 12 {SPELLED}"
    assert reader.phase == "escrow"
    host.ask("56")
    host.wait(1.1)
    assert host.ask("56") == "F0 D1 EB"
    assert host.ask("56") == "F0 D1"
    assert host.ask("27") == f"F0 02 12 {SPELLED}"
    assert host.ask("57") == "F0"
    assert host.ask("56") == "F0"
    assert (reader.tickets_stacked, reader.tickets_returned, reader.stacked) == ([NUMBER], [], [])


def test_a_returned_ticket_is_reported(reader: NV9) -> None:
    host = Host(reader)
    take_tickets(host)
    reader.insert_ticket(NUMBER)
    host.wait(0.6)
    host.ask("07")
    assert host.ask("08") == "F0"
    host.wait(0.6)
    assert host.ask("27") == f"F0 03 12 {SPELLED}"
    assert (reader.tickets_stacked, reader.tickets_returned) == ([], [NUMBER])


@pytest.mark.parametrize("answer", ["24 03 02 12", "24 04 01 12", "24 03 01 05", "24 03 01 19"])
def test_a_reader_set_up_as_it_cannot_be_is_out_of_range(reader: NV9, answer: str) -> None:
    assert Host(reader).ask(answer) == "F4"


def test_tickets_are_refused_when_switched_off_too_short_or_unreadable(reader: NV9) -> None:
    host = Host(reader)
    take_tickets(host)
    for setting, number, reason in (("26 FC", NUMBER[1:], "14"), ("26 FC", "?" * 18, "14"), ("26 FE", NUMBER, "06")):
        assert host.ask(setting) == "F0"
        assert reader.insert_ticket(number)
        host.wait(1.1)
        assert host.ask("17") == f"F0 {reason}"
    assert host.ask("26 FD") == "F0"
    assert reader.insert(2000)
    host.wait(1.1)
    assert host.ask("17") == "F0 06"


def test_a_unit_without_reader_knows_nothing_of_bar_codes_and_sends_tickets_back(unit: NV9, host: Host) -> None:
    assert [host.ask(command) for command in ("23", "24 03 01 12", "26 FC", "27")] == ["F2"] * 4
    host.enable()
    assert unit.insert_ticket(NUMBER)
    host.wait(1.1)
    assert unit.tickets_returned == [NUMBER]


@pytest.mark.parametrize("acked", [False, True])
def test_a_stacked_ticket_not_acknowledged_is_reported_again_after_a_power_cut(reader: NV9, *, acked: bool) -> None:
    host = Host(reader)
    take_tickets(host)
    reader.insert_ticket(NUMBER)
    host.wait(0.6)
    host.ask("56")
    host.ask("56")
    host.wait(1.1)
    host.ask("56")
    if acked:
        host.ask("57")
    reader.power_cycle()
    assert host.ask("56") == ("F0 F1 E8" if acked else "F0 F1 D1 E8")
    assert host.ask("27") == f"F0 02 12 {SPELLED}"


# Keys.


def test_a_unit_that_demands_encryption_reports_its_identity_and_nothing_more() -> None:
    unit = NV9(CHANNELS, encryption="demanded")
    host = Host(unit)
    assert host.ask("11") == "F0"
    commands = ("06 09", "06 07", "0C", "07", "56", "0A", "02 FF FF", "58")
    asked = {command: host.ask(command) for command in commands}
    assert asked["06 09"] == "F8"
    assert asked["06 07"] == "F0"
    assert asked["0C"] == "F0 00 1C 96 2C"
    assert {asked[command] for command in ("07", "56", "0A", "02 FF FF", "58")} == {"FA"}
    assert not unit.enabled


def test_a_sealed_command_without_a_key_is_answered_key_not_set(host: Host) -> None:
    assert host.ask("7E" + " 00" * 16) == "FA"


def test_a_unit_without_keys_refuses_the_key_exchange() -> None:
    assert Host(NV9(CHANNELS, encryption="unknown")).ask("4A" + " 05" * 8) == "F2"


def test_a_wrong_seal_is_ignored_and_the_key_lasts_until_a_power_cut(host: Host) -> None:
    for command, number in (("4A", 982451653), ("4B", 1287821), ("4C", 5)):
        assert host.ask(f"{command} {number.to_bytes(8, 'little').hex(' ')}").startswith("F0")
    assert host.ask("7E" + " 00" * 16, sequence=False) == ""
    assert host.ask("7E" + " 00" * 5, sequence=False) == ""
    host.unit.power_cycle()
    assert host.ask("7E" + " 00" * 16) == "FA"


@pytest.mark.parametrize("command", ["4A 04 00 00 00 00 00 00 00", "4B 00 00 00 00 00 00 00 00"])
def test_numbers_that_are_not_prime_are_out_of_range(host: Host, command: str) -> None:
    assert host.ask(command) == "F4"
    assert host.ask("4C 05 00 00 00 00 00 00 00") == "F5"
