import { choices, Drawer, drawing, fill, make, mount, oneStop, set, several, tint } from "./bricks.js";

/**
 * The easel: a drawing of bricks on which one taps, and its text.
 *
 * `content` (words, colours, prints, pets) and the pictures never change; the state is the drawing as the server has
 * it, with the picture that it made. What is tapped or typed goes to the server as a message, and every message is
 * answered by a state. Text is put on the page as text; only pictures, made by the server's own renderer, are markup.
 *
 * From small to large: `Paper` (where one taps), `Palette` (what one builds with), `Script` (the text), `Easel`.
 */

const [WIDE, HIGH, STUD, GROUND] = [10, 12, 6, 7];   // a place of the grid in the measure of the pictures
const PAUSE = 250;             // so long after the last letter the text is sent

const ACTS = ["undo", "mirror", "start", "roomier", "tighter"];
const RUBBER = ".", SLOPES = ["/", "\\"];

const line = (paths) => '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.6" '
  + `stroke-linecap="round" stroke-linejoin="round">${paths}</svg>`;
const SIGNS = {
  undo: line('<path d="M8 4L3 9l5 5M3.500 9H14a6 6 0 0 1 0 12h-3"/>'),
  mirror: line('<path d="M12 3v18" stroke-dasharray="2 4"/><path d="M8 6v12H2zM16 6v12h6z"/>'),
  roomier: line('<path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5"/>'),
  tighter: line('<path d="M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5"/>'),
  start: line('<path d="M6 3h9l4 4v14H6z"/><path d="M12.500 10v7M9 13.500h7"/>'),
  rubber: line('<path d="M9 20l-6-6L14 3l7 7-10 10zM8 9l7 7M9 20h12"/>'),
  up: '<svg viewBox="-1 -1 12 14"><use href="#sb-br" fill="#87909e"/></svg>',
  down: '<svg viewBox="-1 -1 12 14"><use href="#sb-bl" fill="#87909e"/></svg>',
};

/** A picture that the server has just made; unlike the game's own, it is not kept. */
function fresh(markup) {
  const picture = drawing(markup);
  drawing.kept.delete(markup);
  return picture;
}

/** The places on the way from one to another, both ends included. */
function between([x, y], [toX, toY]) {
  const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y), 1);
  return several(steps + 1, (n) => [Math.round(x + ((toX - x) * n) / steps), Math.round(y + ((toY - y) * n) / steps)]);
}

/** The drawing. A stroke of finger or mouse is shown as it goes, and told by `painted` when it ends. */
class Paper {
  constructor(words, brush, painted) {
    Object.assign(this, { words, brush, painted, rows: [""], legend: {}, at: [0, 0], stroke: null });
    this.picture = make("div", { class: "picture", "aria-hidden": "true" });
    this.lines = this.#drawn("path", { class: "ruling" });
    this.ghosts = this.#drawn("g", { class: "ghosts" });
    this.cursor = this.#drawn("rect", { class: "cursor", width: WIDE, height: HIGH });
    this.over = this.#drawn("svg", { class: "ground-plan", "aria-hidden": "true" });
    this.over.append(this.lines, this.ghosts, this.cursor);
    this.hint = make("p", { class: "hint", "aria-hidden": "true" }, words.first_brick);
    this.told = make("p", { class: "hidden-words", role: "status" });
    this.help = make("p", { class: "hidden-words", id: "paper-help" }, words.paper_help);
    this.sheet = make("div", { class: "paper", role: "application", tabindex: "0", "aria-describedby": "paper-help",
      onkeydown: (event) => this.#onKey(event),
      onpointerdown: (event) => this.#begin(event), onpointermove: (event) => this.#go(event),
      onpointerup: () => this.#end(), onpointercancel: () => this.#drop() },
      this.picture, this.over, this.hint);
    this.small = make("span", { class: "tiny" });
    this.shadow = make("span", { class: "tiny shadow" });
    this.root = make("div", { class: "board-of-paper" }, this.sheet, this.help, this.told,
      make("div", { class: "looks" },
        make("span", { class: "look" }, this.small, make("span", {}, words.small)),
        make("span", { class: "look" }, this.shadow, make("span", {}, words.shadow))));
  }

  show({ rows, legend, picture }) {
    const width = rows[0].length, height = rows.length;
    Object.assign(this, { rows, legend, width, height });
    const box = [WIDE * width + 2, HIGH * height + STUD + GROUND];
    set(this.over, "viewBox", `-1 ${-STUD} ${box.join(" ")}`);
    tint(this.sheet, ["--wide", box[0]], ["--high", box[1]]);
    set(this.sheet, "aria-label", fill(this.words.paper, { width, height }));
    set(this.lines, "d", [...several(width + 1, (x) => `M${x * WIDE} 0V${height * HIGH}`),
      ...several(height + 1, (y) => `M0 ${y * HIGH}H${width * WIDE}`)].join(""));
    if (picture !== this.drawn) {
      this.drawn = picture;
      for (const place of [this.picture, this.small, this.shadow]) {
        place.replaceChildren(...(picture ? [fresh(picture)] : []));
      }
    }
    this.hint.hidden = Boolean(picture);
    this.ghosts.replaceChildren();
    this.#move(Math.min(this.at[0], width - 1), Math.min(this.at[1], height - 1));
  }

  /** Forgets what was shown before the server has answered. */
  settle() {
    this.ghosts.replaceChildren();
  }

  #drawn(tag, props) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(props)) node.setAttribute(name, value);
    return node;
  }

