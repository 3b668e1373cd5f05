// Building DOM without innerHTML: text is always text.

/**
 * One element. `props`: class, text, on (listeners), data (dataset), anything else is an attribute;
 * an attribute that is null, undefined or false is left out, true is written empty.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node|string|null|undefined|false|(Node|string|null|undefined|false)[])} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  apply(node, props);
  append(node, children);
  return node;
}

/**
 * One SVG element, same conventions as `h`.
 * @param {string} tag @param {Record<string, any>} [props] @param {...Node} children
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(node, props);
  append(node, children);
  return node;
}

/** @param {Element} node @param {Record<string, any>} props */
function apply(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.setAttribute("class", value);
    else if (name === "text") node.textContent = value;
    else if (name === "on") for (const [type, f] of Object.entries(value)) node.addEventListener(type, f);
    else if (name === "data") for (const [key, v] of Object.entries(value)) {
      if (v !== null && v !== undefined) /** @type {HTMLElement} */ (node).dataset[key] = String(v);
    }
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Element} node @param {any[]} children */
function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

/** Replace what is inside `node`. @param {Element} node @param {...any} children */
export function fill(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** "{n} of {m}" with values. @param {string} template @param {Record<string, unknown>} values */
export function say(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? "")).trim();
}

const PATHS = {
  hit: ["M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm-1 10.2L3.9 8l1.3-1.3L7 8.5l3.9-3.9 1.3 1.3Z", ""],
  miss: ["", "M8 1.6 14.4 8 8 14.4 1.6 8Z"],
  none: ["", "M4 8h8"],
  skipped: ["", "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM3.8 12.2l8.4-8.4"],
};

/**
 * The mark of a verdict: full disc with a tick, open diamond, dash, struck ring. Hidden from
 * readers of text, who have the word.
 * @param {import("./types.js").Verdict} verdict
 */
export function mark(verdict) {
  return svg("svg", { class: `mark mark-${verdict}`, viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, ...markPaths(verdict));
}

/** The same without its frame of 16 by 16. @param {import("./types.js").Verdict} verdict @returns {Element[]} */
export function markPaths(verdict) {
  const [solid, line] = PATHS[verdict];
  return [
    ...(solid ? [svg("path", { d: solid, fill: "currentColor", "fill-rule": "evenodd" })] : []),
    ...(line ? [svg("path", { d: line, fill: "none", stroke: "currentColor", "stroke-width": 2 })] : []),
  ];
}
