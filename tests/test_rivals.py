"""The computer rival: what it may see, how it draws, and when it commits (1.7)."""

import random
from collections import Counter
from typing import get_type_hints

import pytest

from summon.battle import Battle, Fighter
from summon.cards import MARKET, PETS
from summon.choices import Choice
from summon.player import Player
from summon.position import Position
from summon.record import situation
from summon.rivals import Sight, computer_player, seat, sight, uniform
from summon.turn import Setup, Side
from tests.strategies import options, random_choice, random_player

DRAWS = 6000


def shares(seen: Sight, seed: int = 7) -> dict[str, float]:
    """How often each choice is drawn, of all draws."""
    rng = random.Random(seed)
    drawn = Counter(str(uniform(seen, rng)) for _ in range(DRAWS))
    return {choice: times / DRAWS for choice, times in drawn.items()}


def seen_by_second(**second: object) -> Sight:
    record = situation("moss", dict(pet="tide", cards=["sacrifice", "shield", "wild"], **second), turn=6)
    return sight(record.opening(), record.players, 1)


def merged(drawn: dict[str, float]) -> dict[str, float]:
    """The same by card alone."""
    cards: Counter[str] = Counter()
    for choice, share in drawn.items():
        cards[choice.partition(":")[0]] += share
    return dict(cards)


@pytest.mark.rule("1.7")
def test_the_computer_chooses_uniformly_among_what_is_legal():
    cards = merged(shares(seen_by_second(health=4)))
    assert set(cards) == {"attack", "heal", "counter", "sacrifice", "shield", "wild"}
    assert all(share == pytest.approx(1 / 6, abs=0.02) for share in cards.values())


@pytest.mark.rule("1.7")
def test_the_computer_never_heals_at_full_health():
    cards = merged(shares(seen_by_second()))
    assert set(cards) == {"attack", "counter", "sacrifice", "shield", "wild"}
    assert all(share == pytest.approx(1 / 5, abs=0.02) for share in cards.values())


@pytest.mark.rule("1.7")
def test_the_computer_draws_the_amount_of_sacrifice_uniformly():
    drawn = shares(seen_by_second(health=4))
    amounts = {choice: share for choice, share in drawn.items() if choice.startswith("sacrifice")}
    assert set(amounts) == {f"sacrifice:{amount}" for amount in (1, 2, 3, 4)}
    assert all(share == pytest.approx(1 / 24, abs=0.01) for share in amounts.values())


@pytest.mark.rule("1.7", "2.2")
@pytest.mark.parametrize(
    ("second", "choice"),
    [({"health": 0}, "revive"), ({"health": 0, "blinded": True}, "wait"), ({"health": 0, "restricted": True}, "wait")],
)
def test_the_computer_plays_the_only_thing_it_may(second, choice):
    record = situation("moss", dict(pet="tide", cards=["revive"], **second))
    assert uniform(sight(record.opening(), record.players, 1), random.Random(1)) == Choice(choice)


@pytest.mark.rule("1.7")
def test_every_choice_of_the_computer_is_legal_in_whole_battles():
    rng = random.Random(3)
    for _ in range(60):
        both = (random_player(rng), random_player(rng))
        battle = Battle(*both)
        for side in (0, 1):
            seat(battle, side, rng=rng)
        while not battle.over and battle.turn < 300:
            assert battle.committed == (True, True)
            full = [fighter.health == fighter.max_health for fighter in battle.fighters]
            battle.reveal()
            assert not any(was and choice.card == "heal" for was, choice in zip(full, battle.last.choices, strict=True))


# When it commits, and on what


@pytest.mark.rule("1.7", "1.5")
def test_the_computer_commits_at_the_start_of_every_turn_before_the_human():
    battle = Battle(Fighter("moss", cards=["shield"]), Fighter("spark", cards=["shield"]))
    seat(battle, "second", rng=random.Random(2))
    for turn in (1, 2, 3):
        assert (battle.turn, battle.committed) == (turn, (False, True))
        battle.choose("first", "shield" if turn == 1 else "counter")
        battle.reveal()


@pytest.mark.rule("1.7")
def test_the_computer_does_not_choose_again_when_the_human_takes_back():
    asked = []

    def policy(seen: Sight, rng: random.Random) -> Choice:
        asked.append(seen.turn)
        return Choice("attack")

    battle = Battle(Fighter("moss"), Fighter("spark"))
    seat(battle, 1, policy)
    assert asked == [1]
    battle.choose(0, "heal")
    assert (asked, battle.committed) == ([1], (True, True))
    battle.reveal()
    assert asked == [1, 2]


