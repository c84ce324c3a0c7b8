import { again, button, COIN, drawing, fill, ground, make, set, signed, still, tint } from "./bricks.js";
import { confetti, shownCard } from "./cards.js";
import { settings } from "./settings.js";
import { hush, sound } from "./sound.js";

/**
 * The moments of the game: the countdown, the reveal, the endings, and a pet that evolves.
 *
 * All of it can be skipped, lasts as long as the player's speed says, and stands still where calm motion is asked for:
 * then nothing travels, and the words, the numbers and the pictures tell it.
 */

/** How long everything lasts, in ms at the normal speed; nothing else says how long a moment is. */
export const TIMES = {
  deal: 420,             // a card sliding into its slot
  beat: 700,             // one digit of the countdown
  flip: 800,             // both cards turning, and a moment to read them
  story: 3200,           // all effects together, if they are many
  step: [320, 1200],     // the least and the most for one effect
  blow: 200,             // a pet lunging until it hits
  heap: 2600,            // a beaten pet lies in its bricks before it is built again
  build: 1400,           // a pet being built
  coin: 620,             // a gold brick on its way
  evolve: { wait: 700, apart: 1300, build: 1900 },
};

const GUARD = 400;             // a second tap so soon is the same one
const SLAM = 0.16;             // the part of a beat after which a digit has landed
const GOLDEN = 2.4;            // the angle that spreads bricks evenly in a ring
const CLICKS = 14;             // so many of the bricks are heard while a pet is built
const MOST_COINS = 5;

/** What an effect sounds like, by its kind. */
const HEARD = {
  cost: "pay", return: "heal", stop: "miss", heal: "heal", reserve: "heal", protect: "shield", miss: "miss",
  dose: "poison", poison: "poison", blind: "dark", boost: "boost", knockout: "fall", copy: "flip", wait: "tap",
};

/**
 * A run of what is shown; every pause of it ends at once when it is skipped. That of a turn has its number, and `told`
 * waits for its round.
 */
export class Show {
  constructor(turn = null, round = null) {
    Object.assign(this, { turn, round, skipped: false, started: performance.now(), wake: null });
    this.told = new Promise((done) => { this.heard = done; });
    if (round) this.heard(round);
    this.unseenSince = document.visibilityState === "hidden" ? Date.now() : null;
  }

  pause(time) {
    if (this.skipped) return Promise.resolve();
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, time * settings.pace);
    });
  }

  skip() {
    this.skipped = true;
    this.wake?.();
  }

  tell(round) {
    this.round = round;
    this.heard(round);
  }
}

/** The stylesheets know these times by name. */
export const timed = (root) => tint(root, ["--beat", `calc(${TIMES.beat}ms * var(--pace, 1))`],
  ["--flip", `calc(${TIMES.flip}ms * var(--pace, 1))`], ["--deal", `calc(${TIMES.deal}ms * var(--pace, 1))`]);

/** A digit lands: it is heard, the higher the nearer the reveal, and felt: everything on the table hops. */
export function slam(nth, shaken) {
  const beat = TIMES.beat * settings.pace, delay = beat * SLAM;
  sound("count", { rise: 3 * nth, wait: delay });
  if (still()) return;
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([0, Math.round(delay), 18 + 8 * nth]);
  const deep = 3 + 2 * nth;
  const hop = ["none", `translateY(${deep}px)`, `translateY(${-deep / 2}px) rotate(.3deg)`, "none"];
  for (const node of shaken) node.animate({ transform: hop }, { duration: 260, delay, easing: "ease-out" });
}

/** A card that slides face down into its slot; one's own is seen until it turns. */
export function sliding(back, mine = null, pictures = null) {
  const face = mine ? shownCard(pictures, mine) : null;
  if (face) {
    set(face, "aria-hidden", "true");
    set(face, "data-card", null);
    back.append(face);
  }
  back.classList.add("locking");
  back.onanimationend = (event) => {
    if (event.target !== back) return;
    back.classList.remove("locking");
    face?.remove();
  };
}

/** A card that turns over, from its back to its face; in the end there is only the face. */
export function turning(card, back) {
  if (still()) {
    card.classList.add("flip");
    return card;
  }
  set(back, "aria-hidden", "true");
  const turner = make("div", { class: "turner" }, back, card);
  turner.onanimationend = (event) => event.target === turner && turner.isConnected && turner.replaceWith(card);
  return turner;
}

/** What is heard of one effect; a blow is heard as it lands. */
export function hear({ kind, number }) {
  if (kind === "hit") sound(number ? "hit" : "shield", { wait: TIMES.blow * settings.pace });
  else if (HEARD[kind]) sound(HEARD[kind]);
}

