import {
  bricks, BRICK, button, Drawer, drawing, fill, ground, ICONS, make, pips, set, several, signed, still, tint,
} from "./bricks.js";
import { chip, ruleMark, ruleTag, shownCard } from "./cards.js";
import { settings } from "./settings.js";

/**
 * A card's own page, and the ways to it: a long press on a card, "?" on the keyboard, and a button.
 *
 * What stands on it the server tells when it is asked, with a tiny battle in three steps that it played by the rules.
 */

const LONG = 500;              // a touch of a card that lasts so long asks what it does
const SLIP = 12;               // a finger that moves farther meanwhile wants something else
const RELEASE = 400;           // a tap that comes so soon after a long press is the end of it
const STEP = 2100;             // one step of the tiny battle
const HIGH = 118, WIDE = 128;  // the most room that a pet has there

const SIDES = ["you", "rival"];
const HEAP = [[0, 0], [24, 0], [48, 0], [12, 17], [36, 17], [26, 34]];
export const MARK = '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="3"><path d="M7.500 8.200a4.600 4.600 0 1 1 6.800 4c-1.500.9-2.300 1.700-2.300 3.300"/><path d="M12 20v.1"/></svg>';

export class CardPage {
  /** `ask` is called with a card whose page is wanted; what the server answers to that is for `show`. */
  constructor(pictures, words, ask) {
    Object.assign(this, { pictures, words, ask, offered: null, wanted: null, replay: null, press: null });
    this.drawer = new Drawer(words.close, "card-page");
    this.root = this.drawer.root;
    this.root.addEventListener("close", () => {
      this.#stop();
      this.drawer.fill([]);
    });
    this.button = button("icon mark", () => this.open(this.offered), { "data-act": "about", hidden: true },
      drawing(MARK));
  }

  /** Has the button open the page of a card, {card, name}; there is no button for none. */
  offer(it) {
    this.offered = it || null;
    this.button.hidden = !it;
    if (it) set(this.button, "aria-label", fill(this.words.about, it));
  }

  open({ card, name }) {
    this.#stop();
    this.wanted = card;
    this.drawer.open(name, [make("div", { class: "card-top" }, shownCard(this.pictures, { card, name }))]);
    this.ask(card);
  }

  close() {
    this.drawer.close();
  }

  /** What the server says of the card that was asked for. */
  show(page) {
    if (!this.root.open || page?.card !== this.wanted) return;
    const { words, pictures } = this;
    this.#stop();
    this.replay = page.replay && new Replay(page.replay, pictures, words);
    const name = page.own ? [make("b", {}, page.own), " "] : [];
    this.drawer.fill([
      make("div", { class: "card-top" }, shownCard(pictures, page),
        make("div", {}, make("p", { class: "meaning" }, ...name, page.meaning),
          make("p", { class: "does-now" }, make("b", {}, words.now), " ", page.line))),
      ...(this.replay ? [make("h3", {}, words.replay), this.replay.root] : []),
      ...(page.tiers.length ? [make("h3", {}, words.tiers), this.#tiers(page)] : []),
      make("p", { class: "its-rule" }, ruleTag(words, page.rule.number), " ", page.rule.text),
    ]);
    this.replay?.run();
  }

  /** Hears of long presses and of "?" on the cards that can be pressed in there, while that is `allowed`. */
  listen(root, allowed = () => true) {
    const cardOf = (event) => (allowed() && event.target.closest?.("button.card[data-card]")) || null;
    const letGo = () => this.#letGo();
    root.addEventListener("pointerdown", (event) => this.#press(event, cardOf(event)));
    root.addEventListener("pointermove", (event) => this.#slip(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(end, letGo);
    root.addEventListener("contextmenu", (event) => {
      if (this.touched && cardOf(event)) event.preventDefault();
    });
    root.addEventListener("keydown", (event) => {
      const card = event.key === "?" && cardOf(event);
      if (!card) return;
      event.preventDefault();
      event.stopPropagation();
      this.#openOf(card);
    });
  }

  #tiers({ tiers, tier }) {
    const { words } = this;
    return make("ol", { class: "its-tiers" }, ...tiers.map((line, n) =>
      make("li", { class: n + 1 === tier ? "has" : null, "aria-current": n + 1 === tier },
        make("span", { class: "tier", role: "img", "aria-label": fill(words.tier, { tier: n + 1 }) }, ...pips(n + 1)),
        make("span", {}, line))));
  }

  #openOf(node) {
    const { card } = node.dataset;
    this.open({ card, name: node.querySelector(".name")?.textContent || node.dataset.name || card });
  }

  #press(event, card) {
    this.#letGo();
    this.touched = event.pointerType !== "mouse";
    if (!card || !this.touched || !event.isPrimary) return;
    const { clientX: x, clientY: y } = event;
    this.press = { x, y, timer: setTimeout(() => this.#long(card), LONG) };
  }

  #slip({ clientX, clientY }) {
    if (this.press && Math.hypot(clientX - this.press.x, clientY - this.press.y) > SLIP) this.#letGo();
  }

  #letGo() {
    clearTimeout(this.press?.timer);
    this.press = null;
  }

  #long(card) {
    this.#letGo();
    passOver();
    this.#openOf(card);
  }

