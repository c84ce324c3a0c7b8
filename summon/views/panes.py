"""What Panel shows for a battle, a fighter, a record or a card that is put into a page or a notebook."""

from __future__ import annotations

import panel as pn
from panel.viewable import Viewable

from summon.battle import Battle
from summon.record import Record, RecordError
from summon.reprs import html
from summon.views.board import Board
from summon.views.notebook import boards
from summon.views.seated import WatchedBattle


def pane(shown: object) -> Viewable:
    """The board of a battle's first side, a record to be watched turn by turn, or a picture with words.

    Raises TypeError for what there is no picture of.
    """
    if isinstance(shown, Battle):
        return boards(shown, "first", None)
    if isinstance(shown, Record) and _plays(shown):
        return _watched(shown)
    return pn.pane.HTML(html(shown), sizing_mode="stretch_width")


def _plays(record: Record) -> bool:
    """Whether there are turns to be watched, all of them legal."""
    try:
        return sum(1 for _ in record.play()) > 0
    except RecordError:
        return False


def _watched(record: Record) -> Board:
    """A record on a board; from its end it goes back to its beginning, as there is nowhere else to go."""
    board = Board(embedded=True)

    def begin() -> None:
        WatchedBattle(record, "first", battle_id="record", board=board, on_home=begin)

    begin()
    return board