  #placeOf(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.over.getScreenCTM().inverse());
    return [Math.floor(point.x / WIDE), Math.floor(point.y / HIGH)];
  }

  #inside([x, y]) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  #begin(event) {
    if (event.button || this.stroke) return;
    const place = this.#placeOf(event);
    if (!this.#inside(place)) return;
    this.sheet.setPointerCapture(event.pointerId);
    this.stroke = new Map();
    this.last = place;
    this.#touch(place);
  }

  #go(event) {
    if (!this.stroke || this.brush().size) return;
    const place = this.#placeOf(event);
    between(this.last, place).filter((each) => this.#inside(each)).forEach((each) => this.#touch(each));
    this.last = place;
  }

  #end() {
    if (!this.stroke) return;
    const places = [...this.stroke.values()];
    this.stroke = null;
    this.#move(...places.at(-1));
    this.painted(places, this.brush().name);
  }

  /** What began as a stroke was something else, such as two fingers that make the page larger. */
  #drop() {
    this.stroke = null;
    this.settle();
  }

  #touch(place) {
    const [x, y] = place;
    if (this.stroke.has(`${place}`)) return;
    this.stroke.set(`${place}`, place);
    this.#ghost(x, y);
  }

  /** What a place will look like, roughly, until the server has built it. */
  #ghost(x, y) {
    const { name, hex, size: [wide, high] = [1, 1], mirrored } = this.brush();
    const clamped = (from, most) => Math.max(0, Math.min(from, most));
    const left = clamped(x - Math.floor((wide - 1) / 2), this.width - wide);
    const top = clamped(y - Math.floor((high - 1) / 2), this.height - high);
    for (const from of new Set(mirrored ? [left, this.width - left - wide] : [left])) {
      this.ghosts.append(this.#drawn("rect", { class: hex ? "" : name === RUBBER ? "gone" : "some",
        fill: hex || "none", x: from * WIDE, y: top * HIGH, width: wide * WIDE, height: high * HIGH }));
    }
  }

  #move(x, y) {
    this.at = [x, y];
    set(this.cursor, "x", x * WIDE);
    set(this.cursor, "y", y * HIGH);
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const brush = { " ": this.brush().name, Enter: this.brush().name, Backspace: RUBBER, Delete: RUBBER }[event.key];
    if (!step && !brush) return;
    event.preventDefault();
    if (step) {
      const there = [this.at[0] + step[0], this.at[1] + step[1]];
      if (this.#inside(there)) this.#move(...there);
      this.tell();
    } else {
      this.telling = true;
      this.painted([this.at], brush);
    }
  }

  /** Says what is under the cursor. */
  tell() {
    const [x, y] = this.at, { words } = this, letter = this.rows[y][x];
    const what = this.legend[letter] || (SLOPES.includes(letter) ? words.slope : words.nothing);
    this.told.textContent = fill(words.place, { row: y + 1, place: x + 1, what });
    this.telling = false;
  }
}

