import { settings } from "./settings.js";

/**
 * What the board, the pages and the page before a battle are all built of.
 *
 * Served, this is a file beside theirs; elsewhere its text is put into theirs (`summon/views/component.py`). So all
 * scripts import as `import { a, b } from "./bricks.js";`, without renaming, and export where they define.
 */

/** A message without an answer, in ms: longer than the server waits for a busy store before it tells of trouble. */
export const PATIENCE = 15000;

/** Up to so much, health stands in rows of five. */
export const ROOMY = 10;

const GUESS = 130;             // one silhouette while the rival is being shuffled
const LOOK = 30;               // how often is looked whether the stylesheets are there
const SILENCE = 4000;          // a server that says nothing for so long is not there
const BLINK = 120;             // an eye is shut for so long
const BLINKS = [1200, 4200];   // and so much later the next one of two pets blinks

/** What is asked of the device, and what that is once the player has asked for calm motion. */
const CALM = { "(prefers-reduced-motion: reduce)": "all", "(prefers-reduced-motion: no-preference)": "not all" };

const STROKE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';
const icon = (width, paths) => `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="${width}">${paths}</svg>`;
export const ICONS = {
  back: icon(3.4, '<path d="M15 4l-8 8 8 8"/>'),
  left: icon(3.4, '<path d="M15 4l-8 8 8 8"/>'),
  right: icon(3.4, '<path d="M9 4l8 8-8 8"/>'),
  tick: icon(4, '<path d="M4.5 12.5l5 5 10-11"/>'),
  cross: icon(4, '<path d="M6 6l12 12M18 6L6 18"/>'),
  even: icon(4, '<path d="M5 9h14M5 15h14"/>'),
  stop: icon(3, '<rect x="6" y="6" width="12" height="12" rx="1.5"/>'),
  close: icon(3, '<path d="M5 5l14 14M19 5L5 19"/>'),
  clock: icon(3, '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2.5"/>'),
  lock: icon(3, '<rect x="4.5" y="11" width="15" height="10" rx="2" fill="currentColor"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11"/>'),
  door: icon(2.6, '<path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4"/>'),
  log: icon(2.6, '<path d="M9 5h12M9 12h12M9 19h12M3.5 5h.5M3.5 12h.5M3.5 19h.5"/>'),
  move: icon(2.8, '<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M3 12h18"/>'),
  sound: icon(2.6, '<path d="M3.5 9.500v5H7.500L13 19V5L7.500 9.500z" fill="currentColor"/><path d="M16.500 9q2 3 0 6M19.500 6q4 6 0 12"/>'),
  mute: icon(2.6, '<path d="M3.500 9.500v5H7.500L13 19V5L7.500 9.500z" fill="currentColor"/><path d="M16.500 9.500l5 5M21.500 9.500l-5 5"/>'),
  gear: icon(2.4, '<circle cx="12" cy="12" r="3.200"/><path d="M12 2.500v3M12 18.500v3M2.500 12h3M18.500 12h3M5.300 5.300l2.100 2.100M16.600 16.600l2.100 2.100M18.700 5.300l-2.100 2.100M7.400 16.600l-2.100 2.100"/><circle cx="12" cy="12" r="7"/>'),
  play: icon(2.6, '<path d="M7 4.5v15l12-7.5z" fill="currentColor"/>'),
  down: icon(3, '<path d="M12 3v12M6.5 10l5.5 5.5L17.5 10M4 20.5h16"/>'),
  copy: icon(2.6, '<rect x="9" y="9" width="12" height="12" rx="2"/><path d="M15 5.5V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h.5"/>'),
  share: icon(2.8, '<path d="M12 15V3.500M7.500 7.500L12 3l4.500 4.500M5 12v8.500h14V12"/>'),
  key: icon(2.8, '<circle cx="8" cy="15.5" r="4.5"/><path d="M11.5 12L20 3.500M16 7.500l3 3"/>'),
  find: icon(3, '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.500L21 21"/>'),
  warn: icon(2.8, '<path d="M12 3.500L22 20.500H2z"/><path d="M12 10v4.500M12 17.400v.1"/>'),
  info: icon(3, '<circle cx="12" cy="12" r="9.5"/><path d="M12 11v6M12 7.200v.1"/>'),
  then: icon(3.4, '<path d="M3 12h17M13 5l7 7-7 7"/>'),
};
export const BRICK = '<svg viewBox="0 -4 24 21"><path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z"/><path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z" fill="#fff" fill-opacity=".35"/><rect width="24" height="17" rx="1.5"/><path d="M.7 15.5V.7H23" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1.3"/><path d="M23.3 1.5v14.8H1" fill="none" stroke="#10082b" stroke-opacity=".3" stroke-width="1.3"/><path class="heart" d="M12 13.6C4 8.5 7.2 3.2 10.2 3.9q1.3.3 1.8 1.6.5-1.3 1.8-1.6c3-.7 6.2 4.6-1.8 9.7z"/></svg>';
export const COIN = '<svg class="coin" viewBox="-1.5 -5.5 29 25"><path d="M0 0h3v-3.5h7V0h6v-3.5h7V0h3v16a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2z" fill="none" stroke="#5c3800" stroke-width="3" stroke-linejoin="round"/><path d="M0 0h26v16a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2z" fill="#f2b600"/><path d="M3-3.5h7V0H3zM16-3.5h7V0h-7z" fill="#ffe27a"/><path d="M1 16.5V1h24" fill="none" stroke="#fff3b8" stroke-width="1.6"/><path d="M25 2v15H2" fill="none" stroke="#a86c00" stroke-width="1.6"/><path d="M13 4l1.5 3.3 3.5.4-2.6 2.4.7 3.5L13 11.9l-3.1 1.7.7-3.5L8 7.7l3.5-.4z" fill="#7a4b00"/></svg>';

