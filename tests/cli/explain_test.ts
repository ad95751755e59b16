import assert from "node:assert/strict";
import { explain } from "../../src/cli/explain.ts";

const part = { firstLine: 3, length: 900, shortened: 900, reason: "" };

Deno.test("explain names the kind and what became of each part", () => {
  const text = explain({
    kind: "mixed",
    parts: [
      { ...part, kind: "json", shortened: 300 },
      { ...part, kind: undefined, firstLine: 40, reason: "no_kind" },
    ],
  });
  assert.deepEqual(text.split("\n"), [
    "  taken for: mixed",
    "  from line 3: json, 900 -> 300 characters",
    "  from line 40: no known kind, 900 characters left alone: it is of no kind that can be shortened",
    "",
  ]);
});

Deno.test("explain says where the list of parts ends, and has nothing to tell of what was not looked at", () => {
  const parts = Array.from({ length: 40 }, () => ({
    ...part,
    kind: "log" as const,
  }));
  assert.match(explain({ kind: "mixed", parts }), /are not listed\n$/);
  const few = explain({ kind: "mixed", parts: parts.slice(1) });
  assert.doesNotMatch(few, /not listed/);
  assert.equal(explain(undefined), "");
});