  #stop() {
    this.replay?.stop();
    this.replay = null;
  }
}

/** The tap that a long press ends in chooses nothing, and closes nothing. */
function passOver() {
  const listening = new AbortController(), { signal } = listening;
  const over = () => setTimeout(() => listening.abort(), RELEASE);
  for (const end of ["pointerup", "pointercancel", "touchend"]) addEventListener(end, over, { capture: true, signal });
  addEventListener("click", (event) => {
    event.preventDefault();
    event.stopPropagation();
    listening.abort();
  }, { capture: true, signal });
}

/** A tiny battle in three steps: one after the other, again by a tap; or three pictures, where nothing is to move. */
class Replay {
  constructor({ you, rival, steps }, pictures, words) {
    Object.assign(this, { sides: { you, rival }, steps, pictures, words, timer: null });
    const sizes = SIDES.map((key) => pictures.size(this.sides[key].pet));
    this.scale = Math.min(HIGH / Math.max(...sizes.map(([, high]) => high)),
      WIDE / Math.max(...sizes.map(([wide]) => wide)));
    this.moves = !still();
    this.root = this.moves ? this.#oneStage() : this.#allSteps();
  }

  run() {
    if (!this.moves) return;
    clearTimeout(this.timer);
    this.stage.classList.remove("done");
    this.#show(0);
  }

  stop() {
    clearTimeout(this.timer);
  }

  #oneStage() {
    const { words, steps } = this;
    this.scene = make("span", { class: "scene-of" });
    this.line = make("p", { class: "tiny-line", "aria-hidden": "true" });
    this.beads = several(steps.length, () => make("i", {}));
    this.stage = button("tiny", () => this.run(), { "data-act": "replay", "aria-label": words.again }, this.scene,
      make("span", { class: "again" }, drawing(ICONS.play)), make("span", { class: "beads" }, ...this.beads));
    return make("div", { class: "tiny-battle" }, this.stage, this.line,
      make("ol", { class: "hidden-words" }, ...steps.map((step) => make("li", {}, ...this.#told(step)))));
  }

  #allSteps() {
    return make("ol", { class: "tiny-battle stills" }, ...this.steps.map((step, n) =>
      make("li", {}, make("span", { class: "tiny", "aria-hidden": "true" }, this.#picture(step, this.steps[n - 1])),
        make("p", { class: "tiny-line" }, ...this.#told(step)))));
  }

  #show(n) {
    const { steps } = this, step = steps[n];
    this.scene.replaceChildren(this.#picture(step, steps[n - 1]));
    this.line.replaceChildren(...this.#told(step));
    this.beads.forEach((bead, place) => bead.classList.toggle("has", place <= n));
    set(this.stage, "data-step", n + 1);
    const next = n + 1 < steps.length ? () => this.#show(n + 1) : () => this.stage.classList.add("done");
    this.timer = setTimeout(next, STEP * settings.pace);
  }

  #told({ text, rule }) {
    return [text, rule ? " " : "", ruleMark(this.words, rule) || ""];
  }

  #picture(step, before) {
    return make("span", { class: "tiny-scene", "data-kind": step.kind },
      ...SIDES.map((key) => this.#side(key, step, before || step)));
  }

  #side(key, step, before) {
    const side = this.sides[key], health = step.health[key], had = before.health[key], change = health - had;
    const struck = step.kind === "hit" && step.on === key, strikes = step.kind === "hit" && step.side === key;
    const mood = change < 0 ? "hurting" : change > 0 ? "happy" : "";
    const act = strikes ? "lunge" : change < 0 ? "shake" : "";
    const number = change || struck ? make("b", { class: change < 0 ? "ouch" : "ouch gain" }, signed(change)) : null;
    const pet = make("span", { class: `pet ${mood} ${act}` }, health > 0 ? this.pictures.get(side.pet) : heap(), number,
      step.on === key && !struck ? this.#effect(step) : null);
    tint(pet, ["--high", `${(this.pictures.size(side.pet)[1] * this.scale).toFixed(1)}px`]);
    const row = bricks(side.max, health);
    row.forEach((brick, n) => brick.classList.toggle("on", n < health && n >= had));
    return ground(make("span", { class: "tiny-side", "data-side": key },
      make("span", { class: side.max > 5 ? "health small" : "health" }, ...row), pet,
      make("span", { class: "laid" }, chip(this.pictures, step.played[key]))), side.family);
  }

  /** What is upon a pet now: the card it comes from, and a cross where that is stopped or in vain. */
  #effect({ kind, card }) {
    const vain = kind === "stop" || kind === "miss", shown = kind === "wait" ? "blind" : card;
    return make("span", { class: vain ? "effect vain" : "effect" }, chip(this.pictures, shown),
      vain ? drawing(ICONS.cross) : null);
  }
}

/** A beaten pet is a heap of its bricks. */
function heap() {
  return make("span", { class: "heap" }, ...HEAP.map(([x, y], n) =>
    tint(make("i", { class: "hp" }, drawing(BRICK)), ["left", `${x}px`], ["bottom", `${y}px`],
      ["rotate", `${((n * 37) % 21) - 10}deg`])));
}