export const fill = (template, values) => template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
export const still = () => settings.calm || matchMedia("(prefers-reduced-motion: reduce)").matches;
export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0");
export const clamp = (value, [least, most]) => Math.max(least, Math.min(most, value));
export const several = (count, one) => Array.from({ length: count }, (_, n) => one(n));
export const present = (things) =>
  things.filter((thing) => thing !== null && thing !== undefined && thing !== false);

/** A new order, each equally likely. */
export function shuffled(things) {
  const all = [...things];
  for (let n = all.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1));
    [all[n], all[other]] = [all[other], all[n]];
  }
  return all;
}

// Elements.

/** An element; what begins with "on" is heard, everything else is an attribute. */
export function make(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith("on")) node[name] = value;
    else set(node, name, value);
  }
  node.append(...present(children));
  return node;
}

/** An attribute; none for null, undefined and false. */
export function set(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export const button = (look, onclick, props, ...children) =>
  make("button", { class: look, type: "button", onclick, ...props }, ...children);
export const iconButton = (name, label, act, onclick) =>
  button("icon", onclick, { "aria-label": label, "data-act": act }, drawing(ICONS[name]));

export function tint(node, ...pairs) {
  for (const [name, value] of pairs) node.style.setProperty(name, value);
  return node;
}

/** The colours of a card, and those of a family: its sky, its ground and its bricks. */
export const paint = (node, card) => tint(node, ["--c", `var(--${card})`], ["--t", `var(--on-${card})`]);
export const ground = (node, family) =>
  tint(node, ["--sky", `var(--${family}-sky)`], ["--ground", `var(--${family}-ground)`], ["--pet", `var(--${family})`]);

/** A fresh copy of one of the game's own pictures, hidden from those who hear the page. */
export function drawing(markup) {
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
export function again(node, name) {
  node.classList.remove(name);
  void node.getBoundingClientRect();
  node.classList.add(name);
}

export const pips = (tier) => several(3, (n) => make("i", { class: n < tier ? "has" : "" }));

/** Bricks of health, of which so many are there. */
export const bricks = (count, has = count) =>
  several(count, (n) => make("i", { class: n < has ? "hp" : "hp gone" }, drawing(BRICK)));

// One choice out of several.

/** Buttons of which one is chosen, by a tap or by the arrow keys; each has `aria-checked` or `aria-selected`. */
export function choices(role, label, look, buttons, props = {}) {
  const state = role === "tablist" ? "aria-selected" : "aria-checked";
  oneStop(buttons, buttons.find((button) => button.getAttribute(state) === "true"));
  return make("div", { class: look, role, "aria-label": label, onkeydown: byArrows, ...props }, ...buttons);
}

/** One of these buttons, or the first, can be reached by the Tab key, and the others from there. */
export function oneStop(buttons, chosen) {
  buttons.forEach((button) => set(button, "tabindex", button === (chosen || buttons[0]) ? "0" : "-1"));
}

/** Up and down go by rows, as the buttons lie on the page. */
function byArrows(event) {
  const buttons = [...event.currentTarget.children], at = buttons.indexOf(event.target.closest("button"));
  const row = buttons.filter((button) => button.offsetTop === buttons[0].offsetTop).length;
  const down = row < buttons.length ? row : 1;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: down, ArrowUp: -down }[event.key];
  if (at < 0 || !step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const next = buttons[(at + step + buttons.length) % buttons.length];
  next.focus();
  next.click();
}

/** Runs through all the silhouettes that a rival may be, and stops at one. */
export class Guessing {
  /** The first one is seen at once. */
  static begin(place) {
    if (!place.querySelector(".seen")) place.firstElementChild?.classList.add("seen");
  }

  run(place) {
    clearInterval(this.timer);
    const next = () => {
      const seen = place.querySelector(".seen");
      seen?.classList.remove("seen");
      (seen?.nextElementSibling || place.firstElementChild)?.classList.add("seen");
    };
    next();
    if (still()) return;
    let left = place.childElementCount + 1;
    this.timer = setInterval(() => {
      next();
      if (--left <= 0) clearInterval(this.timer);
    }, GUESS);
  }
}

// Dialogs.

/** A dialog that slides in. Escape and a tap beside it close it; the focus stays inside, and goes back afterwards. */
export class Drawer {
  constructor(close, name) {
    this.title = make("h2", {});
    this.body = make("div", { class: "inside", id: `${name}-body` });
    this.foot = make("div", { class: "foot" });
    const icon = make("button", { class: "icon", type: "button", "aria-label": close, "data-act": "close",
      onclick: () => this.close() }, drawing(ICONS.close));
    this.root = make("dialog", { class: `drawer ${name}`,
      onclick: (event) => {
        if (event.target === this.root && event.detail < 2) this.close();
      },
      onkeydown: (event) => this.#onKey(event) },
      make("div", { class: "sheet" }, make("div", { class: "head" }, this.title, icon), this.body, this.foot));
  }

  /** The focus goes to the first of these buttons unless another one is named. */
  open(title, content, buttons = [], focused = buttons[0]) {
    this.title.textContent = title;
    set(this.root, "aria-label", title);
    this.fill(content, buttons);
    if (!this.root.open) this.root.showModal();
    this.#reachAll();
    (focused || this.root.querySelector(".icon")).focus({ preventScroll: true });
  }

  fill(content, buttons) {
    this.body.replaceChildren(...content);
    this.body.scrollTop = 0;
    if (buttons) this.foot.replaceChildren(...buttons);
    this.foot.hidden = !this.foot.childElementCount;
    this.#reachAll();
  }

  close() {
    if (this.root.open) this.root.close();
  }

  /** What is longer than its place can be moved by the arrow keys. */
  #reachAll() {
    set(this.body, "tabindex", this.body.scrollHeight > this.body.clientHeight + 1 ? "0" : null);
  }

  // From the last place to stop the Tab key would go on to the browser's own.
  #onKey(event) {
    event.stopPropagation();
    if (event.key !== "Tab") return;
    const stops = [...this.root.querySelectorAll("a[href], button, input, [tabindex]")]
      .filter((it) => it.tabIndex >= 0 && it.checkVisibility());
    const ends = [stops[0], stops.at(-1)];
    if (event.target !== ends[event.shiftKey ? 0 : 1]) return;
    event.preventDefault();
    ends[event.shiftKey ? 1 : 0].focus();
  }
}

/** A question with two answers; Escape is the second one. */
export class Ask extends Drawer {
  constructor(close) {
    super(close, "ask");
    set(this.root, "aria-describedby", this.body.id);
  }

  /** `careful` is for what cannot be taken back, `loses` for what loses something: the focus is on the other answer. */
  ask({ title, body, yes, no, careful = false, loses = false }, agreed) {
    const answer = (look, act, text, then) => make("button", { class: look, type: "button", "data-act": act,
      onclick: () => {
        this.close();
        then();
      } }, text);
    const buttons = [answer(loses ? "brick warn" : "brick", "yes", yes, agreed),
      answer("brick plain", "no", no, () => {})];
    this.open(title, body, buttons, buttons[careful || loses ? 1 : 0]);
  }
}

/** Closes every dialog inside. */
export const closeAll = (root) => root.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());

