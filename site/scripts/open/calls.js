// The calls of a recording out of its text, several times sooner than by JSON.parse alone: a training
// loop asks the same again and again, and what its calls say alike is parsed once and shared. Only a
// text that is written as recordings are is read so, and then to the same data; any other is left to
// JSON.parse.

/** How a call begins. Within a string the quotation marks would be escaped, so it stands nowhere else. */
const CALL = '{"label":';
/** From here on a call tells of itself alone: when it was, and how long it took. */
const OWN = '"seconds":';
/** Stands for the calls, while the rest of the recording is read. */
const HERE = "the calls stand here";

/** @param {string} text @returns {any} the data; null: it is not written so */
export function parseCalls(text) {
  try {
    return whole(text);
  } catch {
    return null; // something within a call looks like a call, or it is no JSON at all
  }
}

/** @param {string} text */
function whole(text) {
  const first = text.indexOf(CALL), head = text.slice(0, Math.max(first, 0));
  if (!/"calls":\s*\[\s*$/.test(head)) return null;
  const calls = [], read = reader();
  let at = first;
  for (let next; (next = text.indexOf(CALL, at + 1)) > 0; at = next) {
    const comma = text.lastIndexOf(",", next);
    if (text.slice(comma + 1, next).trim()) return null;
    calls.push(read(text.slice(at, comma)));
  }
  const end = endOf(text, at), rest = `${head}"${HERE}"${text.slice(end)}`;
  calls.push(read(text.slice(at, end)));
  const data = JSON.parse(rest);
  if (rest.indexOf(HERE) !== rest.lastIndexOf(HERE) || data.calls?.length !== 1 || data.calls[0] !== HERE) return null;
  data.calls = calls;
  return data;
}

/** Reads calls one after the other. Both parts of one have to be objects by themselves, so the cut is in
 * the call and not in something within it. @returns {(text: string) => any} */
function reader() {
  /** @type {Map<string, any>} */ const known = new Map();
  let last = "", shared = /** @type {any} */ (null);
  return (text) => {
    const cut = text.lastIndexOf(OWN), comma = text.lastIndexOf(",", cut), first = text.slice(0, comma);
    if (cut < 0 || comma < 0 || text.slice(comma + 1, cut).trim()) return JSON.parse(text);
    if (first !== last) { // to compare is quicker than to look up
      shared = known.get(first) ?? JSON.parse(`${first}}`);
      known.set(last = first, shared);
    }
    const own = JSON.parse(`{${text.slice(cut)}`);
    if (Object.hasOwn(shared, "__proto__") || Object.hasOwn(own, "__proto__")) return JSON.parse(text);
    return Object.assign({}, shared, own);
  };
}

/** Where the object that begins at a place ends. @param {string} text @param {number} from */
function endOf(text, from) {
  let depth = 0, quoted = false;
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 92) i += 1;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 123) depth += 1;
    else if (c === 125 && --depth === 0) return i + 1;
  }
  return text.length;
}
