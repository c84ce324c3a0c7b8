"""What is seen on a pet itself: its statuses, what a reveal does to it, and what its cards do now."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.boards import open_board, wait_for_phase
from tests.browser.conftest import serving

FAMILIES = ["moss", "ember", "bloom", "tide", "pebble", "spark"]
CARDS = ["hide", "wild", "copycat", "poison", "shield", "refreshment"]

ALL = {
    "blinded": True,
    "restricted": True,
    "shield": [1],
    "block": [2],
    "poison": [2, 1],
    "boosted": True,
    "cards": CARDS,
}
WORN = {"blinded": 1, "restricted": 1, "shield": 1, "block": 2, "poison": 2, "boosted": 5}


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving("tests/browser/apps/states.py", tmp_path_factory.mktemp("states") / "log.txt") as url:
        yield url


@pytest.fixture
def board_at(page_at: Callable[..., Page], states: str) -> Callable[..., Locator]:
    """Return a way to open a board: both sides, the rival's cards, and the size of the page."""

    def board(
        you: dict[str, Any],
        rival: dict[str, Any] | None = None,
        *,
        size: str = "phone",
        calm: bool = False,
        **more: Any,
    ) -> Locator:
        page = page_at(size)
        if calm:
            page.emulate_media(reduced_motion="reduce")
        told = {"you": json.dumps(you), "rival": json.dumps(rival or {"pet": "ember"}), **more}
        screen = open_board(page, f"{states}?{urlencode(told)}")
        expect(screen.locator(".pet > svg")).to_have_count(2)
        return screen

    return board


def side(screen: Locator, key: str = "you") -> Locator:
    return screen.locator(f"[data-side={key}]")


def worn(screen: Locator, kind: str, key: str = "you") -> Locator:
    return side(screen, key).locator(f"[data-worn={kind}]")


def play(screen: Locator, card: str | None) -> None:
    if card:
        screen.locator(f".card[data-card={card}]").click()
    screen.locator(".go").click()


def next_turn(screen: Locator) -> None:
    """See the reveal to its end and go on."""
    after = screen.locator(".go[data-go=next]")
    expect(after).to_be_visible(timeout=60_000)
    after.click()
    wait_for_phase(screen, "choosing")


BOX = """(node) => {
  const found = [...node.querySelectorAll("*")].filter((one) => one.getClientRects().length && one.tagName !== "g");
  const all = [node, ...found].map((one) => one.getBoundingClientRect()).filter((box) => box.width && box.height);
  const most = (name, pick) => pick(...all.map((box) => box[name]));
  return { left: most("left", Math.min), top: most("top", Math.min), right: most("right", Math.max),
    bottom: most("bottom", Math.max) };
}"""


def box(node: Locator) -> dict[str, float]:
    """Where something lies with all that is in it."""
    return node.evaluate(BOX)


def stand_still(screen: Locator) -> None:
    """End what comes to an end, and stop what does not."""
    screen.evaluate(
        """(screen) => {
          for (const one of screen.getAnimations({ subtree: true })) {
            const endless = one.effect.getComputedTiming().iterations === Infinity;
            if (endless) one.cancel();
            else one.finish();
          }
        }"""
    )


@pytest.mark.parametrize(("key", "other"), [("you", "rival"), ("rival", "you")])
def test_every_status_is_seen_on_the_pet_that_has_it(board_at: Callable[..., Locator], key: str, other: str) -> None:
    screen = board_at(**{key: {"pet": "moss", **ALL}, other: {"pet": "ember"}})
    for kind, count in WORN.items():
        expect(worn(screen, kind, key)).to_have_count(count)
        for n in range(count):
            expect(worn(screen, kind, key).nth(n)).to_be_visible()
    expect(side(screen, other).locator("[data-worn]")).to_have_count(0)


def test_a_status_that_is_over_is_gone_from_the_pet(board_at: Callable[..., Locator]) -> None:
    screen = board_at({"pet": "moss", **ALL, "poison": [1], "blinded": False}, {"pet": "ember", "blinded": True})
    play(screen, "attack")
    next_turn(screen)
    for key in ("you", "rival"):
        expect(side(screen, key).locator("[data-worn]")).to_have_count(0)
        expect(side(screen, key).locator(".thing, .cloth")).to_have_count(0)


@pytest.mark.rule("6.4")
def test_a_pet_hides_in_its_box_until_the_turn_is_over(board_at: Callable[..., Locator]) -> None:
    screen = board_at({"pet": "tide", "cards": CARDS}, plays="attack")
    play(screen, "hide")
    expect(worn(screen, "hidden")).to_be_visible(timeout=30_000)
    expect(screen.locator(".go[data-go=next]")).to_be_visible(timeout=30_000)
    expect(worn(screen, "hidden")).to_be_visible()
    next_turn(screen)
    expect(worn(screen, "hidden")).to_have_count(0)
    expect(worn(screen, "restricted")).to_be_visible()


