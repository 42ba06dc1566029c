"""The last games, card by card, as lines of text. Pure.

Each game is marked RECALL: it is a record, and reading it changes nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cabinet.attendant.data import AttendantData
from cabinet.attendant.pages import Line, LineStyle

CARDS_A_LINE = 12

AFTER = "After the game"
"""Heads the money that moved between this game and the next."""
MOVED = {"bill in": "note in"}
"""The field's words for stored words that it does not use."""

Story = Mapping[str, Any]
Row = tuple[str, str]
Money = Callable[[int], str]
"""Returns an amount in cents as text."""


def game_lines(data: AttendantData) -> tuple[Line, ...]:
    """Returns the last games, newest first."""
    lines = tuple(line for story in reversed(data.rounds) for line in story_lines(data, story))
    return lines or (Line(cells=(data.say("No game so far"),)),)


def story_lines(data: AttendantData, story: Story) -> list[Line]:
    """Returns one game."""
    state = "voided" if story["voided"] else "open" if story["open"] else "settled"
    game = title_of(data, story["game"])
    title = Line(cells=(f"RECALL  game {story['number']}, {game}, {state}", story["when"]), style=LineStyle.HEAD)
    return [title, *(Line(cells=cells) for cells in game_rows(story, data.money))]


def game_rows(story: Story, money: Money) -> Iterator[Row]:
    """Yields a game in rows of a name and its words. The amounts above *Credit after* add up to it; money that moved
    before the next game stands below, under a heading of its own."""
    after = story["credit_after"]
    yield "Credit before", money(story["credit_before"])
    yield from ((f"Bet on place {place}", money(bet)) for place, bet in enumerate(story["bets"], start=1) if bet)
    yield from _cards(drawn(story))
    yield from (_choice(money, each) for each in story["choices"])
    yield from (_result(money, each) for each in story["results"])
    yield from (_insurance(money, each) for each in story["insurance"])
    yield from (_moved("During the game: ", money, each) for each in story["money"] if not each["after"])
    yield _total(money, story)
    yield "Credit after", money(after) if after is not None else "the game is open"
    if later := [each for each in story["money"] if each["after"]]:
        yield AFTER, ""
        yield from (_moved("", money, each) for each in later)


def _moved(when: str, money: Money, each: Story) -> Row:
    """Returns the row of money that moved beside the stakes."""
    words = f"{when}{moved_words(each['kind'])}"
    return f"{words[0].upper()}{words[1:]}", money(each["cents"])


def moved_words(kind: str) -> str:
    """Returns the field's words for money that moved, from the stored ones."""
    return MOVED.get(kind, kind)


def _total(money: Money, story: Story) -> Row:
    """Returns the stakes and what they paid."""
    staked = money(story["staked"])
    if story["open"]:
        return "Staked so far, paid", f"{staked}, open"
    paid = "given back" if story["voided"] else "paid"
    return f"Staked, {paid}", f"{staked}, {money(story['returned'])}"


def title_of(data: AttendantData, game_id: str) -> str:
    """Returns the name of a game; its stored word where the game is no longer offered."""
    offered = {table.rules.game_id: table.rules.title for table in data.settings.tables}
    return offered.get(game_id, game_id)


def _hand(each: Story) -> str:
    return f"Place {each['place'] + 1} hand {each['hand'] + 1}"


def drawn(story: Story) -> list[str]:
    """Returns each card in drawing order with its owner: D the dealer, 1 place 1, 1/2 the second hand of place 1."""
    to = [_short(each["to"]) for each in story["dealt"] if not each.get("turned")]
    return [f"{whose}:{card}" for whose, card in zip(to, story["cards"], strict=True)]


def _cards(words: Sequence[str]) -> list[Row]:
    return [
        ("Cards as drawn" if not start else "", "  ".join(words[start : start + CARDS_A_LINE]))
        for start in range(0, len(words), CARDS_A_LINE)
    ]


def _short(to: str) -> str:
    """`dealer` is D, `place 1 hand 2` is 1/2."""
    words = to.split()
    return "D" if words == ["dealer"] else words[1] if words[3] == "1" else f"{words[1]}/{words[3]}"


def _choice(money: Money, each: Story) -> Row:
    added, choice = each["added"], each["choice"]
    if choice == "insurance" and not added:
        choice = "no insurance"
    return f"{_hand(each)} chooses", f"{choice}, {money(added)} more" if added else choice


def _result(money: Money, each: Story) -> Row:
    return _hand(each), f"{each['outcome']}, stake {money(each['stake'])}, paid {money(each['returned'])}"


def _insurance(money: Money, each: Story) -> Row:
    paid = f"stake {money(each['stake'])}, paid {money(each['returned'])}"
    return f"Place {each['place'] + 1} insurance", paid
