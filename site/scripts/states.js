// The table of configuration states: typing in its field hides the rows that do not match. An
// address that leads to a hidden row empties the field.

for (const box of document.querySelectorAll(".states")) {
  const field = box.querySelector("input"), said = box.querySelector("output");
  const rows = /** @type {HTMLElement[]} */ ([...box.querySelectorAll("tbody tr")]);
  if (!field || !said) continue;
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = (row.textContent ?? "").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    said.textContent = words.length ? `${shown} of ${rows.length}` : "";
  };
  field.addEventListener("input", filter);
  const lead = () => {
    const row = rows.find(({ id }) => id && id === decodeURIComponent(location.hash.slice(1)));
    if (!row?.hidden) return;
    field.value = "";
    filter();
    row.scrollIntoView();
  };
  addEventListener("hashchange", lead);
  // The same address once more: the hash does not change.
  addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest?.("a[href*='#state-']") && setTimeout(lead));
  field.closest("p")?.removeAttribute("hidden");
}