@pytest.mark.rule("5.2")
def test_poison_drops_when_it_ticks_and_hangs_on_while_there_is_more(board_at: Callable[..., Locator]) -> None:
    screen = board_at({"pet": "moss"}, {"pet": "ember", "poison": [1, 1]})
    play(screen, "counter")
    expect(side(screen, "rival").locator(".drop.tick")).to_have_count(1, timeout=30_000)
    next_turn(screen)
    expect(worn(screen, "poison", "rival")).to_have_count(1)
    play(screen, "counter")
    next_turn(screen)
    expect(worn(screen, "poison", "rival")).to_have_count(0)


@pytest.mark.parametrize(
    ("card", "kind", "key", "count"),
    [("poison", "poison", "rival", 2), ("shield", "shield", "you", 2), ("refreshment", "boosted", "you", 5)],
)
def test_what_a_card_does_to_a_pet_is_seen_in_the_reveal(
    board_at: Callable[..., Locator], card: str, kind: str, key: str, count: int
) -> None:
    screen = board_at({"pet": "moss", "cards": CARDS, "boosted": True})
    play(screen, card)
    wait_for_phase(screen, "reveal")
    expect(worn(screen, kind, key)).to_have_count(count, timeout=30_000)


MIRRORS = """(screen) => {
  screen.mirrors = [];
  new MutationObserver(() => {
    const glass = screen.querySelector("[data-side=you] .mirror .glass");
    if (glass) screen.mirrors.push(glass.dataset.card || "nothing");
  }).observe(screen, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize(("plays", "seen"), [("attack", "attack"), ("copycat", "nothing")])
def test_copycat_holds_a_mirror_to_what_it_copies(board_at: Callable[..., Locator], plays: str, seen: str) -> None:
    screen = board_at({"pet": "moss", "cards": CARDS}, {"pet": "ember", "cards": CARDS}, plays=plays)
    screen.evaluate(MIRRORS)
    play(screen, "copycat")
    expect(screen.locator(".go[data-go=next]")).to_be_visible(timeout=60_000)
    assert set(screen.evaluate("screen => screen.mirrors")) == {seen}
    expect(side(screen).locator(".mirror")).to_have_count(0)


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_its_own_wild(board_at: Callable[..., Locator], family: str) -> None:
    screen = board_at({"pet": family, "cards": CARDS, "health": 2}, {"pet": "moss"}, plays="heal")
    play(screen, "wild")
    gesture = side(screen).locator(f".gesture[data-family={family}]")
    expect(gesture).to_be_visible(timeout=30_000)
    expect(gesture.locator("svg").first).to_be_attached()
    expect(gesture).to_have_count(0, timeout=30_000)


@pytest.mark.parametrize("calm", [False, True], ids=["moving", "calm"])
def test_a_beaten_pet_is_a_heap_that_wears_nothing(board_at: Callable[..., Locator], calm: bool) -> None:
    screen = board_at({"pet": "spark"}, {"pet": "tide", "health": 1, "shield": [1]}, plays="heal", calm=calm)
    expect(worn(screen, "shield", "rival")).to_have_count(1)
    play(screen, "attack")
    expect(side(screen, "rival").locator(".pet.crumble")).to_be_visible(timeout=30_000)
    expect(side(screen, "rival").locator("[data-worn]")).to_have_count(0)
    expect(side(screen).locator(".pet.crumble")).to_have_count(0)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_blindfold_lies_on_the_eyes_and_a_box_leaves_them_free(board_at: Callable[..., Locator], family: str) -> None:
    both = {"pet": family, "blinded": True, "cards": CARDS}
    screen = board_at(both, {**both, "evolved": True}, plays="wait,hide")
    stand_still(screen)
    for key in ("you", "rival"):
        cloth, pet = box(side(screen, key).locator(".cloth")), box(side(screen, key).locator(".pet > svg"))
        for eye in map(box, side(screen, key).locator(".open").all()):
            assert cloth["left"] <= eye["left"] and eye["right"] <= cloth["right"]
            assert cloth["top"] <= eye["top"] + 1 and eye["bottom"] <= cloth["bottom"] + 1
        assert cloth["bottom"] - cloth["top"] < (pet["bottom"] - pet["top"]) / 2

    play(screen, None)
    next_turn(screen)
    play(screen, "hide")
    for key in ("you", "rival"):
        expect(worn(screen, "hidden", key)).to_be_visible(timeout=30_000)
    stand_still(screen)
    for key in ("you", "rival"):
        edge = box(worn(screen, "hidden", key))["top"]
        for eye in map(box, side(screen, key).locator(".open").all()):
            assert eye["bottom"] <= edge + 1


ENDLESS = """(node) => node.getAnimations({ subtree: true })
  .filter((one) => one.effect.getTiming().iterations === Infinity).length"""

FAINT = """(node) => [...node.querySelectorAll(".thing, .cloth")]
  .filter((one) => getComputedStyle(one).opacity !== "1").length"""


def test_where_calm_is_asked_for_all_of_it_is_seen_and_nothing_moves(board_at: Callable[..., Locator]) -> None:
    screen = board_at({"pet": "moss", **ALL}, {"pet": "tide", "evolved": True, **ALL}, calm=True)
    for kind, count in WORN.items():
        for key in ("you", "rival"):
            expect(worn(screen, kind, key)).to_have_count(count)
            expect(worn(screen, kind, key).first).to_be_visible()
    for pet in screen.locator(".pet").all():
        assert pet.evaluate(ENDLESS) == 0
    stand_still(screen)
    assert screen.evaluate(FAINT) == 0


MOVED = """(screen) => screen.getAnimations({ subtree: true })
  .filter((one) => one.effect.getTiming().iterations === Infinity)
  .flatMap((one) => one.effect.getKeyframes().flatMap((frame) => Object.keys(frame)))"""


COUNT_BLINKS = """() => {
  window.blinks = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) { window.blinks += 1; return animate.apply(this, how); };
}"""


def test_while_nothing_happens_pictures_move_and_nothing_is_drawn_anew(board_at: Callable[..., Locator]) -> None:
    screen = board_at({"pet": "moss", **ALL, "health": 1}, {"pet": "tide", **ALL}, size="desktop")
    page = screen.page
    moved = set(screen.evaluate(MOVED)) - {"offset", "computedOffset", "easing", "composite"}
    assert moved == {"transform", "opacity"}

    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")

    def styled() -> float:
        """How often the page has worked out what it looks like."""
        found = devtools.send("Performance.getMetrics")["metrics"]
        return next(it["value"] for it in found if it["name"] == "RecalcStyleCount")

    page.evaluate(COUNT_BLINKS)
    page.wait_for_timeout(3_000)
    before, blinked = styled(), page.evaluate("blinks")
    page.wait_for_timeout(2_000)
    # An eye that blinks is looked at when it shuts and when it opens again; one may have been shut at the beginning.
    eyes = page.evaluate("blinks") - blinked + 2
    assert styled() - before <= 2 + 2 * eyes, "not with every frame"


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1024, 768), (820, 780)])
def test_on_a_laptop_no_status_lies_on_a_pet_or_a_card(
    board_at: Callable[..., Locator], width: int, height: int
) -> None:
    waiting = {"ready": {"copycat": 8, "blind": 7}, "wild_used": True}
    both = {"cards": [*CARDS, "blind"], "evolved": True, **waiting, "shield": [1], "poison": [2, 1], "boosted": True}
    screen = board_at({"pet": "pebble", **both}, {"pet": "spark", **both}, size="desktop")
    screen.page.set_viewport_size({"width": width, "height": height})
    expect(screen.locator(".token:visible").first).to_be_visible()
    stand_still(screen)
    others = [box(node) for node in screen.locator(".pet > svg, .slot, .plaque").all()]
    tokens = [box(node) for node in screen.locator(".token:visible").all()]
    assert len(tokens) >= 4
    for token in tokens:
        assert token["left"] >= 0 and token["right"] <= width and token["bottom"] <= height
        for other in others:
            assert (
                token["bottom"] <= other["top"] + 8
                or token["top"] >= other["bottom"] - 8
                or token["right"] <= other["left"]
                or token["left"] >= other["right"]
            )


SHOWN = {
    "attack": [("hit", "3")],
    "heal": [("heal", "2")],
    "counter": [("block", "1"), ("hit", "4")],
    "wild": [("heal", "4"), ("block", "3")],
    "poison": [("poison", "2")],
    "shield": [("block", "2")],
    "refreshment": [("boost", "+1")],
    "copycat": [],
}


@pytest.mark.rule("4.2", "6.9")
def test_a_card_shows_what_it_does_now(board_at: Callable[..., Locator]) -> None:
    screen = board_at({"pet": "moss", "evolved": True, "boosted": True, "cards": [*CARDS]})
    for card, numbers in SHOWN.items():
        signs = screen.locator(f".card[data-card={card}] .now")
        found = [(sign.get_attribute("data-sign"), sign.inner_text()) for sign in signs.all()]
        assert found == numbers, card
