import {
  again, button, clamp, COIN, download, drawing, Drawer, fill, iconButton, make, mount, PATIENCE, set, signed, tint,
  toClipboard,
} from "./bricks.js";
import { chip, confetti, hiddenCard, Pictures, ruled, shownCard } from "./cards.js";
import { Amount, Hand } from "./hand.js";
import { Side } from "./side.js";

/**
 * The board of a battle, for one seat.
 *
 * `render` gets the model: `state` is what this seat may see, `art` and `words` never change. The browser tells what
 * the player did by `send_msg` and sets no property. Every text that comes with the state is put on the page as text;
 * only the pictures, which are the game's own, are markup.
 *
 * Its parts are files of their own: `cards.js`, `side.js` (a pet and its health), `hand.js`.
 */

const BEAT = 800;              // one countdown digit
const DEAL = 450;              // a card flying into its slot
const FLIP = 1000;             // both cards turning, and a moment to read them
const STORY = 3600;            // all steps together, if they are many
const STEP = [520, 1150];      // the least and the most for one step
const HERE = 4000;             // how often is said that somebody looks at a battle against a friend
const LATE = 3000;             // a reveal that came unseen so long ago is not played any more
const GUARD = 600;             // a second tap on "Lock it in" is no skip, one on "Skip" is no "Next turn"

const BUSY = "input, textarea, select, button, a, [contenteditable]";      // where keys mean something else

/** The run of one revealed round; every pause of it ends at once when it is skipped. */
class Show {
  constructor() {
    Object.assign(this, { skipped: false, started: performance.now(), wake: null });
    this.unseenSince = document.visibilityState === "hidden" ? Date.now() : null;
  }

  pause(time) {
    if (this.skipped) return Promise.resolve();
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, time);
    });
  }

  skip() {
    this.skipped = true;
    this.wake?.();
  }
}

/** What a side has left after a step. */
const after = (step, { key }) => ({ health: step.health[key], reserve: step.reserve?.[key] ?? 0 });

class Board {
  constructor(model) {
    Object.assign(this, {
      model, words: JSON.parse(model.words), pictures: new Pictures(JSON.parse(model.art)),
      battle: undefined,     // the battle that is shown
      seen: 0,               // the last turn whose reveal was shown
      picked: null,          // a card that is picked and not yet sent
      amount: null,
      pending: null,         // what was sent and not yet answered
      notice: null,          // a sentence that stands in place of the card's meaning
      show: null,            // a reveal that is running
      started: null,         // the turn whose start was told
      friendHere: null,      // whether the friend was there when that was told
      friendTold: "",        // what was told of the friend after the end
    });
    this.#make();
  }