/** A pet being built, brick by brick. */
export function hearBuilding(time, from = 0) {
  const each = (time * settings.pace) / CLICKS;
  for (let n = 0; n < CLICKS; n++) sound("brick", { rise: n - CLICKS / 2, wait: from + n * each });
}

/** Gold bricks fly from a place and land on the count, one after the other; each is counted as it lands. */
export async function payOut(count, gold, words, from) {
  const said = make("span", {}), coin = drawing(COIN), show = new Show();
  const tell = (sum) => { said.textContent = fill(words.gold, { gold: signed(sum) }); };
  count.replaceChildren(coin, said);
  tell(gold);
  if (still()) {
    sound("gold");
    return;
  }
  const coins = Math.min(gold, MOST_COINS), start = from.getBoundingClientRect(), place = coin.getBoundingClientRect();
  const way = [start.x + start.width / 2 - place.x - place.width / 2, start.y + start.height / 2 - place.y];
  tell(0);
  for (let n = 1; n <= coins && count.isConnected; n++) {
    const flying = drawing(COIN), [dx, dy] = [way[0] + (((n * 37) % 61) - 30), way[1]];
    flying.classList.add("flying");
    count.append(flying);
    flying.animate([
      { transform: `translate(${dx}px, ${dy}px) scale(.4)`, opacity: 0 },
      { transform: `translate(${dx * 0.8}px, ${dy * 1.25 - 60}px) scale(1.7) rotate(200deg)`, opacity: 1,
        offset: 0.45 },
      { transform: "translate(0, -14px) rotate(360deg) scale(1.25)", offset: 0.86 },
      { transform: "rotate(360deg)" },
    ], { duration: TIMES.coin * settings.pace, easing: "ease-in-out", fill: "both" });
    await show.pause(TIMES.coin);
    flying.remove();
    tell(n === coins ? gold : n);
    sound("gold", { rise: n - 1 });
    again(coin, "landed");
  }
}

// A pet that evolves.

const piecesOf = (svg) => [...svg.querySelectorAll(":scope > g > use, :scope > g[transform] > g")].map((node) => {
  const place = node.tagName === "use" ? [node.getAttribute("x"), node.getAttribute("y")]
    : node.parentNode.getAttribute("transform").match(/[\d.]+/g);
  return { node, x: Number(place[0]) || 0, y: Number(place[1]) || 0 };
});

/**
 * A pet is taken apart brick by brick and built up as its grown form.
 *
 * A tap, Enter, Space or Escape shows the end of it at once; from there they close it.
 */
export class Evolution {
  constructor(picture) {
    Object.assign(this, { picture, show: null });
    this.place = make("div", { class: "growth" });
    this.title = make("h2", { "aria-live": "polite" });
    this.go = button("brick onward", () => this.#act(), { "data-act": "evolved" });
    this.rain = make("div", { class: "rain" });
    this.root = make("dialog", { class: "evolution", onclick: (event) => event.target !== this.go && this.#act(),
      onkeydown: (event) => this.#onKey(event), onclose: () => this.close() },
    this.rain, make("div", { class: "stage-of" }, this.place, this.title, this.go));
    new ResizeObserver(() => this.show && this.#measure()).observe(this.place);
  }

  /** `from` and `to` are the pets, `family` their colours; `words` what is said: growing, grown, hooray and skip. */
  async open({ from, to, family, words }) {
    const show = new Show(), here = () => this.show === show && this.root.open;
    Object.assign(this, { show, words, started: performance.now() });
    ground(this.root, family);
    this.#say(words.growing, words.skip, "skip");
    this.old = this.picture(from);
    this.grown = this.picture(to);
    this.grown.classList.add("to-come");
    this.place.replaceChildren(this.old, this.grown);
    this.rain.replaceChildren();
    this.root.classList.remove("done");
    if (!this.root.open) this.root.showModal();
    this.go.focus();
    this.#measure();
    const { wait, apart, build } = TIMES.evolve;
    if (still()) {
      await show.pause(wait);
      this.#swap();
      await show.pause(wait);
    } else {
      this.#tremble(wait);
      await show.pause(wait);
      if (here() && !show.skipped) this.#takeApart(apart);
      await show.pause(apart);
      if (here() && !show.skipped) this.#build(build);
      await show.pause(build);
    }
    if (here()) this.#end();
  }

  close() {
    this.show?.skip();
    this.show = null;
    if (this.root.open) this.root.close();
  }

  /** There is one button, so the Tab key has nowhere to go. */
  #onKey(event) {
    event.stopPropagation();
    if (event.key !== "Tab" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") this.#act();
  }

  #act() {
    if (performance.now() - this.started < GUARD) return;
    if (this.root.classList.contains("done")) this.close();
    else {
      hush();
      this.show?.skip();
    }
  }

  #say(title, label, act) {
    this.title.textContent = title;
    this.go.textContent = label;
    set(this.go, "data-go", act);
    this.go.classList.toggle("plain", act === "skip");
    set(this.root, "aria-label", title);
  }

  /** Both forms are built of bricks of one size, so the grown one is bigger. */
  #measure() {
    const forms = [this.old, this.grown], boxes = forms.map((svg) => svg.viewBox.baseVal);
    const { width, height } = this.place.getBoundingClientRect();
    const scale = Math.min(width / Math.max(...boxes.map((box) => box.width)),
      height / Math.max(...boxes.map((box) => box.height)));
    this.high = Math.max(...boxes.map((box) => box.height));
    forms.forEach((svg, n) => {
      const { width: wide, height: high } = boxes[n];
      tint(svg, ["width", `${wide * scale}px`], ["height", `${high * scale}px`],
        ["transform-origin", `50% ${(high - this.high * 0.5) * scale}px`]);
    });
  }

