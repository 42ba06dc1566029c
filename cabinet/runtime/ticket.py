"""A payout as a printable page, and the validation number that makes a ticket worth money. Pure.

Rules:
- A ticket has venue, machine, date and time, amount in digits and in words, sequence and validation number, bar code,
  kind and expiry. The number is printed on the leading edge too.
- A page without value cannot be mistaken for money: a test or audit ticket has no number, no bar code and no amount,
  and its kind is printed from top to bottom; a hand-pay slip has no bar code; a duplicate is marked at both ends.
- A page of value is in the language of the facts: words, figures and dates. An attendant's page is in English.
- The amount in digits is also printed with the letters of its currency, for a printer without the currency's sign.
- Dates cannot be misread (30 Nov 2026 14:32, 24 hours). A clock that is not set is named as such.

The module reserves, stores and prints nothing, and reads no clock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from hashlib import blake2b

from cabinet.text.amounts import amount_in_words, check_amount
from cabinet.text.messages import ENGLISH, Key, Language, Words
from drivers.printers.document import Align, Barcode, Columns, Document, Element, Feed, Line, Text, Voucher
from drivers.printers.lines import fold

NUMBER_LENGTH = 18
SYSTEM_ID = "00"
LARGEST_MACHINE = 9_999
LARGEST_SEQUENCE = 99_999_999

_NARROWEST_LINE = 32
_HALF = 10**6
_ROUNDS = 10
_CHECK_PRIME = 9967  # ten is a primitive root of it: powers of ten up to the eighteenth all differ
_CHECK_REST = 1
_SHORTEST_SECRET = 16
_LONGEST_SECRET = 64


class TicketKind(Enum):
    """The kind of a printed ticket."""

    CASH_OUT = "cash-out"
    HAND_PAY = "hand-pay"
    TEST = "test"
    AUDIT = "audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketFacts:
    """Everything on a ticket. `number` is 18 digits as text, empty on TEST and AUDIT tickets."""

    kind: TicketKind
    venue: str
    location: str
    machine_id: str
    number: str
    sequence: int
    amount_cents: int
    currency: str
    issued_at: datetime
    clock_trusted: bool
    expires_days: int | None
    duplicate: bool = False
    language: Language = ENGLISH

    @property
    def words(self) -> Words:
        """Returns the words in the language of the page."""
        return Words(language=self.language, currency=self.currency)


def ticket_document(facts: TicketFacts) -> Document:
    """Returns the page for these facts.

    Raises ValueError when a ticket of value has no valid number, when a test or audit ticket has one, or when an amount
    cannot be written: each is a fault of the program.
    """
    _check_number(facts)
    check_amount(facts.amount_cents, facts.currency)
    parts = {
        TicketKind.CASH_OUT: _cash_out,
        TicketKind.HAND_PAY: _hand_pay,
        TicketKind.TEST: _test,
        TicketKind.AUDIT: _audit_slip,
    }
    voucher = _voucher(facts) if facts.kind is TicketKind.CASH_OUT else None
    return Document(elements=parts[facts.kind](facts), voucher=voucher)


def audit_document(rows: Iterable[tuple[str, str]], *, title: str = "AUDIT") -> Document:
    """Returns an audit ticket with a name and a value on each line. A row with an empty value is a heading."""
    lines = tuple(_audit_row(label, value) for label, value in rows)
    return Document(elements=(_banner(title), _not_money(), Line(), *lines, Line(), _not_money()))


def group_number(number: str) -> str:
    """Returns a validation number in groups of 2, 4, 4, 4 and 4 digits."""
    return "-".join((number[:2], *(number[at : at + 4] for at in range(2, len(number), 4))))


def write_date(moment: datetime, words: Words | None = None) -> str:
    """Returns a day that cannot be misread: 30 Nov 2026, 30. Nov. 2026; in English without `words`."""
    words = words or Words()
    month = words.listed(Key.ON_TICKET_MONTHS, moment.month - 1)
    return words.say(Key.ON_TICKET_DATE, day=f"{moment.day:02d}", month=month, year=moment.year)


def write_moment(moment: datetime, words: Words | None = None) -> str:
    """Returns day and time, 24 hours: 30 Nov 2026 14:32."""
    return f"{write_date(moment, words)} {moment.hour:02d}:{moment.minute:02d}"


# The validation number


def validation_number(secret: bytes, machine_number: int, sequence: int) -> str:
    """Returns the 18 digits of a ticket: system (2), scrambled machine and sequence (12), check (4).

    Two tickets never have the same number: the twelve digits are a keyed permutation (ten Feistel rounds over two
    halves of six digits) of machine and sequence, and a permutation cannot collide. Without the secret, earlier numbers
    do not predict the next one. The check makes the whole number leave 1 when divided by the prime 9967: it detects
    every single wrong digit, every swap of two digits, and all but one in 9967 of other misreads.

    `machine_number` is 0 to 9999, `sequence` 0 to 99,999,999, `secret` 16 to 64 bytes; raises ValueError otherwise.
    """
    if not 0 <= machine_number <= LARGEST_MACHINE:
        raise ValueError(f"a machine number must be 0 to {LARGEST_MACHINE}, not {machine_number}")
    if not 0 <= sequence <= LARGEST_SEQUENCE:
        raise ValueError(f"a ticket sequence must be 0 to {LARGEST_SEQUENCE}, not {sequence}")
    _check_secret(secret)
    scrambled = _scramble(secret, machine_number * (LARGEST_SEQUENCE + 1) + sequence)
    head = f"{SYSTEM_ID}{scrambled:012d}"
    check = (_CHECK_REST - int(head) * 10_000) % _CHECK_PRIME
    return f"{head}{check:04d}"


def is_valid_number(number: str) -> bool:
    """Returns True when the number has the form of this machine's numbers and its check fits; needs no secret."""
    if len(number) != NUMBER_LENGTH or not (number.isascii() and number.isdigit()):
        return False
    return (
        number.startswith(SYSTEM_ID) and int(number[-4:]) < _CHECK_PRIME and int(number) % _CHECK_PRIME == _CHECK_REST
    )


