"""A board at one seat of a battle: it shows what that seat may see, and plays what its player does."""

from __future__ import annotations

import logging
import random
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import panel as pn
import param
from panel.io.state import set_curdoc

from summon import rivals, words
from summon.battle import Battle, BattleError, IllegalChoice, side_number
from summon.lobby import LiveSeat, Seat
from summon.player import Player
from summon.record import Record
from summon.views.board import Board
from summon.views.card_page import card_page
from summon.views.component import Action
from summon.views.seat import friend_names, round_lines, seat_names, seat_view

_log = logging.getLogger(__name__)


def follow(shown: param.Parameterized, names: Sequence[str], refresh: Callable[[], None]) -> Callable[[], None]:
    """Call `refresh` in this session whenever one of the parameters changes, whichever session changed it.

    Returns what ends it; the end of the session does so as well, so that nothing is left behind on a shared object.
    """
    document = pn.state.curdoc
    # Emptied at the end: what is left of this among things that the session was still to do holds nothing then.
    refreshing = [refresh]
    watching: list[Callable[[], None]] = []

    def refresh_safely() -> None:
        # One seat's trouble must not keep the news from the other, nor stop the battle.
        try:
            for once in refreshing:
                once()
        except Exception:
            _log.exception("a view could not be refreshed")

    def refresh_there() -> None:
        # What is scheduled from another session would otherwise take that one for its own.
        with set_curdoc(document):
            refresh_safely()

    def changed(*_: object) -> None:
        if document is None or pn.state.curdoc is document:
            refresh_safely()
        elif refreshing:
            # Between a session's end and its last callback its document takes no more.
            with suppress(AttributeError):
                document.add_next_tick_callback(refresh_there)

    # Views come last, so that what they show of a turn is saved when they show it.
    watcher = shown.param.watch(changed, list(names), precedence=1)
    watching.append(lambda: shown.param.unwatch(watcher))

    def end() -> None:
        refreshing.clear()
        while watching:
            watching.pop()()

    if document is not None and document.session_context is not None:
        pn.state.on_session_destroyed(lambda _: end())
    return end


class SeatedBoard:
    """The board of a seat, at `board`: a new one, or one that is there already.

    What the player does is checked against the battle: a stale, doubled or illegal message is told kindly and changes
    nothing. `on_again` is called when the player asks for another battle, and `on_home` when they go back.
    """

    def __init__(
        self,
        seat: Seat,
        *,
        battle_id: str = "",
        board: Board | None = None,
        embedded: bool = False,
        on_again: Callable[[], object] | None = None,
        on_home: Callable[[], object] | None = None,
    ) -> None:
        self.seat, self.battle, self.side = seat, seat.battle, seat.side
        self._id, self._on_again, self._on_home = battle_id, on_again, on_home
        self.board = Board(embedded=embedded) if board is None else board
        self.board.on_action = self.act
        self.refresh()
        self._ends = [follow(self.battle, ("turn", "committed", "outcome", "ended"), self.refresh)]

    def end(self) -> None:
        """Follow the battle no more, so that nothing is left behind on it."""
        while self._ends:
            self._ends.pop()()

    def refresh(self) -> None:
        """Show the battle as it is now."""
        self.board.state = seat_view(
            self.battle,
            self.side,
            battle_id=self._id,
            locked=self.seat.locked,
            home=self._on_home is not None,
            **self._around(),
        )

    def _around(self) -> dict[str, Any]:
        """What else this seat is shown, besides the battle itself."""
        return {}

    def act(self, action: Action) -> None:
        """Do what the player asks for; a message of the board that passed its check."""
        try:
            self._deeds()[action["type"]](action)
        except IllegalChoice as error:
            self.board.refuse(words.refusal(error.refusal, action.get("amount") or 0), error.rule)
        except BattleError as error:
            self.board.refuse(str(error), error.rule)
        except ValueError as error:
            self.board.refuse(str(error), "2.12")
        except Exception:
            _log.exception("an action of a player failed")
            self.board.refuse(words.FAILED, "")

    def _deeds(self) -> dict[str, Callable[[Action], None]]:
        return {
            "lock": self._lock,
            "take_back": self._take_back,
            "leave": lambda _: self.seat.leave(),
            "again": lambda _: self._after(self._on_again),
            "home": lambda _: self._after(self._on_home),
            "next": lambda _: None,
            "here": lambda _: None,
            "rematch": lambda _: None,
            "log": lambda _: self.board.send_log(round_lines(self.battle, self.side, self.names)),
            "record": lambda _: self.board.send_record(self._file_name(), self._record() + "\n"),
            "card": lambda action: self._tell_card(action["card"]),
        }

    def _tell_card(self, card: str) -> None:
        player, boosted = self.battle.players[self.side], self.battle.fighters[self.side].boosted
        self.board.send_card(card_page(card, player, boosted, self.battle.rules))

    @property
    def names(self) -> tuple[str, str]:
        """What the pets are called in this seat's sentences, its own first."""
        return seat_names(self.battle, self.side)

    def _lock(self, action: Action) -> None:
        if not self._is_stale(action):
            self.seat.choose(action["card"], action["amount"])

    def _take_back(self, action: Action) -> None:
        if not self._is_stale(action):
            self.seat.take_back()

    def _is_stale(self, action: Action) -> bool:
        """Whether a message was meant for another turn, which the player is told."""
        if action["turn"] == self.battle.turn or self.battle.over:
            return False
        self.board.refuse(words.stale(action["turn"], self.battle.turn), "1.5")
        self.refresh()
        return True

    def _after(self, then: Callable[[], object] | None) -> None:
        if self.battle.over and then is not None:
            then()

    def _record(self) -> str:
        return self.battle.to_record().to_json()

    def _file_name(self) -> str:
        mine, other = (self.battle.players[number].pet_name for number in (self.side, 1 - self.side))
        return f"summon-{mine}-{other}-turn-{self.battle.turn}.json"

    def __panel__(self) -> Any:
        return self.board


