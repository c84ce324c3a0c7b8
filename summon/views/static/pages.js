import {
  again, Ask, book, bricks, choices, closeAll, COIN, download, drawing, fill, given, ground, Guessing, ICONS, make,
  mount, paint, PATIENCE, pips, present, set, several, shuffled, still, toBook, toClipboard,
} from "./bricks.js";
import { CardPage, MARK } from "./card_page.js";
import { Pictures, ruleTag, sized } from "./cards.js";
import { learned } from "./coach.js";
import { Gear } from "./gear.js";
import { noticeKeys } from "./keys.js";
import { Evolution } from "./moments.js";
import { sound } from "./sound.js";

/**
 * Every page of the game that is not the board.
 *
 * `render` gets the model: `state` is the page and what is on it, `content` (words, pets), `rulebook` and `art` never
 * change. What the player did goes to the server as a message; no property is set here. Every text that comes with the
 * state is put on the page as text; only the pictures, which are the game's own, are markup.
 *
 * A page is drawn anew from its state each time, and what is on the screen is changed to match: so the focus, what was
 * typed and how far it is scrolled stay as they are.
 *
 * From small to large: helpers, `change` (make one tree like another), parts, one class a page, `Pages`.
 */

const TICKING = 30000;         // how often "2 minutes ago" is told anew
const MOST = 7;                // so many cards a deck holds besides the starters
const LONGEST_CODE = 500;
const SLIDE = 280;             // a card that finds a new place
const QUIET = 4;               // a reader needs so many light squares around a QR code
const COPIED = 2500;           // how long a button says so

const SVG = "http://www.w3.org/2000/svg";

const CODE_COLOURS = ["attack", "shield", "heal", "poison", "counter", "hide"];

const HEARD = ["onclick", "onkeydown", "oninput", "onsubmit", "onfocus", "onpointerenter"];

/** How long ago a moment was, in words; `iso` is a time as the server tells it. */
function ago(iso, words) {
  const then = new Date(iso), seconds = Math.round((then - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds > -45) return words.just_now;
  const told = new Intl.RelativeTimeFormat(words.locale, { numeric: "auto" });
  const steps = [["minute", 60, 60], ["hour", 3600, 24], ["day", 86400, 7]];
  for (const [unit, size, most] of steps) {
    if (Math.round(-seconds / size) < most) return told.format(Math.round(seconds / size), unit);
  }
  return then.toLocaleDateString(words.locale, { day: "numeric", month: "long", year: "numeric" });
}

const time = (iso, words, template = "{when}") =>
  make("time", { datetime: iso }, fill(template, { when: ago(iso, words) }));

// Making one tree like another.

const keyOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null);
const alike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other)
  && one.dataset?.art === other.dataset?.art;

/** Makes `old` like `fresh`, and keeps every node that can stay. A picture is drawn already if it is the same one. */
function change(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) set(old, name, value);
  for (const name of HEARD) if (old[name] !== fresh[name]) old[name] = fresh[name];
  if (!old.dataset.art) changeChildren(old, [...fresh.childNodes]);
}

function changeChildren(old, wanted) {
  const keyed = new Map([...old.children].map((child) => [keyOf(child), child]).filter(([key]) => key !== null));
  let at = old.firstChild;
  for (const fresh of wanted) {
    const key = keyOf(fresh), same = key === null ? at : keyed.get(key);
    if (!same || !alike(same, fresh)) {
      old.insertBefore(fresh, at);
    } else {
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      change(same, fresh);
    }
    if (key !== null) keyed.delete(key);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// Parts of pages.

/** A place for a picture of the game, which is drawn when it is on the screen. */
const art = (name, look = "", tag = "span") => make(tag, { class: look, "data-art": name, "aria-hidden": "true" });
const sign = (name, look = "") =>
  make("span", { class: `icon-sign ${look}`, "aria-hidden": "true" }, drawing(ICONS[name]));
const coins = (look, ...told) => make("span", { class: look }, drawing(COIN), make("span", {}, ...told));
const health = (count, words) => make("span", { class: "health", role: "img",
  "aria-label": fill(words.health, { health: count }) }, ...bricks(count));
const tiers = (tier) => make("span", { class: "tier", "aria-hidden": "true" }, ...pips(tier));
const cardName = (name) => make("span", { class: name.length > 9 ? "name long" : "name" }, name);
const plate = (key, ...children) => make("section", { class: "plate", "data-key": key }, ...children);

/** A QR code with its quiet border, dark on white in both themes; `squares` are rows of 1 (dark) and 0. */
function squareCode(squares, label) {
  const size = squares.length + 2 * QUIET;
  const draw = (tag, props, ...children) => {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(props)) set(node, name, value);
    node.append(...children);
    return node;
  };
  const dark = squares.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ 0: run, index }) =>
    draw("rect", { x: index + QUIET, y: y + QUIET, width: run.length, height: 1 })));
  return draw("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label,
    "shape-rendering": "crispEdges" }, draw("rect", { width: size, height: size, fill: "#fff" }), ...dark);
}

/** What every page has: its words, a heading, what is on it, and what lies at its foot. */
class Page {
  constructor(pages) {
    Object.assign(this, { pages, words: pages.words });
  }

  title() {
    return this.words[this.pages.state.page];
  }

  /** What stands at the left of the header: the way back, or the name of the game. */
  start(state) {
    return this.pages.backButton(state.profile ? "home" : "welcome");
  }

  /** What stands at its right: the gold. */
  end({ profile }) {
    return profile ? make("span", { class: "gold", role: "img", "aria-label": fill(this.words.gold, profile) },
      drawing(COIN), make("span", {}, String(profile.gold))) : null;
  }

  /** Whether the heading stands in the header. */
  get topped() {
    return true;
  }

  foot() {
    return [];
  }

  /** The page is on the screen for the first time. */
  arrived() {}

  /** A new state of the same page. */
  received() {}

  /** The server did not do what was asked for, or never answered. */
  failed() {}

  /** The battle that goes on comes first; and what a new one would do to it. */
  underWay(battle, ...more) {
    const { words, pages } = this;
    return plate("battle", make("h2", {}, fill(words.resume_line, battle)),
      pages.go(pages.isBusy("resume") ? words.resuming : words.resume, () => pages.send({ type: "resume" }),
        { lane: "resume", "data-act": "resume" }),
      make("p", { class: "under" }, battle.cost), ...more);
  }

  /** The player's pet and the friend's, face to face; where there is no friend yet, the place for them. */
  meeting(mine, friend) {
    const { words } = this;
    return make("div", { class: "meet", "data-key": "meet" }, this.#stand(mine, words.you),
      friend ? this.#stand(friend, words.your_friend)
        : make("div", { class: "stand nobody", "aria-hidden": "true" },
          make("span", { class: "scene" }, make("span", { class: "spot" }, art("what", "what"))),
          make("div", { class: "about" }, make("b", {}, words.your_friend))));
  }

  #stand(pet, who) {
    return ground(make("div", { class: pet.evolved ? "stand evolved" : "stand", "data-pet": pet.pet },
      make("span", { class: "scene" }, art(pet.pet, "pet happy")),
      make("div", { class: "about" }, make("b", {}, pet.name, " ", make("small", {}, who)),
        health(pet.health, this.words))), pet.family);
  }

  /** A page that has nothing but a word to say, and a way on. */
  only(title, line, button) {
    return make("div", { class: "empty", "data-key": "empty" }, art("door-friend", "sign"), make("h2", {}, title),
      make("p", {}, line), button);
  }

  /** Where the focus goes if what had it is gone, and nothing around it takes it. */
  instead() {
    return this.pages.find("h1");
  }
}

class Welcome extends Page {
  get topped() {
    return false;
  }

  start() {
    return this.pages.logo();
  }

