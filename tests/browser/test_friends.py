"""Two friends in real browsers: the invitation, battles, presence, what nobody may know, and coming back."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from summon.store import Store
from tests.browser.boards import choose_pet, health, phase, wait_for_phase
from tests.browser.conftest import free_port, serving
from tests.browser.test_story import CUT_OFF, owner, pages, with_gold

FIND = """kind => {
  const walk = (view) => [view, ...(view.child_views ?? []).flatMap(walk)];
  return [...Bokeh.index].flatMap(walk).find((view) => view.model_proxy && kind in view.model.data.attributes);
}"""
SEND = (
    f"([kind, messages]) => {{ const view = ({FIND})(kind); messages.forEach((it) => view.model_proxy.send_msg(it)); }}"
)
STATE = f"""() => new Promise((done) => {{
  const {{ model_proxy: board }} = ({FIND})("embedded");
  board.on("msg:custom", (message) => message.type === "pong" && done(message.shown));
  board.send_msg({{ type: "ping" }});
}})"""


def send(page: Page, *messages: object, kind: str = "embedded") -> None:
    """Send messages by the board's own way, or by that of the component that has a property, whatever they are."""
    page.evaluate(SEND, [kind, list(messages)])


def state(page: Page) -> dict[str, Any]:
    """What the board of a page shows, as the server has it."""
    told = json.loads(page.evaluate(STATE))["state"]
    return told


def wait_for_turn(page: Page, turn: int) -> None:
    """Wait until this turn is in play."""
    end = time.monotonic() + 20
    while state(page)["turn"] != turn:
        assert time.monotonic() < end
        page.wait_for_timeout(100)


def lock(turn: int, card: str, amount: int | None = None) -> dict[str, object]:
    return {"type": "lock", "turn": turn, "card": card, "amount": amount}


def invite(page: Page) -> str:
    """From home to the page that invites; returns the link."""
    page.locator(".pages [data-go=friend]").click()
    link = page.locator("[data-url]")
    expect(link).to_be_visible()
    return link.text_content() or ""


def accept(page: Page, url: str) -> None:
    """Open the link of an invitation and begin the battle."""
    page.goto(url)
    pages(page, "join").locator(".go").click()


def screen(page: Page) -> Locator:
    shown = page.locator(".screen")
    expect(shown).to_be_visible(timeout=30_000)
    return shown


def start(a: Page, b: Page) -> tuple[Locator, Locator]:
    """A battle of two who are at home; returns both boards."""
    accept(b, invite(a))
    return screen(a), screen(b)


@pytest.fixture
def two(page_at: Callable[..., Page], served: str) -> tuple[Page, Page]:
    """Two who have chosen their pets, on a phone and on a desktop."""
    a, b = page_at("phone"), page_at("desktop")
    choose_pet(a, served, "ember")
    choose_pet(b, served, "tide")
    return a, b


def choose(board: Locator, card: str) -> None:
    """Pick a card and lock it in."""
    board.locator(f".card[data-card={card}]").click()
    board.locator(".go").click()


def settle(board: Locator) -> None:
    """Skip a reveal that is running, and read on to the next turn or to the result."""
    go = board.locator(".go")
    wait_for_phase(board, "countdown", "reveal")
    while phase(board) in ("countdown", "reveal"):
        if go.get_attribute("data-go") != "none":
            go.click()
        else:
            board.page.wait_for_timeout(50)
    wait_for_phase(board, "choosing", "over")


def play(one: Locator, card: str, other: Locator, others: str) -> None:
    """A whole turn of both."""
    choose(one, card)
    choose(other, others)
    settle(one)
    settle(other)


def leave(board: Locator) -> None:
    board.locator("[data-act=leave]").click()
    board.page.locator("[data-act=leave-now]").click()
    wait_for_phase(board, "over")


# Inviting


