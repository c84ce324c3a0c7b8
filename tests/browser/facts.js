/**
 * What is wrong with where things lie on a page, told in lines; none where nothing is.
 *
 * Looked at is what is on top: an open dialog, a note over the whole page, or else the page. What can be scrolled to
 * counts as seen.
 */
() => {
  const LETTERS = 11.99, FINGER = 43.5, NEAR = 1.5;
  const BOXES = ".card, .brick, .choice, .door, .plate, .plaque, .token, .about, .note-plate, .notice, .trouble, "
    + ".said, .word, .slot, .stand, .goods > li, .past > li, .lines li, .story li, .chapters li, button, dialog";
  const PRESSED = "button, input, textarea, select, a[href], [role=spinbutton]";
  const wrong = [];

  const up = (node) => node.parentElement || node.getRootNode().host || null;
  const isShown = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const closest = (node, wanted) => {
    for (let at = node; at; at = up(at)) if (wanted(at)) return at;
    return null;
  };
  const everything = (root) => [...root.querySelectorAll(":not(svg *)")].flatMap((node) =>
    [node, ...(node.shadowRoot ? everything(node.shadowRoot) : [])]);
  const kept = (work) => {
    const known = new Map();
    return (node) => {
      if (!known.has(node)) known.set(node, work(node));
      return known.get(node);
    };
  };
  const styleOf = kept((node) => {
    const { overflowX, overflowY, position, fontSize } = getComputedStyle(node);
    return { overflowX, overflowY, position, fontSize };
  });
  const placeOf = kept((node) => rect(node.getBoundingClientRect()));
  const named = (node) => {
    const told = (node.getAttribute("aria-label") || node.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
    return `${node.tagName.toLowerCase()}.${[...node.classList].join(".")} "${told}"`;
  };

  const all = everything(document.body);
  const notes = all.filter((node) => node.matches("#lost, #loading") && isShown(node));
  const top = all.filter((node) => node.matches("dialog[open]")).at(-1) || notes[0] || document.body;
  const shown = [top, ...everything(top)].filter((node) => isShown(node)
    && !closest(node, (at) => at.matches(".hidden-words, svg")));

  const rect = ({ left, top: above, right, bottom }) => ({ left, top: above, right, bottom });
  const width = (box) => box.right - box.left, height = (box) => box.bottom - box.top;
  const overlap = (one, other) => ({ left: Math.max(one.left, other.left), top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) });
  const meet = (one, other, least) => {
    const both = overlap(one, other);
    return width(both) > least && height(both) > least;
  };

  /** The part of a box that can be seen, by scrolling too, and whether something cuts it off for good. */
  const seen = (node, box) => {
    let part = { ...box }, cut = null;
    for (let at = up(node); at && at !== up(top); at = up(at)) {
      const style = styleOf(at);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const around = placeOf(at);
      const sides = { left: style.overflowX, right: style.overflowX, top: style.overflowY, bottom: style.overflowY };
      for (const [side, flow] of Object.entries(sides)) {
        const out = side === "left" || side === "top" ? around[side] - part[side] : part[side] - around[side];
        if (out <= NEAR) continue;
        if (flow === "hidden" || flow === "clip") cut ||= `${named(at)} by ${out.toFixed(1)}`;
        if (flow !== "visible") part[side] = around[side];
      }
    }
    return { part, cut };
  };
  /** What stays in place while the rest is scrolled under it is a layer of its own. */
  const layer = kept((node) => closest(node, (at) => at === top || ["sticky", "fixed"].includes(styleOf(at).position)));

  const texts = shown.flatMap((node) => [...node.childNodes]
    .filter((child) => child.nodeType === Node.TEXT_NODE && child.nodeValue.trim())
    .flatMap((child) => {
      const range = document.createRange();
      range.selectNodeContents(child);
      return [...range.getClientRects()].filter((line) => line.width > 1 && line.height > 1)
        .map((line) => ({ node, text: child.nodeValue.trim().slice(0, 40), box: rect(line), layer: layer(node) }));
    }));
  const pressed = shown.filter((node) => node.matches(PRESSED)).map((node) => ({ node,
    box: rect(node.getBoundingClientRect()), layer: layer(node) }));

  // Letters, and whether all of them can be seen.
  const { clientWidth: wide, clientHeight: high, scrollHeight } = document.documentElement;
  const isLong = scrollHeight > high;
  for (const line of texts) {
    const size = parseFloat(styleOf(line.node).fontSize);
    if (size < LETTERS) wrong.push(`small: "${line.text}" has letters of ${size} px`);
    const { part, cut } = seen(line.node, line.box);
    line.part = part;
    if (cut) wrong.push(`cut: "${line.text}" by ${cut}`);
    if (part.left < -NEAR || part.right > wide + NEAR) wrong.push(`off the window: "${line.text}"`);
    if (!isLong && (part.top < -NEAR || part.bottom > high + NEAR)) wrong.push(`off the window: "${line.text}"`);
    const box = closest(line.node, (at) => at.matches(BOXES) || at.matches(".inside, .story"));
    if (!box || !box.matches(BOXES)) continue;
    const around = box.getBoundingClientRect();
    const out = Math.max(around.left - line.box.left, line.box.right - around.right,
      around.top - line.box.top - 2, line.box.bottom - around.bottom - 2);
    if (out > NEAR) wrong.push(`out of its box by ${out.toFixed(1)}: "${line.text}" in ${named(box)}`);
  }
  if (document.documentElement.scrollWidth > wide) wrong.push("the page can be scrolled sideways");

  // What overlaps. Of a line of text its middle counts: lines that are close touch with nothing but air.
  const middle = (box) => ({ ...box, top: box.top + height(box) * 0.22, bottom: box.bottom - height(box) * 0.22 });
  texts.forEach((one, n) => texts.slice(n + 1).forEach((other) => {
    if (one.node === other.node || one.layer !== other.layer) return;
    if (meet(middle(one.part), middle(other.part), 1)) wrong.push(`overlap: "${one.text}" and "${other.text}"`);
  }));
  pressed.forEach((it) => { it.part = seen(it.node, it.box).part; });
  pressed.forEach((one, n) => pressed.slice(n + 1).forEach((other) => {
    if (one.layer !== other.layer || one.node.contains(other.node) || other.node.contains(one.node)) return;
    if (meet(one.part, other.part, NEAR)) wrong.push(`overlap: ${named(one.node)} and ${named(other.node)}`);
  }));
  const at = (node, x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inside = found.shadowRoot.elementFromPoint(x, y);
      if (!inside || inside === found) break;
      found = inside;
    }
    return found;
  };
  for (const line of texts) {
    const over = pressed.find((it) => it.layer === line.layer && !it.node.contains(line.node)
      && !line.node.contains(it.node) && meet(it.part, middle(line.part), NEAR));
    if (!over) continue;
    const both = overlap(over.part, line.part);
    const found = at(over.node, (both.left + both.right) / 2, (both.top + both.bottom) / 2);
    if (found && over.node.contains(found)) wrong.push(`covered: "${line.text}" by ${named(over.node)}`);
  }

  // What a finger has to find. What can be pressed may reach beyond what is drawn.
  for (const { node, box } of pressed) {
    if (node.matches("[tabindex='-1']") && node.closest(".hidden-words")) continue;
    if (width(box) >= FINGER && height(box) >= FINGER) continue;
    node.scrollIntoView({ block: "center", inline: "center" });
    const here = node.getBoundingClientRect(), x = here.x + here.width / 2, y = here.y + here.height / 2;
    // A number in a sentence may have another beside it.
    const far = node.matches("p button, .together a") ? 12 : 21.5;
    const reaches = (dx, dy) => {
      const found = at(node, x + dx, y + dy);
      return Boolean(found) && node.contains(found);
    };
    const isWide = here.width >= FINGER || (reaches(-far, 0) && reaches(far, 0));
    const isHigh = here.height >= FINGER || (reaches(0, -far) && reaches(0, far));
    const size = `${here.width.toFixed(0)} by ${here.height.toFixed(0)}`;
    if (!isWide || !isHigh) wrong.push(`small: ${named(node)} is ${size}`);
  }
  return [...new Set(wrong)];
}
