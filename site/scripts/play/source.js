// A line of a program, as far as it is one call: `y = f(x, n=2)  # note` or `call("label", lambda: f(x))`.
// Simplified: statements over several lines, and calls inside larger expressions, are not read.

/** @typedef {{before: string, callee: string, args: Argument[], after: string}} CallText */
/** @typedef {{name: string, text: string}} Argument `name` is "" for one passed by position */

/** @param {string} line @returns {CallText|null} */
export function readCall(line) {
  const code = withoutComment(line), marked = /^(.*?\bcall\((?:"[^"]*"|'[^']*'|f"[^"]*"|f'[^']*'),\s*lambda:\s*)(.*)\)\s*$/.exec(code);
  const [head, body] = marked ? [marked[1], marked[2]] : splitAssignment(code);
  const text = body.trimEnd(), close = text.length - 1;
  if (text[close] !== ")") return null;
  const open = matching(text, close);
  if (open <= 0 || !/^[\w.)(\]["',: +*/=%<>-]+$/.test(text.slice(0, open)) || !isCallee(text.slice(0, open))) return null;
  const rest = marked ? `)${line.slice(code.length)}` : line.slice(code.length);
  const args = splitArguments(text.slice(open + 1, close)).map((part) => {
    const named = /^(\w+)\s*=(?!=)\s*([^]*)$/.exec(part);
    return named ? { name: named[1], text: named[2] } : { name: "", text: part };
  });
  return { before: head, callee: text.slice(0, open), args, after: rest };
}

/** @param {CallText} call */
export const writeCall = ({ before, callee, args, after }) => `${before}${callee}(${args.map(({ name, text }) => (name ? `${name}=${text}` : text)).join(", ")})${after}`;

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

/** @param {string} line */
function withoutComment(line) {
  for (const { index, c } of outside(line)) if (c === "#") return line.slice(0, index).trimEnd();
  return line.trimEnd();
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
