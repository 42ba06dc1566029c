"""The place in the cabinet where an attendant looks first, by kind of lock. Pure.

Rules: every kind of lock has a place, or a reason why nothing in the cabinet shows its cause. The words name the place,
so that the drawing only repeats them.
"""

from collections.abc import Mapping

from cabinet.attendant.charts import Place
from cabinet.engine.state import LockKind
from cabinet.text.attendant_words import text

PLACES: Mapping[LockKind, Place] = {
    LockKind.MEMORY: Place.LOGIC_DOOR,
    LockKind.LOGIC_DOOR: Place.LOGIC_DOOR,
    LockKind.MAIN_DOOR: Place.MAIN_DOOR,
    LockKind.CASHBOX_DOOR: Place.CASH_BOX,
    LockKind.CASHBOX_REMOVED: Place.CASH_BOX,
    LockKind.DOOR_WHILE_OFF: Place.MAIN_DOOR,
    LockKind.BILL_CHEAT: Place.ACCEPTOR,
    LockKind.BILL_JAM: Place.ACCEPTOR,
    LockKind.NOTE_IN_DOUBT: Place.ACCEPTOR,
    LockKind.UNEXPECTED_NOTE: Place.CASH_BOX,
    LockKind.TICKET_IN_DOUBT: Place.ACCEPTOR,
    LockKind.UNEXPECTED_TICKET: Place.CASH_BOX,
    LockKind.EXCESSIVE_INCREMENT: Place.CASH_BOX,
    LockKind.PRINT_UNKNOWN: Place.PRINTER,
    LockKind.PRINTER_JAM: Place.PRINTER,
    LockKind.DISPLAY_LOST: Place.SCREEN,
    LockKind.SECOND_COPY_LOST: Place.LOGIC_DOOR,
    LockKind.COPIES_NOT_COMPARED: Place.LOGIC_DOOR,
    LockKind.CASHBOX_FULL: Place.CASH_BOX,
    LockKind.EXCESSIVE_REJECTS: Place.ACCEPTOR,
    LockKind.ACCEPTOR_FAULT: Place.ACCEPTOR,
    LockKind.ACCEPTOR_LINK: Place.ACCEPTOR,
    LockKind.ACCEPTOR_WRONG: Place.ACCEPTOR,
    LockKind.ACCEPTOR_EVENTS_LOST: Place.CASH_BOX,
    LockKind.PRINTER_LINK: Place.PRINTER,
    LockKind.PRINTER_FAULT: Place.PRINTER,
    LockKind.PRINTER_COVER: Place.PRINTER,
    LockKind.PAPER_OUT: Place.PRINTER,
    LockKind.PAPER_LOW: Place.PRINTER,
    LockKind.CASHBOX_NEAR_FULL: Place.CASH_BOX,
    LockKind.OVER_TEMPERATURE: Place.LOGIC_DOOR,
    LockKind.UNDER_VOLTAGE: Place.LOGIC_DOOR,
    LockKind.STUCK_BUTTON: Place.PANEL,
}
"""Where the cause of a lock is looked for first."""

WITHOUT_A_PLACE: Mapping[LockKind, str] = {
    LockKind.SETTINGS_REFUSED: "the cause is in the settings",
    LockKind.DATA_REFUSED: "the cause is in the data, and the detail names the folder",
    LockKind.DATA_PARTITION_MISSING: "the technician checks the medium and its mount while the machine is on",
    LockKind.SELF_AUDIT: "the cause is in the books",
    LockKind.PROGRAM_CHANGED: "the cause is in the program",
    LockKind.HAND_PAY: "the player waits for money, and nothing is wrong with the machine",
    LockKind.LARGE_WIN: "the player has won, and nothing is wrong with the machine",
    LockKind.OUT_OF_SERVICE: "an attendant has decided it on this screen",
    LockKind.STORAGE_LOW: "the technician frees room in the data",
    LockKind.RECORDS_IN_DOUBT: "the meters are compared with papers",
    LockKind.PLAYER_LIMIT: "the player has set the limit on this screen",
    LockKind.CLOCK_INVALID: "the time is on this screen",
}
"""Why a lock has no drawing."""

PLACE_WORDS: Mapping[Place, str] = {
    Place.ACCEPTOR: text("The note acceptor"),
    Place.PRINTER: text("The ticket printer"),
    Place.CASH_BOX: text("The cash box"),
    Place.MAIN_DOOR: text("The main door"),
    Place.LOGIC_DOOR: text("The computer, behind its own door"),
    Place.PANEL: text("The buttons"),
    Place.SCREEN: text("The screen"),
}
"""The name of each place."""
