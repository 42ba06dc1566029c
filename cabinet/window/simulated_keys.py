"""The keyboard of a simulated cabinet: keys for the panel's buttons and for every action on the devices."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from cabinet.engine.inputs import Button
from cabinet.presentation.port import SimulatedKey, SimulatedKeys
from cabinet.runtime.build import Cabinet

if TYPE_CHECKING:
    pass


PLAYER_KEYS: Mapping[str, str] = {
    "c": "cash_out",
    "a": "service",
    "x": "chip",
    "b": "bet",
    "n": "place",
    "l": "clear",
    "r": "rebet",
    "d": "double",
    "p": "split",
    "s": "stand",
    "h": "hit",
    "space": "deal",
}
"""Keys that act as panel buttons while they are down."""


def simulated_keys(cabinet: Cabinet) -> SimulatedKeys | None:
    """Returns the keyboard: the panel's buttons, and the user actions on the devices; None on a real cabinet."""
    simulated_devices = cabinet.simulated_devices
    if simulated_devices is None:
        return None
    keys: dict[str, SimulatedKey] = {}
    for key, button in PLAYER_KEYS.items():
        keys[key] = SimulatedKey(
            meaning=Button(button.replace("_", " ")),
            down=_once(partial(simulated_devices.panel.press, button)),
            up=_once(partial(simulated_devices.panel.release, button)),
        )
    for action in simulated_devices.actions():
        meaning = f"{action.description}: not with this device" if action.cannot else action.description
        keys[action.key] = SimulatedKey(meaning=meaning, down=_once(action.act))
    return SimulatedKeys(keys=keys)


def _once(act: Callable[[], object]) -> Callable[[], None]:
    def down() -> None:
        act()

    return down
