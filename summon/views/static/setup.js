import {
  again, Ask, bricks, choices, drawing, fill, ground, Guessing, ICONS, make, mount, oneStop, paint, PATIENCE, set,
  shuffled, still, tint,
} from "./bricks.js";
import { sized } from "./cards.js";
import { Gear } from "./gear.js";

/**
 * The page before a battle.
 *
 * `render` gets the model: `content` (words, pets, rivals, cards), `art` and `initial` never change. What the player
 * chose goes to the server as one message, `start`; no property is set here. Every text is put on the page as text; only
 * the pictures, which are the game's own, are markup.
 *
 * From small to large: `Deck` (the cards to try), `SetUp`.
 */

const SURPRISE = 3;            // so many cards come by chance

/** The cards to try, with their count in bricks and a line on the one that was touched last. */
class Deck {
  constructor({ words, cards, most }, picture, meaning) {
    Object.assign(this, { words, cards, most, meaning, chosen: [] });
    this.buttons = new Map(cards.map((card) => [card.card, this.#card(card, picture)]));
    this.tray = make("span", { class: "tray", "aria-hidden": "true" }, ...bricks(most, 0));
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
      make("span", { class: "why" }, drawing(ICONS.lock), make("span", {}, fill(this.words.full, { most: this.most })))), card.card);
  }

  #isFull(card) {
    return this.chosen.length >= this.most && !this.chosen.includes(card.card);
  }

