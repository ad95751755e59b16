import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { brotliDecompressSync, zstdCompressSync } from "node:zlib";
import { stop } from "esbuild";
import { chunksForNode } from "../../../scripts/npm/chunks.ts";

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
