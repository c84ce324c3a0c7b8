import { button, choices, Drawer, drawing, iconButton, ICONS, make, oneStop, set, several } from "./bricks.js";
import { settings, SPEEDS } from "./settings.js";
import { sound } from "./sound.js";

/** The settings: the gear that opens them, their drawer, and the one button that turns the sound on and off. */
export class Gear {
  constructor(told) {
    this.told = told;
    this.drawer = new Drawer(told.close, "settings");
    this.root = this.drawer.root;
    this.mute = iconButton("sound", told.sound, "mute", () => this.#setSound(!settings.sound));
    this.switches = {
      sound: this.#switch("sound", told.sound, told.sound_line, (on) => this.#setSound(on)),
      calm: this.#switch("calm", told.still, told.still_line, (on) => settings.change({ calm: on })),
    };
    this.speeds = SPEEDS.map((speed, n) => this.#speed(speed, n));
    const paces = choices("radiogroup", told.speed, "paces", this.speeds);
    this.inside = [this.switches.sound, make("div", { class: "speed" }, make("b", {}, told.speed), paces),
      this.switches.calm];
    this.#show();
    settings.follow(() => this.#show());
  }

  /** A gear to press; the pages draw theirs anew each time. */
  button() {
    return iconButton("gear", this.told.title, "settings", () => this.open());
  }

  open() {
    this.#show();
    this.drawer.open(this.told.title, this.inside, [], this.switches.sound);
  }

  get isOpen() {
    return this.root.open;
  }

  #switch(name, label, line, change) {
    return button("switch", (event) => change(event.currentTarget.getAttribute("aria-checked") !== "true"),
      { role: "switch", "data-setting": name, "aria-describedby": `about-${name}` },
      make("span", { class: "about" }, make("b", {}, label), make("small", { id: `about-${name}` }, line)),
      make("span", { class: "track", "aria-hidden": "true" }, make("i", {})));
  }

  #speed(speed, n) {
    const change = () => {
      settings.change({ speed });
      sound("tap", { rise: 4 * n });
    };
    const chosen = String(speed === settings.speed);
    return button("pace", change, { role: "radio", "data-speed": speed, "aria-checked": chosen },
      make("span", { class: "arrows", "aria-hidden": "true" }, ...several(n + 1, () => drawing(ICONS.play))),
      make("b", {}, this.told[`speed_${speed}`]));
  }

  #setSound(on) {
    settings.change({ sound: on });
    sound("lock");
  }

  /** What is on and what is off; of the speeds, only the one that is chosen is a stop for the Tab key. */
  #show() {
    const { told, switches, speeds } = this, asked = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.mute.replaceChildren(drawing(settings.sound ? ICONS.sound : ICONS.mute));
    set(this.mute, "aria-pressed", String(settings.sound));
    set(switches.sound, "aria-checked", String(settings.sound));
    set(switches.calm, "aria-checked", String(settings.calm || asked));
    set(switches.calm, "aria-disabled", asked);
    switches.calm.querySelector("small").textContent = asked ? told.still_device : told.still_line;
    for (const one of speeds) set(one, "aria-checked", String(one.dataset.speed === settings.speed));
    oneStop(speeds, speeds.find((one) => one.dataset.speed === settings.speed));
  }
}