// The page around it.

/** Where there is no safe connection there is no clipboard; whether it was copied. */
export async function toClipboard(text, place = document.body) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { class: "hidden-words", readonly: "readonly" });
    field.value = text;
    place.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
}

/** Saves a text as a file. */
export function download({ name, text }) {
  const file = new Blob([String(text)], { type: "application/json" });
  const link = make("a", { download: String(name), href: URL.createObjectURL(file) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Puts a component on the page, once its stylesheets are there: what is measured, scrolled or focused before them lies
 * elsewhere afterwards. So does everything that comes from the server wait for them.
 *
 * `start` makes the component of its pictures and its content. It has a `root` and hears messages by `hear`. If it can
 * `receive`, it is given each new state of the model. It is handed `feel`, which asks the server whether it is there,
 * and what the state is.
 */
export function mount({ model, el }, start) {
  book.place = model.book || "";
  let newest = 0;
  forgetNews();
  const mounted = Promise.all([given(model.art), given(model.content), stylesheets(el)]).then(([art, content]) => {
    const component = start(art, content);
    el.append(component.root);
    dress(model, el);
    const suit = () => {
      tint(component.root, ["--pace", settings.pace]);
      calmDown(el);
    };
    suit();
    model.on("remove", settings.follow(suit));
    model.on("remove", blinking(component.root));
    model.on("remove", onceHidden(component.root, () => closeAll(component.root)));
    component.feel = feel;
    if (component.receive) take(component, model.shown);
    return component;
  });
  const feel = feelPulse(model, mounted);
  // In a notebook Python may have gone on before anything was there to hear of it.
  if (isContent(model.art)) mounted.then(feel);
  // States may arrive in another order than they were sent: an older one is nothing new.
  const take = (component, shown) => {
    const { serial, state } = JSON.parse(shown || '{"serial": 0, "state": {}}');
    if (newest && serial <= newest) return;
    newest = serial;
    component.receive(state);
  };
  if (model.shown !== undefined) model.on("shown", () => mounted.then((component) => take(component, model.shown)));
  model.on("theme", () => dress(model, el));
  model.on("msg:custom", (message) => mounted.then((component) => {
    if (message?.type !== "pong") component.hear(message);
    else if (message.shown) take(component, message.shown);
  }));
  return mounted;
}

/**
 * Calls `told` whenever something is hidden: a dialog that stays open in it would keep every tap from the rest of the
 * page. Gives what ends that.
 */
function onceHidden(root, told) {
  const sizes = new ResizeObserver(() => root.checkVisibility() || told());
  sizes.observe(root);
  return () => sizes.disconnect();
}

/** Where the rulebook's own site is; empty where nobody serves it, as in a notebook. */
export const book = { place: "" };

/** What leads to the page of a rule there, or to its cover, beside the game: a battle goes on. */
export const toBook = (page) => ({ href: book.place + page, target: "_blank", rel: "noopener" });

/**
 * Now and then one of the pets blinks. In between nothing runs: an eye that is animated without end has the browser
 * look at the page anew sixty times a second. Gives what ends that.
 */
function blinking(root) {
  let timer;
  const wait = (pets) => {
    const [least, most] = BLINKS;
    timer = setTimeout(blink, (least + Math.random() * (most - least)) / Math.max(1, pets / 2));
  };
  const blink = () => {
    const pets = [...root.querySelectorAll(".pet:not(.build, .crumble, .face *)")].filter((pet) => pet.checkVisibility());
    const [pet] = shuffled(pets);
    if (pet && !still() && document.visibilityState === "visible") {
      for (const eye of pet.querySelectorAll(".open")) eye.animate({ transform: ["scaleY(.08)", "scaleY(.08)"] }, BLINK);
    }
    wait(pets.length);
  };
  wait(1);
  return () => clearTimeout(timer);
}

/** Whether a text is content itself and no address: so where nobody serves a component, as in a notebook. */
const isContent = (text) => /^[[{]/.test(text);

/**
 * What never changes, given as JSON, or by the address where all components find it. Without it there is nothing to be
 * shown, so that the page is lost if it does not come.
 */
export async function given(text) {
  if (!text || isContent(text)) return text && JSON.parse(text);
  if (!given.asked.has(text)) given.asked.set(text, fetch(text).then((answer) => answer.json()));
  try {
    return await given.asked.get(text);
  } catch {
    dispatchEvent(new Event("summon:lost"));
    return new Promise(() => {});
  }
}
given.asked = new Map();

/** Resolves when an element is in the page and its stylesheets have come; those that never come are not waited for. */
async function stylesheets(el) {
  const end = performance.now() + PATIENCE;
  const links = () => [...el.getRootNode().querySelectorAll("link[rel=stylesheet]")];
  while (!(el.isConnected && links().every((link) => link.sheet)) && performance.now() < end) {
    await new Promise((done) => setTimeout(done, LOOK));
  }
}

/**
 * A connection may be dead and nobody says so, as after a sleep: asks the server whenever the page is back, and where
 * nothing at all is heard, tells the page by `summon:lost`. Gives what asks at any other time.
 */
function feelPulse(model, mounted) {
  const listening = new AbortController(), { signal } = listening;
  let waiting = null;
  const heard = () => {
    clearTimeout(waiting);
    waiting = null;
  };
  const ask = () => {
    if (waiting || document.visibilityState === "hidden") return;
    waiting = setTimeout(() => dispatchEvent(new Event("summon:lost")), SILENCE);
    model.send_msg({ type: "ping" });
  };
  if (model.shown !== undefined) model.on("shown", heard);
  model.on("msg:custom", heard);
  model.on("remove", () => {
    heard();
    listening.abort();
  });
  mounted.then(() => {
    document.addEventListener("visibilitychange", ask, { signal });
    for (const back of ["pageshow", "online"]) addEventListener(back, ask, { signal });
  });
  return ask;
}

function dress(model, el) {
  const { host } = el.getRootNode();
  if (model.theme === "auto") delete host.dataset.theme;
  else host.dataset.theme = model.theme;
}

/** What the stylesheets keep for devices that ask for calm motion holds as well where the player asks for it. */
function calmDown(el) {
  for (const sheet of el.getRootNode().styleSheets) {
    let rules = [];
    try {
      rules = sheet.cssRules;
    } catch {}      // of another host, where the game is part of somebody's page
    for (const rule of rules) {
      if (rule.media && CALM[rule.media.mediaText]) calmDown.asked.set(rule, rule.media.mediaText);
      const asked = calmDown.asked.get(rule);
      if (asked) rule.media.mediaText = settings.calm ? CALM[asked] : asked;
    }
  }
}
calmDown.asked = new WeakMap();

/** What the server has just added to the page would be sent back to it whole, with the next message: it knows it. */
function forgetNews() {
  window.Bokeh?.documents?.[0]?._new_models?.clear();
}
