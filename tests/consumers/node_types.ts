/** Type checks with what the oldest supported Node has, and nothing else. */
import CONFIG from "../../deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

/** The language and its library as Node 20 has them. */
const LIB = [
  ...["es2023", "es2024.string", "esnext.disposable"],
  ...["dom", "dom.iterable", "dom.asynciterable"],
];

/** What the build of the npm package replaces, see `scripts/npm/chunks.ts`. */
const REPLACED = `
declare global {
  // Called where a store in a file warms up, which that of the library does not.
  const Deno: { unrefTimer(id: number): void };
  interface Uint8ArrayConstructor {
    fromBase64(text: string): Uint8Array<ArrayBuffer>;
  }
  interface PromiseConstructor {
    try<A extends unknown[], T>(work: (...args: A) => T | PromiseLike<T>, ...args: A): Promise<T>;
    withResolvers<T>(): {
      promise: Promise<T>;
      resolve: (value: T | PromiseLike<T>) => void;
      reject: (reason?: unknown) => void;
    };
  }
}
export {};
`;

/**
 * Writes programs that import `@svc/svc` into a folder, as a project that is checked against Node 20.
 *
 * @param programs Code by name.
 * @returns The folder; the caller removes it.
 */
export async function nodeTypesProject(
  programs: ReadonlyMap<string, string>,
): Promise<URL> {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  for (const [name, code] of programs) {
    await Deno.writeTextFile(new URL(`${name}.ts`, folder), code);
  }
  await Deno.writeTextFile(new URL("replaced.ts", folder), REPLACED);
  const imports = {
    ...CONFIG.imports,
    "@svc/svc": new URL("mod.ts", ROOT).href,
  };
  const compilerOptions = { ...CONFIG.compilerOptions, lib: LIB };
  const { unstable } = CONFIG;
  await Deno.copyFile(new URL("deno.lock", ROOT), new URL("deno.lock", folder));
  await Deno.writeTextFile(
    new URL("deno.json", folder),
    JSON.stringify({ imports, compilerOptions, unstable }),
  );
  return folder;
}

/**
 * Checks programs of such a folder.
 *
 * @param names Which.
 * @returns What is wrong; empty where nothing is.
 */
export async function typeErrors(
  folder: URL,
  names: readonly string[],
): Promise<string> {
  const files = ["replaced", ...names].map((name) => `${name}.ts`);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...files],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  return success ? "" : new TextDecoder().decode(stderr);
}
