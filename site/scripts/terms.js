// The tip of a term shows on hover and focus by style alone; here: Escape closes it, until pointer and
// focus have left its term.

addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const term of document.querySelectorAll(".term:is(:hover, :focus-within)")) term.setAttribute("data-closed", "");
});

for (const term of document.querySelectorAll(".term")) {
  for (const leave of ["pointerleave", "focusout"]) {
    term.addEventListener(leave, () => {
      requestAnimationFrame(() => term.matches(":hover, :focus-within") || term.removeAttribute("data-closed"));
    });
  }
}
