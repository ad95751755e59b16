import assert from "node:assert/strict";
import { openRouter } from "../src/open_router.ts";
import { ccrKey } from "../src/ccr/key.ts";

const log = Array.from(
  { length: 200 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");

Deno.test("openRouter puts real compressors, counter and marker together", async () => {
  const { decide, counter } = await openRouter();
  const job = {
    text: log,
    toolName: "Bash",
    rule: "normal" as const,
    path: "",
    query: "",
    mayElide: true,
    model: "gpt-5",
  };
  const decision = decide(job);
  assert(decision.type === "form");
  assert.equal(decision.strategy, "log");
  assert.equal(decision.elision?.key, ccrKey(log));
  const text: string = JSON.parse(new TextDecoder().decode(decision.literal));
  const marker = text.split("\n").at(-1)!;
  assert.match(
    marker,
    /^\[200 lines compressed to \d+\. Retrieve more: hash=[0-9a-f]{24}\]$/,
  );
  assert.equal(decision.tokensBefore, counter.count(log, "gpt-5"));
  assert.equal(decision.tokensAfter, counter.count(text, "gpt-5"));
  const again = decide({ ...job, text });
  assert.deepEqual(again, { type: "alone", reason: "holds_marker" });
});
