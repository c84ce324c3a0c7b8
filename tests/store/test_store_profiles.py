"""Profiles in the store: made, found by browser and code, bought for, and their decks."""

from datetime import timedelta

import pytest

from summon import market
from summon.cards import PETS
from summon.profile import Refused, Why
from summon.store import NoProfile, Stale, Store
from tests.store.playing import rich


def refused(call, *arguments) -> Refused:
    with pytest.raises(Refused) as error:
        call(*arguments)
    return error.value


# Making and finding


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("pet", PETS)
def test_a_new_profile_has_its_pet_and_nothing_else(store, pet):
    state = store.create("browser", pet)
    assert (state.pet, state.evolved, state.gold, state.cards, state.deck) == (pet, False, 0, (), ())
    assert state.tiers == {"attack": 1, "heal": 1, "counter": 1}
    assert state == store.get(state.id) == store.profile_of("browser")


@pytest.mark.rule("1.1")
def test_a_pet_is_for_good(store):
    state = store.create("browser", "moss")
    error = refused(store.create, "browser", "tide")
    assert (error.why, error.rule) == (Why.HAS_PROFILE, "1.1")
    assert store.profile_of("browser") == state


def test_there_is_no_profile_with_a_pet_that_is_none(store):
    with pytest.raises(ValueError, match="no pet"):
        store.create("browser", "dragon")
    assert store.profile_of("browser") is None


def test_ids_are_opaque_and_differ(store):
    ids = {store.create(f"browser {number}", "moss").id for number in range(20)}
    assert len(ids) == 20
    assert all(len(each) == 32 for each in ids)


@pytest.mark.rule("11.6")
def test_no_name_is_asked_for_or_kept(store):
    state = store.create("browser", "ember")
    assert "name" not in {*state.__slots__, *Store.create.__annotations__}


def test_an_unknown_profile_is_told(store):
    for call in (
        lambda: store.get("nobody"),
        lambda: store.buy("nobody", "evolution"),
        lambda: store.set_deck("nobody", [], 1),
        lambda: store.link("browser", "nobody"),
        lambda: store.code_counter("nobody"),
        lambda: store.set_code_hash("nobody", "hash", 0),
        lambda: store.sign_out_others("nobody", "browser"),
    ):
        with pytest.raises(NoProfile):
            call()


@pytest.mark.rule("11.1")
def test_everything_survives_closing_and_opening_again(place, clock):
    with Store.open(place, clock=clock) as store:
        state = rich(store, store.create("browser", "spark"), 40)
        state = store.buy(state.id, "card:poison")
        state = store.buy(state.id, "card:hide")
        state = store.set_deck(state.id, ["hide"], state.revision)
        state = store.buy(state.id, "tier:counter:2")
        state = store.buy(state.id, "evolution")
    clock.now += timedelta(days=399)
    with Store.open(place, clock=clock) as store:
        assert store.profile_of("browser") == state
        assert (state.cards, state.deck, state.pet_name) == (("poison", "hide"), ("hide",), "thunder")


def test_a_change_tells_when_it_was_saved(store, clock):
    state = rich(store, store.create("browser", "moss"), 5)
    clock.now += timedelta(days=1)
    bought = store.buy(state.id, "card:wild")
    assert bought.saved == clock.now
    assert bought.saved.utcoffset() == timedelta(0)
    clock.now += timedelta(days=1)
    assert store.get(state.id).saved == bought.saved


def test_a_visit_is_noted_once_an_hour(store, clock, look):
    state = store.create("browser", "moss")
    begun = clock.now
    clock.now += timedelta(minutes=50)
    store.profile_of("browser")
    assert look("SELECT seen FROM profiles") == look("SELECT seen FROM tokens") == [(begun,)]
    clock.now += timedelta(minutes=20)
    assert store.profile_of("browser") == state
    assert look("SELECT seen FROM profiles") == look("SELECT seen FROM tokens") == [(clock.now,)]


# Browsers and recovery


@pytest.mark.rule("11.3")
def test_a_code_finds_the_profile_and_another_browser_uses_it(store):
    state = store.create("one", "moss")
    assert store.code_counter(state.id) == 0
    assert store.by_code_hash("hash 0") is None
    store.set_code_hash(state.id, "hash 0", 0)
    assert store.by_code_hash("hash 0") == state
    store.create("two", "tide")
    assert store.link("two", state.id) == state
    assert store.profile_of("two") == store.profile_of("one") == state


@pytest.mark.rule("11.3")
def test_a_new_code_replaces_the_old_one(store):
    state = store.create("one", "moss")
    store.set_code_hash(state.id, "hash 0", 0)
    store.set_code_hash(state.id, "hash 1", 1)
    assert store.code_counter(state.id) == 1
    assert store.by_code_hash("hash 0") is None
    assert store.by_code_hash("hash 1") == state
    with pytest.raises(Stale):
        store.set_code_hash(state.id, "hash 0", 0)
    assert store.by_code_hash("hash 1") == state


