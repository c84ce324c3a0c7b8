"""A board in a situation that the address tells, for the browser tests.

`?you={"pet":"moss","blinded":true}&rival={"pet":"ember"}&plays=attack,heal`: both sides as `situation` takes them, and
what the rival plays where it may; `turn` and `rules` as well.
"""

import json
import random

import panel as pn

from summon import Battle, Choice, situation
from summon.lobby import Seat
from summon.rivals import Sight, seat
from summon.views.play import PAGE
from summon.views.seated import SeatedBoard


def asked(name: str, default: str) -> str:
    return pn.state.session_args.get(name, [default.encode()])[0].decode()


record = situation(
    json.loads(asked("you", '{"pet": "moss"}')),
    json.loads(asked("rival", '{"pet": "ember"}')),
    turn=int(asked("turn", "6")),
    rules=json.loads(asked("rules", "{}")),
)
plays = iter(asked("plays", "counter").split(","))


def policy(seen: Sight, rng: random.Random) -> Choice:
    wanted = next(plays, "")
    return Choice.parse(wanted if wanted in seen.legal else seen.legal[0])


battle = Battle.from_record(record)
seat(battle, "second", policy)
pn.state.curdoc.template = PAGE
SeatedBoard(Seat(battle, "first"), battle_id="states", on_again=lambda: None).board.servable()
