/**
 * Builds the npm package of the library, for Node and Bun: `deno task npm [--out FOLDER]`, default `dist/npm`.
 *
 * One ES module and its lazily loaded parts, type declarations, no dependencies. Nothing is fetched besides what
 * `deno.lock` names.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { stop } from "esbuild";
import CONFIG from "../deno.json" with { type: "json" };
import { bundle } from "./compile/bundle.ts";
import { chunksForNode } from "./npm/chunks.ts";
import { declarations } from "./npm/declarations.ts";
import { notices } from "./npm/notices.ts";

const ROOT = new URL("../", import.meta.url);

/** Where the package is written unless told otherwise. */
const TARGET = new URL("dist/npm/", ROOT);

/** What `package.json` says. */
const MANIFEST = {
  name: CONFIG.name,
  version: CONFIG.version,
  description:
    "Makes the tool results in LLM conversations smaller, in process; keeps the originals for retrieval",
  license: CONFIG.license,
  keywords: ["llm", "context", "compression", "tokens", "anthropic", "openai"],
  type: "module",
  sideEffects: false,
  // The first of 20 with crypto.hash.
  engines: { node: ">=20.12" },
  exports: {
    ".": { types: "./types/mod.d.ts", default: "./lib/mod.js" },
    "./package.json": "./package.json",
  },
  types: "./types/mod.d.ts",
  publishConfig: { access: "public" },
  files: ["lib", "types", "README.md", "LICENSE", "THIRD_PARTY_NOTICES.md"],
};

/**
 * Writes the package into an empty or new folder.
 *
 * @param target Folder; ends in a slash. What was in it is removed.
 * @throws {Error} If the library cannot be bundled, or its types cannot be declared.
 */
export async function buildNpm(target: URL = TARGET): Promise<void> {
  const work = await Deno.makeTempDir();
  try {
    const [chunks, types] = await Promise.all([
      bundle(fileURLToPath(ROOT), work, ["mod.ts"]),
      declarations(ROOT, "mod.ts"),
    ]);
    const files = new Map<string, string>([
      ["package.json", `${JSON.stringify(MANIFEST, undefined, 2)}\n`],
      ["README.md", await read("scripts/npm/README.md")],
      ["LICENSE", await read("LICENSE")],
      ["THIRD_PARTY_NOTICES.md", await notices(chunks.values(), ROOT)],
    ]);
    for (const [name, text] of types) files.set(`types/${name}`, text);
    for (const [name, text] of await chunksForNode(chunks)) {
      files.set(`lib/${name}`, text);
    }
    await write(target, files);
  } finally {
    await stop();
    await Deno.remove(work, { recursive: true });
  }
}

async function write(
  target: URL,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  try {
    await Deno.remove(target, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  for (const [path, text] of files) {
    const file = new URL(path, target);
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
}

function read(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

if (import.meta.main) {
  const { values } = parseArgs({
    args: Deno.args,
    options: { out: { type: "string" } },
  });
  const target = values.out === undefined
    ? TARGET
    : new URL(`${values.out}/`, `file://${Deno.cwd()}/`);
  await buildNpm(target);
  // deno-lint-ignore no-console
  console.log(target.pathname);
}
