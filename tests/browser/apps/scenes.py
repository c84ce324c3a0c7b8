"""Boards in prepared situations, for the browser tests: `?scene=…` chooses one."""

import panel as pn

from summon import Battle, Record, situation
from summon.lobby import Seat
from summon.rivals import seat
from summon.views.notebook import boards
from summon.views.play import PAGE
from summon.views.seated import SeatedBoard
from tests.browser.scenes import CROWDED, FULL, RESERVE, scripted

SCENES: dict[str, tuple[Record, list[str]]] = {
    "win": (situation({"pet": "ember"}, {"pet": "tide", "evolved": True, "health": 1}, turn=4), ["heal"]),
    "loss": (situation({"pet": "ember", "health": 1}, "tide", turn=4), ["attack"]),
    "draw": (situation({"pet": "ember", "health": 1}, {"pet": "tide", "health": 1}, turn=4), ["attack"]),
    "blinded": (situation({"pet": "moss", "blinded": True}, "spark", turn=3), ["attack", "heal"]),
    "down": (situation({"pet": "moss", "cards": ["revive"], "health": 0}, "spark", turn=3), ["counter", "heal"]),
    "sacrifice": (situation({"pet": "tide", "cards": FULL, "health": 4}, "moss", turn=6), ["counter"]),
    "refused": (situation({"pet": "tide", "streak": ["attack", 3]}, "moss", turn=4), ["counter"]),
    "statuses": (CROWDED, ["wait"]),
    "reserve": (RESERVE, ["attack", "counter"]),
}


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


def in_a_notebook() -> pn.viewable.Viewable:
    """A board as a notebook has it, where another battle is the same one from its beginning."""
    return boards(Battle.from_record(situation("ember", {"pet": "tide", "health": 1})), "first", "heal")


pn.state.curdoc.template = PAGE
name = pn.state.session_args.get("scene", [b"win"])[0].decode()
others = {"two": two_seats, "notebook": in_a_notebook}
(others[name]() if name in others else against_script(name)).servable()
