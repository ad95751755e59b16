import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { brotliDecompressSync, zstdCompressSync } from "node:zlib";
import { stop } from "esbuild";
import { chunksForNode } from "../../scripts/npm/chunks.ts";
import { declarations } from "../../scripts/npm/declarations.ts";
import { notices } from "../../scripts/npm/notices.ts";

Deno.test.afterAll(stop);

const READER = 'import { zstdDecompressSync } from "node:zlib";\n';

function table(text: string): string {
  const base64 = zstdCompressSync(text).toString("base64");
  return `var ranks = "${base64}";\nexport { ranks };`;
}

Deno.test("chunksForNode packs the ranks anew, and replaces what Node 20 lacks", async () => {
  const chunks = await chunksForNode(
    new Map([
      ["o.js", table("first")],
      ["c.js", table("second")],
      [
        "mod.js",
        `${READER}export const read = (text) => zstdDecompressSync(Uint8Array.fromBase64(text));`,
      ],
    ]),
  );
  const [, base64] = /"([^"]+)"/.exec(chunks.get("o.js")!)!;
  const raw = brotliDecompressSync(Buffer.from(base64!, "base64"));
  assert.equal(raw.toString(), "first");
  const mod = chunks.get("mod.js")!;
  assert.match(mod, /from"\.\/node_features\.js"/);
  assert.doesNotMatch(mod, /Uint8Array|node:zlib/);
  assert.match(chunks.get("node_features.js")!, /decompressRanks/);
});

Deno.test("chunksForNode takes the paths of this machine's package cache out", async () => {
  const folder = "../../home/ana/.cache/deno/npm/registry.example/";
  const chunks = await chunksForNode(
    new Map([
      ["o.js", table("first")],
      ["c.js", table("second")],
      [
        "mod.js",
        `${READER}zstdDecompressSync();\n// ${folder}a/1.0.0/a.js\nexport const names = { "${folder}a/1.0.0/a.js"() {} };`,
      ],
    ]),
  );
  assert.doesNotMatch(chunks.get("mod.js")!, /ana/);
});

Deno.test("chunksForNode refuses a bundle whose ranks it does not find", async () => {
  await assert.rejects(
    chunksForNode(new Map([["mod.js", READER]])),
    /found 0 tables and 1 readers, not 2 and 1/,
  );
});

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

Deno.test("notices has the licence of each package in the bundle, once", async () => {
  const cwd = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    const folder = new URL("cache/npm/registry.example/@a/b/1.2.3/", cwd);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(new URL("LICENSE", folder), "Licence of b\n");
    const path = "cache/npm/registry.example/@a/b/1.2.3";
    const text = await notices(
      [`// ${path}/x.js\nvar x;\n// src/own.ts\n// ${path}/y.js\n`],
      cwd,
    );
    assert.deepEqual(text.match(/^## @a\/b 1\.2\.3\n\nLicence of b$/gm), [
      "## @a/b 1.2.3\n\nLicence of b",
    ]);
    assert.match(text, /## tiktoken/);
    await assert.rejects(
      notices([`// ${path.replace("b", "c")}/x.js\n`], cwd),
      /Cannot bundle @a\/c 1\.2\.3: no licence file/,
    );
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});
