import assert from "node:assert/strict";
import { renderCounts } from "../../../src/compressors/search_results/counts.ts";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";

Deno.test("renderCounts leaves out runs of files without a match", () => {
  const { text, omitted } = renderCounts(
    parseSearch("a/x.ts:2\na/b.ts:0\na/c.ts:0\na/d.ts:0\na/e.ts:1\na/f.ts:0\n"),
  );
  assert.equal(
    text,
    "a/x.ts:2\n… lines 2-4 omitted: 0 matches each\na/e.ts:1\na/f.ts:0\n",
  );
  assert.deepEqual(omitted, { count: 3, total: 6, unit: "files" });
});

Deno.test("renderCounts numbers its lines as the text around them does", () => {
  const view = parseSearch(
    "a/x.ts:2\na/b.ts:0\na/c.ts:0\na/d.ts:0\na/e.ts:1\n",
  );
  assert.match(renderCounts(view, 40).text, /^… lines 41-43 omitted: /m);
});
