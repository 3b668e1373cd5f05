// A statement of a program, as far as it is one call, on one line or several: `y = f(x, n=2)  # note` or
// `call("label", lambda: f(x))`.
// Simplified: calls inside larger expressions, and strings over several lines, are not read.

/** @typedef {{before: string, callee: string, args: Argument[], after: string, spans: Span[]}} CallText
 *   `spans`: what stands between the brackets, cut where the arguments begin and end */
/** @typedef {{name: string, text: string}} Argument `name` is "" for one passed by position */
/** @typedef {{gap: string, written: string}} Span an argument as it was written, and what stood before it; the last is the end */

/** The statement that begins on a 1-based line: its text, and its last line.
 * @param {string} text the program @param {number} line @returns {{text: string, last: number}} */
export function statementAt(text, line) {
  const lines = text.split("\n");
  for (let last = line; last <= lines.length; last++) {
    const statement = lines.slice(line - 1, last).join("\n"), { depth, quote } = endOf(withoutComments(statement));
    if (quote || depth < 0) break;
    if (depth === 0) return { text: statement, last };
  }
  return { text: lines[line - 1] ?? "", last: line };
}

/** @param {string} statement @returns {CallText|null} */
export function readCall(statement) {
  const code = withoutComments(statement).trimEnd(), marked = /^([^]*?\bcall\(\s*(?:"[^"]*"|'[^']*'|f"[^"]*"|f'[^']*'),\s*lambda:\s*)([^]*\))\s*,?\s*\)\s*$/.exec(code);
  const [head, body] = marked ? [marked[1], marked[2]] : splitAssignment(code);
  const text = body.trimEnd(), close = text.length - 1;
  if (text[close] !== ")") return null;
  const open = matching(text, close);
  if (open <= 0 || !/^[\w.)(\]["',:\s+*/=%<>-]+$/.test(text.slice(0, open)) || !isCallee(text.slice(0, open))) return null;
  const parts = splitArguments(text.slice(open + 1, close)), spans = [];
  let at = head.length + open + 1;
  for (const part of parts) {
    const from = code.indexOf(part, at);
    spans.push({ gap: statement.slice(at, from), written: part });
    at = from + part.length;
  }
  const end = head.length + close;
  return { before: head, callee: text.slice(0, open), args: parts.map(argumentIn), after: statement.slice(end + 1), spans: [...spans, { gap: statement.slice(at, end), written: "" }] };
}

/** @param {string} part @returns {Argument} */
function argumentIn(part) {
  const named = /^(\w+)\s*=(?!=)\s*([^]*)$/.exec(part);
  return named ? { name: named[1], text: named[2] } : { name: "", text: part };
}

/** The call as text, laid out as it was as long as it has as many arguments. @param {CallText} call */
export function writeCall({ before, callee, args, after, spans }) {
  const texts = args.map(({ name, text }, i) => {
    const was = argumentIn(spans[i]?.written ?? "");
    return was.name === name && was.text === text ? spans[i].written : name ? `${name}=${text}` : text;
  });
  const same = args.length === spans.length - 1, ending = spans.at(-1)?.gap ?? "";
  const inside = same ? texts.map((text, i) => spans[i].gap + text).join("") + ending : ending.includes("\n") ? severalLines(texts, spans[0].gap, ending) : texts.join(", ");
  return `${before}${callee}(${inside})${after}`;
}

/** One argument a line, indented as the first was. @param {string[]} texts @param {string} gap @param {string} ending */
const severalLines = (texts, gap, ending) => texts.map((text, i) => (i && !gap.includes("\n") ? " " : gap) + text).join(",") + ending;

/** Names of a function's parameters, as its def says. @param {string} text of the program @param {string} fun @returns {string[]} */
export function parametersOf(text, fun) {
  const found = new RegExp(`def ${fun}\\(([^]*?)\\)\\s*(?:->[^:]*)?:`).exec(text);
  return found ? splitArguments(found[1]).map((part) => /^\**(\w+)/.exec(part)?.[1] ?? "").filter(Boolean) : [];
}

/** The parts of a list of arguments. @param {string} text @returns {string[]} */
export function splitArguments(text) {
  const parts = [];
  let from = 0;
  for (const { index, depth, c } of outside(text)) {
    if (c !== "," || depth !== 0) continue;
    parts.push(text.slice(from, index).trim());
    from = index + 1;
  }
  return [...parts, text.slice(from).trim()].filter(Boolean);
}

/** Characters outside of strings, with the depth of brackets around them. @param {string} text */
function* outside(text) {
  let depth = 0, quote = "";
  for (let index = 0; index < text.length; index++) {
    const c = text[index];
    if (quote) {
      if (c === "\\") index += 1;
      else if (c === quote) quote = "";
      continue;
    }
    if (c === "'" || c === '"') quote = c;
    else if (")]}".includes(c)) depth -= 1;
    yield { index, depth, c };
    if ("([{".includes(c)) depth += 1;
  }
}

/** The same text with blanks in the place of comments: every character keeps its place. @param {string} text */
function withoutComments(text) {
  let code = text;
  for (let comment = firstComment(code); comment; comment = firstComment(code)) code = code.slice(0, comment[0]) + " ".repeat(comment[1] - comment[0]) + code.slice(comment[1]);
  return code;
}

/** Where the first comment begins and ends. @param {string} text @returns {[number, number]|null} */
function firstComment(text) {
  for (const { index, c } of outside(text)) if (c === "#") return [index, (text.indexOf("\n", index) + 1 || text.length + 1) - 1];
  return null;
}

/** How many brackets are open at the end, and the quote of a string that is. @param {string} code */
function endOf(code) {
  let depth = 0;
  for (const { c } of outside(code)) depth += "([{".includes(c) ? 1 : ")]}".includes(c) ? -1 : 0;
  return { depth, quote: [...outside(`${code}\n`)].at(-1)?.c !== "\n" };
}

/** `y = f(x)` is cut behind its last `=` that stands alone; `print(f(x))` is not read. @param {string} code */
function splitAssignment(code) {
  let at = /^\s*(?:return |await )?/.exec(code)?.[0].length ?? 0;
  for (const { index, depth, c } of outside(code)) {
    if (c === "=" && depth === 0 && code[index + 1] !== "=" && !"=!<>+-*/%&|^".includes(code[index - 1])) at = index + 1 + (/^\s*/.exec(code.slice(index + 1))?.[0].length ?? 0);
  }
  return [code.slice(0, at), code.slice(at)];
}

/** The bracket that the one at `close` closes, or -1. @param {string} text @param {number} close */
function matching(text, close) {
  /** @type {number[]} */ const open = [];
  for (const { index, c } of outside(text)) {
    if ("([{".includes(c)) open.push(index);
    if (")]}".includes(c)) {
      const from = open.pop() ?? -1;
      if (index === close) return from;
    }
  }
  return -1;
}

/** Whether brackets are closed and no operator stands outside of them. @param {string} text */
function isCallee(text) {
  let depth = 0;
  for (const { depth: now, c } of outside(text)) {
    depth = now;
    if (now === 0 && !/[\w.()[\]]/.test(c)) return false;
  }
  return depth === 0 || text.endsWith(")") || text.endsWith("]");
}