@pytest.mark.rule("1.7")
def test_the_computer_stays_quiet_once_the_battle_is_over():
    battle = Battle.from_record(situation("moss", {"pet": "spark", "health": 1}))
    seat(battle, 1, lambda *_: Choice("counter"))
    battle.choose(0, "attack")
    battle.reveal()
    battle_left = Battle()
    seat(battle_left, 1)
    battle_left.leave(0)
    assert battle.committed == (False, True) or battle.over
    assert battle_left.committed == (False, False)


@pytest.mark.rule("1.7", "1.9")
def test_what_the_computer_chooses_does_not_depend_on_the_human_choice_of_that_turn():
    rng = random.Random(8)
    compared = 0
    for seed in range(40):
        human = random_player(rng)
        begun = Battle(human, computer_player(human, seed % 2 == 0, rng))
        for _ in range(6):
            if begun.over:
                break
            begun.play(*(str(random_choice(begun.position, side, rng)) for side in (0, 1)))
        if begun.over:
            continue
        chosen = set()
        for choice in options(begun.position, 0):
            battle = begun.fork()
            seat(battle, 1, rng=random.Random(seed))
            battle.choose(0, str(choice))
            battle.reveal()
            chosen.add(battle.last.choices[1])
            compared += 1
        assert len(chosen) == 1
    assert compared > 100


# What it may see


@pytest.mark.rule("1.9")
def test_a_sight_holds_nothing_of_the_other_deck_and_no_choice():
    hints = get_type_hints(Sight)
    assert hints == {
        "turn": int,
        "legal": tuple[str, ...],
        "most": int,
        "setup": Setup,
        "state": Side,
        "other_pet": str,
        "other_evolved": bool,
        "other_state": Side,
    }
    assert set(get_type_hints(Side).values()) == {int}


@pytest.mark.rule("1.9")
def test_a_policy_gets_a_sight_and_a_generator_alone():
    got = []

    def policy(*handed: object) -> Choice:
        got.append(handed)
        return Choice("attack")

    rng = random.Random(1)
    battle = Battle(Fighter("moss"), Fighter("spark"))
    seat(battle, 1, policy, rng)
    ((seen, source),) = got
    assert source is rng
    assert type(seen) is Sight
    assert seen == sight(battle.position, battle.players, 1)


def nobody_is_down(position: Position) -> bool:
    """Whether nobody is at zero, where it shows whether a deck has Revive."""
    return all(side.health > 0 for side in position.sides)


@pytest.mark.rule("1.9")
def test_battles_that_differ_in_the_unplayed_cards_of_the_other_look_the_same():
    rng = random.Random(4)
    compared = 0
    for _ in range(40):
        mine, shared = random_player(rng), rng.sample(MARKET, 2)
        pet, evolved = rng.choice(list(PETS)), rng.random() < 0.5
        unplayed = [card for card in MARKET if card not in shared]
        decks = [tuple(shared), (*shared, *rng.sample(unplayed, rng.randint(1, 5)))]
        first, second = (Battle(mine, Player("other", pet, evolved, cards=tuple(cards))) for cards in decks)
        for _ in range(12):
            if not (nobody_is_down(first.position) and nobody_is_down(second.position)):
                break
            assert sight(first.position, first.players, 0) == sight(second.position, second.players, 0)
            compared += 1
            legal = [card for card in first.legal(1) if card != "sacrifice"]
            pair = (str(random_choice(first.position, 0, rng)), rng.choice(legal))
            first.play(*pair)
            second.play(*pair)
    assert compared > 100


# Its side


@pytest.mark.rule("1.7")
@pytest.mark.parametrize("evolved", [True, False])
def test_the_computer_brings_the_same_deck_at_tier_1_and_the_evolution_asked_for(evolved):
    human = Player("me", "ember", not evolved, {"attack": 3, "heal": 2}, ("wild", "shield", "copycat"))
    rival = computer_player(human, evolved, random.Random(1))
    assert (rival.cards, rival.evolved) == (human.cards, evolved)
    assert dict(rival.tiers) == {"attack": 1, "heal": 1, "counter": 1}


@pytest.mark.rule("1.7")
def test_the_species_of_the_computer_is_uniform_over_all_six():
    rng, human = random.Random(6), Player("me", "ember")
    drawn = Counter(computer_player(human, False, rng).pet for _ in range(DRAWS))
    assert set(drawn) == set(PETS)
    assert all(times / DRAWS == pytest.approx(1 / 6, abs=0.02) for times in drawn.values())
