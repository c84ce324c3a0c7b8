import { book, drawing, fill, ICONS, make, paint, pips, several, tint, toBook } from "./bricks.js";

/** The cards of a battle as they are drawn, and the other pictures of the board. */

const CONFETTI = ["#49a63b", "#d8321f", "#d93b80", "#2277d4", "#ffc926", "#18a39b", "#f57c1f"];
const HOURGLASS = [
  [0, 0, 4, "#b0763f"], [40, 0, 2, "#b0763f"], [10, 1, 4, "#eaf4ff"], [20, 2, 2, "#ffc926"],
  [20, 3, 2, "#eaf4ff"], [10, 4, 4, "#ffc926"], [0, 5, 4, "#b0763f"], [40, 5, 2, "#b0763f"],
];
const WAITING = ['<svg viewBox="-1 -6 62 79">',
  ...HOURGLASS.map(([x, row, studs, colour]) => `<use href="#sb-${studs}" x="${x}" y="${row * 12}" fill="${colour}"/>`),
  ...[0, 10, 20, 30, 40, 50].map((x) => `<use href="#sb-st" x="${x}" fill="#b0763f"/>`), "</svg>"].join("");

/** What a number on a card means: a hit, health back or paid, a block, poison, or a stronger next card. */
const glyph = (colour, ...paths) => `<svg class="sign" viewBox="0 0 24 24" fill="${colour}">${paths.join("")}</svg>`;
const HEART = "M12 21.5C-3 12 2 2 8 3.2q3 .6 4 4 1-3.4 4-4c6-1.2 11 8.8-4 18.3z";
const SIGNS = {
  hit: glyph("#c42a1c", '<path d="M22 2l-1 6-8.5 8.5-5-5L16 3zM4.5 11l8.5 8.5-2.2 2.2-3-3L4 22.5 1.5 20l3.8-3.8-3-3z"/>'),
  heal: glyph("#167a3f", `<path d="${HEART}"/><path fill="#fff" d="M10.5 7.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z"/>`),
  cost: glyph("#ff9c8f", `<path d="${HEART}"/><path fill="#1a1f45" d="M7 10h10v3.2H7z"/>`),
  block: glyph("#1767b0", '<path d="M12 1.5q4.5 3 9 3c.8 9-2 14.5-9 18-7-3.5-9.8-9-9-18q4.5 0 9-3z"/>'),
  poison: glyph("#6a2ea3", '<path d="M12 1.5c2 5 7.5 8.5 7.5 14a7.5 7 0 0 1-15 0c0-5.5 5.5-9 7.5-14z"/>'),
  boost: glyph("#b4500a", '<path d="M12 1l3.2 7.8L23 12l-7.8 3.2L12 23l-3.2-7.8L1 12l7.8-3.2z"/>'),
};

/** The pictures of the game by name; one that is missing is an empty place. */
export class Pictures {
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

/** What stands on a card: {card, name, now, tier, why, icon, effect}; `now` is [{sign, text}], what it does just now. */
export function face(pictures, it) {
  const does = (it.now || []).map(({ sign, text }) =>
    make("span", { class: `now ${sign}`, "data-sign": sign }, drawing(SIGNS[sign]), make("b", {}, text)));
  return [
    make("span", { class: "pic" }, pictures.get(it.card)),
    make("span", { class: it.name.length > 9 ? "name long" : "name" }, it.name),
    it.why ? make("span", { class: "why" }, drawing(ICONS[it.icon] || ICONS.clock), make("span", {}, it.why)) : null,
    does.length ? make("span", { class: "does" }, ...does) : null,
    it.tier ? make("span", { class: "tier" }, ...pips(it.tier)) : null,
    it.effect ? paint(make("span", { class: "as" }, pictures.get(it.effect)), it.effect) : null,
  ];
}

export const shownCard = (pictures, it) =>
  paint(make("div", { class: "card", "data-card": it.card }, ...face(pictures, it)), it.card);
export const hiddenCard = (pictures, words) => make("div", { class: "card back" },
  make("span", { class: "pic" }, pictures.get("what")), make("span", { class: "hidden-words" }, words.hidden));
/** The number of a rule, for what is gone again in a moment. */
export const ruleMark = (words, rule) =>
  (rule ? make("span", { class: "rule", role: "img", "aria-label": fill(words.rule, { rule }) }, rule) : null);

/** The number of a rule, which leads to its page in the book. */
export function ruleTag(words, rule) {
  if (!rule || !book.place) return ruleMark(words, rule);
  return make("a", { class: "rule", "aria-label": fill(words.rule, { rule }), ...toBook(`rules/${rule}.html`) }, rule);
}

/** A sentence and the number of its rule, which stands in no line alone. */
export function ruled(words, { text, rule }, tag = ruleTag) {
  const last = text.lastIndexOf(" ") + 1;
  if (!rule) return [text];
  return [text.slice(0, last), make("span", { class: "together" }, text.slice(last), " ", tag(words, rule))];
}

export const chip = (pictures, card, ground = card) =>
  paint(make("span", { class: "chip" }, pictures.get(card)), ground);

/** The picture of what happens: its card, or a heap of bricks for a pet that falls. */
export const stepChip = (pictures, { kind, card }) =>
  (kind === "knockout" ? chip(pictures, "fallen", "wait") : chip(pictures, card));

/** A picture that tells its styles how large it is, so that pictures beside each other have bricks of one size. */
export function sized(svg) {
  const [, , wide, high] = svg.getAttribute("viewBox")?.split(" ") || [];
  return tint(svg, ["--w", wide], ["--h", high]);
}

export function confetti() {
  const box = make("div", { class: "confetti", "aria-hidden": "true" });
  for (let n = 0; n < 42; n++) {
    const studs = 1 + (n % 3), scale = 0.9 + ((n * 29) % 7) / 9;
    const bricks = several(studs, (i) => `<use href="#sb-st" x="${i * 10}"/>`).join("");
    const piece = drawing(`<svg viewBox="0 -5 ${studs * 10} 17"><use href="#sb-${studs}"/>${bricks}</svg>`);
    tint(piece, ["width", `${studs * 12 * scale}px`], ["height", `${14 * scale}px`], ["left", `${(n * 61) % 100}%`],
      ["fill", CONFETTI[n % 7]], ["--dx", `${((n * 31) % 90) - 45}px`], ["--turn", `${((n * 71) % 900) - 450}deg`],
      ["--rest", `${(n * n * 17 + 31 * n) % 89}cqh`], ["animation-duration", `${2.6 + ((n * 17) % 20) / 10}s`],
      ["animation-delay", `-${((n * n * 7) % 43) / 10}s`]);
    box.append(piece);
  }
  return box;
}
