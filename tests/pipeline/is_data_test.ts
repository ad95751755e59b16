import assert from "node:assert/strict";
import { isData } from "../../src/pipeline/is_data.ts";

const lines = '{"a":1}\n{"a":2}\n';

Deno.test("isData takes logs, JSON Lines and very large files for data", () => {
  assert.equal(isData("log", "app.log", "x", 10), true);
  assert.equal(isData("json", "events.jsonl", lines, 10), true);
  assert.equal(isData("json", "", lines, 10), true);
  assert.equal(isData("json", "package.json", "{}", 20_001), true);
});

Deno.test("isData takes everything else that a read returns for source", () => {
  assert.equal(isData("json", "package.json", lines, 10), false);
  assert.equal(isData("json", "", '{\n "a": 1\n}', 20_000), false);
  assert.equal(isData("diff", "a.patch", "x", 10), false);
  assert.equal(isData("search_results", "", "x", 10), false);
});
