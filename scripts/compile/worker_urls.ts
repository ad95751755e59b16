/** Addresses of worker modules in bundled text. @module */

/** Modules that are started as threads, by their path in the project. */
export const WORKERS: readonly string[] = [
  "src/writer_worker.ts",
  "src/compute_worker.ts",
  "src/confined_worker.ts",
];

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
  workers: readonly string[],
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
        `Cannot bundle ${name}.ts: it is started at ${count} places of the bundle, expected 1; see WORKERS in scripts/compile/worker_urls.ts`,
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
    `Cannot bundle ${name}.ts: it is started as a thread and not bundled; add it to WORKERS in scripts/compile/worker_urls.ts`,
  );
}
