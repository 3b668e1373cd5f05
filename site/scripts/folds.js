// An address or a link that leads into a closed fold opens it. Newer browsers do so by themselves; where
// they have, nothing is left to do here.

function reveal() {
  const named = document.getElementById(location.hash.slice(1));
  let closed = false;
  for (let fold = named?.parentElement?.closest("details"); fold; fold = fold.parentElement?.closest("details")) {
    closed ||= !fold.open;
    fold.open = true;
  }
  if (closed) named?.scrollIntoView();
}

addEventListener("hashchange", reveal);
// The same address once more: the hash does not change.
addEventListener("click", ({ target }) => {
  const link = /** @type {HTMLAnchorElement|null} */ (/** @type {Element} */ (target).closest?.("a[href*='#']"));
  if (link?.href === location.href) setTimeout(reveal);
});
reveal();
