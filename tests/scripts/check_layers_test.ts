import assert from "node:assert/strict";
import { layerFindings } from "../../scripts/check_layers.ts";

function findings(files: Record<string, string>): string[] {
  return layerFindings(new Map(Object.entries(files)));
}

Deno.test("layerFindings accepts imports along the arrows", () => {
  assert.deepEqual(
    findings({
      "core/block.ts": "",
      "bytes/splice.ts": 'import type { Edit } from "../core/block.ts";',
      "compressors/log/compressor.ts":
        'import { x } from "../../text/lines.ts";',
      "compressors/registry.ts": 'import { x } from "./log/compressor.ts";',
      "app.ts": 'import { x } from "./ccr/store.ts";',
      "sdk/open.ts": 'import { x } from "../ccr/store.ts";',
      "cli/run.ts": 'const x = await import("./commands/proxy.ts");',
    }),
    [],
  );
});

Deno.test("layerFindings reports an import against an arrow with its line", () => {
  const against: Record<string, string> = {
    "core/x.ts": '\nimport { a } from "../bytes/a.ts";',
    "bytes/x.ts": '\nimport type { A } from "../text/a.ts";',
    "pipeline/x.ts": '\nimport {\n  a,\n} from "../ccr/a.ts";',
    "proxy/x.ts": '\nexport { a } from "../ledger/a.ts";',
    "cli/x.ts": '\nconst a = await import("../proxy/a.ts");',
    "upstream/x.ts": '\nimport "../proxy/a.ts";',
    "sdk/x.ts": '\nexport * from "../ccr/a.ts";',
    "text/x.ts": '\nimport { a } from "../../main.ts";',
  };
  for (const [path, text] of Object.entries(against)) {
    const found = findings({ [path]: text });
    assert.equal(found.length, 1, path);
    assert.match(found[0]!, new RegExp(`^src/${path}:2: may not import `));
  }
});

Deno.test("layerFindings asks for a row when a folder is new", () => {
  assert.deepEqual(
    findings({ "fresh/x.ts": 'import { a } from "../bytes/a.ts";' }),
    ["src/fresh/x.ts:1: scripts/layers.ts has no row for fresh"],
  );
});

Deno.test("layerFindings keeps siblings apart and lets only the registry name them", () => {
  const found = findings({
    "compressors/log/x.ts": 'import { a } from "../diff/a.ts";',
    "providers/messages/x.ts": 'import { a } from "../registry.ts";',
    "compressors/detector.ts": 'import { a } from "./log/a.ts";',
  });
  assert.deepEqual(found, [
    "src/compressors/log/x.ts:1: may not import its sibling compressors/diff/a.ts",
    "src/providers/messages/x.ts:1: may not import its sibling providers/registry.ts",
    "src/compressors/detector.ts:1: only compressors/registry.ts may import compressors/log/a.ts",
  ]);
});

Deno.test("layerFindings lets siblings share a file of the folder itself", () => {
  const text = 'import { a } from "../shared_words.ts";';
  assert.deepEqual(findings({ "providers/messages/x.ts": text }), []);
});

Deno.test("layerFindings finds the outside world in code only, and only where it may not be", () => {
  const calls = [
    "Deno.readFile(x)",
    "await fetch(url)",
    "Date.now()",
    "new Date()",
    "Math.random()",
    "crypto.randomUUID()",
    "globalThis.Deno.pid",
    "AbortSignal.timeout(5)",
    "setTimeout(f, 5)",
    "setInterval(f, 5)",
    "setImmediate(f)",
    "queueMicrotask(f)",
    'import { open } from "node:fs/promises"',
    'await import("node:sqlite")',
  ];
  for (const call of calls) {
    const [found] = findings({ "pipeline/x.ts": `// why\n${call};` });
    assert.match(found ?? "", /^src\/pipeline\/x\.ts:2: may not touch/, call);
    assert.deepEqual(findings({ "cli/x.ts": `${call};` }), []);
    assert.deepEqual(
      findings({ "pipeline/x.ts": `// ${call}\n\`${call}\`;` }),
      [],
    );
  }
  const harmless = `import type { Socket } from "node:net";
import { join } from "node:path";
app.fetch(x); this.#fetch(x); new Date(0); prefetch(x); clock.setTimeout(x);`;
  assert.deepEqual(findings({ "pipeline/x.ts": harmless }), []);
});

Deno.test("layerFindings finds a provider's name in code and strings, not in comments", () => {
  const code = 'headers.get("anthropic-version")';
  assert.deepEqual(findings({ "proxy/x.ts": code }), [
    "src/proxy/x.ts:1: may not name a provider",
  ]);
  assert.equal(findings({ "proxy/x.ts": "const openAiKey = 1;" }).length, 1);
  assert.deepEqual(findings({ "proxy/x.ts": `// ${code}` }), []);
  assert.deepEqual(findings({ "providers/messages/x.ts": code }), []);
  assert.deepEqual(findings({ "upstream/resolve.ts": code }), []);
});

Deno.test("layerFindings finds default exports", () => {
  assert.match(findings({ "text/x.ts": "export default 1;" })[0]!, /default/);
  const { length } = findings({ "text/x.ts": "export default class X {}" });
  assert.equal(length, 1);
});

Deno.test("layerFindings finds a circle of imports once, types included", () => {
  const found = findings({
    "text/a.ts": 'import { b } from "./b.ts";',
    "text/b.ts": 'import type { C } from "./c.ts";',
    "text/c.ts": 'import { a } from "./a.ts";',
  });
  assert.deepEqual(found, [
    "src/text/a.ts:1: imports itself: text/a.ts → text/b.ts → text/c.ts → text/a.ts",
  ]);
});

Deno.test("layerFindings lets contracts of core refer to each other as types", () => {
  const found = findings({
    "core/a.ts": 'import type { B } from "./b.ts";',
    "core/b.ts": 'import type { A } from "./a.ts";',
  });
  assert.deepEqual(found, []);
});
