// The program, kept from one visit to the next where the browser allows it. Two texts are kept:
// the one in the editor, and the reader's own one that an example or a link took the place of.

const NOW = "playground", BEFORE = "playground-before";

/** The tab's own text comes first: what is written in another one must not take its place. */
const stores = [() => sessionStorage, () => localStorage];

/** @param {string} key */
function read(key) {
  for (const store of stores) {
    try {
      const text = store().getItem(key);
      if (text) return text;
    } catch {
      // a closed frame
    }
  }
  return "";
}

/** @param {string} key */
function forget(key) {
  try {
    stores[0]().removeItem(key);
  } catch {
    // a closed frame
  }
}

/** @param {string} key @param {string} text */
function write(key, text) {
  let written = true;
  for (const store of stores) {
    try {
      if (text) store().setItem(key, text);
      else store().removeItem(key);
    } catch {
      written = false; // a closed frame, or no room
      if (store === stores[0]) forget(key); // an older text must not come first
    }
  }
  return written;
}

export const kept = () => read(NOW);
export const keep = (/** @type {string} */ text) => write(NOW, text);
export const keptBefore = () => read(BEFORE);
export const keepBefore = (/** @type {string} */ text) => write(BEFORE, text);
