import assert from "node:assert/strict";
import { known, renamed } from "../../../src/sdk/client/renamed.ts";

Deno.test("renamed writes known members in camel case, and looks no further than it is told", () => {
  const byModel = { gpt_5: 1, "claude-x_y": 2 };
  const value = {
    total_tokens: 1,
    p95_ms: 2,
    by_model: byModel,
    requests: [{ rate_limited: 3, other_name: 4 }],
    unknown_name: { inner_name: 5 },
  };
  const out = renamed(value, {
    ...known("total_tokens", "p95_ms", "by_model"),
    requests: known("rate_limited"),
  });
  assert.deepEqual(out, {
    totalTokens: 1,
    p95Ms: 2,
    byModel: { gpt_5: 1, "claude-x_y": 2 },
    requests: [{ rateLimited: 3, other_name: 4 }],
    unknown_name: { inner_name: 5 },
  });
});

Deno.test("renamed leaves anything else alone, and knows no member by chance", () => {
  for (const value of [null, 1, "a", true, undefined]) {
    assert.equal(renamed(value, known("a_b")), value);
  }
  const odd = { constructor: 1, to_string: 2 };
  assert.deepEqual(renamed(odd, known("a_b")), odd);
});
