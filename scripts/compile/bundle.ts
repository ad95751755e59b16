/** All of the program as a directory of minified modules; what is imported lazily stays lazy. @module */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILD_FACTS, type BuildInfo } from "../../src/build_info.ts";
import { notices } from "../npm/notices.ts";
import { withLazyBuiltins } from "./lazy_builtins.ts";
import { runProgram } from "./run_program.ts";
import { withWorkerUrls, WORKERS } from "./worker_urls.ts";

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
  await bundle(root, ["--minify", "--outdir", out]);
  const chunks = await textsBelow(out, "");
  for (const change of [withLazyBuiltins, withUrls]) {
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

function withUrls(chunks: ReadonlyMap<string, string>): Map<string, string> {
  return withWorkerUrls(chunks, WORKERS);
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
    await bundle(root, ["--outdir", out]);
    const folder = pathToFileURL(join(root, "/"));
    const texts = await textsBelow(out, "");
    return await notices(texts.values(), folder);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function bundle(root: string, flags: readonly string[]): Promise<void> {
  await runProgram({
    command: [
      ...[Deno.execPath(), "bundle", "--quiet", "--frozen"],
      ...["--code-splitting", ...flags, ...ENTRIES],
    ],
    cwd: root,
  });
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

async function textsBelow(
  root: string,
  below: string,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, isDirectory } of Deno.readDir(join(root, below))) {
    const path = below + name;
    if (isDirectory) {
      const more = await textsBelow(root, `${path}/`);
      for (const [key, text] of more) texts.set(key, text);
    } else texts.set(path, await Deno.readTextFile(join(root, path)));
  }
  return texts;
}