  /** Whoever has played elsewhere sees the way there at once. */
  end() {
    return this.pages.link("save", this.words.welcome_code);
  }

  main(state) {
    const { words } = this, { host } = state;
    return [
      make("div", { class: "lead" },
        host ? ground(make("div", { class: "caller" }, make("span", { class: "face" }, art(host.pet, "pet happy")),
          make("p", {}, fill(words.join_first, host))), host.family) : null,
        this.pages.heading(words.welcome),
        make("p", { class: "under" }, words.welcome_line)),
      choices("radiogroup", words.welcome, "pets", (state.pets || []).map((pet) => this.#pet(pet))),
    ];
  }

  foot(state) {
    const { words, pages } = this, pet = this.#chosen(state), busy = pages.isBusy("choose_pet");
    const label = pet ? fill(busy ? words.summoning : words.summon, { pet: pet.name }) : words.pick;
    return [make("p", { class: "line" }, this.line || ""),
      pages.go(label, () => this.#summon(state), { lane: "choose_pet", off: !pet })];
  }

  #chosen(state) {
    return (state.pets || []).find((pet) => pet.pet === this.pet);
  }

  #pet(pet) {
    const { words } = this, chosen = pet.pet === this.pet;
    const grows = fill(words.grows, { evolved: pet.evolved_name });
    const label = `${pet.name}. ${words.wild_card}: ${pet.wild}, ${pet.does}. ${grows}`;
    return ground(make("button", { class: "choice", type: "button", role: "radio", "data-key": pet.pet,
      "data-pet": pet.pet, "aria-checked": String(chosen), "aria-label": label,
      onclick: (event) => this.#pick(pet, event.currentTarget) },
      make("span", { class: "scene" }, art(pet.evolved, "grows"), art(pet.pet, chosen ? "pet happy" : "pet")),
      make("span", { class: "about" }, make("b", {}, pet.name),
        make("span", { class: "power" }, paint(art("wild", "chip"), "wild"),
          make("span", {}, `${pet.wild}: `, make("span", {}, pet.does)))),
      make("span", { class: "tick" }, drawing(ICONS.tick))), pet.pet);
  }

  #pick(pet, button) {
    const first = !this.pet;
    this.pet = pet.pet;
    this.line = "";
    this.pages.draw();
    again(button.querySelector(".pet"), "cheer");
    if (first) again(this.pages.find(".go"), "ready");
  }

  #summon(state) {
    const { words } = this, pet = this.#chosen(state);
    if (!pet) {
      this.#askForPet();
      return;
    }
    const told = { pet: pet.name };
    this.pages.ask({
      title: fill(words.choose_ask, told), yes: fill(words.choose_yes, told), no: words.choose_no, careful: true,
      body: [ground(make("div", { class: "scene small" }, art(pet.evolved, "grows"), art(pet.pet, "pet happy")),
        pet.pet),
        make("p", {}, fill(words.choose_line, told))],
    }, () => this.pages.send({ type: "choose_pet", pet: pet.pet }));
  }

  #askForPet() {
    const { pages, words } = this, buttons = pages.findAll("[data-pet]");
    this.line = words.pick_line;
    pages.tell(words.pick_line);
    pages.draw();
    buttons[0]?.focus();
    buttons.forEach((button) => again(button, "here"));
  }
}

class Home extends Page {
  get topped() {
    return false;
  }

  start() {
    return this.pages.logo();
  }

  main(state) {
    const { profile } = state;
    if (!profile) return [this.pages.heading(this.words.logo)];
    return [
      make("div", { class: "house" }, this.#hero(profile),
        make("div", { class: "next" },
          this.pages.heading(fill(state.battle ? this.words.home_battle : this.words.home, profile)),
          ...(state.battle ? this.#resume(state.battle) : state.lesson && !learned.done ? this.#learn() : [this.#battle()]),
          this.#door("friend", null, "door wide"), this.#doors(state))),
    ];
  }

  #hero(profile) {
    const { words } = this;
    return ground(make("div", { class: profile.evolved ? "hero evolved" : "hero" },
      make("button", { class: "pat", type: "button", "data-act": "pat", "aria-label": fill(words.pat, profile),
        onclick: (event) => this.#pat(event.currentTarget, profile) }, art(profile.pet, "pet happy")),
      make("span", { class: "table", "aria-hidden": "true" }),
      make("div", { class: "plaque" }, make("span", { class: "who" }, make("b", {}, profile.name)),
        health(profile.health, words))),
    profile.family);
  }

  #pat(button, profile) {
    again(button.firstElementChild, "cheer");
    this.pages.tell(fill(this.words.patted, profile));
  }

  #battle() {
    return this.pages.go(this.words.battle, () => this.pages.leaveFor("fight"),
      { lane: "go", mark: "fight", "data-go": "fight" });
  }

  /** Whoever is new is shown how it goes; who begins a battle instead needs no showing. */
  #learn() {
    const { words, pages } = this;
    return [
      make("div", { class: "offer", "data-key": "offer" }, art("coach", "coach-pet"), make("p", {}, words.lesson_line)),
      pages.go(words.lesson, () => pages.leaveFor("lesson"), { lane: "go", mark: "lesson", "data-go": "lesson" }),
      pages.plain(words.battle, () => {
        learned.finish();
        pages.leaveFor("fight");
      }, { lane: "go", mark: "fight", "data-go": "fight", class: "small" }),
    ];
  }

  #resume(battle) {
    const { words, pages } = this;
    return [
      make("p", { class: "under" }, fill(words.resume_line, battle)),
      pages.go(pages.isBusy("resume") ? words.resuming : words.resume, () => pages.send({ type: "resume" }),
        { lane: "resume", "data-act": "resume" }),
      pages.plain(words.anew, () => pages.askAnew(battle, () => pages.leaveFor("fight")),
        { "data-act": "anew", class: "small" }),
    ];
  }

  #doors(state) {
    const { words } = this, count = state.can_buy || 0;
    const hint = count ? fill(count === 1 ? words.can_buy_one : words.can_buy, { count }) : null;
    return make("nav", { class: "doors", "aria-label": words.what_next },
      ...["market", "deck", "practice", "battles", "save",
        "rulebook"].map((page) => this.#door(page, page === "market" ? hint : null)));
  }

  #door(page, hint, look = "door") {
    const { words, pages } = this;
    return make("button", { class: look, type: "button", "data-key": page, "data-go": page,
      "aria-busy": pages.isBusy("go", page), onclick: () => pages.leaveFor(page) },
      art(`door-${page}`, "sign"), make("b", {}, words[page]),
      make("span", { class: hint ? "hint now" : "hint" }, hint ? drawing(COIN) : null,
        make("span", {}, hint || words[`${page}_line`])));
  }
}

class Fight extends Page {
  constructor(pages) {
    super(pages);
    Object.assign(this, { rival: "plain", guessing: new Guessing() });
  }

