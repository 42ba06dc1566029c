"""Keys for what is remembered from frame to frame."""

from cabinet.presentation.memo_key import Known, Same


def test_only_the_very_same_value_is_the_same():
    value, equal = tuple(range(3)), tuple(range(3))
    assert Same(value) == Same(value)
    assert hash(Same(value)) == hash(Same(value))
    assert Same(value) != Same(equal) or value is equal
    assert Same([1]) != Same([1])
    assert Same(value) != value


def test_it_keeps_what_it_names():
    names = {Same([number]): number for number in range(100)}
    assert sorted(key.it[0] for key in names) == list(range(100))


def test_what_is_computed_from_is_known_by_the_parts_that_matter():
    assert Known("a", 1, "x") == Known("b", 1, "x")
    assert hash(Known("a", 1)) == hash(Known("b", 1))
    assert Known("a", 1) != Known("a", 2)
    assert Known("a", 1) != 1
