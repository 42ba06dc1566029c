"""Money moves along routes only, sums to zero, never falls below nothing, and the meters explain every balance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabinet.engine.errors import LedgerError, SelfAuditError
from cabinet.engine.ledger import (
    NEVER_NEGATIVE,
    ROUTES,
    Account,
    Books,
    Posting,
    Route,
    audit,
    count,
    faults_of,
    post,
)

BILL = Posting(route=Route.BILL_IN, cents=2_000)


def bills(books: Books, cents: int, number: int = 1) -> Books:
    """The books after notes of one value."""
    for _ in range(number):
        books = post(books, (Posting(route=Route.BILL_IN, cents=cents),))
    return count(books, {f"bills:{cents}": number})


def test_every_route_has_its_rule_between_two_accounts() -> None:
    assert set(ROUTES) == set(Route)
    assert all(rule.source is not rule.target for rule in ROUTES.values())


def test_money_comes_in_through_notes_and_wins_and_leaves_by_ticket_hand_and_loss_only() -> None:
    """What the player owns is credit, table, transit and suspense; these are the routes across that border."""
    inside = {Account.CREDIT, Account.TABLE, Account.IN_TRANSIT, Account.SUSPENSE}
    into = {route for route, rule in ROUTES.items() if rule.target in inside and rule.source not in inside}
    out_of = {route for route, rule in ROUTES.items() if rule.source in inside and rule.target not in inside}
    assert into == {Route.BILL_IN, Route.SUSPENDED, Route.TICKET_IN, Route.TICKET_SUSPENDED, Route.WIN}
    assert out_of == {
        Route.TICKET_OUT,
        Route.CANCELLED,
        Route.JACKPOT,
        Route.SUSPENSE_PAID,
        Route.SUSPENSE_KEPT,
        Route.LOSS,
    }


def test_a_transfer_moves_both_accounts_and_its_meters() -> None:
    books = post(Books(), (BILL, Posting(route=Route.WAGER, cents=500)))
    assert books.balances == {"cashbox": -2_000, "credit": 1_500, "table": 500}
    assert books.meters == {"bills_in": 2_000, "coin_in": 500}
    assert (books.credit_cents, books.balance(Account.HOUSE), books.meter("coin_out")) == (1_500, 0, 0)


@pytest.mark.requirement("CM-03")
@pytest.mark.parametrize(
    "route",
    sorted((route for route, rule in ROUTES.items() if rule.source in NEVER_NEGATIVE), key=lambda route: route.value),
    ids=lambda route: route.name,
)
def test_no_account_of_the_player_goes_below_nothing(route: Route) -> None:
    with pytest.raises(LedgerError, match=f"{route.value} of 1 cents would leave .* at -1"):
        post(Books(), (Posting(route=route, cents=1),))


@pytest.mark.parametrize("cents", [0, -1])
def test_only_a_positive_amount_moves(cents: int) -> None:
    with pytest.raises(LedgerError, match="expected more than nothing"):
        post(Books(), (Posting(route=Route.BILL_IN, cents=cents),))


def test_a_meter_cannot_fall() -> None:
    with pytest.raises(LedgerError, match="meter games_played would fall by 1; meters only grow"):
        count(Books(meters={"games_played": 5}), {"games_played": -1})


def test_books_are_values() -> None:
    books = bills(Books(), 2_000)
    post(books, (BILL,))
    count(books, {"x": 1})
    assert books == bills(Books(), 2_000)


@pytest.mark.requirement("CM-05")
@given(st.lists(st.tuples(st.sampled_from(sorted(Route, key=lambda r: r.value)), st.integers(1, 3_000)), max_size=60))
def test_any_transfers_sum_to_zero_and_satisfy_the_self_audit(moves: list[tuple[Route, int]]) -> None:
    books = bills(Books(), 10_000, 3)
    for route, cents in moves:
        try:
            books = post(books, (Posting(route=route, cents=cents),))
        except LedgerError:
            continue
        if route in {Route.BILL_IN, Route.SUSPENDED}:
            books = count(books, {f"bills:{cents}": 1})
    assert sum(books.balances.values()) == 0
    assert faults_of(books) == ()
    assert all(books.balance(account) >= 0 for account in NEVER_NEGATIVE)


@pytest.mark.requirement("CM-05")
def test_credit_is_ins_and_wins_less_outs_and_wagers() -> None:
    """The formula of the self-audit, written out for a machine with nothing in transit or in suspense."""
    books = bills(Books(), 2_000)
    moves = ((Route.WAGER, 700), (Route.STAKE_BACK, 200), (Route.WIN, 300), (Route.LOSS, 500), (Route.CASH_OUT, 900),
             (Route.TICKET_OUT, 900))  # fmt: skip
    for route, cents in moves:
        books = post(books, (Posting(route=route, cents=cents),))
    meter = books.meter
    ins, outs = meter("bills_in"), meter("tickets_out") + meter("hand_paid")
    assert books.credit_cents == ins + meter("coin_out") - outs - meter("coin_in") == 900
    assert faults_of(books) == ()


def _spoilt(books: Books, **meters: int) -> Books:
    return Books(balances=books.balances, meters={**books.meters, **meters})


@pytest.mark.requirement("CM-05", "ME-06")
def test_every_kind_of_disagreement_is_found_and_named() -> None:
    sound = bills(Books(), 2_000)
    sound = post(sound, (Posting(route=Route.CASH_OUT, cents=800), Posting(route=Route.TICKET_OUT, cents=300)))
    sound = post(sound, (Posting(route=Route.CANCELLED, cents=500),))
    assert faults_of(sound) == ()
    audit(sound)
    wrongs = {
        "accounts sum to 0.01": Books(balances={**sound.balances, "credit": 1_201}, meters=sound.meters),
        "the meters say 12.01": _spoilt(sound, coin_out=1),
        "notes by denomination are worth 40.00": _spoilt(sound, **{"bills:2000": 2}),
        "the cash box account disagrees": _spoilt(sound, bills_in=2_100),
        "the tickets account disagrees": _spoilt(sound, tickets_out=301),
        "the hand-paid account disagrees": _spoilt(sound, hand_paid=501),
        "table is below zero": Books(balances={**sound.balances, "table": -1, "house": 1}, meters=sound.meters),
    }
    for words, books in wrongs.items():
        assert any(words in fault for fault in faults_of(books)), (words, faults_of(books))
        with pytest.raises(SelfAuditError, match=words):
            audit(books)


@pytest.mark.requirement("ME-02")
def test_meters_pass_ten_digits_without_rolling_over_and_the_audit_holds() -> None:
    """There is no roll-over: a meter is a whole number of any length. 10^10-1 is an amount like any other."""
    notes = (10**10 - 1) // 10_000
    books = Books(
        balances={"cashbox": -notes * 10_000, "credit": notes * 10_000},
        meters={"bills_in": notes * 10_000, "bills:10000": notes},
    )
    rest = 10**10 - 1 - notes * 10_000
    books = bills(books, rest)
    assert books.meter("bills_in") == 10**10 - 1
    assert faults_of(books) == ()
    books = bills(books, 100)
    assert books.meter("bills_in") == 10**10 + 99
    assert faults_of(books) == ()


@pytest.mark.requirement("ME-06")
def test_hand_paid_is_cancelled_credit_and_jackpots_and_suspended_notes() -> None:
    books = bills(Books(), 2_000)
    books = post(books, (Posting(route=Route.SUSPENDED, cents=500), Posting(route=Route.CASH_OUT, cents=700)))
    books = count(books, {"bills:500": 1})
    for route, cents in ((Route.CANCELLED, 700), (Route.JACKPOT, 300), (Route.SUSPENSE_PAID, 500)):
        books = post(books, (Posting(route=route, cents=cents),))
    parts = [books.meter(name) for name in ("cancelled_credit", "jackpots", "suspense_paid")]
    assert books.meter("hand_paid") == sum(parts) == 1_500
    assert faults_of(books) == ()
