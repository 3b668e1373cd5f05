// What stands before every line of a log because something carried it: a container's clock, a rank,
// a service's name. JAX did not write it, and it hides how lines of an explanation begin.

/** One part of a prefix, with the one space that ends it; a line without more text may lack the space. */
const PARTS = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?:?(?: |$)/, // a clock
  /[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [^\s[]+\[\d+\]:(?: |$)/, // systemd's journal
  /std(?:out|err) [FP](?: |$)/, // Kubernetes
  /\[[\w./:, -]{1,120}\](?:<std(?:out|err)>)?(?::(?: (?! ))?| |$)/, // a rank, a pod, a process
  /[\w.-]{1,80} *\|(?: |$)/, // docker compose
  /\d{1,6}:(?: |$)/, // srun --label
].map(({ source }) => source);
/** Lines that are looked at, and of them the part that must agree: some are of others. */
const SAMPLE = 2000, MOST = 0.8;

/** The prefix that nearly all of the lines have, or null. @param {Iterable<string>} lines */
export function prefixOf(lines) {
  /** @type {string[]} */ const sample = [];
  for (const line of lines) {
    if (line.trim()) sample.push(line.slice(0, 400));
    if (sample.length === SAMPLE) break;
  }
  if (sample.length < 3) return null;
  let found = "";
  for (let i = 0; i < PARTS.length; i++) {
    const next = PARTS.find((part) => sample.filter((line) => new RegExp(`^${found}${part}`).test(line)).length > MOST * sample.length);
    if (!next) break;
    found += next;
  }
  return found ? new RegExp(`^${found}`) : null;
}
