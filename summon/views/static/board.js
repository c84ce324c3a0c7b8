/**
 * The board of a battle, for one seat.
 *
 * `render` gets the model: `state` is what this seat may see, `art` and `words` never change. The browser tells what
 * the player did by `send_msg` and sets no property. Every text that comes with the state is put on the page as text;
 * only the pictures, which are the game's own, are markup.
 *
 * From small to large: helpers, cards, `Side` (a pet and its health), `Hand`, `Amount`, `Drawer`, `Board`.
 */

const BEAT = 800;              // one countdown digit
const DEAL = 450;              // a card flying into its slot
const FLIP = 1000;             // both cards turning, and a moment to read them
const STORY = 3600;            // all steps together, if they are many
const STEP = [520, 1150];      // the least and the most for one step
const GUARD = 600;             // a second tap on "Lock it in" is no skip, one on "Skip" is no "Next turn"
const PATIENCE = 15000;        // a message without an answer: the button may be pressed again
const MOST_BRICKS = 20;        // more health than this is a brick and a number
const ROOMY = 10;              // up to this, health stands in rows of five

const CONFETTI = ["#49a63b", "#d8321f", "#d93b80", "#2277d4", "#ffc926", "#18a39b", "#f57c1f"];

const BUSY = "input, textarea, select, button, a, [contenteditable]";      // where keys mean something else
const STROKE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';
const ICONS = {
  clock: `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="3"><circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2.5"/></svg>`,
  lock: `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="3"><rect x="4.5" y="11" width="15" height="10" rx="2" fill="currentColor"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11"/></svg>`,
  door: `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="2.6"><path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4"/></svg>`,
  log: `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="2.6"><path d="M9 5h12M9 12h12M9 19h12M3.5 5h.5M3.5 12h.5M3.5 19h.5"/></svg>`,
  close: `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="3"><path d="M5 5l14 14M19 5L5 19"/></svg>`,
};
const BRICK = '<svg viewBox="0 -4 24 21"><path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z"/><path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z" fill="#fff" fill-opacity=".35"/><rect width="24" height="17" rx="1.5"/><path d="M.7 15.5V.7H23" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1.3"/><path d="M23.3 1.5v14.8H1" fill="none" stroke="#10082b" stroke-opacity=".3" stroke-width="1.3"/><path class="heart" d="M12 13.6C4 8.5 7.2 3.2 10.2 3.9q1.3.3 1.8 1.6.5-1.3 1.8-1.6c3-.7 6.2 4.6-1.8 9.7z"/></svg>';
const COIN = '<svg class="coin" viewBox="-1.5 -5.5 29 25"><path d="M0 0h3v-3.5h7V0h6v-3.5h7V0h3v16a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2z" fill="none" stroke="#5c3800" stroke-width="3" stroke-linejoin="round"/><path d="M0 0h26v16a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2z" fill="#f2b600"/><path d="M3-3.5h7V0H3zM16-3.5h7V0h-7z" fill="#ffe27a"/><path d="M1 16.5V1h24" fill="none" stroke="#fff3b8" stroke-width="1.6"/><path d="M25 2v15H2" fill="none" stroke="#a86c00" stroke-width="1.6"/><path d="M13 4l1.5 3.3 3.5.4-2.6 2.4.7 3.5L13 11.9l-3.1 1.7.7-3.5L8 7.7l3.5-.4z" fill="#7a4b00"/></svg>';
const HOURGLASS = [
  [0, 0, 4, "#b0763f"], [40, 0, 2, "#b0763f"], [10, 1, 4, "#eaf4ff"], [20, 2, 2, "#ffc926"],
  [20, 3, 2, "#eaf4ff"], [10, 4, 4, "#ffc926"], [0, 5, 4, "#b0763f"], [40, 5, 2, "#b0763f"],
];
const WAITING = ['<svg viewBox="-1 -6 62 79">',
  ...HOURGLASS.map(([x, row, studs, colour]) => `<use href="#sb-${studs}" x="${x}" y="${row * 12}" fill="${colour}"/>`),
  ...[0, 10, 20, 30, 40, 50].map((x) => `<use href="#sb-st" x="${x}" fill="#b0763f"/>`), "</svg>"].join("");

const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0");
const fill = (template, values) => template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const clamp = (value, [least, most]) => Math.max(least, Math.min(most, value));
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const rest = (count, columns) => columns - (count % columns);

