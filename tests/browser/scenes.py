"""Every page of the game and every phase of a battle, each brought up in a moment and always alike.

A scene is made on the server by the game's own code (`make`), and from there by what a player does in the browser
(`steps`: a place to click, or a function of the page). `apps/stage.py` serves them; the tests of accessibility and of
what lies where, and the gallery, go through all of them.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import panel as pn
from playwright.sync_api import Browser, Page, expect

from summon import Battle, Choice, Record, situation, words
from summon.cards import MARKET
from summon.lobby import Lobby, Seat
from summon.profile import ProfileState
from summon.rivals import Policy, Sight, seat
from summon.store import Store, StoreError
from summon.store.errors import Trouble
from summon.views.board import Board
from summon.views.easel import easel_page
from summon.views.game import Game
from summon.views.limits import GuessLimit
from summon.views.play import PlayPage
from summon.views.seat import friend_names, seat_view
from summon.views.seated import SeatedBoard, WatchedBattle
from summon.views.world import World
from tests.browser.boards import STEPS, wait_for_phase
from tests.browser.conftest import FLAGS, chromium, serving
from tests.store.playing import new_record, rich, win

Step = str | Callable[[Page], None]


@dataclass(frozen=True)
class Scene:
    """How a scene is made and reached, and what is seen when it is there."""

    title: str
    make: Callable[[], pn.viewable.Viewable]
    steps: tuple[Step, ...] = ()
    shows: str = ""


# The pages


@cache
def _empty_store() -> Path:
    path = Path(tempfile.mkdtemp(prefix="summon-scenes-")) / "summon.db"
    Store.open(path).close()
    return path


class Place:
    """A store and a lobby of a scene's own, gone when its page is."""

    def __init__(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="summon-scene-")
        self.store = Store.open(shutil.copy(_empty_store(), Path(folder.name) / "summon.db"))
        self.lobby = Lobby(self.store, rng=random.Random(7))
        fields = {"store": self.store, "lobby": self.lobby, "limit": GuessLimit(), "key": b"k" * 32, "trouble": None}
        self.world = cast(World, SimpleNamespace(**fields))

        def end(_: object) -> None:
            self.store.close()
            folder.cleanup()

        pn.state.on_session_destroyed(end)

    def profile(self, browser: str, pet: str, gold: int = 0, items: tuple[str, ...] = ()) -> ProfileState:
        """A profile with this pet that has won at least so much gold, and has bought this for it."""
        state = rich(self.store, self.store.create(browser, pet), gold)
        for item in items:
            state = self.store.buy(state.id, item)
        return state


Act = dict[str, Any]


def go(page: str) -> Act:
    return {"type": "go", "page": page}


FIGHT: Act = {"type": "fight", "rival_evolved": True, "sure": False}

SOME = ("card:poison", "card:shield", "card:wild")
SEVEN = tuple(f"card:{card}" for card in ("shield", "poison", "refreshment", "copycat", "wild", "blind", "sacrifice"))


def game(
    *acts: Act,
    pet: str = "ember",
    gold: int = 0,
    items: tuple[str, ...] = (),
    deck: tuple[str, ...] | None = None,
    before: Callable[[Place, ProfileState], None] | None = None,
) -> pn.viewable.Viewable:
    """The game of somebody who has a pet, after these acts."""
    place = Place()
    me = place.profile("mine", pet, gold, items)
    if deck is not None:
        me = place.store.set_deck(me.id, deck, me.revision)
    if before is not None:
        before(place, me)
    shown = Game(place.world, place.store, "mine")
    for act in acts:
        shown.act(act)
    return shown.view


def newcomer(*acts: Act, invited: bool = False) -> pn.viewable.Viewable:
    """The game of somebody who comes for the first time, by a friend's link or without one."""
    place = Place()
    shown = Game(place.world, place.store, "mine")
    if invited:
        invitation = place.lobby.invite(place.profile("theirs", "tide").id)
        shown.act({"type": "address", "search": f"?join={invitation.id}"})
    for act in acts:
        shown.act(act)
    return shown.view


