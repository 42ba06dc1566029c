"""The rules of the learned USB sockets."""

import pytest

from cabinet.config.acceptor import AcceptorSection
from cabinet.config.printer import PrinterSection
from cabinet.installation.system.sockets import ACCEPTOR, PRINTER, SocketError, gives_name, put_sockets, read_sockets

LEFT, RIGHT = "platform-xhci-hcd.0-usb-0:1:1.0", "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.2:1.0"
BOTH = {ACCEPTOR: LEFT, PRINTER: RIGHT}


def test_each_socket_has_the_name_of_the_settings():
    text = put_sockets("", BOTH)
    assert read_sockets(text) == BOTH
    names = {f"/dev/cabinet/{name}" for name in read_sockets(text)}
    assert names == {AcceptorSection().port, PrinterSection().port}


def test_a_second_run_changes_nothing():
    once = put_sockets("", BOTH)
    assert put_sockets(once, BOTH) == once


def test_a_name_of_the_settings_is_given():
    text = put_sockets("", BOTH, {ACCEPTOR: "/dev/bills", PRINTER: "/dev/house/printer-2"})
    assert ('SYMLINK+="bills"' in text, 'SYMLINK+="house/printer-2"' in text) == (True, True)
    assert read_sockets(text) == BOTH


@pytest.mark.parametrize(
    "port", ["/dev/ttyUSB0", "/dev/serial/by-id/usb-FTDI-if00", "/dev/../etc/x", '/dev/a", RUN+="b', "bills", "/dev/"]
)
def test_a_name_that_no_rule_may_give_leaves_the_usual_one(port: str):
    assert gives_name(port) is False
    assert 'SYMLINK+="cabinet/printer"' in put_sockets("", BOTH, {PRINTER: port})


def test_two_devices_cannot_have_one_socket():
    with pytest.raises(SocketError, match="found the same socket"):
        put_sockets("", {ACCEPTOR: LEFT, PRINTER: LEFT})


@pytest.mark.parametrize("path", ["", 'x", RUN+="rm"', "a\nb", "a b"])
def test_a_path_that_is_none_is_refused(path: str):
    with pytest.raises(SocketError, match="expected a path such as"):
        put_sockets("", {ACCEPTOR: path})


def test_without_sockets_there_are_no_rules():
    assert put_sockets(put_sockets("", BOTH), {}) == ""
