"""The board in a notebook: the game's own, on a battle that Python plays on as well."""

from __future__ import annotations

import logging
import random
from functools import partial

import panel as pn
from panel.viewable import Viewable

from summon import rivals, words
from summon.battle import Battle, BattleError, IllegalChoice, side_number
from summon.choices import Choice
from summon.lobby import Seat
from summon.quoting import printable, quoted
from summon.record import Record
from summon.rivals import Policy, Sight
from summon.views.seated import SeatedBoard

_log = logging.getLogger(__name__)

BOTH = "board"
"""The rival that has a board of its own."""


class AnsweredSeat(Seat):
    """A seat whose rival commits right after it, knowing no more than at the start of the turn (1.7, 1.9).

    So nothing is committed while nobody plays, and Python may play a turn at any time.
    """

    def __init__(self, battle: Battle, side: int | str, policy: Policy) -> None:
        super().__init__(battle, side)
        self._policy, self._chance = policy, random.Random()

    def choose(self, card: str, amount: int | None = None) -> None:
        """1.5: commit a choice, have the rival answer, and reveal.

        Raises as `Seat.choose`, and BattleError for a policy that fails or breaks a rule; nothing has changed then.
        """
        super().choose(card, amount)
        other = 1 - self.side
        if self.battle.committed[self.side] and not self.battle.committed[other]:
            try:
                answer = self._answer(other)
            except Exception as error:
                _log.exception("the rival's policy failed")
                self.battle.take_back(self.side)
                raise BattleError(words.RIVAL_FAILED.format(why=printable(str(error) or repr(error))), "1.7") from error
            self.battle.complete(other, answer)

    def _answer(self, side: int) -> str:
        seen = rivals.sight(self.battle.position, self.battle.players, side)
        choice = Choice.parse(str(self._policy(seen, self._chance)))
        refused = self.battle.refusal(side, choice.card, choice.amount or None)
        if refused is not None:
            raise IllegalChoice(refused, choice.amount)
        return str(choice)


def boards(battle: Battle, side: str, rival: Policy | str | None) -> Viewable:
    """The board of a side, and with `BOTH` that of the other below it; see `summon.notebook.board`."""
    number = side_number(side)
    if rival == BOTH:
        seats = [Seat(battle, number), Seat(battle, 1 - number)]
    else:
        seats = [AnsweredSeat(battle, number, _policy(rival))]
    again = partial(_again, battle, len(battle.rounds))
    shown = [SeatedBoard(seat, embedded=True, on_again=again).board for seat in seats]
    return pn.Column(*shown, sizing_mode="stretch_width")


def opener(situation: Record, side: str, rival: Policy | str | None) -> Viewable:
    """A button that turns into the board of a situation; see `summon.notebook.try_it`."""
    side_number(side)
    policy = rival if rival == BOTH else _policy(rival)
    button = pn.widgets.Button(label=words.TRY_IT, color="primary")
    shown = pn.Column(button, sizing_mode="stretch_width")

    def open_board(_: object) -> None:
        shown[:] = [boards(Battle.from_record(situation), side, policy)]

    button.on_click(open_board)
    return shown


def _again(battle: Battle, begun: int) -> None:
    """Go back to where the board was opened."""
    if len(battle.rounds) > begun:
        battle.undo(len(battle.rounds) - begun)


def _policy(rival: Policy | str | None) -> Policy:
    if rival is None:
        return rivals.uniform
    if isinstance(rival, str):
        return partial(_always, Choice.parse(rival))
    if not callable(rival):
        raise ValueError(f"a rival is a policy, a choice such as 'heal', or {BOTH!r}, not {quoted(rival)}")
    return rival


def _always(wanted: Choice, seen: Sight, rng: random.Random) -> Choice:
    """A policy: that choice whenever it may be made, and what chance says (1.7) otherwise."""
    if wanted.card in seen.legal and wanted.amount <= seen.most:
        return wanted
    return rivals.uniform(seen, rng)
