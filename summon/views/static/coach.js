import { again, button, drawing, ICONS, make, paint, set, tint } from "./bricks.js";

/**
 * The coach of a first battle: says what to tap, points at it, and tells afterwards what it was good for.
 *
 * It looks at the board and never touches it: what is chosen is for the board and the server. What it says comes with
 * the state, as `lesson`; where there is none it is not there.
 */

const KEPT = "summon-lesson";
const LOOKED_AT = ["data-phase", "data-go", "aria-pressed", "aria-disabled"];

/** Whether the first battle was played or declined in this browser; where nothing can be kept, since the page began. */
export const learned = {
  here: false,
  get done() {
    try {
      return this.here || localStorage.getItem(KEPT) !== null;
    } catch {
      return this.here;
    }
  },
  finish() {
    this.here = true;
    try {
      localStorage.setItem(KEPT, "done");
    } catch {}
  },
};

export class Coach {
  /** `leave` is called when the player has had enough. */
  constructor({ root, screen, panel }, pictures, leave) {
    Object.assign(this, { root, screen, panel, pictures, lesson: null, at: null, told: "" });
    this.words = make("p", { role: "status" });
    this.signs = make("div", { class: "beats", role: "img", hidden: true });
    this.bubble = make("div", { class: "coach", hidden: true },
      make("span", { class: "coach-pet", "aria-hidden": "true" }, pictures.get("coach")),
      make("div", { class: "bubble" }, this.words, this.signs));
    this.pointer = make("div", { class: "coach-hand", "aria-hidden": "true", hidden: true },
      make("span", { class: "ring" }), make("span", { class: "finger" }, pictures.get("pointer")));
    this.skip = button("brick plain skip-lesson", () => {
      learned.finish();
      leave();
    }, { "data-act": "skip-lesson", hidden: true });
    panel.prepend(this.bubble);
    screen.querySelector(".top").prepend(this.skip);
    root.append(this.pointer);
    screen.addEventListener("click", (event) => this.#answer(event));
    const changes = new MutationObserver(() => this.#look());
    changes.observe(screen, { subtree: true, attributes: true, attributeFilter: LOOKED_AT });
    const sizes = new ResizeObserver(() => this.#point());
    [root, panel, this.bubble].forEach((node) => sizes.observe(node));
    root.addEventListener("scroll", () => this.#point(), true);
  }

  receive(lesson) {
    this.lesson = lesson || null;
    this.screen.classList.toggle("learning", Boolean(lesson));
    if (lesson) {
      this.skip.replaceChildren(make("span", {}, lesson.skip), drawing(ICONS.right));
      set(this.skip, "aria-label", lesson.skip_lesson);
    }
    this.#look();
  }

  /** What the board shows now, and what there is to say about it. */
  #look() {
    const { lesson } = this, { phase, turn } = this.screen.dataset;
    this.skip.hidden = !lesson || phase === "over";
    if (!lesson) this.#say(null);
    else if (phase === "choosing") this.#teach(lesson);
    else if (phase === "over") this.#end(lesson);
    else if (this.#go("next", "result") && lesson.shown?.turn === Number(turn)) this.#explain(lesson.shown);
    else this.#say(null);
  }

  #teach({ card, pick, lock, all }) {
    const button = card && this.panel.querySelector(`button.card[data-card="${card}"]`);
    if (!button) this.#say(pick, all);
    else if (button.getAttribute("aria-pressed") === "true") this.#say(lock, null, this.#go("lock"));
    else this.#say(pick, null, button);
  }

  #explain(shown) {
    this.#say(shown.text, shown.beats, this.#go("next", "result"));
  }

  #end({ end, all }) {
    learned.finish();
    this.#say(end, all);
  }

  /** The yellow button, while it does one of these things. */
  #go(...doing) {
    const go = this.panel.querySelector(".go");
    return doing.includes(go?.dataset.go) ? go : null;
  }

  #say(text, beats = null, at = null) {
    const told = JSON.stringify([text, beats]);
    this.bubble.hidden = !text;
    this.screen.classList.toggle("coached", Boolean(text));
    if (text && told !== this.told) {
      this.words.textContent = text;
      this.#draw(beats);
      again(this.bubble, "speaks");
    }
    this.told = told;
    // Where the letters are so large that the board is scrolled, what is pointed at is brought into view.
    if (at && at !== this.at && this.root.scrollHeight > this.root.clientHeight) at.scrollIntoView({ block: "center" });
    this.at = at;
    this.#point();
  }

  /** Each card is good against the next, without words. */
  #draw(beats) {
    const { signs, pictures } = this, cards = beats?.cards || [];
    const chips = cards.map((card) => paint(make("span", { class: "chip" }, pictures.get(card)), card));
    set(signs, "aria-label", beats?.label);
    signs.hidden = !beats;
    signs.classList.toggle("pair", cards.length === 2);
    if (cards.length === 2) chips[1] = make("span", { class: "beaten" }, chips[1], drawing(ICONS.cross));
    signs.replaceChildren(...chips.flatMap((chip, n) => (n ? [drawing(ICONS.then), chip] : [chip])));
  }

  /** The finger touches the lower edge of a card, and comes from the right to the words of the wide button. */
  #point() {
    const { at, root, pointer } = this, box = at?.getBoundingClientRect();
    pointer.hidden = !box?.width;
    if (pointer.hidden) return;
    const frame = root.getBoundingClientRect();
    tint(pointer, ["left", `${box.x - frame.x}px`], ["top", `${box.y - frame.y + root.scrollTop}px`],
      ["width", `${box.width}px`], ["height", `${box.height}px`]);
    pointer.classList.toggle("wide", at.matches(".go"));
    pointer.classList.toggle("below", !at.matches(".go"));
  }

  /** Another card is tapped: it waits for its own turn. */
  #answer(event) {
    const card = event.target.closest("button.card[data-card]");
    if (!this.lesson?.card || !this.at || !card || card.dataset.card === this.lesson.card) return;
    this.words.textContent = this.lesson.others[card.dataset.card];
    this.told = "";
    again(this.bubble, "speaks");
    again(this.pointer, "insists");
  }
}
