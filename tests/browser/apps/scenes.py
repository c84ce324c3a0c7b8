"""Boards in prepared situations, for the browser tests: `?scene=…` chooses one."""

import random
from collections.abc import Iterator

import panel as pn

from summon import Battle, Choice, Record, situation
from summon.cards import MARKET
from summon.lobby import Seat
from summon.rivals import Policy, Sight, seat
from summon.views.play import PAGE
from summon.views.seated import SeatedBoard

FULL = ["shield", "poison", "refreshment", "copycat", "wild", "blind", "sacrifice"]

SCENES: dict[str, tuple[Record, list[str]]] = {
    "win": (situation({"pet": "ember"}, {"pet": "tide", "evolved": True, "health": 1}, turn=4), ["heal"]),
    "loss": (situation({"pet": "ember", "health": 1}, "tide", turn=4), ["attack"]),
    "draw": (situation({"pet": "ember", "health": 1}, {"pet": "tide", "health": 1}, turn=4), ["attack"]),
    "blinded": (situation({"pet": "moss", "blinded": True}, "spark", turn=3), ["attack", "heal"]),
    "down": (situation({"pet": "moss", "cards": ["revive"], "health": 0}, "spark", turn=3), ["counter", "heal"]),
    "sacrifice": (situation({"pet": "tide", "cards": FULL, "health": 4}, "moss", turn=6), ["counter"]),
    "refused": (situation({"pet": "tide", "streak": ["attack", 3]}, "moss", turn=4), ["counter"]),
    "statuses": (
        situation(
            {
                "pet": "pebble",
                "evolved": True,
                "cards": [*FULL[:6], "hide"],
                "health": 7,
                "boosted": True,
                "restricted": True,
                "wild_used": True,
                "poison": [2, 1],
                "shield": [1],
                "block": [3],
                "ready": {"copycat": 8, "blind": 7},
            },
            {"pet": "spark", "cards": list(MARKET[:7]), "health": 2, "poison": [1], "blinded": True},
            turn=6,
        ),
        ["wait"],
    ),
    "reserve": (
        situation(
            {"pet": "tide", "reserve": 2},
            {"pet": "moss", "evolved": True},
            rules={"reserve_health": 3, "evolved_health": 30},
        ),
        ["attack", "counter"],
    ),
}


def scripted(cards: list[str]) -> Policy:
    """A rival that plays these cards one after the other, and then whatever it may."""
    left: Iterator[str] = iter(cards)

    def policy(seen: Sight, rng: random.Random) -> Choice:
        return Choice.parse(next(left, seen.legal[0]))

    return policy


def against_script(scene: str) -> pn.viewable.Viewable:
    record, cards = SCENES[scene]
    battle = Battle.from_record(record)
    seat(battle, "second", scripted(cards))
    return SeatedBoard(Seat(battle, "first"), battle_id=scene, on_again=lambda: None).board


def two_seats() -> pn.viewable.Viewable:
    """Both seats of one battle on one page."""
    battle = Battle.from_record(situation({"pet": "ember", "cards": FULL}, {"pet": "tide", "cards": FULL}))
    boards = [SeatedBoard(Seat(battle, side), battle_id="two", embedded=True).board for side in ("first", "second")]
    return pn.Row(*boards, sizing_mode="stretch_width")


pn.state.curdoc.template = PAGE
name = pn.state.session_args.get("scene", [b"win"])[0].decode()
(two_seats() if name == "two" else against_script(name)).servable()
