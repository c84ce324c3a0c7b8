"""The game of one visitor: its pages, the board, and the way between them, each with an address of its own."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlencode

import panel as pn

from summon import recovery, words
from summon.battle import Battle
from summon.lobby import LiveBattle, unsaved_battle
from summon.market import item_of
from summon.player import Player
from summon.profile import ProfileState, Refused, Why
from summon.store import NoBattle, NoProfile, Stale, Store, StoreError
from summon.views import identity, page_states
from summon.views.board import Board
from summon.views.limits import find_by_code
from summon.views.pages import PLACES, Action, Pages, is_battle
from summon.views.seated import SeatedBoard, WatchedBattle
from summon.views.setup import SetUp
from summon.views.world import World

_log = logging.getLogger(__name__)

WITHOUT_PET = ("welcome", "save", "rulebook")
"""The pages of a visitor who has no pet yet."""

ADDRESS = ("page", "battle", "rule")
"""What an address may say: the page, the battle to watch, and the rule to look at."""

HISTORY = 20
"""How many battles a page of the history shows."""


class Game:
    """One visitor's game; `view` is all of it. `browser` is the hash that the store knows the visitor's browser by."""

    def __init__(self, shared: World, store: Store, browser: str) -> None:
        self._world, self._store, self._browser = shared, store, browser
        self._seated: SeatedBoard | WatchedBattle | None = None
        self._notice: dict[str, str] | None = None
        self._code: str | None = None
        self._load: tuple[str, ProfileState] | None = None
        self._shown_battles = HISTORY
        self._known: ProfileState | None = None
        self._at: dict[str, str] = {}
        self._answers = count()
        self.pages = Pages(on_action=self.act)
        self._board: Board | None = None
        self._setup: SetUp | None = None
        self.view = pn.Column(self.pages, sizing_mode="stretch_width", margin=0)
        asked = pn.state.session_args or {}
        self._at = {name: values[-1].decode(errors="replace") for name, values in asked.items() if name in ADDRESS}
        self._safely(self._show)

    # The way between the pages

    def _follow(self, action: Action) -> None:
        """Show what the address says that the browser went back to."""
        told = parse_qs(action["search"].lstrip("?"), errors="replace")
        self._at = {name: values[-1] for name, values in told.items() if name in ADDRESS}
        self.pages.address = action["search"]
        self._code, self._load = None, None
        self._show()

    def go(self, page: str, **more: str) -> None:
        """Go to a page: its address and what is shown."""
        self._at = {"page": page, **more}
        self._code, self._load = None, None
        self.pages.address = "?" + urlencode(self._at)
        self._show()

    def _profile(self) -> ProfileState | None:
        """The profile of this browser as it is now; who was signed out is told."""
        state = self._store.profile_of(self._browser)
        if state is None and self._known is not None:
            self._tell(words.SIGNED_OUT, "info")
        self._known = state
        return state

    def _live(self, state: ProfileState) -> LiveBattle | None:
        assert self._world.lobby is not None
        return self._world.lobby.of(state.id)

    def _show(self) -> None:
        state = self._profile()
        page = self._at.get("page", "home")
        if state is None:
            page = page if page in WITHOUT_PET else "welcome"
            self._show_page(page, None)
        elif page == "battle":
            self._show_battle(state)
        elif page == "watch":
            self._show_watched(state, self._at.get("battle", ""))
        elif page == "practice":
            self._show_setup(state)
        else:
            self._show_page(page if page in PLACES and page != "welcome" else "home", state)

    def _show_page(self, page: str, state: ProfileState | None) -> None:
        self._leave_board()
        told: dict[str, Any] = {
            "page": page,
            "profile": None if state is None else page_states.profile(state),
            "revision": 0 if state is None else state.revision,
            "notice": self._notice,
            "trouble": None,
            "answer": next(self._answers),  # an answer that is like the last one is sent all the same
            **self._on_page(page, state),
        }
        self._notice = None
        self._only(self.pages)
        self.pages.state = told

    def _on_page(self, page: str, state: ProfileState | None) -> dict[str, Any]:
        if page == "welcome":
            return page_states.welcome()
        if page == "rulebook":
            return {"rule": self._at.get("rule")}
        if page == "save":
            ask = None
            if self._load is not None and state is not None:
                ask = words.load_ask(words.PET_NAMES[state.pet_name], state.gold)
            return page_states.save(None if state is None else state.saved, self._code, ask)
        if state is None:
            return {}
        if page == "home":
            return page_states.home(state, self._live(state))
        if page == "fight":
            return page_states.fight(state, self._live(state))
        if page == "market":
            live = self._live(state)
            return page_states.market_page(state, live is not None and not live.battle.over)
        if page == "deck":
            return page_states.deck(state)
        found = self._store.history(state.id, self._shown_battles + 1)
        return page_states.battles(found[: self._shown_battles], state.id, len(found) > self._shown_battles)

    def _only(self, shown: Any) -> None:
        for one in self.view:
            one.visible = one is shown

    def _leave_board(self) -> None:
        if self._seated is not None:
            self._seated.end()
            self._seated = None

    # The board

    @property
    def board(self) -> Board:
        """The one board of this visitor, which comes into the page when it is first needed."""
        if self._board is None:
            self._board = Board(visible=False)
            self.view.append(self._board)
        return self._board

    def _show_battle(self, state: ProfileState) -> None:
        assert self._world.lobby is not None
        live = self._live(state) or self._world.lobby.ended(state.id)
        if live is None:
            self._turn_to("home")
            return
        self._leave_board()
        self._seated = SeatedBoard(
            live.battle,
            live.side,
            battle_id=live.id,
            board=self.board,
            gold=lambda: live.gold,
            trouble=lambda: None if live.trouble is None else live.trouble.player,
            on_again=self._go_safely("practice" if live.kind == "practice" else "fight"),
            on_home=self._go_safely("home"),
        )
        self.board.on_action = lambda action: self._act_on_board(state.id, action)
        self._only(self.board)

    def _act_on_board(self, profile_id: str, action: Action) -> None:
        """What is done on the board, unless this browser was signed out or has another profile by now."""
        try:
            known = self._profile()
        except StoreError as error:
            _log.error("the battle goes on without asking: %s", error.operator)
        else:
            if known is None or known.id != profile_id:
                self._safely(self._show)
                return
        if self._seated is not None:
            self._seated.act(action)

    def _turn_to(self, page: str) -> None:
        """Show another page than the address says, as it names nothing any more; Back still leads past it."""
        self._at = {"page": page}
        self._show()

    def _show_watched(self, state: ProfileState, battle_id: str) -> None:
        if not is_battle(battle_id):
            self._turn_to("battles")
            return
        try:
            record = self._store.finished_record(state.id, battle_id)
            saved = next(one for one in self._store.history(state.id, 1_000) if one.id == battle_id)
        except (NoBattle, StopIteration):
            self._turn_to("battles")
            return
        self._leave_board()
        side = saved.seats[state.id]
        self._seated = WatchedBattle(
            record, side, battle_id=battle_id, board=self.board, on_home=self._go_safely("battles")
        )
        self._only(self.board)

    def _go_safely(self, page: str) -> Callable[[], None]:
        return lambda: self._safely(lambda: self.go(page))

    def _show_setup(self, state: ProfileState) -> None:
        live = self._live(state)
        if live is not None and not live.battle.over:
            self._tell(words.not_sold(Refused(Why.IN_BATTLE, "11.5")), "info")
            self._turn_to("home")
            return
        self._leave_board()
        if self._setup is None:
            self._setup = SetUp(on_start=self._practise, on_back=self._go_safely("home"), back=True)
            self.view.append(self._setup)
        self._setup.ready()
        self._only(self._setup)

    def _practise(self, pet: str, rival_evolved: bool, cards: tuple[str, ...]) -> None:
        human = Player("you", pet, cards=cards)

        def begin(state: ProfileState) -> None:
            assert self._world.lobby is not None
            try:
                self._world.lobby.practise(state, human, rival_evolved)
            except StoreError as error:
                _log.error("practice goes on unsaved: %s", error.operator)
                self._show_unsaved(unsaved_battle(human, rival_evolved))
            else:
                self.go("battle")

        self._safely(lambda: self._with_profile(begin))

    def _show_unsaved(self, battle: Battle) -> None:
        """Practice needs no store."""
        self._leave_board()
        self._seated = SeatedBoard(
            battle,
            "first",
            battle_id=secrets.token_urlsafe(8),
            board=self.board,
            on_again=self._go_safely("practice"),
            on_home=self._go_safely("home"),
        )
        self._only(self.board)

    # What the player does

    def act(self, action: Action) -> None:
        """Do what the player asks for on a page; a message that passed its check."""
        self._safely(lambda: self._deeds()[action["type"]](action))

    def _safely(self, deed: Callable[[], None]) -> None:
        """Do something; whatever is in the way is told kindly, and nothing is lost."""
        try:
            deed()
        except Stale as stale:
            self._tell(words.CHANGED if stale.refused is None else words.not_sold(stale.refused), "info")
            self._safely(self._show)
        except Refused as refused:
            self._tell(words.not_sold(refused), "bad")
            self._safely(self._show)
        except NoProfile:
            self._known = None
            self._safely(self._show)
        except StoreError as error:
            _log.error("%s", error.operator)
            self._trouble(error.player)
        except Exception:
            _log.exception("an action of a player failed")
            self._trouble(words.FAILED)

    def _trouble(self, text: str) -> None:
        """A banner over what was shown last; where nothing was, over the first page."""
        self.pages.state = {
            **(self.pages.state or {"page": "welcome", "profile": None, "revision": 0, **page_states.welcome()}),
            "notice": None,
            "trouble": {"text": text},
            "answer": next(self._answers),
        }
        self.pages.refuse(text)
        if self._setup is not None and self._setup.visible:
            self._setup.refuse(text)
        elif self._board is not None and self._board.visible:
            self._board.refuse(text, "11.1")

    def _tell(self, text: str, kind: str) -> None:
        self._notice = {"text": text, "kind": kind}

    def _deeds(self) -> dict[str, Callable[[Action], None]]:
        return {
            "go": lambda action: self.go(action["page"]),
            "address": self._follow,
            "choose_pet": self._choose_pet,
            "fight": lambda action: self._with_profile(lambda state: self._fight(state, action["rival_evolved"])),
            "resume": lambda _: self.go("battle"),
            "buy": lambda action: self._with_profile(lambda state: self._buy(state, action)),
            "deck": lambda action: self._with_profile(lambda state: self._set_deck(state, action)),
            "save": lambda _: self._with_profile(self._save),
            "show_code": lambda _: self._with_profile(self._show_code),
            "hide_code": lambda _: self._hide_code(),
            "replace_code": lambda _: self._with_profile(self._replace_code),
            "load": self._load_code,
            "sign_out": lambda _: self._with_profile(self._sign_out),
            "watch": lambda action: self.go("watch", battle=action["battle"]),
            "record": lambda action: self._with_profile(lambda state: self._record(state, action["battle"])),
            "more": lambda _: self._more(),
        }

    def _with_profile(self, deed: Callable[[ProfileState], None]) -> None:
        state = self._profile()
        if state is None:
            self._show()
        else:
            deed(state)

    def _choose_pet(self, action: Action) -> None:
        state = self._store.create(self._browser, action["pet"])
        self._tell(words.chosen(words.PET_NAMES[state.pet]), "good")
        self.go("home")

    def _fight(self, state: ProfileState, rival_evolved: bool) -> None:
        assert self._world.lobby is not None
        self._world.lobby.leave(state.id)
        self._world.lobby.begin(self._store.get(state.id), rival_evolved)
        self.go("battle")

    def _buy(self, state: ProfileState, action: Action) -> None:
        self._store.buy(state.id, action["item"], action["revision"])
        item = item_of(action["item"])
        name = words.CARD_NAMES[item.card] if item.card else words.PET_NAMES[state.kind.evolved]
        self._tell(words.bought(name, item.tier), "good")
        self._show()

    def _set_deck(self, state: ProfileState, action: Action) -> None:
        self._store.set_deck(state.id, action["cards"], action["revision"])
        self._show()

    def _save(self, state: ProfileState) -> None:
        self._store.note_saved(state.id)
        self._tell(words.SAVED, "good")
        self._show()

    def _show_code(self, state: ProfileState) -> None:
        self._show_code_of(state, self._store.code_counter(state.id))

    def _replace_code(self, state: ProfileState) -> None:
        self._show_code_of(state, self._store.code_counter(state.id) + 1)

    def _show_code_of(self, state: ProfileState, counter: int) -> None:
        """11.3: show the code of this number, which is worked out and not stored; the store knows it by its hash."""
        key = self._world.key
        if key is None:
            self._trouble(words.NO_CODES)
            return
        code = recovery.code_for(key, state.id, counter)
        self._store.set_code_hash(state.id, recovery.code_hash(key, code), counter)
        self._code = code
        self._show()

    def _hide_code(self) -> None:
        self._code = None
        self._show()

    def _load_code(self, action: Action) -> None:
        found = self._found(action["code"], action["sure"])
        if found is None:
            self._tell(words.NO_CODE, "bad")
            self._show()
            return
        present = self._profile()
        if present is not None and present.id != found.id and not action["sure"]:
            self._load = (action["code"], found)
            self._show()
            return
        self._store.link(self._browser, found.id)
        self._tell(words.loaded(words.PET_NAMES[found.pet_name]), "good")
        self.go("home")

    def _found(self, code: str, sure: bool) -> ProfileState | None:
        """11.3: the profile of a code; what was found before the player was asked is not guessed again."""
        if sure and self._load is not None and self._load[0] == code:
            return self._load[1]
        self._load = None
        if self._world.key is None:
            return None
        return find_by_code(
            code,
            self._store.by_code_hash,
            key=self._world.key,
            limit=self._world.limit,
            browser=self._browser,
            address=identity.remote_address(),
        )

    def _sign_out(self, state: ProfileState) -> None:
        self._tell(words.signed_out(self._store.sign_out_others(state.id, self._browser)), "good")
        self._show()

    def _record(self, state: ProfileState, battle_id: str) -> None:
        try:
            record = self._store.finished_record(state.id, battle_id)
        except NoBattle:
            self._show()
            return
        first, second = (player.pet_name for player in record.players)
        self.pages.send_record(f"summon-{first}-{second}.json", record.to_json() + "\n")

    def _more(self) -> None:
        self._shown_battles += HISTORY
        self._show()
