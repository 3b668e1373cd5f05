// Search in the text of the site: the index is fetched once the field is used.

/** @typedef {{at: string, page: string, head: string, text: string, also?: string}} Entry also: other forms of a term */

const box = /** @type {HTMLElement|null} */ (document.querySelector(".search[data-index]"));
if (box) start(box);

/** @param {HTMLElement} box */
function start(box) {
  const field = /** @type {HTMLInputElement} */ (box.querySelector("input")), said = /** @type {HTMLElement} */ (box.querySelector("output"));
  const list = /** @type {HTMLElement} */ (box.querySelector("ol")), none = /** @type {HTMLElement} */ (box.querySelector(".search-none")), address = new URL(box.dataset.index ?? "", document.baseURI);
  /** @type {Promise<Entry[]>|null} */ let entries = null;
  const load = () => (entries ??= fetch(address).then((answer) => answer.json()));
  const search = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = await load().catch(() => null);
    entries = all && entries;
    const found = all && words.length ? rank(all, words) : [];
    said.textContent = !all ? "The index could not be read." : words.length ? `${found.length} found` : "";
    list.replaceChildren(...found.slice(0, 30).map((entry) => line(entry, words[0], address)));
    none.hidden = !all || !words.length || found.length > 0;
  };
  field.addEventListener("focus", () => load().catch(() => { entries = null; }), { once: true });
  field.addEventListener("input", search);
  field.closest("p")?.removeAttribute("hidden");
}

const ENDINGS = /(?:ations?|ings?|ions?|ures?|ously|ous|ness|ally|ly|ies|ied|ed|es|s|e|y)$/;

/** What a word and its other forms begin with: "compil" of "compilation", "clos" of "closure". @param {string} word */
export function stem(word) {
  const short = word.replace(ENDINGS, "");
  return short.length < 4 ? word : short.replace(/([^aeiouls])\1$/, "$1");
}

/** Where a text says the word as it was typed, or another form of it; -1: nowhere. @param {string} text @param {string} word */
function find(text, word) {
  const low = text.toLowerCase(), at = low.indexOf(word);
  if (at >= 0) return at;
  const form = stem(word);
  for (let i = low.indexOf(form); i >= 0; i = low.indexOf(form, i + 1)) if (!/[a-z0-9]/.test(low[i - 1] ?? " ")) return i;
  return -1;
}

/** Entries that hold every word; those with them in a heading first. @param {Entry[]} all @param {string[]} words */
function rank(all, words) {
  /** @param {string} text */
  const count = (text) => words.filter((word) => find(text, word) >= 0).length;
  const exact = (/** @type {string} */ text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const headOf = (/** @type {Entry} */ { head, also = "" }) => `${head} ${also}`;
  return all
    .filter((entry) => count(`${entry.page} ${headOf(entry)} ${entry.text}`) === words.length)
    .map((entry, order) => ({ entry, weight: 3 * count(headOf(entry)) + count(entry.page) + exact(`${headOf(entry)} ${entry.text}`), order }))
    .sort((a, b) => b.weight - a.weight || a.order - b.order)
    .map((found) => found.entry);
}

/** @param {Entry} entry @param {string} word @param {URL} index */
function line(entry, word, index) {
  const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("span");
  link.href = new URL(entry.at, index).href;
  link.textContent = entry.head === entry.page ? entry.head : `${entry.page}: ${entry.head}`;
  const at = Math.max(0, find(entry.text, word) - 60);
  text.textContent = `${at ? "…" : ""}${entry.text.slice(at, at + 180)}…`;
  item.append(link, text);
  return item;
}
