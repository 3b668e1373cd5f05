// "On this page" marks the section that is being read: the last one whose heading has passed the upper
// third of the window. Told by an observer when a heading crosses that line; nothing runs in between.

const LINE = 1 / 3;

const list = /** @type {HTMLElement|null} */ (document.querySelector(".contents"));
const links = /** @type {HTMLAnchorElement[]} */ ([...list?.querySelectorAll("a") ?? []]);
const headings = links.map(({ hash }) => /** @type {HTMLElement} */ (document.getElementById(decodeURIComponent(hash.slice(1)))));
const end = document.querySelector(".turn");
let ended = false;

/** Place of the section that is being read; -1 before the first. */
function reading() {
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * LINE).length;
  if (!ended) return passed - 1;
  // The page goes no further: what is below the line is read there, and the address may say which.
  const named = links.findIndex(({ hash }) => hash === location.hash);
  return named >= passed ? named : headings.length - 1;
}

function mark() {
  const now = links[reading()];
  for (const link of links) if (link !== now) link.removeAttribute("aria-current");
  if (!list || !now || now.hasAttribute("aria-current")) return;
  now.setAttribute("aria-current", "location");
  // A long list scrolls by itself, the page does not.
  const box = list.getBoundingClientRect(), { top, bottom } = now.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) list.scrollTop += top - (box.top + box.bottom) / 2;
}

if (list && end) {
  const watcher = new IntersectionObserver(mark, { rootMargin: `0px 0px -${Math.round(100 * (1 - LINE))}% 0px` });
  for (const heading of headings) watcher.observe(heading);
  new IntersectionObserver(([entry]) => {
    ended = entry.isIntersecting;
    mark();
  }, { threshold: 1 }).observe(end);
  addEventListener("hashchange", mark);
}
