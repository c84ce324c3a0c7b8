import {
  again, button, clamp, closeAll, download, Drawer, fill, iconButton, make, mount, PATIENCE, set, signed, tint,
  toClipboard,
} from "./bricks.js";
import { chip, confetti, hiddenCard, Pictures, ruled, ruleMark, shownCard, stepChip } from "./cards.js";
import { CardPage } from "./card_page.js";
import { Coach } from "./coach.js";
import { Gear } from "./gear.js";
import { Amount, Hand } from "./hand.js";
import { noticeKeys } from "./keys.js";
import { hear, hearBuilding, payOut, Show, slam, sliding, timed, TIMES, turning } from "./moments.js";
import { settings } from "./settings.js";
import { Side } from "./side.js";
import { sound } from "./sound.js";

/**
 * The board of a battle, for one seat.
 *
 * `render` gets the model: `state` is what this seat may see, `art` and `words` never change. The browser tells what
 * the player did by `send_msg` and sets no property. Every text that comes with the state is put on the page as text;
 * only the pictures, which are the game's own, are markup.
 *
 * Its parts are files of their own: `cards.js`, `side.js` (a pet and its health), `hand.js`, `gear.js` (the settings),
 * and `moments.js` (how the countdown, the reveal and the endings look and how long they last).
 */

const HERE = 4000;             // how often is said that somebody looks at a battle against a friend
const LATE = 3000;             // a reveal that came unseen so long ago is not played any more
const SOON = 150;              // the countdown of two who are both in has begun after so long, or the network is slow
const GUARD = 600;             // a second tap on "Lock it in" is no skip, one on "Skip" is no "Next turn"

const BUSY = "input, textarea, select, button, a, [contenteditable]";      // where keys mean something else

/** What only rests or is used up needs no mention. */
const isQuiet = ({ id }) => id.startsWith("waiting") || id.endsWith("used");

/** What a side has left after a step. */
const after = (step, { key }) => ({ health: step.health[key], reserve: step.reserve?.[key] ?? 0 });

class Board {
  constructor(model, art) {
    Object.assign(this, {
      model, words: JSON.parse(model.words), pictures: new Pictures(art),
      battle: undefined,     // the battle that is shown
      seen: 0,               // the last turn whose reveal was shown
      picked: null,          // a card that is picked and not yet sent
      amount: null,
      pending: null,         // what was sent and not yet answered
      notice: null,          // a sentence that stands in place of the card's meaning
      keys: false,           // whether whoever plays uses a keyboard
      show: null,            // a reveal that is running
      started: null,         // the turn whose start was told
      friendHere: null,      // whether the friend was there when that was told
      friendTold: "",        // what was told of the friend after the end
      standing: new Set(),   // the beaten pets that were built again after the end
    });
    if (model.embedded) settings.beQuiet();
    this.#make();
  }

  /** The newest state. While a reveal runs or is being read, it is kept, and shown after it. */
  receive(state) {
    if (!state?.you || !state.rival) return;
    const before = this.state;
    // Where turns were taken back, what follows is as new as a battle that is seen for the first time.
    const first = state.battle !== this.battle || state.turn < before.turn;
    this.state = state;
    this.#settlePending();
    if (first) this.#enter();
    else if (state.over && !before.over && state.last?.turn === before.last?.turn) this.#endAtOnce();
    else if (this.show) this.#learn(state.last);
    else {
      // While a turn is still being read, a newer one is there only if it was chosen in another tab.
      if (this.phase === "reveal" && !(state.last?.turn > this.seen)) this.#offerNext();
      else this.#proceed();
    }
    this.#attend();
    this.coach.receive(state.lesson);
  }

