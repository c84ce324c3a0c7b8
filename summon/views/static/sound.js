import { settings } from "./settings.js";

/**
 * The sounds of the game, made here: bricks that click, wooden bars that ring, and a little wind.
 *
 * Each sound is a few notes. A browser lets a page sound only after a first tap or key, so nothing is made before it.
 */

const LOUD = 0.5;              // all of it
const TWICE = 0.04;            // the same sound again so soon, in seconds, is the same one: two boards on one page
const SOFTEST = 0.0001;

/** A note's frequency in Hz, so many half tones from the middle C. */
const pitch = (half) => 261.63 * 2 ** (half / 12);

/** Every sound: notes of [when in seconds, voice, half tones from the middle C, how long, how loud]. */
export const SOUNDS = {
  tap: [[0, "click", 14, 0.05, 0.5]],
  brick: [[0, "click", 12, 0.06, 0.8]],
  lock: [[0, "click", 2, 0.08, 1], [0.09, "click", 9, 0.07, 0.9], [0.1, "bar", -5, 0.3, 0.5]],
  unlock: [[0, "click", 9, 0.06, 0.7], [0.08, "click", 2, 0.06, 0.5]],
  count: [[0, "thump", -12, 0.28, 0.9], [0.01, "bar", 0, 0.45, 0.7], [0, "click", 7, 0.05, 0.6]],
  flip: [[0, "wind", 12, 0.32, 0.5], [0.2, "click", 12, 0.06, 0.8], [0.22, "bar", 7, 0.5, 0.5],
    [0.22, "bar", 12, 0.6, 0.5]],
  hit: [[0, "wind", 0, 0.12, 0.8], [0, "thump", -7, 0.3, 1], [0.05, "click", 5, 0.06, 0.8],
    [0.11, "click", 2, 0.06, 0.5]],
  pay: [[0, "click", 7, 0.06, 0.9], [0.09, "click", 3, 0.06, 0.7]],
  heal: [[0, "bar", 7, 0.4, 0.6], [0.09, "bar", 12, 0.4, 0.6], [0.18, "bar", 16, 0.6, 0.6],
    [0.18, "click", 12, 0.05, 0.5]],
  poison: [[0, "drop", 19, 0.16, 0.7], [0.13, "drop", 14, 0.2, 0.6]],
  shield: [[0, "click", -3, 0.09, 1], [0.02, "bar", -12, 0.35, 0.7], [0.1, "click", 1, 0.07, 0.6]],
  miss: [[0, "wind", 5, 0.22, 0.4], [0.1, "thump", -10, 0.12, 0.3]],
  dark: [[0, "bar", 3, 0.3, 0.5], [0.12, "bar", -1, 0.3, 0.5], [0.24, "bar", -4, 0.5, 0.5]],
  boost: [[0, "bar", 12, 0.2, 0.4], [0.07, "bar", 17, 0.2, 0.4], [0.14, "bar", 21, 0.4, 0.4]],
  fall: [[0, "thump", -12, 0.35, 0.8], [0.08, "click", 9, 0.05, 0.7], [0.17, "click", 4, 0.05, 0.7],
    [0.24, "click", 7, 0.05, 0.6], [0.34, "click", 0, 0.06, 0.6], [0.48, "click", 5, 0.05, 0.4],
    [0.6, "click", 2, 0.05, 0.3]],
  win: [[0, "bar", 0, 0.3, 0.6], [0.12, "bar", 4, 0.3, 0.6], [0.24, "bar", 7, 0.3, 0.6], [0.36, "bar", 12, 0.8, 0.8],
    [0.36, "bar", 4, 0.8, 0.4], [0.52, "bar", 7, 0.3, 0.4], [0.64, "bar", 12, 0.9, 0.7], [0.64, "bar", 16, 0.9, 0.6]],
  draw: [[0, "bar", 5, 0.4, 0.6], [0, "bar", 0, 0.4, 0.5], [0.22, "bar", 7, 0.4, 0.6], [0.22, "bar", 2, 0.4, 0.5],
    [0.44, "bar", 5, 0.8, 0.6], [0.44, "bar", 9, 0.8, 0.5]],
  loss: [[0, "bar", 4, 0.45, 0.5], [0.24, "bar", 2, 0.45, 0.5], [0.48, "bar", -3, 0.6, 0.5], [0.95, "bar", 0, 0.4, 0.4],
    [1.15, "bar", 4, 0.9, 0.4]],
  gold: [[0, "click", 16, 0.05, 0.8], [0.01, "bell", 24, 0.5, 0.45], [0.09, "bell", 31, 0.8, 0.4]],
  evolve: [[0, "bar", 0, 1, 0.6], [0.1, "bar", 7, 1, 0.6], [0.2, "bar", 12, 1.1, 0.7], [0.3, "bell", 16, 1.2, 0.4],
    [0.4, "bell", 24, 1.4, 0.4]],
};

