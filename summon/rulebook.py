"""The rulebook as a table: every numbered rule with its sentence and status, and where its code and cases are.

The text is `docs/rulebook.md`, the rules' only prose. Where things are is read from the source: a rule's number stands
in the docstring or the comment of the code that plays it, in the `rules` of the cases that show it and in the
`rule("…")` marks of tests, and in the tags (`rule-…`) of notebook cells.
"""

from __future__ import annotations

import ast
import json
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from summon.quoting import quoted

PACKAGE = Path(__file__).parent
PROJECT = PACKAGE.parent

_PARAGRAPH = re.compile(r"^\*\*(\d+\.\d+)\*\* (.+) \*\(((?:confirmed|assumption|ruling)[^*]*)\)\*$", re.DOTALL)
_ROW = re.compile(r"\| `(\w+)` \| (.+?) \| (\d+\.\d+) \| (.+) \|$")
_NUMBER = re.compile(r"(?<![\d.])(\d{1,2}\.\d{1,2})(?: to (\d{1,2}\.\d{1,2}))?(?!\.?\d)")


# Newer Pythons make a token of its own of the text of an f-string.
_TOLD = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


@dataclass(frozen=True, repr=False)
class Rule:
    """A numbered rule: its sentence in plain words, its status, and the title of its section."""

    number: str
    text: str
    status: str
    section: str

    def __repr__(self) -> str:
        return f"{self.number} {self.text} ({self.status})"

    __str__ = __repr__

    def _repr_markdown_(self) -> str:
        return f"> **{self.number}** {self.text} *({self.status})*"


@dataclass(frozen=True, repr=False)
class Question:
    """A name of section 12, which a battle's `rules` may change: its default as JSON, its rule, and what it means."""

    name: str
    default: str
    rule: str
    text: str

    def __repr__(self) -> str:
        return f"{self.name}, {self.default} by default ({self.rule}): {self.text.replace('`', '')}"

    __str__ = __repr__

    def _repr_markdown_(self) -> str:
        return f"> **`{self.name}`**, `{self.default}` by default ({self.rule}): {self.text}"


class NoSuchRule(LookupError):
    """A number that the rulebook does not have."""


def text() -> str:
    """The rulebook in Markdown."""
    shipped = PACKAGE / "rulebook.md"
    return (shipped if shipped.exists() else PROJECT / "docs" / "rulebook.md").read_text(encoding="utf-8")


