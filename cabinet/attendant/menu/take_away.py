"""The pages of what an attendant takes away from the machine. Pure.

Rules: the figures are signed when their page is shown. What is signed is English, as `cabinet check-report` reads it;
the page shows its lines unchanged.
"""

from cabinet.attendant.charts import PhoneCode
from cabinet.attendant.data import AttendantData
from cabinet.attendant.menu.values import Menu, Node
from cabinet.attendant.pages import sentences
from cabinet.statement.signing import check
from cabinet.text.attendant_words import text

CODE = text("Code for a phone")
KEY_SHOWN = 12
"""How much of the public key the page shows; the code holds all of it."""
UNSHOWN = "Hash"
"""A line of the statement that says nothing to a person."""


def code_node(_menu: Menu, data: AttendantData) -> Node:
    """Returns the page with the signed figures as a code."""
    if data.statement is None:
        return Node(title=data.say(CODE), lines=sentences(data.say("This machine has no key to sign with.")))
    signed = data.statement(data)
    found = check(signed)
    pairs = (line.partition(": ") for line in found.text.splitlines())
    return Node(
        title=data.say(CODE),
        code=PhoneCode(
            text=signed,
            rows=tuple((name, value) for name, mark, value in pairs if mark and name != UNSHOWN),
            words=(
                data.say("Signed with the key {key}...", key=found.key[:KEY_SHOWN]),
                data.say(
                    "Read the code with a phone and keep its text. The command cabinet check-report shows whether this "
                    "machine signed it."
                ),
            ),
        ),
    )
