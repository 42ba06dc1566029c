"""The picture while the Pi starts: within the limits of the kernel, and the same each time."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def splash() -> Iterator[ModuleType]:
    """The script that draws it."""
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        yield importlib.import_module("splash")
    finally:
        sys.path.remove(str(ROOT / ".ci"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file that the command writes."""
    out = tmp_path_factory.mktemp("splash") / "splash.tga"
    subprocess.run([sys.executable, ROOT / ".ci/splash.py", out], check=True, capture_output=True)
    return out.read_bytes()


def test_it_is_a_picture_of_24_bits_without_compression_and_the_first_row_on_top(written: bytes):
    assert written[:3] == bytes([0, 0, 2])
    assert (written[16], written[17]) == (24, 0x20)
    assert len(written) == 18 + 1920 * 1080 * 3


def test_it_has_no_more_pixels_and_colours_than_the_kernel_reads(written: bytes):
    picture = Image.open(BytesIO(written))
    assert picture.size == (1920, 1080)
    colours = picture.getcolors(maxcolors=224)
    assert colours is not None
    assert len(colours) > 2


def test_the_same_program_draws_the_same_bytes(splash: ModuleType, written: bytes):
    assert splash.encode(splash.draw(1920, 1080)) == written


def test_every_suit_is_drawn(splash: ModuleType):
    columns = (splash.draw(960, 540) != splash.draw(960, 540)[0, 0]).any(axis=(0, 2))
    begins = columns[1:] & ~columns[:-1]
    assert begins.sum() == len(splash.SUITS)


def test_a_size_that_the_kernel_refuses_is_refused(splash: ModuleType):
    for size in ((1921, 1080), (1920, 1081), (0, 10)):
        with pytest.raises(ValueError, match="expected at most 1920x1080"):
            splash.draw(*size)


def test_a_wrong_size_is_one_sentence(tmp_path: Path):
    command = [sys.executable, ROOT / ".ci/splash.py", "--size", "4000x3000", tmp_path / "out.tga"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "splash: 4000x3000: found 4000x3000, expected at most 1920x1080\n")
