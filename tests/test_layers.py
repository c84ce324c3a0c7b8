"""The layers of the package: imports point down only, and what is heavy is imported in few places."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "summon"

BELOW: dict[str, set[str]] = {
    "art": set(),
    "shown": set(),
    "turn": set(),
    "quoting": set(),
    "cards": {"shown", "turn"},
    "player": {"quoting", "cards"},
    "profile": {"quoting", "cards", "player"},
    "rules": {"quoting", "turn", "cards", "player"},
    "choices": {"quoting", "turn", "cards"},
    "position": {"turn", "choices"},
    "events": {"turn", "cards", "position"},
    "words": {"quoting", "turn", "cards", "choices", "events", "profile"},
    "record": {"shown", "quoting", "turn", "cards", "player", "rules", "choices", "position", "words"},
    "battle": {
        "quoting",
        "shown",
        "turn",
        "cards",
        "player",
        "rules",
        "choices",
        "position",
        "events",
        "words",
        "record",
    },
    "statuses": {"turn", "position", "words"},
    "transcript": {"quoting", "cards", "player", "position", "rules", "events", "words", "record"},
    "lines": {"quoting", "player", "rules", "choices", "position", "events", "words", "record", "battle"},
    "history": {"quoting", "cards", "player", "position", "events", "words", "record", "battle", "transcript"},
    "rivals": {"turn", "cards", "player", "choices", "position", "battle"},
    "estimates": set(),
    "simulate": {"estimates", "quoting", "turn", "cards", "rules", "choices", "position", "words", "record"},
    "lesson": {"cards", "choices", "battle", "record", "rivals", "rules"},
    "sweep": {"quoting", "turn", "cards", "rules", "words", "record", "simulate"},
    "lab": {"quoting", "cards", "player", "rules", "position", "record"},
    "asking": {
        *("cards", "player", "rules", "choices", "position", "record"),
        *("battle", "lines", "lab"),
    },
    "market": {"quoting", "cards", "profile"},
    "questions": {
        *("quoting", "cards", "player", "rules", "position", "events", "record"),
        *("simulate", "market", "estimates"),
    },
    "chart_words": {"cards", "words", "estimates"},
    "charts": {"cards", "chart_words"},
    "store": {"player", "position", "record", "profile", "market"},
    "lobby": {"player", "position", "choices", "battle", "rivals", "profile", "store"},
    "pictures": {"art", "turn", "cards", "player", "position", "events", "words", "statuses", "transcript"},
    "reprs": {
        *("art", "turn", "cards", "player", "rules", "words", "record", "battle"),
        *("statuses", "transcript", "pictures"),
    },
    "lan": set(),
    "recovery": set(),
    "rulebook": {"quoting"},
    "chapters": {"rulebook"},
    "book": {"art", "cards", "position", "words", "rulebook"},
}
"""What each module of the rules may import of the package, from the bottom up."""

WHEN_SHOWN = {"shown": {"reprs", "views"}}
"""What draws an object is above it: the one module that asks for it imports it when something is shown, not before."""

HEAVY = {
    "panel",
    "bokeh",
    "pandas",
    "numpy",
    "numba",
    "llvmlite",
    "tornado",
    "sqlalchemy",
    "alembic",
    "psycopg",
    "distributed",
    "docutils",
    "sphinx",
}


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it, by its full name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            for name in node.names:
                yield f"{node.module}.{name.name}"


def of_the_package(path: Path) -> set[str]:
    """The modules and folders of the package that a file imports."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("summon.")}


def from_outside(path: Path) -> set[str]:
    return {name.partition(".")[0] for name in imports(path)} - {"summon", "__future__"}


FILES = sorted(PACKAGE.rglob("*.py"))
APP = sorted((PROJECT / "app").rglob("*.py"))


def part(path: Path) -> str:
    """The module or folder of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("name", BELOW)
def test_a_module_of_the_rules_imports_only_what_is_below(name):
    paths = [path for path in FILES if part(path) == name]
    assert paths
    for path in paths:
        assert of_the_package(path) - {name} <= BELOW[name] | WHEN_SHOWN.get(name, set())


def test_the_table_itself_points_down():
    known: set[str] = set()
    for name, below in BELOW.items():
        assert below <= known
        known.add(name)


def test_turn_imports_the_standard_library_alone():
    assert from_outside(PACKAGE / "turn.py") <= set(sys.stdlib_module_names)
    assert not of_the_package(PACKAGE / "turn.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_what_is_heavy_is_imported_where_it_belongs(path):
    heavy = from_outside(path) & HEAVY
    allowed = {
        "views": {"panel", "bokeh", "pandas", "tornado"},
        "notebook": {"panel"},
        "shown": {"panel"},
        "charts": {"bokeh", "pandas", "numpy"},
        "chart_words": {"pandas"},
        "questions": {"pandas", "numpy"},
        "history": {"pandas"},
        "sweep": {"pandas", "distributed"},
        "estimates": {"numpy"},
        "book": {"docutils", "sphinx"},
        "simulate": {"numba", "llvmlite", "numpy"},
        "store": {"sqlalchemy", "alembic"},
    }
    assert heavy <= allowed.get(part(path), set())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_nothing_below_the_views_imports_them(path):
    if part(path) not in ("views", "cli", "notebook", *WHEN_SHOWN):
        assert "views" not in of_the_package(path)


@pytest.mark.parametrize("name", ["cli", *WHEN_SHOWN])
def test_what_is_above_is_imported_only_where_it_is_needed(name):
    tree = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
    at_the_top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    above = WHEN_SHOWN.get(name, {"views"})
    assert not [node for node in at_the_top if any(f"summon.{part}" in ast.unparse(node) for part in above)]


def test_the_pictures_know_nothing_of_the_rules():
    for path in FILES:
        if part(path) == "art":
            assert of_the_package(path) <= {"art"}


@pytest.mark.parametrize("path", APP, ids=lambda path: path.name)
def test_the_app_is_thin(path):
    assert from_outside(path) <= {"panel"}
    assert of_the_package(path) <= {"views"}


def test_nothing_of_the_package_imports_its_tests_or_app():
    for path in FILES:
        assert not from_outside(path) & {"tests", "app", "pytest", "hypothesis"}
