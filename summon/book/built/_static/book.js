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
