/**
 * The page before a battle.
 *
 * `render` gets the model: `content` (words, pets, rivals, cards), `art` and `initial` never change. What the player
 * chose goes to the server as one message, `start`; no property is set here. Every text is put on the page as text; only
 * the pictures, which are the game's own, are markup.
 *
 * From small to large: helpers, `Radios` (one choice out of several), `Deck` (the cards to try), `SetUp`.
 */

const PATIENCE = 20000;        // a start without an answer: the button may be pressed again
const GUESS = 130;             // one silhouette while the rival is being shuffled
const SURPRISE = 3;            // so many cards come by chance

const STROKE = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"';
const TICK = `<svg viewBox="0 0 20 20" ${STROKE} stroke-width="3.4"><path d="M4 10.5l4 4L16 5"/></svg>`;
const LOCK = `<svg viewBox="0 0 24 24" ${STROKE} stroke-width="3"><rect x="4.5" y="11" width="15" height="10" rx="2" fill="currentColor"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11"/></svg>`;
const BRICK = '<svg viewBox="0 -4 24 21"><path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z"/><path d="M3.5-3.5h7V1h-7zM13.5-3.5h7V1h-7z" fill="#fff" fill-opacity=".35"/><rect width="24" height="17" rx="1.5"/><path d="M.7 15.5V.7H23" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1.3"/><path d="M23.3 1.5v14.8H1" fill="none" stroke="#10082b" stroke-opacity=".3" stroke-width="1.3"/><path class="heart" d="M12 13.6C4 8.5 7.2 3.2 10.2 3.9q1.3.3 1.8 1.6.5-1.3 1.8-1.6c3-.7 6.2 4.6-1.8 9.7z"/></svg>';

const fill = (words, values) => words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const several = (count, one) => Array.from({ length: count }, (_, n) => one(n));

