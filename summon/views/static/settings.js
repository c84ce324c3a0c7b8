/**
 * What whoever plays in this browser likes: sound, how fast a turn is shown, and calm motion.
 *
 * It is kept by the browser, the same on all of its open pages. Where nothing can be kept it lasts as long as the page.
 * A change is told to everything on the page by `summon:settings`.
 */

const KEPT = "summon-settings";
const CHANGED = "summon:settings";

/** How long everything that is shown takes, beside the normal speed. */
const PACES = { calm: 1.6, normal: 1, fast: 0.5 };

/** The speeds there are, the slowest first. */
export const SPEEDS = Object.keys(PACES);

class Settings {
  #liked = {};
  #quiet = false;

  constructor() {
    this.#read();
    addEventListener("storage", (event) => {
      if (event.key !== KEPT && event.key !== null) return;
      this.#read();
      dispatchEvent(new CustomEvent(CHANGED, { detail: this.#liked }));
    });
    // Where each component on a page has its own copy of this script, they hear of each other.
    addEventListener(CHANGED, (event) => { this.#liked = event.detail; });
  }

  get sound() {
    const { sound } = this.#liked;
    return typeof sound === "boolean" ? sound : !this.#quiet;
  }

  get speed() {
    return SPEEDS.includes(this.#liked.speed) ? this.#liked.speed : "normal";
  }

  get calm() {
    return this.#liked.calm === true;
  }

  /** What a time is multiplied by. */
  get pace() {
    return PACES[this.speed];
  }

  /** There is no sound here unless somebody wants it: a notebook may be open beside other people. */
  beQuiet() {
    this.#quiet = true;
  }

  change(liked) {
    const all = { ...this.#liked, ...liked };
    try {
      localStorage.setItem(KEPT, JSON.stringify(all));
    } catch {}
    dispatchEvent(new CustomEvent(CHANGED, { detail: all }));
  }

  /** Calls `told` after every change; gives what ends that. */
  follow(told) {
    addEventListener(CHANGED, told);
    return () => removeEventListener(CHANGED, told);
  }

  #read() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) || "{}");
      this.#liked = kept && typeof kept === "object" ? kept : {};
    } catch {}
  }
}

export const settings = new Settings();
