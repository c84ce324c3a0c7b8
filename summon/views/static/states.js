import { drawing, make, set, several, still, tint } from "./bricks.js";

/**
 * What is seen on a pet itself: its statuses, its Wild, and what flies off it or rises from it.
 *
 * All of it is measured as the pet's picture is, so its bricks are of the same size; places are counted from the lower
 * left corner of the picture. What hangs or glows for long moves by `transform` and `opacity` alone.
 */

const ORIGIN = [1, 6];         // a picture's margin, and the studs above its first row
const GROUND = 3;              // a little before the pet's own feet
const BIG_EYE = 30;            // the eyes of a grown pet
const WIDE = 175;              // a pet wider than this needs the wide box
const BEAT = 2600;             // longer than anything that flies or rises
const LEAVING = 350;           // what is taken off is gone then
const ROW = 3;                 // so many bricks of protection stand side by side

/** Sparkles of a refreshed pet: where they are, as parts of its size, and how large. */
const SPARKLES = [[-0.02, 0.62, 0.9], [0.97, 0.7, 1], [0.14, 0.95, 0.6], [0.86, 0.24, 0.7], [0.06, 0.2, 0.55]];

/** Where drops of poison hang, by how far from the left and below the top; more poison is told by its number alone. */
const DROPS = [[0.09, 0.74], [0.91, 0.8], [0.3, 0.5]];

/** The Wild of each family: where its pieces begin, as parts of the pet's size, how large, and when, in ms. */
const GESTURES = {
  moss: [[-0.06, 0, 1.1, 0], [0.2, 0, 0.8, 160], [0.84, 0, 0.9, 80], [1.06, 0, 1.2, 220]],
  ember: several(7, (n) => [0.3 + (n % 3) * 0.2, 0.25 + (n % 4) * 0.13, 0.6 + (n % 3) * 0.25, n * 70]),
  bloom: several(9, (n) => [0.25 + (n % 4) * 0.17, 0.4 + (n % 3) * 0.2, 0.7 + (n % 3) * 0.2, n * 60]),
  tide: [[0.5, 0, 1.5, 0], [0.2, -0.02, 1, 220], [0.8, -0.04, 1.1, 380]],
  pebble: [[0.15, 0, 1, 0], [0.5, 0, 1.15, 120], [0.85, 0, 1, 60], [0.33, 0.2, 0.9, 300], [0.68, 0.2, 0.9, 380]],
  spark: [[0.3, 0.15, 1.4, 0], [0.55, 0.3, 1.8, 140], [0.78, 0.1, 1.2, 280]],
};

const CHIP = '<svg viewBox="0 -5 20 17"><use href="#sb-2"/><use href="#sb-st"/><use href="#sb-st" x="10"/></svg>';

/** How much of each thing a pet wears, by its statuses as the state has them. */
export function wornFor(statuses) {
  const found = Object.fromEntries(statuses.map((it) => [it.id, Number(it.badge) || 1]));
  return {
    poison: found.poison || 0, shield: found.shield || 0, block: found.block || 0,
    boosted: found.boosted ? 1 : 0, blinded: found.blinded ? 1 : 0, restricted: found.restricted ? 1 : 0, hidden: 0,
  };
}

/** The eyes of a pet's picture: the middle of them and how large one is; null where it has none. */
function eyesOf(svg) {
  const tiles = [...svg.querySelectorAll(".open")].map((eye) => eye.closest("g[transform]"));
  const eyes = tiles.map((tile) => {
    const [x, y] = tile.getAttribute("transform").match(/[\d.]+/g).map(Number);
    const [, , wide, high] = tile.querySelector("path").getAttribute("d").match(/\d+/g).map(Number);
    return { x: x + wide / 2, y: y + high / 2, size: high };
  });
  if (!eyes.length) return null;
  const middle = (name) => eyes.reduce((sum, eye) => sum + eye[name], 0) / eyes.length;
  return { x: middle("x"), y: middle("y"), size: eyes[0].size };
}

/** Everything that is seen on one pet. Its place holds what is behind the pet, the pet, and what is before it. */
export class Worn {
  constructor(pictures) {
    this.pictures = pictures;
    this.behind = make("div", { class: "worn behind" });
    this.before = make("div", { class: "worn before" });
    this.things = new Map();
    this.now = wornFor([]);
  }

