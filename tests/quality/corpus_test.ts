import assert from "node:assert/strict";
import {
  heldOutFiles,
  isFailure,
  loadCorpus,
  partsOf,
  sizeClass,
} from "./corpus.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";

Deno.test("sizeClass puts a limit into the class above it", () => {
  const named = [99, 100, 499, 500, 1_999, 2_000, 8_000].map(sizeClass);
  assert.deepEqual(named, [
    "under 100",
    "100-500",
    "100-500",
    "500-2,000",
    "500-2,000",
    "2,000-8,000",
    "above 8,000",
  ]);
});

Deno.test("partsOf gives one part for a string and all parts of a combined fact", () => {
  assert.deepEqual(partsOf("a"), ["a"]);
  assert.deepEqual(partsOf({ text: "a", failure: true }), ["a"]);
  assert.deepEqual(partsOf({ all: ["a", "b"] }), ["a", "b"]);
});

Deno.test("isFailure is true for marked facts only", () => {
  assert.deepEqual(["a", { all: ["a", "b"] }].map(isFailure), [false, false]);
  assert.equal(isFailure({ text: "a", failure: true }), true);
  assert.equal(isFailure({ all: ["a", "b"], failure: true }), true);
});

Deno.test("heldOutFiles takes half of each kind and class, whatever the order", () => {
  const items = Array.from({ length: 30 }, (_, i) => ({
    file: `k${i % 2}/${i}.txt`,
    kind: `k${i % 2}`,
    tokens: i % 3 === 0 ? 50 : 700,
  }));
  const held = heldOutFiles(items);
  assert.deepEqual(heldOutFiles(items.toReversed()), held);
  for (const kind of ["k0", "k1"]) {
    for (const tokens of [50, 700]) {
      const group = items.filter((item) =>
        item.kind === kind && item.tokens === tokens
      );
      const count = group.filter(({ file }) => held.has(file)).length;
      assert.ok(Math.abs(count - group.length / 2) < 1, `${kind} ${tokens}`);
    }
  }
});

Deno.test("heldOutFiles moves at most one of the others when an item joins", () => {
  const items = Array.from({ length: 9 }, (_, i) => ({
    file: `k/${i}.txt`,
    kind: "k",
    tokens: 10,
  }));
  const before = heldOutFiles(items.slice(1));
  const after = heldOutFiles(items);
  const moved = items.slice(1)
    .filter(({ file }) => before.has(file) !== after.has(file));
  assert.ok(moved.length <= 1);
});

Deno.test("loadCorpus finds every fact, 3 to 8 of them, and the held-out items of the rule", async () => {
  const items = await loadCorpus(new URL("../corpus/", import.meta.url));
  const counter = await openTokenCounter();
  const held = heldOutFiles(items.map(({ file, kind, text }) => ({
    file,
    kind,
    tokens: counter.count(text, "gpt-5"),
  })));
  assert.equal(new Set(items.map(({ file }) => file)).size, items.length);
  for (const { file, kind, facts, heldOut, query } of items) {
    assert.equal(kind, file.split("/")[0], file);
    assert.ok(facts.every(isWellFormed), file);
    assert.equal(heldOut, held.has(file), file);
    assert.ok(facts.length >= 3 && facts.length <= 8, file);
    assert.notEqual(query, "", file);
  }
});

/** A misspelled field would be a fact that is never counted as a failure. */
function isWellFormed(fact: unknown): boolean {
  if (typeof fact === "string") return true;
  const { text, all, failure, ...others } = fact as Record<string, unknown>;
  return Object.keys(others).length === 0 &&
    (failure === undefined || failure === true) &&
    (all === undefined
      ? typeof text === "string" && failure === true
      : text === undefined && Array.isArray(all));
}

Deno.test("loadCorpus rejects a fact that the text does not hold", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/k`);
  await Deno.writeTextFile(`${folder}/k/a.txt`, "text");
  const row = { file: "k/a.txt", kind: "k", facts: [{ all: ["ex", "zz"] }] };
  await Deno.writeTextFile(`${folder}/k/index.json`, JSON.stringify([row]));
  await assert.rejects(
    loadCorpus(new URL(`file://${folder}/`)),
    /k\/a\.txt does not hold \["zz"\]/,
  );
  await Deno.remove(folder, { recursive: true });
});
