"""Everything on the screen, as one value.

Rules: a Screen is complete: painting decides nothing and computes no text or amount. Positions are slots by name;
pixels come from `layout`. Equal screens compare equal and need no painting (`next_change_s` does not count). All text
is in the player's language, all amounts are formatted, and the progress of moving parts is eased already.
Does not know pixels, colours, fonts, time or the machine.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from cabinet.attendant.pages import Page
from cabinet.engine.cards import Card
from cabinet.engine.inputs import Button

DEALER = -1
"""The place number of the dealer in slots."""


class Scene(Enum):
    """What fills the screen, under overlays."""

    ATTRACT = "attract"
    """No player: `attract` is set; `table` too when the slide shows a demonstration hand."""
    CHOICE = "choice"
    """The game choice: `choice` is set."""
    TABLE = "table"
    """A table of one game: `table` is set."""
    AUDIT = "audit"
    """The attendant's page: `audit` is set; of the rail only the legends, no sprites. `table` is set for the picture of
    a past game, which cannot be touched."""


class Kind(Enum):
    """Kinds of slots; the comment gives the numbers that name one (place, hand, nth), and where it exists."""

    __hash__ = object.__hash__  # the enum's own is Python code, and a frame looks up thousands of slots

    TOP_BAR = "top bar"
    TITLE = "title"
    LIMITS = "limits"
    TOP_ITEM = "top item"  # nth: index into Screen.top.items
    CLOCK = "clock"
    SHOE = "shoe"
    DISCARD = "discard"  # beyond the left edge: where cleared cards go
    PLATE = "plate"  # left of the dealer: TableView.plate
    DEALER_BANNER = "dealer banner"
    QUESTION = "question"  # insurance panel, only with TableView.question
    QUESTION_TEXT = "question text"
    QUESTION_AMOUNT = "question amount"
    QUESTION_BUTTON = "question button"  # nth: index into QuestionView.buttons
    PLACE = "place"  # place: the whole column that a finger may tap
    SPOT = "spot"  # place: the betting circle (absent when a place holds several hands)
    INSURANCE = "insurance"  # place: the tag of an insurance bet
    POINTER = "pointer"  # place, hand: the pointer above a hand; painted for the active one
    CARD = "card"  # place (or DEALER), hand, nth: later cards lie on top of earlier ones
    PLAQUE = "plaque"  # place (or DEALER), hand
    CHIPS = "chips"  # place, hand: the box of the stake's chip stack, top chip included
    WIN_CHIPS = "win chips"  # place, hand: the stack paid beside it
    AMOUNT = "amount"  # place, hand: the stake in figures
    BANNER = "banner"  # place, hand: the result
    RAIL = "rail"
    CHIP = "chip"  # nth: index into Rail.chips; the raised one is placed higher
    MESSAGE = "message"
    HINT = "hint"
    METER_LABEL = "meter label"  # nth: index into Rail.meters
    METER_VALUE = "meter value"  # nth: index into Rail.meters; right-aligned
    CREDITS = "credits"  # nth: index into Rail.meters; right-aligned below the value
    LEGEND = "legend"  # nth: index into Rail.legends
    FOOTER = "footer"
    GAME = "game"  # nth: index into ChoiceView.games: the whole card of a game
    GAME_TITLE = "game title"
    GAME_LINES = "game lines"
    CAPTION = "caption"  # the heading of choice and attract
    CAPTION_LINES = "caption lines"
    OVERLAY = "overlay"  # the panel of Screen.overlay
    OVERLAY_TITLE = "overlay title"
    OVERLAY_BODY = "overlay body"
    OVERLAY_AMOUNT = "overlay amount"
    OVERLAY_ADVICE = "overlay advice"
    OVERLAY_FOOT = "overlay foot"
    OVERLAY_BUTTON = "overlay button"  # nth: index into overlay.buttons
    SESSION_ROW = "session row"  # nth: index into SessionView.rows
    SESSION_RESULT = "session result"
    SESSION_LIMIT = "session limit"  # nth: index into SessionView.limits; its buttons stand beside it
    CHART = "chart"
    AUDIT_TITLE = "audit title"
    AUDIT_POSITION = "audit position"
    AUDIT_BODY = "audit body"
    AUDIT_DRAWING = "audit drawing"
    AUDIT_MENU = "audit menu"  # nth: index into Page.menu
    AUDIT_HEAD = "audit head"
    AUDIT_TAB = "audit tab"  # nth: index into Page.tabs; on the first page into Page.menu
    AUDIT_BACK = "audit back"
    AUDIT_TURN = "audit turn"  # nth: 0 the previous page, 1 the next
    AUDIT_DIGIT = "audit digit"  # nth: index into the keypad
    AUDIT_HELP = "audit help"
    AUDIT_GROUND = "audit ground"  # below the table of a past game
    AUDIT_AMOUNT = "audit amount"  # nth: index into the amounts of a past game


class Slot(NamedTuple):
    """A named position on the screen."""

    kind: Kind
    place: int = 0
    hand: int = 0
    nth: int = 0


# --- bars -------------------------------------------------------------------------------------------------------


class TopItem(Enum):
    """What can be touched in the top bar."""

    GAMES = "games"
    TURBO = "turbo"
    RULES = "rules"
    LANGUAGE = "language"
    SOUND = "sound"
    COACH = "coach"
    KEYS = "keys"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopItemView:
    """One item of the top bar. `on` is True for a switch that is on (TURBO: red light, panel open, sound not off)."""

    item: TopItem
    word: str
    enabled: bool = True
    on: bool = False
    level: int = 0
    """SOUND: 0 (off) to 3, drawn as bars."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopBar:
    """The thin bar at the top, always there except in audit."""

    title: str
    limits: str
    items: tuple[TopItemView, ...]
    clock: str
    clock_on: bool = False
    """True while the page that the clock opens is open."""
    badge: str = ""
    """A word such as SIMULATED that must stay visible; empty for none. Painted beside the title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipView:
    """A chip to choose. Without `enabled` it is dim: it cannot be selected now."""

    cents: int
    label: str
    raised: bool
    enabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterView:
    """One of BET, PAID, CREDIT: a small label over a large amount in tabular figures, and the amount in credits."""

    label: str
    value: str
    credits: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendView:
    """The on-screen twin of a physical button.

    `word` is the print on the button, `second` a small text for what it does now if that is something else (empty:
    nothing). A `pressed` one is sunk.
    """

    button: Button
    word: str
    second: str
    lit: bool
    pressed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rail:
    """The wooden rail: chips left, message in the middle, amounts right, legends below."""

    chips: tuple[ChipView, ...]
    message: str
    hint: str
    meters: tuple[MeterView, ...]
    legends: tuple[LegendView, ...]
    celebrate: bool = False
    """True while a real win (more back than staked) is shown: the PAID amount glows."""
    value_chars: int = 10
    """Characters of the largest amount of any meter; the layout reserves this width."""


# --- table ------------------------------------------------------------------------------------------------------


class Tone(Enum):
    """What a result means to the player; the values are those of the banner art."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """One card of a hand.

    `card` is None while its face is unknown. `turn` is 1 face up and 0 face down. In between the card turns over: it is
    |cos(pi * turn)| wide and shows its back below one half. `hidden` keeps the slot free while a sprite flies to it.
    """

    card: Card | None
    turn: float = 1.0
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plaque:
    """The circular total. `soft` is true while the small word (`soft_word`) stands above the number."""

    number: str
    soft: bool = False
    soft_word: str = ""
    bust: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Banner:
    """A result: a word and an amount (may be empty)."""

    word: str
    amount: str
    tone: Tone


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """One hand of a place, or the dealer's.

    `open` is how many cards the hand is spread for. It passes smoothly through fractions while a card arrives or a pair
    is split, so that nothing jumps. `chips` are chip values in cents from the bottom up, at most the readable number.
    """

    cards: tuple[CardView, ...] = ()
    open: float = 0.0
    plaque: Plaque | None = None
    active: bool = False
    dimmed: bool = False
    """True for a hand that has lost; its cards are painted in shade."""
    chips: tuple[int, ...] = ()
    win_chips: tuple[int, ...] = ()
    stake: str = ""
    stake_room: int = 0
    """Characters for which the stake has room, whatever `stake` is: the hand keeps its place when the stake changes."""
    banner: Banner | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceView:
    """One betting place. Without cards it holds one empty hand that carries the placed chips."""

    number: int
    hands: tuple[HandView, ...]
    pointed: bool = False
    """True while betting for the place that BET adds to: a ring of light."""
    asked: bool = False
    """True while this place is asked about insurance."""
    insurance: str = ""
    """The tag of its insurance, empty for none."""
    bettable: bool = False
    """True while a tap places the selected chip here."""
    takeable: bool = False
    """True while a chip can be taken back from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerView:
    """The dealer's hand; `awaits` draws the dashed slot of the card that comes after the players."""

    hand: HandView
    awaits: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionButton:
    """A button on the insurance panel; it acts as the panel's button."""

    button: Button
    word: str
    lit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """The insurance question of one place, in front of the felt lines."""

    text: str
    amount: str
    detail: str
    buttons: tuple[QuestionButton, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table: felt print, dealer, places by number."""

    felt_lines: tuple[str, ...]
    plate: tuple[str, ...]
    dealer: DealerView
    places: tuple[PlaceView, ...]
    question: QuestionView | None = None
    all_bettable: bool = False
    """True while one chip can be placed on every place at once."""
    demonstration: str = ""
    """A word such as DEMONSTRATION over a table without a player; empty for a real one."""

    @property
    def alone(self) -> bool:
        """True for a table with one place, which has the felt to itself."""
        return len(self.places) == 1


# --- other scenes -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """One game to choose. `returns` is its theoretical return, `pointed` the one that DEAL opens."""

    game_id: str
    title: str
    lines: tuple[str, ...]
    limits: str
    returns: str
    pointed: bool
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceView:
    """The game choice."""

    heading: str
    lines: tuple[str, ...]
    games: tuple[GameCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttractView:
    """One slide. `drift`, in design units, moves everything but the bars a little, so that nothing burns in."""

    slide: int
    heading: str
    lines: tuple[str, ...]
    call: str = ""
    """The call to begin; large, above the lines of the welcome."""
    foot: tuple[str, ...] = ()
    """The small text below them."""
    drift: tuple[int, int] = (0, 0)
    fade: float = 1.0
    """0 to 1: how far this slide has faded in."""


# --- overlays ---------------------------------------------------------------------------------------------------


class OverlayAction(Enum):
    """The action of an overlay's button."""

    CLOSE = "close"
    BACK = "back"
    FORWARD = "forward"
    BACK_OUT = "back out"
    CASH_OUT = "cash out"
    KEEP_PLAYING = "keep playing"
    LIMIT_TIME = "limit time"
    LIMIT_LOSS = "limit loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayButton:
    """A button on an overlay. `pointed` is the one that a button of the panel chooses."""

    action: OverlayAction
    word: str
    enabled: bool = True
    pointed: bool = False
    value: int = 0
    """LIMIT_TIME: the session time in seconds; LIMIT_LOSS: the loss in cents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRow:
    """One row of a strategy chart: the player's hand and one short word per dealer's card."""

    hand: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """A basic-strategy chart: `columns` are the dealer's cards, `title` explains how to read it, `legend` explains its
    words."""

    title: str = ""
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpSection:
    """A heading with its sentences, below others on a page of help."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpView:
    """One page of rules and help; `chart` replaces the body when it is set.

    `heading` and `lines` are its first section, `further` the next ones on the same page.
    """

    title: str
    heading: str
    lines: tuple[str, ...]
    further: tuple[HelpSection, ...] = ()
    position: str
    note: str = ""
    """How to turn pages and close help with buttons alone."""
    buttons: tuple[OverlayButton, ...]
    chart: ChartView | None = None


class NoticeTone(Enum):
    """How serious a notice is."""

    CALM = "calm"
    """A normal step: printing, or take your ticket."""
    ATTENTION = "attention"
    """The attendant has to come."""
    FAULT = "fault"
    """A part is broken."""
    PAUSE = "pause"
    """The player wanted a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView:
    """What happened, what the player should do, and the money concerned. `more` names further locks, worst first."""

    tone: NoticeTone
    title: str
    sentence: str
    advice: str
    amount: str = ""
    amount_label: str = ""
    more: tuple[str, ...] = ()
    foot: str = ""
    buttons: tuple[OverlayButton, ...] = ()
    covers: bool = False
    """True when the table must not be read: paint an opaque ground (memory fault, out of service)."""
    passing: bool = False
    """True when everything below can still be touched: the notice closes with the next action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeysView:
    """The keys of a simulated cabinet's keyboard: (key, meaning)."""

    title: str
    rows: tuple[tuple[str, str], ...]
    buttons: tuple[OverlayButton, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitView:
    """A limit the player may set: its name, its present value, and how many of the view's buttons belong to it."""

    label: str
    state: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """The player's session: (label, amount) in two columns, one below the other; the result in a sentence; limits.

    `buttons` are those of the limits in order, then the one that closes.
    """

    title: str
    rows: tuple[tuple[str, str], ...]
    result: str
    limits: tuple[LimitView, ...]
    notes: tuple[str, ...]
    foot: str
    buttons: tuple[OverlayButton, ...]


Overlay = HelpView | NoticeView | KeysView | SessionView


# --- what moves -------------------------------------------------------------------------------------------------


class SpriteKind(Enum):
    """The kinds of flying things."""

    CARD = "card"
    CHIPS = "chips"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sprite:
    """A card or chips between two slots: `layout.sprite_rect` gives the position. `chips` as in HandView. `card` is the
    card's face, None for one that flies face down.

    `progress` is eased, 0 at `start` and 1 at `end`; `lift` is the height of the arc in design units. A `swept` one
    starts at its place on `Screen.swept`, `dimmed` as it was there.
    """

    kind: SpriteKind
    start: Slot
    end: Slot
    progress: float
    lift: float = 0.0
    chips: tuple[int, ...] = ()
    card: Card | None = None
    dimmed: bool = False
    swept: bool = False


# --- the whole --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """The contents of the screen at one moment.

    Painting order: felt (`felt` is a game id), scene, rail and bars, sprites, then the overlay above everything but the
    rail's meters, the clock and the footer, which stay readable. In AUDIT only the page and the legends are painted.
    """

    scene: Scene
    felt: str
    top: TopBar
    rail: Rail
    footer: str
    table: TableView | None = None
    choice: ChoiceView | None = None
    attract: AttractView | None = None
    audit: Page | None = None
    overlay: Overlay | None = None
    sprites: tuple[Sprite, ...] = ()
    swept: TableView | None = None
    """The table before it was cleared, while sprites leave from it."""
    animating: bool = False
    """True during an animation: a touch skips it and presses no button."""
    unmeant: frozenset[type] = frozenset()
    """The kinds of commands that a touch does not give yet: a moment ago it had another meaning."""
    four_colour: bool = False
    next_change_s: float | None = field(default=None, compare=False)
    """When to ask the presenter again, monotonic seconds; None when nothing changes by itself."""