def origin_of_number(secret: bytes, number: str) -> tuple[int, int] | None:
    """Returns machine number and sequence of a validation number made with this secret; None when it is not valid."""
    _check_secret(secret)
    if not is_valid_number(number):
        return None
    return divmod(_unscramble(secret, int(number[2:14])), LARGEST_SEQUENCE + 1)


def _check_secret(secret: bytes) -> None:
    if not _SHORTEST_SECRET <= len(secret) <= _LONGEST_SECRET:
        raise ValueError(f"the ticket secret must be {_SHORTEST_SECRET} to {_LONGEST_SECRET} bytes, not {len(secret)}")


def _scramble(secret: bytes, value: int) -> int:
    left, right = divmod(value, _HALF)
    for turn in range(_ROUNDS):
        left, right = right, (left + _mix(secret, turn, right)) % _HALF
    return left * _HALF + right


def _unscramble(secret: bytes, value: int) -> int:
    left, right = divmod(value, _HALF)
    for turn in reversed(range(_ROUNDS)):
        left, right = (right - _mix(secret, turn, left)) % _HALF, left
    return left * _HALF + right


def _mix(secret: bytes, turn: int, half: int) -> int:
    digest = blake2b(
        turn.to_bytes(1, "big") + half.to_bytes(4, "big"), key=secret, digest_size=16, person=b"ticket number"
    )
    return int.from_bytes(digest.digest(), "big") % _HALF


# The page


def _check_number(facts: TicketFacts) -> None:
    if facts.kind in {TicketKind.TEST, TicketKind.AUDIT}:
        if facts.number:
            raise ValueError(f"a {facts.kind.value} ticket must not carry a validation number")
    elif not is_valid_number(facts.number):
        raise ValueError(f"a {facts.kind.value} ticket needs a valid number of {NUMBER_LENGTH} digits")


def _cash_out(facts: TicketFacts) -> tuple[Element, ...]:
    return (
        _edge_number(facts),
        *_duplicate(facts),
        *_place(facts),
        _banner(facts.words.say(Key.ON_TICKET_CASH_OUT)),
        Feed(),
        Barcode(digits=facts.number),
        Feed(),
        _centred(facts.words.say(Key.ON_TICKET_VALIDATION)),
        Text(text=group_number(facts.number), align=Align.CENTRE, bold=True),
        Feed(),
        *_amount(facts),
        Line(),
        *_particulars(facts),
        *_duplicate(facts),
    )


def _voucher(facts: TicketFacts) -> Voucher:
    """Returns a cash-out for a printer with a built-in ticket form, which has a line for the place and one for the
    town."""
    place, _, town = facts.location.partition(",")
    moment, words = facts.issued_at, facts.words
    clock = "" if facts.clock_trusted else f" {words.say(Key.ON_TICKET_CLOCK_SHORT)}"
    days = facts.expires_days
    return Voucher(
        number=facts.number,
        number_text=group_number(facts.number),
        establishment=facts.venue,
        location=place.strip(),
        city=town.strip(),
        date=write_date(moment, words),
        time=f"{moment:%H:%M}{clock}",
        ticket=words.say(Key.ON_TICKET_FORM_NUMBER, number=f"{facts.sequence:06d}"),
        amount_words=amount_in_words(facts.amount_cents, facts.currency, facts.language.code),
        amount_digits=words.money(facts.amount_cents),
        validity=words.say(Key.ON_TICKET_NEVER_EXPIRES) if days is None else words.say_count(Key.ON_TICKET_DAYS, days),
        machine=words.say(Key.ON_TICKET_FORM_MACHINE, number=facts.machine_id),
        duplicate_mark=words.say(Key.ON_TICKET_DUPLICATE) if facts.duplicate else "",
    )