@pytest.mark.rule("11.3")
def test_other_browsers_are_signed_out_and_one_stays(store):
    state = store.create("one", "moss")
    other = store.create("else", "tide")
    for browser in ("two", "three"):
        store.link(browser, state.id)
    assert store.sign_out_others(state.id, "two") == 2
    found = [store.profile_of(browser) for browser in ("one", "two", "three", "else")]
    assert found == [None, state, None, other]
    store.unlink("two")
    store.unlink("two")
    assert store.profile_of("two") is None
    assert store.get(state.id) == state


# Buying


@pytest.mark.rule("10.1", "10.2", "10.3", "10.5")
def test_everything_can_be_bought_once_and_the_gold_is_what_the_prices_leave(store):
    state = rich(store, store.create("browser", "pebble"), 130)
    expected = state
    for item in market.ITEMS:
        expected = market.bought(expected, item)
        state = store.buy(state.id, item)
        assert (state.gold, state.cards, state.deck, state.tiers, state.evolved) == (
            expected.gold,
            expected.cards,
            expected.deck,
            expected.tiers,
            expected.evolved,
        )
        assert refused(store.buy, state.id, item).why is Why.OWNED
    assert store.get(state.id) == state
    assert store.check().ok


@pytest.mark.rule("10.5")
def test_without_the_gold_nothing_is_sold_and_nothing_changes(store):
    state = store.create("browser", "pebble")
    error = refused(store.buy, state.id, "evolution")
    assert (error.why, error.number, error.rule) == (Why.GOLD, 25, "10.5")
    assert store.get(state.id) == state


@pytest.mark.rule("10.3")
def test_tier_3_waits_for_tier_2(store):
    state = rich(store, store.create("browser", "pebble"), 15)
    assert refused(store.buy, state.id, "tier:heal:3").why is Why.TIER_FIRST
    store.buy(state.id, "tier:heal:2")
    assert store.buy(state.id, "tier:heal:3").gold == 0


def test_what_is_not_sold_is_told(store):
    state = store.create("browser", "pebble")
    with pytest.raises(ValueError, match="does not sell"):
        store.buy(state.id, "card:dragon")


def test_every_change_is_a_revision(store):
    state = store.create("browser", "moss")
    assert state.revision == 1
    state = rich(store, state, 5)
    assert state.revision == 2
    state = store.buy(state.id, "card:wild", 2)
    assert state.revision == 3
    state = store.set_deck(state.id, [], 3)
    assert state.revision == 4


@pytest.mark.rule("10.5")
def test_two_pages_of_one_profile_buy_what_is_still_right(store):
    seen = rich(store, store.create("browser", "moss"), 10)
    store.buy(seen.id, "card:wild", seen.revision)
    with pytest.raises(Stale) as twice:
        store.buy(seen.id, "card:wild", seen.revision)
    assert (twice.value.refused.why, twice.value.state) == (Why.OWNED, store.get(seen.id))
    bought = store.buy(seen.id, "card:hide", seen.revision)
    assert (bought.cards, bought.gold) == (("wild", "hide"), 0)
    with pytest.raises(Stale) as poor:
        store.buy(seen.id, "card:blind", seen.revision)
    assert poor.value.refused.why is Why.GOLD
    assert refused(store.buy, seen.id, "card:blind", bought.revision).why is Why.GOLD
    assert store.get(seen.id) == bought


# The deck


@pytest.fixture
def owner(store):
    """Give a profile that owns nine cards, the first seven in its deck."""
    state = rich(store, store.create("browser", "moss"), 60)
    for item in market.ITEMS:
        if item.startswith("card:"):
            state = store.buy(state.id, item)
    return state


@pytest.mark.rule("1.4")
def test_a_deck_keeps_the_order_of_its_player(store, owner):
    cards = ("copycat", "wild", "hide")
    state = store.set_deck(owner.id, cards, owner.revision)
    assert state.deck == cards
    assert store.get(owner.id) == state
    assert state.cards == owner.cards
    assert store.set_deck(owner.id, (), state.revision).deck == ()


@pytest.mark.rule("1.4")
def test_a_deck_that_may_not_be_is_refused(store, owner):
    assert refused(store.set_deck, owner.id, owner.cards[:8], owner.revision).why is Why.DECK_FULL
    assert refused(store.set_deck, owner.id, ["hide", "hide"], owner.revision).why is Why.TWICE
    other = store.create("else", "moss")
    assert refused(store.set_deck, other.id, ["hide"], 1).why is Why.NOT_OWNED
    with pytest.raises(ValueError, match="not a card"):
        store.set_deck(owner.id, ["heal"], owner.revision)
    assert store.get(owner.id) == owner


def test_a_deck_that_another_page_has_changed_is_not_overwritten(store, owner):
    changed = store.set_deck(owner.id, ["hide"], owner.revision)
    with pytest.raises(Stale) as stale:
        store.set_deck(owner.id, ["wild"], owner.revision)
    assert stale.value.state == changed == store.get(owner.id)
    assert store.set_deck(owner.id, ["hide"], owner.revision) == changed
    with pytest.raises(Stale):
        store.set_deck(owner.id, ["wild"], changed.revision + 1)


def test_gold_that_came_meanwhile_does_not_make_a_deck_stale(store, owner):
    richer = rich(store, owner, owner.gold + 1)
    assert richer.revision > owner.revision
    assert store.set_deck(owner.id, ["wild"], owner.revision).deck == ("wild",)
