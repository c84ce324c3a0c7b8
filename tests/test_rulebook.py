"""The rulebook, the code and the cases hold together: a sentence, what plays it, and what shows it, by one number."""

import ast
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from summon import Rules, rulebook

PROJECT = Path(__file__).parent.parent
TEXT = (PROJECT / "docs" / "rulebook.md").read_text(encoding="utf-8")
SOURCES = sorted((PROJECT / "summon").rglob("*.py"))

HOW_MANY = {1: 9, 2: 12, 3: 7, 4: 6, 5: 6, 6: 13, 7: 10, 8: 5, 9: 3, 10: 5, 11: 6}
"""How many rules each section has."""

BUILT = list(rulebook.rules())

NUMBER = re.compile(r"(?<![\d.])[1-9]\d?\.[1-9]\d?(?!\.?\d)")


# The rulebook itself


def test_the_rules_are_numbered_in_order_without_gaps():
    expected = [f"{section}.{place}" for section, last in HOW_MANY.items() for place in range(1, last + 1)]
    assert re.findall(r"^\*\*(\S+)\*\*", TEXT, re.MULTILINE) == expected
    assert list(rulebook.rules()) == expected
    assert rulebook.text() == TEXT


@pytest.mark.parametrize("number", rulebook.rules())
def test_a_rule_has_a_status_and_stands_in_its_section(number):
    rule = rulebook.rule(number)
    assert rule.text
    assert rule.status.split(";")[0] in {"confirmed", "assumption", "ruling"}
    assert rule.section.split()[0] == number.split(".")[0]


def test_the_rulebook_sends_to_no_rule_that_it_does_not_have():
    assert set(NUMBER.findall(TEXT)) - set(rulebook.rules()) == set()


# Sentence, code and case


def code_of(number: str) -> list[rulebook.Place]:
    """Where a rule is in the code; the drawings, which are full of decimals, do not count."""
    return [place for place in rulebook.code().get(number, ()) if "art" not in place.path.parts]


@pytest.mark.parametrize("number", BUILT)
def test_a_rule_has_code(number):
    assert code_of(number), rulebook.rule(number).text


@pytest.mark.parametrize("number", BUILT)
def test_a_rule_has_a_case(number):
    assert rulebook.cases().get(number), rulebook.rule(number).text


def case_numbers() -> Iterator[tuple[str, str]]:
    for path in sorted((PROJECT / "tests" / "cases").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            yield from ((case["id"], number) for number in case["rules"])


def test_no_case_shows_a_rule_that_the_rulebook_does_not_have():
    assert [(case, number) for case, number in case_numbers() if number not in rulebook.rules()] == []
    assert set(rulebook.cases()) - set(rulebook.rules()) == set()


def strings(tree: ast.AST, path: Path) -> Iterator[str]:
    """The strings of a file; of a drawing, which has decimals in them, only the docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) or "art" not in path.parts:
            value = node.value if isinstance(node, ast.Expr) else node
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


def named_in(path: Path) -> set[str]:
    """The numbers of rules that a file's comments and strings name."""
    with path.open("rb") as file:
        texts = [token.string for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
    texts += strings(ast.parse(path.read_text(encoding="utf-8")), path)
    return {number for text in texts for number in NUMBER.findall(text)}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_no_code_names_a_rule_that_the_rulebook_does_not_have(path):
    assert named_in(path) - set(rulebook.rules()) == set()


# Section 12


def test_the_names_of_section_12_are_the_rules_with_their_defaults_and_numbers():
    told = [(each.name, json.dumps(json.loads(each.default)), each.rule) for each in rulebook.questions().values()]
    kept = [(name, json.dumps(Rules.param[name].default), Rules.rule_of(name)) for name in Rules.names()]
    assert sorted(told) == sorted(kept)


def test_a_name_of_section_12_is_told_with_its_default_and_its_rule():
    asked = rulebook.question("reserve_health")
    assert str(asked).startswith("reserve_health, 0 by default (3.7): How much healing above the maximum")
    with pytest.raises(rulebook.NoSuchRule, match="section 12 has no name 'luck'; it has base_health, "):
        rulebook.question("luck")
