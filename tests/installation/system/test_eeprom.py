"""Advice about the boot loader."""

import pytest

from cabinet.installation.system.eeprom import advise, put_advice

STOCK = "[all]\nBOOT_UART=1\nWAKE_ON_GPIO=1\nPOWER_OFF_ON_HALT=0\nBOOT_ORDER=0xf41\n"


@pytest.mark.parametrize(
    ("medium", "order"), [("mmcblk0p2", "0xf1"), ("nvme0n1p2", "0xf6"), ("sda2", "0xf4"), ("", None), ("dm-0", None)]
)
def test_the_machine_starts_from_the_medium_of_its_system_only(medium: str, order: str | None):
    assert {each.key: each.wanted for each in advise(STOCK, medium)}.get("BOOT_ORDER") == order


def test_what_is_advised_is_no_more_advised_afterwards():
    text = put_advice(STOCK, advise(STOCK, "mmcblk0p2"))
    assert advise(text, "mmcblk0p2") == ()
    assert text.count("BOOT_ORDER") == 1


def test_a_line_for_one_board_only_does_not_take_the_advice_with_it():
    text = put_advice(f"{STOCK}[gpio8=0]\nHDMI_DELAY=0", advise(STOCK, "mmcblk0p2"))
    assert text.index("[all]\nBOOT_ORDER") > text.index("HDMI_DELAY=0\n")


def test_an_empty_chip_gets_what_differs_from_the_defaults():
    assert [each.key for each in advise("", "mmcblk0p2")] == ["BOOT_ORDER", "WAKE_ON_GPIO"]


def test_advice_says_what_is_set_now_and_why():
    assert str(advise(STOCK, "mmcblk0p2")[0]) == (
        "BOOT_ORDER=0xf1 (now 0xf41): a medium in another socket must not start this machine"
    )
