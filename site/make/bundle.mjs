// Bundles scripts and styles with esbuild:   node bundle.mjs '<json>'
//
//   {root, outdir, define, modules: {name: path}, classics: {name: path}, styles: {name: [path]}}
//
// Prints {name: {file, chunks}} as JSON. File names carry a hash of their content; the working
// directory is the checkout, so that the hashes do not depend on where it lies.
import { basename } from "node:path";
import { build } from "esbuild";

const { root, outdir, define, modules, classics, styles } = JSON.parse(process.argv[2]);
const common = {
  absWorkingDir: root,
  preserveSymlinks: true, // a linked node_modules gives the same names as one that is there
  outdir,
  bundle: true,
  minify: true,
  metafile: true,
  define,
  charset: "utf8",
  legalComments: "none",
  target: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark() (tokens.css)
  entryNames: "[name]-[hash]",
  chunkNames: "shared-[hash]",
  external: ["*.woff2"],
  logLevel: "error",
};
const names = {};
await bundle({ entryPoints: modules, format: "esm", splitting: true });
await bundle({ entryPoints: classics, format: "iife" });
for (const [name, sheets] of Object.entries(styles)) {
  const contents = sheets.map((sheet) => `@import "./${sheet}";`).join("\n");
  await bundle({ stdin: { contents, resolveDir: root, loader: "css" }, entryNames: `${name}-[hash]` }, name);
}
console.log(JSON.stringify(names));

/** @param {object} options @param {string} [only] the name of a single result */
async function bundle(options, only) {
  const entries = Object.entries(options.entryPoints ?? {});
  if (!only && !entries.length) return;
  const { metafile } = await build({ ...common, ...options });
  for (const [path, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    if (!entryPoint) continue;
    const name = only ?? entries.find(([, source]) => source === entryPoint)?.[0];
    if (!name) continue; // a part that is loaded later, on demand
    const chunks = imports.filter(({ kind }) => kind === "import-statement");
    names[name] = { file: basename(path), chunks: chunks.map((chunk) => basename(chunk.path)) };
  }
}
