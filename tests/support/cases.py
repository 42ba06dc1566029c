"""One test over many cases: a failure names its case, and thousands of cases cost no report line each."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case(**what: object) -> Iterator[None]:
    """Adds the case to the report of a failure within."""
    try:
        yield
    except BaseException as failure:
        failure.add_note("in the case " + ", ".join(f"{name}={value!r}" for name, value in what.items()))
        raise