  #fullLine(card) {
    return fill(this.words.full_line, { most: this.most, name: card.name });
  }

  #showCard(card) {
    const button = this.buttons.get(card.card), full = this.#isFull(card);
    set(button, "aria-pressed", String(this.chosen.includes(card.card)));
    set(button, "aria-disabled", full);
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
  constructor(model, art, content) {
    const { initial } = model;
    Object.assign(this, { model, content, art, words: content.words, pet: null, evolved: false,
      starting: null, guessing: new Guessing() });
    this.pets = content.pets.map((pet) => this.#petButton(pet));
    this.rivals = content.rivals.map((rival) => this.#rivalButton(rival));
    this.deck = new Deck(content, (name) => this.picture(name), (card) => this.#meaning(card));
    this.line = make("p", { class: "line", role: "alert" });
    this.asking = new Ask(this.words.close);
    this.gear = new Gear(this.words.settings);
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
    return Object.hasOwn(this.art, name) ? sized(drawing(this.art[name])) : null;
  }

  // What the page is made of.

  #layOut() {
    const { words } = this, { back, note } = this.model;
    return make("div", { class: "setup" }, this.picture("shapes"), this.#bar(),
      make("main", { class: "scroll" },
        make("section", { class: "part mine", "aria-label": words.pets },
          back || note ? make("div", { class: "practice" }, make("p", { class: "note-plate" },
            make("span", { class: "icon-sign" }, drawing(ICONS.info)), make("span", {}, note || words.practice)),
            back ? this.#learn() : null) : null,
          make(back ? "h2" : "h1", {}, words.pets), choices("radiogroup", words.pets, "pets", this.pets)),
        make("div", { class: "against" },
          make("section", { class: "part them", "aria-label": words.rival },
            make("div", { class: "heading" }, make("h2", {}, words.rival), make("span", { class: "note" }, words.rival_note)),
            choices("radiogroup", words.rival, "rivals", this.rivals)),
          this.deck.root)),
      make("footer", { class: "start" }, this.line, this.go), this.asking.root,
      this.gear.root);
  }

  /** The first battle, which teaches, can be played again. */
  #learn() {
    const { words, model } = this;
    return make("button", { class: "brick plain learn", type: "button", "data-act": "lesson",
      onclick: () => model.send_msg({ type: "lesson" }) },
    make("span", { class: "coach-pet", "aria-hidden": "true" }, this.picture("coach")), make("span", {}, words.lesson));
  }

  /** Where practice is one page among others it has their header: the way back and its name. */
  #bar() {
    const { words, model } = this;
    const inside = model.back
      ? [make("button", { class: "icon back", type: "button", "data-act": "back", "aria-label": words.back,
        onclick: () => model.send_msg({ type: "back" }) }, drawing(ICONS.back)), make("h1", {}, words.title)]
      : [make("span", { class: "logo", role: "img", "aria-label": words.logo }, this.picture("summon"))];
    return make("header", { class: "bar" },
      make("div", { class: "row" }, ...inside, make("div", { class: "tools" }, this.gear.button())));
  }

  #petButton(pet) {
    const { words } = this;
    const label = `${pet.name}. ${words.wild_card}: ${pet.wild}, ${pet.does}. ${fill(words.grows, { evolved: pet.evolved_name })}`;
    return ground(make("button", { class: "choice", type: "button", role: "radio", "data-pet": pet.pet, "aria-label": label,
      onclick: (event) => this.#pickPet(event.currentTarget) },
      make("span", { class: "scene" }, make("span", { class: "grows" }, this.picture(pet.evolved)), make("span", { class: "pet" }, this.picture(pet.pet))),
      make("span", { class: "about" }, make("b", {}, pet.name),
        make("span", { class: "power" }, paint(make("span", { class: "chip" }, this.picture("wild")), "wild"), make("span", {}, `${pet.wild}: `, make("span", {}, pet.does)))),
      make("span", { class: "tick" }, drawing(ICONS.tick))),
    pet.pet);
  }

  #rivalButton(rival) {
    const guess = make("span", { class: "guess" });
    const button = make("button", { class: "choice mystery", type: "button", role: "radio", "data-rival": rival.rival, "aria-label": `${rival.name}. ${rival.line}.`,
      onclick: (event) => this.#pickRival(event.currentTarget) },
      make("span", { class: "scene" }, guess, make("span", { class: "what" }, this.picture("what"))),
      make("span", { class: "about" }, make("b", {}, rival.name),
        make("span", { class: "health" }, ...bricks(rival.health)), make("span", {}, rival.line)),
      make("span", { class: "tick" }, drawing(ICONS.tick)));
    guess.append(...shuffled(this.content.pets).map((pet) => this.picture(rival.evolved ? pet.evolved : pet.pet)).filter(Boolean));
    Guessing.begin(guess);
    return button;
  }

  #begin({ pet, rival_evolved: evolved, cards }) {
    this.pet = this.content.pets.find((it) => it.pet === pet) || null;
    this.evolved = evolved;
    this.#choose(this.pets, this.pets.find((button) => button.dataset.pet === pet));
    this.#choose(this.rivals, this.rivals.find((button) => button.dataset.rival === (evolved ? "evolved" : "plain")));
    this.deck.show(cards);
    this.#smile();
    this.#showGo();
  }

  // Choosing.

  #choose(buttons, chosen) {
    buttons.forEach((button) => set(button, "aria-checked", String(button === chosen)));
    oneStop(buttons, chosen);
  }

  #pickPet(button) {
    const first = !this.pet;
    this.#choose(this.pets, button);
    this.pet = this.content.pets.find((pet) => pet.pet === button.dataset.pet);
    this.#smile();
    again(button.querySelector(".pet"), "cheer");
    this.#tell("");
    this.#showGo();
    if (first) again(this.go, "ready");
    this.deck.show(this.deck.chosen);
  }

  #pickRival(button) {
    this.#choose(this.rivals, button);
    this.evolved = button.dataset.rival === "evolved";
    this.#tell("");
    this.guessing.run(button.querySelector(".guess"));
  }

  #smile() {
    for (const button of this.pets) button.querySelector(".pet").classList.toggle("happy", button.dataset.pet === this.pet?.pet);
  }

  #meaning(card) {
    if (card.card !== "wild" || !this.pet) return card.line;
    return fill(this.words.wild, { pet: this.pet.name, wild: this.pet.wild, does: this.pet.does });
  }

  // Starting.

  #showGo() {
    const { words, pet, starting } = this;
    this.go.textContent = pet ? fill(starting ? words.going : words.go, { pet: pet.name }) : words.pick;
    set(this.go, "aria-disabled", !pet || Boolean(starting));
    this.go.classList.toggle("soon", Boolean(starting));
  }

  #start() {
    if (this.starting) return;
    if (!this.pet) {
      this.#askForPet();
      return;
    }
    this.#tell("");
    const { leaving } = this.model, { words } = this;
    if (!leaving) this.#send();
    else this.asking.ask({ title: words.leaving, body: [make("p", {}, leaving)], yes: words.leaving_yes,
      no: words.leaving_no, loses: true }, () => this.#send());
  }

  #send() {
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
    this.pets[0].focus({ preventScroll: true });
    this.pets.forEach((button) => again(button, "here"));
  }

  #tell(text, bad = false) {
    this.line.textContent = text;
    this.line.classList.toggle("bad", bad);
  }
}

export const render = (context) =>
  mount(context, (art, content) => new SetUp(context.model, art, content));
