"""The moments of a battle: the order of the effects, skipping, speed, sound, calm motion, endings, and evolution."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from summon import Battle, words
from summon.events import Event, Kind
from summon.store import Store
from summon.words import SETTINGS
from tests.browser.boards import choose_pet, health, open_board, wait_for_phase
from tests.browser.scenes import CROWDED
from tests.browser.test_story import buy, go, owner, with_gold

FOREVER = 10_000_000
"""So many ms never pass in a test: only a skip gets there."""

GUARDED = 700
"""A tap so many ms after another is one of its own."""

SCRIPT = """name => {
  const all = performance.getEntriesByType("resource").map((it) => it.name);
  const load = window.importShim || ((url) => import(url));      // as Panel itself does
  return load(all.find((url) => new URL(url).pathname.endsWith(`/${name}.js`)));
}"""


def module(page: Page, name: str) -> Any:
    """A script of the page, the very one that it runs."""
    return page.evaluate_handle(SCRIPT, name)


def last_longer(page: Page, **times: Any) -> None:
    """Let some of the moments last as long as this, in ms."""
    module(page, "moments").evaluate("(module, times) => Object.assign(module.TIMES, times)", times)


def lock(screen: Locator, card: str) -> None:
    screen.locator(f"button.card[data-card={card}]").click()
    screen.locator(".go[data-go=lock]").click()


def tap(screen: Locator) -> None:
    """A tap on the arena that is no second one."""
    screen.page.wait_for_timeout(GUARDED)
    screen.locator(".arena").click(force=True)


def ended(screen: Locator) -> Locator:
    return screen.locator(".go[data-go=next], .go[data-go=result]")


# What happens, one effect after the other


def told(card: str) -> list[Event]:
    """What happens on the scene "statuses" when the player chooses this card."""
    return Battle.from_record(CROWDED).play(card, "wait")


CUES = """screen => {
  const seen = screen.ownerDocument.defaultView.cues = [];
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (!node.classList?.contains("cue")) return;
    const text = (selector) => node.querySelector(selector).textContent;
    seen.push([node.dataset.kind, node.dataset.on, text("b"), text(".rule")]);
  }))).observe(screen.querySelector(".sides"), { childList: true });
}"""


@pytest.mark.rule("8.1")
def test_effects_are_shown_in_order_each_with_its_word_its_number_and_its_rule(
    page_at: Callable[..., Page], scenes: str
) -> None:
    page = page_at("phone")
    screen = open_board(page, f"{scenes}?scene=statuses")
    screen.evaluate(CUES)
    lock(screen, "attack")
    expect(ended(screen)).to_be_visible()

    happened = told("attack")
    order = list(Kind)
    kinds = [event.kind for event in happened]
    assert len(set(kinds)) >= 4
    assert kinds == sorted(kinds, key=order.index)
    seats = ("you", "rival")
    assert page.evaluate("cues") == [
        [str(event.kind), seats[event.on], words.event_word(event), event.rule] for event in happened
    ]
    lines = screen.locator(".story li")
    assert [line.get_attribute("data-kind") for line in lines.all()] == [str(kind) for kind in kinds]
    for line, event in zip(lines.all(), happened, strict=True):
        expect(line).to_contain_text(event.rule)
        if event.kind in (Kind.HIT, Kind.POISON):
            expect(line).to_contain_text(f"−{event.number}")
    expect(screen.locator(".cue")).to_be_hidden()


def test_both_cards_lie_face_down_until_they_turn_over_together(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    screen = open_board(page, f"{scenes}?scene=win")
    last_longer(page, beat=FOREVER, flip=FOREVER)
    lock(screen, "attack")
    expect(screen.locator(".digit")).to_be_visible()
    assert screen.locator(".slot .back").count() == 2
    assert screen.locator(".slot [data-card]").count() == 0
    assert screen.get_attribute("data-phase") == "countdown"
    tap(screen)
    wait_for_phase(screen, "reveal")
    assert screen.locator(".slot [data-card]").count() == 2


# Skipping


@pytest.mark.parametrize(
    ("when", "by"),
    [("deal", "tap"), ("beat", "key"), ("beat", "tap"), ("flip", "button"), ("step", "tap"), ("step", "key")],
)
def test_every_part_of_it_can_be_skipped(page_at: Callable[..., Page], scenes: str, when: str, by: str) -> None:
    page = page_at("desktop" if by == "key" else "phone")
    screen = open_board(page, f"{scenes}?scene=statuses")
    last_longer(page, **{when: [FOREVER, FOREVER] if when == "step" else FOREVER})
    screen.evaluate(CUES)
    lock(screen, "attack")
    seen = {"deal": ".slot .back", "beat": ".digit", "flip": ".slot [data-card=attack]", "step": ".cue:not([hidden])"}
    expect(screen.locator(seen[when]).first).to_be_visible()
    page.wait_for_timeout(GUARDED)
    assert screen.locator(".story li").count() == (1 if when == "step" else 0)
    if by == "key":
        page.keyboard.press("Escape")
    elif by == "button":
        screen.locator(".go[data-go=skip]").click()
    else:
        screen.locator(".arena").click(force=True)
    expect(ended(screen)).to_be_visible()
    happened = told("attack")
    assert screen.locator(".story li").count() == len(happened)
    assert len(page.evaluate("cues")) == (1 if when == "step" else 0)
    assert health(screen, "rival") == happened[-1].health[1]


# The settings


def open_settings(page: Page) -> Locator:
    page.locator("[data-act=settings]:visible").first.click()
    drawer = page.get_by_role("dialog", name=SETTINGS["title"])
    expect(drawer).to_be_visible()
    return drawer


WAITS = """
window.waits = [];
const waiting = window.setTimeout;
window.setTimeout = (then, time, ...more) => {
  window.waits.push(time);
  return waiting(then, time, ...more);
};
"""


@pytest.mark.parametrize("speed", ["calm", "normal", "fast"])
def test_the_speed_scales_all_of_it(page_at: Callable[..., Page], scenes: str, speed: str) -> None:
    page = page_at("phone")
    page.add_init_script(WAITS)
    screen = open_board(page, f"{scenes}?scene=win")
    drawer = open_settings(page)
    drawer.locator(f"[data-speed={speed}]").click()
    expect(drawer.locator(f"[data-speed={speed}]")).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Escape")

    times = module(page, "moments").evaluate("module => module.TIMES")
    pace = module(page, "settings").evaluate("module => module.settings.pace")
    assert {"calm": pace > 1, "normal": pace == 1, "fast": pace < 1}[speed]
    page.evaluate("waits.length = 0")
    lock(screen, "attack")
    expect(screen.locator(".digit")).to_be_visible()
    lasts = screen.locator(".digit").evaluate("node => getComputedStyle(node).animationDuration")
    assert float(lasts.removesuffix("s")) * 1000 == pytest.approx(times["beat"] * pace)
    expect(ended(screen)).to_be_visible()

    count = screen.locator(".story li").count()
    least, most = times["step"]
    step = max(least, min(most, times["story"] / count))
    wanted = [times["deal"], *[times["beat"]] * 3, times["flip"], *[step] * count]
    waits = iter(page.evaluate("waits"))
    for time in wanted:
        assert any(wait == pytest.approx(time * pace) for wait in waits), (time, pace)


def test_at_the_normal_speed_the_effects_take_two_to_four_seconds(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    open_board(page, f"{scenes}?scene=win")
    times = module(page, "moments").evaluate("module => module.TIMES")
    least, most = times["step"]
    for count in range(1, 11):
        effects = times["flip"] + count * max(least, min(most, times["story"] / count))
        assert 2000 <= effects <= 4000, count


def test_settings_are_used_by_keyboard_and_are_the_same_on_all_pages(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("desktop")
    open_board(page, f"{scenes}?scene=win")
    other = page.context.new_page()
    open_board(other, f"{scenes}?scene=loss")
    gear = page.locator("[data-act=settings]")
    gear.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name=SETTINGS["title"])
    sound = drawer.get_by_role("switch", name=SETTINGS["sound"])
    expect(sound).to_be_focused()
    expect(sound).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Space")
    expect(sound).to_have_attribute("aria-checked", "false")
    page.keyboard.press("Tab")
    expect(drawer.get_by_role("radio", name=SETTINGS["speed_normal"])).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(drawer.get_by_role("radio", name=SETTINGS["speed_fast"])).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(gear).to_be_focused()

    expect(other.locator("[data-act=mute]")).to_have_attribute("aria-pressed", "false")
    there = open_settings(other)
    expect(there.locator("[data-speed=fast]")).to_have_attribute("aria-checked", "true")
    expect(there.get_by_role("switch", name=SETTINGS["sound"])).to_have_attribute("aria-checked", "false")


def test_without_anything_to_keep_them_settings_last_as_long_as_the_page(
    page_at: Callable[..., Page], scenes: str
) -> None:
    page = page_at("phone")
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }});")
    open_board(page, f"{scenes}?scene=win")
    mute = page.locator("[data-act=mute]")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(mute).to_have_attribute("aria-pressed", "true")


def test_every_page_has_the_gear(page_at: Callable[..., Page], server: str) -> None:
    page = page_at("phone")
    choose_pet(page, server)
    for place, there in (("market", ".pages[data-page=market]"), ("practice", ".setup")):
        page.locator(f".pages [data-go={place}]").first.click()
        expect(page.locator(there)).to_be_visible()
        open_settings(page)
        page.keyboard.press("Escape")
        page.locator("[data-act=back]:visible").click()
        expect(page.locator(".pages[data-page=home]")).to_be_visible()
    open_settings(page)


# Sound

CONTEXTS = """
window.contexts = [];
const Context = window.AudioContext;
window.AudioContext = class extends Context {
  constructor(...more) {
    super(...more);
    window.contexts.push(this);
  }
};
"""


def test_nothing_sounds_before_the_first_tap_and_being_mute_is_remembered(
    page_at: Callable[..., Page], scenes: str
) -> None:
    page = page_at("phone")
    page.add_init_script(CONTEXTS)
    screen = open_board(page, f"{scenes}?scene=win")
    mute = page.locator("[data-act=mute]")
    expect(mute).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("contexts.length") == 0

    screen.locator("button.card[data-card=attack]").click()
    page.wait_for_function("contexts.length === 1 && contexts[0].state === 'running'")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    page.wait_for_function("contexts[0].state === 'suspended'")
    mute.click()
    page.wait_for_function("contexts[0].state === 'running'")
    mute.click()

    page.reload()
    expect(mute).to_have_attribute("aria-pressed", "false")
    lock(screen, "attack")
    expect(ended(screen)).to_be_visible()
    assert page.evaluate("contexts.length") == 0


def test_a_board_in_a_notebook_is_quiet_until_it_is_asked(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("desktop")
    page.add_init_script(CONTEXTS)
    screen = open_board(page, f"{scenes}?scene=two")
    mute = screen.locator("[data-act=mute]")
    expect(mute).to_have_attribute("aria-pressed", "false")
    screen.locator("button.card[data-card=attack]").click()
    assert page.evaluate("contexts.length") == 0
    mute.click()
    page.wait_for_function("contexts.length === 1 && contexts[0].state === 'running'")


def test_every_sound_is_heard_and_none_is_too_loud(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    open_board(page, f"{scenes}?scene=win")
    loudest = module(page, "sound").evaluate("""async ({ SOUNDS, perform }) => {
      const peak = async (name) => {
        const context = new OfflineAudioContext(1, 44100 * 3, 44100);
        perform(context, name);
        const { length, ...data } = [(await context.startRendering()).getChannelData(0)];
        return data[0].reduce((most, it) => Math.max(most, Math.abs(it)), 0);
      };
      return Object.fromEntries(await Promise.all(Object.keys(SOUNDS).map(async (name) => [name, await peak(name)])));
    }""")
    assert len(loudest) >= 12
    assert {name: peak for name, peak in loudest.items() if not 0.05 < peak < 1} == {}


# While nothing happens

ENDLESS = """() => {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap((node) =>
    node.shadowRoot ? roots(node.shadowRoot) : [])];
  return [...new Set(roots(document).flatMap((root) => root.getAnimations()))]
    .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity)
    .map(({ animationName, effect }) => [animationName, Boolean(effect.target.ownerSVGElement)]);
}"""
"""What is animated without end: by which keyframes, and whether it is a part of a picture."""

ANIMATED = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...more) {
  window.animated.push(...this.classList);
  return animate.apply(this, more);
};
"""
"""Keeps the classes of all that a script animates."""