  main(state) {
    const { words } = this, { battle } = state;
    return [battle ? this.underWay(battle) : make("p", { class: "under", "data-key": "line" }, words.fight_line),
      choices("radiogroup", words.fight, "rivals", (state.rivals || []).map((rival) => this.#rival(rival)))];
  }

  foot(state) {
    const { words, pages } = this, label = pages.isBusy("fight") ? words.starting : words.start;
    const button = { lane: "fight", "data-act": "start" };
    return [state.battle ? pages.plain(label, () => this.#start(state), button)
      : pages.go(label, () => this.#start(state), button)];
  }

  arrived() {
    this.pages.findAll(".guess").forEach(Guessing.begin);
  }

  #rival(rival) {
    const { words, pages } = this, kind = rival.rival === "evolved" ? "evolved" : "pet";
    const pays = fill(words.pays, { gold: rival.gold });
    return make("button", { class: "choice mystery", type: "button", role: "radio", "data-key": rival.rival,
      "data-rival": rival.rival, "aria-checked": String(rival.rival === this.rival),
      "aria-label": `${rival.name}. ${rival.line}. ${pays}.`,
      onclick: (event) => this.#pick(rival, event.currentTarget) },
      make("span", { class: "scene" },
        make("span", { class: "guess", "data-art": kind }, ...this.#guesses(kind)), art("what", "what")),
      make("span", { class: "about" }, make("b", {}, rival.name),
        health(pages.content.health[rival.rival] || 0, words), make("span", {}, rival.line), coins("pays", pays)),
      make("span", { class: "tick" }, drawing(ICONS.tick)));
  }

  /** All that the rival may be, in the dark and in no order; with `data-art`, drawing anew leaves them as they are. */
  #guesses(kind) {
    this.order ||= shuffled(this.pages.content.pets);
    return present(this.order.map((pet) => this.pages.picture(pet[kind])));
  }

  #pick(rival, button) {
    this.rival = rival.rival;
    this.pages.draw();
    this.guessing.run(button.querySelector(".guess"));
  }

  #start(state) {
    const { pages } = this;
    const start = () => pages.send({ type: "fight", rival_evolved: this.rival === "evolved", sure: Boolean(state.battle) });
    if (state.battle) pages.askAnew(state.battle, start);
    else start();
  }
}

/** Inviting a friend: the link and its QR code, and the place where the friend's pet will stand. */
class Friend extends Page {
  main(state) {
    const { words, pages } = this;
    if (state.battle) {
      return [this.underWay(state.battle, pages.plain(words.invite_anyway, () => this.#ask(state.battle),
        { lane: "invite", "data-act": "invite" }))];
    }
    if (state.invite) return [this.#link(state.invite), this.#waiting(state)];
    const busy = pages.isBusy("invite");
    return [this.only(state.closed ? words[state.closed] : words.friend, state.closed ? words.closed_line : null,
      pages.go(busy ? words.resuming : words.invite, () => this.#invite(), { lane: "invite", "data-act": "invite" }))];
  }

  arrived() {
    this.#inviteAtOnce(this.pages.state);
  }

  received(state) {
    this.#inviteAtOnce(state);
  }

  #inviteAtOnce({ battle, invite, closed }) {
    if (this.invited || battle || invite || closed) return;
    this.invited = true;
    this.#invite();
  }

  #invite(sure = false) {
    this.pages.send({ type: "invite", base: location.origin + location.pathname, sure });
  }

  #ask(battle) {
    const { words, pages } = this;
    pages.ask({ title: words.invite_ask, yes: words.invite_yes, no: words.anew_no, loses: true,
      body: [make("p", {}, battle.ask)] }, () => this.#invite(true));
  }

  #link({ id, url, squares, nearby }) {
    const { words, pages } = this;
    return plate("link", nearby ? make("p", { class: "under" }, words.link_line) : this.#onlyHere(),
      make("div", { class: "code-plate", "data-key": `code ${id}`, "data-art": id }, squareCode(squares, words.qr)),
      make("p", { class: "url", "data-url": "", translate: "no" }, url),
      make("div", { class: "row" },
        pages.plain(this.copied ? words.link_copied : words.code_copy, () => this.#copy(url), { "data-act": "copy" },
          sign(this.copied ? "tick" : "copy")),
        navigator.share ? pages.plain(words.share, () => this.#share(url), { "data-act": "share" }, sign("share")) : null));
  }

  #onlyHere() {
    const { words } = this;
    return make("div", { class: "note-plate", "data-key": "here" }, sign("info"),
      make("p", {}, words.only_here, " ", make("code", { translate: "no" }, words.only_here_command)));
  }

  #waiting({ invite, profile }) {
    const { words, pages } = this;
    return plate("waiting", make("h2", {}, words.friend_wait), this.meeting(profile, null),
      make("p", {}, words.friend_stay),
      make("p", { class: "under" }, fill(words.friend_until, { time: this.#end(invite) })),
      pages.plain(words.withdraw, () => pages.send({ type: "withdraw" }),
        { lane: "withdraw", "data-act": "withdraw", class: "small" }));
  }

  /** When the invitation ends, by the clock of this device. */
  #end({ id, minutes }) {
    if (this.shown !== id) Object.assign(this, { shown: id, until: new Date(Date.now() + minutes * 60000) });
    return this.until.toLocaleTimeString([], { hour: "numeric", minute: "2-digit" });
  }

  async #copy(url) {
    const { words, pages } = this;
    this.copied = await toClipboard(url);
    if (!this.copied) {
      pages.say(words.link_not_copied, "info");
      return;
    }
    pages.tell(words.link_copied);
    pages.draw();
    setTimeout(() => {
      this.copied = false;
      pages.draw();
    }, COPIED);
  }

  /** What the device's own way of sending says is for its eyes: who closes it has changed their mind. */
  #share(url) {
    navigator.share({ title: this.words.logo, text: this.words.share_text, url }).catch(() => {});
  }
}

/** Answering the invitation of a friend. */
class Join extends Page {
  main(state) {
    const { words, pages } = this;
    const to = (page, label) => pages.go(label, () => pages.leaveFor(page), { lane: "go", mark: page, "data-go": page });
    if (state.own) return [this.only(words.own, words.own_line, to("friend", words.own_go))];
    if (!state.host) return [this.only(words.not_open, words.not_open_line, to("home", words.back))];
    return [make("p", { class: "wants" }, fill(words.join_wants, state.host)),
      this.meeting(state.profile, state.host)];
  }

  foot(state) {
    const { words, pages } = this;
    if (state.own || !state.host) return [];
    return [pages.go(pages.isBusy("accept") ? words.starting : words.battle, () => this.#answer(state),
      { lane: "accept", "data-act": "accept" })];
  }

  #answer({ invite, battle }) {
    const accept = () => this.pages.send({ type: "accept", invite, sure: Boolean(battle) });
    if (battle) this.pages.askAnew(battle, accept);
    else accept();
  }
}

class Market extends Page {
  constructor(pages) {
    super(pages);
    this.tab = "cards";
  }

  main(state) {
    const { words } = this;
    const tabs = ["cards", "starters", "evolve"].map((tab) => make("button", { type: "button", role: "tab",
      id: `tab-${tab}`, "aria-controls": "goods", "data-key": tab, "data-tab": tab,
      "aria-selected": String(tab === this.tab), onclick: () => this.#show(tab) }, words[`tab_${tab}`]));
    return [
      choices("tablist", words.tabs, "tabs", tabs),
      state.later ? make("p", { class: "note-plate", "data-key": "later" }, sign("info"), make("span", {}, state.later))
        : null,
      make("div", { class: "shelf-of", id: "goods", role: "tabpanel", "aria-labelledby": `tab-${this.tab}`,
        "data-key": `goods-${this.tab}` },
        make("ul", { class: `goods of-${this.tab}` },
          ...(state.goods || []).filter((it) => it.tab === this.tab).map((it) => this.#good(it, state)))),
    ];
  }

  #show(tab) {
    this.tab = tab;
    this.pages.hush();
  }

  #good(it, state) {
    const inside = { cards: () => this.#card(it), starters: () => this.#starter(it),
      evolve: () => this.#evolve(it, state) };
    return make("li", { "data-key": `${it.tab} ${it.card}`, "data-item": it.item, tabindex: "-1", "aria-label": it.name },
      ...inside[it.tab](), this.#deal(it, state));
  }

  #picture(it, tier) {
    return paint(make("div", { class: "card", "aria-hidden": "true" }, art(it.card, "pic"), tier ? tiers(tier) : null),
      it.card);
  }

  /** The picture of a card leads to its own page. */
  #leading(it) {
    const { words, pages } = this;
    return paint(make("button", { class: "card leads", type: "button", "data-card": it.card, "data-name": it.name,
      "data-act": "about", "aria-label": fill(words.card_page.about, it), onclick: () => pages.about.open(it) },
      art(it.card, "pic"), make("span", { class: "mark" }, drawing(MARK))), it.card);
  }

  #card(it) {
    return [this.#leading(it), make("div", { class: "text" }, make("h2", {}, it.name, " ", this.pages.rule(it.rule)),
      make("p", {}, it.line))];
  }

  #starter(it) {
    return [this.#leading(it), make("div", { class: "text" }, make("h2", {}, it.name), this.#steps(it)),
      this.#turns(it)];
  }

  /** The three tiers, with the one that it has. */
  #steps(it) {
    const numerals = this.words.tiers.split(" "), tier = this.#tier(it);
    return make("span", { class: "steps", role: "img",
      "aria-label": fill(this.words.tier, { tier: numerals[tier - 1] }) },
      ...numerals.map((numeral, n) => make("i", { class: n < tier ? "has" : "" }, numeral)));
  }

  #tier(it) {
    return Math.max(1, Math.min(3, it.tier || 1));
  }

  /** What it does now, and what it would do then. */
  #turns(it) {
    const { words } = this;
    if (it.owned || !it.after) return make("p", { class: "turns" }, it.line);
    const side = (look, label, lines) =>
      make("div", { class: look }, make("dt", {}, label), ...[lines].flat().map((line) => make("dd", {}, line)));
    return make("dl", { class: "turns" }, side("was", words.now, it.before || it.line),
      side("is", words.then, it.after));
  }

  #evolve(it, state) {
    const { profile } = state, { health: most } = this.pages.content, { words } = this;
    const side = (look, label, picture, count, lines) => make("div", { class: `form ${look}` },
      ground(make("span", { class: "scene" }, art(picture, look === "is" ? "pet happy" : "pet")), profile.family),
      make("div", { class: "about" }, label ? make("b", {}, label) : null, health(count, words),
        make("ul", {}, ...[lines || []].flat().map((line) => make("li", {}, line)))));
    return [
      make("h2", {}, it.name, " ", this.pages.rule(it.rule)), make("p", { class: "line" }, it.line),
      ground(make("div", { class: "forms" },
        it.owned ? null : side("was", words.now, profile.family, most.plain, it.before),
          it.owned ? null : sign("then", "arrow"),
        side("is", it.owned ? null : words.then, it.card, most.evolved, it.after)), profile.family),
    ];
  }

  /** What it costs, or why it cannot be bought. */
  #deal(it, state) {
    const { words, pages } = this;
    if (it.owned) return make("span", { class: "mine" }, sign("tick"),
      make("span", {}, it.tab === "cards" ? words.yours : it.tab === "starters" ? words.top_tier : words.evolved));
    if (it.off) {
      return make("button", { class: "brick price", type: "button", "data-act": "off", "aria-disabled": "true",
        "aria-label": `${it.name}. ${it.off.text}`, onclick: () => pages.say(it.off.text, "info") },
        it.off.short || it.off.text);
    }
    return make("button", { class: "brick plain price", type: "button", "data-act": "buy",
      "aria-label": fill(words.price, it), "aria-busy": pages.isBusy("buy", it.item),
      onclick: () => this.#ask(it, state) }, drawing(COIN), make("span", {}, String(it.price)));
  }

  #ask(it, { profile, revision }) {
    const { words, pages } = this;
    const told = { name: it.tab === "evolve" ? profile.name : it.name, price: it.price, gold: profile.gold,
      left: profile.gold - it.price, tier: words.tiers.split(" ")[this.#tier(it)] };
    const shown = it.tab === "evolve"
      ? ground(make("div", { class: "scene small" }, art(it.card, "pet happy")), profile.family)
      : make("div", { class: "wares" }, this.#picture(it, it.tab === "starters" ? this.#tier(it) + 1 : null));
    pages.ask({
      title: fill(words[`ask_${it.tab}`], told), yes: fill(words.buy_yes, told), no: words.buy_no,
      body: [shown, make("p", {}, [it.after || it.line].flat().join(" ")),
        make("p", { class: "purse" }, coins("", String(told.gold)), sign("then"), coins("", String(told.left)),
          make("span", { class: "hidden-words" }, fill(words.gold_left, told)))],
    }, () => pages.send({ type: "buy", item: it.item, revision }, it.item));
  }
}

class Deck extends Page {
  main(state) {
    const { words } = this, starters = (state.deck || []).filter((it) => it.tier), cards = this.#cards(state);
    const known = this.#known(state), spare = [...known.values()].filter((it) => !cards.includes(it.card));
    const places = [...starters.map((it) => this.#starter(it)),
      ...cards.map((card, n) => this.#inDeck(known.get(card), n, state)),
      ...several(MOST - cards.length,
        (n) => make("span", { class: "place", "data-key": `place-${n}`, "aria-hidden": "true" })), this.#mover(state)];
    return [
      make("section", { class: "part slots", "aria-label": words.your_deck },
        make("div", { class: "heading" }, make("h2", {}, words.your_deck),
          make("span", { class: "counter" }, this.#saved(),
          make("b", { class: "count" }, fill(words.count, { count: cards.length, most: MOST })))),
        make("div", { class: "asking", "data-key": "asking" }, make("p", { class: "say" }, ...this.#hint()), this.#about()),
        make("div", { class: "rack", "data-key": "deck", role: "group", "aria-label": words.your_deck }, ...places)),
      make("section", { class: "part slots", "aria-label": words.spare }, make("h2", {}, words.spare),
        spare.length ? make("div", { class: "rack", "data-key": "spare", role: "group", "aria-label": words.spare },
          ...spare.map((it) => this.#inSpare(it, cards, state)))
          : this.#nothing(cards)),
    ];
  }

  received(state) {
    if (this.sent === undefined || state.revision === this.sent) return;
    this.#settle();
    this.saved = true;
    const wanted = this.draft;
    this.draft = null;
    // What was refused as stale is not sent again: it would undo what the other window did.
    if (wanted && wanted.join() !== this.pushed && wanted.join() !== this.#cards(state).join()) this.#push(wanted, state);
  }

  failed() {
    this.#settle();
    this.draft = null;
  }

  // What is where.

  #known(state) {
    return new Map([...(state.deck || []).filter((it) => !it.tier), ...(state.spare || [])].map((it) => [it.card, it]));
  }

  #cards(state) {
    const known = this.#known(state);
    return this.draft?.filter((card) => known.has(card))
      || (state.deck || []).filter((it) => !it.tier).map((it) => it.card);
  }

  #saved() {
    const { words } = this;
    if (this.sent !== undefined) return make("span", { class: "kept", "data-key": "kept" }, words.saving);
    return this.saved ? make("span", { class: "kept good", "data-key": "kept", "data-saved": "true" }, sign("tick"),
      words.saved) : null;
  }

  #hint() {
    const { words } = this;
    if (this.shown) return [make("b", {}, `${this.shown.name}.`), ` ${this.shown.line}`];
    return [this.said || (this.moving ? this.#moveHint() : this.#deckHint())];
  }

  /** Leads to the page of the card that was touched last. */
  #about() {
    const { words, pages, touched } = this;
    return touched ? make("button", { class: "icon mark", type: "button", "data-key": "about", "data-act": "about",
      "aria-label": fill(words.card_page.about, touched), onclick: () => pages.about.open(touched) }, drawing(MARK)) : null;
  }

  #moveHint() {
    return this.pages.keys ? this.words.move_keys : this.words.move_hint;
  }

  #deckHint() {
    return this.#known(this.pages.state).size ? this.words.deck_hint : this.words.deck_hint_none;
  }

  #nothing(cards) {
    const { words, pages } = this;
    if (cards.length) return make("p", { class: "under" }, words.spare_none);
    return make("div", { class: "plate" }, art("door-market", "sign"), make("p", {}, words.spare_nothing),
      pages.plain(words.market, () => pages.leaveFor("market"), { "data-go": "market" }));
  }

  #face(it, place, props, ...more) {
    const show = (event) => this.#show(it, event);
    return paint(make("button", { class: "card", type: "button", "data-key": it.card, "data-card": it.card,
      "data-focus": it.card, "data-place": place, onfocus: show, onpointerenter: show, ...props },
      art(it.card, "pic"), cardName(it.name), ...more), it.card);
  }

  #starter(it) {
    const { words } = this, fixed = fill(words.deck_fixed, it);
    const label = `${it.name}, ${fill(words.tier, { tier: words.tiers.split(" ")[it.tier - 1] })}. ${it.line} ${fixed}`;
    return this.#face(it, null, { class: "card fixed", "aria-label": label, onclick: () => this.#say(fixed) },
      tiers(it.tier), sign("lock", "now"));
  }

  #inDeck(it, n, state) {
    const { words } = this, picked = this.picked === it.card, place = n + 4;
    const label = `${it.name}. ${it.line} ${fill(this.moving ? words.in_move : words.in_deck, { place })}`;
    return this.#face(it, place, { "aria-label": label, "aria-pressed": this.moving ? String(picked) : null,
      onclick: () => (this.moving ? this.#pick(it) : this.#takeOut(it, state)),
      onkeydown: (event) => this.#onKey(event, it, state) });
  }

  #inSpare(it, cards, state) {
    const { words } = this, full = cards.length >= MOST;
    const why = full ? fill(words.deck_full, { name: it.name, most: MOST }) : words.in_spare;
    return this.#face(it, null, { "aria-label": `${it.name}. ${it.line} ${why}`, "aria-disabled": full,
      onclick: () => (full ? this.#say(why) : this.#putIn(it, state)) },
      full ? make("span", { class: "why" }, drawing(ICONS.lock), make("span", {}, fill(words.full, { most: MOST })))
        : null);
  }

  /** The double-wide place: it begins moving, and then holds the two arrows. */
  #mover(state) {
    const { words, pages } = this;
    if (!this.moving) {
      if (this.#cards(state).length < 2) return null;
      return make("div", { class: "mover", "data-key": "mover" },
        pages.plain(words.move, () => this.#move(true),
          { "data-act": "move", "data-focus": "move", "data-key": "move" }, sign("move")));
    }
    const arrow = (name, step) => make("button",
      { class: "brick plain", type: "button", "data-key": name, "data-act": name, "aria-label": words[name],
      "aria-disabled": this.picked ? null : "true", onclick: () => this.#shift(this.picked, step, state) }, sign(name));
    return make("div", { class: "mover on", "data-key": "mover" }, arrow("left", -1),
      pages.plain(words.done, () => this.#move(false),
        { "data-act": "done", "data-focus": "move", "data-key": "done" }), arrow("right", 1));
  }

  // What the player does.

  #show(it, event) {
    if (this.shown === it || (event.type === "focus" && !event.currentTarget.matches(":focus-visible"))) return;
    this.shown = this.touched = it;
    this.pages.draw();
  }

  #say(text) {
    Object.assign(this, { said: text, shown: null });
    this.pages.tell(text);
    this.pages.draw();
  }

  #move(moving) {
    Object.assign(this, { moving, picked: null });
    this.#say(moving ? this.#moveHint() : this.#deckHint());
  }

  #pick(it) {
    this.picked = this.picked === it.card ? null : it.card;
    this.#say(this.picked ? fill(this.words.picked_up, it) : this.#moveHint());
  }

  #takeOut(it, state) {
    this.#set(this.#cards(state).filter((card) => card !== it.card), fill(this.words.taken_out, it));
  }

  #putIn(it, state) {
    const cards = [...this.#cards(state), it.card];
    this.#set(cards, fill(this.words.put_in, { name: it.name, place: cards.length + 3 }));
  }

  #shift(card, step, state) {
    const cards = [...this.#cards(state)], at = cards.indexOf(card), to = at + step, it = this.#known(state).get(card);
    if (at < 0) return;
    if (to < 0 || to >= cards.length) {
      this.#say(fill(this.words.at_end, it));
      return;
    }
    [cards[at], cards[to]] = [cards[to], cards[at]];
    this.#set(cards, fill(this.words.moved, { name: it.name, place: to + 4, count: cards.length + 3 }));
  }

  #onKey(event, it, state) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.shiftKey && this.picked !== it.card) return;
    event.preventDefault();
    this.#shift(it.card, step, state);
  }

  // Each change is sent at once; while one is under way, only the last of those that follow.

  #set(cards, told) {
    this.draft = cards;
    this.saved = false;
    if (this.sent === undefined) this.#push(cards, this.pages.state);
    this.pages.sliding(() => this.#say(told));
  }

  #push(cards, { revision }) {
    this.pushed = cards.join();
    this.draft = cards;
    this.sent = revision;
    this.timer = setTimeout(() => this.pages.giveUp(), PATIENCE);
    this.pages.post({ type: "deck", cards, revision });
  }

  #settle() {
    clearTimeout(this.timer);
    this.sent = undefined;
  }
}

