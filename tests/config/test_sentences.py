"""Every key of the sample with every odd value: taken, or refused in one short line with key and what was expected."""

import itertools
import tomllib
from collections.abc import Iterator
from pathlib import Path

from support.cases import case

from cabinet.config.settings import Config, ConfigError, load

SAMPLE = Path(__file__).parents[2] / "assets" / "cabinet.toml"
LONGEST = 500
"""Beside the file's own path: the list of the keys that there are is the longest sentence."""
ODD = (
    *("true", "-1", "0", "1", "15", "99", "1e400", "nan", "1.5", "0x1" + "0" * 5000, '""', '" "', '"\\u0000"', '"x"'),
    *('"\\n\\u001b[31m"', '"\\u009b\\u202e"', '"' + "A" * 5000 + '"', '"' + "a b" * 2000 + '"', "[]", "[[]]", "[0]"),
    *("[1, 1]", '["a"]', '["\\u001b"]', "[nan, 0.0, 0.0, 0.0, 1.0, 0.0]", "[3, 0]", "[9999999999, 2]", "[100, 100]"),
    *("[" + "200, " * 1000 + "]", "[" + '"x", ' * 1000 + "]", "{}", "{a = 1}", '{"" = 1}', "{1 = {}}", "1979-05-27"),
    *('{"\\u001b" = 1}', '["en", "en"]', '{"²" = 100}', "{" + "k" * 3000 + " = 1}", "{" + "1" * 3000 + " = 100}"),
    *('{"1" = "\\u001b"}', "[" + ", ".join(map(str, range(1, 2000))) + "]"),
)
PULSES = '[acceptor]\nprotocol = "pulse"\n'
NOTES = "[acceptor.pulse]\nnotes = { 1 = 100 }\n"
ICT = '[acceptor]\nprotocol = "ict"\n'


def paths(table: dict[str, object], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every key that the sample has, tables included."""
    for name, value in table.items():
        yield (*above, name)
        if isinstance(value, dict):
            yield from paths(value, (*above, name))


KEYS = tuple(paths(tomllib.loads(SAMPLE.read_text(encoding="utf-8"))))


def written(path: tuple[str, ...], value: str) -> Iterator[str]:
    """Files with this value under this key: alone, and beside an acceptor to which the key means something."""
    *tables, last = path
    alone = f"[{'.'.join(tables)}]\n{last} = {value}\n" if tables else f"{last} = {value}\n"
    yield alone
    if path[:2] == ("acceptor", "pulse") and len(path) > 2:
        yield PULSES + (alone if last == "notes" else f"{NOTES}{last} = {value}\n")
    elif tables == ["acceptor"] and last != "protocol":
        yield f"{ICT}{last} = {value}\n"
    elif path[0] == "panel":
        yield f"{alone}{PULSES}{NOTES}"


def test_every_refusal_is_one_short_line_with_what_was_expected(tmp_path: Path, breadth: int):
    """Each key has each third odd value, from one key to the next others; in `make test-all` it has them all."""
    for number, path in enumerate(KEYS):
        with case(path=path):
            file = tmp_path / "cabinet.toml"
            odd = ODD[number % 3 :: 3] if breadth == 1 else ODD
            for text in itertools.chain.from_iterable(written(path, value) for value in odd):
                file.write_text(text, encoding="utf-8")
                try:
                    assert isinstance(load(file), Config)
                except ConfigError as error:
                    sentence = str(error).removeprefix(f"{file}: ")
                    where = text[:120], sentence
                    assert sentence.isprintable(), where
                    assert len(sentence) < LONGEST, where
                    assert "expected" in sentence or "is not TOML" in sentence, where
                    assert any(word in sentence for word in (path[0], "acceptor")), where
