import {
  again, BRICK, COIN, download, drawing, Drawer, fill, ICONS, make, mount, paint, PATIENCE, pips, several, set, still,
  tint, toClipboard,
} from "./bricks.js";

/**
 * The board of a battle, for one seat.
 *
 * `render` gets the model: `state` is what this seat may see, `art` and `words` never change. The browser tells what
 * the player did by `send_msg` and sets no property. Every text that comes with the state is put on the page as text;
 * only the pictures, which are the game's own, are markup.
 *
 * From small to large: helpers, cards, `Side` (a pet and its health), `Hand`, `Amount`, `Board`.
 */

const BEAT = 800;              // one countdown digit
const DEAL = 450;              // a card flying into its slot
const FLIP = 1000;             // both cards turning, and a moment to read them
const STORY = 3600;            // all steps together, if they are many
const STEP = [520, 1150];      // the least and the most for one step
const HERE = 4000;             // how often is said that somebody looks at a battle against a friend
const LATE = 3000;             // a reveal that came unseen so long ago is not played any more
const GUARD = 600;             // a second tap on "Lock it in" is no skip, one on "Skip" is no "Next turn"
const MOST_BRICKS = 20;        // more health than this is a brick and a number
const ROOMY = 10;              // up to this, health stands in rows of five

const CONFETTI = ["#49a63b", "#d8321f", "#d93b80", "#2277d4", "#ffc926", "#18a39b", "#f57c1f"];

const BUSY = "input, textarea, select, button, a, [contenteditable]";      // where keys mean something else
const HOURGLASS = [
  [0, 0, 4, "#b0763f"], [40, 0, 2, "#b0763f"], [10, 1, 4, "#eaf4ff"], [20, 2, 2, "#ffc926"],
  [20, 3, 2, "#eaf4ff"], [10, 4, 4, "#ffc926"], [0, 5, 4, "#b0763f"], [40, 5, 2, "#b0763f"],
];
const WAITING = ['<svg viewBox="-1 -6 62 79">',
  ...HOURGLASS.map(([x, row, studs, colour]) => `<use href="#sb-${studs}" x="${x}" y="${row * 12}" fill="${colour}"/>`),
  ...[0, 10, 20, 30, 40, 50].map((x) => `<use href="#sb-st" x="${x}" fill="#b0763f"/>`), "</svg>"].join("");

const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0");
const clamp = (value, [least, most]) => Math.max(least, Math.min(most, value));
const rest = (count, columns) => columns - (count % columns);

const button = (look, onclick, props, ...children) =>
  make("button", { class: look, type: "button", onclick, ...props }, ...children);
const iconButton = (name, label, act, onclick) =>
  button("icon", onclick, { "aria-label": label, "data-act": act }, drawing(ICONS[name]));

/** The pictures of the game by name; one that is missing is an empty place. */
class Pictures {
  constructor(art) {
    this.art = art || {};
  }

  get(name) {
    if (name === "wait") return drawing(WAITING);
    return Object.hasOwn(this.art, name) ? drawing(this.art[name]) : null;
  }

  shapes() {
    return this.art.shapes ? drawing(this.art.shapes) : null;
  }

  size(name) {
    const box = this.get(name)?.getAttribute("viewBox")?.split(" ").map(Number);
    return box ? [box[2], box[3]] : [140, 200];
  }
}

/** What stands on a card: {card, name, now, tier, why, icon, effect, amount}. */
function face(pictures, it) {
  return [
    make("span", { class: "pic" }, pictures.get(it.card)),
    make("span", { class: it.name.length > 9 ? "name long" : "name" }, it.name),
    it.why ? make("span", { class: "why" }, drawing(ICONS[it.icon] || ICONS.clock), make("span", {}, it.why)) : null,
    it.now ? make("span", { class: "now" }, it.now) : null,
    it.tier ? make("span", { class: "tier" }, ...pips(it.tier)) : null,
    it.effect ? paint(make("span", { class: "as" }, pictures.get(it.effect)), it.effect) : null,
    it.amount ? make("span", { class: "now" }, String(it.amount)) : null,
  ];
}

const shownCard = (pictures, it) =>
  paint(make("div", { class: "card", "data-card": it.card }, ...face(pictures, it)), it.card);
const hiddenCard = (pictures, words) => make("div", { class: "card back" },
  make("span", { class: "pic" }, pictures.get("what")), make("span", { class: "hidden-words" }, words.hidden));
const ruleTag = (words, rule) =>
  (rule ? make("span", { class: "rule", role: "img", "aria-label": fill(words.rule, { rule }) }, rule) : null);

/** A sentence and the number of its rule. */
const ruled = (words, { text, rule }) => [text, rule ? " " : null, ruleTag(words, rule)];
const chip = (pictures, card) => paint(make("span", { class: "chip" }, pictures.get(card)), card);

function confetti() {
  const box = make("div", { class: "confetti", "aria-hidden": "true" });
  for (let n = 0; n < 42; n++) {
    const studs = 1 + (n % 3), scale = 0.9 + ((n * 29) % 7) / 9;
    const bricks = several(studs, (i) => `<use href="#sb-st" x="${i * 10}"/>`).join("");
    const piece = drawing(`<svg viewBox="0 -5 ${studs * 10} 17"><use href="#sb-${studs}"/>${bricks}</svg>`);
    tint(piece, ["width", `${studs * 12 * scale}px`], ["height", `${14 * scale}px`], ["left", `${(n * 61) % 100}%`],
      ["fill", CONFETTI[n % 7]], ["--dx", `${((n * 31) % 90) - 45}px`], ["--turn", `${((n * 71) % 900) - 450}deg`],
      ["--rest", `${(n * 37) % 90}cqh`], ["animation-duration", `${2.6 + ((n * 17) % 20) / 10}s`],
      ["animation-delay", `-${((n * 43) % 40) / 10}s`]);
    box.append(piece);
  }
  return box;
}

