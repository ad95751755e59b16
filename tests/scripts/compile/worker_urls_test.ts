import assert from "node:assert/strict";
import {
  withWorkerUrls,
  WORKERS,
} from "../../../scripts/compile/worker_urls.ts";

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
