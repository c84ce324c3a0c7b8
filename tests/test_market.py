"""The market: what is sold, for how much, to whom, and what it changes."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summon import market
from summon.cards import MARKET, MAX_BOUGHT
from summon.profile import ProfileState, Refused, Why

NEW = ProfileState("p", "ember")
RICH = ProfileState("p", "ember", gold=1000)


def with_items(state: ProfileState, *names: str) -> ProfileState:
    for name in names:
        state = market.bought(state, name)
    return state


@pytest.mark.rule("10.1")
@pytest.mark.parametrize("card", MARKET)
def test_a_card_costs_what_the_rulebook_says_and_is_bought_once(card):
    price = 10 if card in ("sacrifice", "revive", "copycat") else 5
    bought = market.bought(RICH, f"card:{card}")
    assert (bought.cards, bought.gold) == ((card,), 1000 - price)
    with pytest.raises(Refused) as refused:
        market.bought(bought, f"card:{card}")
    assert (refused.value.why, refused.value.rule) == (Why.OWNED, "10.1")


@pytest.mark.rule("10.2")
def test_evolution_costs_25_once_and_takes_no_place_in_the_deck():
    bought = market.bought(RICH, "evolution")
    assert (bought.evolved, bought.gold, bought.deck, bought.pet_name) == (True, 975, (), "blaze")
    assert market.offer(bought, "evolution").refused.why is Why.OWNED


@pytest.mark.rule("10.3")
@pytest.mark.parametrize("starter", ["attack", "heal", "counter"])
def test_tier_2_costs_5_and_then_tier_3_costs_10_and_is_the_most(starter):
    early = market.offer(RICH, f"tier:{starter}:3").refused
    assert (early.why, early.rule, early.number) == (Why.TIER_FIRST, "10.3", 2)
    second = market.bought(RICH, f"tier:{starter}:2")
    third = market.bought(second, f"tier:{starter}:3")
    assert (second.gold, third.gold) == (995, 985)
    assert third.tiers == {"attack": 1, "heal": 1, "counter": 1} | {starter: 3}
    assert market.offer(third, f"tier:{starter}:2").refused.why is Why.OWNED
    with pytest.raises(ValueError, match="does not sell"):
        market.offer(third, f"tier:{starter}:4")


@pytest.mark.rule("10.5")
@pytest.mark.parametrize("item", market.ITEMS.values(), ids=lambda item: item.name)
def test_nothing_is_sold_without_the_gold_for_it(item):
    first = [f"tier:{item.card}:2"] if item.tier == 3 else []
    ready = with_items(RICH, *first)
    exact = ProfileState("p", "ember", gold=item.price, tiers=ready.tiers)
    assert market.bought(exact, item.name).gold == 0
    short = ProfileState("p", "ember", gold=item.price - 1, tiers=ready.tiers)
    offered = market.offer(short, item.name)
    assert (offered.refused.why, offered.refused.rule, offered.missing) == (Why.GOLD, "10.5", 1)
    with pytest.raises(Refused):
        market.bought(short, item.name)


def test_everything_is_offered_even_to_who_has_no_gold():
    assert [offer.item.name for offer in market.offers(NEW)] == list(market.ITEMS)
    assert len(market.ITEMS) == 16
    assert {offer.refused.why for offer in market.offers(NEW)} == {Why.GOLD, Why.TIER_FIRST}


def test_an_offer_shows_the_profile_with_the_item_before_it_is_paid():
    offered = market.offer(NEW, "tier:heal:2")
    assert (offered.price, offered.missing, offered.after.gold, offered.after.tiers["heal"]) == (5, 5, 0, 2)
    owned = market.bought(RICH, "evolution")
    assert market.offer(owned, "evolution").after == owned


@pytest.mark.rule("1.4")
def test_a_bought_card_joins_the_deck_while_there_is_room():
    states = [RICH]
    for card in MARKET:
        states.append(market.bought(states[-1], f"card:{card}"))
    assert [len(state.deck) for state in states] == [*range(MAX_BOUGHT + 1), MAX_BOUGHT, MAX_BOUGHT]
    assert states[-1].cards == MARKET


@pytest.mark.parametrize("name", ["card:attack", "card:", "poison", "evolution:2", "tier:attack:1", "", None, ["x"]])
def test_what_is_not_sold_is_told(name):
    with pytest.raises(ValueError, match="does not sell"):
        market.bought(RICH, name)


@pytest.mark.rule("10.5")
@settings(derandomize=True, deadline=None)
@given(gold=st.integers(0, 150), wishes=st.lists(st.sampled_from(list(market.ITEMS)), max_size=40))
def test_whatever_is_wished_for_gold_goes_down_by_the_price_and_nothing_comes_twice(gold, wishes):
    states, paid = [ProfileState("p", "tide", gold=gold)], []
    for name in wishes:
        if market.offer(states[-1], name).refused is None:
            states.append(market.bought(states[-1], name))
            paid.append(market.ITEMS[name])
        else:
            with pytest.raises(Refused):
                market.bought(states[-1], name)
    assert states[-1].gold == gold - sum(item.price for item in paid) >= 0
    assert len(set(paid)) == len(paid)
    assert all(before.gold > after.gold for before, after in pairwise(states))