  /** The newest state. While a reveal runs or is being read, it is kept, and shown after it. */
  receive(state) {
    if (!state?.you || !state.rival) return;
    const first = state.battle !== this.battle, before = this.state;
    this.state = state;
    this.#settlePending();
    if (first) this.#enter();
    else if (state.over && !before.over && state.last?.turn === before.last?.turn) this.#endAtOnce();
    else if (!this.show) {
      // While a turn is still being read, a newer one is there only if it was chosen in another tab.
      if (this.phase === "reveal" && !(state.last?.turn > this.seen)) this.#offerNext();
      else this.#proceed();
    }
    this.#attend();
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
    if (message?.type === "refused") this.#refused(message);
    else if (message?.type === "log") this.#showLog(message.rounds || []);
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
    this.turn = make("h2", { class: "turn" });
    const slot = (key) => make("div", { class: "slot", "data-slot": key });
    this.slots = { you: slot("you"), rival: slot("rival") };
    this.big = make("div", { class: "big", "aria-hidden": "true", hidden: true });
    this.arena = make("div", { class: "arena" },
      make("div", { class: "sides" }, this.you.root, this.rival.root),
      make("div", { class: "table" }, this.slots.you, this.slots.rival), this.big);
    this.say = make("p", { class: "say" });
    this.story = make("ol", { class: "story", "aria-label": words.story, hidden: true,
      onscroll: () => this.#hintAtMore() });
    this.prize = make("div", { class: "prize", hidden: true });
    this.go = button("brick go", () => this.#act());
    this.others = [
      button("brick plain other", () => this.#send({ type: "record" }), { "data-act": "record" }, words.record),
      button("brick plain other", () => this.#askLog(), { "data-act": "log" }, words.log),
      button("brick plain other", () => this.#goHome(), { "data-act": "home" }, words.home),
    ];
    this.hand.root.append(this.go, ...this.others);
    this.panel = make("section", { class: "hand" }, this.say, this.story, this.prize, this.hand.root);
    this.polite = make("div", { class: "hidden-words", "aria-live": "polite" });
    this.alert = make("div", { class: "hidden-words", "aria-live": "assertive" });
    this.door = iconButton("door", words.leave, "leave", () => this.#useDoor());
    const log = iconButton("log", words.log, "log", () => this.#askLog());
    this.screen = make("div", { class: "screen" },
      make("header", { class: "top" }, this.door, this.turn, log), this.arena, this.chooser.root, this.panel);
    this.screen.addEventListener("click", (event) => this.#onTap(event), true);
    this.log = new Drawer(words.close, "log");
    this.asking = new Drawer(words.close, "ask");
    this.facts = new Drawer(words.close, "facts");
    this.root = make("div", { class: this.model.embedded ? "frame embedded" : "frame" }, pictures.shapes(), this.screen, this.polite, this.alert,
      this.log.root, this.asking.root, this.facts.root);
  }

  // From state to screen.

  /** The first sight of a battle: where it stands, with nothing replayed. */
  #enter() {
    const { state } = this;
    if (this.show) this.show.skip();
    Object.assign(this, { battle: state.battle, seen: state.last?.turn ?? 0 });
    Object.assign(this, { show: null, picked: null, amount: null, notice: null, started: null, pending: null });
    for (const drawer of [this.log, this.asking, this.facts]) drawer.close();
    this.#phase("choosing");
    this.#showSides();
    this.#divide();
    this.#slot("you", null);
    this.#slot("rival", null);
    this.#proceed();
    if (!state.last && !state.over && state.turn === 1) this.sides().forEach((side) => side.build());
  }

  #proceed() {
    const { last, over } = this.state;
    if (last && last.turn > this.seen) this.#play(last);
    else if (over) this.#showOver();
    else this.#showChoice();
  }

  #phase(name) {
    this.phase = name;
    set(this.screen, "data-phase", name);
    this.story.hidden = name !== "reveal";
    this.prize.hidden = name !== "over";
    this.say.hidden = name === "reveal" || name === "over";
    this.hand.root.classList.toggle("solo", name === "reveal" || name === "over");
    // Where there is a way back it stands beside the download, and the log is found at the top as ever.
    const without = this.state?.home ? "log" : "home";
    this.others.forEach((button) => { button.hidden = name !== "over" || button.dataset.act === without; });
    const back = Boolean(this.state?.over || this.state?.watch);
    set(this.door, "aria-label", back ? this.words.home : this.words.leave);
    this.door.classList.toggle("away", back && !this.state?.home);
    set(this.panel, "aria-label", name === "reveal" ? this.words.story : this.words.hand);
  }

  #title(turn) {
    this.turn.textContent = fill(this.words.turn, { turn });
    set(this.screen, "data-turn", turn);
  }

  #showSides() {
    for (const side of this.sides()) {
      side.show(this.state[side.key]);
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
    this.#slot("rival", state.rival_ready ? "hidden" : theirs, state.rival_ready);
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
    if (this.notice) this.#sayLine(this.notice.title, this.notice.text, this.notice.rule, this.notice.bad);
    else if (state.watch) this.#sayLine(null, state.watch.text);
    else if (committed) this.#sayLine(`${words.locked}.`, this.#whatOther());
    else if (state.wait) this.#sayLine(null, state.wait.text, state.wait.rule);
    else if (it) this.#sayLine(`${it.name}.`, it.line, it.rule);
    else this.#sayLine(null, this.#isAway() ? words.friend_away : words.pick);
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
    if (this.go.textContent !== text) this.go.textContent = text;
    this.goAction = action;
    set(this.go, "data-go", action || "none");
    set(this.go, "aria-disabled", !action);
    this.go.classList.toggle("plain", plain);
  }

  /** A card's place on the table: null for empty, "hidden" for a card face down, a node, or words. */
  #slot(side, what, ready = false) {
    const slot = this.slots[side], told = what instanceof Node ? null : `${what}/${ready}`;
    if (told !== null && slot.told === told) return false;
    slot.told = told;
    if (what === null) slot.replaceChildren();
    else if (what === "hidden") {
      const card = hiddenCard(this.pictures, this.words);
      card.classList.add("locking");
      card.addEventListener("animationend", () => card.classList.remove("locking"), { once: true });
      slot.replaceChildren(card, make("b", { class: "said" }, side === "rival" ? this.words.ready : this.words.locked));
    } else slot.replaceChildren(what);
    return true;
  }

  #tellStart() {
    const { state, words } = this;
    if (this.started === state.turn) return;
    this.started = state.turn;
    this.#announce([state.wait ? `${fill(words.turn, state)}. ${state.wait.text}` : fill(words.start, state)]);
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
    if (it.off) this.notice = { title: `${it.name}.`, text: it.off.text, rule: it.off.rule };
    else if (state.wait) this.notice = { title: words.off, text: state.wait.text, rule: state.wait.rule };
    else if (state.locked || this.pending?.type === "lock") {
      this.notice = { title: `${it.name}.`, text: it.line, rule: it.rule };
    } else {
      if (this.picked !== name) this.amount = null;
      Object.assign(this, { picked: name, notice: null });
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
    this.#send({ type: "lock", turn: state.turn, card, amount: state.wait ? null : this.amount });
    this.#showChoice();
  }

  #takeBack() {
    if (this.pending || !this.state.locked || !this.state.take_back) return;
    this.notice = null;
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

  async #play(round) {
    const show = new Show(), { words } = this, here = () => this.show === show;
    this.show = show;
    this.#startCountdown(round);
    await show.pause(DEAL);
    for (const digit of ["three", "two", "one"]) {
      if (!here()) return;
      if (!show.skipped) this.#big(digit, "digit");
      await show.pause(BEAT);
      if (here() && !show.skipped) this.#setGo(words.skip, "skip", true);
    }
    if (!here()) return;
    this.#startReveal(round);
    await show.pause(FLIP);
    const each = clamp(STORY / Math.max(1, round.steps.length), STEP);
    for (const step of round.steps) {
      if (!here()) return;
      this.#showStep(step, round, show.skipped);
      await show.pause(each);
    }
    if (here()) this.#endReveal(round, show);
  }

  #startCountdown(round) {
    const { words } = this;
    Object.assign(this, { notice: null, round });
    this.#phase("countdown");
    this.#title(round.turn);
    this.chooser.show(null);
    this.screen.classList.remove("paying");
    for (const side of this.sides()) {
      side.hold(round.before[side.key]);
      this.#slot(side.key, "hidden", true);
    }
    this.hand.show(this.hand.list, round.you.card, false);      // still that turn's hand, not the next one's
    this.panel.classList.add("dim");
    this.#sayLine(words.both, "");
    this.#setGo(words.ready_go, null);
  }

  #startReveal(round) {
    const { words } = this;
    this.#big(null);
    this.#phase("reveal");
    this.story.replaceChildren();
    this.panel.classList.remove("dim");
    for (const side of this.sides()) {
      const it = round[side.key], other = it.effect && it.effect !== it.card ? it.effect : null;
      const card = shownCard(this.pictures, { card: it.card, name: it.name, amount: it.amount, effect: other });
      card.classList.add("flip");
      this.#slot(side.key, card);
    }
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
    again(this.slots[from.key], "pulse");
    this.sides().forEach((side) => side.quiet());
    if (step.number) on.ouch(step.number);
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

  #tellStep(step) {
    const { number } = step, kind = number < 0 ? "n bad" : number > 0 ? "n good" : "n";
    this.story.append(make("li", { "data-kind": step.kind, "data-on": step.on },
      chip(this.pictures, step.card), make("span", {}, ...ruled(this.words, step)),
      Number.isInteger(number) ? make("b", { class: kind }, signed(number)) : null));
    this.story.scrollTop = this.story.scrollHeight;
  }

  #endReveal(round, show) {
    const last = round.steps.at(-1);
    this.seen = round.turn;
    this.show = null;
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
    this.sides().forEach((side) => side.mood(side === winner ? "happy" : null));
    if (first) {
      this.#big({ win: "you-win", draw: "draw" }[result] || null);
      if (result === "win") this.arena.append(confetti());
      if (winner) winner.act("cheer");
      this.#announce([title, text]);
    }
    const coins = () => make("p", { class: "gold" }, drawing(COIN), fill(words.gold, { gold: signed(gold) }));
    this.prize.replaceChildren(
      make("h2", {}, title), ...(text ? [make("p", {}, text)] : []), ...(gold ? [coins()] : []),
      ...(this.notice?.atEnd ? [make("p", { class: "bad" }, ...ruled(words, this.notice))] : []));
    if (["again", "rematch"].includes(this.pending?.type)) this.#setGo(words.starting, null);
    else if (state.friend) this.#offerRematch(state.friend);
    else this.#setGo(state.watch ? words.home : words.again, state.watch ? "home" : "again");
    if (first && this.#hasFocus()) this.go.focus({ preventScroll: true });
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
    return [this.log, this.asking, this.facts].some((drawer) => drawer.root.open);
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
    const buttons = [button("brick plain", close, {}, words.leave_no),
      button("brick warn", go, { "data-act": "leave-now" }, words.leave_yes)];
    this.asking.open(words.leave_ask, [make("p", {}, ...ruled(words, { text, rule: words.leave_rule }))], buttons);
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
  const board = await mount(context, () => new Board(model));
  listen(board, model.embedded ? board.root : document);
  model.on("remove", sayWhoIsHere(board, model));
  const sizes = new ResizeObserver(() => board.fit());
  [board.root, ...board.sides().map((side) => side.pet)].forEach((node) => sizes.observe(node));
}
