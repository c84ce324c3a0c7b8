"""What a notebook puts out in words: the code of a rule."""

from typing import Protocol

import pytest
from IPython.display import HTML

from summon import notebook
from summon.notebook import code
from summon.rulebook import NoSuchRule


class PutOut(Protocol):
    def __call__(self, number: str, *names: str) -> list[str]: ...


@pytest.fixture
def put_out(monkeypatch: pytest.MonkeyPatch) -> PutOut:
    def shown(number: str, *names: str) -> list[str]:
        displayed: list[HTML] = []
        monkeypatch.setattr(notebook, "display", displayed.append)
        code(number, *names)
        return [each.data for each in displayed]

    return shown


def test_the_code_of_a_rule_is_folded_and_what_plays_the_rules_comes_alone(put_out: PutOut) -> None:
    shown = put_out("2.5")
    assert any(
        "<summary>turn.py, tired</summary>" in each and "side.streak &gt;= setup.streak_limit" in each for each in shown
    )
    assert all(each.startswith("<details><summary>turn.py, ") for each in shown)


def test_where_a_rule_is_no_battle_the_first_that_names_it_is_shown_or_what_is_asked_for(put_out: PutOut) -> None:
    assert len(put_out("1.7")) == 1
    uniform, chosen = put_out("1.7", "rivals.uniform", "rivals.computer_player")
    assert "def uniform(seen: Sight" in uniform
    assert "def computer_player(human: Player" in chosen


def test_a_number_or_a_name_that_there_is_not_is_an_error() -> None:
    with pytest.raises(NoSuchRule, match="99"):
        code("9.99")
    with pytest.raises(LookupError, match=r"turn\.tired says nothing of rule 1\.7; there are"):
        code("1.7", "turn.tired")