  /** A pet of a family stands there now, drawn by its picture; without one nothing is worn. */
  dress(svg, family = null) {
    Object.assign(this, { svg, family });
    for (const thing of [...this.things.values()].flat()) thing.remove();
    this.things.clear();
    this.before.replaceChildren();
    this.behind.classList.remove("glowing");
    if (!svg) return;
    const { width, height } = svg.viewBox.baseVal;
    this.size = [width, height];
    for (const layer of [this.behind, this.before]) tint(layer, ["--wide", width], ["--tall", height]);
    this.wear(this.now);
  }

  /** Shows so much of each thing: what is new comes on, and what is too much goes. */
  wear(wanted) {
    this.now = { ...this.now, ...wanted };
    if (!this.svg) return;
    const { blinded, hidden, restricted, boosted, poison, shield, block } = this.now;
    this.#each("blinded", blinded, () => this.#blindfold());
    this.#each("boosted", boosted ? SPARKLES.length : 0, (n) => this.#sparkle(n));
    this.behind.classList.toggle("glowing", Boolean(boosted));
    this.#each("hidden", hidden, () => this.#stands(this.size[0] > WIDE ? "hiding-box-big" : "hiding-box", "box"));
    this.#each("restricted", restricted && !hidden ? 1 : 0, () => this.#stands("hiding-rest", "box rest"));
    this.#each("poison", Math.min(poison, DROPS.length), (n) => this.#drop(n));
    this.#each("shield", shield, () => this.#thing("shield-brick", "guard", [0, GROUND]));
    this.#each("block", block, () => this.#thing("wild-brick", "guard", [0, GROUND]));
    this.#lineUp();
  }

  /** The poison ticks: every drop falls on the pet, and another one forms. */
  tick() {
    this.#again("poison", "tick");
  }

  /** A blow meets what stands before the pet. */
  clank() {
    for (const kind of ["shield", "block", "hidden"]) this.#again(kind, "clank");
  }

  /** Copycat holds its mirror up, with what it sees in it: a card's picture, or nothing. */
  mirror(card) {
    this.lower();
    if (!this.svg) return;
    const [wide, high] = this.pictures.size("mirror");
    const glass = make("span", { class: "glass", "data-card": card }, this.pictures.get(card));
    const place = [this.size[0] / 2, Math.max(GROUND, this.size[1] * 0.42 - high / 2)];
    this.held = this.#thing("mirror", "mirror on", place, glass);
    tint(this.held, ["--scale", Math.min(1, this.size[0] / (wide + 20)).toFixed(2)]);
    this.before.append(this.held);
  }

  /** And puts it down. */
  lower() {
    this.held?.remove();
    this.held = null;
  }

