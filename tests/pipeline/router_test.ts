import assert from "node:assert/strict";
import type { Compressor, CompressOutcome } from "../../src/core/compressor.ts";
import type { CcrKey } from "../../src/core/store.ts";
import { type BlockJob, makeRouter } from "../../src/pipeline/router.ts";

const job: BlockJob = {
  text: "word ".repeat(100),
  toolName: "Bash",
  rule: "normal",
  path: "",
  query: "",
  mayElide: true,
  model: "m",
};

function routerWith(
  compress: (mayElide: boolean) => CompressOutcome,
  restore?: (text: string) => string,
) {
  const compressor: Compressor = {
    id: "fake",
    compress: (_, { mayElide }) => compress(mayElide),
    ...restore === undefined ? {} : { restore },
  };
  const row = { compressor };
  return makeRouter({
    detector: {
      detect: (text) => {
        if (text.startsWith("!")) throw new RangeError("odd");
        return text.startsWith("?") ? undefined : "diff";
      },
    },
    content: { json: row, log: row, diff: row, search_results: row },
    counter: {
      encodingOf: () => "words",
      count: (text) => text.split(/\s+/).filter(Boolean).length,
    },
    keyOf: () => "k".repeat(24) as CcrKey,
    markerLine: ({ total, kept, unit }) => `[${total} ${unit} to ${kept}]`,
    holdsMarker: (text) => text.includes("[marker]"),
  });
}

const elided = (words: number): CompressOutcome => ({
  type: "elided",
  text: "word ".repeat(words),
  omitted: { count: 5, total: 9, unit: "lines" },
});

Deno.test("router seals an elided text: trailing marker, key, counts", () => {
  const decision = routerWith(() => elided(10))(job);
  assert(decision.type === "form");
  const text = JSON.parse(new TextDecoder().decode(decision.literal));
  assert.equal(text, `${"word ".repeat(10)}\n[9 lines to 4]`);
  assert.deepEqual(decision.elision, {
    key: "k".repeat(24),
    total: 9,
    kept: 4,
  });
  assert.equal(decision.tokensBefore, 100);
  assert.equal(decision.tokensAfter, 10 + 4);
});

Deno.test("router accepts an elided text only if it saves more than its marker and 20 tokens", () => {
  const decide = (words: number) => routerWith(() => elided(words))(job);
  assert.equal(decide(100 - 20 - 4 - 1).type, "form");
  assert.deepEqual(decide(100 - 20 - 4), {
    type: "alone",
    reason: "not_smaller",
  });
});

Deno.test("router uses a reformatted text only if its inverse gives the original back", () => {
  const small: CompressOutcome = { type: "reformatted", text: "word" };
  assert.equal(routerWith(() => small, () => job.text)(job).type, "form");
  for (const restore of [undefined, () => job.text.trim()]) {
    assert.deepEqual(routerWith(() => small, restore)(job), {
      type: "alone",
      reason: "not_reversible",
    });
  }
  const same: CompressOutcome = { type: "reformatted", text: job.text };
  assert.deepEqual(routerWith(() => same, () => job.text)(job), {
    type: "alone",
    reason: "not_smaller",
  });
});

Deno.test("router asks for a reformatted text when the elided one does not pay", () => {
  const decide = routerWith(
    (mayElide) => mayElide ? elided(99) : { type: "reformatted", text: "w" },
    () => job.text,
  );
  const decision = decide(job);
  assert(decision.type === "form");
  assert.equal(decision.elision, undefined);
});

Deno.test("router elides neither without permission nor from a file that an agent edits", () => {
  for (const change of [{ mayElide: false }, { rule: "read" as const }]) {
    const asked: boolean[] = [];
    const decide = routerWith((mayElide) => {
      asked.push(mayElide);
      return { type: "unchanged", reason: "nothing" };
    });
    assert.deepEqual(decide({ ...job, ...change }), {
      type: "alone",
      reason: "nothing",
    });
    assert.deepEqual(asked, [false]);
  }
});

Deno.test("router leaves marker text, unknown kinds and blank forms alone, with a reason", () => {
  const decide = routerWith(
    () => ({ ...elided(1), text: " " } as CompressOutcome),
  );
  const reason = (text: string) => {
    const decision = decide({ ...job, text });
    return decision.type === "form" ? "form" : decision.reason;
  };
  assert.equal(reason("a [marker] b"), "holds_marker");
  assert.equal(reason("? what"), "no_kind");
  assert.equal(reason("text"), "blank_form");
});

Deno.test("router reports a recogniser or compressor that throws", () => {
  const decide = routerWith(() => {
    throw new RangeError("boom");
  });
  const unrecognisable = { ...job, text: `!${job.text}` };
  assert.deepEqual(decide(job), { type: "failed", reason: "boom" });
  assert.deepEqual(decide(unrecognisable), { type: "failed", reason: "odd" });
});
