// Where the reader stopped: kept where storage is allowed, found again after a reload even when the
// window has another width; the home page offers the chapter that was read last.

/** @typedef {{path: string, title: string, heading: string, below: number}} Place */

const NAME = "reading";

/** @returns {Place|null} */
function kept() {
  try {
    const place = JSON.parse(localStorage.getItem(NAME) ?? "null");
    const sound = place && /^\/(?!\/)/.test(place.path) && typeof place.title === "string" && typeof place.heading === "string" && Number.isFinite(place.below);
    return sound ? place : null;
  } catch {
    return null;
  }
}

/** @param {Place} place */
function keep(place) {
  try {
    localStorage.setItem(NAME, JSON.stringify(place));
  } catch { /* refused: then the page is read from its beginning */ }
}

const chapter = document.querySelector("article.chapter"), offer = /** @type {HTMLElement|null} */ (document.querySelector(".resume"));

if (chapter) {
  const headings = /** @type {HTMLElement[]} */ ([...chapter.querySelectorAll("h1, h2[id], h3[id]")]);
  const top = (/** @type {HTMLElement} */ heading) => heading.getBoundingClientRect().top;
  const place = kept();
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (place?.path === location.pathname && visit?.type === "reload") {
    const heading = headings.find(({ id }) => id === place.heading);
    if (heading) scrollTo({ top: scrollY + top(heading) + place.below, behavior: "instant" });
  }
  addEventListener("pagehide", () => {
    const heading = headings.findLast((heading) => top(heading) <= 1) ?? headings[0];
    const title = (headings[0].firstChild?.textContent ?? "").trim(); // without the mark of its address
    keep({ path: location.pathname, title, heading: heading.id, below: Math.round(-top(heading)) });
  });
}

if (offer) {
  const place = kept(), link = offer.querySelector("a");
  if (place && link) {
    link.href = place.heading ? `${place.path}#${place.heading}` : place.path;
    link.textContent = place.title;
    offer.hidden = false;
  }
}
