import assert from "node:assert/strict";
import { declarations } from "../../../scripts/npm/declarations.ts";

async function declared(
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  const folder = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = new URL(path, folder);
      await Deno.mkdir(new URL(".", file), { recursive: true });
      await Deno.writeTextFile(file, text);
    }
    return await declarations(folder, "mod.ts");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("declarations follows what the exported types need, and nothing else", async () => {
  const files = await declared({
    "mod.ts":
      'export { f } from "./src/f.ts";\n/** `import { f } from "./mod.ts"` */\nexport const n = 1;',
    "src/f.ts":
      'import type { T } from "./t.ts";\nimport { g } from "./g.ts";\nexport function f(): T { return g(); }',
    "src/t.ts": "export interface T { readonly a: string }",
    "src/g.ts": 'export const g = () => ({ a: "" });',
  });
  assert.deepEqual([...files.keys()].sort(), [
    "mod.d.ts",
    "src/f.d.ts",
    "src/t.d.ts",
  ]);
  assert.match(files.get("mod.d.ts")!, /export \{ f \} from "\.\/src\/f\.js";/);
  assert.match(files.get("mod.d.ts")!, /`import \{ f \} from "\.\/mod\.ts"`/);
  assert.match(
    files.get("src/f.d.ts")!,
    /import type \{ T \} from "\.\/t\.js";/,
  );
});

const REFUSED: Readonly<Record<string, [string, RegExp]>> = {
  "a type of a package": [
    'import type { Hono } from "hono";\nexport function f(): Hono | void {}',
    /Cannot declare the types of mod\.ts: they need "hono"/,
  ],
  "a type of Node": [
    'import type { Buffer } from "node:buffer";\nexport function f(): Buffer | void {}',
    /they need node:buffer/,
  ],
  "a type of Deno": [
    "export function f(): Deno.FsFile | void {}",
    /they name Deno/,
  ],
  "a type that is not written down": [
    "export function f() { return new Map([[1, 2]]); }",
    /Cannot declare the types of mod\.ts: Function must have an explicit return type/,
  ],
};
for (const [what, [source, message]] of Object.entries(REFUSED)) {
  Deno.test(`declarations refuses ${what}`, async () => {
    await assert.rejects(declared({ "mod.ts": source }), message);
  });
}
