import assert from "node:assert/strict";
import type { CcrKey } from "../../src/core/store.ts";
import {
  blockBreakdown,
  compressReport,
} from "../../src/pipeline/compress_report.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";

/** A block with a form that stands at `start`. */
function formedAt(start: number, strategy: string, entry?: string) {
  return {
    key: `k${start}`,
    block: { span: { start, end: start + 1 } },
    form: {
      strategy,
      entry: entry as CcrKey | undefined,
      tokensBefore: 100,
      tokensAfter: 10,
    },
  } as unknown as CompressedBody["formed"][number];
}

Deno.test("compressReport adds up forms and the rest, in the order of the messages", () => {
  const formed = [
    formedAt(9, "log", "b"),
    formedAt(2, "paths"),
    formedAt(5, "log", "a"),
    formedAt(7, "log", "b"),
  ];
  assert.deepEqual(compressReport({ formed }, 50), {
    tokensBefore: 450,
    tokensAfter: 90,
    compressionRatio: 0.2,
    transforms: { "router:paths": 1, "router:log": 3 },
    hashes: ["a", "b"],
  });
  const { transforms } = compressReport({ formed }, 50);
  assert.deepEqual(Object.keys(transforms), ["router:paths", "router:log"]);
});

Deno.test("compressReport has the ratio 1 where nothing was saved, or nothing was there", () => {
  assert.equal(compressReport({ formed: [] }, 7).compressionRatio, 1);
  assert.equal(compressReport({ formed: [] }, 0).compressionRatio, 1);
});

Deno.test("blockBreakdown says of every block what became of it", () => {
  const alone = (reason: string, isKnown = false) =>
    ({ outcome: "alone", reason, isKnown }) as CompressedBody["seen"][number];
  const scan = { blocks: Array(6) } as unknown as CompressedBody["scan"];
  const made = {
    formed: [formedAt(2, "log"), formedAt(1, "log")],
    seen: [alone("too_small"), alone("no_kind"), alone("x", true)],
    scan,
  };
  assert.deepEqual(blockBreakdown(made), {
    "router:log": 2,
    too_small: 1,
    no_kind: 1,
    left_alone_before: 2,
  });
  assert.deepEqual(
    blockBreakdown({ formed: [], seen: [], scan: undefined }),
    {},
  );
});