  /** Somebody has left, or nobody came any more: that is told now, whatever is still being shown. */
  #endAtOnce() {
    this.show?.skip();
    this.show = null;
    this.seen = this.state.last?.turn ?? this.seen;
    this.sides().forEach((side) => side.quiet());
    this.#showOver();
  }

  /** Somebody looks at the page again: a reveal that began long ago without being seen is not replayed. */
  catchUp() {
    const since = this.show?.unseenSince;
    if (since && Date.now() - since > LATE) this.show.skip();
  }

  /** A message of the server's that is not kept. */
  hear(message) {
    if (message?.type === "count") this.#count(message.turn);
    else if (message?.type === "refused") this.#refused(message);
    else if (message?.type === "log") this.#showLog(message.rounds || []);
    else if (message?.type === "card") this.about.show(message.page);
    else if (message?.type === "record") download(message);
  }

  onKey(event) {
    const target = event.composedPath()[0], inside = target instanceof Element && this.root.contains(target);
    const elsewhere = target instanceof Element && !inside && target.closest(BUSY);
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.defaultPrevented || modified || elsewhere || this.#drawerOpen()) return;
    const onGo = target === this.go, enters = event.key === "Enter" || event.key === " ";
    if (enters && event.repeat && onGo) event.preventDefault();
    else if (this.show && (enters || event.key === "Escape") && !(inside && target.closest(".top"))) {
      event.preventDefault();
      this.#skip();
    } else if (event.key === "Enter" && target.dataset?.card === this.picked && this.picked && this.goAction === "lock") {
      event.preventDefault();               // Enter on the card that is picked locks it in
      if (!event.repeat) this.#lock();
    } else if (/^\d$/.test(event.key)) this.#pickByNumber((Number(event.key) + 9) % 10);
  }

  /** Whether whoever plays uses a keyboard. */
  useKeys(used) {
    this.keys = used;
    this.#redraw();
    this.fit();
  }

  fit() {
    if (!this.battle) return;
    const scale = Math.min(...this.sides().map((side) => side.room()));
    for (const side of this.sides()) side.fit(scale);
    this.#hintAtMore();
  }

  /** Where the story is longer than its place it fades out, and the keyboard can move it. */
  #hintAtMore() {
    const { scrollTop, scrollHeight, clientHeight } = this.story;
    set(this.story, "tabindex", scrollHeight > clientHeight + 1 ? "0" : null);
    this.story.classList.toggle("more-above", scrollTop > 4);
    this.story.classList.toggle("more-below", scrollTop + clientHeight < scrollHeight - 4);
  }

  sides() {
    return [this.you, this.rival];
  }

  // What the board is made of.

  #make() {
    const { words, pictures } = this;
    const tell = (side, status) => this.#tellStatus(side, status);
    this.you = new Side("you", pictures, words, tell);
    this.rival = new Side("rival", pictures, words, tell);
    this.hand = new Hand(pictures, words, (card) => this.#pick(card));
    this.chooser = new Amount(words, (amount) => this.#pay(amount));
    // Beside others in a notebook it is no page of its own.
    const [heading, main] = this.model.embedded ? ["h2", "div"] : ["h1", "main"];
    this.turn = make(heading, { class: "turn" });
    const slot = (key) => make("div", { class: "slot", "data-slot": key });
    this.slots = { you: slot("you"), rival: slot("rival") };
    this.big = make("div", { class: "big", "aria-hidden": "true", hidden: true });
    this.cue = make("div", { class: "cue", "aria-hidden": "true", hidden: true });
    this.table = make("div", { class: "table" }, this.slots.you, this.slots.rival);
    this.stage = make("div", { class: "sides" }, this.you.root, this.rival.root, this.cue);
    this.arena = make("div", { class: "arena" }, this.stage, this.table, this.big);
    this.say = make("p", { class: "say" });
    this.story = make("ol", { class: "story", "aria-label": words.story, hidden: true,
      onscroll: () => this.#hintAtMore() });
    this.prize = make("div", { class: "prize", hidden: true });
    this.go = button("brick go", () => this.#act());
    this.others = [
      button("brick plain other", () => this.#goHome(), { "data-act": "home" }, words.home),
      button("brick plain other", () => this.#askLog(), { "data-act": "log" }, words.log),
      button("brick plain other", () => this.#send({ type: "record" }), { "data-act": "record" }, words.record),
    ];
    this.hand.root.append(this.go, ...this.others);
    this.about = new CardPage(pictures, words.card_page, (card) => this.#send({ type: "card", card }));
    this.panel = make("section", { class: "hand" }, this.say, this.about.button, this.story, this.prize, this.hand.root);
    this.about.listen(this.panel, () => !this.show);
    this.polite = make("div", { class: "hidden-words", "aria-live": "polite" });
    this.alert = make("div", { class: "hidden-words", "aria-live": "assertive" });
    this.door = iconButton("door", words.leave, "leave", () => this.#useDoor());
    const log = iconButton("log", words.log, "log", () => this.#askLog());
    this.gear = new Gear(words.settings);
    this.screen = make(main, { class: "screen" },
      make("header", { class: "top" }, this.door, log, this.turn, this.gear.mute, this.gear.button()), this.arena,
      this.chooser.root, this.panel);
    this.screen.addEventListener("click", (event) => this.#onTap(event), true);
    this.log = new Drawer(words.close, "log");
    this.asking = new Drawer(words.close, "ask");
    this.facts = new Drawer(words.close, "facts");
    this.root = make("div", { class: this.model.embedded ? "frame embedded" : "frame" }, pictures.shapes(), this.screen, this.polite, this.alert,
      this.log.root, this.asking.root, this.facts.root, this.about.root, this.gear.root);
    this.coach = new Coach(this, pictures, () => this.#goHome());
    timed(this.root);
  }

  // From state to screen.

  /** The first sight of a battle: where it stands, with nothing replayed. */
  #enter() {
    const { state } = this;
    if (this.show) this.show.skip();
    Object.assign(this, { battle: state.battle, seen: state.last?.turn ?? 0 });
    Object.assign(this, { show: null, picked: null, amount: null, notice: null, started: null, pending: null });
    closeAll(this.root);
    this.#phase("choosing");
    this.#showSides();
    this.#divide();
    this.#slot("you", null);
    this.#slot("rival", null);
    this.#proceed();
    if (state.last || state.over || state.turn !== 1) return;
    this.sides().forEach((side) => side.build());
    hearBuilding(TIMES.build);
  }

  #proceed() {
    const { last, over } = this.state;
    if (last && last.turn > this.seen) this.#play(last.turn, last);
    else if (over) this.#showOver();
    else this.#showChoice();
  }

  #phase(name) {
    this.phase = name;
    set(this.screen, "data-phase", name);
    this.story.hidden = name !== "reveal";
    this.prize.hidden = name !== "over";
    this.say.hidden = name === "reveal" || name === "over";
    if (this.say.hidden) this.about.offer(null);
    this.hand.root.classList.toggle("solo", name === "reveal" || name === "over");
    this.#offerOthers();
    const back = Boolean(this.state?.over || this.state?.watch);
    set(this.door, "aria-label", back ? this.words.home : this.words.leave);
    this.door.classList.toggle("away", back && !this.state?.home);
    set(this.panel, "aria-label", name === "reveal" ? this.words.story : this.words.hand);
  }

  /** After the end: the way back, unless the main button is that, and else the log; and the download. */
  #offerOthers() {
    const over = this.phase === "over", without = this.state?.home && this.goAction !== "home" ? "log" : "home";
    this.others.forEach((button) => { button.hidden = !over || button.dataset.act === without; });
  }

  #title(turn) {
    this.turn.textContent = fill(this.words.turn, { turn });
    set(this.screen, "data-turn", turn);
  }

  #showSides() {
    for (const side of this.sides()) {
      side.show(this.state[side.key], this.phase === "reveal");
      side.quiet();
    }
  }

  /** The two halves of the arena: as wide as the pets in them, within reason, in the colours of their families. */
  #divide() {
    const [[wide], [wideToo]] = this.sides().map((side) => side.size());
    const [a, b] = this.sides().map((side) => side.side.family);
    const share = clamp((wide / (wide + wideToo)) * 100, [40, 60]);
    this.arena.classList.toggle("twins", a === b);
    tint(this.arena, ["--split", `${share.toFixed(1)}%`],
      ["--sky-a", `var(--${a}-sky)`], ["--ground-a", `var(--${a}-ground)`],
      ["--sky-b", `var(--${b}-sky)`], ["--ground-b", `var(--${b}-ground)`]);
  }

  /** Whether the friend is there, which is told when it changes. */
  #attend() {
    const { words } = this, here = this.state.friend?.here ?? null, before = this.friendHere;
    this.friendHere = here;
    this.rival.attend(here);
    if (here === null || before === null || here === before || this.state.over || this.show) return;
    this.#announce([here ? words.friend_back : words.friend_away]);
  }

  #showChoice() {
    const { state, words } = this, { locked, wait } = state, sending = this.pending?.type === "lock";
    const committed = locked || (sending ? this.pending : null);
    if (this.phase === "reveal" || this.phase === "over" || this.phase === "countdown") this.notice = null;
    if (this.chosenFor !== state.turn) Object.assign(this, { picked: null, amount: null, notice: null });
    this.chosenFor = state.turn;
    if (locked) Object.assign(this, { picked: locked.card, amount: locked.amount });
    this.#checkPick();
    this.#phase(locked ? "locked" : "choosing");
    delete this.screen.dataset.result;
    this.#big(null);
    this.#title(state.turn);
    this.#showSides();
    this.sides().forEach((side) => side.mood(null));
    const [mine, theirs] = state.watch ? ["", ""] : [words.your_slot, words.rival_slot];
    this.#slot("you", committed ? "hidden" : mine, Boolean(committed));
    const came = this.#slot("rival", state.rival_ready ? "hidden" : theirs, state.rival_ready);
    if (came && state.rival_ready && state.friend) sound("lock");
    this.hand.show(state.hand, this.picked, Boolean(wait));
    this.panel.classList.toggle("dim", Boolean(committed));
    const limits = committed ? null : this.#limits();
    this.chooser.show(limits, this.amount, state.you);
    this.screen.classList.toggle("paying", Boolean(limits));
    this.#showSay(committed);
    this.#showGo(committed);
    this.#tellStart();
  }

  /** A pick that is not possible any more is dropped, and an amount kept within its limits. */
  #checkPick() {
    const it = this.#card(this.picked);
    if (!this.state.locked && (!it || it.off || this.state.wait)) this.picked = null;
    const limits = this.#limits();
    if (!this.state.locked) this.amount = limits ? clamp(this.amount ?? limits[0], limits) : null;
  }

  #card(name) {
    return this.state.hand.find((it) => it.card === name);
  }

  #limits() {
    return this.#card(this.picked)?.amounts || null;
  }

  #showSay(committed) {
    const { state, words } = this, it = this.#card(this.picked);
    this.about.offer(this.notice ? this.notice.card : it);
    if (this.notice) this.#sayLine(this.notice.title, this.notice.text, this.notice.rule, this.notice.bad);
    else if (state.watch) this.#sayLine(null, state.watch.text);
    else if (committed) this.#sayLine(`${words.locked}.`, this.#whatOther());
    else if (state.wait) this.#sayLine(null, state.wait.text, state.wait.rule);
    else if (it) this.#sayLine(`${it.name}.`, it.line, it.rule);
    else this.#sayLine(null, this.#isAway() ? words.friend_away : this.#whatToPick());
  }

  #whatToPick(keys = this.keys) {
    const { state, words } = this, open = state.hand.filter((it) => !it.off);
    if (open.length === 1 && open[0].card === "revive") return words.pick_revive;
    return keys ? words.pick_keys : words.pick;
  }

  #isAway() {
    const { friend, rival_ready: ready } = this.state;
    return Boolean(friend) && !friend.here && !ready;
  }

  /** What the other side does, for who has chosen. */
  #whatOther() {
    const { state, words } = this;
    if (this.#isAway()) return words.friend_away;
    if (state.friend) return state.rival_ready ? words.locked_both_friend : words.locked_friend;
    return state.rival_ready ? words.locked_both : words.locked_rival;
  }

  #sayLine(title, text, rule = null, bad = false) {
    const line = make("span", {}, ...(title ? [make("b", {}, title), " "] : []), ...ruled(this.words, { text, rule }));
    this.say.classList.toggle("bad", bad);
    this.say.replaceChildren(line);
  }

  #showGo(committed) {
    const { state, words } = this, busy = this.pending?.turn === state.turn;
    if (state.watch) this.#setGo(state.watch.more ? words.watch : words.home, state.watch.more ? "watch" : "home");
    else if (committed && busy) this.#setGo(this.pending.type === "lock" ? words.locking : words.swapping, null);
    else if (committed && state.take_back) this.#setGo(words.swap, "swap", true);
    else if (committed) this.#setGo(words.locked, null);
    else if (state.wait) this.#setGo(words.wait, "lock");
    else if (this.picked) this.#setGo(words.lock, "lock");
    else this.#setGo(words.pick_go, null);
  }

  #setGo(text, action, plain = false) {
    const { words } = this;
    if (this.go.textContent !== text) this.go.textContent = text;
    this.goAction = action;
    set(this.go, "data-go", action || "none");
    set(this.go, "data-key", action === "skip" ? words.key_skip : words.key_go);
    set(this.go, "aria-disabled", !action);
    this.go.classList.toggle("plain", plain);
    this.#offerOthers();
  }

  /** A card's place on the table: null for empty, "hidden" for a card face down, a node, or words. */
  #slot(side, what, ready = false) {
    const slot = this.slots[side], told = what instanceof Node ? null : `${what}/${ready}`;
    if (told !== null && slot.told === told) return false;
    slot.told = told;
    if (what === null) slot.replaceChildren();
    else if (what === "hidden") {
      const card = hiddenCard(this.pictures, this.words);
      if (side === "you") sliding(card, this.#card(this.picked), this.pictures);
      else sliding(card);
      slot.replaceChildren(card, make("b", { class: "said" }, side === "rival" ? this.words.ready : this.words.locked));
    } else slot.replaceChildren(what);
    return true;
  }

  #tellStart() {
    const { state, words } = this;
    if (this.started === state.turn) return;
    this.started = state.turn;
    const sides = this.sides().map(({ side }) => side);
    const counts = sides.flatMap(({ statuses }) => statuses).filter((it) => !isQuiet(it)).map((it) => it.text);
    this.#announce([`${fill(words.turn, state)}.`, ...sides.map((side) => fill(words.state, side)), ...counts,
      state.locked ? `${words.locked}.` : (state.wait || state.watch || { text: this.#whatToPick(false) }).text]);
  }

  #announce(sentences) {
    this.polite.textContent = sentences.filter(Boolean).join(" ");
  }

  // What the player does.

  #act() {
    const actions = {
      lock: () => this.#lock(), swap: () => this.#takeBack(), next: () => this.#next(), result: () => this.#next(),
      skip: () => this.#skip(), again: () => this.#again("again"), rematch: () => this.#again("rematch"),
      watch: () => this.#watch(), home: () => this.#goHome(),
    };
    actions[this.goAction]?.();
  }

  #pickByNumber(index) {
    const it = this.hand.at(index);
    if (!it || (this.phase !== "choosing" && this.phase !== "locked")) return;
    this.hand.buttons.get(it.card).focus({ preventScroll: true });
    this.#pick(it.card);
  }

  #pick(name) {
    const { state, words } = this, it = this.#card(name);
    if (!it || this.show || (this.phase !== "choosing" && this.phase !== "locked")) return;
    if (it.off) this.notice = { title: `${it.name}.`, text: it.off.text, rule: it.off.rule, card: it };
    else if (state.wait) this.notice = { title: words.off, text: state.wait.text, rule: state.wait.rule, card: it };
    else if (state.locked || this.pending?.type === "lock") {
      this.notice = { title: `${it.name}.`, text: it.line, rule: it.rule, card: it };
    } else {
      if (this.picked !== name) this.amount = null;
      Object.assign(this, { picked: name, notice: null });
      sound("tap");
    }
    this.#showChoice();
  }

  #pay(amount) {
    if (this.phase !== "choosing" || !this.#limits()) return;
    this.amount = amount;
    this.#showChoice();
  }

  #lock() {
    const { state } = this;
    if (this.phase !== "choosing" || this.pending || this.show) return;
    const card = state.wait ? "wait" : this.picked;
    if (!card) return;
    const from = (this.hand.buttons.get(card) || this.go).getBoundingClientRect();
    const to = this.slots.you.getBoundingClientRect();
    tint(this.slots.you, ["--from-x", `${from.x - to.x}px`], ["--from-y", `${from.y - to.y}px`]);
    this.notice = null;
    sound("lock");
    this.#send({ type: "lock", turn: state.turn, card, amount: state.wait ? null : this.amount });
    // Where the friend is in already the countdown follows at once, and slides the card itself.
    if (state.friend && state.rival_ready) setTimeout(() => this.#redraw(), SOON);
    else this.#showChoice();
  }

  #takeBack() {
    if (this.pending || !this.state.locked || !this.state.take_back) return;
    this.notice = null;
    sound("unlock");
    this.#send({ type: "take_back", turn: this.state.turn });
    this.#showChoice();
  }

  #next() {
    if (this.phase !== "reveal" || this.show) return;
    this.#proceed();
    if (this.phase !== "choosing") return;
    if (this.state.watch?.more) this.#watch();
    else if (!this.state.wait && this.#hasFocus()) this.hand.focus();
  }

  /** The next turn of a battle that was played before. */
  #watch() {
    if (this.pending || this.show) return;
    this.#send({ type: "next", turn: this.state.turn });
  }

  /** The door leaves a battle, which is asked first, and is the way back from one that is over or only watched. */
  #useDoor() {
    if (this.state.watch || (this.state.over && this.state.home)) this.#goHome();
    else if (!this.state.over) this.#askLeave();
  }

  #goHome() {
    this.#send({ type: "home" });
  }

  #again(type) {
    if (this.pending) return;
    this.notice = null;
    this.#send({ type });
    this.#setGo(this.words.starting, null);
  }

  #send(message) {
    this.model.send_msg(message);
    if (!["lock", "take_back", "again", "rematch", "next"].includes(message.type)) return;
    this.pending = message;
    setTimeout(() => this.#giveUp(message), PATIENCE);
  }

  #giveUp(pending) {
    if (this.pending !== pending) return;
    this.pending = null;
    this.#redraw();
  }

  #redraw() {
    if (this.show) return;
    if (this.phase === "over") this.#showOver();
    else if (this.phase === "choosing" || this.phase === "locked") this.#showChoice();
  }

  #settlePending() {
    const { pending, state } = this;
    if (!pending) return;
    const done = { lock: state.locked, take_back: !state.locked, rematch: state.friend?.wish }[pending.type];
    if (done || (pending.turn && pending.turn !== state.turn)) this.pending = null;
  }

  #refused({ text, rule }) {
    this.pending = null;
    this.notice = { title: null, text, rule, bad: true, atEnd: Boolean(this.show) || this.phase === "over" };
    this.alert.textContent = "";
    this.alert.textContent = text;
    if (this.phase === "choosing" || this.phase === "locked") this.#redraw();
    else if (!this.show && this.phase === "over") this.#showOver();
  }

  #onTap(event) {
    if (!this.show || event.target.closest(".top, .token")) return;
    event.stopPropagation();
    event.preventDefault();
    this.#skip();
  }

  #skip() {
    if (this.show && performance.now() - this.show.started > GUARD) this.show.skip();
  }

  #hasFocus() {
    const active = this.root.getRootNode().activeElement;
    return active ? this.root.contains(active) : !document.activeElement || document.activeElement === document.body;
  }

  // A reveal.

  /** Both are in: the countdown begins on both devices, while the server has still to tell what happens. */
  #count(turn) {
    const waits = this.phase === "choosing" || this.phase === "locked";
    if (waits && !this.show && !this.state.over && turn === this.state.turn) this.#play(turn);
  }

  /** A newer state came while a reveal is running: it may be what that waits for. */
  #learn(last) {
    if (this.show.round || !(last?.turn >= this.show.turn)) return;
    if (last.turn === this.show.turn) {
      this.show.tell(last);
      return;
    }
    this.show.skip();
    this.show = null;
    this.#proceed();
  }

  /** A turn is revealed, once it is told what happened in it. */
  async #play(turn, told = null) {
    const show = new Show(turn, told), { words } = this, here = () => this.show === show;
    this.show = show;
    // First of all, and alone: with this the countdown begins, on both devices as nearly together as can be.
    set(this.screen, "data-phase", "countdown");
    await null;
    if (!here()) return;
    this.#startCountdown(turn, told);
    await show.pause(TIMES.deal);
    for (const [nth, digit] of ["three", "two", "one"].entries()) {
      if (!here()) return;
      if (!show.skipped) {
        this.#big(digit, "digit");
        slam(nth, [this.stage, this.table]);
      }
      await show.pause(TIMES.beat);
      if (here() && !show.skipped) this.#setGo(words.skip, "skip", true);
    }
    const round = await show.told;
    if (!here()) return;
    this.#startReveal(round, show.skipped);
    await show.pause(TIMES.flip);
    const each = clamp(TIMES.story / Math.max(1, round.steps.length), TIMES.step);
    for (const step of round.steps) {
      if (!here()) return;
      this.#showStep(step, round, show.skipped);
      await show.pause(each);
    }
    if (here()) this.#endReveal(round, show);
  }

  #startCountdown(turn, round) {
    const { words } = this, played = round?.you.card ?? this.state.locked?.card ?? this.picked;
    this.notice = null;
    this.#phase("countdown");
    this.#title(turn);
    this.chooser.show(null);
    this.screen.classList.remove("paying");
    for (const side of this.sides()) {
      if (round) side.hold(round.before[side.key]);
      this.#slot(side.key, "hidden", true);
    }
    this.hand.show(this.hand.list, played, false);      // still that turn's hand, not the next one's
    this.panel.classList.add("dim");
    this.#sayLine(words.both, "");
    this.#setGo(words.ready_go, null);
  }

  #startReveal(round, atOnce) {
    const { words } = this;
    this.#big(null);
    this.#phase("reveal");
    this.story.replaceChildren();
    this.panel.classList.remove("dim");
    for (const side of this.sides()) {
      const it = round[side.key], other = it.effect && it.effect !== it.card ? it.effect : null;
      const now = it.amount ? [{ sign: "cost", text: it.amount }] : [];
      const card = shownCard(this.pictures, { card: it.card, name: it.name, now, effect: other });
      this.#slot(side.key, atOnce ? card : turning(card, hiddenCard(this.pictures, words)));
    }
    sound("flip");
    this.#setGo(words.skip, "skip", true);
    const played = this.sides().map((side) => fill(words.played, { who: side.side.who, name: round[side.key].name }));
    this.#announce([...played, ...round.steps.map((step) => step.text)]);
  }

  #showStep(step, round, atOnce) {
    const on = this[step.on] || this[step.side], from = this[step.side] || on, hurt = step.number < 0;
    this.#tellStep(step);
    for (const side of this.sides()) {
      if (atOnce) side.hold(after(step, side));
      else side.change(after(step, side));
    }
    if (atOnce) return;
    hear(step);
    this.#cue(step, on);
    again(this.slots[from.key], "pulse");
    this.sides().forEach((side) => side.quiet());
    if (step.number) on.ouch(step.number);
    this.sides().forEach((side) => side.see(step));
    if (step.kind === "hit" && from !== on) from.act("lunge");
    if (hurt) {
      on.act("shake");
      on.mood("hurting");
    } else if (step.number > 0) on.mood("happy");
    if (step.kind === "knockout") on.crumble(true);
    if (step.kind === "return") {
      on.rise();
      on.build();
    }
  }

  /** What happens, in a word over the pet that it happens to, with its rule; none for nothing. */
  #cue(step, on) {
    this.cue.hidden = !step;
    if (!step) return;
    const fresh = this.cue.cloneNode(), { words } = this;
    set(fresh, "data-on", on.key);
    set(fresh, "data-kind", step.kind);
    fresh.append(stepChip(this.pictures, step), make("b", {}, step.word), ruleMark(words, step.rule) || "");
    this.cue.replaceWith(fresh);
    this.cue = fresh;
  }

  #tellStep(step) {
    const { number } = step, kind = number < 0 ? "n bad" : number > 0 ? "n good" : "n";
    this.story.append(make("li", { "data-kind": step.kind, "data-on": step.on },
      stepChip(this.pictures, step), make("span", {}, ...ruled(this.words, step, ruleMark)),
      Number.isInteger(number) ? make("b", { class: kind }, signed(number)) : null));
    this.story.scrollTop = this.story.scrollHeight;
  }

  #endReveal(round, show) {
    const last = round.steps.at(-1);
    this.seen = round.turn;
    this.show = null;
    this.#cue(null);
    this.sides().forEach((side) => side.stand(!show.skipped));
    if (this.state.last?.turn === round.turn) this.#showSides();
    else if (last) this.sides().forEach((side) => side.hold(after(last, side)));
    for (const side of this.sides()) {
      side.quiet();
      side.mood(null);
    }
    this.fit();
    this.#offerNext(show.skipped);
    if (this.#hasFocus()) this.go.focus({ preventScroll: true });
  }

  #offerNext(guarded = false) {
    const { state, words } = this, ends = state.over && !(state.last?.turn > this.seen);
    const offer = () => this.#setGo(ends ? words.result : words.next, ends ? "result" : "next");
    offer();
    if (!guarded) return;
    set(this.go, "aria-disabled", true);
    this.go.classList.add("soon");
    this.goAction = null;
    setTimeout(() => {
      this.go.classList.remove("soon");
      if (this.phase === "reveal" && !this.show) this.#offerNext();
    }, GUARD / 2);
  }

  /** A brick word or digit over the arena, or none. */
  #big(name, kind = "word") {
    this.arena.querySelector(".confetti")?.remove();
    this.cue.hidden = true;
    this.big.hidden = !name;
    this.big.className = `big ${kind}s`;
    this.big.replaceChildren(...(name ? [make("div", { class: kind }, this.pictures.get(name))] : []));
  }

  // The end.

  #showOver() {
    const { state, words } = this, { result, title, text, gold } = state.over, first = this.phase !== "over";
    this.#phase("over");
    set(this.screen, "data-result", result);
    this.#title(state.last?.turn ?? state.turn);
    this.#showSides();
    this.chooser.show(null);
    this.screen.classList.remove("paying");
    this.panel.classList.remove("dim");
    this.hand.show(state.hand, null, false);
    this.#slot("you", null);
    this.#slot("rival", null);
    const winner = { win: this.you, loss: this.rival }[result];
    if (first) this.standing.clear();
    this.standing.forEach((side) => side.rise());
    const glad = (side) => side === winner || (result === "draw" && this.standing.has(side));
    this.sides().forEach((side) => side.mood(glad(side) ? "happy" : null));
    if (first) {
      this.#big({ win: "you-win", draw: "draw" }[result] || null);
      if (result === "win") this.arena.append(confetti());
      if (winner) winner.act("cheer");
      if (["win", "draw", "loss"].includes(result)) sound(result);
      this.#announce([title, text, gold ? fill(words.gold, { gold: signed(gold) }) : ""]);
      this.coins = gold ? make("p", { class: "gold" }) : null;
      if (result === "loss") this.#buildAgain([this.you], TIMES.heap);
      if (result === "draw") this.#buildAgain(this.sides(), TIMES.flip);
    }
    this.prize.replaceChildren(
      make("h2", {}, title), ...(text ? [make("p", {}, text)] : []), ...(this.coins ? [this.coins] : []),
      ...(this.notice?.atEnd ? [make("p", { class: "bad" }, ...ruled(words, this.notice))] : []));
    if (["again", "rematch"].includes(this.pending?.type)) this.#setGo(words.starting, null);
    else if (state.friend) this.#offerRematch(state.friend);
    else this.#setGo(state.watch ? words.home : state.lesson?.next || words.again, state.watch ? "home" : "again");
    if (first && gold) payOut(this.coins, gold, words, this.rival.pet);
    if (first && this.#hasFocus()) this.go.focus({ preventScroll: true });
  }

  /** Every piece can be built again: after a while, whoever fell stands as before. */
  async #buildAgain(sides, time) {
    const show = new Show(), { battle } = this;
    await show.pause(time);
    if (this.phase !== "over" || this.battle !== battle) return;
    for (const side of sides.filter((one) => one.fallen)) {
      this.standing.add(side);
      side.rise();
      side.build();
    }
    this.fit();
    hearBuilding(TIMES.build);
    if (this.state.over.result !== "draw") return;
    await show.pause(TIMES.build);
    if (this.phase === "over" && this.battle === battle) this.sides().forEach((side) => side.act("cheer"));
  }

  /** Another battle against the same friend, once both want it. */
  #offerRematch({ here, wants, wish }) {
    const { words } = this, gone = !here && !wants, told = gone ? words.friend_left : wants ? words.rematch_wanted : "";
    if (gone) this.#setGo(words.home, "home");
    else if (wish) this.#setGo(words.rematch_wait, null);
    else this.#setGo(words.rematch, "rematch");
    if (gone || (wants && !wish)) this.prize.append(make("p", { class: "wanted" }, told));
    if (told && told !== this.friendTold) this.#announce([told]);
    this.friendTold = told;
  }

  // Drawers.

  #drawerOpen() {
    return [this.log, this.asking, this.facts, this.about, this.gear.drawer].some((drawer) => drawer.root.open);
  }

  #tellStatus(side, status) {
    const { words } = this;
    if (status && !this.show && (this.phase === "choosing" || this.phase === "locked")) {
      this.notice = { title: null, text: status.text, rule: status.rule };
      this.#showChoice();
      return;
    }
    const lines = (status ? [status] : side.side.statuses).map((it) => make("li", {}, chip(this.pictures, it.card),
      make("span", {}, ...ruled(words, it))));
    this.facts.open(fill(words.statuses, side.side), [make("ul", { class: "story" }, ...lines)]);
  }

  #askLog() {
    this.log.open(this.words.log, [make("p", {}, this.words.log_loading)]);
    this.#send({ type: "log" });
  }

  #showLog(rounds) {
    if (!this.log.root.open) return;
    const { words } = this;
    if (!rounds.length) {
      this.log.fill([make("p", {}, words.log_empty)]);
      return;
    }
    const copy = button("brick plain", () => this.#copy(rounds, copy), { "data-act": "copy" }, words.copy);
    const lines = (round) => round.lines.map((line) => make("li", {}, ...ruled(words, line)));
    this.log.fill(rounds.flatMap((round) =>
      [make("h3", {}, fill(words.turn, round)), make("p", { class: "played" }, round.played),
        make("ul", { class: "lines" }, ...lines(round))]), [copy]);
    this.log.body.scrollTop = this.log.body.scrollHeight;
  }

  async #copy(rounds, button) {
    const text = rounds.map((round) => [`${fill(this.words.turn, round)}: ${round.played}`,
      ...round.lines.map((line) => (line.rule ? `${line.text} (${line.rule})` : line.text))].join("\n")).join("\n\n");
    await toClipboard(text, this.log.foot);
    button.focus();
    button.textContent = this.words.copied;
    setTimeout(() => { button.textContent = this.words.copy; }, 1600);
  }

  #askLeave() {
    const { words, state } = this;
    const close = () => this.asking.close();
    const go = () => {
      close();
      this.#send({ type: "leave" });
    };
    const late = state.friend ? words.leave_late_friend : words.leave_late;
    const text = state.last ? late : words.leave_early;
    const stay = button("brick plain", close, {}, words.leave_no);
    const buttons = [button("brick warn", go, { "data-act": "leave-now" }, words.leave_yes), stay];
    this.asking.open(words.leave_ask, [make("p", {}, ...ruled(words, { text, rule: words.leave_rule }))], buttons, stay);
  }
}

