"""The plain functions of the rules: their form, and the numbers of each table of the rulebook."""

import ast
import inspect
from itertools import product

import pytest

from summon import turn
from summon.cards import CARDS, PETS
from summon.player import Player
from summon.rules import Rules
from summon.turn import Setup, Side

FUNCTIONS = [value for value in vars(turn).values() if inspect.isfunction(value) and value.__module__ == turn.__name__]


def setup(pet: str = "moss", evolved: bool = False, tier: int = 1, cards: tuple[str, ...] = (), **rules) -> Setup:
    return Rules(**rules).setup(Player("x", pet, evolved, dict.fromkeys(("attack", "heal", "counter"), tier), cards))


def standing(one: Setup, **changes: int) -> Side:
    return turn.start(one)._replace(**changes)


# Form: what can also be compiled


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_rule_is_an_expression_without_early_return(function):
    (tree,) = ast.parse(inspect.getsource(function)).body
    returns = [node for node in ast.walk(tree) if isinstance(node, ast.Return)]
    assert len(returns) == 1 and tree.body[-1] is returns[0]
    branching = (ast.If, ast.For, ast.While, ast.Try, ast.BoolOp, ast.Raise, ast.With)
    assert not [node for node in ast.walk(tree) if isinstance(node, branching)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_function_of_the_rules_names_its_rule(function):
    if function is not turn.without:
        assert any(letter.isdigit() for letter in function.__doc__.partition(":")[0])


def test_a_reveal_leaves_the_old_state_alone():
    one, two = setup(cards=("poison",)), setup("spark")
    before = (turn.start(one), turn.start(two))
    kept = (tuple(before[0]), tuple(before[1]))
    first = turn.reveal(one, before[0], turn.POISON, 0, two, before[1], turn.ATTACK, 0, 1)
    second = turn.reveal(one, before[0], turn.POISON, 0, two, before[1], turn.ATTACK, 0, 1)
    assert (tuple(before[0]), tuple(before[1])) == kept
    assert first == second


def test_all_numbers_of_a_state_are_whole():
    one, two = setup("pebble", cards=("wild",)), setup("tide", True, 3, ("hide",))
    for card_1, card_2 in product((turn.ATTACK, turn.WILD, turn.COUNTER), (turn.ATTACK, turn.HIDE, turn.HEAL)):
        told = turn.reveal(one, turn.start(one), card_1, 0, two, turn.start(two), card_2, 0, 1)
        assert all(type(number) is int for part in told for number in part)


# The tables


@pytest.mark.rule("3.1", "3.2", "3.3")
@pytest.mark.parametrize(
    ("tier", "attack", "heal", "block", "back"), [(1, 1, 1, 1, 2), (2, 2, 2, 2, 2), (3, 3, 3, 2, 3)]
)
def test_the_starters_by_tier(tier, attack, heal, block, back):
    one = setup(tier=tier)
    assert (one.attack_damage, one.heal_amount, one.counter_block, one.counter_return) == (attack, heal, block, back)


@pytest.mark.rule("1.2", "4.2")
def test_what_evolution_changes():
    plain, evolved = setup(), setup(evolved=True)
    assert (plain.top, plain.evolved_bonus, evolved.top, evolved.evolved_bonus) == (5, 0, 10, 1)
    assert (evolved.attack_damage, evolved.heal_amount) == (plain.attack_damage, plain.heal_amount)


WILDS = {
    ("moss", False): {"heals": 1, "heal": 2, "block": 1, "block_turns": 1},
    ("moss", True): {"heals": 1, "heal": 3, "block": 2, "block_turns": 1},
    ("ember", False): {"attacks": 1, "damage": 2},
    ("ember", True): {"attacks": 1, "damage": 3},
    ("bloom", False): {"poison": 1, "poison_turns": 3},
    ("bloom", True): {"poison": 1, "poison_turns": 4},
    ("tide", False): {"heals": 1, "heal": 3},
    ("tide", True): {"heals": 1, "heal": 4},
    ("pebble", False): {"block": 2, "block_turns": 2},
    ("pebble", True): {"block": 3, "block_turns": 2},
    ("spark", False): {"attacks": 1, "damage": 2, "blinds": 1},
    ("spark", True): {"attacks": 1, "damage": 3, "blinds": 1},
}
"""What each Wild does, before the bonus of evolution; what is not named is 0."""


@pytest.mark.rule("7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7")
@pytest.mark.parametrize(("pet", "evolved"), WILDS)
def test_the_wilds(pet, evolved):
    one = setup(pet, evolved)
    numbers = {name.removeprefix("wild_"): getattr(one, name) for name in Setup._fields if name.startswith("wild_")}
    assert numbers == {**dict.fromkeys(numbers, 0), **WILDS[pet, evolved]}
    assert (PETS[pet].attacks, PETS[pet].heals) == (bool(one.wild_attacks), bool(one.wild_heals))


@pytest.mark.rule("3.4", "7.8")
def test_what_is_attacking():
    attacking = {(pet, card.name) for pet in PETS for card in CARDS.values() if turn.attacks(setup(pet), card.code)}
    assert attacking == {*((pet, "attack") for pet in PETS), ("ember", "wild"), ("spark", "wild")}


@pytest.mark.rule("6.8")
def test_what_uses_the_boost_up():
    users = {card.name for card in CARDS.values() if turn.uses_boost(card.code)}
    assert users == {"attack", "heal", "counter", "poison", "sacrifice", "shield", "wild"}
    assert not turn.uses_boost(turn.WAIT)


@pytest.mark.rule("6.7", "6.8")
@pytest.mark.parametrize(
    ("card", "other", "kept"),
    [
        *(
            (card, turn.HEAL, False)
            for card in (turn.ATTACK, turn.HEAL, turn.COUNTER, turn.POISON, turn.SHIELD, turn.WILD)
        ),
        *((card, turn.HEAL, True) for card in (turn.WAIT, turn.BLIND, turn.HIDE, turn.REFRESHMENT)),
        (turn.COPYCAT, turn.HEAL, False),
        (turn.COPYCAT, turn.COPYCAT, True),
        (turn.COPYCAT, turn.BLIND, True),
    ],
)
def test_whether_the_boost_is_kept(card, other, kept):
    one, two = setup(), setup("spark")
    for boosted in (0, 1):
        before = standing(one, boosted=boosted)
        after = turn.reveal(one, before, card, 0, two, turn.start(two), other, 0, 5)[0]
        assert after.boosted == (1 if card == turn.REFRESHMENT else boosted * kept)


@pytest.mark.rule("6.11", "6.12")
def test_what_a_copy_may_be_of_a_fresh_pet():
    one = setup(cards=("copycat",))
    copied = {card.name for card in CARDS.values() if turn.copies(one, turn.start(one), 5, card.code)}
    assert copied == set(CARDS) - {"copycat", "revive"}
    assert not turn.copies(one, turn.start(one), 5, turn.WAIT)


LIMITS = [
    ("sacrifice", {}, 4),
    ("sacrifice", {"sacrifice_ready": 6}, 5),
    ("blind", {"blind_ready": 6}, 5),
    ("wild", {"wild_used": 1}, 5),
    ("wild", {"restricted": 1}, 5),
    ("hide", {"restricted": 1}, 5),
    ("hide", {"health": 1}, 5),
    ("heal", {"restricted": 1}, 5),
]


@pytest.mark.rule("6.11")
@pytest.mark.parametrize(("card", "changes", "now"), LIMITS)
def test_a_copy_obeys_the_limits_of_its_own_side(card, changes, now):
    one = setup("moss", cards=("copycat",))
    code = CARDS[card].code
    assert not turn.copies(one, standing(one, **changes), now, code)
    assert turn.copies(one, turn.start(one), 5, code)
    tired = standing(one, last=code, streak=3)
    assert turn.copies(one, tired, 5, code)


@pytest.mark.rule("6.11", "6.3")
@pytest.mark.parametrize(("last", "health", "theirs", "mine"), [(True, 3, 5, 3), (True, 3, 2, 2), (False, 3, 5, 2)])
def test_the_amount_of_a_copied_sacrifice_is_capped(last, health, theirs, mine):
    one = setup(sacrifice_may_spend_last_health=last)
    assert turn.amount_of(one, standing(one, health=health), turn.COPYCAT, 0, theirs) == mine


# The end


@pytest.mark.rule("8.2", "8.3")
@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("up", "up", turn.ONGOING),
        ("up", "out", turn.FIRST),
        ("out", "up", turn.SECOND),
        ("out", "out", turn.DRAW),
        ("pending", "up", turn.ONGOING),
        ("up", "pending", turn.ONGOING),
        ("pending", "pending", turn.ONGOING),
        ("pending", "out", turn.ONGOING),
        ("out", "pending", turn.ONGOING),
    ],
)
@pytest.mark.parametrize("decides", [True, False])
def test_the_result_by_how_both_stand(first, second, result, decides):
    one = setup(cards=("revive",), pending_revival_decides=decides)
    states = {
        "up": standing(one, health=1),
        "out": standing(one, health=0, revive_used=1),
        "pending": standing(one, health=0),
    }
    at_once = not decides and {first, second} == {"pending", "out"}
    assert turn.result(one, states[first], one, states[second]) == (turn.DRAW if at_once else result)