/** One pet with its plaque, health and statuses. */
class Side {
  constructor(key, pictures, words, tell) {
    Object.assign(this, { key, pictures, words, tell, side: null, now: { health: 0, reserve: 0 } });
    this.name = make("b", {});
    this.who = make("small", {});
    this.presence = make("small", { class: "presence", hidden: true });
    this.count = make("b", { class: "count", "aria-hidden": "true" });
    this.bar = make("div", { class: "health", role: "img" });
    this.tokens = make("div", { class: "tokens" });
    this.pet = make("div", { class: "pet", "aria-hidden": "true" });
    this.root = make("section", { class: "side", "data-side": key },
      make("div", { class: "plaque" },
        make("div", { class: "who" }, make("span", {}, this.name, " ", this.who), this.presence, this.count),
        this.bar),
      this.tokens, this.pet);
  }

  /** Shows the side as the state has it; health and statuses included. */
  show(side) {
    const before = this.side;
    this.side = side;
    this.name.textContent = side.name;
    this.who.textContent = side.who;
    set(this.root, "aria-label", `${side.who}: ${side.name}`);
    if (before?.pet !== side.pet || before?.family !== side.family) this.#place(side);
    if (before?.max !== side.max || before?.reserve_max !== side.reserve_max) this.now = { health: -1, reserve: -1 };
    this.hold(side);
    this.#showTokens(side.statuses || []);
  }

  /** Whether the friend who plays this side is looking; null where nobody is asked that. */
  attend(here) {
    this.presence.hidden = here === null;
    set(this.root, "data-here", here === null ? null : String(here));
    this.presence.textContent = here === null ? "" : here ? this.words.here : this.words.away;
  }

  /** The health and reserve to show now, at once. */
  hold({ health, reserve = 0 }) {
    const same = this.now.health === health && this.now.reserve === reserve;
    this.now = { health, reserve };
    if (!same || !this.bar.childElementCount) {
      this.#drawBar();
      this.#tellCount();
    }
    this.stand(false);
  }

  /** The same, brick by brick. */
  change({ health, reserve = 0 }) {
    const before = this.now, bricks = [...this.bar.querySelectorAll(".hp")];
    if (this.#asNumber() || bricks.length < health + reserve) return this.hold({ health, reserve });
    this.now = { health, reserve };
    const filled = (now) => bricks.map((brick) => (brick.classList.contains("white")
      ? +brick.dataset.place < now.reserve : +brick.dataset.place < now.health));
    const [was, is] = [filled(before), filled(this.now)];
    const lost = bricks.filter((_, n) => was[n] && !is[n]).reverse();
    lost.forEach((brick, n) => this.#toss(brick, n));
    bricks.filter((_, n) => is[n] && !was[n]).forEach((brick) => {
      brick.classList.remove("gone");
      again(brick, "on");
    });
    this.#tellCount();
  }

  mood(name) {
    this.pet.classList.remove("happy", "hurting");
    if (name || this.fallen) this.pet.classList.add(this.fallen ? "hurting" : name);
  }

  act(name) {
    again(this.pet, name);
  }

  ouch(number) {
    this.quiet();
    this.pet.append(make("b", { class: number < 0 ? "ouch" : "ouch gain" }, signed(number)));
  }

  quiet() {
    this.pet.querySelector(".ouch")?.remove();
  }

  build() {
    const svg = this.pet.querySelector("svg");
    if (!svg || still()) return;
    const high = svg.viewBox.baseVal.height;
    for (const piece of this.#pieces(svg)) tint(piece.node, ["--i", Math.round((high - piece.y) * 6 + piece.x * 0.8)]);
    this.pet.classList.add("build");
    setTimeout(() => this.pet.classList.remove("build"), 2600);
  }

  /** A beaten pet falls into a heap of its bricks, the lowest first. */
  crumble(moving) {
    if (this.fallen) return;
    const svg = this.pet.querySelector("svg");
    this.fallen = true;
    this.pet.classList.remove("build", "shake", "lunge", "happy");
    this.pet.classList.add("crumble", "hurting");
    this.pet.classList.toggle("at-once", !moving);
    if (svg) this.#heap(svg);
  }

  /** And can be built again. */
  rise() {
    if (!this.fallen) return;
    this.#place(this.side);
  }

  size() {
    return this.pictures.size(this.side.pet);
  }

  /** The largest scale that the pet has room for. */
  room() {
    const { width, height } = this.pet.getBoundingClientRect(), [wide, high] = this.size();
    return Math.min(width / wide, height / high);
  }

  /** Both pets are drawn at one scale, so their bricks are of one size and an evolved pet is bigger. */
  fit(scale) {
    if (scale > 0) tint(this.pet, ["--high", `${(this.size()[1] * scale).toFixed(1)}px`]);
    this.#fitTokens();
  }

  /** The pet stands, or lies in bricks, as its health says. */
  stand(moving) {
    if (this.now.health > 0) this.rise();
    else this.crumble(moving);
  }

  /** Hides the statuses that find no place behind one button that shows them all. */
  #fitTokens() {
    const all = [...this.tokens.querySelectorAll(".token:not(.more)")];
    const most = Number(getComputedStyle(this.root).getPropertyValue("--fit")) || all.length;
    const show = (shown) => {
      all.forEach((token, n) => { token.hidden = n >= shown; });
      this.more.hidden = shown === all.length;
      this.more.textContent = `+${all.length - shown}`;
    };
    let shown = all.length > most ? most - 1 : all.length;
    show(shown);
    while (shown > 0 && this.#overflows()) show(shown -= 1);
    set(this.more, "aria-label", fill(this.words.statuses_more, { count: all.length - shown }));
  }

  /** Whether a status lies outside the place that there is for them; one that is moved is where it comes to rest. */
  #overflows() {
    const { clientHeight, clientWidth } = this.tokens;
    return [...this.tokens.children].some((token) => !token.hidden && (token.offsetLeft < 0
      || token.offsetLeft + token.offsetWidth > clientWidth || token.offsetTop + token.offsetHeight > clientHeight));
  }

  #asNumber() {
    return this.side.max + Math.max(this.side.reserve_max || 0, this.now.reserve) > MOST_BRICKS;
  }

  #place(side) {
    this.fallen = false;
    this.pet.className = "pet";
    this.pet.replaceChildren(...[this.pictures.get(side.pet)].filter(Boolean));
    tint(this.root, ["--pet", `var(--${side.family})`]);
  }