def _hand_pay(facts: TicketFacts) -> tuple[Element, ...]:
    words = facts.words
    names = (words.say(Key.ON_TICKET_ATTENDANT), words.say(Key.ON_TICKET_PLAYER))
    attendant, player = (f"{name + ':':{1 + max(map(len, names))}} {'_' * 20}" for name in names)
    return (
        _edge_number(facts),
        *_duplicate(facts),
        *_place(facts),
        _banner(words.say(Key.ON_TICKET_HAND_PAY)),
        _centred(words.say(Key.ON_TICKET_HAND_PAY_ONLY)),
        _centred(words.say(Key.ON_TICKET_NO_VALUE)),
        Feed(),
        *_amount(facts),
        Line(),
        *_particulars(facts),
        Feed(lines=2),
        Text(text=attendant),
        Feed(lines=2),
        Text(text=player),
        Feed(),
        *_duplicate(facts),
    )


def _test(facts: TicketFacts) -> tuple[Element, ...]:
    return (
        _not_money(),
        _banner("TEST TICKET"),
        *_place(facts),
        Line(),
        _centred("This page proves that the"),
        _centred("printer works. It has no value."),
        Text(text="ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        Text(text="0123456789 $ \u20ac \u00a3 .,-/()"),
        Line(),
        *_origin(facts),
        *_clock(facts),
        _banner("TEST TICKET"),
        _not_money(),
    )


def _audit_slip(facts: TicketFacts) -> tuple[Element, ...]:
    return (
        _banner("AUDIT TICKET"),
        _not_money(),
        *_place(facts),
        Line(),
        *_origin(facts),
        *_clock(facts),
        _not_money(),
    )


def _edge_number(facts: TicketFacts) -> Element:
    return _centred(group_number(facts.number))


def _place(facts: TicketFacts) -> tuple[Element, ...]:
    size = 2 if len(facts.venue) <= _NARROWEST_LINE // 2 else 1
    return (Feed(), Text(text=facts.venue, align=Align.CENTRE, scale=size, bold=True), _centred(facts.location), Feed())


def _amount(facts: TicketFacts) -> tuple[Element, ...]:
    digits = facts.words.money(facts.amount_cents)
    widest = fold(digits, "ascii").strip()  # on a printer without the currency's sign
    size = max(1, min(3, _NARROWEST_LINE // len(widest)))
    return (
        Text(text=digits, align=Align.CENTRE, scale=size, bold=True),
        Text(text=amount_in_words(facts.amount_cents, facts.currency, facts.language.code), align=Align.CENTRE),
    )


def _particulars(facts: TicketFacts) -> tuple[Element, ...]:
    return (
        *_origin(facts),
        Columns(left=facts.words.say(Key.ON_TICKET_AMOUNT), right=facts.words.coded_money(facts.amount_cents)),
        *_clock(facts),
        *_expiry(facts),
    )


def _origin(facts: TicketFacts) -> tuple[Element, ...]:
    return (
        Columns(left=facts.words.say(Key.ON_TICKET_MACHINE), right=facts.machine_id),
        Columns(left=facts.words.say(Key.ON_TICKET_SEQUENCE), right=f"{facts.sequence:06d}"),
    )


def _clock(facts: TicketFacts) -> tuple[Element, ...]:
    words = facts.words
    stamp = Columns(left=words.say(Key.ON_TICKET_ISSUED), right=write_moment(facts.issued_at, words))
    if facts.clock_trusted:
        return (stamp,)
    return (stamp, Text(text=words.say(Key.ON_TICKET_CLOCK_NOT_SET), align=Align.CENTRE, bold=True))


def _expiry(facts: TicketFacts) -> tuple[Element, ...]:
    words, days = facts.words, facts.expires_days
    if days is None:
        return (Columns(left=words.say(Key.ON_TICKET_EXPIRES), right=words.say(Key.ON_TICKET_NEVER)),)
    if not facts.clock_trusted:
        after = words.say_count(Key.ON_TICKET_AFTER, days)
        return (Columns(left=words.say(Key.ON_TICKET_EXPIRES), right=after),)
    last_day = write_date(facts.issued_at + timedelta(days=days), words)
    until = words.say(Key.ON_TICKET_UNTIL, date=last_day)
    return (Columns(left=words.say_count(Key.ON_TICKET_VALID, days), right=until),)


def _duplicate(facts: TicketFacts) -> tuple[Element, ...]:
    if not facts.duplicate:
        return ()
    return (
        Text(text=facts.words.say(Key.ON_TICKET_DUPLICATE), align=Align.CENTRE, scale=3, bold=True, inverse=True),
        _centred(facts.words.say(Key.ON_TICKET_ONCE)),
    )


def _banner(text: str) -> Element:
    size = 2 if len(text) <= _NARROWEST_LINE // 2 else 1
    return Text(text=text, align=Align.CENTRE, scale=size, bold=True, inverse=True)


def _not_money() -> Element:
    return Text(text="NOT MONEY", align=Align.CENTRE, scale=3, bold=True)


def _centred(text: str) -> Element:
    return Text(text=text, align=Align.CENTRE)


def _audit_row(label: str, value: str) -> Element:
    return Columns(left=label, right=value) if value else Text(text=label, bold=True)
