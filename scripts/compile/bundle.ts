/** All of the program as a directory of minified modules; what is imported lazily stays lazy. @module */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILD_FACTS, type BuildInfo } from "../../src/build_info.ts";
import { notices } from "../npm/notices.ts";
import { textsBelow } from "../walk.ts";
import { runProgram } from "./run_program.ts";

/** Modules that are started as threads, by their path in the project. */
export const WORKERS: readonly string[] = [
  "src/writer_worker.ts",
  "src/compute_worker.ts",
  "src/confined_worker.ts",
  "src/extension_worker.ts",
];

/** Modules that are started. */
const ENTRIES: readonly string[] = ["main.ts", ...WORKERS];

/** What to bundle. */
export interface BundleOptions {
  /** The project's directory. */
  readonly root: string;
  /** Directory that is made; `main.js` in it starts the program. */
  readonly out: string;
  /** What `svc --version` shall say. */
  readonly facts: Omit<BuildInfo, "version" | "file">;
  /** Whether the program is started by a file that says in `SVC_FILE` where it is. */
  readonly hasLauncher: boolean;
}

/**
 * Bundles `main.ts` and the workers.
 *
 * @returns Paths of all modules below `out`, in order.
 * @throws {Error} If bundling fails, or a worker would not be found.
 */
export async function bundleProgram(
  { root, out, facts, hasLauncher }: BundleOptions,
): Promise<string[]> {
  const chunks = await bundle(root, out, ["--minify", ...ENTRIES]);
  for (const change of [withLazyBuiltins, withWorkerUrls]) {
    for (const [path, text] of change(chunks)) {
      chunks.set(path, text);
      await Deno.writeTextFile(join(out, path), text);
    }
  }
  for (const entry of ENTRIES) {
    const path = entry.replace(/\.ts$/, ".js");
    const first = entry === "main.ts" && hasLauncher
      ? launchedFacts(facts)
      : `globalThis.${BUILD_FACTS}=${JSON.stringify(facts)};`;
    await Deno.writeTextFile(join(out, path), `${first}\n${chunks.get(path)}`);
  }
  return [...chunks.keys()].sort();
}

/**
 * Licences of everything that the bundle holds, for people.
 *
 * @param root The project's directory.
 * @throws {Error} If a package has none.
 */
