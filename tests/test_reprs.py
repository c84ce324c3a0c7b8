"""What a notebook stores of a battle, a fighter, a record and a card: a picture and plain words, safely."""

import copy
import pickle
import re
from base64 import b64decode
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from summon import CARDS, Battle, Fighter, Record, Rules, situation
from summon.cards import WAIT
from summon.reprs import MOST_TURNS, html

STRANGER = '<img src=x onerror="alert(1)">\'&'


class Reader(HTMLParser):
    """The tags of some HTML, their attributes, and its text."""

    def __init__(self, told):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(told)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += f"{data}\n"


def read(shown):
    return Reader(shown._repr_html_())


def picture(shown):
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', shown._repr_html_())[1]
    return b64decode(data).decode()


def battle(**told):
    return Battle.from_record(
        situation({"pet": "moss", "cards": ["sacrifice", "hide"], **told}, {"pet": "ember", "cards": ["poison"]})
    )


def record():
    played = Battle(Fighter("moss", cards=["hide"]), Fighter("moss", evolved=True), rules=Rules(hide_cost=2))
    played.play("hide", "attack")
    played.play("attack", "heal")
    return played.to_record()


ALL = {
    "battle": battle(),
    "fighter": Fighter("spark", cards=["blind"]),
    "standing": battle(poison=[1]).first,
    "record": record(),
    "card": CARDS["copycat"],
}


@pytest.mark.parametrize("name", ALL)
def test_a_picture_and_words_are_all_there_is(name):
    reader = read(ALL[name])
    assert set(reader.tags) <= {"img", "p", "table", "thead", "tbody", "tr", "th", "td", "br"}
    assert {key for key, _ in reader.attributes} <= {"alt", "src", "style", "scope"}
    assert all(value.startswith("data:image/svg+xml;base64,") for key, value in reader.attributes if key == "src")
    ElementTree.fromstring(picture(ALL[name]))


@pytest.mark.parametrize("name", ALL)
def test_the_picture_has_words_in_its_place(name):
    root = ElementTree.fromstring(picture(ALL[name]))
    title = root.find("{*}title").text
    alt = dict(read(ALL[name]).attributes)["alt"]
    assert alt.startswith(title) and len(alt) > len(title) + 5


@pytest.mark.parametrize("name", ALL)
def test_it_is_the_same_each_time(name):
    assert html(ALL[name]) == html(copy.deepcopy(ALL[name]))


def test_what_is_no_object_of_the_game_has_no_picture():
    with pytest.raises(TypeError, match="no picture of int"):
        html(3)


@pytest.mark.rule("2.12")
def test_a_battle_tells_what_may_be_chosen_and_why_not():
    text = read(battle(restricted=True)).text
    assert "\nAttack, Counter\n" in text
    assert re.search(r"Sacrifice: .*turn 5.* \(2\.6\)", text)
    assert re.search(r"Heal: .*\(2\.9\)", text) and re.search(r"Hide: .*\(2\.9\)", text)
    assert "Hid last turn" in text and "(6.4)" in text


def test_sacrifice_is_told_with_its_amounts():
    late = Battle.from_record(situation({"pet": "moss", "cards": ["sacrifice"]}, "ember", turn=5))
    assert "Sacrifice (1 to 5)" in read(late).text


@pytest.mark.rule("1.9")
def test_a_sealed_choice_is_never_told():
    told = set()
    for card in ("attack", "heal", "counter", "hide"):
        sealed = battle()
        sealed.choose("first", card)
        told.add(html(sealed))
        assert html(copy.deepcopy(sealed)) == html(pickle.loads(pickle.dumps(sealed))) == html(battle())
        assert html(sealed.first) == html(battle().first) and html(sealed.to_record()) == html(battle().to_record())
    assert len(told) == 1
    assert "Moss has chosen." in told.pop()


@pytest.mark.parametrize(
    ("end", "says"),
    [
        (lambda it: it.leave("first"), "Ember wins. The other side left the battle (9.2)."),
        (Battle.end_idle, "Nobody chose for too long, so nobody wins."),
    ],
    ids=["left", "idle"],
)
def test_an_end_that_no_blow_has_made_is_told(end, says):
    ended = battle()
    ended.play("attack", "attack")
    end(ended)
    assert says in read(ended).text


def test_a_fighter_tells_its_health_statuses_and_cards():
    text = read(battle(poison=[1, 2], health=3).first).text
    assert "3 / 5" in text and "Poison on Moss: 1 this turn, 2 next turn. (5.1)" in text
    assert "Attack, Heal, Counter, Sacrifice, Hide" in text


def test_a_fighter_shows_what_the_battle_has_made_of_it():
    fight = Battle(Fighter("ember", cards=["wild"]), rules=Rules(base_health=8))
    before = html(fight.first)
    assert "8 / 8" in before
    fight.play("wild", "attack")
    assert html(fight.first) != before and "Wild is used up" in html(fight.first)


def test_a_fighter_in_no_battle_says_so():
    assert "It is in no battle yet." in read(Fighter("tide")).text
    assert "It is in no battle yet." not in read(Battle(Fighter("tide")).first).text


def test_a_record_tells_who_the_rules_the_turns_and_the_outcome():
    text = read(record()).text
    assert "hide_cost" in text and "6.4" in text and "Mosswood" in text
    assert "1\nHide\nAttack\n" in text and "The battle goes on." in text


def test_a_record_that_breaks_a_rule_says_where():
    broken = Record.from_dict({**record().to_dict(), "turns": [["hide", "attack"], ["hide", "attack"]]})
    assert "turn 2, first:" in read(broken).text and "(rule 2.9)" in read(broken).text


def test_a_long_record_is_cut():
    long = Record.from_dict(
        {**Battle().to_record().to_dict(), "turns": [["heal", "counter"], ["counter", "heal"]] * 30}
    )
    reader = read(long)
    assert "And 20 turns more." in reader.text and reader.tags.count("tr") < MOST_TURNS + 10


@pytest.mark.parametrize("card", [*CARDS.values(), WAIT], ids=lambda card: card.name)
def test_a_card_tells_its_rule_and_price(card):
    text = read(card).text
    assert card.rule in text and (f"{card.price} gold" in text) == bool(card.price)


def test_strangers_names_are_text():
    named = situation({"pet": "moss", "name": STRANGER}, {"pet": "moss", "name": "\x00\ue000"})
    for shown in (named, Battle.from_record(named), Battle.from_record(named).first):
        reader = read(shown)
        assert reader.tags.count("img") == 1 and "onerror" not in dict(reader.attributes)
    assert STRANGER in read(named).text


def test_what_param_shows_of_an_object_gives_way():
    assert "<details" not in battle()._repr_html_() and battle()._repr_html_() == html(battle())


def test_a_picture_is_stored_small():
    assert all(len(html(shown)) < 40_000 for shown in ALL.values())
