"""The page to ask the rules: what a person does on it, what follows, and what nobody may do with it."""

import json
from urllib.parse import parse_qsl, urlsplit

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.models import ImportedStyleSheet, InlineStyleSheet, UIElement
from panel.io.notebook import patch_inline_stylesheets
from panel.io.resources import set_resource_mode
from pyviz_comms import Comm

from summon import Battle, IllegalChoice, Record, RecordError, situation
from summon.asking import record_of_link
from summon.lines import set_up
from summon.views import ask as page_module
from summon.views.ask import Ask, _letter
from summon.views.ask_words import rule_html, side_html, turn_html

EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture
def ask() -> Ask:
    page = Ask()
    page.question.turn = 6
    page.question.first.param.update(cards=["copycat"], health=1)
    page.question.second.param.update(cards=["sacrifice"])
    return page


def typed(field: object, text: str) -> None:
    field.input.value = text


def pick(ask: Ask, first: str, second: str) -> None:
    for side, card in zip(ask._choices, (first, second), strict=True):
        side.buttons[card].clicks += 1


def off(ask: Ask, side: int, card: str) -> str:
    view = ask._choices[side]
    assert view.cells[card].visible
    return view.reasons[card].object if view.buttons[card].disabled else ""


def test_the_widgets_make_the_situation() -> None:
    ask = Ask()
    first, second = ask._situation
    typed(ask._turn_number, "6")
    typed(first.fields["health"], "2")
    typed(second.fields["poison"], "1, 1")
    typed(second.fields["blind_ready"], "8")
    second.flags["blinded"].value = [True]
    second.streak.value = "heal"
    typed(second.fields["streak_turns"], "2")
    assert ask.record == situation(
        {"pet": "moss", "health": 2},
        {"pet": "spark", "poison": [1, 1], "ready": {"blind": 8}, "blinded": True, "streak": ["heal", 2]},
        turn=6,
    )
    assert second.more.title == "More about Spark · 2 set"


@pytest.mark.parametrize("text", ["lots", "", "-1", "6", "1.5", EVIL])
def test_nonsense_in_a_field_is_told_there_and_changes_nothing(ask: Ask, text: str) -> None:
    before, field = ask.record, ask._situation[0].fields["health"]
    typed(field, text)
    assert "whole number from 0 to 5" in field.word.object
    assert "<" not in field.word.object
    assert ask.record == before
    typed(field, "3")
    assert (field.word.object, ask.battle.first.health) == ("", 3)


def test_full_health_follows_evolution_and_the_rules() -> None:
    ask = Ask()
    field = ask._situation[0].fields["health"]
    ask.question.first.evolved = True
    assert (field.input.label, field.input.value) == ("Health, of 10", "10")
    ask.question.rules.evolved_health = 12
    assert (field.input.value, ask.battle.first.health) == ("12", 12)


def test_reserve_is_asked_for_where_the_rules_keep_one() -> None:
    ask = Ask()
    field = ask._situation[0].fields["reserve"]
    assert not field.view.visible
    ask.question.rules.reserve_health = 3
    assert field.view.visible
    typed(field, "2")
    assert ask.battle.first.reserve == 2
    assert "2 white" in ask._choices[0]._head.object


def test_a_situation_that_cannot_be_is_told_and_the_one_before_stays(ask: Ask) -> None:
    before = ask.record
    ask.question.second.health = 0
    assert "already over" in ask._trouble.object
    assert ask._trouble.visible
    assert ask.record == before
    ask.question.second.health = 4
    assert not ask._trouble.visible
    assert ask.battle.second.health == 4


def test_cards_that_may_not_be_chosen_say_why_by_their_rule(ask: Ask) -> None:
    assert "Nobody may Wait freely." in off(ask, 0, "wait")
    assert 'aria-label="Rule 2.4"' in off(ask, 0, "wait")
    assert off(ask, 0, "copycat") == ""
    assert not ask._choices[0].cells["wild"].visible
    ask.question.turn = 3
    assert "opens on turn 5" in off(ask, 1, "sacrifice")


