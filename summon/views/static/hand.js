import { BRICK, button, clamp, drawing, fill, ICONS, make, paint, ROOMY, several, set, tint } from "./bricks.js";
import { face } from "./cards.js";

/** The key that picks a card of the first ten. */
const hint = (n) => (n < 10 ? [make("kbd", { class: "key", "aria-hidden": "true" }, String((n + 1) % 10))] : []);

const rest = (count, columns) => columns - (count % columns);

/** The cards to choose from: one stop for the Tab key, then arrows. */
export class Hand {
  constructor(pictures, words, pick) {
    Object.assign(this, { pictures, words, pick, buttons: new Map(), list: [] });
    this.root = make("div", { class: "cards", role: "group", "aria-label": words.hand });
    this.root.addEventListener("keydown", (event) => this.#onKey(event));
  }

  show(list, picked, allOff) {
    const wanted = list.map((it) => it.card);
    this.list = list;
    for (const [card, button] of this.buttons) {
      if (!wanted.includes(card)) {
        button.remove();
        this.buttons.delete(card);
      }
    }
    const inOrder = [...this.buttons.keys()].join() === wanted.join();
    list.forEach((it, n) => this.#showCard(it, n, picked === it.card, allOff));
    if (!inOrder) {
      this.buttons = new Map(wanted.map((card) => [card, this.buttons.get(card)]));
      this.root.prepend(...this.buttons.values());
    }
    const places = { "--rest3": 3, "--rest4": 4, "--rest6": 6 };
    tint(this.root, ...Object.entries(places).map(([name, columns]) => [name, rest(list.length, columns)]));
    this.root.classList.toggle("few", list.length <= 3);
    this.#rove(picked);
  }

  focus() {
    const all = [...this.buttons.values()];
    const best = all.find((it) => it.getAttribute("aria-pressed") === "true")
      || all.find((it) => !it.hasAttribute("aria-disabled")) || all[0];
    best?.focus({ preventScroll: true });
  }

  at(index) {
    return this.list[index];
  }

  #showCard(it, n, pressed, allOff) {
    const { words } = this;
    let place = this.buttons.get(it.card);
    if (!place) {
      place = paint(button("card", () => this.pick(it.card), { "data-card": it.card }), it.card);
      this.buttons.set(it.card, place);
    }
    const looks = { n, card: it.card, name: it.name, now: it.now, tier: it.tier, why: it.off?.badge, icon: it.off?.icon };
    const told = JSON.stringify(looks);
    if (place.told !== told) {
      place.replaceChildren(...face(this.pictures, looks).filter(Boolean), ...hint(n));
      place.told = told;
    }
    set(place, "aria-pressed", String(pressed));
    set(place, "aria-disabled", Boolean(it.off || allOff));
    set(place, "aria-keyshortcuts", n < 10 ? String((n + 1) % 10) : null);
    set(place, "aria-label", [`${it.name}.`, it.line, it.tier ? fill(words.tier, { tier: it.tier }) : null,
      it.off ? `${words.off} ${it.off.text}` : null].filter(Boolean).join(" "));
  }

  /** Only one card can be reached by Tab: the focused one, else the picked one, else the first. */
  #rove(picked) {
    const all = [...this.buttons.values()], focused = this.root.getRootNode().activeElement;
    const here = all.includes(focused) ? focused : this.buttons.get(picked) || all[0];
    // Only what changes: to set it for what has the focus makes the browser lay out the page at once.
    all.forEach((it) => set(it, "tabindex", it === here ? "0" : "-1"));
  }

  #onKey(event) {
    const all = [...this.buttons.values()], n = all.indexOf(event.target);
    if (n < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const columns = all.filter((it) => Math.abs(it.offsetTop - all[0].offsetTop) < it.offsetHeight / 2).length;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const to = { Home: 0, End: all.length - 1 }[event.key] ?? (by && n + by);
    if (to === undefined) return;
    event.preventDefault();
    if (!all[to]) return;
    all.forEach((it, i) => { it.tabIndex = i === to ? 0 : -1; });
    all[to].focus();
  }
}

/** How much health to pay: less, a row of bricks, more. */
export class Amount {
  constructor(words, choose) {
    Object.assign(this, { words, choose, value: 1, limits: [1, 1] });
    const step = (by, sign, name) =>
      button("brick plain", () => this.#to(this.value + by), { "aria-label": name }, sign);
    this.less = step(-1, "\u2212", words.less);
    this.more = step(1, "+", words.more);
    this.row = make("div", { class: "pay", role: "spinbutton", tabindex: "0", "aria-label": words.amount });
    this.row.addEventListener("keydown", (event) => this.#onKey(event));
    this.falls = make("p", { class: "falls", hidden: true });
    this.root = make("div", { class: "amount", role: "group", "aria-label": words.amount, hidden: true },
      make("b", { class: "question", "aria-hidden": "true" }, words.amount), this.less, this.row, this.more, this.falls);
  }

  show(limits, value, side) {
    const hidden = !limits;
    if (this.root.hidden !== hidden) this.root.hidden = hidden;
    if (hidden) return;
    Object.assign(this, { limits, value });
    tint(this.root, ["--pet", `var(--${side.family})`]);
    const few = limits[1] <= ROOMY;
    const bricks = several(few ? limits[1] : 1, (n) =>
      make("i", { class: n < value ? "hp" : "hp gone", onclick: () => few && this.#to(n + 1) }, drawing(BRICK)));
    this.row.classList.toggle("one", !few);
    tint(this.row, ["--bricks", Math.min(5, limits[1])]);
    this.row.replaceChildren(make("span", { class: "bricks" }, ...bricks), make("b", {}, String(value)));
    set(this.row, "aria-valuenow", value);
    set(this.row, "aria-valuemin", limits[0]);
    set(this.row, "aria-valuemax", limits[1]);
    const now = fill(this.words.amount_now, { amount: value }), all = fill(this.words.amount_all, side);
    this.falls.hidden = value < side.health;
    this.falls.replaceChildren(drawing(ICONS.warn), make("span", {}, all));
    set(this.row, "aria-valuetext", this.falls.hidden ? now : `${now}. ${all}`);
    set(this.less, "aria-disabled", value <= limits[0]);
    set(this.more, "aria-disabled", value >= limits[1]);
  }

  #to(value) {
    this.choose(clamp(value, this.limits));
  }

  #onKey(event) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5 }[event.key];
    const to = { Home: this.limits[0], End: this.limits[1] }[event.key] ?? (by && this.value + by);
    if (to === undefined) return;
    event.preventDefault();
    this.#to(to);
  }
}