def joining(own: bool = False, closed: bool = False) -> pn.viewable.Viewable:
    """The page that answers an invitation: a friend's, one's own, or one that is not open any more."""
    place = Place()
    me, friend = place.profile("mine", "ember"), place.profile("theirs", "tide", 25, ("evolution",))
    invitation = place.lobby.invite(me.id if own else friend.id)
    if closed:
        place.lobby.withdraw(friend.id)
    shown = Game(place.world, place.store, "mine")
    shown.act({"type": "address", "search": f"?join={invitation.id}"})
    return shown.view


def inviting(closed: bool = False) -> pn.viewable.Viewable:
    """The page that invites a friend, or says that the invitation is not open any more."""
    place = Place()
    me = place.profile("mine", "ember")
    shown = Game(place.world, place.store, "mine")
    shown.act(go("friend"))
    if closed:
        shown.act({"type": "invite", "base": "http://127.0.0.1/play", "sure": False})
        place.lobby.withdraw(me.id)
    return shown.view


def _unsaved(place: Place, _: ProfileState) -> None:
    def fail(*_: object) -> None:
        raise StoreError(Trouble.FULL, "here")

    place.store.note_saved = fail  # type: ignore[method-assign]


def _past(place: Place, me: ProfileState) -> None:
    """A battle that was won, one that was lost, a draw, and one that was left."""
    store = place.store
    win(store, me)
    for name, mine, theirs in (("lost", "heal", "attack"), ("draw", "attack", "attack")):
        record = new_record(me)
        battle = Battle.from_record(record)
        store.begin_battle(name, record, "computer", {me.id: "first"})
        while not battle.over:
            legal = battle.legal(0), battle.legal(1)
            battle.play(
                *(card if card in cards else "counter" for card, cards in zip((mine, theirs), legal, strict=True))
            )
        store.finish_battle(name, battle.to_record(), battle.outcome, battle.ended)
    place.lobby.begin(me, False)
    seat_of_mine = place.lobby.of(me.id)
    assert seat_of_mine is not None
    seat_of_mine.choose("counter")
    place.lobby.leave(me.id)


# The board

FULL = ["shield", "poison", "refreshment", "copycat", "wild", "blind", "sacrifice"]


class Staged(SeatedBoard):
    """A board with what stands around a battle made up: gold that was paid, or a friend who is here or away."""

    def __init__(self, battle: Battle, around: dict[str, Any]) -> None:
        self._told = around
        super().__init__(Seat(battle, "first"), battle_id="staged", on_again=lambda: None, on_home=lambda: None)

    def _around(self) -> dict[str, Any]:
        return self._told

    @property
    def names(self) -> tuple[str, str]:
        return friend_names(self.battle, self.side) if self._told.get("friend") else super().names


def scripted(cards: Iterable[str]) -> Policy:
    """A rival that plays these cards one after the other, and then whatever it may."""
    left: Iterator[str] = iter(cards)

    def policy(seen: Sight, rng: random.Random) -> Choice:
        return Choice.parse(next(left, seen.legal[0]))

    return policy


def board(
    record: Record,
    *plays: tuple[str, str],
    rival: tuple[str, ...] = (),
    locked: str = "",
    left: str = "",
    **around: Any,
) -> pn.viewable.Viewable:
    """The board of a battle's first side, after these turns; `rival` is what the other side plays after that."""
    battle = Battle.from_record(record)
    for play in plays:
        battle.play(*play)
    if left:
        battle.leave(left)
    if rival:
        seat(battle, "second", scripted(rival))
    if around.get("friend"):
        around["names"] = friend_names(battle, 0)
    staged = Staged(battle, around)
    if locked:
        staged.act({"type": "lock", "turn": battle.turn, "card": locked, "amount": None})
    return staged.board


def friend(here: bool = True, wants: bool = False, wish: bool = False) -> dict[str, bool]:
    return {"here": here, "wants": wants, "wish": wish}


def watching(all_of_it: bool = False) -> pn.viewable.Viewable:
    """A battle of the history, at its beginning or at its end."""
    battle = Battle.from_record(situation("ember", "moss"))
    for play in (("attack", "heal"), ("counter", "attack"), ("attack", "heal")):
        battle.play(*play)
    shown = Board()
    watched = WatchedBattle(battle.to_record(), 0, battle_id="past", board=shown, on_home=lambda: None)
    while all_of_it and not watched.battle.over:
        watched.act({"type": "next", "turn": watched.battle.turn})
    return shown


