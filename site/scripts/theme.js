// Light, dark, or as the system says. A classic script for <head>, so that the choice is there
// before the first paint; storage may be refused, and then the choice lasts for this page only.
(() => {
  const root = document.documentElement, ways = ["system", "light", "dark"];
  let way = "system";
  try {
    way = localStorage.getItem("theme") ?? "system";
  } catch { /* a closed frame */ }
  const set = (/** @type {string} */ to) => {
    way = ways.includes(to) ? to : "system";
    if (way === "system") delete root.dataset.theme;
    else root.dataset.theme = way;
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      button.textContent = { system: "Auto", light: "Light", dark: "Dark" }[way] ?? "";
      button.setAttribute("aria-label", `Theme: ${button.textContent}`);
    }
  };
  set(new URLSearchParams(location.search).get("theme") ?? way);
  addEventListener("DOMContentLoaded", () => {
    set(way);
    for (const button of document.querySelectorAll("[data-theme-toggle]")) {
      /** @type {HTMLElement} */ (button).hidden = false;
      button.addEventListener("click", () => {
        set(ways[(ways.indexOf(way) + 1) % ways.length]);
        try {
          localStorage.setItem("theme", way);
        } catch { /* a closed frame */ }
      });
    }
  });
})();