@pytest.mark.rule("1.8", "9.1", "11.6")
def test_two_friends_play_a_whole_battle_by_a_link_and_another_one(
    page_at: Callable[..., Page], two: tuple[Page, Page], store: Store
) -> None:
    a, b = two
    url = invite(a)
    code = a.get_by_role("img", name="The link as a picture")
    expect(code).to_be_visible()
    assert code.locator("rect").count() > 100
    assert code.locator("rect").first.get_attribute("fill") == "#fff"
    expect(a.locator(".nobody")).to_be_visible()
    expect(a.get_by_text("python3 tasks.py play --lan")).to_be_visible()

    b.goto(url)
    join = pages(b, "join")
    expect(join.locator(".stand").nth(0)).to_contain_text("Tide You")
    expect(join.locator(".stand").nth(1)).to_contain_text("Ember Friend")
    join.locator(".go").click()
    mine, theirs = screen(a), screen(b)
    for board in (mine, theirs):
        expect(board.locator('[data-side="rival"]')).to_contain_text("Here")
        expect(board.locator('[data-side="rival"]')).to_have_attribute("aria-label", re.compile("Friend"))

    third = page_at("tablet")
    choose_pet(third, url.split("?")[0], "moss")
    third.goto(url)
    expect(pages(third, "join")).to_contain_text("This invitation is not open")

    choose(mine, "attack")
    expect(mine.locator(".say")).to_contain_text("Your friend is still choosing.")
    expect(theirs.locator('[data-slot="rival"]')).to_contain_text("Ready")
    choose(theirs, "heal")
    for board in (mine, theirs):
        settle(board)
    play(mine, "attack", theirs, "heal")
    play(mine, "attack", theirs, "heal")
    expect(mine).to_have_attribute("data-result", "win")
    expect(theirs).to_have_attribute("data-result", "loss")
    expect(mine.locator(".prize .gold")).to_contain_text("1 gold")
    assert theirs.locator(".prize .gold").count() == 0
    assert (owner(store, a).gold, owner(store, b).gold) == (1, 0)

    mine.locator(".go[data-go=rematch]").click()
    expect(mine.locator(".go")).to_have_text("Waiting for your friend…")
    expect(theirs.locator(".prize")).to_contain_text("Your friend wants a rematch!")
    theirs.locator(".go[data-go=rematch]").click()
    for board in (mine, theirs):
        wait_for_phase(board, "choosing")
        expect(board).to_have_attribute("data-turn", "1")
        assert (health(board, "you"), health(board, "rival")) == (5, 5)
    assert state(a)["battle"] == state(b)["battle"]
    play(mine, "counter", theirs, "counter")

    theirs.locator("[data-act=leave]").click()
    expect(b.get_by_role("dialog")).to_contain_text("your friend wins")
    b.locator("[data-act=leave-now]").click()
    expect(mine.locator(".prize")).to_contain_text("Your friend left the battle.")
    expect(theirs).to_have_attribute("data-result", "loss")
    theirs.locator("[data-act=home]").click()
    pages(b, "home")
    expect(mine.locator(".prize")).to_contain_text("Your friend has left")
    expect(mine.locator(".go[data-go=home]")).to_have_text("Back")
    assert (owner(store, a).gold, owner(store, b).gold) == (2, 0)