def ended_by_itself() -> pn.viewable.Viewable:
    """A battle in which nobody chose for too long."""
    battle = Battle.from_record(situation("bloom", "spark"))
    battle.end_idle()
    return Board(state=seat_view(battle, 0, battle_id="idle", home=True))


FIRST = situation("ember", "tide")
MIDDLE = situation(
    {"pet": "ember", "cards": FULL, "health": 4, "boosted": True, "wild_used": True, "ready": {"blind": 6}},
    {"pet": "tide", "evolved": True, "cards": FULL, "health": 7, "poison": [1], "shield": [1, 1]},
    turn=4,
)
LATE = situation(
    {"pet": "tide", "cards": FULL, "health": 4},
    {"pet": "moss", "cards": FULL},
    turn=6,
)
LAST_BRICK = situation({"pet": "tide", "cards": FULL, "health": 1}, "moss", turn=6)
BLINDED = situation(
    {"pet": "moss", "cards": FULL, "blinded": True}, {"pet": "spark", "cards": FULL, "wild_used": True}, turn=3
)
DOWN = situation({"pet": "moss", "cards": ["revive", "shield"], "health": 0}, "spark", turn=3)
PENDING = situation("bloom", {"pet": "pebble", "cards": ["revive"], "health": 0}, turn=3)
STREAK = situation({"pet": "tide", "streak": ["attack", 3], "restricted": True}, "moss", turn=4)
CROWDED = situation(
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
)
GIANTS = situation({"pet": "bloom", "evolved": True}, {"pet": "pebble", "evolved": True})
TWINS = situation({"pet": "ember", "evolved": True, "health": 6}, "ember", turn=2)
RESERVE = situation(
    {"pet": "tide", "reserve": 2},
    {"pet": "moss", "evolved": True},
    rules={"reserve_health": 3, "evolved_health": 30},
)
WHOLE = situation(
    {
        "pet": "ember",
        "evolved": True,
        "cards": ["poison", "refreshment", "copycat", "sacrifice", "shield", "blind", "hide"],
    },
    {
        "pet": "tide",
        "evolved": True,
        "cards": ["poison", "hide", "blind", "shield", "revive", "copycat", "wild"],
    },
)
WHOLE_PLAY = (
    ("attack", "heal"),
    ("counter", "attack"),
    ("poison", "hide"),
    ("refreshment", "blind"),
    ("wait", "poison"),
    ("copycat", "shield"),
    ("sacrifice:4", "attack"),
    ("attack", "revive"),
)
"""A battle in which nearly everything happens: what both sides play, turn by turn."""
WON = situation("ember", {"pet": "tide", "evolved": True, "health": 1}, turn=4)
LOST = situation({"pet": "moss", "health": 1}, {"pet": "spark", "evolved": True}, turn=4)
DRAWN = situation({"pet": "bloom", "health": 1}, {"pet": "pebble", "health": 1}, turn=4)


# Steps in the browser


GO = ".go"
YES = "[data-act=yes]"


def card(name: str) -> str:
    return f".card[data-card={name}]"


def press_off(page: Page) -> None:
    """Press what cannot be done now."""
    page.locator(f":is({card('attack')}, {GO}, [data-act=off])[aria-disabled=true]").first.click(force=True)


def hold(page: Page) -> None:
    """Let nothing that is waited for long come any more: the battle stands still at what is shown."""
    page.evaluate(
        """() => {
          const { setTimeout } = window;
          window.setTimeout = (done, time) => (time >= 100 ? 0 : setTimeout(done, time));
        }"""
    )


def hold_countdown(page: Page) -> None:
    expect(page.locator(".big .digit")).to_be_visible()
    hold(page)


def hold_reveal(page: Page) -> None:
    expect(page.locator(".story li").first).to_be_visible()
    hold(page)


def to_the_end(page: Page) -> None:
    """Skip to the end of a reveal, by the key that does nothing else."""
    screen = page.locator(".screen")
    ended = screen.locator(".go:is([data-go=next], [data-go=result])")
    wait_for_phase(screen, "reveal")
    for _ in range(STEPS):
        if ended.count():
            break
        page.keyboard.press("Escape")
        page.wait_for_timeout(50)
    expect(ended).to_be_visible()
    screen.locator(".turn").click()  # no hints of keys


