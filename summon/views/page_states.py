"""What each page of the game shows, as plain data made from what the store says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from summon import market, words
from summon.cards import CARDS, STARTERS
from summon.lobby import LiveSeat
from summon.market import Offer
from summon.player import Player
from summon.position import SIDES, UPSET_GOLD, WIN_GOLD
from summon.profile import ProfileState
from summon.rules import Rules
from summon.store import SavedBattle
from summon.turn import Setup
from summon.views import setup
from summon.views.seat import friend_names, seat_names

_RULES = Rules()


def profile(state: ProfileState) -> dict[str, Any]:
    """The pet and gold that stand on every page."""
    return {
        "pet": state.pet_name,
        "family": state.pet,
        "name": words.PET_NAMES[state.pet_name],
        "evolved": state.evolved,
        "gold": state.gold,
        "health": _setup(state).top,
    }


def _setup(state: ProfileState) -> Setup:
    return _RULES.setup(state.player("you"))


def welcome() -> dict[str, Any]:
    """1.1: the six pets to choose from."""
    return {"pets": setup.content()["pets"]}


def home(state: ProfileState, live: LiveSeat | None) -> dict[str, Any]:
    """What next: how much there is to buy, the battle under way, and whether a first battle may be of use."""
    buyable = sum(offer.refused is None for offer in market.offers(state) if offer.item.name.startswith("card:"))
    return {"can_buy": buyable, "battle": under_way(live), "lesson": _is_new(state)}


def _is_new(state: ProfileState) -> bool:
    """Whether a profile has won nothing yet: then a first battle that teaches is offered."""
    return not (state.gold or state.cards or state.evolved or any(tier > 1 for tier in state.tiers.values()))


def fight(state: ProfileState, live: LiveSeat | None) -> dict[str, Any]:
    """1.7, 9.1: the rivals there are, and what a win over each pays."""
    upset = WIN_GOLD if state.evolved else UPSET_GOLD
    told = [
        {
            "rival": rival["rival"],
            "name": rival["name"],
            "line": rival["line"],
            "gold": upset if rival["evolved"] else 1,
        }
        for rival in setup.content()["rivals"]
    ]
    return {"rivals": told, "battle": under_way(live)}


def under_way(live: LiveSeat | None) -> dict[str, Any] | None:
    """The battle that a profile is in, and what leaving it for another means (9.2, 11.5); None where there is none."""
    if live is None or live.battle.over:
        return None
    names = seat_names if live.friend is None else friend_names
    rival = names(live.battle, live.side)[1]
    loses = live.battle.last is not None
    return {
        "id": live.id,
        "turn": live.battle.turn,
        "rival": rival,
        "ask": words.anew(rival, loses),
        "cost": words.leaving(rival, loses),
    }


def market_page(state: ProfileState, in_battle: bool) -> dict[str, Any]:
    """10.1 to 10.5: everything that is sold, and when it serves (10.4)."""
    cards = [_card_good(offer, state) for offer in market.offers(state) if offer.item.name.startswith("card:")]
    starters = [_starter_good(card, state) for card in STARTERS]
    return {"later": words.LATER if in_battle else None, "goods": [*cards, *starters, _evolution_good(state)]}


def _good(offer: Offer, state: ProfileState, tab: str, **told: Any) -> dict[str, Any]:
    owned = market.owns(state, offer.item)
    off = None
    if offer.refused is not None and not owned:
        off = {"text": words.not_sold(offer.refused), "short": words.not_sold_short(offer.refused)}
    good = {
        "item": offer.item.name,
        "tab": tab,
        "price": offer.price,
        "rule": offer.item.rule,
        "owned": owned,
        "off": off,
    }
    return good | {"before": None, "after": None} | told


def _card_good(offer: Offer, state: ProfileState) -> dict[str, Any]:
    card = offer.item.card
    line = words.card_line(card, _setup(state), False)
    return _good(offer, state, "cards", card=card, name=words.CARD_NAMES[card], line=line, rule=CARDS[card].rule)


def _starter_good(card: str, state: ProfileState) -> dict[str, Any]:
    tier = state.tiers[card]
    offer = market.offer(state, f"tier:{card}:{min(tier + 1, 3)}")
    before = words.card_line(card, _setup(state), False)
    told = {"card": card, "name": words.CARD_NAMES[card], "line": before, "tier": tier, "rule": CARDS[card].rule}
    if tier == 3:
        return _good(offer, state, "starters", **told)
    after = words.card_line(card, _setup(offer.after), False)
    return _good(offer, state, "starters", **told, before=[before], after=[after])


def _evolution_good(state: ProfileState) -> dict[str, Any]:
    offer = market.offer(state, "evolution")
    grown = offer.after if not state.evolved else state
    young = ProfileState(state.id, state.pet, tiers=state.tiers, cards=state.cards, deck=state.deck)
    return _good(
        offer,
        state,
        "evolve",
        card=grown.pet_name,
        name=words.PET_NAMES[state.pet_name],
        line=words.evolution_line(None if state.evolved else words.PET_NAMES[grown.pet_name]),
        before=_strength(young),
        after=_strength(grown),
    )


def _strength(state: ProfileState) -> list[str]:
    fixed = _setup(state)
    return [f"{words.CARD_NAMES[card]}: {words.card_line(card, fixed, False)}" for card in ("attack", "wild")]


def deck(state: ProfileState) -> dict[str, Any]:
    """1.3, 1.4: the deck in its order, and the cards that stay at home."""
    spare = [card for card in state.cards if card not in state.deck]
    return {
        "deck": [_deck_card(card, state) for card in state.player("you").deck],
        "spare": [_deck_card(card, state) for card in spare],
    }


def _deck_card(card: str, state: ProfileState) -> dict[str, Any]:
    line = words.card_line(card, _setup(state), False)
    return {"card": card, "name": words.CARD_NAMES[card], "tier": state.tiers.get(card), "line": line}


def save(saved: datetime | None, code: str | None, load_ask: str | None) -> dict[str, Any]:
    """11.3: when it was saved last, the recovery code where it was asked for, and what loading another pet means."""
    return {
        "saved": None if saved is None else saved.astimezone(UTC).isoformat(),
        "code": code,
        "load_ask": None if load_ask is None else {"text": load_ask},
    }


def battles(saved: list[SavedBattle], profile_id: str, more: bool) -> dict[str, Any]:
    """The finished battles of a profile, the last one first."""
    return {"battles": [_battle(one, profile_id) for one in saved], "more": more}


def _battle(saved: SavedBattle, profile_id: str) -> dict[str, Any]:
    side = SIDES.index(saved.seats[profile_id])
    players = saved.record.players
    result = {SIDES[side]: "win", SIDES[1 - side]: "loss", "draw": "draw"}.get(saved.outcome, "ended")
    return {
        "id": saved.id,
        "when": (saved.finished or saved.moved).astimezone(UTC).isoformat(),
        "you": _pet(players[side]),
        "rival": _pet(players[1 - side]),
        "result": result,
        "gold": saved.gold[profile_id],
        "turns": len(saved.record.turns),
    }


def _pet(player: Player) -> dict[str, str]:
    return {"pet": player.pet_name, "name": words.PET_NAMES[player.pet_name], "family": player.pet}