export async function bundledNotices(root: string): Promise<string> {
  const out = await Deno.makeTempDir();
  try {
    // Minified text does not say where its parts are from.
    const texts = await bundle(root, out, ENTRIES);
    return await notices(texts.values(), pathToFileURL(join(root, "/")));
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

/**
 * Bundles modules with their packages; what is imported lazily becomes a file of its own.
 *
 * @param root The project's directory.
 * @param out Directory that is made.
 * @param words Flags and entries.
 * @returns Texts of all files below `out` by path.
 */
export async function bundle(
  root: string,
  out: string,
  words: readonly string[],
): Promise<Map<string, string>> {
  await runProgram({
    command: [
      ...[Deno.execPath(), "bundle", "--quiet", "--frozen"],
      ...["--code-splitting", "--outdir", out, ...words],
    ],
    cwd: root,
  });
  return await textsBelow(pathToFileURL(join(out, "/")));
}

/**
 * Takes the launcher's words out of the environment, and puts back what it hid: what svc starts is not started by that
 * file, and does not share its caches.
 */
function launchedFacts(facts: object): string {
  const lines = [
    "const take=(name)=>{const value=Deno.env.get(name);Deno.env.delete(name);return value};",
    `globalThis.${BUILD_FACTS}={...${JSON.stringify(facts)},`,
    'file:take("SVC_FILE"),cache:take("DENO_DIR")};',
    'const outer=take("SVC_OUTER_DENO_DIR");',
    'if(outer)Deno.env.set("DENO_DIR",outer);',
  ];
  return `{${lines.join("")}}`;
}

/**
 * What commander imports for subcommands that are programs of their own. svc has none, and the two cost a fifth of
 * the time of `svc --version`.
 */
const SELDOM: readonly string[] = ["node:child_process", "node:fs"];

/** Stands in commander and nowhere else. */
const COMMANDER = '"commander.invalidArgument"';

/**
 * Makes the bundled commander load these modules when it first uses them.
 *
 * @param chunks Text of each bundled module by its path.
 * @returns The chunks that changed.
 * @throws {Error} If commander is not bundled once, or imports them otherwise.
 */
export function withLazyBuiltins(
  chunks: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = [...chunks].filter(([, text]) => text.includes(COMMANDER));
  const [path, text] = found[0] ?? [];
  if (path === undefined || text === undefined || found.length > 1) {
    throw new Error(
      `Cannot find commander in the bundle: expected ${COMMANDER} in 1 module, found it in ${found.length}; see scripts/compile/bundle.ts`,
    );
  }
  return new Map([[path, SELDOM.reduce(withLazy, text)]]);
}

function withLazy(text: string, module: string): string {
  const parts = text.split(`from"${module}"`);
  const name = /import ([\w$]+)\s*$/.exec(parts[0]!)?.[1];
  if (parts.length !== 2 || name === undefined) {
    throw new Error(
      `Cannot load ${module} later: commander does not import it as import name from"${module}"; see scripts/compile/bundle.ts`,
    );
  }
  const before = parts[0]!.replace(/import [\w$]+\s*$/, "");
  return `${before}const ${name}=new Proxy({},{get:(_,name)=>process.getBuiltinModule("${module}")[name]})${
    parts[1]
  }`;
}

/** How a thread's module is named in the source; minified text leaves it so. */
const WORKER_URL =
  /\bnew URL\(\s*["'`](?:\.{1,2}\/)*(\w+_worker)\.ts["'`]\s*,\s*import\.meta\.url\s*\)/g;

/** Text of a worker's address that is left: nothing would be found there. */
const SOURCE_URL = /["'`][^"'`\n]*_worker\.ts["'`]\s*,\s*import\.meta\.url/;

/**
 * Points every worker's address to its bundled module.
 *
 * @param chunks Text of each bundled module by its path below the bundle's directory, with slashes.
 * @param workers Paths of the workers' sources; the bundle has them at the same paths, ending in `.js`.
 * @returns The chunks that changed.
 * @throws {Error} If a worker that nobody bundled is started, if one is never started or at several places, or if an
 * address is written in a way that this function does not know.
 */
export function withWorkerUrls(
  chunks: ReadonlyMap<string, string>,
  workers = WORKERS,
): Map<string, string> {
  const modules = new Map(
    workers.map((path) => [nameOf(path), path.replace(/\.ts$/, ".js")]),
  );
  const places = new Map(workers.map((path) => [nameOf(path), 0]));
  const changed = new Map<string, string>();
  for (const [path, text] of chunks) {
    const up = "../".repeat(path.split("/").length - 1) || "./";
    const next = text.replace(WORKER_URL, (_, name: string) => {
      const module = modules.get(name);
      if (module === undefined) throw unknownWorker(name);
      places.set(name, places.get(name)! + 1);
      return `new URL("${up}${module}",import.meta.url)`;
    });
    const left = SOURCE_URL.exec(next);
    if (left) {
      throw new Error(
        `Cannot bundle ${path}: the worker's address ${
          left[0]
        } is not written as new URL("…_worker.ts", import.meta.url)`,
      );
    }
    if (next !== text) changed.set(path, next);
  }
  for (const [name, count] of places) {
    if (count !== 1) {
      throw new Error(
        `Cannot bundle ${name}.ts: it is started at ${count} places of the bundle, expected 1; see WORKERS in scripts/compile/bundle.ts`,
      );
    }
  }
  return changed;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.ts$/, "");
}

function unknownWorker(name: string): Error {
  return new Error(
    `Cannot bundle ${name}.ts: it is started as a thread and not bundled; add it to WORKERS in scripts/compile/bundle.ts`,
  );
}
