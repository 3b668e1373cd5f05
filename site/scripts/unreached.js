// What to say when a part of the site does not come: browsers have words of their own for that, each
// others, and none that a reader could do something with.

const WORDS = /failed to fetch|networkerror|load failed|importing a module script|dynamically imported|could not be loaded/i;

/** @param {string} message of the browser */
export const isUnreached = (message) => WORDS.test(message);

/** @param {string} [what] what did not come */
export function unreached(what = "The engine that runs the model") {
  return navigator.onLine ? `${what} could not be fetched: this site did not answer. Try again in a moment.`
    : `You are offline, and ${what[0].toLowerCase()}${what.slice(1)} is not stored in this browser yet. Connect and run once: after that it works offline, too.`;
}
