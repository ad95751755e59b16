/**
 * Writes `src/compute/worker_code.json`: the compute worker with everything that it imports as one text, for programs
 * that may not read files. Rank tables are not in it: it asks for them.
 * Usage: `deno run -A scripts/build_compute_worker.ts`.
 *
 * @module
 */
import { createRequire, isBuiltin } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, stop } from "esbuild";
import { PART_NAMES } from "../src/compute/spawn.ts";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const TARGET = new URL("../src/compute/worker_code.json", import.meta.url);

/** The first import listens before the worker does: what is meant for it does not get there. */
const ENTRY = `import "parts"; import "./compute_worker.ts";`;
const PARTS_MODULE = `import { partsFrom } from "./compute/ask_part.ts";
export const part = partsFrom(globalThis);`;

/** Finds packages where Deno keeps them: there is no node_modules folder. */
const packages: Plugin = {
  name: "packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === "entry-point") return undefined;
      if (isBuiltin(path)) {
        const name = path.startsWith("node:") ? path : `node:${path}`;
        return { path: name, external: true };
      }
      const isOurs = importer.startsWith(SOURCES);
      return {
        path: isOurs
          ? fileURLToPath(import.meta.resolve(path))
          : createRequire(importer).resolve(path),
      };
    });
  },
};

/** Puts a question in the place of each large file. */
const parts: Plugin = {
  name: "parts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^parts$/ }, () => ({
      path: "parts",
      namespace: "parts",
    }));
    onLoad({ filter: /.*/, namespace: "parts" }, () => ({
      contents: PARTS_MODULE,
      resolveDir: SOURCES,
      loader: "js",
    }));
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const name = relative(SOURCES, path).replaceAll("\\", "/");
      if (!PART_NAMES.includes(name)) {
        throw new Error(`src/compute/parts.ts has no row for ${name}`);
      }
      const contents = `import { part } from "parts";
export default await part(${JSON.stringify(name)});`;
      return { contents, loader: "js" };
    });
  },
};

/** The text that belongs into `src/compute/worker_code.json`. Starts one process of the bundler and ends it. */
export async function computeWorkerCode(): Promise<string> {
  try {
    const { outputFiles } = await build({
      stdin: { contents: ENTRY, resolveDir: SOURCES, loader: "js" },
      bundle: true,
      minify: true,
      write: false,
      charset: "utf8",
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      target: "esnext",
      legalComments: "none",
      // A package would take the runtime for Node, and makes names of files beside itself that it never opens.
      define: { process: "undefined", "import.meta.url": '"file:///code.js"' },
      // A package has a branch for code of other compilers that we do not load.
      logOverride: { "direct-eval": "silent" },
      plugins: [parts, packages],
      tsconfigRaw: "{}",
    });
    return `${JSON.stringify({ code: outputFiles[0]!.text }, null, 2)}\n`;
  } finally {
    await stop();
  }
}

if (import.meta.main) {
  await Deno.writeTextFile(TARGET, await computeWorkerCode());
}
