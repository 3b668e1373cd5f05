// The tip of a term shows on hover and focus by style alone; here: Escape closes it, until pointer and
// focus have left its term. A tip that only the focus shows is gone when the focus goes on, so its link
// is reached with Tab once Enter has opened it.

addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const term of document.querySelectorAll(".term:is(:hover, :focus-within)")) term.setAttribute("data-closed", "");
});

for (const term of document.querySelectorAll(".term")) {
  const link = term.querySelector("a");
  if (link) {
    link.tabIndex = -1;
    term.querySelector(".tip")?.addEventListener("toggle", (event) => {
      link.tabIndex = /** @type {ToggleEvent} */ (event).newState === "open" ? 0 : -1;
    });
  }
  const leave = () => term.removeAttribute("data-closed");
  term.addEventListener("pointerleave", () => term.matches(":focus-within") || leave());
  term.addEventListener("focusout", (event) => {
    const next = /** @type {Node|null} */ (/** @type {FocusEvent} */ (event).relatedTarget);
    if (!term.contains(next) && !term.matches(":hover")) leave();
  });
}
