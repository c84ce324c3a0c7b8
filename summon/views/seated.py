"""A board at one seat of a battle: it shows what that seat may see, and plays what its player does."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
import param

from summon import words
from summon.battle import Battle, BattleError, IllegalChoice, side_number
from summon.choices import Choice
from summon.record import Record
from summon.views.board import Action, Board
from summon.views.seat import round_lines, seat_view

_log = logging.getLogger(__name__)


def follow(shown: param.Parameterized, names: Sequence[str], refresh: Callable[[], None]) -> Callable[[], None]:
    """Call `refresh` in this session whenever one of the parameters changes, whichever session changed it.

    Returns what ends it; the end of the session does so as well, so that nothing is left behind on a shared object.
    """
    document, alive = pn.state.curdoc, True

    def refresh_safely() -> None:
        # One seat's trouble must not keep the news from the other, nor stop the battle.
        try:
            if alive:
                refresh()
        except Exception:
            _log.exception("a view could not be refreshed")

    def changed(*_: object) -> None:
        if document is None or pn.state.curdoc is document:
            refresh_safely()
        elif alive:
            document.add_next_tick_callback(refresh_safely)

    watching: list[Callable[[], None]] = []
    # Views come last, so that what they show of a turn is saved when they show it.
    watcher = shown.param.watch(changed, list(names), precedence=1)
    watching.append(lambda: shown.param.unwatch(watcher))

    def end() -> None:
        nonlocal alive
        alive = False
        # What is left of this in the session's list of things to do at its end holds nothing more.
        while watching:
            watching.pop()()

    if document is not None and document.session_context is not None:
        pn.state.on_session_destroyed(lambda _: end())
    return end


class SeatedBoard:
    """The board of one side of a battle, at `board`: a new one, or one that is there already.

    What the player does is checked against the battle: a stale, doubled or illegal message is told kindly and changes
    nothing. The turn is revealed as soon as both sides have chosen. `on_again` is called when the player asks for
    another battle, `on_home` when they go back. `gold` tells what was paid to this seat, and `trouble` why the last
    turn could not be saved, if so.
    """

    def __init__(
        self,
        battle: Battle,
        side: int | str = "first",
        *,
        battle_id: str = "",
        board: Board | None = None,
        embedded: bool = False,
        on_again: Callable[[], object] | None = None,
        on_home: Callable[[], object] | None = None,
        gold: Callable[[], int | None] = lambda: None,
        trouble: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.battle, self.side = battle, side_number(side)
        self._id, self._on_again, self._on_home = battle_id, on_again, on_home
        self._gold, self._trouble = gold, trouble
        self._locked: tuple[int, Choice] | None = None
        self.board = Board(embedded=embedded) if board is None else board
        self.board.on_action = self.act
        self.refresh()
        self.end = follow(battle, ("turn", "committed", "outcome", "ended"), self.refresh)

    def refresh(self) -> None:
        """Show the battle as it is now."""
        self.board.state = seat_view(
            self.battle,
            self.side,
            battle_id=self._id,
            locked=self._own_choice(),
            gold=self._gold(),
            home=self._on_home is not None,
        )
        trouble = self._trouble()
        if trouble is not None:
            self.board.refuse(trouble, "11.1")

    def _own_choice(self) -> Choice | None:
        """The choice that this seat has locked for the turn in play."""
        if self._locked is None or self._locked[0] != self.battle.turn or not self.battle.committed[self.side]:
            return None
        return self._locked[1]

    def act(self, action: Action) -> None:
        """Do what the player asks for; a message of the board that passed its check."""
        deeds: dict[str, Callable[[Action], None]] = {
            "lock": self._lock,
            "take_back": self._take_back,
            "leave": self._leave,
            "again": self._again,
            "home": self._home,
            "next": lambda _: None,
            "log": lambda _: self.board.send_log(round_lines(self.battle, self.side)),
            "record": lambda _: self.board.send_record(self._file_name(), self.battle.to_record().to_json() + "\n"),
        }
        try:
            deeds[action["type"]](action)
        except IllegalChoice as error:
            self.board.refuse(words.refusal(error.refusal, action.get("amount") or 0), error.rule)
        except BattleError as error:
            self.board.refuse(str(error), error.rule)
        except ValueError as error:
            self.board.refuse(str(error), "2.12")
        except Exception:
            _log.exception("an action of a player failed")
            self.board.refuse(words.FAILED, "")

    def _lock(self, action: Action) -> None:
        if self._is_stale(action):
            return
        before, self._locked = self._locked, (self.battle.turn, Choice(action["card"], action["amount"] or 0))
        try:
            self.battle.choose(self.side, action["card"], action["amount"])
        except (BattleError, ValueError):
            self._locked = before
            raise
        if all(self.battle.committed):
            self.battle.reveal()

    def _take_back(self, action: Action) -> None:
        if not self._is_stale(action):
            self.battle.take_back(self.side)

    def _is_stale(self, action: Action) -> bool:
        """Whether a message was meant for another turn, which the player is told."""
        if action["turn"] == self.battle.turn or self.battle.over:
            return False
        self.board.refuse(words.stale(action["turn"], self.battle.turn), "1.5")
        self.refresh()
        return True

    def _leave(self, _: Action) -> None:
        self.battle.leave(self.side)

    def _again(self, _: Action) -> None:
        if self.battle.over and self._on_again is not None:
            self._on_again()

    def _home(self, _: Action) -> None:
        if self.battle.over and self._on_home is not None:
            self._on_home()

    def _file_name(self) -> str:
        mine, other = (self.battle.players[number].pet_name for number in (self.side, 1 - self.side))
        return f"summon-{mine}-{other}-turn-{self.battle.turn}.json"

    def __panel__(self) -> Any:
        return self.board


class WatchedBattle:
    """A battle that was played before, shown from one side, turn by turn."""

    def __init__(
        self, record: Record, side: int | str, *, battle_id: str, board: Board, on_home: Callable[[], object]
    ) -> None:
        self.side, self.board = side_number(side), board
        self._id, self._left = f"watch-{battle_id}", list(record.turns)
        self._on_home = on_home
        self.battle = Battle(*record.players, rules=record.rules, start=record.start)
        board.on_action = self.act
        self.refresh()

    def refresh(self) -> None:
        """Show the turn that was reached."""
        watch = {"more": bool(self._left), "text": words.WATCHED if self._left else words.WATCHED_ALL}
        self.board.state = seat_view(self.battle, self.side, battle_id=self._id, home=True, watch=watch)

    def end(self) -> None:
        """Nothing is left behind: nobody else has this battle."""

    def act(self, action: Action) -> None:
        """Go on to the next turn, or back; a message of the board that passed its check."""
        if action["type"] == "next" and self._left and action["turn"] == self.battle.turn:
            self.battle.play(*map(str, self._left.pop(0)))
            self.refresh()
        elif action["type"] in ("home", "again"):
            self._on_home()
        elif action["type"] == "log":
            self.board.send_log(round_lines(self.battle, self.side))
        elif action["type"] == "record":
            self.board.send_record("summon-battle.json", self.battle.to_record().to_json() + "\n")
