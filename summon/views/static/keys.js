/** Hints for whoever plays with a keyboard: shown as soon as a key is used, and until the next touch or click. */

const ALONE_THEY_SAY_NOTHING = ["Shift", "Control", "Alt", "Meta"];
const TYPED_IN = "input:not([type=radio], [type=checkbox], [type=range]), textarea";

/** Marks `root` by the class `keys` while keys are used at a place, and calls `changed` when that begins or ends. */
export function noticeKeys(root, place, changed) {
  const listening = new AbortController(), { signal } = listening;
  const use = (used) => {
    if (!root.isConnected) listening.abort();
    else if (root.checkVisibility() && root.classList.contains("keys") !== used) {
      root.classList.toggle("keys", used);
      changed(used);
    }
  };
  const onKey = (event) => {
    const typed = event.composedPath()[0].matches?.(TYPED_IN);
    if (!typed && !ALONE_THEY_SAY_NOTHING.includes(event.key)) use(true);
  };
  place.addEventListener("keydown", onKey, { signal, capture: true });
  place.addEventListener("pointerdown", () => use(false), { signal, capture: true });
}
