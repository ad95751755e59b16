import assert from "node:assert/strict";
import { withLazyBuiltins } from "../../../scripts/compile/lazy_builtins.ts";

const USE =
  'export const found=$f.existsSync("/"),is=typeof c.spawn,code="commander.invalidArgument";';
const COMMANDER =
  `import{join as j}from"node:path";import c from"node:child_process";import $f from"node:fs";j("/");${USE}`;

Deno.test("withLazyBuiltins leaves commander with modules that are there when they are used", async () => {
  const chunks = new Map([["other.js", ""], ["a.js", COMMANDER]]);
  const changed = withLazyBuiltins(chunks);
  assert.deepEqual([...changed.keys()], ["a.js"]);
  const text = changed.get("a.js")!;
  assert.doesNotMatch(text, /from"node:(fs|child_process)"/);
  assert.match(text, /^import\{join as j\}from"node:path";/);
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const { found, is } = await import(url);
  assert.deepEqual([found, is], [true, "function"]);
});

Deno.test("withLazyBuiltins refuses a bundle in which commander is not as expected", () => {
  const refused: [Record<string, string>, RegExp][] = [
    [{}, /expected .* in 1 module, found it in 0/],
    [{ a: COMMANDER, b: COMMANDER }, /found it in 2/],
    [
      { a: COMMANDER.replace("import c", "import*as c") },
      /Cannot load node:child_process later/,
    ],
    [{ a: USE }, /Cannot load node:child_process later/],
  ];
  for (const [chunks, message] of refused) {
    const map = new Map(Object.entries(chunks));
    assert.throws(() => withLazyBuiltins(map), { message });
  }
});