def test_the_question_of_copycat_sacrifice_and_blind_is_answered(ask: Ask) -> None:
    ask.question.first.blinded = True
    assert all('"Rule 2.1"' in off(ask, 0, card) for card in ("attack", "heal", "counter", "copycat"))
    assert ask._choices[0].choice.card == "wait"
    ask.question.first.blinded = False
    pick(ask, "copycat", "sacrifice")
    typed(ask._choices[1].amount, "3")
    ask._reveal.clicks += 1
    told = turn_html(ask.battle.last, ask.battle.players)
    for rule in ("6.10", "6.3", "8.2"):
        assert f'aria-label="Rule {rule}"' in told
    assert "Copycat as Sacrifice against Sacrifice 3" in told
    assert ask.battle.outcome == "second"
    assert "Spark wins." in ask._heading.object


def test_nothing_is_revealed_before_both_have_chosen(ask: Ask) -> None:
    assert ask._reveal.css_classes == ["ask-early"]
    ask._choices[0].buttons["attack"].clicks += 1
    assert ask._choices[0].buttons["attack"].css_classes == ["ask-chosen"]
    assert ask._reveal.css_classes == ["ask-early"]
    assert "Choose a card for Spark." in ask._word.object
    ask._reveal.clicks += 1
    assert ask.battle.rounds == ()
    ask._choices[1].buttons["heal"].clicks += 1
    assert ask._reveal.css_classes == []
    ask._reveal.clicks += 1
    assert len(ask.battle.rounds) == 1
    assert [side.choice for side in ask._choices] == [None, None]


def test_a_press_on_what_may_not_be_chosen_does_nothing(ask: Ask) -> None:
    ask._choices[0].buttons["wait"].clicks += 1
    ask._choices[0].buttons["wild"].clicks += 1
    assert ask._choices[0].choice is None


@pytest.mark.parametrize("text", ["0", "6", "two", EVIL])
def test_an_amount_that_may_not_be_is_told(ask: Ask, text: str) -> None:
    side = ask._choices[1]
    side.buttons["sacrifice"].clicks += 1
    assert side.amount.view.visible
    typed(side.amount, text)
    assert "whole number from 1 to 5" in side.amount.word.object
    assert side.choice.amount == 1


def test_stepping_back_keeps_the_line_and_another_choice_begins_one_beside_it(ask: Ask) -> None:
    ask.play("attack", "heal")
    ask.play("heal", "attack")
    ask._back.clicks += 1
    assert (len(ask.lines), len(ask.lines[0].rounds), ask.battle.turn) == (1, 2, 7)
    assert ask._shared.go.visible
    ask.play("counter", "attack")
    assert [line.outcome for line in ask.lines] == ["second", "unfinished"]
    assert [view.view for view in ask._shown] == list(ask._beside)
    ask._shown[0].go.clicks += 1
    assert (ask.battle.turn, ask._lines.at) == (8, 0)
    ask._shown[1].forget.clicks += 1
    assert (len(ask.lines), len(ask._beside)) == (1, 0)


def test_another_choice_goes_back_to_before_that_turn(ask: Ask) -> None:
    ask.play("attack", "heal")
    ask.play("heal", "heal")
    again = ask._shared._turns[0][1][1]
    assert again.label == "Another choice in turn 6"
    again.clicks += 1
    assert (ask.battle.turn, len(ask.lines[0].rounds)) == (6, 2)


def test_changed_rules_and_situations_play_the_lines_anew(ask: Ask) -> None:
    ask.question.first.health = None
    ask.play("attack", "heal")
    assert ask.battle.second.health == 3
    ask.question.rules.attack_bonus_against_heal = 0
    assert (ask.battle.second.health, len(ask.battle.rounds)) == (4, 1)
    assert ask._rules.title == "Rules · 1 changed"
    ask.question.first.blinded = True
    assert ask.battle.rounds == ()
    assert 'aria-label="Rule 2.1"' in ask._shared._end.object
    ask.question.first.blinded = False
    assert not ask._shared._end.visible
    assert len(ask.lines[0].rounds) == 1