  #drawBar() {
    const { max, reserve_max = 0 } = this.side, { health, reserve } = this.now;
    const white = Math.max(reserve_max, reserve);
    const brick = (place, has, kind = "") =>
      make("i", { class: `hp ${kind}${has ? "" : " gone"}`, "data-place": place }, drawing(BRICK));
    this.bar.classList.toggle("as-number", this.#asNumber());
    this.bar.classList.toggle("small", !this.#asNumber() && max + white > ROOMY);
    if (this.#asNumber()) {
      this.bar.replaceChildren(brick(0, health > 0), make("span", {}, `${health}/${max}`),
        ...(white ? [brick(0, reserve > 0, "white"), make("span", {}, String(reserve))] : []));
      return;
    }
    this.bar.replaceChildren(
      ...several(Math.max(max, health), (n) => brick(n, n < health)),
      ...several(white, (n) => brick(n, n < reserve, "white")));
  }

  #tellCount() {
    const { health, reserve } = this.now, { max, reserve_max } = this.side;
    const kept = reserve || reserve_max ? `, ${fill(this.words.reserve, { reserve })}` : "";
    this.count.textContent = reserve ? `${health}+${reserve}` : String(health);
    set(this.bar, "aria-label", fill(this.words.health, { health, max }) + kept);
    set(this.bar, "data-health", health);
    set(this.bar, "data-reserve", reserve);
  }

  #toss(brick, n) {
    const away = this.key === "you" ? 1 : -1, flying = drawing(BRICK);
    brick.classList.remove("on");
    brick.classList.add("gone");
    flying.classList.add("fly");
    tint(flying, ["--dx", `${away * (50 + 45 * (n % 6))}px`], ["--dy", `${240 + 30 * (n % 6)}px`],
      ["--turn", `${away * (260 + 120 * (n % 6))}deg`], ["animation-delay", `${Math.min(n, 6) * 90}ms`]);
    brick.append(flying);
    setTimeout(() => flying.remove(), 1500);
  }

  #showTokens(statuses) {
    const told = JSON.stringify(statuses);
    if (told === this.told) return;
    const before = new Set([...this.tokens.children].map((token) => token.dataset.status));
    const quiet = (id) => id.startsWith("waiting") || id.endsWith("used");
    this.told = told;
    const look = (id) => `token${quiet(id) ? " quiet" : ""}${before.size && !before.has(id) ? " new" : ""}`;
    const token = (it) => paint(button(look(it.id), () => this.tell(this, it),
      { "data-status": it.id, "aria-label": it.text }, this.pictures.get(it.card), it.badge || null), it.card);
    this.more = button("token more", () => this.tell(this, null));
    this.tokens.replaceChildren(...statuses.map(token), this.more);
    this.#fitTokens();
  }

  #pieces(svg) {
    return [...svg.querySelectorAll(":scope > g > use, :scope > g[transform] > g")].map((node) => {
      const place = node.tagName === "use" ? [node.getAttribute("x"), node.getAttribute("y")]
        : node.parentNode.getAttribute("transform").match(/[\d.]+/g);
      return { node, x: Number(place[0]) || 0, y: Number(place[1]) || 0, what: node.getAttribute("href") || "" };
    });
  }

  #heap(svg) {
    const { width, height } = svg.viewBox.baseVal, floor = height - 26, heap = new Map();
    this.#pieces(svg).sort((a, b) => b.y - a.y).forEach(({ node, x, y, what }, n) => {
      if (what.endsWith("-st")) {
        node.style.display = "none";
        return;
      }
      const wide = Number(what.match(/\d$/)?.[0]) || 1, to = 14 + x * 0.9 + (((n * 53) % 17) - 8);
      const at = Math.round(to / 22), pile = heap.get(at) || 0, inside = node.tagName === "g";
      heap.set(at, pile + 4.4);
      tint(node, ["--cx", `${inside ? 10 : x + wide * 5}px`], ["--cy", `${inside ? 12 : y + 6}px`],
        ["--dx", `${Math.min(to, width - 20) - x - wide * 2}px`], ["--dy", `${floor - pile - y}px`],
        ["--turn", `${(((n * 67) % 9) - 4) * (n % 3 ? 9 : 24)}deg`],
        ["--i", Math.round((height - y) * 1.4 + (n % 7) * 20)]);
    });
  }
}