def lose_connection(page: Page) -> None:
    """The game answers no more: the page says so, and goes on trying."""
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); dispatchEvent(new Event('summon:lost')); }")


def all_seven(page: Page) -> None:
    for name in FULL:
        page.locator(f".setup {card(name)}").click()
    page.locator(f".setup {card('hide')}").click(force=True)


def type_in(selector: str, text: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).fill(text)


def press_key(key: str) -> Callable[[Page], None]:
    return lambda page: page.keyboard.press(key)


# Scenes by name, in the order in which a player meets them.
SCENES: dict[str, Scene] = {
    # The first visit
    "welcome": Scene("The first visit", newcomer),
    "welcome-chosen": Scene("A pet is chosen", newcomer, ("[data-pet=moss]",), "[data-pet=moss][aria-checked=true]"),
    "welcome-ask": Scene("For good?", newcomer, ("[data-pet=spark]", GO), ".ask[open]"),
    "welcome-unchosen": Scene("No pet is chosen yet", newcomer, (press_off,), ".line:not(:empty)"),
    "welcome-invited": Scene("A friend has sent the link", partial(newcomer, invited=True), (), ".caller"),
    "load": Scene("Loading with a recovery code", partial(newcomer, go("save"))),
    "load-wrong": Scene(
        "A code that is not right",
        partial(newcomer, go("save")),
        (type_in("#code", "one two three"), "[data-act=load]"),
        ".notice.bad",
    ),
    # Home
    "home": Scene("Home", game),
    "home-notice": Scene("Home, just arrived", newcomer, ("[data-pet=bloom]", GO, YES), ".notice.good"),
    "home-evolved": Scene("Home, with gold", partial(game, pet="tide", gold=40, items=("evolution",))),
    "home-battle": Scene("Home, in a battle", partial(game, FIGHT, go("home"), pet="moss"), (), "[data-act=resume]"),
    "fight": Scene("Choosing a rival", partial(game, go("fight"))),
    "fight-battle": Scene(
        "Choosing a rival, in a battle", partial(game, FIGHT, go("fight"), pet="pebble"), (), "[data-act=resume]"
    ),
    "fight-ask": Scene("Leave that battle?", partial(game, FIGHT, go("fight")), ("[data-act=start]",), ".ask[open]"),
    "practice": Scene("Practice", partial(game, go("practice"))),
    "practice-full": Scene(
        "Practice, with seven cards",
        partial(game, go("practice")),
        ("[data-pet=bloom]", all_seven),
        ".setup .card .why",
    ),
    "practice-alone": Scene("Nothing can be saved", lambda: PlayPage(words.ONLY_PRACTICE).view),
    "lesson": Scene("The first battle of all", partial(game, go("lesson")), (), ".coach"),
    "lesson-shown": Scene(
        "What that was good for", partial(game, go("lesson")), (card("attack"), GO, to_the_end), ".coach"
    ),
    "settings": Scene("Settings", game, ("[data-act=settings]",), ".settings[open]"),
    # The market, the deck, saving and the rest
    "market": Scene("Market: cards", partial(game, go("market"), gold=10, items=SOME[:1])),
    "market-poor": Scene("Market: cards, in a battle", partial(game, FIGHT, go("market")), (), ".note-plate"),
    "market-ask": Scene("Buy it?", partial(game, go("market"), gold=10), ("[data-act=buy] >> nth=2",), ".ask[open]"),
    "market-bought": Scene(
        "Market: bought", partial(game, go("market"), gold=10), ("[data-act=buy] >> nth=1", YES), ".notice.good"
    ),
    "market-refused": Scene("Market: too dear", partial(game, go("market")), (press_off,), ".notice.info"),
    "market-starters": Scene(
        "Market: starters",
        partial(game, go("market"), gold=25, items=("tier:attack:2", "tier:attack:3", "tier:heal:2")),
        ("[data-tab=starters]",),
        ".steps",
    ),
    "market-evolve": Scene("Market: evolving", partial(game, go("market"), gold=25), ("[data-tab=evolve]",), ".forms"),
    "market-evolved": Scene(
        "Market: evolved",
        partial(game, go("market"), pet="pebble", gold=25, items=("evolution",)),
        ("[data-tab=evolve]",),
        ".forms .is",
    ),
    "evolution": Scene(
        "It evolves",
        partial(game, go("market"), pet="spark", gold=25),
        ("[data-tab=evolve]", "[data-act=buy]", YES),
        ".evolution.done",
    ),
    "deck-empty": Scene("Deck: starters alone", partial(game, go("deck"))),
    "deck": Scene("Deck", partial(game, go("deck"), gold=15, items=SOME, deck=("poison", "wild"))),
    "deck-moving": Scene(
        "Deck: moving a card",
        partial(game, go("deck"), gold=15, items=SOME),
        ("[data-act=move]", f"[data-key=deck] {card('shield')}"),
        ".mover.on",
    ),
    "deck-full": Scene(
        "Deck: full",
        partial(game, go("deck"), gold=55, items=(*SEVEN, "card:hide"), deck=tuple(FULL)),
        (f"[data-key=deck] {card('poison')}", f"[data-key=spare] {card('poison')}"),
        "[data-key=spare] .why",
    ),
    "save": Scene("Save", partial(game, go("save"))),
    "save-code": Scene("Save, with the code shown", partial(game, go("save"), {"type": "show_code"}), (), ".word"),
    "save-done": Scene("Saved", partial(game, go("save")), ("[data-act=save]",), ".notice.good"),
    "save-trouble": Scene(
        "It cannot be saved", partial(game, go("save"), before=_unsaved), ("[data-act=save]",), ".trouble"
    ),
    "save-ask": Scene(
        "A new code?", partial(game, go("save"), {"type": "show_code"}), ("[data-act=replace_code]",), ".ask[open]"
    ),
    "battles-none": Scene("No battles yet", partial(game, go("battles"))),
    "battles": Scene("Battles that are over", partial(game, go("battles"), before=_past), (), "[data-battle]"),
    "watch": Scene("Watching one of them", watching),
    "watch-end": Scene("Watched to its end", partial(watching, all_of_it=True), (), ".prize"),
    "rulebook": Scene("Rulebook", partial(newcomer, go("rulebook"))),
    "rulebook-find": Scene(
        "Finding a rule", partial(game, go("rulebook")), (type_in("[data-act=search]", "poison"),), "mark"
    ),
    "rulebook-none": Scene(
        "No rule says that", partial(game, go("rulebook")), (type_in("[data-act=search]", "zzz"),), ".found"
    ),
    # A friend
    "friend": Scene("Inviting a friend", inviting, (), "[data-url]"),
    "friend-closed": Scene("The invitation is taken back", partial(inviting, closed=True), (), "[data-act=invite]"),
    "friend-battle": Scene("Inviting, in a battle", partial(game, FIGHT, go("friend")), (), "[data-act=invite]"),
    "join": Scene("Answering an invitation", joining, (), ".wants"),
    "join-own": Scene("One's own invitation", partial(joining, own=True), (), ".empty"),
    "join-closed": Scene("An invitation that is not open", partial(joining, closed=True), (), ".empty"),
    "easel": Scene("Drawing a pet", easel_page, (), ".easel"),
    # A battle
    "first-turn": Scene("The first turn", partial(board, FIRST)),
    "whole": Scene("A battle with all there is", partial(board, WHOLE, rival=tuple(his for _, his in WHOLE_PLAY))),
    "choosing": Scene("Choosing", partial(board, MIDDLE, rival=("attack",))),
    "picked": Scene("A card is picked", partial(board, MIDDLE, rival=("attack",)), (card("attack"),)),
    "keys": Scene("With a keyboard", partial(board, MIDDLE, rival=("attack",)), (press_key("4"),), ".frame.keys"),
    "off": Scene("A card that cannot be played", partial(board, STREAK), (press_off,)),
    "card-page": Scene(
        "The page of a card",
        partial(board, MIDDLE),
        (card("poison"), "[data-act=about]"),
        ".card-page[open] .tiny-battle",
    ),
    "settings-battle": Scene(
        "Settings, in a battle", partial(board, MIDDLE), ("[data-act=settings]",), ".settings[open]"
    ),
    "sacrifice": Scene("How much to sacrifice", partial(board, LATE), (card("sacrifice"),), ".amount"),
    "sacrifice-last": Scene("The last brick", partial(board, LAST_BRICK), (card("sacrifice"),), ".amount"),
    "blinded": Scene("Blinded", partial(board, BLINDED)),
    "down": Scene("At zero, with Revive", partial(board, DOWN)),
    "pending": Scene("The rival is at zero, with Revive", partial(board, PENDING)),
    "crowded": Scene("All there can be", partial(board, CROWDED)),
    "giants": Scene("Two evolved pets", partial(board, GIANTS)),
    "twins": Scene("Two of a family", partial(board, TWINS)),
    "reserve": Scene("White reserve, and very much health", partial(board, RESERVE)),
    "locked": Scene("Locked in", partial(board, MIDDLE, locked="attack")),
    "countdown": Scene(
        "Three, two, one", partial(board, MIDDLE, rival=("heal",)), (card("attack"), GO, hold_countdown)
    ),
    "reveal": Scene(
        "A reveal", partial(board, MIDDLE, rival=("copycat",)), (card("poison"), GO, hold_reveal), ".story li"
    ),
    "reveal-end": Scene(
        "The end of a reveal", partial(board, CROWDED, rival=("wait",)), (card("poison"), GO, to_the_end)
    ),
    "falls": Scene("A pet falls", partial(board, WON, rival=("heal",)), (card("attack"), GO, to_the_end)),
    "win": Scene("Won", partial(board, WON, ("attack", "heal"), gold=5)),
    "draw": Scene("A draw", partial(board, DRAWN, ("attack", "attack"))),
    "loss": Scene("Lost", partial(board, LOST, ("heal", "attack"))),
    "left": Scene("Left", partial(board, LATE, ("attack", "attack"), left="first")),
    "idle": Scene("Nobody chose for too long", ended_by_itself),
    "log": Scene(
        "The round log",
        partial(board, LATE, ("attack", "heal"), ("poison", "copycat"), ("counter", "attack")),
        ("[data-act=log]",),
        ".drawer[open] .lines",
    ),
    "log-empty": Scene("No round yet", partial(board, FIRST), ("[data-act=log]",), ".drawer[open]"),
    "leave": Scene("Leave the battle?", partial(board, LATE, ("attack", "heal")), ("[data-act=leave]",), ".ask[open]"),
    "status": Scene("What a status means", partial(board, MIDDLE), (".token:not([hidden]) >> nth=0",)),
    "lost": Scene("The connection is gone", partial(board, MIDDLE), (lose_connection,), "#lost"),
    # A battle against a friend
    "friend-choosing": Scene("A friend", partial(board, MIDDLE, friend=friend())),
    "friend-locked": Scene("Waiting for the friend", partial(board, MIDDLE, locked="attack", friend=friend())),
    "friend-away": Scene("The friend is away", partial(board, MIDDLE, friend=friend(here=False))),
    "friend-win": Scene("Won against a friend", partial(board, WON, ("attack", "heal"), gold=5, friend=friend())),
    "friend-wants": Scene(
        "The friend wants a rematch", partial(board, LOST, ("heal", "attack"), friend=friend(wants=True))
    ),
    "friend-waits": Scene(
        "Waiting for the rematch", partial(board, DRAWN, ("attack", "attack"), friend=friend(wish=True))
    ),
    "friend-gone": Scene("The friend has left", partial(board, WON, ("attack", "heal"), friend=friend(here=False))),
}


# Bringing them up


@contextmanager
def staging() -> Iterator[str]:
    """Serve the scenes for as long as the context lasts; gives their address, to which `?scene=…` is added."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving("tests/browser/apps/stage.py", Path(folder) / "log.txt") as url,
    ):
        yield url


def launching() -> dict[str, Any]:
    """How Playwright starts the browser."""
    return {"executable_path": chromium.find(), "args": FLAGS}


def still_page(browser: Browser) -> Page:
    """A page on which nothing moves, so that it is the same whenever it is looked at."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(60_000)
    return page


def bring_up(page: Page, address: str, name: str) -> None:
    """Show a scene on a page."""
    scene = SCENES[name]
    page.goto(f"{address}?scene={name}")
    expect(page.locator(":is(.screen, .pages[data-page], .setup, .easel):visible").first).to_be_visible(timeout=30_000)
    for step in scene.steps:
        if callable(step):
            step(page)
        else:
            page.locator(f"{step} >> visible=true").first.click()
    if scene.shows:
        expect(page.locator(f"{scene.shows} >> visible=true").first).to_be_visible()