/** What rings: a sine, or several, each [times the pitch, how loud, how much of the length]. */
const RINGING = {
  bar: [[1, 1, 1], [3.93, 0.28, 0.35], [9.2, 0.08, 0.12]],
  bell: [[1, 1, 1], [2.76, 0.35, 0.6], [5.4, 0.12, 0.3]],
};

function fading(context, at, length, loud, out) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(SOFTEST, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(SOFTEST, at + length);
  gain.connect(out);
  return gain;
}

function tone(context, at, from, to, length, loud, out) {
  const source = context.createOscillator();
  source.frequency.setValueAtTime(from, at);
  if (to !== from) source.frequency.exponentialRampToValueAtTime(to, at + length * 0.8);
  source.connect(fading(context, at, length, loud, out));
  source.start(at);
  source.stop(at + length + 0.02);
}

/** The hiss that clicks and wind are cut out of; it is the same every time. */
function hiss(context) {
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate), data = buffer.getChannelData(0);
  for (let n = 0, seed = 1; n < data.length; n++) {
    seed = (seed * 16807) % 2147483647;
    data[n] = seed / 1073741823.5 - 1;
  }
  return buffer;
}

function noise(context, at, [from, to], sharp, length, loud, out) {
  hiss.kept ||= new WeakMap();
  if (!hiss.kept.has(context)) hiss.kept.set(context, hiss(context));
  const source = context.createBufferSource(), filter = context.createBiquadFilter();
  source.buffer = hiss.kept.get(context);
  filter.type = "bandpass";
  filter.Q.value = sharp;
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(filter).connect(fading(context, at, length, loud, out));
  source.start(at);
  source.stop(at + length + 0.02);
}

const VOICES = {
  click(context, at, tuned, length, loud, out) {
    noise(context, at, [tuned * 8, tuned * 5], 3, length, loud, out);
    tone(context, at, tuned * 3, tuned * 2, length * 0.7, loud * 0.35, out);
  },
  thump: (context, at, tuned, length, loud, out) => tone(context, at, tuned * 2, tuned * 0.6, length, loud, out),
  drop: (context, at, tuned, length, loud, out) => tone(context, at, tuned * 0.7, tuned * 1.6, length, loud * 0.6, out),
  wind: (context, at, tuned, length, loud, out) => noise(context, at, [tuned, tuned * 4], 1.2, length, loud, out),
};
for (const [voice, partials] of Object.entries(RINGING)) {
  VOICES[voice] = (context, at, tuned, length, loud, out) => {
    for (const [times, share, part] of partials) {
      tone(context, at, tuned * times, tuned * times, length * part, loud * share, out);
    }
  };
}

/** Writes a sound into an audio context, from a time on; `rise` is in half tones. */
export function perform(context, name, { at = 0, rise = 0, out = context.destination } = {}) {
  for (const [when, voice, half, length, loud] of SOUNDS[name]) {
    VOICES[voice](context, at + when, pitch(half + rise), length, loud * LOUD, out);
  }
}

const player = { context: null, out: null, touched: false, last: new Map() };

/** What has fallen silent, as a phone does that was put away, sounds again. */
function wake() {
  const Context = globalThis.AudioContext;
  if (!settings.sound || !player.touched || !Context) return;
  if (!player.context) {
    player.context = new Context();
    hush();
  }
  if (player.context.state !== "running") player.context.resume().catch(() => {});
}

/** The first tap or key is what a browser waits for before it lets a page sound; Escape is none to it. */
function touch(event) {
  if (event.key === "Escape") return;
  player.touched = true;
  wake();
}

for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, touch, { capture: true, passive: true });
settings.follow(() => {
  if (settings.sound) wake();
  else player.context?.suspend().catch(() => {});
});

/** Ends whatever sounds or is still to sound. What comes then is kept from being too loud when much comes together. */
export function hush() {
  const { context } = player;
  if (!context) return;
  player.out?.disconnect();
  player.out = context.createDynamicsCompressor();
  player.out.connect(context.destination);
}

/** Plays a sound of the game, if there is to be any: so many half tones higher, and after so many ms. */
export function sound(name, { rise = 0, wait = 0 } = {}) {
  const { context, out, last } = player;
  if (!settings.sound || context?.state !== "running" || document.visibilityState === "hidden") return;
  const at = context.currentTime + wait / 1000;
  if (Math.abs(at - (last.get(name) ?? -1)) < TWICE) return;
  last.set(name, at);
  perform(context, name, { at, rise, out });
}
