"""The game choice: each game offered, with what sets it apart, its limits and its return."""

from cabinet.engine.inputs import ChooseGame
from cabinet.engine.rules import Rules, Table
from cabinet.ui.messages import Key, Words
from cabinet.ui.scenes.bars import limits_text
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import ChoiceView, GameCard


def choice_view(moment: Moment) -> ChoiceView:
    """All games side by side, the one pointed at marked."""
    say = moment.words.say
    pays = {table.rules.blackjack_pays for table in moment.settings.tables}
    return ChoiceView(
        heading=say(Key.CHOICE_HEADING),
        lines=tuple(say(Key.CHOICE_LINE, ratio=moment.words.ratio(paid)) for paid in pays if len(pays) == 1),
        games=tuple(_card(moment, table) for table in moment.settings.tables),
    )


def _card(moment: Moment, table: Table) -> GameCard:
    rules = table.rules
    returns = moment.facts.returns.get(rules.game_id)
    return GameCard(
        game_id=rules.game_id,
        title=moment.words.title(rules),
        lines=game_lines(moment.words, rules),
        limits=limits_text(moment, table),
        returns=moment.words.say(Key.GAME_RETURN, percent=moment.words.percent(returns)) if returns else "",
        pointed=moment.machine.game_id == rules.game_id,
        enabled=moment.allows(ChooseGame(game_id=rules.game_id)),
    )


def game_lines(words: Words, rules: Rules) -> tuple[str, ...]:
    """What sets a game apart, in a few lines made from its rules."""
    places = Key.GAME_PLACES_ONE if rules.places_max == 1 else Key.GAME_PLACES_MANY
    splits = Key.GAME_SPLITS_ONE if rules.splits_max == 1 else Key.GAME_SPLITS_MANY
    lines = (
        words.say(places, number=words.number(rules.places_max)),
        words.say(Key.GAME_HOLE if rules.hole_card else Key.GAME_NO_HOLE),
        words.say(splits, number=words.number(rules.splits_max + 1)),
    )
    if rules.cards_max is None:
        return lines
    return (*lines, words.say(Key.GAME_CARDS_WIN, number=words.number(rules.cards_max)))
