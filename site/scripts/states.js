// The table of configuration states: typing in its field hides the rows that do not match.

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
  field.closest("p")?.removeAttribute("hidden");
}
