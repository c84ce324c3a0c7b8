"""What a notebook puts out: pictures, sentences, code; what is a view is in `tests/views/test_notebook.py`."""

import pytest

from summon import RecordError, notebook, rulebook
from summon.lines import set_up, what_if


@pytest.fixture
def put_out(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    shown: list[object] = []
    monkeypatch.setattr(notebook, "display", lambda each, raw=False: shown.append(each))
    return shown


def test_a_battle_shows_its_last_reveal_as_a_picture_and_in_words(put_out, capsys):
    battle = set_up({"pet": "moss", "health": 3}, "spark")
    battle.play("counter", "heal")
    battle.play("attack", "heal")
    notebook.show(battle)
    (drawn,) = put_out
    assert drawn["image/svg+xml"].startswith("<svg ")
    assert drawn["text/plain"] == "(Turn 2. Moss: Attack. Spark: Heal.)"
    told = capsys.readouterr().out
    assert told.startswith("turn 2: Attack against Heal\n")
    assert "[3.1, +1 against Heal]" in told and "turn 1" not in told


def test_a_battle_without_a_reveal_shows_how_it_stands(put_out, capsys):
    notebook.show(set_up({"pet": "moss", "health": 3}, "spark", turn=4))
    assert len(put_out) == 1
    assert capsys.readouterr().out == "turn 4 begins: Moss 3 of 5, Spark 5 of 5\n"


def test_of_a_battle_that_a_side_has_left_it_is_said_who_has_won(put_out, capsys):
    battle = set_up("moss", "spark")
    battle.play("attack", "attack")
    battle.leave("first")
    notebook.show(battle)
    assert capsys.readouterr().out.endswith("\nSpark wins.\n")


def test_lines_come_under_their_labels_with_why_they_ended_and_who_has_won(put_out, capsys):
    battle = set_up({"pet": "moss", "health": 1}, {"pet": "spark", "cards": ["hide"]})
    notebook.show(what_if(battle, ("heal", "attack"), ("revive", "heal")))
    told = capsys.readouterr().out
    assert (
        told.startswith("Heal against Attack:\n") and "\n\nRevive against Heal:\n" in told and "Spark wins.\n" in told
    )
    assert told.endswith("(rule 2.4)\n")
    assert len(put_out) == 2


def test_a_record_shows_every_turn_and_words_alone_where_asked(put_out, capsys):
    battle = set_up("moss", "spark")
    battle.play("attack", "counter")
    battle.play("heal", "heal")
    notebook.show(battle.to_record(), picture=False)
    told = capsys.readouterr().out
    assert "turn 1: " in told and "turn 2: " in told
    assert put_out == []


def test_why_a_card_may_not_be_chosen_is_said_with_its_rule(capsys):
    battle = set_up({"pet": "moss", "blinded": True}, {"pet": "spark", "cards": ["sacrifice"]}, turn=5)
    notebook.why_not(battle, "first", "attack")
    notebook.why_not(battle, "second", "sacrifice", 9)
    notebook.why_not(battle, "second", "attack")
    blinded, amount, allowed = capsys.readouterr().out.splitlines()
    assert blinded.endswith("(rule 2.1)") and amount.endswith("(rule 2.6)")
    assert allowed == "Attack may be chosen."


@pytest.mark.parametrize("number", rulebook.rules())
def test_every_rule_has_code_to_show(number, put_out):
    notebook.code(number)
    assert put_out
    for each in put_out:
        assert each.data.startswith("<details><summary>") and len(each.data) < 20_000


def test_code_is_shown_as_text(put_out):
    notebook.code("8.1")
    assert "-&gt;" in "".join(each.data for each in put_out)


def test_where_more_than_what_comes_first_is_to_be_seen_code_is_asked_for_by_name(put_out):
    notebook.code("1.7", "rivals.uniform", "rivals.computer_player")
    assert ["def uniform(seen: Sight" in each.data for each in put_out] == [True, False]
    assert ["def computer_player(human: Player" in each.data for each in put_out] == [False, True]
    with pytest.raises(LookupError, match=r"turn\.tired says nothing of rule 1\.7; there are"):
        notebook.code("1.7", "turn.tired")


def test_a_rule_is_its_sentence_from_the_rulebook():
    told = notebook.rule("5.3")
    assert told.text in told._repr_markdown_() and told.text in repr(told)
    with pytest.raises(rulebook.NoSuchRule):
        notebook.code("5.9")


def test_what_plays_the_rules_comes_alone(put_out):
    notebook.code("2.5")
    shown = [each.data for each in put_out]
    assert all(each.startswith("<details><summary>turn.py, ") for each in shown)
    assert any("turn.py, tired<" in each and "side.streak &gt;= setup.streak_limit" in each for each in shown)


def test_where_a_rule_is_no_battle_the_first_that_names_it_is_shown_or_what_is_asked_for(put_out):
    notebook.code("1.7")
    assert len(put_out) == 1
    notebook.code("1.7", "rivals.uniform", "rivals.computer_player")
    assert "def uniform(seen: Sight" in put_out[1].data
    assert "def computer_player(human: Player" in put_out[2].data


def test_a_name_that_says_nothing_of_a_rule_is_an_error():
    with pytest.raises(LookupError, match=r"turn\.tired says nothing of rule 1\.7; there are"):
        notebook.code("1.7", "turn.tired")


def test_lines_may_be_a_list_as_well(put_out, capsys):
    notebook.show(list(what_if(set_up("moss", "spark"), ("attack", "heal"))))
    assert capsys.readouterr().out.startswith("Attack against Heal:\n")


@pytest.mark.parametrize("shown", ["moss", None, 3, {}, [set_up("moss", "spark")]])
def test_what_there_is_no_picture_of_is_said(shown: object):
    with pytest.raises(TypeError, match="show has pictures of a battle, a record, a line and lines, not of"):
        notebook.show(shown)


def test_why_not_is_asked_of_a_record_too(capsys):
    notebook.why_not(set_up({"pet": "moss", "blinded": True}, "spark").to_record(), "first", "attack")
    assert capsys.readouterr().out.endswith("(rule 2.1)\n")
    with pytest.raises(RecordError):
        notebook.why_not("moss", "first", "attack")


@pytest.mark.parametrize("number", [5.3, None, 6])
def test_the_number_of_a_rule_is_a_text(number: object):
    for ask in (notebook.rule, notebook.code):
        with pytest.raises(rulebook.NoSuchRule, match=f"a text, in quotes, not {number}"):
            ask(number)


def test_a_number_that_there_is_not_is_quoted_short_and_printable():
    with pytest.raises(rulebook.NoSuchRule) as caught:
        notebook.rule("\x1b[31m" + "x" * 5000)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 200
