// What is folded opens when a link leads into it.
const unfold = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) {
    fold.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", unfold);
addEventListener("DOMContentLoaded", unfold);

// The menus of a narrow window, which are boxes with labels, by keyboard: a label's picture is a button that opens one and
// leads into it, Escape leads back, and who goes on elsewhere has shut it.
const menus = { __navigation: ".sidebar-drawer", __toc: ".toc-drawer" };
const boxes = () => [...document.querySelectorAll(".sidebar-toggle")];
const buttons = (box) => [...document.querySelectorAll(`label[for=${box.id}] > .icon`)];
const told = () => {
  for (const box of boxes()) for (const button of buttons(box)) button.setAttribute("aria-expanded", box.checked);
};
const shut = (left) => {
  for (const box of boxes()) if (box.checked && left(box)) box.checked = false;
  told();
};
addEventListener("DOMContentLoaded", () => {
  for (const box of boxes()) {
    for (const button of buttons(box)) {
      button.tabIndex = 0;
      button.setAttribute("role", "button");
      button.setAttribute("aria-label", box.getAttribute("aria-label"));
      button.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        box.click();
      });
    }
    box.addEventListener("change", () => {
      told();
      const inside = [...document.querySelectorAll(`${menus[box.id]} a`)].find((link) => link.offsetParent);
      if (box.checked) inside?.focus();
    });
  }
  told();
});
addEventListener("focusin", ({ target }) => shut((box) => !target.closest(`${menus[box.id]}, label[for=${box.id}]`)));
addEventListener("click", ({ target }) => target.closest(".sidebar-drawer a, .toc-drawer a") && shut(() => true));
addEventListener("pageshow", () => shut(() => true));
addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && boxes().find((box) => box.checked);
  if (!open) return;
  shut(() => true);
  buttons(open).find((button) => button.offsetParent)?.focus();
});
