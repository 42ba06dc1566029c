"""Clock chips and their batteries, by the texts of the kernel."""

from collections.abc import Sequence

import pytest

from cabinet.commands.doctor.clock import Chip, clock_finding
from cabinet.commands.doctor.findings import Grade
from cabinet.runtime.startup import RELEASED_MS

TODAY_MS = RELEASED_MS + 1
MODEL_5 = "Raspberry Pi 5 Model B Rev 1.0"
MODEL_4 = "Raspberry Pi 4 Model B Rev 1.5"
OWN = "rpi-rtc soc@107c000000:rpi_rtc"


@pytest.mark.parametrize(
    ("model", "chips", "grade", "words"),
    [
        (MODEL_4, (), Grade.POOR, "no battery clock"),
        (MODEL_4, (Chip(name="rtc-ds1307 1-0068"),), Grade.GOOD, "20"),
        (MODEL_5, (Chip(name=OWN, battery_uv="5128", charging_uv="0"),), Grade.POOR, "no battery on the clock chip"),
        (MODEL_5, (Chip(name=OWN, battery_uv="1900000", charging_uv="0"),), Grade.POOR, "an empty one (1.90 V)"),
        (MODEL_5, (Chip(name=OWN, battery_uv="3070082", charging_uv="0"),), Grade.GOOD, "battery 3.1 V, not charged"),
        (MODEL_5, (Chip(name=OWN, battery_uv="2990000", charging_uv="3000000"),), Grade.GOOD, "charged up to 3.0 V"),
        (MODEL_5, (Chip(name=OWN),), Grade.POOR, "no battery can be seen"),
        (MODEL_5, (Chip(name=OWN, charging_uv="0"),), Grade.POOR, "no battery can be seen"),
        (MODEL_5, (Chip(name=OWN, charging_uv="3000000"),), Grade.GOOD, "charged up to 3.0 V"),
        (MODEL_5, (Chip(name=""),), Grade.POOR, "no battery can be seen"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", (Chip(name=""),), Grade.POOR, "no battery can be seen"),
        (MODEL_5, (Chip(name=OWN, battery_uv="5128"), Chip(name="rtc-ds1307 1-0068")), Grade.GOOD, "20"),
        ("a desktop", (Chip(name=""),), Grade.GOOD, "20"),
    ],
)
def test_a_clock_is_good_only_when_it_goes_on_without_power(
    model: str, chips: Sequence[Chip], grade: Grade, words: str
) -> None:
    found = clock_finding(TODAY_MS, model, chips)
    assert (found.grade, words in found.found) == (grade, True)
    assert ("power cut" in found.todo) is (grade is Grade.POOR)