/** What one builds with: bricks, slopes and the rubber on one leaf, what is printed on tiles on the other. */
class Palette {
  constructor({ words, colours, prints }) {
    this.words = words;
    const [up, down] = SLOPES;
    const bricks = [
      ...colours.map(({ name, hex, picture }) => ({ name, hex, label: name, sign: drawing(picture) })),
      { name: up, label: words.slope_up, sign: drawing(SIGNS.up) },
      { name: down, label: words.slope_down, sign: drawing(SIGNS.down) },
      { name: RUBBER, label: words.rubber, sign: drawing(SIGNS.rubber) },
    ];
    const tiles = prints.map(({ name, size, picture }) => ({ name, size, label: name, sign: drawing(picture) }));
    this.buttons = [...bricks, ...tiles].map((brush) => [brush, this.#button(brush)]);
    const leaf = (name, brushes) => {
      const mine = this.buttons.filter(([brush]) => brushes.includes(brush)).map(([, button]) => button);
      return make("div", { class: "leaf", role: "tabpanel", id: `leaf-${name}`, "aria-label": words[name] },
        choices("radiogroup", words[name], "swatches", mine));
    };
    this.leaves = { colours: leaf("colours", bricks), prints: leaf("prints", tiles) };
    this.tabs = Object.keys(this.leaves).map((name) => make("button", { class: "tab", type: "button", role: "tab",
      "data-leaf": name, "aria-controls": `leaf-${name}`, "aria-selected": "false",
      onclick: () => this.#turnTo(name) }, words[name]));
    this.say = make("p", { class: "with", role: "status" });
    this.root = make("section", { class: "part palette", "aria-label": words.tools },
      choices("tablist", words.tools, "tabs", this.tabs), ...Object.values(this.leaves), this.say);
    this.colour = colours[0].name;
    this.#turnTo("colours");
    this.choose(bricks.find(({ name }) => name === "red"));
  }

  choose(brush) {
    this.brush = brush;
    if (brush.hex) this.colour = brush.name;
    this.buttons.forEach(([each, button]) => set(button, "aria-checked", String(each === brush)));
    for (const leaf of Object.values(this.leaves)) {
      const buttons = [...leaf.querySelectorAll("button")];
      oneStop(buttons, buttons.find((button) => button.getAttribute("aria-checked") === "true"));
    }
    this.say.textContent = fill(this.words.with, { what: brush.label });
  }

  #button(brush) {
    return make("button", { class: "swatch", type: "button", role: "radio", "aria-checked": "false", title: brush.label,
      "aria-label": brush.label, "data-brush": brush.name, onclick: () => this.choose(brush) }, brush.sign);
  }

  #turnTo(name) {
    for (const [each, leaf] of Object.entries(this.leaves)) leaf.hidden = each !== name;
    this.tabs.forEach((tab) => set(tab, "aria-selected", String(tab.dataset.leaf === name)));
    oneStop(this.tabs, this.tabs.find((tab) => tab.dataset.leaf === name));
  }
}

/** The text, with the numbers of its lines and what is wrong in it; `written` hears of it when the typing pauses. */
class Script {
  constructor({ words, longest }, written) {
    Object.assign(this, { words, written, number: 0, waiting: null });
    this.numbers = make("div", { class: "numbers", "aria-hidden": "true" });
    this.area = make("textarea", { class: "grid-text", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      wrap: "off", maxlength: longest.text, "aria-label": words.text, "aria-describedby": "mistake",
      oninput: () => this.#typed(), onblur: () => this.#send() });
    this.place = make("b", {});
    this.why = make("span", {});
    this.mistake = make("p", { class: "mistake", id: "mistake", role: "status" }, this.place, " ", this.why);
    this.look = make("button", { class: "brick plain", type: "button", "data-act": "look",
      onclick: () => this.#look() }, words.look);
    this.root = make("section", { class: "part script", "aria-label": words.text },
      make("h2", {}, words.text), make("p", { class: "note" }, words.text_line),
      make("div", { class: "trouble-line" }, this.mistake, this.look),
      make("div", { class: "leaf-of-text" }, this.numbers, this.area));
  }

  show({ text, heard, mistake }) {
    // What is being typed is newer than what the server has seen of it.
    if (this.waiting !== null || heard < this.number) return;
    if (this.area.value !== text) this.area.value = text;
    this.wrong = mistake;
    const at = mistake || {};
    this.place.textContent = at.line ? fill(at.place ? this.words.line_place : this.words.line, at) : "";
    this.why.textContent = at.text || "";
    this.mistake.classList.toggle("bad", Boolean(mistake));
    this.look.hidden = !at.line;
    set(this.area, "aria-invalid", mistake ? "true" : null);
    this.#count();
  }

  #typed() {
    this.#count();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#send(), PAUSE);
  }

  #send() {
    if (this.waiting === null) return;
    clearTimeout(this.waiting);
    this.waiting = null;
    this.written(this.area.value, this.number += 1);
  }

  #count() {
    const lines = this.area.value.split("\n").length;
    this.area.rows = lines;
    this.numbers.replaceChildren(...several(lines, (n) =>
      make("span", { class: this.wrong?.line === n + 1 ? "bad" : null }, String(n + 1))));
  }

  /** Goes to where the mistake is. */
  #look() {
    const before = this.area.value.split("\n").slice(0, this.wrong.line - 1).join("\n").length;
    const start = before + (this.wrong.line > 1) + (this.wrong.place || 1) - 1;
    this.area.focus();
    this.area.setSelectionRange(start, start + 1);
  }
}

/** The whole easel. */
class Easel {
  constructor(model, art, content) {
    Object.assign(this, { model, words: content.words, content, art, mirrored: false });
    const { words } = this;
    this.palette = new Palette(content);
    this.paper = new Paper(words, () => ({ ...this.palette.brush, mirrored: this.mirrored }),
      (places, brush) => this.#send("paint", { places, brush, colour: this.palette.colour, mirrored: this.mirrored }));
    this.script = new Script(content, (text, number) => this.#send("write", { text, number }));
    this.drawer = new Drawer(words.close, "choosing");
    this.line = make("p", { class: "refusal", role: "alert" });
    this.acts = Object.fromEntries(ACTS.map((name) => [name, this.#act(name)]));
    set(this.acts.mirror, "aria-pressed", "false");
    this.title = make("input", { class: "title", type: "text", maxlength: content.longest.title, autocomplete: "off",
      "aria-label": words.name, onchange: () => this.#send("title", { title: this.title.value }) });
    this.save = make("a", { class: "brick plain", "data-act": "save" }, words.save);
    this.try = make("button", { class: "brick", type: "button", "data-act": "try",
      onclick: () => this.#askForFighter() }, words.try);
    this.root = make("div", { class: "easel" }, this.picture("shapes"),
      make("main", {},
        make("div", { class: "easel-bar" }, make("h1", {}, words.easel), this.title),
        make("div", { class: "easel-body" },
          make("div", { class: "drawing" }, this.paper.root,
            make("div", { class: "acts", role: "group", "aria-label": words.easel }, ...Object.values(this.acts))),
          this.palette.root, this.script.root,
          make("div", { class: "finish" }, this.line, this.save, this.try))),
      this.drawer.root);
  }

  receive(state) {
    this.paper.show(state);
    this.script.show(state);
    if (this.paper.telling) this.paper.tell();
    if (this.title.getRootNode().activeElement !== this.title) this.title.value = state.title;
    set(this.acts.undo, "aria-disabled", state.undo ? null : "true");
    set(this.save, "download", state.file);
    set(this.save, "href", `data:text/plain;charset=utf-8,${encodeURIComponent(state.text)}`);
    this.line.textContent = state.refused;
  }

  /** A message of the server's. */
  hear(message) {
    if (message?.type !== "refused") return;
    this.paper.settle();
    this.line.textContent = message.text;
  }

  picture(name) {
    return Object.hasOwn(this.art, name) ? drawing(this.art[name]) : null;
  }

  #send(type, more = {}) {
    this.model.send_msg({ type, ...more });
  }

  #act(name) {
    const doing = { mirror: () => this.#mirror(), start: () => this.#askForStart() }[name] || (() => this.#send(name));
    return make("button", { class: "act", type: "button", "data-act": name, onclick: doing }, drawing(SIGNS[name]),
      make("span", {}, this.words[name]));
  }

  #mirror() {
    this.mirrored = !this.mirrored;
    set(this.acts.mirror, "aria-pressed", String(this.mirrored));
  }

  #askForStart() {
    const { words, content } = this, choose = (pet) => this.#send("start", { pet });
    const empty = { pet: null, name: words.empty };
    this.#ask(words.start_ask, words.start_line, [empty, ...content.pets], choose);
  }

  #askForFighter() {
    const { words, content } = this;
    this.#ask(words.try_ask, null, content.fighters, (pet) => this.#send("try", { pet }));
  }

  #ask(title, told, pets, chosen) {
    const buttons = pets.map(({ pet, name }) => make("button", { class: "one-pet", type: "button",
      "data-pet": pet || "none", onclick: () => {
        this.drawer.close();
        chosen(pet);
      } }, pet ? this.picture(pet) : make("span", { class: "nobody" }), make("span", {}, name)));
    this.drawer.open(title, [told && make("p", { class: "note" }, told), make("div", { class: "all-pets" }, ...buttons)]
      .filter(Boolean), [], buttons[0]);
  }
}

export const render = (context) => mount(context, (art, content) => new Easel(context.model, art, content));
