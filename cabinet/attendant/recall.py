"""The last games, card by card, as lines of text. Pure.

Each game is marked RECALL: it is a record, and reading it changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle

CARDS_A_LINE = 12

Story = Mapping[str, Any]


def game_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the last games, newest first."""
    lines = tuple(line for story in reversed(data.rounds) for line in _game(data, story))
    return lines or (Line(cells=("No game so far",)),)


def _game(data: AttendantData, story: Story) -> list[Line]:
    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    game = data.settings.table(story["game"]).rules.title if _offered(data, story["game"]) else story["game"]
    after = story["credit_after"]
    return [
        Line(cells=(f"RECALL  game {story['number']}, {game}, {state}", story["when"]), style=LineStyle.HEAD),
        _row("Credit before", data.money(story["credit_before"])),
        *_bets(data, story["bets"]),
        *_cards(drawn(story)),
        *(_choice(data, each) for each in story["choices"]),
        *(_result(data, each) for each in story["results"]),
        *(_insurance(data, each) for each in story["insurance"]),
        *(_row(f"Meanwhile: {each['kind']}", data.money(each["cents"])) for each in story["money"]),
        _row(*_total(data, story)),
        _row("Credit after", data.money(after) if after is not None else "the game is open"),
    ]


def _total(data: AttendantData, story: Story) -> tuple[str, str]:
    """Returns the stakes and what they paid."""
    staked = data.money(story["staked"])
    if story["open"]:
        return "Staked so far, paid", f"{staked}, open"
    paid = "given back" if story["voided"] else "paid"
    return f"Staked, {paid}", f"{staked}, {data.money(story['returned'])}"


def _row(*cells: str) -> Line:
    return Line(cells=cells)


def _offered(data: AttendantData, game_id: str) -> bool:
    return any(table.rules.game_id == game_id for table in data.settings.tables)


def _hand(each: Story) -> str:
    return f"Place {each['place'] + 1} hand {each['hand'] + 1}"


def _bets(data: AttendantData, bets: Sequence[int]) -> list[Line]:
    return [_row(f"Bet on place {place}", data.money(bet)) for place, bet in enumerate(bets, start=1) if bet]


def drawn(story: Story) -> list[str]:
    """Returns each card in drawing order with its owner: D the dealer, 1 place 1, 1/2 the second hand of place 1."""
    to = [_short(each["to"]) for each in story["dealt"] if not each.get("turned")]
    return [f"{whose}:{card}" for whose, card in zip(to, story["cards"], strict=True)]


def _cards(words: Sequence[str]) -> list[Line]:
    return [
        _row("Cards as drawn" if not start else "", "  ".join(words[start : start + CARDS_A_LINE]))
        for start in range(0, len(words), CARDS_A_LINE)
    ]


def _short(to: str) -> str:
    """`dealer` is D, `place 1 hand 2` is 1/2."""
    words = to.split()
    return "D" if words == ["dealer"] else words[1] if words[3] == "1" else f"{words[1]}/{words[3]}"


def _choice(data: AttendantData, each: Story) -> Line:
    added, choice = each["added"], each["choice"]
    if choice == "insurance" and not added:
        choice = "no insurance"
    return _row(f"{_hand(each)} chooses", f"{choice}, {data.money(added)} more" if added else choice)


def _result(data: AttendantData, each: Story) -> Line:
    outcome = f"{each['outcome']}, stake {data.money(each['stake'])}, paid {data.money(each['returned'])}"
    return _row(_hand(each), outcome)


def _insurance(data: AttendantData, each: Story) -> Line:
    paid = f"stake {data.money(each['stake'])}, paid {data.money(each['returned'])}"
    return _row(f"Place {each['place'] + 1} insurance", paid)