class LiveBoard(SeatedBoard):
    """The board of a profile's seat in a battle under way, which may be one against a friend.

    `on_look` is called whenever the page says that it is looked at, `on_rematch` when the player wishes for another
    battle against the same friend (True) or goes away from it (False), and `on_next` when that battle has begun.
    `may_see` tells whether the browser still has the profile; if not, nothing more is shown here.
    """

    seat: LiveSeat

    def __init__(
        self,
        seat: LiveSeat,
        *,
        on_look: Callable[[], object],
        on_rematch: Callable[[bool], object],
        on_next: Callable[[], None],
        may_see: Callable[[], bool] = lambda: True,
        **shown: Any,
    ) -> None:
        self._on_look, self._on_rematch, self._on_next, self._may_see = on_look, on_rematch, on_next, may_see
        self._friend = seat.friend is not None
        self._tab = object()
        if self._friend:
            seat.heard(self._tab)
        super().__init__(seat, battle_id=seat.id, **shown)
        if self._friend:
            self._ends.append(follow(seat.live, ("present", "wishes"), self.refresh))
            self._ends.append(follow(seat.live, ("successor",), self._on_next))
            self._ends.append(self._go_away)

    def refresh(self) -> None:
        """Show the battle as it is now, and what is in the way of saving it."""
        if not self._may_see():
            return
        shown = self.board.state
        if all(self.battle.committed) and (shown.get("battle"), shown.get("turn")) == (self._id, self.battle.turn):
            # The countdown is begun with a short word, which is there sooner than a state that tells nothing else.
            self.board.count(self.battle.turn)
            return
        super().refresh()
        if self.seat.trouble is not None:
            self.board.refuse(self.seat.trouble.player, "11.1")

    def _around(self) -> dict[str, Any]:
        if not self._friend:
            return {"gold": self.seat.gold}
        mine, other = self.side, 1 - self.side
        wishes = self.seat.live.wishes
        friend = {"here": self.seat.friend_is_here, "wants": wishes[other], "wish": wishes[mine]}
        return {"gold": self.seat.gold, "names": self.names, "friend": friend}

    @property
    def names(self) -> tuple[str, str]:
        """11.6: friends are told apart by whose pet it is."""
        return friend_names(self.battle, self.side) if self._friend else super().names

    def _deeds(self) -> dict[str, Callable[[Action], None]]:
        return super()._deeds() | {
            "here": self._hear,
            "rematch": lambda _: self._after(lambda: self._on_rematch(True)),
        }

    def _hear(self, action: Action) -> None:
        if self._friend:
            self.seat.heard(self._tab, action["here"])
            self._on_look()

    def _go_away(self) -> None:
        """The board is left, by whatever way; who looks at it nowhere else wishes for no rematch."""
        self.seat.heard(self._tab, False)
        if not self.seat.live.present[self.side]:
            self._on_rematch(False)

    def _record(self) -> str:
        """The record without the cards and tiers that the friend has not shown (1.9)."""
        record = self.battle.to_record()
        return (record.seen_by(self.side) if self._friend else record).to_json()


def practice_board(
    human: Player, rival_evolved: bool, *, rng: random.Random | None = None, **shown: Any
) -> SeatedBoard:
    """A battle against the computer that nobody keeps (1.7, 9.3), on a board."""
    battle = rivals.battle_against(human, rival_evolved, rng)
    return SeatedBoard(Seat(battle, "first"), battle_id=secrets.token_urlsafe(8), **shown)


class WatchedBattle:
    """A battle that was played before, shown from one side, turn by turn."""

    def __init__(
        self,
        record: Record,
        side: int | str,
        *,
        battle_id: str,
        board: Board,
        on_home: Callable[[], object],
        friend: bool = False,
    ) -> None:
        self.side, self.board = side_number(side), board
        # Each time it is watched from its beginning.
        self._id, self._left = f"watch-{battle_id}-{secrets.token_urlsafe(4)}", list(record.turns)
        self._on_home = on_home
        self.battle = Battle(*record.players, rules=record.rules, start=record.start)
        self._names = (friend_names if friend else seat_names)(self.battle, self.side)
        board.on_action = self.act
        self.refresh()

    def refresh(self) -> None:
        """Show the turn that was reached."""
        watch = {"more": bool(self._left), "text": words.WATCHED if self._left else words.WATCHED_ALL}
        self.board.state = seat_view(
            self.battle, self.side, battle_id=self._id, names=self._names, home=True, watch=watch
        )

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
            self.board.send_log(round_lines(self.battle, self.side, self._names))
        elif action["type"] == "record":
            self.board.send_record("summon-battle.json", self.battle.to_record().to_json() + "\n")