class Save extends Page {
  title() {
    return this.pages.state.profile ? super.title() : this.words.welcome_code;
  }

  main(state) {
    const { words, pages } = this;
    if (!state.profile) return [this.#load(state)];
    return [
      plate("saved", make("div", { class: "heading" },
        make("h2", {}, ...(state.saved && !state.trouble
          ? [sign("tick", "done"), time(state.saved, words, words.saved_when)] : [words.save]))),
        make("p", {}, words.saved_line),
        pages.go(pages.isBusy("save") ? words.saving : words.save_now, () => pages.send({ type: "save" }),
          { lane: "save", "data-act": "save" })),
      this.#code(state), this.#load(state),
      plate("others", make("h2", {}, words.sign_out), make("p", {}, words.sign_out_line),
        pages.plain(words.sign_out_go, () => this.#signOut(), { lane: "sign_out", "data-act": "sign_out" })),
    ];
  }

  arrived() {
    this.#askToLoad(this.pages.state);
  }

  received(state) {
    this.#askToLoad(state);
  }

  #code(state) {
    const { words, pages } = this;
    const inside = state.code ? [this.#bricks(state.code), make("div", { class: "row" },
      pages.plain(words.code_copy, () => this.#copy(state.code), { "data-act": "copy" }, sign("copy")),
      pages.plain(words.code_hide, () => pages.send({ type: "hide_code" }),
        { lane: "hide_code", "data-act": "hide_code", "data-focus": "code" }),
      pages.plain(words.code_replace, () => this.#replace(), { lane: "replace_code", "data-act": "replace_code" }))]
      : [pages.plain(words.code_show, () => pages.send({ type: "show_code" }),
        { lane: "show_code", "data-act": "show_code", "data-focus": "code" }, sign("key"))];
    return plate("code", make("h2", {}, words.code), make("p", {}, words.code_line), ...inside);
  }

  /** Every word a brick; read as a text it is the whole code. */
  #bricks(code) {
    const told = code.split("-").map((word, n, all) =>
      paint(make("span", { class: "word" }, word, n < all.length - 1 ? make("span", { class: "dash" }, "-") : null),
      CODE_COLOURS[n % CODE_COLOURS.length]));
    return make("p", { class: "code", "data-code": "", translate: "no" }, ...told);
  }

  #load(state) {
    const { words, pages } = this, label = pages.isBusy("load") ? words.resuming : words.load_go;
    const button = { "data-act": "load", lane: "load", type: "submit" };
    return make("form", { class: "plate", "data-key": "load", onsubmit: (event) => this.#send(event) },
      state.profile ? null : art("door-save", "sign"),
      make("h2", {}, make("label", { for: "code" }, words.load)), make("p", { id: "code-help" }, words.load_line),
      make("div", { class: "row" },
        make("input", { id: "code", "data-key": "field", "data-act": "field", type: "text", maxlength: LONGEST_CODE,
          autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-describedby": "code-help" }),
        state.profile ? pages.plain(label, null, button) : pages.go(label, null, button)));
  }

  #send(event) {
    event.preventDefault();
    const field = event.currentTarget.querySelector("input");
    if (field.value.trim()) {
      this.answered = null;
      this.#sendCode(false);
    } else {
      this.pages.say(this.words.load_empty, "info");
      field.focus();
    }
  }

  #sendCode(sure) {
    this.pages.send({ type: "load", code: this.pages.find("#code").value.slice(0, LONGEST_CODE), sure });
  }

  /** What this browser has would be lost: asks once for each code that was sent. */
  #askToLoad({ load_ask: question }) {
    const { words, pages } = this;
    if (!question || question.text === this.answered) {
      if (!question) this.answered = null;
      return;
    }
    this.answered = question.text;
    pages.ask({ title: words.load_ask, yes: words.load_yes, no: words.load_no, loses: true,
      body: [make("p", {}, question.text)] }, () => this.#sendCode(true));
  }

  #replace() {
    const { words, pages } = this;
    pages.ask({ title: words.code_replace_ask, yes: words.code_replace_yes, no: words.code_replace_no, loses: true,
      body: [make("p", {}, words.code_replace_line)] }, () => pages.send({ type: "replace_code" }));
  }

  #signOut() {
    const { words, pages } = this;
    pages.ask({ title: words.sign_out_ask, yes: words.sign_out_yes, no: words.sign_out_no, loses: true,
      body: [make("p", {}, words.sign_out_text)] }, () => pages.send({ type: "sign_out" }));
  }

  async #copy(code) {
    const { words, pages } = this;
    const copied = await toClipboard(code);
    pages.say(copied ? words.code_copied : words.code_not_copied, copied ? "good" : "info");
  }
}

class Battles extends Page {
  main(state) {
    const { words, pages } = this, battles = state.battles || [];
    if (!battles.length) return [this.#none(state)];
    return [make("ul", { class: "past", "data-key": "past" }, ...battles.map((battle) => this.#battle(battle))),
      state.more ? make("p", { class: "aside" },
        pages.plain(words.older, () => pages.send({ type: "more" }), { lane: "more", "data-act": "more" })) : null];
  }

  received(_, before) {
    this.shown = before.battles?.length;
  }

  /** The first of the older battles. */
  instead() {
    return this.pages.findAll("[data-battle]")[this.shown] || super.instead();
  }

  #none(state) {
    const { words, pages } = this;
    return make("div", { class: "empty", "data-key": "empty" }, art("door-battles", "sign"), make("h2", {}, words.none),
      make("p", {}, words.none_line),
      state.profile ? pages.go(words.battle, () => pages.leaveFor("fight"),
        { lane: "go", mark: "fight", "data-go": "fight" }) : null);
  }

  #battle(battle) {
    const { words, pages } = this, { you, rival } = battle, told = { you: you.name, rival: rival.name };
    const versus = fill(words.versus, told), turns = fill(battle.turns === 1 ? words.turns_one : words.turns, battle);
    return make("li", { class: battle.result, "data-key": battle.id, "data-battle": battle.id,
      "data-result": battle.result, tabindex: "-1" },
      make("div", { class: "faces", "aria-hidden": "true" }, this.#side(you, battle.result, "win", "loss"),
        this.#side(rival, battle.result, "loss", "win")),
      make("div", { class: "text" }, make("h2", {}, versus),
        make("p", {}, this.#result(battle), battle.gold ? coins("pays", `+${battle.gold}`) : null),
        make("p", { class: "when" }, time(battle.when, words), " · ", turns)),
      make("div", { class: "row" },
        pages.plain(words.watch, () => pages.send({ type: "watch", battle: battle.id }, battle.id),
          { lane: "watch", mark: battle.id, "data-act": "watch", "aria-label": `${words.watch}: ${versus}` },
          sign("play")),
        pages.plain(words.record, () => pages.send({ type: "record", battle: battle.id }, battle.id),
          { lane: "record", mark: battle.id, "data-act": "record", "aria-label": `${words.record}: ${versus}` },
          sign("down"))));
  }

  #side(side, result, happy, sad) {
    const look = { [happy]: "pet happy", [sad]: "pet hurting" }[result] || "pet";
    return ground(make("span", { class: "face" }, art(side.pet, look)),
      side.family || side.pet);
  }

  #result({ result }) {
    const signs = { win: "tick", loss: "cross", draw: "even", ended: "stop" };
    return make("span", { class: "result" }, sign(signs[result]), this.words[result]);
  }
}

class Rulebook extends Page {
  constructor(pages) {
    super(pages);
    Object.assign(this, { query: "", told: false });
  }