function make(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else set(node, name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const button = (look, onclick, props, ...children) =>
  make("button", { class: look, type: "button", onclick, ...props }, ...children);
const iconButton = (name, label, act, onclick) =>
  button("icon", onclick, { "aria-label": label, "data-act": act }, drawing(ICONS[name]));

/** An attribute; none for null and false. */
function set(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

function tint(node, ...pairs) {
  for (const [name, value] of pairs) node.style.setProperty(name, value);
  return node;
}

/** A fresh copy of one of the game's own pictures, hidden from those who hear the page. */
function drawing(markup) {
  if (!drawing.kept.has(markup)) {
    const template = document.createElement("template");
    template.innerHTML = markup;
    template.content.firstElementChild.setAttribute("aria-hidden", "true");
    drawing.kept.set(markup, template.content.firstElementChild);
  }
  return drawing.kept.get(markup).cloneNode(true);
}
drawing.kept = new Map();

/** Starts an animation again from its beginning. */
function again(node, name) {
  node.classList.remove(name);
  void node.getBoundingClientRect();
  node.classList.add(name);
}

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

const paint = (node, card) => tint(node, ["--c", `var(--${card})`], ["--t", `var(--on-${card})`]);

const pips = (tier) => [1, 2, 3].map((n) => make("i", { class: n <= tier ? "has" : "" }));

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
    const bricks = Array.from({ length: studs }, (_, i) => `<use href="#sb-st" x="${i * 10}"/>`).join("");
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
    this.count = make("b", { class: "count", "aria-hidden": "true" });
    this.bar = make("div", { class: "health", role: "img" });
    this.tokens = make("div", { class: "tokens" });
    this.pet = make("div", { class: "pet", "aria-hidden": "true" });
    this.root = make("section", { class: "side", "data-side": key },
      make("div", { class: "plaque" },
        make("div", { class: "who" }, make("span", {}, this.name, " ", this.who), this.count), this.bar),
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
    const places = Number(getComputedStyle(this.root).getPropertyValue("--fit")) || 4;
    const all = [...this.tokens.querySelectorAll(".token:not(.more)")];
    const shown = all.length > places ? places - 1 : all.length;
    all.forEach((token, n) => { token.hidden = n >= shown; });
    this.more.hidden = shown === all.length;
    this.more.textContent = `+${all.length - shown}`;
    set(this.more, "aria-label", fill(this.words.statuses_more, { count: all.length - shown }));
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
      ...Array.from({ length: Math.max(max, health) }, (_, n) => brick(n, n < health)),
      ...Array.from({ length: white }, (_, n) => brick(n, n < reserve, "white")));
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
    const bricks = Array.from({ length: few ? limits[1] : 1 }, (_, n) =>
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

/** A dialog that slides in. Escape and a tap beside it close it; the focus goes back to where it was. */
class Drawer {
  constructor(words, name) {
    this.title = make("h2", {});
    this.body = make("div", { class: "inside" });
    this.foot = make("div", { class: "foot" });
    const close = iconButton("close", words.close, "close", () => this.close());
    this.root = make("dialog", { class: `drawer ${name}` },
      make("div", { class: "sheet" }, make("header", {}, this.title, close), this.body, this.foot));
    this.root.addEventListener("click", (event) => event.target === this.root && this.close());
    this.root.addEventListener("keydown", (event) => event.stopPropagation());
  }

  open(title, content, buttons = []) {
    this.title.textContent = title;
    set(this.root, "aria-label", title);
    this.fill(content, buttons);
    if (!this.root.open) this.root.showModal();
    (buttons[0] || this.root.querySelector(".icon")).focus({ preventScroll: true });
  }

  fill(content, buttons) {
    this.body.replaceChildren(...content);
    this.body.scrollTop = 0;
    if (buttons) this.foot.replaceChildren(...buttons);
    this.foot.hidden = !this.foot.childElementCount;
  }

  close() {
    if (this.root.open) this.root.close();
  }
}

/** The run of one revealed round; every pause of it ends at once when it is skipped. */
class Show {
  constructor() {
    Object.assign(this, { skipped: false, started: performance.now(), wake: null });
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
    });
    this.#make();
    this.receive(model.state);
  }

  /** The newest state. While a reveal runs or is being read, it is kept, and shown after it. */
  receive(state) {
    if (!state?.you || !state.rival) return;
    const first = state.battle !== this.battle;
    this.state = state;
    this.#settlePending();
    if (first) this.#enter();
    else if (this.show) return;
    else if (this.phase === "reveal") this.#offerNext();
    else this.#proceed();
  }

  /** A message of the server's that is not kept. */
  hear(message) {
    if (message?.type === "refused") this.#refused(message);
    else if (message?.type === "log") this.#showLog(message.rounds || []);
    else if (message?.type === "record") this.#save(message.name, message.text);
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
    const long = this.story.scrollHeight > this.story.clientHeight + 1;
    set(this.story, "tabindex", long ? "0" : null);
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
    this.story = make("ol", { class: "story", "aria-label": words.story, hidden: true });
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
    this.log = new Drawer(words, "log");
    this.asking = new Drawer(words, "ask");
    this.facts = new Drawer(words, "facts");
    this.root = make("div", { class: "frame" }, pictures.shapes(), this.screen, this.polite, this.alert,
      this.log.root, this.asking.root, this.facts.root);
    this.root.style.visibility = "hidden";      // until the stylesheets are there, which say otherwise
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
    else if (committed) this.#sayLine(`${words.locked}.`, state.rival_ready ? words.locked_both : words.locked_rival);
    else if (state.wait) this.#sayLine(null, state.wait.text, state.wait.rule);
    else if (it) this.#sayLine(`${it.name}.`, it.line, it.rule);
    else this.#sayLine(null, words.pick);
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
      skip: () => this.#skip(), again: () => this.#again(), watch: () => this.#watch(), home: () => this.#goHome(),
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

  #again() {
    if (this.pending) return;
    this.#send({ type: "again" });
    this.#setGo(this.words.starting, null);
  }

  #send(message) {
    this.model.send_msg(message);
    if (!["lock", "take_back", "again", "next"].includes(message.type)) return;
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
    const done = { lock: state.locked, take_back: !state.locked }[pending.type];
    if (done || (pending.turn && pending.turn !== state.turn)) this.pending = null;
  }

  #refused({ text, rule }) {
    this.pending = null;
    this.notice = { title: null, text, rule, bad: true };
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
      make("h2", {}, title), ...(text ? [make("p", {}, text)] : []), ...(gold ? [coins()] : []));
    if (this.pending?.type === "again") this.#setGo(words.starting, null);
    else this.#setGo(state.watch ? words.home : words.again, state.watch ? "home" : "again");
    if (first && this.#hasFocus()) this.go.focus({ preventScroll: true });
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
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const box = make("textarea", { class: "hidden-words", readonly: true });    // without https there is no clipboard
      box.value = text;
      this.log.foot.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
      button.focus();
    }
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
    const text = state.last ? words.leave_late : words.leave_early;
    const buttons = [button("brick plain", close, {}, words.leave_no),
      button("brick warn", go, { "data-act": "leave-now" }, words.leave_yes)];
    this.asking.open(words.leave_ask, [make("p", {}, ...ruled(words, { text, rule: words.leave_rule }))], buttons);
  }

  #save(name, text) {
    const file = new Blob([String(text)], { type: "application/json" });
    const link = make("a", { download: String(name), href: URL.createObjectURL(file) });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
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

function dress(board, model) {
  const host = board.root.getRootNode().host;
  board.root.classList.toggle("embedded", model.embedded);
  if (host && model.theme !== "auto") host.dataset.theme = model.theme;
  else if (host && host.dataset.theme && board.themed) delete host.dataset.theme;
  board.themed = model.theme !== "auto";
}

/** What the server has just added to the page would be sent back to it whole, with the next message: it knows it. */
function forgetNews() {
  window.Bokeh?.documents?.[0]?._new_models?.clear();
}

export function render({ model, el }) {
  forgetNews();
  const board = new Board(model);
  el.append(board.root);
  dress(board, model);
  listen(board, model.embedded ? board.root : document);
  const sizes = new ResizeObserver(() => board.fit());
  [board.root, ...board.sides().map((side) => side.pet)].forEach((node) => sizes.observe(node));
  model.on("state", () => board.receive(model.state));
  model.on("theme", () => dress(board, model));
  model.on("msg:custom", (message) => board.hear(message));
}
