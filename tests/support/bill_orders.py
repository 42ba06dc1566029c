"""Orders to bill acceptors as words, for conversations written as text."""

from drivers.bills.events import BillOrder, Return, Stack, Take
from drivers.protocol import Confirm


def read_order(words: str) -> BillOrder:
    """`Stack`, `Return`, `Take 1 2 3` or `Confirm 1`."""
    name, _, rest = words.partition(" ")
    match name:
        case "Stack":
            return Stack()
        case "Return":
            return Return()
        case "Take":
            return Take(channels=frozenset(int(word) for word in rest.split()))
        case "Confirm":
            return Confirm(receipt=int(rest))
        case _:
            raise ValueError(f"no order is called {words!r}")
