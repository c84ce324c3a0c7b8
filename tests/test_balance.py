"""What docs/balance.md shows runs as it stands, and says what the code does."""

import re
from pathlib import Path

import pytest

from summon import chart_words, charts, estimates, questions

pytest.importorskip("numba")

TEXT = (Path(__file__).parents[1] / "docs" / "balance.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
QUESTIONS = [
    *("matchups", "card_worth", "price_worth", "evolution_and_tiers"),
    *("first_to_last", "card_against_card", "rules_fired", "rules_changed"),
]


def test_every_block_runs_in_order(capsys):
    names = {}
    for block in BLOCKS:
        exec(compile(block, "docs/balance.md", "exec"), names)
    told = capsys.readouterr().out
    assert told.count("It rests on 2,000 battles") == 2
    assert names["page"].startswith("<!DOCTYPE html>")
    assert names["log"]["battle"].max() == 100


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_shown_in_two_lines_and_has_chart_and_words(name):
    shown = [block for block in BLOCKS if f"charts.{name}(answer)" in block]
    assert len(shown) == 1
    assert len(shown[0].splitlines()) == 2
    for module in (questions, charts, chart_words):
        assert callable(getattr(module, name))


def test_what_is_told_of_blocks_is_so():
    assert f"from {estimates.BLOCKS} blocks of battles" in TEXT
    assert f"{estimates.CONFIDENCE:.0%}".removesuffix("%") + " % interval" in TEXT