/** The cards to choose from: one stop for the Tab key, then arrows. */
class Hand {
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
    const looks = { card: it.card, name: it.name, now: it.now, tier: it.tier, why: it.off?.badge, icon: it.off?.icon };
    const told = JSON.stringify(looks);
    if (place.told !== told) {
      place.replaceChildren(...face(this.pictures, looks).filter(Boolean));
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
    all.forEach((it) => { it.tabIndex = it === here ? 0 : -1; });
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
class Amount {
  constructor(words, choose) {
    Object.assign(this, { words, choose, value: 1, limits: [1, 1] });
    const step = (by, sign, name) =>
      button("brick plain", () => this.#to(this.value + by), { "aria-label": name }, sign);
    this.less = step(-1, "\u2212", words.less);
    this.more = step(1, "+", words.more);
    this.row = make("div", { class: "pay", role: "spinbutton", tabindex: "0", "aria-label": words.amount });
    this.row.addEventListener("keydown", (event) => this.#onKey(event));
    this.root = make("div", { class: "amount", role: "group", "aria-label": words.amount, hidden: true },
      make("b", { class: "question", "aria-hidden": "true" }, words.amount), this.less, this.row, this.more);
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
    set(this.row, "aria-valuetext", fill(this.words.amount_now, { amount: value }));
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

/** The run of one revealed round; every pause of it ends at once when it is skipped. */
class Show {
  constructor() {
    Object.assign(this, { skipped: false, started: performance.now(), wake: null });
    this.unseenSince = document.visibilityState === "hidden" ? Date.now() : null;
  }

  pause(time) {
    if (this.skipped) return Promise.resolve();
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, time);
    });
  }

  skip() {
    this.skipped = true;
    this.wake?.();
  }
}

/** What a side has left after a step. */
const after = (step, { key }) => ({ health: step.health[key], reserve: step.reserve?.[key] ?? 0 });

class Board {
  constructor(model) {
    Object.assign(this, {
      model, words: JSON.parse(model.words), pictures: new Pictures(JSON.parse(model.art)),
      battle: undefined,     // the battle that is shown
      seen: 0,               // the last turn whose reveal was shown
      picked: null,          // a card that is picked and not yet sent
      amount: null,
      pending: null,         // what was sent and not yet answered
      notice: null,          // a sentence that stands in place of the card's meaning
      show: null,            // a reveal that is running
      started: null,         // the turn whose start was told
      friendHere: null,      // whether the friend was there when that was told
      friendTold: "",        // what was told of the friend after the end
    });
    this.#make();
  }

  /** The newest state. While a reveal runs or is being read, it is kept, and shown after it. */
  receive(state) {
    if (!state?.you || !state.rival) return;
    const first = state.battle !== this.battle, before = this.state;
    this.state = state;
    this.#settlePending();
    if (first) this.#enter();
    else if (state.over && !before.over && state.last?.turn === before.last?.turn) this.#endAtOnce();
    else if (!this.show) {
      // While a turn is still being read, a newer one is there only if it was chosen in another tab.
      if (this.phase === "reveal" && !(state.last?.turn > this.seen)) this.#offerNext();
      else this.#proceed();
    }
    this.#attend();
  }

  /** Somebody has left, or nobody came any more: that is told now, whatever is still being shown. */
  #endAtOnce() {
    this.show?.skip();
    this.show = null;
    this.seen = this.state.last?.turn ?? this.seen;
    this.sides().forEach((side) => side.quiet());
    this.#showOver();
  }

  /** Somebody looks at the page again: a reveal that began long ago without being seen is not replayed. */
  catchUp() {
    const since = this.show?.unseenSince;
    if (since && Date.now() - since > LATE) this.show.skip();
  }

  /** A message of the server's that is not kept. */
  hear(message) {
    if (message?.type === "refused") this.#refused(message);
    else if (message?.type === "log") this.#showLog(message.rounds || []);
    else if (message?.type === "record") download(message);
  }

  onKey(event) {
    const target = event.composedPath()[0], inside = target instanceof Element && this.root.contains(target);
    const elsewhere = target instanceof Element && !inside && target.closest(BUSY);
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || modified || elsewhere || this.#drawerOpen()) return;
    const onGo = target === this.go, enters = event.key === "Enter" || event.key === " ";
    if (enters && event.repeat && onGo) event.preventDefault();
    else if (this.show && (enters || event.key === "Escape") && !(inside && target.closest(".top"))) {
      event.preventDefault();
      this.#skip();
    } else if (event.key === "Enter" && target.dataset?.card === this.picked && this.picked && this.goAction === "lock") {
      event.preventDefault();               // Enter on the card that is picked locks it in
      if (!event.repeat) this.#lock();
    } else if (/^\d$/.test(event.key)) this.#pickByNumber((Number(event.key) + 9) % 10);
  }

  fit() {
    if (!this.battle) return;
    const scale = Math.min(...this.sides().map((side) => side.room()));
    for (const side of this.sides()) side.fit(scale);
    this.#hintAtMore();
  }

  /** Where the story is longer than its place it fades out, and the keyboard can move it. */
  #hintAtMore() {
    const { scrollTop, scrollHeight, clientHeight } = this.story;
    set(this.story, "tabindex", scrollHeight > clientHeight + 1 ? "0" : null);
    this.story.classList.toggle("more-above", scrollTop > 4);
    this.story.classList.toggle("more-below", scrollTop + clientHeight < scrollHeight - 4);
  }

  sides() {
    return [this.you, this.rival];
  }

  // What the board is made of.

  #make() {
    const { words, pictures } = this;
    const tell = (side, status) => this.#tellStatus(side, status);
    this.you = new Side("you", pictures, words, tell);
    this.rival = new Side("rival", pictures, words, tell);
    this.hand = new Hand(pictures, words, (card) => this.#pick(card));
    this.chooser = new Amount(words, (amount) => this.#pay(amount));
    this.turn = make("h2", { class: "turn" });
    const slot = (key) => make("div", { class: "slot", "data-slot": key });
    this.slots = { you: slot("you"), rival: slot("rival") };
    this.big = make("div", { class: "big", "aria-hidden": "true", hidden: true });
    this.arena = make("div", { class: "arena" },
      make("div", { class: "sides" }, this.you.root, this.rival.root),
      make("div", { class: "table" }, this.slots.you, this.slots.rival), this.big);
    this.say = make("p", { class: "say" });
    this.story = make("ol", { class: "story", "aria-label": words.story, hidden: true,
      onscroll: () => this.#hintAtMore() });
    this.prize = make("div", { class: "prize", hidden: true });
    this.go = button("brick go", () => this.#act());
    this.others = [
      button("brick plain other", () => this.#send({ type: "record" }), { "data-act": "record" }, words.record),
      button("brick plain other", () => this.#askLog(), { "data-act": "log" }, words.log),
      button("brick plain other", () => this.#goHome(), { "data-act": "home" }, words.home),
    ];
    this.hand.root.append(this.go, ...this.others);
    this.panel = make("section", { class: "hand" }, this.say, this.story, this.prize, this.hand.root);
    this.polite = make("div", { class: "hidden-words", "aria-live": "polite" });
    this.alert = make("div", { class: "hidden-words", "aria-live": "assertive" });
    this.door = iconButton("door", words.leave, "leave", () => this.#useDoor());
    const log = iconButton("log", words.log, "log", () => this.#askLog());
    this.screen = make("div", { class: "screen" },
      make("header", { class: "top" }, this.door, this.turn, log), this.arena, this.chooser.root, this.panel);
    this.screen.addEventListener("click", (event) => this.#onTap(event), true);
    this.log = new Drawer(words.close, "log");
    this.asking = new Drawer(words.close, "ask");
    this.facts = new Drawer(words.close, "facts");
    this.root = make("div", { class: this.model.embedded ? "frame embedded" : "frame" }, pictures.shapes(), this.screen, this.polite, this.alert,
      this.log.root, this.asking.root, this.facts.root);
  }

  // From state to screen.

  /** The first sight of a battle: where it stands, with nothing replayed. */
  #enter() {
    const { state } = this;
    if (this.show) this.show.skip();
    Object.assign(this, { battle: state.battle, seen: state.last?.turn ?? 0 });
    Object.assign(this, { show: null, picked: null, amount: null, notice: null, started: null, pending: null });
    for (const drawer of [this.log, this.asking, this.facts]) drawer.close();
    this.#phase("choosing");
    this.#showSides();
    this.#divide();
    this.#slot("you", null);
    this.#slot("rival", null);
    this.#proceed();
    if (!state.last && !state.over && state.turn === 1) this.sides().forEach((side) => side.build());
  }

  #proceed() {
    const { last, over } = this.state;
    if (last && last.turn > this.seen) this.#play(last);
    else if (over) this.#showOver();
    else this.#showChoice();
  }

  #phase(name) {
    this.phase = name;
    set(this.screen, "data-phase", name);
    this.story.hidden = name !== "reveal";
    this.prize.hidden = name !== "over";
    this.say.hidden = name === "reveal" || name === "over";
    this.hand.root.classList.toggle("solo", name === "reveal" || name === "over");
    // Where there is a way back it stands beside the download, and the log is found at the top as ever.
    const without = this.state?.home ? "log" : "home";
    this.others.forEach((button) => { button.hidden = name !== "over" || button.dataset.act === without; });
    const back = Boolean(this.state?.over || this.state?.watch);
    set(this.door, "aria-label", back ? this.words.home : this.words.leave);
    this.door.classList.toggle("away", back && !this.state?.home);
    set(this.panel, "aria-label", name === "reveal" ? this.words.story : this.words.hand);
  }

  #title(turn) {
    this.turn.textContent = fill(this.words.turn, { turn });
    set(this.screen, "data-turn", turn);
  }

  #showSides() {
    for (const side of this.sides()) {
      side.show(this.state[side.key]);
      side.quiet();
    }
  }

  /** The two halves of the arena: as wide as the pets in them, within reason, in the colours of their families. */
  #divide() {
    const [[wide], [wideToo]] = this.sides().map((side) => side.size());
    const [a, b] = this.sides().map((side) => side.side.family);
    const share = clamp((wide / (wide + wideToo)) * 100, [40, 60]);
    this.arena.classList.toggle("twins", a === b);
    tint(this.arena, ["--split", `${share.toFixed(1)}%`],
      ["--sky-a", `var(--${a}-sky)`], ["--ground-a", `var(--${a}-ground)`],
      ["--sky-b", `var(--${b}-sky)`], ["--ground-b", `var(--${b}-ground)`]);
  }

  /** Whether the friend is there, which is told when it changes. */
  #attend() {
    const { words } = this, here = this.state.friend?.here ?? null, before = this.friendHere;
    this.friendHere = here;
    this.rival.attend(here);
    if (here === null || before === null || here === before || this.state.over || this.show) return;
    this.#announce([here ? words.friend_back : words.friend_away]);
  }

  #showChoice() {
    const { state, words } = this, { locked, wait } = state, sending = this.pending?.type === "lock";
    const committed = locked || (sending ? this.pending : null);
    if (this.phase === "reveal" || this.phase === "over" || this.phase === "countdown") this.notice = null;
    if (this.chosenFor !== state.turn) Object.assign(this, { picked: null, amount: null, notice: null });
    this.chosenFor = state.turn;
    if (locked) Object.assign(this, { picked: locked.card, amount: locked.amount });
    this.#checkPick();
    this.#phase(locked ? "locked" : "choosing");
    delete this.screen.dataset.result;
    this.#big(null);
    this.#title(state.turn);
    this.#showSides();
    this.sides().forEach((side) => side.mood(null));
    const [mine, theirs] = state.watch ? ["", ""] : [words.your_slot, words.rival_slot];
    this.#slot("you", committed ? "hidden" : mine, Boolean(committed));
    this.#slot("rival", state.rival_ready ? "hidden" : theirs, state.rival_ready);
    this.hand.show(state.hand, this.picked, Boolean(wait));
    this.panel.classList.toggle("dim", Boolean(committed));
    const limits = committed ? null : this.#limits();
    this.chooser.show(limits, this.amount, state.you);
    this.screen.classList.toggle("paying", Boolean(limits));
    this.#showSay(committed);
    this.#showGo(committed);
    this.#tellStart();
  }

  /** A pick that is not possible any more is dropped, and an amount kept within its limits. */
  #checkPick() {
    const it = this.#card(this.picked);
    if (!this.state.locked && (!it || it.off || this.state.wait)) this.picked = null;
    const limits = this.#limits();
    if (!this.state.locked) this.amount = limits ? clamp(this.amount ?? limits[0], limits) : null;
  }

  #card(name) {
    return this.state.hand.find((it) => it.card === name);
  }

  #limits() {
    return this.#card(this.picked)?.amounts || null;
  }