def test_python_plays_on_the_same_battle(ask: Ask) -> None:
    ask.battle.play("attack", "heal")
    assert len(ask._shared._turns) == 1
    ask.back()
    assert ask.battle.rounds == ()
    with pytest.raises(IllegalChoice):
        ask.play("revive", "heal")


def test_it_begins_where_a_battle_or_a_record_stands() -> None:
    battle = set_up({"pet": "moss", "health": 3}, "tide", turn=4, rules={"hide_cost": 2})
    battle.play("attack", "counter")
    for begun in (battle, battle.to_record()):
        ask = Ask(begun)
        assert ask.record == battle.to_record()
        assert ask.battle is not battle
    with pytest.raises(RecordError):
        Ask(Record(battle.players, turns=((*battle.to_record().turns[0],),) * 9))


def test_a_pasted_record_is_shown_and_a_broken_one_changes_nothing(ask: Ask) -> None:
    battle = set_up("bloom", {"pet": "tide", "name": EVIL, "health": 2}, turn=9, rules={"poison_damage": 2})
    battle.play("attack", "heal")
    ask._pasted.value = battle.to_record().to_json()
    ask._paste()
    assert ask.record == battle.to_record()
    assert ask._situation[1].fields["health"].input.value == "2"
    broken = ask._pasted.value.replace('"heal"', f'"{EVIL}"').replace("tide", "tide")
    ask._pasted.value = broken
    ask._paste()
    assert "Turn 9, second: " in ask._pasted_word.object
    assert "Nothing has changed." in ask._pasted_word.object
    assert "<img" not in ask._pasted_word.object
    assert (ask.record, ask._pasted.value) == (battle.to_record(), broken)
    with pytest.raises(RecordError, match="not JSON"):
        ask.take("{")


def test_untrusted_names_are_never_markup() -> None:
    battle = set_up({"pet": "moss", "name": EVIL}, {"pet": "moss", "name": "b" * 4000, "poison": [1]})
    battle.play("attack", "heal")
    ask = Ask(battle)
    shown = [ask._told.object, ask._heading.object, ask._picture.object, ask._word.object]
    shown += [side._head.object for side in ask._choices]
    shown += [view[0].object for _, view in ask._shared._turns]
    assert not any("<img" in text for text in shown)
    assert all(len(text) < 60_000 for text in shown)
    assert "bbb…" in ask._choices[1]._head.object


def test_the_record_of_the_page_can_be_pasted_again(ask: Ask) -> None:
    ask.play("copycat", "sacrifice:2")
    assert Record.from_json(ask._copied.value) == ask.record
    again = Ask()
    again.take(json.loads(ask._copied.value))
    assert again.record == ask.record


def test_a_very_long_line_is_drawn_in_its_last_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "MOST_TURNS", 2)
    ask = Ask()
    for first in ("attack", "heal", "counter", "heal"):
        ask.play(first, "counter")
        if ask.battle.over or ask.battle.refusal("second", "counter"):
            break
    assert len(ask._shared._turns) == 2
    assert "before these" in ask._shared._earlier.object


def test_a_rule_opens_in_place() -> None:
    assert rule_html("5.2").startswith(
        '<details class="rule"><summary aria-label="Rule 5.2">5.2</summary><q>In a reveal'
    )
    battle: Battle = set_up({"pet": "moss", "poison": [1, 1], "blinded": True}, "tide")
    told = side_html(battle.position, battle.players, 0)
    assert 'aria-label="Rule 5.1"' in told
    assert 'aria-label="Rule 6.2"' in told


def test_lines_have_letters() -> None:
    assert [_letter(place) for place in (0, 25, 26, 52)] == ["A", "Z", "A2", "A3"]


