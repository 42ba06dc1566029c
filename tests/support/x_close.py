"""The close button of a window manager, where there is none: asks an X window to close.

Run with the number of the window, and DISPLAY in the environment. A process of its own, because Xlib ends one at an
error. What is sent is WM_DELETE_WINDOW of the ICCCM, section 4.2.8.1.
"""

import ctypes
import sys
from typing import ClassVar

CLIENT_MESSAGE = 33
FORMAT_BITS = 32


class ClientMessage(ctypes.Structure):
    """`XClientMessageEvent` of Xlib, as long as its union of all events."""

    _fields_: ClassVar = [
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("rest", ctypes.c_long * 24),
    ]


def ask_to_close(window: int) -> None:
    """As the close button does; waits until the server has taken it."""
    xlib = ctypes.CDLL("libX11.so.6")
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(xlib.XOpenDisplay(None))
    protocols, delete = (xlib.XInternAtom(display, name, False) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    event = ClientMessage(type=CLIENT_MESSAGE, window=window, message_type=protocols, format=FORMAT_BITS)
    event.data[0] = delete
    xlib.XSendEvent(display, ctypes.c_ulong(window), False, ctypes.c_long(0), ctypes.byref(event))
    xlib.XSync(display, False)


if __name__ == "__main__":
    ask_to_close(int(sys.argv[1]))