  main() {
    const { words, pages } = this, sections = this.#sections(),
      count = sections.reduce((sum, it) => sum + it.rules.length, 0);
    const found = count ? fill(count === 1 ? words.found_one : words.found, { count }) : words.found_none;
    return [
      make("div", { class: "book" },
        make("div", { class: "find" },
          make("label", { class: "field" }, sign("find"), make("span", { class: "hidden-words" }, words.search),
            make("input", { type: "search", "data-act": "search", placeholder: words.search_short, autocomplete: "off",
              spellcheck: "false", "aria-describedby": "found",
              oninput: (event) => this.#find(event.currentTarget.value) })),
          make("p", { id: "found", class: "found" }, this.query ? found : ""),
          make("nav", { class: "contents", "aria-label": words.sections },
            ...sections.map((section) => make("button",
            { type: "button", "data-key": section.title, "data-section": section.title.split(" ")[0],
            onclick: () => this.#toSection(section) }, section.title))),
          make("button", { class: "link", type: "button", "data-act": "sources", "aria-pressed": String(this.told),
            onclick: () => this.#tell() }, words.sources),
          book.place ? make("a", { class: "link", "data-act": "book", ...toBook("index.html") }, words.book) : null),
        make("div", { class: "chapters", "data-key": "chapters" },
          ...sections.map((section) => this.#section(section)),
          this.query && !count ? make("div", { class: "empty" }, art("door-rulebook", "sign")) : null)),
    ];
  }

  /** The rulebook is fetched when it is opened for the first time. */
  async arrived() {
    const { pages } = this;
    this.pages.content.rulebook ||= await given(pages.model.rulebook);
    if (pages.page !== this) return;
    pages.draw();
    if (pages.state.rule) this.#jump(pages.state.rule);
  }

  received(state, before) {
    if (state.rule && state.rule !== before.rule) this.#jump(state.rule);
  }

  #find(query) {
    this.query = query.trim().toLowerCase();
    this.pages.draw();
    this.pages.tell(this.pages.find("#found").textContent);
  }

  /** Which rules are confirmed and which are assumed is for who asks: on a first look it is in the way. */
  #tell() {
    this.told = !this.told;
    this.pages.draw();
  }

  #sections() {
    const all = this.pages.content.rulebook || [];
    if (!this.query) return all;
    return all.map((section) => ({ ...section,
      rules: section.rules.filter((rule) => this.#suits(rule, section)) })).filter((section) => section.rules.length);
  }

  #suits(rule, section) {
    if (/^\d+\.?\d*$/.test(this.query)) {
      const [chapter, rest] = this.query.split(".");
      return rule.number.split(".")[0] === chapter
        && (rest === undefined || rule.number.split(".")[1].startsWith(rest));
    }
    const told = `${rule.number} ${rule.text} ${this.told ? rule.status : ""} ${section.title}`.toLowerCase();
    return this.query.split(/\s+/).every((word) => told.includes(word));
  }

  #section(section) {
    return make("section", { "data-key": section.title, "aria-label": section.title },
      make("h2", { tabindex: "-1" }, section.title),
      make("ol", {}, ...section.rules.map((rule) => this.#rule(rule))));
  }

  #rule(rule) {
    const kind = rule.status.split(/\W/)[0];
    return make("li", { id: `rule-${rule.number}`, "data-key": rule.number, "data-rule": rule.number, tabindex: "-1" },
      book.place ? make("a", { class: "number", "aria-label": fill(this.words.rule_page, { rule: rule.number }),
        ...toBook(`rules/${rule.number}.html`) }, rule.number) : make("b", { class: "number" }, rule.number),
      make("div", {}, make("p", {}, ...this.#text(rule.text)),
        this.told ? make("p", { class: `status ${kind}` }, rule.status === kind ? this.words[kind] || kind : rule.status)
          : null));
  }

  /** The text of a rule: numbers of rules lead there, and what is looked for is marked. */
  #text(text) {
    return text.split(/(\b\d{1,2}\.\d{1,2}\b)/).flatMap((piece, n) =>
      (n % 2 && this.#knows(piece) ? [this.#reference(piece)] : this.#marked(piece)));
  }

  #knows(number) {
    this.numbers ||= new Set(this.pages.content.rulebook.flatMap((section) =>
      section.rules.map((rule) => rule.number)));
    return this.numbers.has(number);
  }

  #reference(number) {
    return make("button", { class: "ref", type: "button", "data-ref": number,
      "aria-label": fill(this.words.rule, { rule: number }), onclick: () => this.#jump(number) }, number);
  }

  #marked(text) {
    const looked = this.query.split(/\s+/).filter((word) => /^\p{L}{2,}/u.test(word)).map((word) =>
      word.replace(/[^\p{L}\p{N}]/gu, "\\$&"));
    if (!looked.length) return [text];
    return text.split(new RegExp(`(${looked.join("|")})`, "giu")).map((piece, n) =>
      (n % 2 ? make("mark", {}, piece) : piece));
  }

  #toSection(section) {
    this.#reach(this.pages.findAll("[data-key]").find((node) =>
      node.dataset.key === section.title && node.nodeName === "SECTION")?.querySelector("h2"));
  }

  #jump(number) {
    const rule = () => this.pages.findAll("[data-rule]").find((node) => node.dataset.rule === number);
    if (!rule() && this.query) {
      this.pages.find("[data-act=search]").value = "";
      this.query = "";
      this.pages.draw();
    }
    this.#reach(rule());
  }

  #reach(node) {
    if (!node) return;
    node.scrollIntoView({ block: "start" });
    node.focus({ preventScroll: true });
    again(node, "reached");
  }
}

const PAGES = { welcome: Welcome, home: Home, fight: Fight, friend: Friend, join: Join, market: Market, deck: Deck,
  save: Save, battles: Battles, rulebook: Rulebook };

/** All pages: the one that is on, what is under way, and what is said. */
class Pages {
  constructor(model, art, content) {
    Object.assign(this, { model, content, words: content.words, art, state: {}, page: null,
      busy: new Map(), said: null, hushed: null });
    this.stage = make("div", { class: "stage" });
    this.told = make("p", { class: "hidden-words", role: "status" });
    this.dialog = new Ask(this.words.close);
    this.about = new CardPage(new Pictures(art), this.words.card_page, (card) => this.post({ type: "card", card }));
    this.gear = new Gear(this.words.settings);
    this.evolution = new Evolution((name) => this.picture(name));
    this.root = make("div", { class: "pages", "data-page": "" }, this.picture("shapes"), this.stage, this.told,
      this.dialog.root, this.about.root, this.gear.root, this.evolution.root);
    this.about.listen(this.stage);
  }

  // What comes from the server.

  receive(state) {
    const before = this.state, waited = this.busy.size > 0;
    this.state = state || {};
    this.#freeAll();
    if (this.state.page !== before.page || !this.page) this.#turnTo(Boolean(before.page));
    else this.#same(before);
    this.#announce(before, waited);
    this.#hearGold(before.profile);
    this.#evolve(before);
  }

  /** Gold that came lands on the count, and gold that was paid is heard. */
  #hearGold(before) {
    const { profile } = this.state;
    if (!before || !profile || before.family !== profile.family || before.gold === profile.gold) return;
    sound(profile.gold > before.gold ? "gold" : "pay");
    const coin = this.find(".bar .gold .coin");
    if (coin) again(coin, "landed");
  }

  /** The pet was grown up in the market just now. */
  #evolve({ page, profile: young }) {
    const { words, state } = this, { profile } = state;
    if (page !== "market" || state.page !== page || !young || young.evolved || !profile?.evolved) return;
    const told = { name: young.name, grown: profile.name };
    this.evolution.open({ from: young.pet, to: profile.pet, family: profile.family,
      words: { growing: fill(words.growing, told), grown: fill(words.grown, told), hooray: words.hooray, skip: words.skip } });
  }

  hear(message) {
    if (message?.type === "refused") this.#fail(String(message.text));
    if (message?.type === "card") this.about.show(message.page);
    if (message?.type === "record") {
      this.#freeLane("record");
      this.draw();
      download(message);
    }
  }

  // What goes to the server.

  /** Sends a message unless one of its kind is under way; `mark` tells which of several buttons is busy. */
  send(message, mark = null) {
    const lane = message.type === "record" ? `record ${mark}` : message.type;
    if (this.busy.has(lane)) return;
    this.busy.set(lane, { mark, timer: setTimeout(() => this.giveUp(lane), PATIENCE) });
    this.said = null;
    this.post(message);
    this.draw();
  }

  post(message) {
    this.model.send_msg(message);
  }

  leaveFor(page) {
    this.send({ type: "go", page }, page);
  }

  isBusy(lane, mark = null) {
    const under = this.busy.get(lane === "record" ? `record ${mark}` : lane);
    return Boolean(under) && under.mark === mark;
  }

  /** Nothing came back: what waited for it may be tried again. */
  giveUp(lane = null) {
    if (lane) this.#free(lane);
    if (lane === "go" || lane === "resume") {
      this.draw();
      return;
    }
    this.page?.failed();
    this.say(this.words.lost, "bad");
  }

  // What is said.

  /** Shows a line at the top of the page, and has it read aloud. */
  say(text, kind) {
    this.said = { text, kind };
    this.tell(text);
    this.draw();
  }

  /** What the top of the page said has been read. */
  hush() {
    this.said = null;
    this.hushed = this.state.notice?.text ?? null;
    this.draw();
  }

  /** Has it read aloud, even if the same was said before. */
  tell(text) {
    this.told.textContent = this.told.textContent === text ? `${text}\u00a0` : text;
  }

  ask(question, agreed) {
    question.body.forEach((part) => this.paintIn(part));
    this.dialog.ask(question, agreed);
  }

  /** Leaving a battle for another is asked once. */
  askAnew(battle, agreed) {
    const { words } = this;
    if (this.left === battle.id) {
      agreed();
      return;
    }
    this.ask({ title: words.anew_ask, yes: words.anew_yes, no: words.anew_no, loses: true,
      body: [make("p", {}, battle.ask)] }, () => {
      this.left = battle.id;
      agreed();
    });
  }

  // What pages are made of.

  picture(name) {
    return Object.hasOwn(this.art, name) ? sized(drawing(this.art[name])) : null;
  }

  heading(text) {
    return make("h1", { tabindex: "-1", "data-key": "heading" }, text);
  }

  logo() {
    return make("span", { class: "logo", role: "img", "aria-label": this.words.logo, "data-art": "summon" });
  }

  backButton(page) {
    return make("button", { class: "icon back", type: "button", "data-go": page, "data-act": "back",
      "aria-label": this.words.back, "aria-busy": this.isBusy("go", page), onclick: () => this.leaveFor(page) },
      drawing(ICONS.back));
  }

  link(page, text) {
    return make("button", { class: "link", type: "button", "data-go": page, "aria-busy": this.isBusy("go", page),
      onclick: () => this.leaveFor(page) }, text);
  }

  rule(number) {
    return ruleTag(this.words, number);
  }

  /** The one yellow brick of a page. */
  go(label, onclick, { lane, mark = null, off = false, ...props }) {
    const busy = this.isBusy(lane, mark);
    return make("button", { class: busy ? "brick go soon" : "brick go", type: "button", "data-key": "go",
      "aria-disabled": off || busy, "aria-busy": busy, onclick, ...props }, label);
  }

  plain(label, onclick, { lane = null, mark = null, class: look = "", ...props }, ...before) {
    const busy = lane !== null && this.isBusy(lane, mark);
    return make("button", { class: `brick plain ${look}${busy ? " soon" : ""}`, type: "button", "aria-disabled": busy,
      "aria-busy": busy, onclick, ...props }, ...before, make("span", {}, label));
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  findAll(selector) {
    return [...this.stage.querySelectorAll(selector)];
  }

  // Drawing.

  /** Whether whoever plays uses a keyboard. */
  useKeys(used) {
    this.keys = used;
    this.draw();
  }

  draw() {
    if (!this.page) return;
    const { activeElement } = this.root.getRootNode(), held = this.stage.contains(activeElement) ? activeElement : null;
    const around = held ? this.#around(held) : [];
    changeChildren(this.stage, this.#view());
    this.paintIn(this.stage);
    if (held) this.#holdFocus(held, around);
  }

  /** Draws the pictures that have a place and are not there yet. */
  paintIn(root) {
    for (const place of root.querySelectorAll("[data-art]")) {
      if (!place.firstChild) place.append(...present([this.picture(place.dataset.art)]));
    }
  }

  /** Draws, and lets every card slide from where it was. */
  sliding(draw) {
    const places = () => new Map(this.findAll("[data-card]").map((card) => [card.dataset.card, card]));
    const before = new Map([...places()].map(([name, card]) => [name, card.getBoundingClientRect()]));
    draw();
    if (still()) return;
    for (const [name, card] of places()) {
      const was = before.get(name), is = card.getBoundingClientRect();
      if (!was || (Math.abs(was.x - is.x) < 2 && Math.abs(was.y - is.y) < 2)) continue;
      const way = `translate(${was.x - is.x}px, ${was.y - is.y}px)`;
      card.animate([{ transform: way, zIndex: 3 }, { transform: "none", zIndex: 3 }],
        { duration: SLIDE, easing: "cubic-bezier(.3, 1.3, .5, 1)" });
    }
  }

  #view() {
    const { state, page } = this, foot = present(page.foot(state));
    return present([
      make("header", { class: "bar", "data-key": `bar ${state.page}` },
        make("div", { class: "row" }, page.start(state), page.topped ? this.heading(page.title()) : null,
          make("div", { class: "tools" }, page.end(state), this.gear.button())),
        state.trouble ? make("p", { class: "trouble", "data-key": "trouble" }, sign("warn"),
          make("span", {}, state.trouble.text)) : null,
        this.#notice()),
      make("main", { class: `body ${state.page}`, "data-key": `main ${state.page}` }, ...page.main(state)),
      foot.length ? make("footer", { class: "start", "data-key": `foot ${state.page}` }, ...foot) : null,
    ]);
  }

  #notice() {
    const shown = this.said || (this.state.notice?.text !== this.hushed ? this.state.notice : null);
    if (!shown) return null;
    const signs = { good: "tick", bad: "warn", info: "info" };
    return make("div", { class: `notice ${shown.kind}`, "data-key": `notice ${shown.text}`, "data-kind": shown.kind },
      sign(signs[shown.kind] || "info"), make("p", {}, shown.text),
      make("button", { class: "icon", type: "button", "data-act": "hush", "aria-label": this.words.close,
        onclick: () => this.hush() }, drawing(ICONS.close)));
  }

  #around(node) {
    const keyed = [];
    for (let up = node; up && up !== this.stage; up = up.parentElement) if (up.hasAttribute("data-key")) keyed.push(up);
    return keyed;
  }

  /** The focus stays where it was: on the same thing, or else on what is nearest to its place. */
  #holdFocus(held, around) {
    if (this.root.getRootNode().activeElement === held) return;
    const name = held.dataset.focus;
    const same = held.isConnected ? held
      : name && this.findAll("[data-focus]").find((node) => node.dataset.focus === name);
    const near = around.find((node) => node.isConnected && node.hasAttribute("tabindex"));
    (same || near || this.page.instead())?.focus({ preventScroll: true });
  }

  #turnTo(moveFocus) {
    const Kind = Object.hasOwn(PAGES, this.state.page || "") ? PAGES[this.state.page] : null;
    closeAll(this.root);
    this.said = null;
    this.page = Kind ? new Kind(this) : null;
    set(this.root, "data-page", this.state.page || "");
    this.stage.replaceChildren();
    this.draw();
    this.root.scrollTop = 0;
    if (!this.page) return;
    if (moveFocus) this.find("h1")?.focus({ preventScroll: true });
    this.page.arrived();
  }

  #same(before) {
    const draw = () => this.draw();
    this.page?.received(this.state, before);
    if (this.state.page === "deck") this.sliding(draw);
    else draw();
  }

  #announce(before, waited) {
    const { notice, trouble } = this.state;
    const isNew = (now, old) => now && (waited || now.text !== old?.text);
    const told = [isNew(trouble, before.trouble) && trouble.text,
      isNew(notice, before.notice) && notice.text].filter(Boolean);
    if (told.length) {
      this.said = null;
      this.hushed = null;
      this.tell(told.join(" "));
      this.draw();
    }
  }

  #fail(text) {
    this.#freeAll();
    this.page?.failed();
    if (text === this.state.trouble?.text) this.draw();     // it stands there already, and was read aloud
    else this.say(text, "bad");
  }

  #free(lane) {
    clearTimeout(this.busy.get(lane)?.timer);
    this.busy.delete(lane);
  }

  #freeAll() {
    [...this.busy.keys()].forEach((lane) => this.#free(lane));
  }

  #freeLane(kind) {
    [...this.busy.keys()].filter((lane) => lane.split(" ")[0] === kind).forEach((lane) => this.#free(lane));
  }
}

/** The address in the browser follows the game, and the game follows the browser's Back and Forward. */
function follow(model) {
  const show = (replace) => {
    const { search } = model.address;
    if (!search || search === location.search) return;
    if (replace) history.replaceState({}, "", location.pathname + search);
    else history.pushState({}, "", location.pathname + search);
  };
  show(true);
  model.on("address", () => show(model.address.replace));
  addEventListener("popstate", () => model.send_msg({ type: "address", search: location.search }));
}

export async function render(context) {
  const { model } = context;
  follow(model);
  const pages = await mount(context, (art, content) => new Pages(model, art, content));
  noticeKeys(pages.root, document, (used) => pages.useKeys(used));
  const ticking = setInterval(() => (pages.root.isConnected ? pages.draw() : clearInterval(ticking)), TICKING);
}
