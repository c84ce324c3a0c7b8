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

// The menus of a narrow window by keyboard: Enter opens one as Space does and leads into it, Escape leads back out.
const menus = { __navigation: ".sidebar-drawer", __toc: ".toc-drawer" };
addEventListener("change", ({ target }) => {
  if (!(target.id in menus && target.checked)) return;
  [...document.querySelectorAll(`${menus[target.id]} a`)].find((link) => link.offsetParent)?.focus();
});
addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.id in menus) event.target.click();
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(".sidebar-toggle:checked")) {
    menu.checked = false;
    menu.focus();
  }
});
