import assert from "node:assert/strict";
import type { PrefixProof } from "../../src/core/ledger.ts";
import { PrefixStability } from "../../src/ledger/prefix_stability.ts";
import { NOON, RECORD } from "./samples.ts";

function proof(verdict: PrefixProof["verdict"], equalBytes = 0): PrefixProof {
  const isFirst = verdict === "first";
  return {
    verdict,
    previousBytes: isFirst ? 0 : 200,
    equalBytes,
    firstDifference: verdict === "ours" ? "/messages/3" : "",
  };
}

Deno.test("PrefixStability counts verdicts and bytes, and names the last request that we broke", () => {
  const counts = new PrefixStability();
  const add = (id: string, prefix: PrefixProof | undefined) =>
    counts.add({ ...RECORD, id, prefix });
  add("a", undefined);
  add("b", proof("first"));
  add("c", proof("extended", 200));
  add("d", proof("client", 50));
  add("e", proof("decided", 150));
  assert.equal(counts.report().last_ours, null);
  add("f", proof("ours", 100));
  assert.deepEqual(counts.report(), {
    compared: 4,
    first: 1,
    extended: 1,
    client: 1,
    decided: 1,
    ours: 1,
    previous_bytes: 800,
    equal_bytes: 500,
    equal_percent: 62.5,
    last_ours: {
      request_id: "f",
      timestamp: new Date(NOON).toISOString(),
      first_difference: "/messages/3",
    },
  });
});

Deno.test("nothing compared is 100 percent equal", () => {
  assert.equal(new PrefixStability().report().equal_percent, 100);
});
