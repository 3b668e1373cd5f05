// Boots Pyodide in Node with the model imported, tidies its memory and writes
// the memory to a file:   node snapshot.mjs <engine folder> <output>
//
// A snapshot keeps memory, not files: whatever a program may import from the
// library has to be imported here. What is missed is fetched when it is asked for
// (see engine-worker.js).
import nodeCrypto from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, output] = process.argv.slice(2);
// The interpreter keeps its own name, its arguments and the time zone.
process.argv.splice(1, Infinity, "/snapshot");
process.env.TZ = "UTC";
holdClockAndEntropyStill();
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({
  indexURL: folder,
  env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" },
  _makeSnapshot: true,
});
const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"));
pyodide.FS.writeFile("/model.whl", readFileSync(resolve(folder, wheel)));
pyodide.runPython(readFileSync(new URL("warm.py", import.meta.url), "utf8"));
emptyEastAsianTables(pyodide);
emptyFreeMemory(pyodide._module);
writeFileSync(output, pyodide.makeMemorySnapshot());

/** Clock and entropy reach the interpreter's memory (the state of `random`, say):
 * with both held still, two snapshots of one engine come out equal. */
function holdClockAndEntropyStill() {
  let ticks = 0;
  Date.now = () => 1767225600000;
  performance.now = () => ticks++ / 1000;
  nodeCrypto.randomFillSync = (array) => array.fill(7);
  globalThis.crypto.getRandomValues = (array) => array.fill(7);
}

/** Overwrites the tables of the East Asian text encodings with zeros. Nobody can ask for them:
 * the modules under `encodings` that would are left out of the library (engine.py: ENCODINGS).
 * A module's state holds a list of mappings; each has two indices, by leading byte, of pieces
 * of tables of 16-bit numbers (CPython: Modules/cjkcodecs/cjkcodecs.h: cjkcodecs_module_state,
 * dbcs_map, dbcs_index). */
function emptyEastAsianTables(pyodide) {
  const module = pyodide._module;
  const word = (place) => module.HEAPU32[place >>> 2];
  for (const name of ["_codecs_cn", "_codecs_hk", "_codecs_jp", "_codecs_kr", "_codecs_tw"]) {
    const place = pyodide.runPython(`import ${name}; id(${name})`);
    const state = module._PyModule_GetState(place);
    for (let i = 0; i < word(state); i++) {
      const mapping = word(state + 8) + 12 * i;
      if (module.UTF8ToString(word(mapping)).includes("pair")) continue; // no index: a list of pairs
      for (const index of [word(mapping + 4), word(mapping + 8)]) {
        for (let entry = index; index && entry < index + 8 * 256; entry += 8) {
          const [bottom, top] = module.HEAPU8.subarray(entry + 4, entry + 6);
          const table = word(entry);
          if (table > state || top < bottom) throw new Error(`${name} is laid out in another way`);
          if (table) module.HEAPU8.fill(0, table, table + 2 * (top - bottom + 1));
        }
      }
    }
    pyodide.runPython(`import sys; del sys.modules["${name}"], ${name}`);
  }
}

/** Overwrites free memory with zeros, so that it compresses to nothing.
 * The interpreter's small blocks are taken size by size, larger stretches by
 * falling size, none of them beyond the memory in use now; all is given back. */
function emptyFreeMemory(module) {
  const fill = (place, size) => module.HEAPU8.fill(0, place, place + size);
  for (let size = 16; size <= 512; size += 16) {
    const held = [];
    for (let total = 0; total < 1 << 20; total += size) {
      held.push(module._PyObject_Malloc(size));
      fill(held.at(-1), size);
    }
    held.forEach((place) => module._PyObject_Free(place));
  }
  const top = module._sbrk(0);
  const held = [];
  for (let size = 1 << 20; size >= 16; size = size > 256 ? size >> 1 : size - 16) {
    while (true) {
      const place = module._emscripten_builtin_malloc(size);
      held.push(place);
      if (place + size > top || module._sbrk(0) > top) break;
      fill(place, size);
    }
  }
  held.forEach((place) => module._free(place));
  module._malloc_trim(0);
}
