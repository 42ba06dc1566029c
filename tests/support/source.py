"""The project's own source as syntax trees, and the questions test_architecture.py asks of it.

Nothing is imported or run: a module that is broken or needs a device can be judged as well as any other.
"""

import ast
import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One Python file of the project."""

    module: str
    """Dotted name; a package goes by its own name, a test file by its path (`tests/store/test_journal.py`)."""
    path: Path
    text: str
    tree: ast.Module


@cache
def read_product() -> tuple[Source, ...]:
    """Every module of the two packages."""
    with _uncollected():
        return tuple(_read(path, _dotted(path)) for top in ("cabinet", "drivers") for path in _python_files(top))


@cache
def read_tests() -> tuple[Source, ...]:
    """Every Python file below tests/."""
    with _uncollected():
        return tuple(_read(path, path.relative_to(PROJECT).as_posix()) for path in _python_files("tests"))


def parse_source(text: str, module: str = "sample") -> Source:
    """A source that is not in a file."""
    return Source(module=module, path=Path(f"{module}.py"), text=text, tree=ast.parse(text))


_PARTS = ("body", "orelse", "finalbody", "handlers", "cases")


def _walk_statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields every statement: `ast.walk` also visits the expressions, which are ten times as many."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for part in _PARTS:
            left.extend(getattr(node, part, ()))


@cache
def find_imports(tree: ast.AST) -> frozenset[str]:
    """Dotted names of all that is imported anywhere in `tree`; `from a import b` counts as `a` and `a.b`."""
    found: set[str] = set()
    for node in _walk_statements(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


@cache
def find_uses(tree: ast.AST) -> frozenset[str]:
    """Full dotted names of what is taken out of something imported: `datetime.now()` uses `datetime.datetime.now`."""
    known = _imported_as(tree)
    chains = (_chain(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return frozenset(".".join([known[root], *rest]) for root, *rest in chains if root in known)


def _chain(node: ast.expr) -> list[str]:
    """`a.b.c` as its names, first to last; an empty first name for what does not begin with one."""
    match node:
        case ast.Attribute(value=value, attr=attr):
            return [*_chain(value), attr]
        case ast.Name(id=name):
            return [name]
        case _:
            return [""]


def _imported_as(tree: ast.AST) -> dict[str, str]:
    """The name by which each import is called -> its full dotted name."""
    found: dict[str, str] = {}
    for node in _walk_statements(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def is_within(module: str, package: str) -> bool:
    """Returns True if `module` is `package` or lies in it."""
    return module == package or module.startswith(f"{package}.")


def find_functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method."""
    return (node for node in _walk_statements(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def count_body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement after the docstring to the last."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    if not body:
        return 0
    return (body[-1].end_lineno or body[-1].lineno) - body[0].lineno + 1


def find_fractions(tree: ast.AST) -> list[int]:
    """Lines with arithmetic that can leave whole numbers: `/`, a float literal, the name `float`."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt))
    return sorted(node.lineno for node in nodes if _may_be_fractional(node))


def _may_be_fractional(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()) | ast.Name(id="float"):
            return True
        case ast.Constant(value=value):
            return isinstance(value, float)
        case _:
            return False


def find_cents_not_whole(tree: ast.AST) -> list[str]:
    """`line: name` of each parameter, field or result named `..._cents` whose type admits more than whole numbers."""
    return [
        f"{annotation.lineno}: {name}"
        for name, annotation in _annotated_names(tree)
        if name.endswith("_cents") and {"float", "Decimal", "Fraction"} & _names_in(annotation)
    ]


def _annotated_names(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name, annotation=ast.expr() as annotation):
                yield name, annotation
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield name, annotation
            case ast.FunctionDef(name=name, returns=ast.expr() as annotation):
                yield name, annotation


def _names_in(annotation: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}


def find_sleeps(tree: ast.AST) -> list[int]:
    """Lines that mention a function named `sleep`, called or imported."""
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr == "sleep")
        or (isinstance(node, ast.ImportFrom) and any(alias.name == "sleep" for alias in node.names))
    )


def find_test_dodges(tree: ast.AST) -> list[int]:
    """Lines that take a test out of the run: pytest's skip, skipif, xfail, importorskip."""
    dodges = {"skip", "skipif", "xfail", "importorskip"}
    return sorted(node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in dodges)


def _python_files(top: str) -> list[Path]:
    return sorted(path for path in (PROJECT / top).rglob("*.py"))


def _dotted(path: Path) -> str:
    parts = path.relative_to(PROJECT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _read(path: Path, module: str) -> Source:
    text = path.read_text(encoding="utf-8")
    return Source(module=module, path=path, text=text, tree=ast.parse(text, filename=str(path)))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keeps the garbage collector from the trees, which stay: it would visit them again and again as they become more,
    which takes seven times as long as to parse them."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


PROSE = re.compile(r"[^\W\d_]{2,} [^\W\d_]")
"""Two words after one another."""


def find_prose(tree: ast.AST) -> list[str]:
    """Yields the texts that a user could read, without docstrings."""
    notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in notes
        and PROSE.search(node.value)
    ]
