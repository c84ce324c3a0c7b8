"""One player's story in a real browser: the first visit, battles, gold, the market, the deck, and coming back."""

import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, Route, expect

import summon
from summon.market import ITEMS
from summon.profile import ProfileState
from summon.store import Store
from summon.views import identity
from tests.browser.boards import STEPS, choose_pet, open_cards, phase, wait_for_phase
from tests.browser.conftest import free_port, serving
from tests.store.playing import rich, win

CUT_OFF = ["ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "not connected", "websocket", "Bokeh", "WebSocket"]
"""What a browser says of a server that is stopped."""


def hash_in(page: Page) -> str:
    """What the store knows the browser of a page by."""
    token = next(it["value"] for it in page.context.cookies() if it["name"] == identity.COOKIE)
    return identity.hash_of(token)


def owner(store: Store, page: Page) -> ProfileState:
    """The profile of the browser of a page, as the store has it."""
    state = store.profile_of(hash_in(page))
    assert state is not None
    return state


def pages(page: Page, name: str) -> Locator:
    """The pages, once this one is on."""
    shown = page.locator(f".pages[data-page={name}]")
    expect(shown).to_be_visible(timeout=30_000)
    return shown


def go(page: Page, name: str) -> Locator:
    """Follow a door of the page that is on."""
    page.locator(f".pages [data-go={name}]").first.click()
    return pages(page, name)


def agree(page: Page) -> None:
    page.locator(".pages [data-act=yes]").click()


def expect_gold(page: Page, gold: int) -> None:
    expect(page.locator(".pages .gold[role=img]")).to_have_attribute("aria-label", f"{gold} gold")


def with_gold(page: Page, served: str, store: Store, gold: int, pet: str = "ember") -> ProfileState:
    """Choose a pet, and win at least so much gold; the page shows it."""
    choose_pet(page, served, pet)
    state = rich(store, owner(store, page), gold)
    page.reload()
    pages(page, "home")
    expect_gold(page, state.gold)
    return state


def fight(page: Page, rival: str = "plain") -> Locator:
    """From home into a battle against the computer; returns the board's screen."""
    go(page, "fight").locator(f"[data-rival={rival}]").click()
    page.locator(".pages .go").click()
    screen = page.locator(".screen")
    expect(screen).to_be_visible()
    return screen


def play(screen: Locator, *wanted: str, turns: int = STEPS) -> None:
    """Play so many turns or to the end: the first of these cards that is open, or else any; reveals are skipped."""
    button, rng = screen.locator(".go"), random.Random(3)
    left = turns
    for _ in range(STEPS):
        if wait_for_phase(screen, "choosing", "reveal", "countdown", "over") == "over":
            return
        if phase(screen) == "choosing":
            if not left:
                return
            left -= 1
            cards = open_cards(screen)
            if cards:
                card = next((card for card in wanted if card in cards), None) or rng.choice(cards)
                screen.locator(f".card[data-card={card}]").click()
            button.click()
            expect(screen).not_to_have_attribute("data-phase", "choosing")
        elif button.get_attribute("data-go") != "none":
            button.click()
        else:
            screen.page.wait_for_timeout(50)
    pytest.fail("the battle did not come so far")


def healths(screen: Locator) -> list[str | None]:
    return [
        screen.locator(f'[data-side="{side}"] [data-health]').get_attribute("data-health") for side in ("you", "rival")
    ]


def buy(page: Page, item: str) -> None:
    """Buy something on the market, on the tab that is open."""
    page.locator(f'[data-item="{item}"] [data-act=buy]').click()
    agree(page)


# The first visit


@pytest.mark.rule("1.1")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_on_the_first_visit_a_pet_is_chosen_for_good(
    page_at: Callable[..., Page], served: str, store: Store, size: str
) -> None:
    page = page_at(size)
    page.goto(served)
    welcome = pages(page, "welcome")
    assert welcome.locator("[data-pet]").count() == 6
    expect(welcome.locator(".go")).to_have_attribute("aria-disabled", "true")

    welcome.locator("[data-pet=moss]").click()
    welcome.locator(".go").click()
    expect(page.get_by_role("dialog")).to_contain_text("You cannot change it later.")
    page.locator("[data-act=no]").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert store.profile_of(hash_in(page)) is None

    welcome.locator("[data-pet=tide]").click()
    welcome.locator(".go").click()
    agree(page)
    home = pages(page, "home")
    expect(home).to_contain_text("Tide is ready!")
    expect_gold(page, 0)
    state = owner(store, page)
    assert (state.pet, state.evolved, state.gold, state.cards) == ("tide", False, 0, ())

    page.goto(f"{served}?page=welcome")
    expect(pages(page, "home")).to_contain_text("Tide is ready!")
    assert page.locator("[data-pet=moss]").count() == 0
    assert owner(store, page).id == state.id


# Battles


@pytest.mark.rule("9.1", "11.1")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_battle_that_is_won_is_paid_once(page_at: Callable[..., Page], served: str, store: Store, size: str) -> None:
    page = page_at(size)
    with_gold(page, served, store, 40)
    me = owner(store, page)
    for item in ("tier:attack:2", "tier:attack:3", "evolution"):
        me = store.buy(me.id, item)
    page.reload()
    expect(pages(page, "home")).to_contain_text("Blaze")

    screen = fight(page)
    play(screen, "attack")
    expect(screen).to_have_attribute("data-result", "win")
    expect(screen.locator(".prize .gold, p.gold")).to_contain_text("1 gold")
    assert store.get(me.id).gold == me.gold + 1
    last = store.history(me.id)[0]
    assert (last.kind, last.ended, last.gold[me.id]) == ("computer", "beaten", 1)

    page.reload()
    expect(screen).to_have_attribute("data-result", "win")
    expect(screen.locator(".prize .gold, p.gold")).to_contain_text("1 gold")
    screen.locator("[data-act=home]:visible").click()
    pages(page, "home")
    expect_gold(page, me.gold + 1)
    assert store.unfinished(me.id) is None
    assert store.get(me.id).gold == me.gold + 1


@pytest.mark.rule("9.1", "9.2")
def test_a_battle_that_is_left_after_a_reveal_is_lost_and_pays_nothing(
    page_at: Callable[..., Page], served: str, store: Store
) -> None:
    page = page_at("phone")
    choose_pet(page, served, "moss")
    screen = fight(page, "evolved")
    play(screen, "counter", turns=1)
    wait_for_phase(screen, "choosing")
    screen.locator("[data-act=leave]").click()
    page.locator("[data-act=leave-now]").click()
    expect(screen).to_have_attribute("data-result", "loss")
    assert screen.locator("p.gold").count() == 0
    me = owner(store, page)
    assert me.gold == 0
    assert [(it.outcome, it.ended) for it in store.history(me.id)] == [("second", "left")]
    screen.locator("[data-act=leave]").click()
    pages(page, "home")
    expect_gold(page, 0)


@pytest.mark.rule("9.3")
def test_practice_pays_nothing(page_at: Callable[..., Page], served: str, store: Store) -> None:
    page = page_at("phone")
    choose_pet(page, served, "moss").locator("[data-go=practice]").click()
    setup = page.locator(".setup")
    setup.locator("[data-pet=spark]").click()
    setup.locator("[data-rival=plain]").click()
    setup.locator(".go").click()
    screen = page.locator(".screen")
    expect(screen).to_be_visible()
    play(screen, "wild", "attack")
    assert screen.locator("p.gold").count() == 0
    me = owner(store, page)
    saved = store.history(me.id)[0]
    assert (me.gold, saved.kind, saved.gold[me.id]) == (0, "practice", 0)
    assert saved.record.players[0].pet == "spark"


@pytest.mark.rule("11.5")
@pytest.mark.parametrize("moment", ["choosing", "countdown", "reveal"])
def test_a_reload_in_the_middle_of_a_battle_comes_back_to_it(
    page_at: Callable[..., Page], served: str, store: Store, moment: str
) -> None:
    page = page_at("phone")
    choose_pet(page, served, "pebble")
    screen = fight(page)
    if moment != "choosing":
        screen.locator(".card[data-card=counter]").click()
        screen.locator(".go").click()
        wait_for_phase(screen, moment)
    turn = 1 if moment == "choosing" else 2
    page.reload()
    wait_for_phase(screen, "choosing")
    expect(screen).to_have_attribute("data-turn", str(turn))
    saved = store.unfinished(owner(store, page).id)
    assert saved is not None
    assert saved.turn == turn
    position = summon.Battle.from_record(saved.record).position
    assert healths(screen) == [str(side.health) for side in position.sides]


@pytest.mark.rule("11.1", "11.5")
def test_a_battle_outlives_the_server(page_at: Callable[..., Page], tmp_path: Path) -> None:
    page, port, kept = page_at("phone"), free_port(), tmp_path / "store" / "summon.db"
    page_at.expected += CUT_OFF  # type: ignore[attr-defined]
    with serving("app/play.py", tmp_path / "first.txt", port, kept) as url:
        choose_pet(page, url, "moss")
        screen = fight(page, "evolved")
        play(screen, "counter", turns=2)
        wait_for_phase(screen, "choosing")
        turn, before = screen.get_attribute("data-turn"), healths(screen)
        assert turn == "3"
        page.goto("about:blank")
    with serving("app/play.py", tmp_path / "second.txt", port, kept) as url:
        page.goto(url)
        home = pages(page, "home")
        expect(home).to_contain_text("Turn 3")
        home.locator("[data-act=resume]").click()
        wait_for_phase(screen, "choosing")
        expect(screen).to_have_attribute("data-turn", "3")
        assert healths(screen) == before
        play(screen, "attack", turns=1)
        with Store.open(kept) as store:
            me = owner(store, page)
            battle = store.unfinished(me.id) or store.history(me.id)[0]
        assert len(battle.record.turns) == 3
        page.goto("about:blank")


@pytest.mark.rule("9.2", "11.5")
def test_another_battle_is_asked_about_first(page_at: Callable[..., Page], served: str, store: Store) -> None:
    page = page_at("phone")
    choose_pet(page, served, "moss")
    screen = fight(page, "evolved")
    play(screen, "counter", turns=1)
    wait_for_phase(screen, "choosing")
    me = owner(store, page)
    first = store.unfinished(me.id)
    assert first is not None

    page.goto(f"{served}?page=fight")
    under_way = pages(page, "fight").locator("[data-key=battle]")
    expect(under_way).to_contain_text("If you leave it now,")
    under_way.locator("[data-act=resume]").click()
    expect(screen).to_have_attribute("data-turn", "2")

    page.goto(f"{served}?page=fight")
    pages(page, "fight").locator("[data-act=start]").click()
    expect(page.get_by_role("dialog")).to_contain_text("If you leave it now,")
    page.locator("[data-act=no]").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    again = store.unfinished(me.id)
    assert again is not None and again.id == first.id

    page.goto(served)
    home = pages(page, "home")
    home.locator("[data-act=anew]").click()
    agree(page)
    pages(page, "fight").locator("[data-act=start]").click()
    expect(screen).to_have_attribute("data-turn", "1")
    now = store.unfinished(me.id)
    assert now is not None and now.id != first.id
    assert [(it.id, it.outcome, it.ended) for it in store.history(me.id)] == [(first.id, "second", "left")]


# The market and the deck


@pytest.mark.rule("10.5")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_without_the_gold_the_market_says_how_much_is_missing(
    page_at: Callable[..., Page], served: str, store: Store, size: str
) -> None:
    page = page_at(size)
    choose_pet(page, served)
    market = go(page, "market")
    for item, missing in (("card:poison", 5), ("card:revive", 10)):
        market.locator(f'[data-item="{item}"] [data-act=off]').click(force=True)  # for it says that it is off
        expect(page.locator(".notice")).to_contain_text(f"You need {missing} more gold.")
    assert market.locator("[data-act=buy]").count() == 0
    assert owner(store, page).cards == ()


@pytest.mark.rule("10.1", "10.2", "10.3", "11.1")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_purchases_cost_what_they_cost_and_stay(
    page_at: Callable[..., Page], served: str, store: Store, size: str
) -> None:
    page = page_at(size)
    gold = with_gold(page, served, store, 45, "bloom").gold
    go(page, "market")
    for item, tab, told in (
        ("card:poison", "cards", "Poison is yours!"),
        ("tier:attack:2", "starters", "Attack is at tier 2 now!"),
        ("tier:attack:3", "starters", "Attack is at tier 3 now!"),
        ("evolution", "evolve", "Blossom is yours!"),
    ):
        page.locator(f"[data-tab={tab}]").click()
        buy(page, item)
        gold -= ITEMS[item].price
        expect_gold(page, gold)
        expect(page.locator(".notice")).to_contain_text(told)
        assert owner(store, page).gold == gold
    state = owner(store, page)
    assert (state.evolved, state.tiers["attack"], state.cards, state.deck) == (True, 3, ("poison",), ("poison",))
    assert gold == 0

    page.goto(served)
    expect(pages(page, "home")).to_contain_text("Blossom is ready!")
    go(page, "market")
    expect(page.locator('[data-item="card:poison"]')).to_contain_text("Yours")
    assert page.locator('[data-item="card:poison"] [data-act=buy]').count() == 0


def test_who_says_no_buys_nothing(page_at: Callable[..., Page], served: str, store: Store) -> None:
    page = page_at("phone")
    with_gold(page, served, store, 5)
    go(page, "market").locator('[data-item="card:poison"] [data-act=buy]').click()
    expect(page.get_by_role("dialog")).to_contain_text("Buy Poison for 5 gold?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert (owner(store, page).gold, owner(store, page).cards) == (5, ())


@pytest.mark.rule("10.5")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_double_click_buys_once(page_at: Callable[..., Page], served: str, store: Store, size: str) -> None:
    page = page_at(size)
    with_gold(page, served, store, 10)
    go(page, "market").locator('[data-item="card:poison"] [data-act=buy]').click()
    page.locator("[data-act=yes]").dblclick()
    expect_gold(page, 5)
    page.wait_for_timeout(300)
    state = owner(store, page)
    assert (state.gold, state.cards) == (5, ("poison",))
    expect(page.locator(".notice")).to_contain_text("Poison is yours!")


@pytest.mark.rule("10.5")
def test_two_tabs_buy_the_same_thing_once(page_at: Callable[..., Page], served: str, store: Store) -> None:
    page = page_at("phone")
    with_gold(page, served, store, 10)
    go(page, "market")
    other = page.context.new_page()
    other.goto(f"{served}?page=market")
    pages(other, "market")

    buy(page, "card:poison")
    expect_gold(page, 5)
    buy(other, "card:poison")
    expect(other.locator(".notice")).to_contain_text("You have that already.")
    expect(other.locator('[data-item="card:poison"]')).to_contain_text("Yours")
    expect_gold(other, 5)
    buy(other, "card:blind")
    expect_gold(other, 0)
    state = owner(store, page)
    assert (state.gold, state.cards) == (0, ("poison", "blind"))


def order(deck: Locator) -> list[str | None]:
    """The bought cards in the deck that is shown."""
    return [card.get_attribute("data-card") for card in deck.locator("[data-card][data-place]").all()]


@pytest.mark.rule("1.4", "11.1")
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_the_deck_by_clicks_and_keys_is_found_again(
    page_at: Callable[..., Page], served: str, store: Store, size: str
) -> None:
    page = page_at(size)
    me = with_gold(page, served, store, 15)
    for card in ("poison", "wild", "shield"):
        store.buy(me.id, f"card:{card}")
    deck = go(page, "deck")
    saved = page.locator("[data-saved=true]")
    assert order(deck) == ["poison", "wild", "shield"]

    deck.locator("[data-card=wild]").click()
    expect(saved).to_be_visible()
    assert owner(store, page).deck == ("poison", "shield")
    deck.locator("[data-card=wild]").click()
    expect(deck.locator("[data-card=wild][data-place]")).to_be_visible()
    expect(saved).to_be_visible()
    assert owner(store, page).deck == ("poison", "shield", "wild")

    deck.locator("[data-card=wild]").focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("p[role=status]")).to_contain_text("Wild is at place 4 of 6 now.")
    expect(saved).to_be_visible()
    assert owner(store, page).deck == ("wild", "poison", "shield")

    page.locator("[data-act=move]").click()
    deck.locator("[data-card=poison]").click()
    page.locator("[data-act=right]").click()
    expect(saved).to_be_visible()
    assert owner(store, page).deck == ("wild", "shield", "poison")

    page.reload()
    assert order(pages(page, "deck")) == ["wild", "shield", "poison"]

    page.goto(served)
    pages(page, "home")
    screen = fight(page)
    cards = [card.get_attribute("data-card") for card in screen.locator("button.card").all()]
    assert cards == ["attack", "heal", "counter", "wild", "shield", "poison"]


@pytest.mark.rule("10.4")
def test_what_is_bought_during_a_battle_serves_from_the_next(
    page_at: Callable[..., Page], served: str, store: Store
) -> None:
    page = page_at("phone")
    with_gold(page, served, store, 5)
    screen = fight(page)
    page.goto(f"{served}?page=market")
    market = pages(page, "market")
    expect(market).to_contain_text("What you buy now serves from your next one.")
    buy(page, "card:poison")
    expect_gold(page, 0)
    page.goto(f"{served}?page=battle")
    expect(screen).to_be_visible()
    assert screen.locator("button.card[data-card=poison]").count() == 0
    assert owner(store, page).deck == ("poison",)


# The recovery code


def shown_code(page: Page) -> str:
    page.locator("[data-act=show_code]").click()
    code = page.locator("[data-code]")
    expect(code).to_be_visible()
    return code.inner_text()


def load(page: Page, served: str, code: str) -> None:
    """Come to the Save page and type a code."""
    page.goto(f"{served}?page=save")
    pages(page, "save").locator("[data-act=field]").fill(code)
    page.locator("[data-act=load]").click()


@pytest.mark.rule("11.3")
def test_the_recovery_code_brings_the_pet_to_another_browser(
    page_at: Callable[..., Page], served: str, store: Store
) -> None:
    first, second, third = page_at("phone"), page_at("desktop"), page_at("phone")
    me = with_gold(first, served, store, 5, "spark")
    go(first, "save").locator("[data-act=save]").click()
    expect(first.locator(".notice")).to_contain_text("Everything is saved.")
    code = re.sub(r"\s", "", shown_code(first))
    assert re.fullmatch(r"[a-z]+(-[a-z]+){5}", code)

    load(second, served, f"  {code.upper().replace('-', '   ')} ")
    expect(pages(second, "home")).to_contain_text("Spark is ready!")
    expect(second.locator(".notice")).to_contain_text("Spark is back!")
    expect_gold(second, 5)
    assert owner(store, second).id == me.id

    first.locator("[data-act=replace_code]").click()
    agree(first)
    expect(first.locator("[data-code]")).not_to_have_text(code)
    newer = re.sub(r"\s", "", first.locator("[data-code]").inner_text())
    load(third, served, code)
    expect(third.locator(".notice")).to_contain_text("That is not a code that works here.")
    assert store.profile_of(hash_in(third)) is None
    load(third, served, newer)
    expect(pages(third, "home")).to_contain_text("Spark is ready!")

    first.locator("[data-act=hide_code]").click()
    expect(first.locator("[data-code]")).to_have_count(0)
    first.locator("[data-act=sign_out]").click()
    agree(first)
    expect(first.locator(".notice")).to_contain_text("Signed out 2 other browsers.")
    for out in (second, third):
        out.locator("[data-go=market]").click()
        pages(out, "welcome")
        expect(out.locator(".notice")).to_contain_text("This browser was signed out.")
        out.reload()
        pages(out, "welcome")
    assert owner(store, first).id == me.id


@pytest.mark.rule("11.3")
def test_loading_over_a_pet_is_asked_first(page_at: Callable[..., Page], served: str, store: Store) -> None:
    first, second = page_at("phone"), page_at("phone")
    choose_pet(first, served, "spark")
    go(first, "save")
    code = shown_code(first)
    choose_pet(second, served, "moss")
    mine, other = owner(store, second).id, owner(store, first).id

    load(second, served, code)
    expect(second.get_by_role("dialog")).to_contain_text("This browser has Moss with 0 gold.")
    second.locator("[data-act=no]").click()
    assert owner(store, second).id == mine
    load(second, served, code)
    expect(second.get_by_role("dialog")).to_contain_text("This browser has Moss with 0 gold.")
    agree(second)
    expect(pages(second, "home")).to_contain_text("Spark is ready!")
    assert owner(store, second).id == other
    assert store.get(mine).pet == "moss"


# The way between the pages


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_back_and_forward_move_between_the_pages(page_at: Callable[..., Page], served: str, size: str) -> None:
    page = page_at(size)
    choose_pet(page, served)
    go(page, "market")
    expect(page).to_have_url(f"{served}?page=market")
    page.locator("[data-act=back]").click()
    pages(page, "home")
    go(page, "deck")
    page.go_back()
    pages(page, "home")
    page.go_back()
    pages(page, "market")
    page.go_back()
    pages(page, "home")
    page.go_forward()
    pages(page, "market")
    page.go_forward()
    page.go_forward()
    pages(page, "deck")
    expect(page).to_have_url(f"{served}?page=deck")
    page.reload()
    pages(page, "deck")


def test_a_dialog_closes_with_what_it_belongs_to(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("phone")
    choose_pet(page, served, "ember")
    screen = fight(page)
    for act in ("log", "settings", "leave"):
        screen.locator(f".top [data-act={act}]").click()
        expect(page.locator(".frame dialog[open]")).to_be_visible()
        page.go_back()
        # A tap reaches what is on now.
        pages(page, "fight").locator("[data-act=settings]").click()
        expect(page.locator(".pages dialog[open]")).to_be_visible()
        page.go_forward()
        expect(screen).to_be_visible()
        screen.locator(f".card[data-card={open_cards(screen)[0]}]").click()
        expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_every_page_has_an_address(page_at: Callable[..., Page], served: str, size: str) -> None:
    page = page_at(size)
    choose_pet(page, served)
    for name in ("home", "fight", "market", "deck", "save", "battles", "rulebook"):
        page.goto(f"{served}?page={name}")
        pages(page, name)
    page.goto(f"{served}?page=practice")
    expect(page.locator(".setup")).to_be_visible()
    page.goto(f"{served}?page=rulebook&rule=5.3")
    expect(page.locator('[data-rule="5.3"]')).to_be_in_viewport()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_rule_is_reached_however_late_the_stylesheets_come(
    page_at: Callable[..., Page], served: str, size: str
) -> None:
    page = page_at(size)
    held: list[Route] = []
    page.route("**/summon/**/*.css", lambda route: held.append(route))
    page.goto(f"{served}?page=rulebook&rule=10.5")
    rule = page.locator('[data-rule="10.5"]')
    with suppress(PlaywrightError):  # without its styles the page may be there or not, but must not be where it ends
        rule.wait_for(state="attached", timeout=3_000)
    assert held, "stylesheets were asked for"
    for route in held:
        route.continue_()
    page.unroute("**/summon/**/*.css")
    expect(rule).to_be_in_viewport()
    expect(rule).to_be_focused()


def test_the_rulebook_and_the_code_are_there_before_the_first_pet(page_at: Callable[..., Page], served: str) -> None:
    page = page_at("phone")
    page.goto(f"{served}?page=rulebook&rule=10.5")
    rule = pages(page, "rulebook").locator('[data-rule="10.5"]')
    expect(rule).to_be_in_viewport()
    expect(rule.locator(".status")).to_have_count(0)
    page.locator("[data-act=sources]").click()
    expect(rule.locator(".status")).not_to_be_empty()
    page.goto(f"{served}?page=market")
    pages(page, "welcome")
    go(page, "save")
    expect(page.locator("h1")).to_have_text("I have a code")
    expect(page.locator("[data-act=field]")).to_be_visible()
    assert page.locator("[data-act=show_code]").count() == 0


# What was played


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_battle_that_was_played_is_watched_and_downloaded(
    page_at: Callable[..., Page], served: str, store: Store, size: str
) -> None:
    page = page_at(size)
    choose_pet(page, served, "moss")
    me = owner(store, page)
    saved = win(store, me)
    past = go(page, "battles").locator(f'[data-battle="{saved.id}"]')
    expect(past).to_have_attribute("data-result", "win")
    expect(past).to_contain_text("+1")
    with page.expect_download() as download:
        past.locator("[data-act=record]").click()
    assert summon.Record.from_json(Path(download.value.path()).read_text()) == saved.record

    past.locator("[data-act=watch]").click()
    screen = page.locator(".screen")
    expect(screen).to_have_attribute("data-turn", "1")
    button, seen = screen.locator(".go"), set()
    for _ in range(STEPS):
        seen.add(screen.get_attribute("data-turn"))
        if phase(screen) == "over":
            break
        with suppress(AssertionError):
            expect(button).not_to_have_attribute("data-go", "none", timeout=2_000)
        if phase(screen) != "over":
            button.click()
        page.wait_for_timeout(50)
    expect(screen).to_have_attribute("data-result", "win")
    ways_back = [it for it in screen.locator(".hand button:visible").all() if it.text_content() == "Back"]
    assert len(ways_back) == 1
    assert len(seen) >= len(saved.record.turns)
    final = summon.Battle.from_record(saved.record).position
    assert healths(screen) == [str(side.health) for side in final.sides]
    button.click()
    pages(page, "battles")
    assert store.get(me.id).gold == 1, "watching pays nothing"


def test_older_battles_are_shown_when_asked_for(page_at: Callable[..., Page], served: str, store: Store) -> None:
    page = page_at("phone")
    choose_pet(page, served, "moss")
    for _ in range(21):
        win(store, owner(store, page))
    past = go(page, "battles")
    expect(past.locator("[data-battle]")).to_have_count(20)
    past.locator("[data-act=more]").click()
    expect(past.locator("[data-battle]")).to_have_count(21)
    expect(past.locator("[data-act=more]")).to_have_count(0)


def test_a_stale_deck_is_told_kindly(page_at: Callable[..., Page], served: str, store: Store) -> None:
    page = page_at("phone")
    me = with_gold(page, served, store, 10)
    for card in ("poison", "wild"):
        store.buy(me.id, f"card:{card}")
    deck = go(page, "deck")
    other = page.context.new_page()
    other.goto(f"{served}?page=deck")
    pages(other, "deck").locator("[data-card=wild]").click()
    expect(other.locator("[data-saved=true]")).to_be_visible()
    assert owner(store, page).deck == ("poison",)

    deck.locator("[data-card=poison]").click()
    expect(page.locator(".notice")).to_contain_text("Something had changed in another window.")
    expect(deck.locator("[data-place][data-card]")).to_have_count(1)
    assert owner(store, page).deck == ("poison",)
