"""The last games, card by card, as lines of text. Pure.

RECALL stands above each game: nothing here is being played, and looking changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cabinet.attendant.data import Desk
from cabinet.attendant.pages import Line, LineStyle

CARDS_A_LINE = 12

Story = Mapping[str, Any]


def game_lines(desk: Desk) -> tuple[Line, ...]:
    """The last games, newest first."""
    lines = tuple(line for story in reversed(desk.rounds) for line in _game(desk, story))
    return lines or (Line(cells=("No game so far",)),)


def _game(desk: Desk, story: Story) -> list[Line]:
    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    game = desk.settings.table(story["game"]).rules.title if _offered(desk, story["game"]) else story["game"]
    after = story["credit_after"]
    return [
        Line(cells=(f"RECALL  game {story['number']}, {game}, {state}", story["when"]), style=LineStyle.HEAD),
        _row("Credit before", desk.money(story["credit_before"])),
        *_bets(desk, story["bets"]),
        *_cards(drawn(story)),
        *(_choice(desk, each) for each in story["choices"]),
        *(_result(desk, each) for each in story["results"]),
        *(_insurance(desk, each) for each in story["insurance"]),
        *(_row(f"Meanwhile: {each['kind']}", desk.money(each["cents"])) for each in story["money"]),
        _row(*_total(desk, story)),
        _row("Credit after", desk.money(after) if after is not None else "the game is open"),
    ]


def _total(desk: Desk, story: Story) -> tuple[str, str]:
    """What was staked, and what came back of it."""
    staked = desk.money(story["staked"])
    if story["open"]:
        return "Staked so far, paid", f"{staked}, open"
    paid = "given back" if story["voided"] else "paid"
    return f"Staked, {paid}", f"{staked}, {desk.money(story['returned'])}"


def _row(*cells: str) -> Line:
    return Line(cells=cells)


def _offered(desk: Desk, game_id: str) -> bool:
    return any(table.rules.game_id == game_id for table in desk.settings.tables)


def _hand(each: Story) -> str:
    return f"Place {each['place'] + 1} hand {each['hand'] + 1}"


def _bets(desk: Desk, bets: Sequence[int]) -> list[Line]:
    return [_row(f"Bet on place {place}", desk.money(bet)) for place, bet in enumerate(bets, start=1) if bet]


def drawn(story: Story) -> list[str]:
    """Every card in the order it was drawn, with whom it went to: D the dealer, 1 place 1, 1/2 its second hand."""
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


def _choice(desk: Desk, each: Story) -> Line:
    added, choice = each["added"], each["choice"]
    if choice == "insurance" and not added:
        choice = "no insurance"
    return _row(f"{_hand(each)} chooses", f"{choice}, {desk.money(added)} more" if added else choice)


def _result(desk: Desk, each: Story) -> Line:
    outcome = f"{each['outcome']}, stake {desk.money(each['stake'])}, paid {desk.money(each['returned'])}"
    return _row(_hand(each), outcome)


def _insurance(desk: Desk, each: Story) -> Line:
    paid = f"stake {desk.money(each['stake'])}, paid {desk.money(each['returned'])}"
    return _row(f"Place {each['place'] + 1} insurance", paid)
