import { again, BRICK, button, drawing, fill, make, paint, ROOMY, several, set, signed, still, tint } from "./bricks.js";
import { Worn, wornFor } from "./states.js";

const MOST_BRICKS = 20;        // more health than this is a brick and a number
const ACTS = ["lunge", "shake", "hop", "roar", "cheer"];
const USES = ["hit", "heal", "protect", "dose"];      // what a Refreshment goes into, and a Wild shows itself by
const WILD = 6000;             // the steps of one Wild come closer together than this

/** One pet with its plaque, health and statuses. */
export class Side {
  constructor(key, pictures, words, tell) {
    Object.assign(this, { key, pictures, words, tell, side: null, now: { health: 0, reserve: 0 } });
    this.name = make("b", {});
    this.who = make("small", {});
    this.presence = make("small", { class: "presence", hidden: true });
    this.count = make("b", { class: "count", "aria-hidden": "true" });
    this.bar = make("div", { class: "health", role: "img" });
    this.tokens = make("div", { class: "tokens" });
    this.pet = make("div", { class: "pet", "aria-hidden": "true" });
    this.worn = new Worn(pictures);
    this.root = make("section", { class: "side", "data-side": key },
      make("div", { class: "plaque" },
        make("div", { class: "who" }, make("span", {}, this.name, " ", this.who), this.presence, this.count),
        this.bar),
      this.tokens, this.pet);
  }

  /**
   * Shows the side as the state has it; health and statuses included. While the reveal is `read`, a pet that has hidden
   * in it stays so.
   */
  show(side, read = false) {
    const before = this.side;
    this.side = side;
    this.name.textContent = side.name;
    this.who.textContent = side.who;
    set(this.root, "aria-label", `${side.who}: ${side.name}`);
    if (before?.pet !== side.pet || before?.family !== side.family) this.#place(side);
    if (before?.max !== side.max || before?.reserve_max !== side.reserve_max) this.now = { health: -1, reserve: -1 };
    this.hold(side);
    this.#showTokens(side.statuses || []);
    const worn = wornFor(side.statuses || []);
    this.worn.lower();
    this.worn.wear({ ...worn, hidden: read ? this.worn.now.hidden : 0 });
  }

  /** What a step of a reveal, as it is told, does to the things that are seen on the pet. */
  see({ kind, card, side, on, number, strength }) {
    const { worn } = this, mine = side === this.key, here = on === this.key;
    worn.lower();
    if (kind === "copy" && mine) worn.mirror(card === "copycat" ? null : card);
    if (kind === "protect" && mine) this.#guard(card, strength || 1);
    if (kind === "dose" && here) worn.wear({ poison: worn.now.poison + (strength || 1) });
    if (kind === "poison" && here) worn.tick();
    if (kind === "blind" && here) worn.wear({ blinded: 1 });
    if (kind === "boost" && mine) worn.wear({ boosted: 1 });
    else if (USES.includes(kind) && mine && card !== "hide") worn.wear({ boosted: 0 });
    if (kind === "hit" && here) worn.clank();
    if (number < 0 && here) worn.chips(-number);
    if (number > 0 && here) {
      worn.hearts(number);
      this.act("hop");
    }
    if (card === "wild" && mine && USES.includes(kind)) this.#goWild();
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

  /** One movement of the whole pet; it ends another one. */
  act(name) {
    this.pet.classList.remove(...ACTS);
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
    const svg = this.#picture();
    if (!svg || still()) return;
    const high = svg.viewBox.baseVal.height;
    for (const piece of this.#pieces(svg)) tint(piece.node, ["--i", Math.round((high - piece.y) * 6 + piece.x * 0.8)]);
    this.pet.classList.add("build");
    setTimeout(() => this.pet.classList.remove("build"), 2600);
  }

  /** A beaten pet falls into a heap of its bricks, the lowest first. */
  crumble(moving) {
    if (this.fallen) return;
    const svg = this.#picture();
    this.fallen = true;
    this.worn.dress(null);
    this.pet.classList.remove("build", "happy", ...ACTS);
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
    if (scale > 0) {
      tint(this.pet, ["--high", `${(this.size()[1] * scale).toFixed(1)}px`], ["--unit", `${scale.toFixed(3)}px`]);
    }
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
    const svg = this.pictures.get(side.pet);
    this.pet.className = "pet";
    this.pet.replaceChildren(this.worn.behind, ...(svg ? [svg] : []), this.worn.before);
    this.worn.dress(svg, side.family);
    set(this.root, "data-family", side.family);
    tint(this.root, ["--pet", `var(--${side.family})`]);
  }

  #picture() {
    return this.pet.querySelector(":scope > svg");
  }

  #guard(card, strength) {
    const { now } = this.worn;
    if (card === "hide") this.worn.wear({ hidden: 1 });
    else if (card === "shield") this.worn.wear({ shield: Math.max(now.shield, strength) });
    else this.worn.wear({ block: Math.max(now.block, strength) });
  }

  /** Once in a reveal, whatever the Wild does in it. */
  #goWild() {
    if (this.wildSince && performance.now() - this.wildSince < WILD) return;
    this.wildSince = performance.now();
    this.worn.gesture();
    this.act("roar");
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
    this.bar.classList.toggle("last", health === 1 && max > 1 && !reserve);
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