def test_what_moves_without_end_is_no_part_of_a_picture(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    open_board(page, f"{scenes}?scene=statuses")
    endless = page.evaluate(ENDLESS)
    assert {"bounce", "hang", "sparkle"} <= {name for name, _ in endless}
    assert [name for name, is_part in endless if is_part] == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_pets_blink_but_not_with_calm_motion(page_at: Callable[..., Page], scenes: str, motion: Any) -> None:
    page = page_at("phone")
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(ANIMATED)
    page.clock.install()
    open_board(page, f"{scenes}?scene=win")
    page.clock.run_for(20_000)
    assert ("open" in page.evaluate("animated")) == (motion == "no-preference")


# Calm motion

MOVING = """node => node.getRootNode().getAnimations().filter((it) => it.playState === "running").flatMap((it) =>
  it.effect.getKeyframes().flatMap((frame) =>
    ["transform", "translate", "rotate", "scale"].filter((name) => frame[name] && frame[name] !== "none")
      .map((name) => `${it.effect.target.className?.baseVal ?? it.effect.target.className} ${name} ${frame[name]}`)))"""
"""What moves just now, in the game's own tree."""


@pytest.mark.parametrize("asked", ["device", "switch"])
def test_with_calm_motion_nothing_travels(page_at: Callable[..., Page], scenes: str, asked: str) -> None:
    page = page_at("phone")
    if asked == "device":
        page.emulate_media(reduced_motion="reduce")
    screen = open_board(page, f"{scenes}?scene=win")
    if asked == "switch":
        assert screen.evaluate(MOVING), "the pets breathe"
        calm = open_settings(page).get_by_role("switch", name=SETTINGS["still"])
        calm.click()
        expect(calm).to_have_attribute("aria-checked", "true")
        page.keyboard.press("Escape")
    assert screen.evaluate(MOVING) == []
    lock(screen, "attack")
    for seen in (".digit", ".slot [data-card=attack]", ".cue:not([hidden])", ".go[data-go=result]"):
        expect(screen.locator(seen).first).to_be_visible()
        assert screen.evaluate(MOVING) == []
    screen.locator(".go").click()
    expect(screen).to_have_attribute("data-result", "win")
    assert screen.evaluate(MOVING) == []


# The endings


def to_the_result(screen: Locator, card: str) -> None:
    lock(screen, card)
    expect(screen.locator(".digit")).to_be_visible()
    tap(screen)
    expect(ended(screen)).to_be_visible()
    screen.locator(".go[data-go=result]").click()
    expect(screen).to_have_attribute("data-phase", "over")


def test_who_lost_lies_in_bricks_and_is_built_again(page_at: Callable[..., Page], scenes: str) -> None:
    page = page_at("phone")
    screen = open_board(page, f"{scenes}?scene=loss")
    last_longer(page, heap=FOREVER)
    to_the_result(screen, "heal")
    expect(screen.locator("[data-side=you] .pet.crumble")).to_be_visible()
    expect(screen.locator(".prize")).to_contain_text("Every piece can be built again.")

    page.reload()
    expect(screen.locator("[data-side=you] .pet")).to_be_visible()
    last_longer(page, heap=0)
    to_the_result(screen, "heal")
    expect(screen.locator("[data-side=you] .pet.crumble")).to_have_count(0)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_gold_flies_to_the_count_one_by_one(page_at: Callable[..., Page], stage: str, motion: Any) -> None:
    page = page_at("phone")
    page.emulate_media(reduced_motion=motion)
    page.add_init_script(ANIMATED)
    screen = open_board(page, f"{stage}?scene=win")
    expect(page.locator("[aria-live=polite]").first).to_contain_text("+5 gold")
    expect(screen.locator(".prize .gold")).to_have_text("+5 gold")
    assert page.evaluate("animated").count("flying") == (5 if motion == "no-preference" else 0)


def test_after_a_draw_both_get_up_again(page_at: Callable[..., Page], scenes: str) -> None:
    screen = open_board(page_at("desktop"), f"{scenes}?scene=draw")
    to_the_result(screen, "attack")
    expect(screen.locator(".word svg")).to_be_visible()
    expect(screen.locator(".pet.crumble")).to_have_count(0)
    assert (health(screen, "you"), health(screen, "rival")) == (0, 0)


# A pet that evolves


def evolve(page: Page, served: str, store: Store, **times: int) -> Locator:
    """Buy evolution for an Ember, its parts lasting as long as this, in ms; returns what is shown of it."""
    with_gold(page, served, store, 25)
    if times:
        last_longer(page, evolve=times)
    go(page, "market")
    page.locator("[data-tab=evolve]").click()
    buy(page, "evolution")
    shown = page.locator("dialog.evolution")
    expect(shown).to_be_visible()
    return shown


@pytest.mark.rule("10.2")
@pytest.mark.parametrize("by", ["button", "tap", "Escape"])
def test_a_pet_that_evolves_is_built_anew_and_that_can_be_skipped(
    page_at: Callable[..., Page], served: str, store: Store, by: str
) -> None:
    page = page_at("phone" if by == "tap" else "desktop")
    shown = evolve(page, served, store, wait=FOREVER, apart=FOREVER, build=FOREVER)
    expect(shown).to_contain_text("Ember is growing…")

    def press() -> None:
        page.wait_for_timeout(GUARDED)
        if by == "button":
            shown.locator(".onward").click()
        elif by == "tap":
            shown.locator(".growth").click(force=True)
        else:
            page.keyboard.press("Escape")

    press()
    expect(shown).to_contain_text("Ember has grown into Blaze!")
    press()
    expect(shown).to_be_hidden()
    expect(page.locator("[data-item=evolution]")).to_contain_text("Grown up")
    assert owner(store, page).evolved


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_pet_that_evolves_comes_to_its_grown_form_by_itself(
    page_at: Callable[..., Page], served: str, store: Store, motion: Any
) -> None:
    page = page_at("phone")
    page.emulate_media(reduced_motion=motion)
    shown = evolve(page, served, store)
    if motion == "reduce":
        assert shown.evaluate(MOVING) == []
    expect(shown).to_contain_text("Ember has grown into Blaze!")
    expect(shown.locator(".growth > svg")).to_have_count(1)
    if motion == "reduce":
        assert shown.evaluate(MOVING) == []
    expect(shown.locator(".onward")).to_be_focused()
    page.wait_for_timeout(GUARDED)
    page.keyboard.press("Enter")
    expect(shown).to_be_hidden()
    page.locator("[data-act=back]").click()
    expect(page.locator(".hero")).to_contain_text("Blaze")
