"""Draw the picture that the Pi shows while it starts: the four suits in brass on the cloth of the table.

The kernel reads a TGA picture of 24 bits without compression, of at most 1920 x 1080 pixels and 224 colours, the first
row on top. Every pixel is a step between two colours of the palette, so the number of colours is known before anything
is drawn. The same libraries give the same bytes.
"""

import argparse
import os
import struct
import sys
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

MOST_WIDTH, MOST_HEIGHT, MOST_COLOURS = 1920, 1080, 224
STEPS: Final = 64
"""Steps of colour from the ground to the ink: edges look smooth, and three inks would still fit."""
SUITS: Final = ("spades", "hearts", "clubs", "diamonds")
HEIGHT: Final = 0.16
"""The height of a suit, as a part of the picture's height."""
GAP: Final = 0.09

Pixels = npt.NDArray[np.uint8]


def draw(width: int, height: int) -> Pixels:
    """Returns the picture as rows of red, green and blue. Raises ValueError for a size that the kernel refuses."""
    if not (0 < width <= MOST_WIDTH and 0 < height <= MOST_HEIGHT):
        raise ValueError(f"found {width}x{height}, expected at most {MOST_WIDTH}x{MOST_HEIGHT}")
    # The library is loaded here: it chooses its screen when it is loaded.
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame

    from cabinet.ui.art import palette, pictures

    size = round(height * HEIGHT)
    left = (width - len(SUITS) * size - (len(SUITS) - 1) * round(height * GAP)) // 2
    cover = np.zeros((height, width), dtype=np.uint8)
    for suit in SUITS:
        picture = pictures.read(f"cards/{suit}")
        surface = pictures.rendered(picture.drawing, (size, size), picture.box)
        top = (height - size) // 2
        cover[top : top + size, left : left + size] = pygame.surfarray.array_alpha(surface).T
        left += size + round(height * GAP)
    return _mix(cover, palette.FELT["table"].outer, palette.BRASS)


def _mix(cover: Pixels, ground: tuple[int, int, int], ink: tuple[int, int, int]) -> Pixels:
    """Returns for each pixel the step between two colours that its cover is nearest to."""
    step = np.rint(cover / 255 * (STEPS - 1)).astype(np.uint8)
    ramp = np.rint(np.linspace(ground, ink, STEPS)).astype(np.uint8)
    mixed: Pixels = ramp[step]
    return mixed


def encode(pixels: Pixels) -> bytes:
    """Returns the picture as a TGA file."""
    height, width, _ = pixels.shape
    uncompressed, first_row_on_top = 2, 0x20
    head = struct.pack("<BBB5xHHHHBB", 0, 0, uncompressed, 0, 0, width, height, 24, first_row_on_top)
    return head + pixels[:, :, ::-1].tobytes()


def main() -> int:
    """Reads the arguments and writes the file."""
    parser = argparse.ArgumentParser(description="Draw the picture that the Pi shows while it starts.")
    parser.add_argument("--size", default=f"{MOST_WIDTH}x{MOST_HEIGHT}", help="width and height, such as 1280x720")
    parser.add_argument("out", type=Path, help="the TGA file to write")
    options = parser.parse_args()
    try:
        width, height = map(int, options.size.split("x"))
        pixels = draw(width, height)
    except ValueError as error:
        print(f"splash: {options.size}: {error}", file=sys.stderr)
        return 1
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_bytes(encode(pixels))
    return 0


if __name__ == "__main__":
    sys.exit(main())
