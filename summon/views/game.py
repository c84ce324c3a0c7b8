"""The game of one visitor: its pages, the board, and the way between them, each with an address of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlencode

import panel as pn

from summon import lesson, recovery, words
from summon.lobby import Invitation, LiveSeat, Lobby
from summon.market import item_of
from summon.player import Player
from summon.profile import ProfileState, Refused, Why
from summon.store import NoBattle, NoProfile, Stale, Store, StoreError
from summon.views import friends, identity, page_states
from summon.views.board import Board
from summon.views.card_page import card_page
from summon.views.coached import CoachedBoard
from summon.views.component import Action, Stack
from summon.views.limits import find_by_code
from summon.views.pages import PLACES, Pages, is_battle
from summon.views.seated import LiveBoard, SeatedBoard, WatchedBattle, follow, practice_board
from summon.views.setup import SetUp
from summon.views.world import World

_log = logging.getLogger(__name__)

WITHOUT_PET = ("welcome", "save", "rulebook")
"""The pages of a visitor who has no pet yet."""

ADDRESS = ("page", "battle", "rule", "join")
"""What an address may say: the page, the battle to watch, the rule to look at, and the invitation to answer."""

KNOWN_FOR = 5.0
"""So many seconds the board plays on without asking the store again whose browser this is."""

HISTORY = 20
"""How many battles a page of the history shows."""


class Game:
    """One visitor's game; `view` is all of it. `browser` is the hash that the store knows the visitor's browser by."""

    def __init__(self, shared: World, store: Store, browser: str) -> None:
        self._world, self._store, self._browser = shared, store, browser
        self._seated: SeatedBoard | WatchedBattle | None = None
        self._waiting: tuple[Invitation, Callable[[], None]] | None = None
        self._base: str | None = None
        self._closed = ""
        self._notice: dict[str, str] | None = None
        self._code: str | None = None
        self._load: tuple[str, ProfileState] | None = None
        self._shown_battles = HISTORY
        self._known: ProfileState | None = None
        self._ask_again, self._links = 0.0, store.links
        self._at: dict[str, str] = {}
        self._answers = count()
        self.pages = Pages(on_action=self.act)
        self._board: Board | None = None
        self._setup: SetUp | None = None
        self.view = Stack(self.pages, sizing_mode="stretch_width", margin=0)
        if pn.state.curdoc is not None and pn.state.curdoc.session_context is not None:
            pn.state.on_session_destroyed(lambda _: self._end())
        asked = pn.state.session_args or {}
        self._at = {name: values[-1].decode(errors="replace") for name, values in asked.items() if name in ADDRESS}
        self._safely(self._show)

    # The way between the pages

    def _follow(self, action: Action) -> None:
        """Show what the address says that the browser went back to."""
        told = parse_qs(action["search"].lstrip("?"), errors="replace")
        self._at = {name: values[-1] for name, values in told.items() if name in ADDRESS}
        self.pages.address = {"search": action["search"], "replace": True}
        self._forget()
        self._show()

    def go(self, page: str, **more: str) -> None:
        """Go to a page: its address and what is shown."""
        self._turn_to(page, replace=False, **more)

    def _turn_to(self, page: str, *, replace: bool = True, **more: str) -> None:
        """Show a page; with `replace` in place of the address before, which names nothing any more."""
        # Who has no pet yet looks around, and answers the invitation afterwards.
        kept = {"join": self._at["join"]} if self._known is None and "join" in self._at else {}
        self._at = {"page": page, **more, **kept}
        self.pages.address = {"search": "?" + urlencode(self._at), "replace": replace}
        self._forget()
        self._show()

    def _arrive(self) -> None:
        """Who has a pet now answers the invitation in the address, or begins at home."""
        if "join" in self._at:
            self._at = {"join": self._at["join"]}
            self.pages.address = {"search": "?" + urlencode(self._at), "replace": True}
            self._show()
        else:
            self.go("home")

    def _forget(self) -> None:
        """What was asked for on one page is not there on the next."""
        self._code, self._load, self._closed = None, None, ""

    def _profile(self) -> ProfileState | None:
        """The profile of this browser as it is now; who was signed out is told."""
        state = self._store.profile_of(self._browser)
        if state is None and self._known is not None:
            self._tell(words.SIGNED_OUT, "info")
        self._known = state
        return state

    def _recent_profile(self) -> ProfileState | None:
        """The profile of this browser as it was a moment ago, if no browser was signed in or out here since."""
        now = monotonic()
        if now >= self._ask_again or self._links != self._store.links:
            self._ask_again, self._links = now + KNOWN_FOR, self._store.links
            return self._profile()
        return self._known

    @property
    def _lobby(self) -> Lobby:
        assert self._world.lobby is not None
        return self._world.lobby

    def _live(self, state: ProfileState) -> LiveSeat | None:
        return self._lobby.of(state.id)

    def _show(self) -> None:
        state = self._profile()
        self._wait_for(None if state is None else self._lobby.invitation(state.id))
        page = self._at.get("page", "join" if "join" in self._at else "home")
        if state is None:
            page = page if page in WITHOUT_PET else "welcome"
            self._show_page(page, None)
        elif page == "join":
            self._show_join(state)
        elif page == "friend":
            self._show_friend(state)
        elif page == "battle":
            self._show_battle(state)
        elif page == "watch":
            self._show_watched(state, self._at.get("battle", ""))
        elif page == "practice":
            self._show_setup(state)
        elif page == "lesson":
            self._show_lesson(state)
        else:
            self._show_page(page if page in PLACES and page != "welcome" else "home", state)

    def _show_page(self, page: str, state: ProfileState | None) -> None:
        self._leave_shown()
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
            return page_states.welcome() | {"host": self._host()}
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
        if page == "friend":
            return self._on_friend_page(state)
        if page == "join":
            return self._on_join_page(state)
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

    def _leave_shown(self) -> None:
        """Let go of the battle that was shown."""
        if self._seated is not None:
            self._seated.end()
            self._seated = None

    def _end(self) -> None:
        """The visitor has gone: nothing is left behind on what others see."""
        self._leave_shown()
        self._wait_for(None)

    # The board

    @property
    def board(self) -> Board:
        """The one board of this visitor, which comes into the page when it is first needed."""
        if self._board is None:
            self._board = Board(visible=False)
            self.view.append(self._board)
        return self._board

    def _show_battle(self, state: ProfileState) -> None:
        seat = self._live(state) or self._lobby.ended(state.id)
        if seat is None:
            self._turn_to("home")
            return
        self._leave_shown()
        self._seated = LiveBoard(
            seat,
            board=self.board,
            on_look=self._lobby.look,
            on_rematch=lambda wish: self._safely(lambda: self._lobby.rematch(seat, wish)),
            on_next=lambda: self._safely(self._show),
            may_see=lambda: self._may_see(state.id),
            on_again=self._go_safely("practice" if seat.kind == "practice" else "fight"),
            on_home=self._go_safely("home"),
        )
        self.board.on_action = lambda action: self._act_on_board(state.id, action)
        self._only(self.board)

    def _may_see(self, profile_id: str) -> bool:
        """Whether this browser still has the profile; where it was signed out or has another, that is shown."""
        try:
            known = self._recent_profile()
        except StoreError as error:
            _log.error("the battle goes on without asking: %s", error.operator)
            return True
        if known is not None and known.id == profile_id:
            return True
        self._safely(self._show)
        return False

    def _act_on_board(self, profile_id: str, action: Action) -> None:
        """What is done on the board, by a browser that still has the profile."""
        if self._may_see(profile_id) and self._seated is not None:
            self._seated.act(action)

    def _show_lesson(self, state: ProfileState) -> None:
        """9.3: the first battle, which teaches and counts nowhere. A battle under way goes on waiting."""
        self._leave_shown()
        self._seated = CoachedBoard(
            lesson.battle(state.pet),
            board=self.board,
            on_again=self._go_safely("fight"),
            on_home=self._go_safely("home"),
        )
        self._only(self.board)

    def _show_watched(self, state: ProfileState, battle_id: str) -> None:
        if not is_battle(battle_id):
            self._turn_to("battles")
            return
        try:
            saved = self._store.finished(state.id, battle_id)
        except NoBattle:
            self._turn_to("battles")
            return
        self._leave_shown()
        self._seated = WatchedBattle(
            saved.record,
            saved.seats[state.id],
            battle_id=battle_id,
            board=self.board,
            on_home=self._go_safely("battles"),
            friend=saved.kind == "friend",
        )
        self._only(self.board)

    def _go_safely(self, page: str) -> Callable[[], None]:
        return lambda: self._safely(lambda: self.go(page))

    def _show_setup(self, state: ProfileState) -> None:
        self._leave_shown()
        if self._setup is None:
            self._setup = SetUp(
                on_start=self._practise,
                on_back=self._go_safely("home"),
                on_lesson=self._go_safely("lesson"),
                back=True,
            )
            self.view.append(self._setup)
        under_way = page_states.under_way(self._live(state))
        self._setup.leaving = "" if under_way is None else under_way["ask"]
        self._setup.ready()
        self._only(self._setup)

    def _practise(self, pet: str, rival_evolved: bool, cards: tuple[str, ...]) -> None:
        human = Player("you", pet, cards=cards)

        def begin(state: ProfileState) -> None:
            if self._setup is not None and not self._setup.leaving and self._live(state) is not None:
                # A battle that has begun in another tab.
                self._show_setup(state)
                self._setup.refuse(words.not_sold(Refused(Why.IN_BATTLE, "11.5")))
                return
            try:
                self._lobby.leave(state.id)
                self._lobby.practise(state, human, rival_evolved)
            except StoreError as error:
                _log.error("practice goes on unsaved: %s", error.operator)
                self._leave_shown()
                self._seated = practice_board(
                    human,
                    rival_evolved,
                    board=self.board,
                    on_again=self._go_safely("practice"),
                    on_home=self._go_safely("home"),
                )
                self._only(self.board)
            else:
                self.go("battle")

        self._safely(lambda: self._with_profile(begin))

    # Playing with a friend

    def _show_friend(self, state: ProfileState) -> None:
        """The page that invites; once the friend has come, the battle."""
        seat = self._live(state)
        if seat is not None and seat.kind == "friend":
            self._turn_to("battle")
            return
        self._show_page("friend", state)

    def _wait_for(self, invitation: Invitation | None) -> None:
        """Be told what becomes of the player's open invitation, on whatever page they are."""
        if self._waiting is not None:
            if self._waiting[0] is invitation:
                return
            self._waiting[1]()
            self._waiting = None
        if invitation is not None:
            ends = follow(invitation, ("state",), lambda: self._safely(lambda: self._invitation_closed(invitation)))
            self._waiting = (invitation, ends)

    def _invitation_closed(self, invitation: Invitation) -> None:
        self._wait_for(None)
        if invitation.state == "used":
            self.go("battle")
        elif self._at.get("page") == "friend":
            self._closed = invitation.state
            self._show()

    def _on_friend_page(self, state: ProfileState) -> dict[str, Any]:
        invitation = self._lobby.invitation(state.id)
        shown = None
        if invitation is not None and self._base is not None:
            shown = friends.shown(invitation.id, self._base, self._lobby.minutes_left(invitation))
        return {"battle": page_states.under_way(self._live(state)), "invite": shown, "closed": self._closed}

    def _show_join(self, state: ProfileState) -> None:
        """The page that answers an invitation; who has answered it is in its battle."""
        if self._lobby.joined(self._at.get("join", ""), state.id):
            self._turn_to("battle")
        else:
            self._show_page("join", state)

    def _on_join_page(self, state: ProfileState) -> dict[str, Any]:
        invitation = self._lobby.find(self._at.get("join", ""))
        own = invitation is not None and invitation.host == state.id
        return {
            "invite": self._at.get("join", ""),
            "host": None if own else self._host(),
            "own": own,
            "battle": page_states.under_way(self._live(state)),
        }

    def _host(self) -> dict[str, Any] | None:
        """1.9: the pet of whoever sent the invitation in the address, if it is open."""
        invitation = self._lobby.find(self._at.get("join", ""))
        return None if invitation is None else page_states.profile(self._store.get(invitation.host)) | {"gold": None}

    def _invite(self, state: ProfileState, action: Action) -> None:
        self._base, self._closed = action["base"], ""
        if action["sure"]:
            self._lobby.leave(state.id)
        if self._live(state) is None:
            self._lobby.invite(state.id)
        self._show()

    def _withdraw(self, state: ProfileState) -> None:
        self._wait_for(None)
        self._lobby.withdraw(state.id)
        self._tell(words.WITHDRAWN, "good")
        self.go("home")

    def _accept(self, state: ProfileState, action: Action) -> None:
        if action["sure"] and self._lobby.find(action["invite"]) is not None:
            self._lobby.leave(state.id)
        self._lobby.accept(action["invite"], state.id)
        self.go("battle")

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
            if self._seated is not None:
                self.board.refuse(words.not_sold(refused), refused.rule)
                return
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
        """A banner over the page that was shown last; where none was, over the first one."""
        if self._setup is not None and self._setup.visible:
            self._setup.refuse(text)
        elif self._board is not None and self._board.visible:
            self._board.refuse(text, "11.1")
        else:
            self.pages.state = {
                **(self.pages.state or {"page": "welcome", "profile": None, "revision": 0, **page_states.welcome()}),
                "notice": None,
                "trouble": {"text": text},
                "answer": next(self._answers),
            }

    def _tell(self, text: str, kind: str) -> None:
        self._notice = {"text": text, "kind": kind}

    def _deeds(self) -> dict[str, Callable[[Action], None]]:
        return {
            "go": lambda action: self.go(action["page"]),
            "address": self._follow,
            "choose_pet": self._choose_pet,
            "fight": lambda action: self._with_profile(lambda state: self._fight(state, **_rest(action))),
            "resume": lambda _: self.go("battle"),
            "invite": lambda action: self._with_profile(lambda state: self._invite(state, action)),
            "withdraw": lambda _: self._with_profile(self._withdraw),
            "accept": lambda action: self._with_profile(lambda state: self._accept(state, action)),
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
            "card": lambda action: self._with_profile(lambda state: self._tell_card(state, action["card"])),
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
        self._arrive()

    def _fight(self, state: ProfileState, rival_evolved: bool, sure: bool) -> None:
        if not sure and self._live(state) is not None:
            raise Refused(Why.IN_BATTLE, "11.5")
        self._lobby.leave(state.id)
        self._lobby.begin(self._store.get(state.id), rival_evolved)
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
        if present is not None and present.id != found.id:
            self._lobby.withdraw(present.id)
        self._store.link(self._browser, found.id)
        self._tell(words.loaded(words.PET_NAMES[found.pet_name]), "good")
        self._arrive()

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
            record = self._store.finished(state.id, battle_id).record
        except NoBattle:
            self._show()
            return
        first, second = (player.pet_name for player in record.players)
        self.pages.send_record(f"summon-{first}-{second}.json", record.to_json() + "\n")

    def _tell_card(self, state: ProfileState, card: str) -> None:
        self.pages.send_card(card_page(card, state.player("you")))

    def _more(self) -> None:
        self._shown_battles += HISTORY
        self._show()


def _rest(action: Action) -> dict[str, Any]:
    """What a message says besides its type."""
    return {name: value for name, value in action.items() if name != "type"}
