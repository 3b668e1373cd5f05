// The page's side of the worker: one file at a time, answers as promises.

/** @typedef {{opened: any, table: import("./summary.js").Table, notes: string[], problems: string[], lost: boolean}} Opened
 *   `lost`: not all of the file could be read */

export class Source {
  /** @type {Worker|null} */ #worker = null;
  /** @type {Map<string, (answer: any) => void>} */ #waiting = new Map();

  /** @param {string} address of the worker @param {(text: string, fraction: number) => void} progress */
  constructor(address, progress) {
    this.address = address;
    this.progress = progress;
  }

  /**
   * Open a file; another one that is still being read is given up.
   * @param {Blob} file @returns {Promise<Opened|{log: string, notes: string[]}>} rejects with a sentence
   */
  open(file) {
    this.close();
    return new Promise((resolve, reject) => {
      const worker = this.#worker = new Worker(this.address, { type: "module" });
      worker.addEventListener("message", ({ data }) => {
        if (data.progress) this.progress(data.progress, data.fraction);
        else if (data.failed) reject(new Error(data.failed));
        else if (data.opened || "log" in data) resolve(data);
        else for (const kind of ["call", "part"]) {
          const key = `${kind} ${data[kind]}`;
          this.#waiting.get(key)?.(data);
          this.#waiting.delete(key);
        }
      });
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new Error("The part of this page that reads files could not be started, or ran out of memory."));
      });
      worker.postMessage({ open: file });
    });
  }

  /** One call in full. @param {number} row @returns {Promise<{read: any, cause: any, notes: any[]}>} */
  call(row) { return this.#ask("call", row); }

  /** The calls around one, as a recording. @param {number} row @returns {Promise<{recording: any, first: number, last: number}>} */
  part(row) { return this.#ask("part", row); }

  /** @param {string} kind @param {number} row @returns {Promise<any>} */
  #ask(kind, row) {
    return new Promise((resolve) => {
      this.#waiting.set(`${kind} ${row}`, resolve);
      this.#worker?.postMessage({ [kind]: row });
    });
  }

  close() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#waiting.clear();
  }
}
