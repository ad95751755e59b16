import assert from "node:assert/strict";
import { isData } from "../../src/pipeline/is_data.ts";

const lines = '{"a":1}\n{"a":2}\n';

Deno.test("isData takes logs, JSON Lines and very large files for data", () => {
  assert.equal(
    isData({ kind: "log", path: "app.log", text: "x", tokens: 10 }),
    true,
  );
  assert.equal(
    isData({ kind: "json", path: "events.jsonl", text: lines, tokens: 10 }),
    true,
  );
  assert.equal(
    isData({ kind: "json", path: "", text: lines, tokens: 10 }),
    true,
  );
  assert.equal(
    isData({ kind: "json", path: "package.json", text: "{}", tokens: 20_001 }),
    true,
  );
});

Deno.test("isData takes everything else that a read returns for source", () => {
  assert.equal(
    isData({ kind: "json", path: "package.json", text: lines, tokens: 10 }),
    false,
  );
  assert.equal(
    isData({ kind: "json", path: "", text: '{\n "a": 1\n}', tokens: 20_000 }),
    false,
  );
  assert.equal(
    isData({ kind: "diff", path: "a.patch", text: "x", tokens: 10 }),
    false,
  );
  assert.equal(
    isData({ kind: "search_results", path: "", text: "x", tokens: 10 }),
    false,
  );
});
