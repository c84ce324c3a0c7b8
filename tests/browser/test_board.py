"""The board in prepared situations: every phase, every ending, refusals, two seats, and what is on the screen."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.boards import health, open_board, open_cards, wait_for_phase

SIZES = ["phone", "tablet", "desktop"]
SCENES = ["win", "blinded", "down", "sacrifice", "refused", "statuses", "reserve"]


def lock(screen: Locator, card: str | None) -> None:
    if card:
        screen.locator(f".card[data-card={card}]").click()
    screen.locator(".go").click()


def to_the_end_of_the_reveal(screen: Locator) -> None:
    """Wait for the reveal and skip its animation, which may end by itself meanwhile."""
    wait_for_phase(screen, "reveal", "over")
    skip = screen.locator(".go[data-go=skip]")
    done = screen.locator(":is(.go[data-go=next], .go[data-go=result], .go[data-go=again])")
    expect(skip.or_(done)).to_be_visible()
    with suppress(TimeoutError):
        skip.click(timeout=1_000)
    expect(done).to_be_visible(timeout=15_000)


def test_a_turn_that_was_taken_back_is_revealed_when_it_is_played_again(
    page_at: Callable[..., Page], scenes: str
) -> None:
    screen = open_board(page_at("desktop"), f"{scenes}?scene=notebook")
    for _ in range(2):
        wait_for_phase(screen, "choosing")
        lock(screen, "attack")
        wait_for_phase(screen, "countdown")
        to_the_end_of_the_reveal(screen)
        screen.locator(".go").click()
        expect(screen).to_have_attribute("data-phase", "over")
        assert health(screen, "rival") == 0
        screen.locator(".go[data-go=again]").click()


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize(
    ("scene", "card", "result", "title"),
    [
        ("win", "attack", "win", "Ember beats Tsunami!"),
        ("loss", "heal", "loss", "Tide wins this time."),
        ("draw", "attack", "draw", "Both fell. It's a draw!"),
    ],
)
def test_every_ending_says_who_has_won(
    page_at: Callable[..., Page], scenes: str, size: str, scene: str, card: str, result: str, title: str
) -> None:
    screen = open_board(page_at(size), f"{scenes}?scene={scene}")
    lock(screen, card)
    to_the_end_of_the_reveal(screen)
    if screen.get_attribute("data-phase") == "reveal":
        screen.locator(".go").click()
    expect(screen).to_have_attribute("data-result", result)
    expect(screen.get_by_role("heading", name=title)).to_be_visible()
    expect(screen.locator(".go")).to_have_text("Play again")


def test_leaving_asks_first_and_then_ends_the_battle(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    screen = open_board(page, f"{scenes}?scene=refused")
    screen.locator("[data-act=leave]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(screen).to_have_attribute("data-phase", "choosing")
    screen.locator("[data-act=leave]").click()
    page.locator("[data-act=leave-now]").click()
    expect(screen).to_have_attribute("data-result", "ended")


def test_a_card_that_is_off_says_why_and_cannot_be_locked(page_at: Callable[..., Page], scenes: str) -> None:
    screen = open_board(page_at("phone"), f"{scenes}?scene=refused")
    attack = screen.locator(".card[data-card=attack]")
    expect(attack).to_have_attribute("aria-disabled", "true")
    attack.click(force=True)
    expect(screen.locator(".say")).to_contain_text("You played Attack 3 turns running")
    expect(screen.locator(".say")).to_contain_text("2.5")
    expect(screen.locator(".go")).not_to_have_attribute("data-go", "lock")


def test_a_blinded_player_waits(page_at: Callable[..., Page], scenes: str) -> None:
    screen = open_board(page_at("phone"), f"{scenes}?scene=blinded")
    assert open_cards(screen) == []
    expect(screen.locator(".go")).to_have_text("Wait")
    lock(screen, None)
    to_the_end_of_the_reveal(screen)
    expect(screen.locator(".story")).to_contain_text("2.1")
    screen.locator(".go").click()
    assert open_cards(screen) == ["attack", "heal", "counter"]


def test_a_pet_at_zero_may_only_revive(page_at: Callable[..., Page], scenes: str) -> None:
    screen = open_board(page_at("phone"), f"{scenes}?scene=down")
    assert open_cards(screen) == ["revive"]
    expect(screen.locator(".say")).to_have_text("Your pet is at zero. Play Revive!")
    lock(screen, "revive")
    to_the_end_of_the_reveal(screen)
    assert health(screen, "you") == 1


def test_all_health_is_seen_on_a_small_phone_that_lies_on_its_side(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    page.set_viewport_size({"width": 568, "height": 320})
    screen = open_board(page, f"{scenes}?scene=statuses")
    arena = screen.locator(".arena").bounding_box()
    plates = [plate.bounding_box() for plate in screen.locator(".plaque").all()]
    assert arena is not None and len(plates) == 2
    for plate in plates:
        assert plate is not None
        assert arena["x"] <= plate["x"] and plate["x"] + plate["width"] <= arena["x"] + arena["width"]


@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_sacrifice_costs_the_amount_that_was_chosen(page_at: Callable[..., Page], scenes: str, by: str) -> None:
    page = page_at("phone" if by == "clicks" else "desktop")
    screen = open_board(page, f"{scenes}?scene=sacrifice")
    screen.locator(".card[data-card=sacrifice]").click()
    amount = screen.get_by_role("spinbutton")
    expect(amount).to_be_visible()
    if by == "clicks":
        more = screen.get_by_role("button", name="More", exact=True)
        for _ in range(6):
            more.click(force=True)
        screen.get_by_role("button", name="Less", exact=True).click()
    else:
        amount.focus()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
    expect(amount).to_have_attribute("aria-valuenow", "3")
    expect(amount).to_have_attribute("aria-valuemax", "4")
    screen.locator(".go").click()
    to_the_end_of_the_reveal(screen)
    assert (health(screen, "you"), health(screen, "rival")) == (1, 2)


def test_white_reserve_takes_the_blow_first(page_at: Callable[..., Page], scenes: str) -> None:
    screen = open_board(page_at("phone"), f"{scenes}?scene=reserve")
    lock(screen, "counter")
    to_the_end_of_the_reveal(screen)
    assert health(screen, "you") == 5
    expect(screen.locator('[data-side="you"] [data-health]')).to_have_attribute("data-reserve", "1")


def test_the_live_region_tells_the_reveal_in_sentences(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("desktop")
    screen = open_board(page, f"{scenes}?scene=sacrifice")
    live = page.locator("[aria-live=polite]").first
    expect(live).to_contain_text("Turn 6")
    lock(screen, "poison")
    to_the_end_of_the_reveal(screen)
    expect(live).to_contain_text("Poison poisons Moss.")
    expect(live).to_contain_text("Poison takes 1 from Moss.")


def test_the_round_log_tells_every_turn_with_its_rules(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    screen = open_board(page, f"{scenes}?scene=sacrifice")
    lock(screen, "attack")
    to_the_end_of_the_reveal(screen)
    screen.locator("[data-act=log]:visible").first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Turn 6")
    expect(dialog).to_contain_text("Counter hits Tide for 2.")
    expect(dialog).to_contain_text("3.3")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.rule("1.5", "1.9")
def test_two_seats_keep_their_choices_until_both_are_in(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("desktop")
    page.set_viewport_size({"width": 1600, "height": 1000})
    open_board(page, f"{scenes}?scene=two")
    mine, other = page.locator(".screen").nth(0), page.locator(".screen").nth(1)
    lock(mine, "poison")
    expect(mine).to_have_attribute("data-phase", "locked")
    expect(other).to_have_attribute("data-phase", "choosing")
    expect(other.locator("[data-slot=rival]")).to_contain_text("Ready")

    mine.locator(".go[data-go=swap]").click()
    expect(mine).to_have_attribute("data-phase", "choosing")
    expect(other.locator("[data-slot=rival]")).not_to_contain_text("Ready")

    lock(mine, "attack")
    expect(mine).to_have_attribute("data-phase", "locked")
    lock(other, "heal")
    for screen, healths in ((mine, (5, 3)), (other, (3, 5))):
        to_the_end_of_the_reveal(screen)
        assert (health(screen, "you"), health(screen, "rival")) == healths
        assert screen.get_attribute("data-turn") == "1"


def test_a_long_story_fades_out_where_there_is_more(page_at: Callable[..., Page], scenes: str) -> None:
    screen = open_board(page_at("phone"), f"{scenes}?scene=statuses")
    lock(screen, "attack")
    to_the_end_of_the_reveal(screen)
    story = screen.locator(".story")
    expect(story).to_have_class(re.compile("more-above"))
    expect(story).not_to_have_class(re.compile("more-below"))
    story.evaluate("story => { story.scrollTop = 0; }")
    expect(story).to_have_class(re.compile("more-below"))
    expect(story).not_to_have_class(re.compile("more-above"))


# What can be pressed may reach beyond what is drawn: where a box is smaller than 44, the points at 22 from its middle
# are asked what a finger would press there.
ON_SCREEN = """
root => {
  const all = [...root.querySelectorAll('button, [role=spinbutton], [role=radio]')];
  return all.filter((node) => node.checkVisibility({visibilityProperty: true})).map((node) => {
    const {x, y, width, height} = node.getBoundingClientRect(), mx = x + width / 2, my = y + height / 2;
    const pressed = (px, py) => node.contains(node.getRootNode().elementFromPoint(px, py));
    const wide = width >= 43.5 || (pressed(mx - 21.5, my) && pressed(mx + 21.5, my));
    const tall = height >= 43.5 || (pressed(mx, my - 21.5) && pressed(mx, my + 21.5));
    return {name: node.getAttribute('aria-label') || node.textContent.trim(), x, y, width, height, wide, tall};
  });
}
"""


SMALL = {"small": {"width": 320, "height": 640}, "smallest": {"width": 320, "height": 568}}


@pytest.mark.parametrize("size", [*SIZES, *SMALL])
@pytest.mark.parametrize("scene", SCENES)
def test_everything_to_press_is_named_large_and_on_the_screen(
    page_at: Callable[..., Page], scenes: str, size: str, scene: str
) -> None:
    page = page_at("phone" if size in SMALL else size)
    if size in SMALL:
        page.set_viewport_size(SMALL[size])
    screen = open_board(page, f"{scenes}?scene={scene}")
    page.wait_for_timeout(300)
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    found = screen.evaluate(ON_SCREEN)
    assert found
    for item in found:
        assert item["name"], item
        assert item["wide"], item
        assert item["tall"], item
        assert item["x"] >= -0.5, item
        assert item["x"] + item["width"] <= width + 0.5, item
        assert item["y"] + item["height"] <= height + 0.5, item
    assert page.evaluate("document.documentElement.scrollWidth") <= width
