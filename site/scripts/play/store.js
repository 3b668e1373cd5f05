// The program, kept from one visit to the next where the browser allows it. Two texts are kept:
// the one in the editor, and the reader's own one that an example or a link took the place of.

const NOW = "playground", BEFORE = "playground-before";

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // a closed frame
  }
}

/** @param {string} key @param {string} text */
function write(key, text) {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false; // a closed frame, or no room
  }
}

export const kept = () => read(NOW);
export const keep = (/** @type {string} */ text) => write(NOW, text);
export const keptBefore = () => read(BEFORE);
export const keepBefore = (/** @type {string} */ text) => write(BEFORE, text);