  #showSay(committed) {
    const { state, words } = this, it = this.#card(this.picked);
    if (this.notice) this.#sayLine(this.notice.title, this.notice.text, this.notice.rule, this.notice.bad);
    else if (state.watch) this.#sayLine(null, state.watch.text);
    else if (committed) this.#sayLine(`${words.locked}.`, this.#whatOther());
    else if (state.wait) this.#sayLine(null, state.wait.text, state.wait.rule);
    else if (it) this.#sayLine(`${it.name}.`, it.line, it.rule);
    else this.#sayLine(null, this.#isAway() ? words.friend_away : words.pick);
  }

  #isAway() {
    const { friend, rival_ready: ready } = this.state;
    return Boolean(friend) && !friend.here && !ready;
  }

  /** What the other side does, for who has chosen. */
  #whatOther() {
    const { state, words } = this;
    if (this.#isAway()) return words.friend_away;
    if (state.friend) return state.rival_ready ? words.locked_both_friend : words.locked_friend;
    return state.rival_ready ? words.locked_both : words.locked_rival;
  }

  #sayLine(title, text, rule = null, bad = false) {
    const line = make("span", {}, ...(title ? [make("b", {}, title), " "] : []), ...ruled(this.words, { text, rule }));
    this.say.classList.toggle("bad", bad);
    this.say.replaceChildren(line);
  }

  #showGo(committed) {
    const { state, words } = this, busy = this.pending?.turn === state.turn;
    if (state.watch) this.#setGo(state.watch.more ? words.watch : words.home, state.watch.more ? "watch" : "home");
    else if (committed && busy) this.#setGo(this.pending.type === "lock" ? words.locking : words.swapping, null);
    else if (committed && state.take_back) this.#setGo(words.swap, "swap", true);
    else if (committed) this.#setGo(words.locked, null);
    else if (state.wait) this.#setGo(words.wait, "lock");
    else if (this.picked) this.#setGo(words.lock, "lock");
    else this.#setGo(words.pick_go, null);
  }

  #setGo(text, action, plain = false) {
    if (this.go.textContent !== text) this.go.textContent = text;
    this.goAction = action;
    set(this.go, "data-go", action || "none");
    set(this.go, "aria-disabled", !action);
    this.go.classList.toggle("plain", plain);
  }

  /** A card's place on the table: null for empty, "hidden" for a card face down, a node, or words. */
  #slot(side, what, ready = false) {
    const slot = this.slots[side], told = what instanceof Node ? null : `${what}/${ready}`;
    if (told !== null && slot.told === told) return false;
    slot.told = told;
    if (what === null) slot.replaceChildren();
    else if (what === "hidden") {
      const card = hiddenCard(this.pictures, this.words);
      card.classList.add("locking");
      card.addEventListener("animationend", () => card.classList.remove("locking"), { once: true });
      slot.replaceChildren(card, make("b", { class: "said" }, side === "rival" ? this.words.ready : this.words.locked));
    } else slot.replaceChildren(what);
    return true;
  }

  #tellStart() {
    const { state, words } = this;
    if (this.started === state.turn) return;
    this.started = state.turn;
    this.#announce([state.wait ? `${fill(words.turn, state)}. ${state.wait.text}` : fill(words.start, state)]);
  }

  #announce(sentences) {
    this.polite.textContent = sentences.filter(Boolean).join(" ");
  }

  // What the player does.

  #act() {
    const actions = {
      lock: () => this.#lock(), swap: () => this.#takeBack(), next: () => this.#next(), result: () => this.#next(),
      skip: () => this.#skip(), again: () => this.#again("again"), rematch: () => this.#again("rematch"),
      watch: () => this.#watch(), home: () => this.#goHome(),
    };
    actions[this.goAction]?.();
  }

  #pickByNumber(index) {
    const it = this.hand.at(index);
    if (!it || (this.phase !== "choosing" && this.phase !== "locked")) return;
    this.hand.buttons.get(it.card).focus({ preventScroll: true });
    this.#pick(it.card);
  }

  #pick(name) {
    const { state, words } = this, it = this.#card(name);
    if (!it || this.show || (this.phase !== "choosing" && this.phase !== "locked")) return;
    if (it.off) this.notice = { title: `${it.name}.`, text: it.off.text, rule: it.off.rule };
    else if (state.wait) this.notice = { title: words.off, text: state.wait.text, rule: state.wait.rule };
    else if (state.locked || this.pending?.type === "lock") {
      this.notice = { title: `${it.name}.`, text: it.line, rule: it.rule };
    } else {
      if (this.picked !== name) this.amount = null;
      Object.assign(this, { picked: name, notice: null });
    }
    this.#showChoice();
  }

  #pay(amount) {
    if (this.phase !== "choosing" || !this.#limits()) return;
    this.amount = amount;
    this.#showChoice();
  }

  #lock() {
    const { state } = this;
    if (this.phase !== "choosing" || this.pending || this.show) return;
    const card = state.wait ? "wait" : this.picked;
    if (!card) return;
    const from = (this.hand.buttons.get(card) || this.go).getBoundingClientRect();
    const to = this.slots.you.getBoundingClientRect();
    tint(this.slots.you, ["--from-x", `${from.x - to.x}px`], ["--from-y", `${from.y - to.y}px`]);
    this.notice = null;
    this.#send({ type: "lock", turn: state.turn, card, amount: state.wait ? null : this.amount });
    this.#showChoice();
  }

  #takeBack() {
    if (this.pending || !this.state.locked || !this.state.take_back) return;
    this.notice = null;
    this.#send({ type: "take_back", turn: this.state.turn });
    this.#showChoice();
  }

  #next() {
    if (this.phase !== "reveal" || this.show) return;
    this.#proceed();
    if (this.phase !== "choosing") return;
    if (this.state.watch?.more) this.#watch();
    else if (!this.state.wait && this.#hasFocus()) this.hand.focus();
  }

  /** The next turn of a battle that was played before. */
  #watch() {
    if (this.pending || this.show) return;
    this.#send({ type: "next", turn: this.state.turn });
  }

  /** The door leaves a battle, which is asked first, and is the way back from one that is over or only watched. */
  #useDoor() {
    if (this.state.watch || (this.state.over && this.state.home)) this.#goHome();
    else if (!this.state.over) this.#askLeave();
  }

  #goHome() {
    this.#send({ type: "home" });
  }

  #again(type) {
    if (this.pending) return;
    this.notice = null;
    this.#send({ type });
    this.#setGo(this.words.starting, null);
  }

  #send(message) {
    this.model.send_msg(message);
    if (!["lock", "take_back", "again", "rematch", "next"].includes(message.type)) return;
    this.pending = message;
    setTimeout(() => this.#giveUp(message), PATIENCE);
  }

  #giveUp(pending) {
    if (this.pending !== pending) return;
    this.pending = null;
    this.#redraw();
  }

  #redraw() {
    if (this.show) return;
    if (this.phase === "over") this.#showOver();
    else if (this.phase === "choosing" || this.phase === "locked") this.#showChoice();
  }

  #settlePending() {
    const { pending, state } = this;
    if (!pending) return;
    const done = { lock: state.locked, take_back: !state.locked, rematch: state.friend?.wish }[pending.type];
    if (done || (pending.turn && pending.turn !== state.turn)) this.pending = null;
  }

  #refused({ text, rule }) {
    this.pending = null;
    this.notice = { title: null, text, rule, bad: true, atEnd: Boolean(this.show) || this.phase === "over" };
    this.alert.textContent = "";
    this.alert.textContent = text;
    if (this.phase === "choosing" || this.phase === "locked") this.#redraw();
    else if (!this.show && this.phase === "over") this.#showOver();
  }

  #onTap(event) {
    if (!this.show || event.target.closest(".top, .token")) return;
    event.stopPropagation();
    event.preventDefault();
    this.#skip();
  }

  #skip() {
    if (this.show && performance.now() - this.show.started > GUARD) this.show.skip();
  }

  #hasFocus() {
    const active = this.root.getRootNode().activeElement;
    return active ? this.root.contains(active) : !document.activeElement || document.activeElement === document.body;
  }

  // A reveal.

  async #play(round) {
    const show = new Show(), { words } = this, here = () => this.show === show;
    this.show = show;
    this.#startCountdown(round);
    await show.pause(DEAL);
    for (const digit of ["three", "two", "one"]) {
      if (!here()) return;
      if (!show.skipped) this.#big(digit, "digit");
      await show.pause(BEAT);
      if (here() && !show.skipped) this.#setGo(words.skip, "skip", true);
    }
    if (!here()) return;
    this.#startReveal(round);
    await show.pause(FLIP);
    const each = clamp(STORY / Math.max(1, round.steps.length), STEP);
    for (const step of round.steps) {
      if (!here()) return;
      this.#showStep(step, round, show.skipped);
      await show.pause(each);
    }
    if (here()) this.#endReveal(round, show);
  }

  #startCountdown(round) {
    const { words } = this;
    Object.assign(this, { notice: null, round });
    this.#phase("countdown");
    this.#title(round.turn);
    this.chooser.show(null);
    this.screen.classList.remove("paying");
    for (const side of this.sides()) {
      side.hold(round.before[side.key]);
      this.#slot(side.key, "hidden", true);
    }
    this.hand.show(this.hand.list, round.you.card, false);      // still that turn's hand, not the next one's
    this.panel.classList.add("dim");
    this.#sayLine(words.both, "");
    this.#setGo(words.ready_go, null);
  }

  #startReveal(round) {
    const { words } = this;
    this.#big(null);
    this.#phase("reveal");
    this.story.replaceChildren();
    this.panel.classList.remove("dim");
    for (const side of this.sides()) {
      const it = round[side.key], other = it.effect && it.effect !== it.card ? it.effect : null;
      const card = shownCard(this.pictures, { card: it.card, name: it.name, amount: it.amount, effect: other });
      card.classList.add("flip");
      this.#slot(side.key, card);
    }
    this.#setGo(words.skip, "skip", true);
    const played = this.sides().map((side) => fill(words.played, { who: side.side.who, name: round[side.key].name }));
    this.#announce([...played, ...round.steps.map((step) => step.text)]);
  }

  #showStep(step, round, atOnce) {
    const on = this[step.on] || this[step.side], from = this[step.side] || on, hurt = step.number < 0;
    this.#tellStep(step);
    for (const side of this.sides()) {
      if (atOnce) side.hold(after(step, side));
      else side.change(after(step, side));
    }
    if (atOnce) return;
    again(this.slots[from.key], "pulse");
    this.sides().forEach((side) => side.quiet());
    if (step.number) on.ouch(step.number);
    if (step.kind === "hit" && from !== on) from.act("lunge");
    if (hurt) {
      on.act("shake");
      on.mood("hurting");
    } else if (step.number > 0) on.mood("happy");
    if (step.kind === "knockout") on.crumble(true);
    if (step.kind === "return") {
      on.rise();
      on.build();
    }
  }

  #tellStep(step) {
    const { number } = step, kind = number < 0 ? "n bad" : number > 0 ? "n good" : "n";
    this.story.append(make("li", { "data-kind": step.kind, "data-on": step.on },
      chip(this.pictures, step.card), make("span", {}, ...ruled(this.words, step)),
      Number.isInteger(number) ? make("b", { class: kind }, signed(number)) : null));
    this.story.scrollTop = this.story.scrollHeight;
  }

  #endReveal(round, show) {
    const last = round.steps.at(-1);
    this.seen = round.turn;
    this.show = null;
    this.sides().forEach((side) => side.stand(!show.skipped));
    if (this.state.last?.turn === round.turn) this.#showSides();
    else if (last) this.sides().forEach((side) => side.hold(after(last, side)));
    for (const side of this.sides()) {
      side.quiet();
      side.mood(null);
    }
    this.fit();
    this.#offerNext(show.skipped);
    if (this.#hasFocus()) this.go.focus({ preventScroll: true });
  }

  #offerNext(guarded = false) {
    const { state, words } = this, ends = state.over && !(state.last?.turn > this.seen);
    const offer = () => this.#setGo(ends ? words.result : words.next, ends ? "result" : "next");
    offer();
    if (!guarded) return;
    set(this.go, "aria-disabled", true);
    this.go.classList.add("soon");
    this.goAction = null;
    setTimeout(() => {
      this.go.classList.remove("soon");
      if (this.phase === "reveal" && !this.show) this.#offerNext();
    }, GUARD / 2);
  }

  /** A brick word or digit over the arena, or none. */
  #big(name, kind = "word") {
    this.arena.querySelector(".confetti")?.remove();
    this.big.hidden = !name;
    this.big.className = `big ${kind}s`;
    this.big.replaceChildren(...(name ? [make("div", { class: kind }, this.pictures.get(name))] : []));
  }

  // The end.

  #showOver() {
    const { state, words } = this, { result, title, text, gold } = state.over, first = this.phase !== "over";
    this.#phase("over");
    set(this.screen, "data-result", result);
    this.#title(state.last?.turn ?? state.turn);
    this.#showSides();
    this.chooser.show(null);
    this.screen.classList.remove("paying");
    this.panel.classList.remove("dim");
    this.hand.show(state.hand, null, false);
    this.#slot("you", null);
    this.#slot("rival", null);
    const winner = { win: this.you, loss: this.rival }[result];
    this.sides().forEach((side) => side.mood(side === winner ? "happy" : null));
    if (first) {
      this.#big({ win: "you-win", draw: "draw" }[result] || null);
      if (result === "win") this.arena.append(confetti());
      if (winner) winner.act("cheer");
      this.#announce([title, text]);
    }
    const coins = () => make("p", { class: "gold" }, drawing(COIN), fill(words.gold, { gold: signed(gold) }));
    this.prize.replaceChildren(
      make("h2", {}, title), ...(text ? [make("p", {}, text)] : []), ...(gold ? [coins()] : []),
      ...(this.notice?.atEnd ? [make("p", { class: "bad" }, ...ruled(words, this.notice))] : []));
    if (["again", "rematch"].includes(this.pending?.type)) this.#setGo(words.starting, null);
    else if (state.friend) this.#offerRematch(state.friend);
    else this.#setGo(state.watch ? words.home : words.again, state.watch ? "home" : "again");
    if (first && this.#hasFocus()) this.go.focus({ preventScroll: true });
  }

  /** Another battle against the same friend, once both want it. */
  #offerRematch({ here, wants, wish }) {
    const { words } = this, gone = !here && !wants, told = gone ? words.friend_left : wants ? words.rematch_wanted : "";
    if (gone) this.#setGo(words.home, "home");
    else if (wish) this.#setGo(words.rematch_wait, null);
    else this.#setGo(words.rematch, "rematch");
    if (gone || (wants && !wish)) this.prize.append(make("p", { class: "wanted" }, told));
    if (told && told !== this.friendTold) this.#announce([told]);
    this.friendTold = told;
  }

  // Drawers.

  #drawerOpen() {
    return [this.log, this.asking, this.facts].some((drawer) => drawer.root.open);
  }

  #tellStatus(side, status) {
    const { words } = this;
    if (status && !this.show && (this.phase === "choosing" || this.phase === "locked")) {
      this.notice = { title: null, text: status.text, rule: status.rule };
      this.#showChoice();
      return;
    }
    const lines = (status ? [status] : side.side.statuses).map((it) => make("li", {}, chip(this.pictures, it.card),
      make("span", {}, ...ruled(words, it))));
    this.facts.open(fill(words.statuses, side.side), [make("ul", { class: "story" }, ...lines)]);
  }

  #askLog() {
    this.log.open(this.words.log, [make("p", {}, this.words.log_loading)]);
    this.#send({ type: "log" });
  }

  #showLog(rounds) {
    if (!this.log.root.open) return;
    const { words } = this;
    if (!rounds.length) {
      this.log.fill([make("p", {}, words.log_empty)]);
      return;
    }
    const copy = button("brick plain", () => this.#copy(rounds, copy), { "data-act": "copy" }, words.copy);
    const lines = (round) => round.lines.map((line) => make("li", {}, ...ruled(words, line)));
    this.log.fill(rounds.flatMap((round) =>
      [make("h3", {}, fill(words.turn, round)), make("p", { class: "played" }, round.played),
        make("ul", { class: "lines" }, ...lines(round))]), [copy]);
    this.log.body.scrollTop = this.log.body.scrollHeight;
  }

  async #copy(rounds, button) {
    const text = rounds.map((round) => [`${fill(this.words.turn, round)}: ${round.played}`,
      ...round.lines.map((line) => (line.rule ? `${line.text} (${line.rule})` : line.text))].join("\n")).join("\n\n");
    await toClipboard(text, this.log.foot);
    button.focus();
    button.textContent = this.words.copied;
    setTimeout(() => { button.textContent = this.words.copy; }, 1600);
  }

  #askLeave() {
    const { words, state } = this;
    const close = () => this.asking.close();
    const go = () => {
      close();
      this.#send({ type: "leave" });
    };
    const late = state.friend ? words.leave_late_friend : words.leave_late;
    const text = state.last ? late : words.leave_early;
    const buttons = [button("brick plain", close, {}, words.leave_no),
      button("brick warn", go, { "data-act": "leave-now" }, words.leave_yes)];
    this.asking.open(words.leave_ask, [make("p", {}, ...ruled(words, { text, rule: words.leave_rule }))], buttons);
  }
}