function make(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else set(node, name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An attribute; none for null and undefined. */
function set(node, name, value) {
  if (value === null || value === undefined) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

function tint(node, ...pairs) {
  for (const [name, value] of pairs) node.style.setProperty(name, value);
  return node;
}

const paint = (node, card) => tint(node, ["--c", `var(--${card})`], ["--t", `var(--on-${card})`]);

/** One of the game's own pictures, hidden from those who hear the page. */
function drawing(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  template.content.firstElementChild.setAttribute("aria-hidden", "true");
  return template.content.firstElementChild;
}

/** Starts an animation again from its beginning. */
function again(node, name) {
  node.classList.remove(name);
  void node.getBoundingClientRect();
  node.classList.add(name);
}

/** A new order, each equally likely. */
function shuffled(things) {
  const all = [...things];
  for (let n = all.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1));
    [all[n], all[other]] = [all[other], all[n]];
  }
  return all;
}

/** One choice out of several buttons: by a tap, or by the arrow keys. */
class Radios {
  constructor(label, buttons, picked) {
    Object.assign(this, { buttons, picked });
    this.root = make("div", { role: "radiogroup", "aria-label": label, onkeydown: (event) => this.#onKey(event) }, ...buttons);
    buttons.forEach((button) => button.addEventListener("click", () => this.pick(button)));
    this.show(null);
  }

  show(chosen) {
    this.buttons.forEach((button, n) => {
      set(button, "aria-checked", button === chosen);
      set(button, "tabindex", button === chosen || (!chosen && n === 0) ? 0 : -1);
    });
  }

  pick(button) {
    this.show(button);
    this.picked(button);
  }

  #onKey(event) {
    const at = this.buttons.indexOf(event.target), step = this.#step(event.key);
    if (at < 0 || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = this.buttons[(at + step + this.buttons.length) % this.buttons.length];
    next.focus();
    this.pick(next);
  }

  /** Up and down go by rows, as the buttons lie on the page. */
  #step(key) {
    const row = this.buttons.filter((button) => button.offsetTop === this.buttons[0].offsetTop).length;
    const down = row < this.buttons.length ? row : 1;
    return { ArrowRight: 1, ArrowLeft: -1, ArrowDown: down, ArrowUp: -down }[key];
  }
}

/** The cards to try, with their count in bricks and a line on the one that was touched last. */
class Deck {
  constructor({ words, cards, most }, picture, meaning) {
    Object.assign(this, { words, cards, most, meaning, chosen: [] });
    this.buttons = new Map(cards.map((card) => [card.card, this.#card(card, picture)]));
    this.tray = make("span", { class: "tray", "aria-hidden": "true" }, ...several(most, () => make("i", { class: "hp gone" }, drawing(BRICK))));
    this.count = make("b", { class: "count" });
    this.say = make("p", { class: "say" });
    this.told = make("p", { class: "hidden-words", role: "status" });
    this.surprise = make("button", { class: "brick plain surprise", type: "button", "data-act": "surprise", onclick: () => this.#surprise() }, picture("what"), make("span", {}, words.surprise));
    this.none = make("button", { class: "brick plain none", type: "button", "data-act": "none", onclick: () => this.#none() }, words.none);
    this.root = make("section", { class: "part deck", "aria-label": words.cards },
      make("div", { class: "heading" }, make("h2", {}, words.cards), make("span", { class: "counter" }, this.tray, this.count)),
      this.say,
      make("div", { class: "picks" }, ...this.buttons.values(), this.surprise, this.none), this.told);
    this.note();
  }

  note() {
    this.say.textContent = this.words.cards_note;
  }

  /** Shows which cards are in; `chosen` are their names in the order in which they were taken. */
  show(chosen) {
    this.chosen = chosen;
    this.cards.forEach((card) => this.#showCard(card));
    const bricks = [...this.tray.children];
    bricks.forEach((brick, n) => {
      const comes = n < chosen.length && brick.classList.contains("gone");
      if (chosen[n]) tint(brick, ["--pet", `var(--${chosen[n]})`]);
      brick.classList.toggle("gone", n >= chosen.length);
      brick.classList.toggle("on", comes);
    });
    this.count.textContent = fill(this.words.count, { count: chosen.length, most: this.most });
    this.none.hidden = !chosen.length;
  }

  #card(card, picture) {
    const tell = () => this.#tell(card);
    return paint(make("button", { class: "card", type: "button", "data-card": card.card, onclick: () => this.#toggle(card), onfocus: tell, onpointerenter: tell },
      make("span", { class: "pic" }, picture(card.card)),
      make("span", { class: card.name.length > 9 ? "name long" : "name" }, card.name),
      make("span", { class: "why" }, drawing(LOCK), make("span", {}, fill(this.words.full, { most: this.most })))), card.card);
  }

  #isFull(card) {
    return this.chosen.length >= this.most && !this.chosen.includes(card.card);
  }

  #fullLine(card) {
    return fill(this.words.full_line, { most: this.most, name: card.name });
  }

  #showCard(card) {
    const button = this.buttons.get(card.card), full = this.#isFull(card);
    set(button, "aria-pressed", this.chosen.includes(card.card));
    set(button, "aria-disabled", full ? true : null);
    set(button, "aria-label", `${card.name}. ${this.meaning(card)}${full ? ` ${this.#fullLine(card)}` : ""}`);
  }

  #tell(card) {
    this.say.replaceChildren(make("b", {}, `${card.name}.`), ` ${this.meaning(card)}`);
  }

  #toggle(card) {
    const { chosen } = this;
    if (this.#isFull(card)) {
      this.say.textContent = this.#fullLine(card);
      this.told.textContent = this.#fullLine(card);
      return;
    }
    this.show(chosen.includes(card.card) ? chosen.filter((name) => name !== card.card) : [...chosen, card.card]);
    this.#tell(card);
    this.told.textContent = this.count.textContent;
  }

  #surprise() {
    const names = shuffled(this.cards.map((card) => card.card)).slice(0, SURPRISE);
    this.show(names);
    names.forEach((name) => again(this.buttons.get(name), "dealt"));
    this.say.textContent = this.cards.filter((card) => names.includes(card.card)).map((card) => card.name).join(", ");
    this.told.textContent = this.say.textContent;
  }

  #none() {
    this.show([]);
    this.note();
    this.surprise.focus();
    this.told.textContent = this.count.textContent;
  }
}

/** The whole page. */
class SetUp {
  constructor(model) {
    const { initial } = model, content = JSON.parse(model.content);
    Object.assign(this, { model, content, art: JSON.parse(model.art), words: content.words, pet: null, evolved: false, starting: null });
    this.pets = new Radios(this.words.pets, content.pets.map((pet) => this.#petButton(pet)), (button) => this.#pickPet(button));
    this.rivals = new Radios(this.words.rival, content.rivals.map((rival) => this.#rivalButton(rival)), (button) => this.#pickRival(button));
    this.deck = new Deck(content, (name) => this.picture(name), (card) => this.#meaning(card));
    this.line = make("p", { class: "line", role: "alert" });
    this.go = make("button", { class: "brick go", type: "button", onclick: () => this.#start() });
    this.root = this.#layOut();
    this.#begin(initial || { pet: null, rival_evolved: false, cards: [] });
  }

  /** A message of the server's. */
  hear(message) {
    if (message?.type === "ready") this.#settle();
    if (message?.type !== "refused") return;
    this.#settle();
    this.#tell(message.text, true);
  }

  picture(name) {
    return Object.hasOwn(this.art, name) ? drawing(this.art[name]) : null;
  }

  // What the page is made of.

  #layOut() {
    const { words } = this;
    this.pets.root.classList.add("pets");
    this.rivals.root.classList.add("rivals");
    return make("div", { class: "setup" }, this.picture("shapes"),
      make("main", { class: "scroll" },
        make("section", { class: "part mine", "aria-label": words.pets },
          this.model.back || this.model.note ? this.#practiceBar() : null,
          make("div", { class: "logo", role: "img", "aria-label": words.logo }, this.picture("summon")),
          make("h1", {}, words.pets), this.pets.root),
        make("div", { class: "against" },
          make("section", { class: "part them", "aria-label": words.rival },
            make("div", { class: "heading" }, make("h2", {}, words.rival), make("span", { class: "note" }, words.rival_note)), this.rivals.root),
          this.deck.root)),
      make("div", { class: "start" }, this.line, this.go));
  }

  /** Where practice is one page among others: the way back, and what it pays. */
  #practiceBar() {
    const { words } = this;
    return make("div", { class: "practice" },
      this.model.back ? make("button", { class: "brick plain", type: "button", "data-act": "back", onclick: () => this.model.send_msg({ type: "back" }) }, words.back) : null,
      make("span", {}, this.model.note || words.practice));
  }

  #petButton(pet) {
    const { words } = this;
    const label = `${pet.name}. ${words.wild_card}: ${pet.wild}, ${pet.does}. ${fill(words.grows, { evolved: pet.evolved_name })}`;
    return tint(make("button", { class: "choice", type: "button", role: "radio", "data-pet": pet.pet, "aria-label": label },
      make("span", { class: "scene" }, make("span", { class: "grows" }, this.picture(pet.evolved)), make("span", { class: "pet" }, this.picture(pet.pet))),
      make("span", { class: "about" }, make("b", {}, pet.name),
        make("span", { class: "power" }, paint(make("span", { class: "chip" }, this.picture("wild")), "wild"), make("span", {}, `${pet.wild}: `, make("span", {}, pet.does)))),
      make("span", { class: "tick" }, drawing(TICK))),
    ["--sky", `var(--${pet.pet}-sky)`], ["--ground", `var(--${pet.pet}-ground)`]);
  }

  #rivalButton(rival) {
    const guess = make("span", { class: "guess" });
    const button = make("button", { class: "choice mystery", type: "button", role: "radio", "data-rival": rival.rival, "aria-label": `${rival.name}. ${rival.line}.` },
      make("span", { class: "scene" }, guess, make("span", { class: "what" }, this.picture("what"))),
      make("span", { class: "about" }, make("b", {}, rival.name),
        make("span", { class: "health" }, ...several(rival.health, () => make("i", { class: "hp" }, drawing(BRICK)))), make("span", {}, rival.line)),
      make("span", { class: "tick" }, drawing(TICK)));
    guess.append(...shuffled(this.content.pets).map((pet) => this.picture(rival.evolved ? pet.evolved : pet.pet)).filter(Boolean));
    guess.firstElementChild?.classList.add("seen");
    return button;
  }

  #begin({ pet, rival_evolved: evolved, cards }) {
    this.pet = this.content.pets.find((it) => it.pet === pet) || null;
    this.evolved = evolved;
    this.pets.show(this.pets.buttons.find((button) => button.dataset.pet === pet) || null);
    this.rivals.show(this.rivals.buttons.find((button) => button.dataset.rival === (evolved ? "evolved" : "plain")));
    this.deck.show(cards);
    this.#smile();
    this.#showGo();
  }

  // Choosing.

  #pickPet(button) {
    const first = !this.pet;
    this.pet = this.content.pets.find((pet) => pet.pet === button.dataset.pet);
    this.#smile();
    again(button.querySelector(".pet"), "cheer");
    this.#tell("");
    this.#showGo();
    if (first) again(this.go, "ready");
    this.deck.show(this.deck.chosen);
  }

  #pickRival(button) {
    this.evolved = button.dataset.rival === "evolved";
    this.#tell("");
    this.#guess(button.querySelector(".guess"));
  }

  #smile() {
    for (const button of this.pets.buttons) button.querySelector(".pet").classList.toggle("happy", button.dataset.pet === this.pet?.pet);
  }

  /** Runs through all that the rival may be. */
  #guess(guess) {
    clearInterval(this.guessing);
    const next = () => {
      const seen = guess.querySelector(".seen");
      seen?.classList.remove("seen");
      (seen?.nextElementSibling || guess.firstElementChild)?.classList.add("seen");
    };
    next();
    if (still()) return;
    let left = guess.childElementCount + 1;
    this.guessing = setInterval(() => {
      next();
      if (--left <= 0) clearInterval(this.guessing);
    }, GUESS);
  }

  #meaning(card) {
    if (card.card !== "wild" || !this.pet) return card.line;
    return fill(this.words.wild, { pet: this.pet.name, wild: this.pet.wild, does: this.pet.does });
  }

  // Starting.

  #showGo() {
    const { words, pet, starting } = this;
    this.go.textContent = pet ? fill(starting ? words.going : words.go, { pet: pet.name }) : words.pick;
    set(this.go, "aria-disabled", pet && !starting ? null : true);
    this.go.classList.toggle("soon", Boolean(starting));
  }

  #start() {
    if (this.starting) return;
    if (!this.pet) {
      this.#askForPet();
      return;
    }
    this.#tell("");
    this.model.send_msg({ type: "start", pet: this.pet.pet, rival_evolved: this.evolved, cards: this.deck.chosen });
    this.starting = setTimeout(() => this.#settle(), PATIENCE);
    this.#showGo();
  }

  #settle() {
    clearTimeout(this.starting);
    this.starting = null;
    this.#showGo();
  }

  #askForPet() {
    this.#tell(this.words.pick_line);
    this.root.querySelector(".scroll").scrollTo({ top: 0, behavior: still() ? "auto" : "smooth" });
    this.pets.buttons[0].focus({ preventScroll: true });
    this.pets.buttons.forEach((button) => again(button, "here"));
  }

  #tell(text, bad = false) {
    this.line.textContent = text;
    this.line.classList.toggle("bad", bad);
  }
}

function dress(model, host) {
  if (model.theme === "auto") delete host.dataset.theme;
  else host.dataset.theme = model.theme;
}

/** What the server has just added to the page would be sent back to it whole, with the next message: it knows it. */
function forgetNews() {
  window.Bokeh?.documents?.[0]?._new_models?.clear();
}

export function render({ model, el }) {
  forgetNews();
  const page = new SetUp(model);
  el.append(page.root);
  const { host } = page.root.getRootNode();
  dress(model, host);
  model.on("theme", () => dress(model, host));
  model.on("msg:custom", (message) => page.hear(message));
}
