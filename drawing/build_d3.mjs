// Writes d3.js: the parts of d3 that pictures use, bundled in one module, so that the app needs no Node.
//
//     npm run d3                 # d3.js from the packages in node_modules
//     npm run d3 -- --check      # fails if d3.js is out of date
//
// The versions are those of package-lock.json; the types are in d3.d.ts.

import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const PARTS = { "d3-scale": ["scaleLinear", "scaleLog"], "d3-shape": ["curveBumpX", "curveBumpY", "line"] };
const ROOT = new URL("..", import.meta.url);
const PATH = new URL("d3.js", import.meta.url);

const names = Object.values(PARTS).flat();
const entry = Object.entries(PARTS).map(([from, parts]) => `export { ${parts.join(", ")} } from "${from}";`);
const { outputFiles, metafile } = await build({
  stdin: { contents: entry.join("\n"), resolveDir: ROOT.pathname },
  absWorkingDir: ROOT.pathname,
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "d3",
  target: "es2022",
  metafile: true,
  write: false,
});

const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
  Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput),
);
const packages = [...new Set(used.map(([path]) => path.match(/^node_modules\/([^/]+)/)?.[1]).filter(Boolean))].sort();
const read = (path) => readFileSync(new URL(path, ROOT), "utf8");
const notices = packages.map((name) => {
  const { version, license } = JSON.parse(read(`node_modules/${name}/package.json`));
  const copyright = read(`node_modules/${name}/LICENSE`)
    .match(/^Copyright.*$/gm)
    .join("; ");
  return `${name} ${version} (${license}). ${copyright}`;
});
const terms = read("node_modules/d3-scale/LICENSE")
  .replace(/^Copyright.*\n+/, "")
  .trim()
  .split("\n");
const head = ["Parts of d3, written by build_d3.mjs.", "", ...notices, "", ...terms].map((line) =>
  `// ${line}`.trimEnd(),
);
const exported = names.map((name) => `export const ${name} = d3.${name};`);
const text = [...head, "", outputFiles[0].text.trim(), ...exported, ""].join("\n");

if (!process.argv.includes("--check")) writeFileSync(PATH, text);
else if (readFileSync(PATH, "utf8") !== text) {
  console.error("drawing/d3.js is not what the packages make: run `npm run d3`");
  process.exit(1);
}
