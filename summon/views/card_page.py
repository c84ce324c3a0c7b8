"""A card's own page: what it is for, what it does now, its tiers and its rule, and a tiny battle that shows it.

The tiny battle is played by the real rules (`Battle`), with the player's own pet, tiers and evolution, from the
smallest situation in which the card has something to do.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from summon import lesson, rulebook, words
from summon.battle import Battle, IllegalChoice
from summon.cards import CARDS, MAX_TIER
from summon.events import Event, Kind, events
from summon.player import Player
from summon.position import Round
from summon.record import RecordError, situation
from summon.rules import Rules
from summon.views.seat import seat_names

HURT = 4
"""So much health a pet lacks where it is to be healed: as much as any card gives back."""

ME, OTHER = 0, 1


class Scene(NamedTuple):
    """A tiny battle: what both sides play, turn by turn, and the events that are shown, by turn, kind and side.

    Both pets begin at full health, or the player's is `hurt`, or `down` at zero.
    """

    turns: tuple[tuple[str, str], ...]
    shown: tuple[tuple[int, Kind, int], ...]
    begins: str = ""
    first_turn: int = 1


_SCENES = {
    "attack": Scene((("attack", "heal"),), ((0, Kind.STOP, OTHER), (0, Kind.HIT, ME))),
    "heal": Scene((("heal", "counter"),), ((0, Kind.HEAL, ME), (0, Kind.MISS, OTHER)), "hurt"),
    "counter": Scene((("counter", "attack"),), ((0, Kind.HIT, ME), (0, Kind.HIT, OTHER))),
    "poison": Scene((("poison", "counter"), ("counter", "counter")), ((0, Kind.POISON, ME), (1, Kind.POISON, ME))),
    "blind": Scene((("blind", "counter"), ("attack", "wait")), ((0, Kind.BLIND, ME), (1, Kind.WAIT, OTHER))),
    "revive": Scene((("revive", "counter"), ("heal", "counter")), ((0, Kind.RETURN, ME), (1, Kind.HEAL, ME)), "down"),
    "sacrifice": Scene((("sacrifice:2", "counter"),), ((0, Kind.COST, ME), (0, Kind.HIT, ME)), first_turn=5),
    "shield": Scene((("shield", "attack"),), ((0, Kind.PROTECT, ME), (0, Kind.HIT, OTHER))),
    "hide": Scene((("hide", "attack"),), ((0, Kind.PROTECT, ME), (0, Kind.HIT, OTHER))),
    "refreshment": Scene(
        (("refreshment", "counter"), ("heal", "counter")), ((0, Kind.BOOST, ME), (1, Kind.HEAL, ME)), "hurt"
    ),
    "copycat": Scene((("copycat", "attack"),), ((0, Kind.COPY, ME), (0, Kind.HIT, ME))),
}

_WILDS = {
    "moss": Scene((("wild", "attack"),), ((0, Kind.HEAL, ME), (0, Kind.HIT, OTHER)), "hurt"),
    "ember": Scene((("wild", "heal"),), ((0, Kind.STOP, OTHER), (0, Kind.HIT, ME))),
    "bloom": Scene((("wild", "counter"), ("counter", "counter")), ((0, Kind.POISON, ME), (1, Kind.POISON, ME))),
    "tide": Scene((("wild", "counter"),), ((0, Kind.HEAL, ME), (0, Kind.MISS, OTHER)), "hurt"),
    "pebble": Scene((("wild", "attack"),), ((0, Kind.PROTECT, ME), (0, Kind.HIT, OTHER))),
    "spark": Scene((("wild", "heal"),), ((0, Kind.HIT, ME), (0, Kind.BLIND, ME))),
}


def card_page(card: str, player: Player, boosted: bool = False, rules: Rules | None = None) -> dict[str, Any]:
    """The page of a card for a player, who need not have it."""
    rules = Rules() if rules is None else rules
    setup, own = rules.setup(player), card == "wild"
    rule = rulebook.rule(player.kind.rule if own else CARDS[card].rule)
    return {
        "card": card,
        "name": words.CARD_NAMES[card],
        "own": player.kind.wild if own else "",
        "meaning": words.CARD_MEANINGS[card],
        "line": words.card_line(card, setup, boosted),
        "now": words.card_numbers(card, setup, boosted),
        "tier": player.tiers.get(card, 0),
        "tiers": _tiers(card, player, rules),
        "rule": {"number": rule.number, "text": rule.text},
        "replay": replay(card, player, rules),
    }


def _tiers(card: str, player: Player, rules: Rules) -> list[str]:
    """3.1 to 3.3: what a starter does at each tier; nothing for other cards (3.6)."""
    if not CARDS[card].is_starter:
        return []
    at = (replace(player, tiers={**player.tiers, card: tier}) for tier in range(1, MAX_TIER + 1))
    return [words.card_line(card, rules.setup(one), False) for one in at]


def replay(card: str, player: Player, rules: Rules | None = None) -> dict[str, Any] | None:
    """The tiny battle of a card in three steps: what is played, and what comes of it.

    The other pet is as grown as the player's. None where the rules are such that there is nothing to show.
    """
    scene = _WILDS[player.pet] if card == "wild" else _SCENES[card]
    try:
        battle = _begun(scene, card, player, Rules() if rules is None else rules)
        before = [side.health for side in battle.position.sides]
        for mine, other in scene.turns:
            battle.play(mine, other)
        shown = [(battle.rounds[turn], _event(battle.rounds[turn], kind, side)) for turn, kind, side in scene.shown]
    except (IllegalChoice, RecordError, LookupError):
        return None
    names = seat_names(battle, 0)
    steps = [_begins(battle.rounds[0], before, names)]
    for (round_, event), following in zip(shown, [*shown[1:], None], strict=True):
        last = following is None or following[0] is not round_
        steps.append(_step(round_, event, last, names))
    return {"you": _pet(battle, ME), "rival": _pet(battle, OTHER), "steps": steps}


def _begun(scene: Scene, card: str, player: Player, rules: Rules) -> Battle:
    full = rules.setup(player).top
    health = {"hurt": max(full - HURT, 1), "down": 0}.get(scene.begins, full)
    mine = {
        "pet": player.pet,
        "evolved": player.evolved,
        "tiers": dict(player.tiers),
        "cards": [] if CARDS[card].is_starter else [card],
        "health": health,
    }
    other = {"pet": lesson.rival_of(player.pet), "evolved": player.evolved}
    return Battle.from_record(situation(mine, other, turn=scene.first_turn, rules=rules))


def _event(round_: Round, kind: Kind, side: int) -> Event:
    """The event of a kind and a side in a round; LookupError where there is none."""
    for event in events(round_):
        if event.kind is kind and event.side == side:
            return event
    raise LookupError(f"no {kind} of side {side} on turn {round_.turn}")


def _begins(round_: Round, healths: list[int], names: tuple[str, str]) -> dict[str, Any]:
    played = [{"name": words.CARD_NAMES[choice.card], "amount": choice.amount} for choice in round_.choices]
    return _told(round_, healths, {"kind": "play", "card": None, "side": None, "on": None, "rule": None}) | {
        "text": words.played(played, names)
    }


def _step(round_: Round, event: Event, last: bool, names: tuple[str, str]) -> dict[str, Any]:
    healths = [side.health for side in round_.after.sides] if last else list(event.health)
    seats = ("you", "rival")
    happened = {
        "kind": str(event.kind),
        "card": event.card,
        "side": seats[event.side],
        "on": seats[event.on],
        "rule": event.rule,
    }
    return _told(round_, healths, happened) | {"text": words.explained(event, names)}


def _told(round_: Round, healths: list[int], happened: dict[str, Any]) -> dict[str, Any]:
    return {
        "turn": round_.turn,
        "played": {"you": round_.choices[0].card, "rival": round_.choices[1].card},
        "health": {"you": healths[0], "rival": healths[1]},
        **happened,
    }


def _pet(battle: Battle, side: int) -> dict[str, Any]:
    player = battle.players[side]
    return {
        "pet": player.pet_name,
        "family": player.pet,
        "name": words.PET_NAMES[player.pet_name],
        "max": battle.position.setups[side].top,
    }
