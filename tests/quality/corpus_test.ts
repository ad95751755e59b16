import assert from "node:assert/strict";
import { heldOutFiles, loadCorpus } from "./corpus.ts";
import { openTokenCounter } from "../../src/tokens/counter.ts";

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