def notebooks() -> Path:
    """The folder of the notebooks, which are the rulebook's chapters to be played."""
    shipped = PACKAGE / "notebooks"
    return shipped if shipped.exists() else PROJECT / "notebooks"


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its number, in order."""
    found: dict[str, Rule] = {}
    section = ""
    for paragraph in re.split(r"\n\s*\n", text()):
        if paragraph.startswith("## "):
            section = paragraph[3:].partition("\n")[0].strip()
        told = _PARAGRAPH.match(" ".join(paragraph.split()))
        if told:
            found[told[1]] = Rule(told[1], told[2], told[3], section)
    return found


def rule(number: str) -> Rule:
    """The rule of a number; NoSuchRule where there is none."""
    if not isinstance(number, str):
        # As numbers, the first and the tenth rule of a section could not be told apart.
        raise NoSuchRule(f"the number of a rule is a text, in quotes, not {quoted(number)}")
    try:
        return rules()[number]
    except KeyError:
        raise NoSuchRule(f"there is no rule {quoted(number)}; `summon rule` lists them all") from None


@cache
def questions() -> dict[str, Question]:
    """Every name of section 12, in order."""
    rows = (_ROW.match(line) for line in text().partition("\n## 12 ")[2].splitlines())
    return {row[1]: Question(*row.groups()) for row in rows if row}


def question(name: str) -> Question:
    """What a name of section 12 means; NoSuchRule where there is no such name."""
    try:
        return questions()[name]
    except KeyError:
        raise NoSuchRule(f"section 12 has no name {quoted(name)}; it has {', '.join(questions())}") from None


def numbers_in(line: str) -> list[str]:
    """The numbers of rules that a text names; two of them joined by `to` stand for all between."""
    known = list(rules())
    named: list[str] = []
    for begin, end in _NUMBER.findall(line):
        if begin in known:
            last = known.index(end) if end in known else known.index(begin)
            named += known[known.index(begin) : last + 1]
    return named


@dataclass(frozen=True)
class Place:
    """A line of a file that has to do with a rule, and what is there: a function, a case or a cell."""

    path: Path
    line: int
    what: str

    def __str__(self) -> str:
        path = self.path.relative_to(PROJECT) if self.path.is_relative_to(PROJECT) else self.path
        return f"{path}:{self.line}  {self.what}"

    def source(self) -> str:
        """The text of the function, class or table that the place is in; of a module as a whole, that line alone."""
        text = self.path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for name, begin, end in _blocks(ast.parse(text)):
            if name == self.what:
                return "\n".join(lines[begin - 1 : end])
        return lines[self.line - 1]


@cache
def code() -> dict[str, tuple[Place, ...]]:
    """Where each rule is in the code: the functions, classes and tables that name it, what plays the rules first."""
    # The drawings are numbers with decimals all over, and no rules.
    found = (path for path in PACKAGE.rglob("*.py") if "art" not in path.relative_to(PACKAGE).parts)
    paths = sorted(found, key=lambda path: (path.name != "turn.py", path))
    return _by_rule(place for path in paths for place in _code_places(path))


def _by_rule(places: Iterator[tuple[str, Place]]) -> dict[str, tuple[Place, ...]]:
    found: dict[str, dict[str, Place]] = {}
    for number, place in places:
        found.setdefault(number, {}).setdefault(f"{place.path} {place.what}", place)
    return {number: tuple(places.values()) for number, places in found.items()}


def _code_places(path: Path) -> Iterator[tuple[str, Place]]:
    source = path.read_text(encoding="utf-8")
    blocks = list(_blocks(ast.parse(source)))
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type in _TOLD:
                for offset, line in enumerate(token.string.splitlines()):
                    number = token.start[0] + offset
                    inside = [name for name, begin, end in blocks if begin <= number <= end]
                    for rule_number in numbers_in(line):
                        yield rule_number, Place(path, number, inside[-1] if inside else path.stem)


def _blocks(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int, int]]:
    """Functions, classes and named tables with their first and last lines, outer ones first.

    The text under a table belongs to it.
    """
    nodes = list(ast.iter_child_nodes(tree))
    for node, following in zip(nodes, [*nodes[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = prefix + node.name
            yield name, node.lineno, node.end_lineno or node.lineno
            yield from _blocks(node, f"{name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                has_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                last = following if has_text and isinstance(following, ast.Expr) else node
                yield prefix + target.id, node.lineno, last.end_lineno or node.lineno


@cache
def cases() -> dict[str, tuple[Place, ...]]:
    """The scenario cases and marked tests that show each rule; empty where the tests are not installed."""
    return _by_rule(_case_places())


def _case_places() -> Iterator[tuple[str, Place]]:
    for path in sorted((PROJECT / "tests" / "cases").glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            case = json.loads(line)
            for rule_number in case["rules"]:
                yield rule_number, Place(path, number, f"{case['id']}: {case['says']}")
    for path in sorted((PROJECT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for rule_number in _marks(node):
                    yield rule_number, Place(path, node.lineno, node.name)


def _marks(node: ast.FunctionDef) -> Iterator[str]:
    """The rules of a test's `@pytest.mark.rule("…")`."""
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Attribute) and mark.func.attr == "rule":
            yield from (str(number.value) for number in mark.args if isinstance(number, ast.Constant))


@cache
def cells() -> dict[str, tuple[Place, ...]]:
    """The notebook cells that show each rule; empty where there are none."""
    return _by_rule(_cell_places())


def _cell_places() -> Iterator[tuple[str, Place]]:
    for path in sorted(notebooks().glob("*.ipynb")):
        for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
            for tag in cell["metadata"].get("tags", ()):
                if tag.startswith("rule-"):
                    yield tag.removeprefix("rule-"), Place(path, number, f"cell {number}")
