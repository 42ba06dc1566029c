"""The game choice: each game with its distinguishing rules, its limits and its return."""

from cabinet.engine.inputs import ChooseGame
from cabinet.engine.rules import Rules, Table
from cabinet.text.messages import Key, Words
from cabinet.ui.scenes.bars import limits_text
from cabinet.ui.scenes.moment import Moment
from cabinet.ui.view import ChoiceView, GameCard


def choice_view(moment: Moment) -> ChoiceView:
    """Returns all games side by side, with the one pointed at marked."""
    say = moment.words.say
    pays = _pays(moment)
    return ChoiceView(
        heading=say(Key.CHOICE_HEADING),
        lines=tuple(say(Key.CHOICE_LINE, ratio=moment.words.ratio(paid)) for paid in pays if len(pays) == 1),
        games=tuple(_card(moment, table) for table in moment.settings.tables),
    )


def _pays(moment: Moment) -> set[tuple[int, int]]:
    """Returns the blackjack payoffs of the tables: a single one stands in the heading, several on the games' cards."""
    return {table.rules.blackjack_pays for table in moment.settings.tables}


def _card(moment: Moment, table: Table) -> GameCard:
    rules, words = table.rules, moment.words
    pays = (words.say(Key.FELT_BLACKJACK, ratio=words.ratio(rules.blackjack_pays)),) if len(_pays(moment)) > 1 else ()
    returns = moment.facts.returns.get(rules.game_id)
    return GameCard(
        game_id=rules.game_id,
        title=words.title(rules),
        lines=(*pays, *game_lines(words, rules)),
        limits=limits_text(moment, table),
        returns=words.say(Key.GAME_RETURN, percent=words.percent(returns)) if returns else "",
        pointed=moment.machine.seat.game_id == rules.game_id,
        enabled=moment.allows(ChooseGame(game_id=rules.game_id)),
    )


def game_lines(words: Words, rules: Rules) -> tuple[str, ...]:
    """Returns what distinguishes a game, in a few lines made from its rules."""
    places = Key.GAME_PLACES_ONE if rules.places_max == 1 else Key.GAME_PLACES_MANY
    splits = {0: Key.GAME_SPLITS_NONE, 1: Key.GAME_SPLITS_ONE}.get(rules.splits_max, Key.GAME_SPLITS_MANY)
    lines = (
        words.say(places, number=words.number(rules.places_max)),
        words.say(Key.GAME_HOLE if rules.hole_card else Key.GAME_NO_HOLE),
        words.say(splits, number=words.number(rules.splits_max + 1)),
    )
    if rules.cards_max is None:
        return lines
    return (*lines, words.say(Key.GAME_CARDS_WIN, number=words.number(rules.cards_max)))
