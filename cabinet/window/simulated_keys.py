"""The keyboard of a simulated cabinet: keys for the panel's buttons and for every action on the devices."""

from collections.abc import Callable, Mapping
from functools import partial

from cabinet.engine.inputs import Button
from cabinet.presentation.port import SimulatedKey, SimulatedKeys
from cabinet.runtime.build import Cabinet
from cabinet.runtime.simulated import panel_actions
from drivers.simulated.panel import SimulatedPanel

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
    keys = _button_keys(simulated_devices.panel)
    for action in simulated_devices.actions():
        meaning = f"{action.description}: not with this device" if action.cannot else action.description
        keys[action.key] = SimulatedKey(meaning=meaning, down=_once(action.act))
    return SimulatedKeys(keys=keys)


def panel_keys(panel: SimulatedPanel) -> SimulatedKeys:
    """Returns the keyboard of a simulated cabinet that may not start: the panel's buttons and the audit key."""
    keys = _button_keys(panel)
    for action in panel_actions(panel):
        if action.name in {"audit_key_on", "audit_key_off"}:
            keys[action.key] = SimulatedKey(meaning=action.description, down=_once(action.act))
    return SimulatedKeys(keys=keys)


def _button_keys(panel: SimulatedPanel) -> dict[str, SimulatedKey]:
    return {
        key: SimulatedKey(
            meaning=Button(button.replace("_", " ")),
            down=_once(partial(panel.press, button)),
            up=_once(partial(panel.release, button)),
        )
        for key, button in PLAYER_KEYS.items()
    }


def _once(act: Callable[[], object]) -> Callable[[], None]:
    def down() -> None:
        act()

    return down