@pytest.mark.rule("1.8")
def test_the_invitation_is_there_when_its_page_is_opened_or_reloaded(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("phone")
    choose_pet(page, served, "ember")
    for _ in range(4):
        page.goto(f"{served}?page=friend")
        expect(page.locator(".code-plate svg")).to_be_visible()
        assert page.locator(".pages[data-page]").count() == 1
    page.reload()
    expect(page.locator(".code-plate svg")).to_be_visible()


@pytest.mark.rule("9.2")
def test_a_dialog_that_is_open_when_the_friend_comes_is_not_in_the_way(two: tuple[Page, Page]) -> None:
    a, b = two
    url = invite(a)
    a.locator(".pages [data-act=settings]").click()
    expect(a.locator(".pages dialog.settings")).to_be_visible()
    accept(b, url)
    choose(screen(a), "attack")
    wait_for_phase(screen(a), "locked")


def test_whoever_leaves_while_a_turn_is_told_sees_the_result_at_once(two: tuple[Page, Page]) -> None:
    mine, theirs = start(*two)
    choose(mine, "attack")
    choose(theirs, "heal")
    wait_for_phase(mine, "countdown")
    wait_for_phase(theirs, "countdown")
    mine.locator("[data-act=leave]").click()
    two[0].locator("[data-act=leave-now]").click()
    for board, result in ((mine, "loss"), (theirs, "win")):
        expect(board).to_have_attribute("data-phase", "over", timeout=5_000)
        expect(board).to_have_attribute("data-result", result)


@pytest.mark.rule("1.1", "1.8", "11.5")
def test_every_way_an_invitation_can_go(page_at: Callable[..., Page], served: str) -> None:
    a, b = page_at("phone"), page_at("desktop")
    choose_pet(a, served, "ember")
    url = invite(a)
    own = a.context.new_page()
    own.goto(url)
    expect(pages(own, "join")).to_contain_text("This is your own invitation")
    own.locator(".go").click()
    expect(own.locator("[data-url]")).to_have_text(url)

    b.goto(url)
    expect(pages(b, "welcome")).to_contain_text("Ember wants to play with you! First, find a pet of your own.")
    b.locator(".pages [data-pet=tide]").click()
    b.locator(".pages .go").click()
    b.locator("[data-act=yes]").click()
    join = pages(b, "join")
    expect(join).to_contain_text("Ember wants to play with you!")

    a.locator("[data-act=withdraw]").click()
    pages(a, "home")
    expect(pages(own, "friend")).to_contain_text("The invitation is taken back")
    join.locator(".go").click()
    expect(join).to_contain_text("This invitation is not open")
    own.locator(".go").click()
    expect(own.locator("[data-url]")).to_be_visible()
    again = own.locator("[data-url]").text_content() or ""
    assert again != url
    own.reload()
    expect(own.locator("[data-url]")).to_have_text(again, timeout=30_000)

    b.goto(f"{served}?page=fight")
    pages(b, "fight").locator(".go").click()
    screen(b)
    b.goto(again)
    pages(b, "join").locator(".go").click()
    expect(b.get_by_role("dialog")).to_contain_text("If you leave it now, nobody wins.")
    b.locator("[data-act=yes]").click()
    expect(screen(b).locator('[data-side="rival"]')).to_contain_text("Ember")
    screen(own)

    b.goto(f"{served}?page=friend")
    screen(b)
    leave(screen(b))
    screen(b).locator("[data-act=home]").click()
    pages(b, "home").locator("[data-go=fight]").click()
    pages(b, "fight").locator(".go").click()
    screen(b)
    b.goto(f"{served}?page=friend")
    pages(b, "friend").locator("[data-act=invite]").click()
    b.locator("[data-act=yes]").click()
    expect(b.locator("[data-url]")).to_be_visible()


# Coming back


@pytest.mark.rule("1.5", "11.1")
def test_a_reload_in_every_phase_lands_in_the_same_place(two: tuple[Page, Page]) -> None:
    a, b = two
    mine, theirs = start(a, b)

    def come_back() -> tuple[dict[str, Any], dict[str, Any]]:
        before = state(a), state(b)
        for page in (a, b):
            page.reload()
            screen(page)
        assert (state(a), state(b)) == before
        return before

    come_back()
    for board in (mine, theirs):
        wait_for_phase(board, "choosing")
    choose(mine, "attack")
    expect(theirs.locator('[data-slot="rival"]')).to_contain_text("Ready")
    come_back()
    wait_for_phase(mine, "locked")
    expect(mine.locator(".card[data-card=attack]")).to_have_attribute("aria-pressed", "true")
    wait_for_phase(theirs, "choosing")
    expect(theirs.locator('[data-slot="rival"]')).to_contain_text("Ready")

    choose(theirs, "heal")
    wait_for_phase(mine, "countdown")
    come_back()
    for board, healths in ((mine, (5, 3)), (theirs, (3, 5))):
        wait_for_phase(board, "choosing")
        expect(board).to_have_attribute("data-turn", "2")
        assert (health(board, "you"), health(board, "rival")) == healths

    leave(theirs)
    wait_for_phase(mine, "over")
    come_back()
    for board, result in ((mine, "win"), (theirs, "loss")):
        expect(board).to_have_attribute("data-result", result)


def test_who_is_offline_comes_back_to_the_turn_that_is_in_play(two: tuple[Page, Page], page_at: Any) -> None:
    page_at.expected += [*CUT_OFF, "net::ERR_"]
    a, b = two
    mine, theirs = start(a, b)
    b.context.set_offline(True)
    choose(mine, "attack")
    b.context.set_offline(False)
    expect(theirs.locator('[data-slot="rival"]')).to_contain_text("Ready", timeout=30_000)
    choose(theirs, "heal")
    for board in (mine, theirs):
        settle(board)
        expect(board).to_have_attribute("data-turn", "2")


@pytest.mark.rule("1.9", "11.1")
def test_a_restart_of_the_server_ends_no_battle(page_at: Any, tmp_path: Path) -> None:
    page_at.expected += [*CUT_OFF, "net::ERR_"]
    a, b, port, place = page_at("phone"), page_at("desktop"), free_port(), tmp_path / "store" / "summon.db"
    with serving("app/play.py", tmp_path / "first.txt", port, place) as url:
        choose_pet(a, url, "ember")
        choose_pet(b, url, "tide")
        mine, theirs = start(a, b)
        play(mine, "attack", theirs, "heal")
        choose(mine, "counter")
        expect(theirs.locator('[data-slot="rival"]')).to_contain_text("Ready")
    for page in (a, b):
        expect(page.locator("#lost")).to_be_visible()
    with serving("app/play.py", tmp_path / "second.txt", port, place):
        for page, healths in ((a, (5, 3)), (b, (3, 5))):
            board = screen(page)
            expect(page.locator("#lost")).to_be_hidden(timeout=30_000)
            wait_for_phase(board, "choosing")
            expect(board).to_have_attribute("data-turn", "2")
            assert (health(board, "you"), health(board, "rival")) == healths
        play(mine, "attack", theirs, "heal")


def test_a_connection_that_died_without_a_word_is_noticed(page_at: Any, served: str) -> None:
    page_at.expected += [*CUT_OFF, "net::ERR_", "503"]
    page, dead = page_at("phone"), [False]

    def hand_on(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        route.on_message(lambda message: None if dead[0] else server.send(message))
        server.on_message(lambda message: None if dead[0] else route.send(message))

    page.route_web_socket(re.compile("/ws"), hand_on)
    choose_pet(page, served, "ember")
    lost = page.locator("#lost")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_timeout(4_500)
    expect(lost).to_be_hidden()

    dead[0] = True
    page.route(
        "**/*.js*", lambda route: route.fulfill(status=503) if route.request.method == "HEAD" else route.continue_()
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(lost).to_be_visible(timeout=8_000)
    page.wait_for_timeout(2_500)
    expect(lost).to_be_visible()
    dead[0] = False
    page.unroute("**/*.js*")
    expect(lost).to_be_hidden(timeout=20_000)
    pages(page, "home")


def test_a_friend_who_looks_away_is_told_and_misses_no_turn(two: tuple[Page, Page]) -> None:
    a, b = two
    mine, theirs = start(a, b)
    hide = "hidden => { Object.defineProperty(document, 'visibilityState', { get: () => hidden, configurable: true });"
    hide += " document.dispatchEvent(new Event('visibilitychange')); }"
    choose(theirs, "heal")
    b.evaluate(hide, "hidden")
    presence = mine.locator('[data-side="rival"] .presence')
    expect(presence).to_have_text("Away")
    choose(mine, "attack")
    wait_for_phase(theirs, "countdown")
    b.wait_for_timeout(3_200)
    b.evaluate(hide, "visible")
    expect(theirs.locator(".go[data-go=next]")).to_be_visible(timeout=1_500)
    assert (health(theirs, "you"), health(theirs, "rival")) == (3, 5)
    expect(presence).to_have_text("Here")
    settle(mine)
    b.evaluate(hide, "hidden")
    expect(presence).to_have_text("Away")
    expect(mine.locator(".say")).to_contain_text("Nobody has lost: the battle waits.")
    choose(mine, "counter")
    expect(mine.locator(".say")).to_contain_text("Nobody has lost: the battle waits.")
    b.close()


# At the same time


@pytest.mark.rule("1.5")
def test_both_lock_at_the_same_instant_and_two_tabs_show_the_same(two: tuple[Page, Page], served: str) -> None:
    a, b = two
    start(a, b)
    tab = a.context.new_page()
    tab.goto(f"{served}?page=battle")
    boards = [screen(page) for page in (a, tab, b)]
    for turn in (1, 2):
        for page, card in ((a, "attack"), (b, "counter")):
            page.evaluate(f"setTimeout(() => ({SEND})(['embedded', [{json.dumps(lock(turn, card))}]]), 300)")
        for board in boards:
            expect(board.page.locator(".screen")).not_to_have_attribute("data-phase", "choosing")
            settle(board)
        assert state(a)["turn"] == state(b)["turn"] == state(tab)["turn"] == turn + 1
        a_sees, b_sees = state(a), state(b)
        assert (a_sees["you"]["health"], a_sees["rival"]["health"]) == (
            b_sees["rival"]["health"],
            b_sees["you"]["health"],
        )
    mine, other, theirs = boards
    choose(mine, "heal")
    wait_for_phase(other, "locked")
    expect(other.locator(".card[data-card=heal]")).to_have_attribute("aria-pressed", "true")
    other.locator(".go[data-go=swap]").click()
    wait_for_phase(mine, "choosing")
    expect(theirs.locator('[data-slot="rival"]')).not_to_contain_text("Ready")


@pytest.mark.rule("9.2")
def test_both_leave_at_once_and_one_result_stands(two: tuple[Page, Page], store: Store) -> None:
    a, b = two
    mine, theirs = start(a, b)
    play(mine, "counter", theirs, "counter")
    for page in (a, b):
        page.evaluate(f"setTimeout(() => ({SEND})(['embedded', [{{ type: 'leave' }}]]), 300)")
    for board in (mine, theirs):
        wait_for_phase(board, "over")
    results = {board.get_attribute("data-result") for board in (mine, theirs)}
    assert results == {"win", "loss"}
    assert owner(store, a).gold + owner(store, b).gold == 1


# Gold


@pytest.mark.rule("9.1")
def test_an_upset_pays_five_once_to_the_right_profile(page_at: Callable[..., Page], served: str, store: Store) -> None:
    a, b = page_at("phone"), page_at("desktop")
    choose_pet(a, served, "moss")
    great = with_gold(b, served, store, 40, "spark")
    for item in ("tier:attack:2", "tier:attack:3", "evolution"):
        great = store.buy(great.id, item)
    b.reload()
    pages(b, "home")
    mine, theirs = start(a, b)
    play(mine, "attack", theirs, "heal")
    leave(theirs)
    expect(mine.locator(".prize .gold")).to_contain_text("5 gold")
    for page in (a, b):
        page.reload()
        screen(page)
    expect(mine.locator(".prize .gold")).to_contain_text("5 gold")
    assert (owner(store, a).gold, store.get(great.id).gold) == (5, great.gold)


# What nobody may know


class Frames:
    """Everything that came to a page by its websockets, in order."""

    def __init__(self, page: Page) -> None:
        self.all: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._keep))

    def _keep(self, frame: str | bytes) -> None:
        self.all.append(frame if isinstance(frame, str) else frame.decode("utf-8", errors="replace"))

    def take(self) -> list[str]:
        """What has come since the last time, without what only counts messages and models."""
        taken, self.all = self.all, []
        return [re.sub(r'"(msgid|reqid)": ?"[^"]*"|"p\d+"|\\*"serial\\*": ?\d+', "", frame) for frame in taken]


CHOICES = [("attack", None), ("heal", None), ("wild", None), ("sacrifice", 1), ("sacrifice", 2)]


@pytest.mark.rule("1.9")
def test_nothing_of_a_choice_reaches_the_other_before_both_are_in(
    page_at: Callable[..., Page], served: str, store: Store, kept: Path
) -> None:
    a, b = page_at("phone"), page_at("desktop")
    seen = {page: Frames(page) for page in (a, b)}
    for page, pet in ((a, "ember"), (b, "tide")):
        me = with_gold(page, served, store, 60, pet)
        for item in ("card:sacrifice", "card:wild"):
            me = store.buy(me.id, item)
        store.set_deck(me.id, ["sacrifice", "wild"], me.revision)
        page.goto(served)
        pages(page, "home")
    start(a, b)
    for turn in (1, 2, 3, 4):
        for page in (a, b):
            send(page, lock(turn, "counter" if turn % 2 else "heal"))
        for page in (a, b):
            wait_for_turn(page, turn + 1)
    for page in (a, b):
        page.reload()
        screen(page)

    for chooser, other in ((a, b), (b, a)):
        live, reloaded, sources = [], [], []
        for card, amount in CHOICES:
            seen[other].take()
            send(chooser, lock(5, card, amount))
            wait_for_phase(screen(other), "choosing")
            expect(other.locator('[data-slot="rival"]')).to_contain_text("Ready")
            other.wait_for_timeout(100)
            live.append([frame for frame in seen[other].take() if "rival_ready" in frame])
            other.reload()
            screen(other)
            expect(other.locator('[data-slot="rival"]')).to_contain_text("Ready")
            reloaded.append(state(other))
            sources.append(counts("".join(seen[other].take()) + other.content()))
            send(chooser, {"type": "take_back", "turn": 5})
            expect(other.locator('[data-slot="rival"]')).not_to_contain_text("Ready")
        assert all(frames == live[0] for frames in live)
        assert len(live[0]) == 1
        assert all(told == reloaded[0] for told in reloaded)
        assert all(count == sources[0] for count in sources)

    log = (kept.parent.parent / "log.txt").read_text(errors="replace")
    assert not re.search("sacrifice|attack|counter", log, re.IGNORECASE)
    send(a, lock(5, "sacrifice", 2))
    send(b, lock(5, "heal"))
    wait_for_turn(b, 6)
    assert state(b)["last"]["rival"]["amount"] == 2


def counts(text: str) -> dict[str, int]:
    """How often each card is named in a text."""
    return {card: text.count(card) for card in ("attack", "heal", "wild", "sacrifice")}


# What a browser sends


@pytest.mark.rule("2.12")
def test_what_a_browser_makes_up_is_refused_and_touches_nobody(two: tuple[Page, Page]) -> None:
    a, b = two
    mine, theirs = start(a, b)
    play(mine, "counter", theirs, "counter")
    before, alert = state(a), theirs.locator("xpath=..").locator("[aria-live=assertive]")
    for message, told in (
        (lock(1, "attack"), "That was meant for turn 1."),
        (lock(7, "attack"), "That was meant for turn 7."),
        (lock(2, "poison"), "Poison is not in your deck."),
        (lock(2, "wait"), "Nobody may Wait freely."),
        ({"type": "take_back", "turn": 2}, None),
        ({"type": "rematch"}, None),
        ({"type": "again"}, None),
        ({"type": "home"}, None),
        (lock(2, "attack") | {"side": "first"}, None),
        (lock(2, "attack") | {"battle": "another"}, None),
        ({"type": "reveal"}, None),
        ("nonsense", None),
        ([1, None, {}], None),
    ):
        send(b, message)
        if told:
            expect(alert).to_contain_text(told)
    b.wait_for_timeout(300)
    assert state(a) == before
    wait_for_phase(theirs, "choosing")

    send(b, *[{"type": "home"}] * 200)
    expect(alert).to_contain_text("That was very fast!")
    assert state(a) == before
    choose(mine, "attack")
    wait_for_phase(mine, "locked")
    b.wait_for_timeout(2_500)
    choose(theirs, "heal")
    for board in (mine, theirs):
        settle(board)
        expect(board).to_have_attribute("data-turn", "3")