/** Keys are heard on the whole page when the board is the page, else only inside it. */
function listen(board, place) {
  const onKey = (event) => {
    if (board.root.isConnected) {
      if (board.root.checkVisibility()) board.onKey(event);
    } else place.removeEventListener("keydown", onKey);
  };
  place.addEventListener("keydown", onKey);
}

/**
 * Says while a battle against a friend is looked at, so that the friend can see it, and asks whether anything was missed.
 * Gives what ends that.
 */
function sayWhoIsHere(board, model) {
  const listening = new AbortController(), { signal } = listening;
  const visible = () => document.visibilityState === "visible";
  const say = (here) => {
    const asked = Boolean(board.state?.friend) && board.root.checkVisibility();
    if (asked) model.send_msg({ type: "here", here });
    return asked;
  };
  const beat = setInterval(() => {
    if (!visible() || !say(true)) return;
    board.feel();
  }, HERE);
  document.addEventListener("visibilitychange", () => {
    say(visible());
    if (visible()) board.catchUp();
  }, { signal });
  addEventListener("pagehide", () => say(false), { signal });
  return () => {
    clearInterval(beat);
    listening.abort();
  };
}

export async function render(context) {
  const { model } = context;
  const board = await mount(context, () => new Board(model));
  listen(board, model.embedded ? board.root : document);
  model.on("remove", sayWhoIsHere(board, model));
  const sizes = new ResizeObserver(() => board.fit());
  [board.root, ...board.sides().map((side) => side.pet)].forEach((node) => sizes.observe(node));
}