  /** The Wild of the pet's family: vines, flames, petals, waves, stones or lightning. */
  gesture() {
    const pieces = GESTURES[this.family];
    if (!pieces || !this.svg) return;
    const [wide, high] = this.size;
    this.#fleeting("gesture", pieces.map(([x, y, scale, delay], n) => tint(
      this.#thing(`wild-${this.family}`, "piece", [x * wide, y * high + GROUND]),
      ["--scale", scale], ["--delay", `${delay}ms`], ["--spread", ((n * 37) % 7) - 3])), this.family);
  }

  /** Bricks chip off where a blow lands. */
  chips(count) {
    if (still() || !this.svg) return;
    const [wide, high] = this.size;
    this.#fleeting("chips", several(Math.min(count, 4) + 2, (n) => tint(
      make("i", { class: "thing chip-off" }, drawing(CHIP)),
      ["--x", (wide * (0.35 + ((n * 3) % 5) * 0.08)).toFixed(0)],
      ["--y", (high * (0.3 + ((n * 2) % 5) * 0.09)).toFixed(0)], ["--w", 20], ["--h", 17],
      ["--dx", `${(n % 2 ? 1 : -1) * (50 + 22 * n)}px`], ["--dy", `${90 + 26 * (n % 3)}px`],
      ["--turn", `${(n % 2 ? 1 : -1) * (200 + 90 * n)}deg`])));
  }

  /** Hearts rise where health comes back. */
  hearts(count) {
    if (still() || !this.svg) return;
    const [wide, high] = this.size;
    this.#fleeting("hearts", several(Math.min(count, 4) + 1, (n) => tint(
      this.#thing("heal", "heart-up", [wide * (0.2 + ((n * 2) % 5) * 0.16), high * 0.3 + (n % 2) * 16]),
      ["--scale", 0.42], ["--delay", `${n * 110}ms`])));
  }

  #fleeting(kind, pieces, family = null) {
    const layer = make("div", { class: kind, "data-family": family }, ...pieces);
    this.before.append(layer);
    setTimeout(() => layer.remove(), BEAT);
  }

  /** As many of a kind as wanted; what is there already stays as it is. */
  #each(kind, count, build) {
    const all = this.things.get(kind) || [];
    while (all.length > count) this.#takeOff(all.pop());
    while (all.length < count) {
      const thing = build(all.length);
      set(thing, "data-worn", kind);
      thing.classList.add("on");
      all.push(thing);
      if (!thing.isConnected) this.before.append(thing);
    }
    this.things.set(kind, all);
  }

  #takeOff(thing) {
    thing.removeAttribute("data-worn");
    thing.classList.remove("on", "tick", "clank");
    thing.classList.add("off");
    setTimeout(() => thing.remove(), LEAVING);
  }

  #again(kind, name) {
    for (const thing of this.things.get(kind) || []) {
      thing.classList.remove("on", "tick", "clank");
      void thing.getBoundingClientRect();
      thing.classList.add(name);
    }
  }

  /** One thing by its picture; its place is the middle of its foot. */
  #thing(name, look, [x, y], ...inside) {
    const [wide, high] = this.pictures.size(name);
    return tint(make("i", { class: `thing ${look}` }, this.pictures.get(name), ...inside),
      ["--x", (x - wide / 2).toFixed(1)], ["--y", y.toFixed(1)], ["--w", wide], ["--h", high]);
  }

  #stands(name, look) {
    return this.#thing(name, look, [this.size[0] / 2, GROUND - 1]);
  }

  /** Inside the picture, so that it goes wherever the pet's head goes. */
  #blindfold() {
    const [wide, high] = this.size, eyes = eyesOf(this.svg) || { x: wide / 2, y: high * 0.4, size: BIG_EYE };
    const cloth = this.pictures.get(eyes.size >= BIG_EYE ? "blindfold-big" : "blindfold");
    const group = drawing('<svg><g class="cloth"></g></svg>').firstElementChild;
    if (!cloth) return group;
    const box = cloth.viewBox.baseVal, rows = box.height - ORIGIN[1];
    for (const [name, value] of [["x", eyes.x - box.width / 2], ["y", eyes.y - rows / 2 - ORIGIN[1]],
      ["width", box.width], ["height", box.height]]) set(cloth, name, value);
    group.append(cloth);
    this.svg.append(group);
    return group;
  }

  #sparkle(n) {
    const [x, y, scale] = SPARKLES[n], [wide, high] = this.size;
    return tint(this.#thing("glow", "sparkle", [x * wide, y * high]), ["--scale", scale], ["--delay", `${-n * 430}ms`]);
  }

  #drop(n) {
    const [wide, high] = this.size, [, tall] = this.pictures.size("poison-drop"), [x, down] = DROPS[n];
    return tint(this.#thing("poison-drop", "drop", [x * wide, high - tall * down]),
      ["--fall", (high * 0.45).toFixed(0)], ["--scale", 0.8], ["--delay", `${-n * 500}ms`]);
  }

  /** The bricks of protection stand in rows before the pet's feet. */
  #lineUp() {
    const all = [...(this.things.get("shield") || []), ...(this.things.get("block") || [])];
    const [wide, high] = this.pictures.size("shield-brick");
    all.forEach((thing, n) => {
      const row = Math.floor(n / ROW), inRow = Math.min(ROW, all.length - row * ROW);
      const x = this.size[0] / 2 + ((n % ROW) - (inRow - 1) / 2) * (wide + 2) - wide / 2;
      tint(thing, ["--x", x.toFixed(1)], ["--y", (GROUND - 2 + row * (high - ORIGIN[1])).toFixed(1)]);
    });
  }
}
