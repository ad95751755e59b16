import assert from "node:assert/strict";
import {
  withLazyBuiltins,
  withWorkerUrls,
  WORKERS,
} from "../../../scripts/compile/bundle.ts";

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

const STARTS_A = 'x;let u=new URL("../a_worker.ts",import.meta.url);y';

Deno.test("withWorkerUrls points every address to the bundled module, from any depth", () => {
  const chunks = new Map([
    ["main.js", 'import"./chunk.js";'],
    ["chunk.js", STARTS_A],
    ["deep/er/x.js", "new URL('./b_worker.ts', import.meta.url)"],
  ]);
  const workers = ["src/a_worker.ts", "b_worker.ts"];
  assert.deepEqual(
    withWorkerUrls(chunks, workers),
    new Map([
      [
        "chunk.js",
        'x;let u=new URL("./src/a_worker.js",import.meta.url);y',
      ],
      ["deep/er/x.js", 'new URL("../../b_worker.js",import.meta.url)'],
    ]),
  );
});

Deno.test("withWorkerUrls says which worker is not bundled, not started or started twice", () => {
  const cases: [Record<string, string>, string[], RegExp][] = [
    [{ "m.js": STARTS_A }, [], /Cannot bundle a_worker\.ts: it is started as/],
    [{ "m.js": "" }, ["a_worker.ts"], /a_worker\.ts: it is started at 0/],
    [
      { "m.js": STARTS_A, "n.js": STARTS_A },
      ["a_worker.ts"],
      /a_worker\.ts: it is started at 2/,
    ],
  ];
  for (const [chunks, workers, message] of cases) {
    const map = new Map(Object.entries(chunks));
    assert.throws(() => withWorkerUrls(map, workers), { message });
  }
});

Deno.test("withWorkerUrls refuses an address that it would leave as it is", () => {
  const text = 'f("./a_worker.ts",import.meta.url)';
  assert.throws(
    () => withWorkerUrls(new Map([["m.js", STARTS_A + text]]), ["a_worker.ts"]),
    /Cannot bundle m\.js: the worker's address "\.\/a_worker\.ts",import/,
  );
});

Deno.test("WORKERS names every module that the source starts as a thread", async () => {
  const root = new URL("../../../", import.meta.url);
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("src/", root))) {
    if (name.endsWith("_worker.ts")) names.push(`src/${name}`);
  }
  assert.deepEqual([...WORKERS].sort(), names.sort());
});
