"""The board, the pages and the page before a battle, each alone, for the browser tests: `?part=…` chooses one."""

import panel as pn

from summon import Battle, situation
from summon.views import page_states
from summon.views.board import Board
from summon.views.pages import Action, Pages
from summon.views.play import PAGE
from summon.views.seat import seat_view
from summon.views.setup import SetUp

WELCOME = {"page": "welcome", "profile": None, "revision": 0, **page_states.welcome()}


def addressed() -> Pages:
    """It comes with another address than it was asked for; choosing a pet replaces it, and Save is a new one."""

    def act(action: Action) -> None:
        replace = action["type"] == "choose_pet"
        pages.address = {"search": f"?part=address&now={action['type']}", "replace": replace}
        pages.state = {**WELCOME, "answer": action}

    pages = Pages(act, state=WELCOME, address={"search": "?part=address&now=corrected", "replace": False})
    return pages


def troubled() -> Pages:
    """Whatever is asked for, the store cannot be reached, and the page is told as the game tells it."""

    def act(action: Action) -> None:
        pages.state = {**WELCOME, "trouble": {"text": "Nothing can be saved just now."}, "answer": action}
        pages.refuse("Nothing can be saved just now.")

    pages = Pages(act, state=WELCOME)
    return pages


def leaving() -> SetUp:
    """Starting leaves a battle."""
    setup = SetUp(lambda *_: setup.refuse("It was sent."), back=True, leaving="Spark wins if you leave now.")
    return setup


def statuses() -> Board:
    """A battle in which nothing counts; as soon as the round log is asked for, very much does."""
    cards = ["hide", "copycat", "blind", "wild"]
    plain = situation({"pet": "pebble", "evolved": True, "cards": cards}, "spark", turn=6)
    full = situation(
        {
            "pet": "pebble",
            "evolved": True,
            "cards": cards,
            "boosted": True,
            "wild_used": True,
            "poison": [2, 1],
            "shield": [1],
            "block": [3],
            "ready": {"copycat": 8, "blind": 7},
        },
        {"pet": "spark", "poison": [1], "blinded": True},
        turn=6,
    )
    states = [seat_view(Battle.from_record(record), 0, battle_id="b") for record in (plain, full)]
    board = Board(lambda _: setattr(board, "state", states[1]), state=states[0])
    return board


def counting() -> Board:
    """Locking in begins the countdown; as soon as the round log is asked for, the turn is revealed."""
    battle = Battle()
    friend = {"here": True, "wants": False, "wish": False}

    def show() -> None:
        board.state = seat_view(battle, 0, battle_id="b", friend=friend)

    def act(action: Action) -> None:
        if action["type"] == "lock":
            board.count(battle.turn)
        elif action["type"] == "log":
            battle.play("attack", "heal")
            show()

    board = Board(act)
    show()
    return board


PARTS = {"counting": counting, "statuses": statuses, "address": addressed, "trouble": troubled, "leaving": leaving}

pn.state.curdoc.template = PAGE
PARTS[pn.state.session_args["part"][0].decode()]().servable()
