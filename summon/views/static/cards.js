import { drawing, fill, ICONS, make, paint, pips, several, tint } from "./bricks.js";

/** The cards of a battle as they are drawn, and the other pictures of the board. */

const CONFETTI = ["#49a63b", "#d8321f", "#d93b80", "#2277d4", "#ffc926", "#18a39b", "#f57c1f"];
const HOURGLASS = [
  [0, 0, 4, "#b0763f"], [40, 0, 2, "#b0763f"], [10, 1, 4, "#eaf4ff"], [20, 2, 2, "#ffc926"],
  [20, 3, 2, "#eaf4ff"], [10, 4, 4, "#ffc926"], [0, 5, 4, "#b0763f"], [40, 5, 2, "#b0763f"],
];
const WAITING = ['<svg viewBox="-1 -6 62 79">',
  ...HOURGLASS.map(([x, row, studs, colour]) => `<use href="#sb-${studs}" x="${x}" y="${row * 12}" fill="${colour}"/>`),
  ...[0, 10, 20, 30, 40, 50].map((x) => `<use href="#sb-st" x="${x}" fill="#b0763f"/>`), "</svg>"].join("");

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

/** What stands on a card: {card, name, now, tier, why, icon, effect, amount}. */
export function face(pictures, it) {
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

export const shownCard = (pictures, it) =>
  paint(make("div", { class: "card", "data-card": it.card }, ...face(pictures, it)), it.card);
export const hiddenCard = (pictures, words) => make("div", { class: "card back" },
  make("span", { class: "pic" }, pictures.get("what")), make("span", { class: "hidden-words" }, words.hidden));
export const ruleTag = (words, rule) =>
  (rule ? make("span", { class: "rule", role: "img", "aria-label": fill(words.rule, { rule }) }, rule) : null);

/** A sentence and the number of its rule. */
export const ruled = (words, { text, rule }) => [text, rule ? " " : null, ruleTag(words, rule)];
export const chip = (pictures, card) => paint(make("span", { class: "chip" }, pictures.get(card)), card);

export function confetti() {
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