def test_in_a_notebook_it_asks_nobody_for_its_styles(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pn.config, "inline", True)
    document = Document()
    with set_resource_mode("inline"):
        root = ask.__panel__()._render_model(document, Comm())
    for model in root.select({"type": UIElement}):
        patch_inline_stylesheets(model)
    ask.play("attack", "heal")
    ask.back()
    ask.play("counter", "heal")
    ask._rules[0][2].collapsed = False
    sheets = [sheet for model in root.select({"type": UIElement}) for sheet in model.stylesheets]
    assert not any(isinstance(sheet, ImportedStyleSheet) for sheet in sheets)
    own = {sheet.id for sheet in sheets if isinstance(sheet, InlineStyleSheet) and "ask-page" in sheet.css}
    assert len(own) == 1


def test_a_second_quick_press_finds_nothing_left_to_do(ask: Ask) -> None:
    ask.play("attack", "heal")
    ask._back.clicks += 2
    ask._back.clicks += 1
    ask.play("heal", "heal")
    view = ask._shown[1]
    for _ in range(2):
        view.forget.clicks += 1
        view.go.clicks += 1
    assert [line.label for line in ask.lines] == ["Attack against Heal"]
    ask.play("counter", "heal")
    gone = ask._shown[1]
    ask.take(ask.record)
    gone.go.clicks += 1
    gone.forget.clicks += 1
    assert [line.label for line in ask.lines] == ["Counter against Heal"]


def test_a_choice_that_python_has_sealed_is_said_and_stays(ask: Ask) -> None:
    ask.play("attack", "heal")
    ask.back()
    ask.battle.choose("first", "counter")
    pick(ask, "heal", "heal")
    ask._reveal.clicks += 1
    assert "Somebody has chosen already" in ask._status.object
    ask._shared.go.clicks += 1
    assert (ask.battle.committed, ask.battle.rounds) == ((True, False), ())


def test_a_battle_that_python_ends_is_over_on_the_page(ask: Ask) -> None:
    ask.play("attack", "heal")
    ask.battle.leave("first")
    assert "Turn 7: the battle is over. Spark wins." in ask._heading.object
    ask._back.clicks += 1
    assert "Turn 6: what do both play?" in ask._heading.object
    ask.battle.leave("first")
    assert "Turn 6: the battle is over. Nobody wins." in ask._heading.object
    ask._shared.go.clicks += 1
    assert ask.battle.ended == "left"


@pytest.mark.parametrize("begun", ["moss", 3, {"format": "other"}])
def test_what_is_no_battle_to_begin_from_is_told(begun: object) -> None:
    with pytest.raises(RecordError):
        Ask(begun)


def test_only_a_page_of_its_own_has_an_address(ask: Ask) -> None:
    assert not ask._link.visible
    assert not ask._link.value
    ask.keep_address()
    assert "copycat" in ask._link.value
    ask.play("copycat", "sacrifice:2")
    assert record_of_link(dict(parse_qsl(urlsplit(ask._link.value).query))) == ask.record


def test_what_is_too_long_for_an_address_leaves_none_that_is_old() -> None:
    ask = Ask()
    ask.keep_address()
    assert ask._link.visible
    turns = [[card, card] for card in ("heal", "counter")] * 100
    ask.take(situation("moss", "spark").to_dict() | {"turns": turns})
    assert (ask._link.value, ask._link.visible, ask._too_long.visible) == ("", False, True)
    ask.back(150)
    assert ask._link.visible
    assert not ask._too_long.visible
    assert record_of_link(dict(parse_qsl(urlsplit(ask._link.value).query))) == ask.record


@pytest.mark.parametrize("told", [b"{", b"\xff", EVIL.encode()])
def test_a_broken_link_is_said_and_begins_anew(told: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(pn.state), "session_args", {"record": [told]})
    ask = page_module.ask_page()
    assert "This link cannot be read" in ask._notice.object
    assert EVIL not in ask._notice.object
    assert ask.record == situation("moss", "spark")
    assert ask._notice.visible
    ask.play("attack", "heal")
    assert not ask._notice.visible
