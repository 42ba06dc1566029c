"""The pins of buttons, lamps, doors and keys: whether they can be had, and whether a contact is seen.

Rules: one input is opened as the cabinet opens it, with edges, because a library can open its pins and see no contact.
While a cabinet runs on the data, its pins are left alone.
"""

from contextlib import ExitStack

from cabinet.commands.doctor.findings import Finding, bad, good
from cabinet.commands.doctor.visit import Visit, why_absent
from cabinet.store.errors import StoreBusyError, StoreError
from cabinet.store.opening import FILE, own_known
from drivers.errors import DriverError
from drivers.panel.gpio import open_contact
from drivers.panel.layout import Input
from drivers.panel.pin_factory import library_of, make_factory


def check_pins(visit: Visit) -> Finding:
    """Checks the pin library by opening one contact."""
    name = "mock" if visit.simulate else visit.config.panel.factory
    try:
        factory = make_factory(
            name,
            devices=visit.at("/dev"),
            compatible=visit.at("/proc/device-tree/compatible"),
            release=visit.read("/proc/sys/kernel/osrelease"),
            environment=visit.environment,
        )
    except DriverError as error:
        return bad("Pins", str(error), "`cabinet wiring` shows which pin is which")
    said = f"pin factory {name}{f' by {library}' if (library := library_of(name)) else ''}"
    try:
        if name == "mock" and not visit.simulate:
            return bad("Pins", "the pins are simulated, the cabinet is not", "set panel.factory to lgpio")
        if _is_running(visit):
            return good("Pins", f"{said}; no contact was opened: a cabinet is running")
        contact = visit.config.wiring().inputs[Input.DEAL]
        open_contact(Input.DEAL, contact, factory).close()
    except DriverError as error:
        return bad("Pins", f"{said}: {error}", "`cabinet wiring` shows which pin is which")
    finally:
        factory.close()
    return good("Pins", f"{said}; DEAL on GPIO{contact.pin} is opened with edges")


def _is_running(visit: Visit) -> bool:
    """Returns True if a cabinet owns the data, and so the pins."""
    if why_absent(visit.data / FILE) is not None:
        return False
    try:
        with ExitStack() as reach:
            own_known(visit.data, reach)
            return False
    except StoreBusyError:
        return True
    except StoreError:
        return False
