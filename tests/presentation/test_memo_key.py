"""Keys for values that are remembered from frame to frame."""

from cabinet.presentation.memo_key import IdentityKey, PartsKey


def test_only_the_same_object_gives_an_equal_key():
    value, equal = tuple(range(3)), tuple(range(3))
    assert IdentityKey(value) == IdentityKey(value)
    assert hash(IdentityKey(value)) == hash(IdentityKey(value))
    assert IdentityKey(value) != IdentityKey(equal) or value is equal
    assert IdentityKey([1]) != IdentityKey([1])
    assert IdentityKey(value) != value


def test_a_key_keeps_its_value():
    names = {IdentityKey([number]): number for number in range(100)}
    assert sorted(key.it[0] for key in names) == list(range(100))


def test_a_key_of_parts_compares_the_parts_alone():
    assert PartsKey("a", 1, "x") == PartsKey("b", 1, "x")
    assert hash(PartsKey("a", 1)) == hash(PartsKey("b", 1))
    assert PartsKey("a", 1) != PartsKey("a", 2)
    assert PartsKey("a", 1) != 1