  #swap() {
    this.old.classList.add("to-come");
    this.grown.classList.remove("to-come");
  }

  #tremble(time) {
    const swing = ["none", "rotate(-2.5deg)", "rotate(2.5deg)", "rotate(-3deg) scale(1.03)", "none"];
    this.old.animate({ transform: swing }, { duration: time * settings.pace, easing: "ease-in-out" });
  }

  /** Where a brick waits: in a ring above the ground, as seen from its own place. */
  #inRing(svg, { x, y }, n) {
    const { width, height } = svg.viewBox.baseVal, angle = n * GOLDEN, far = this.high * (0.3 + 0.03 * ((n * 7) % 5));
    const dx = width / 2 + Math.cos(angle) * far - x, dy = height - this.high * 0.5 + Math.sin(angle) * far * 0.8 - y;
    return `translate(${dx.toFixed(1)}px, ${dy.toFixed(1)}px) rotate(${((n * 83) % 360) - 180}deg)`;
  }

  /** From the top down, every brick comes off and flies into the ring, which begins to turn. */
  #takeApart(time) {
    const svg = this.old, each = time * 0.5 * settings.pace, { height } = svg.viewBox.baseVal;
    svg.classList.add("in-pieces");
    piecesOf(svg).forEach((piece, n) => {
      const delay = (Math.max(0, piece.y) / height) * each;
      piece.node.animate({ transform: ["none", this.#inRing(svg, piece, n)] },
        { duration: each, delay, easing: "cubic-bezier(.5, -.3, .4, 1)", fill: "both" });
    });
    svg.animate({ rotate: ["0deg", "150deg"] }, { duration: time * settings.pace, easing: "ease-in", fill: "both" });
    hearBuilding(time);
  }

  /** Out of the ring, from the ground up, the grown form. */
  #build(time) {
    const svg = this.grown, each = time * 0.32 * settings.pace, spread = time * 0.66 * settings.pace;
    const { height } = svg.viewBox.baseVal;
    this.#swap();
    svg.classList.add("in-pieces");
    piecesOf(svg).forEach((piece, n) => {
      const late = (1 - Math.max(0, piece.y) / height) * spread;
      piece.node.animate([{ transform: this.#inRing(svg, piece, n) }, { transform: "none", offset: 0.8 },
        { transform: "translateY(-2px)", offset: 0.9 }, { transform: "none" }],
      { duration: each, delay: late, easing: "cubic-bezier(.4, 0, .3, 1)", fill: "both" });
    });
    svg.animate({ rotate: ["-150deg", "0deg"] },
      { duration: time * 0.6 * settings.pace, easing: "ease-out", fill: "both" });
    hearBuilding(time);
  }

  #end() {
    const { words } = this, svg = this.grown;
    for (const node of [this.old, svg]) node.getAnimations({ subtree: true }).forEach((running) => running.cancel());
    this.old.remove();
    svg.classList.remove("to-come", "in-pieces");
    tint(svg, ["transform-origin", "50% 100%"]);
    this.started = performance.now();
    this.root.classList.add("done");
    this.#say(words.grown, words.hooray, "close");
    this.rain.append(confetti());
    sound("evolve");
    if (still()) return;
    const hop = ["none", "scale(1.07, .9)", "translateY(-9%) scale(.96, 1.06)", "scale(1.05, .94)", "none"];
    svg.animate({ transform: hop }, { duration: 900 * settings.pace, easing: "ease-in-out", iterations: 2 });
  }
}