/** Keys are heard on the whole page when the board is the page, else only inside it. */
function listen(board, place) {
  const onKey = (event) => {
    if (board.root.isConnected) {
      if (board.root.checkVisibility()) board.onKey(event);
    } else place.removeEventListener("keydown", onKey);
  };
  place.addEventListener("keydown", onKey);
}

/**
 * Says while a battle against a friend is looked at, so that the friend can see it, and asks whether anything was missed.
 * Gives what ends that.
 */
function sayWhoIsHere(board, model) {
  const listening = new AbortController(), { signal } = listening;
  const visible = () => document.visibilityState === "visible";
  const say = (here) => {
    const asked = Boolean(board.state?.friend) && board.root.checkVisibility();
    if (asked) model.send_msg({ type: "here", here });
    return asked;
  };
  const beat = setInterval(() => {
    if (!visible() || !say(true)) return;
    board.feel();
  }, HERE);
  document.addEventListener("visibilitychange", () => {
    say(visible());
    if (visible()) board.catchUp();
  }, { signal });
  addEventListener("pagehide", () => say(false), { signal });
  return () => {
    clearInterval(beat);
    listening.abort();
  };
}

export async function render(context) {
  const { model } = context;
  const board = await mount(context, (art) => new Board(model, art));
  const place = model.embedded ? board.root : document;
  listen(board, place);
  noticeKeys(board.root, place, (used) => board.useKeys(used));
  model.on("remove", sayWhoIsHere(board, model));
  const sizes = new ResizeObserver(() => board.fit());
  [board.root, ...board.sides().map((side) => side.pet)].forEach((node) => sizes.observe(node));
}
