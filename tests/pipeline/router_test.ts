import assert from "node:assert/strict";
import type { Compressor, CompressOutcome } from "../../src/core/compressor.ts";
import type { BlockJob } from "../../src/core/decision.ts";
import { contentOf } from "./content.ts";
import { jobOf } from "./jobs.ts";
import { makeRouter } from "../../src/pipeline/router.ts";

const job = jobOf("word ".repeat(100));

function routerWith(
  compress: (mayElide: boolean, text: string) => CompressOutcome,
  restore?: (text: string) => string,
) {
  const compressor: Compressor = {
    id: "fake",
    compress: (text, { mayElide }) => compress(mayElide, text),
    ...restore === undefined ? {} : { restore },
  };
  return makeRouter({
    detector: {
      detect: (text) => {
        if (text.startsWith("!")) throw new RangeError("odd");
        return text.startsWith("?") ? undefined : "diff";
      },
    },
    content: contentOf(compressor),
    counter: {
      encodingOf: () => "words",
      count: (text) => text.split(/\s+/).filter(Boolean).length,
    },
    omittedLine: ({ first, last }, why) => `${first}-${last} ${why}`,
    markerLine: ({ total, kept, unit }) => `[${total} ${unit} to ${kept}]`,
    markerLines: (text) =>
      text.split("\n").filter((line) => line.includes("[marker]")),
    mustStayWhole: (text) => text.endsWith("[marker]"),
  });
}

const elided = (words: number): CompressOutcome => ({
  type: "elided",
  text: "word ".repeat(words),
  omitted: { count: 5, total: 9, unit: "lines" },
});

Deno.test("router seals an elided text: trailing marker, key, counts", async () => {
  const decision = await routerWith(() => elided(10))(job);
  assert(decision.type === "form");
  const text = JSON.parse(new TextDecoder().decode(decision.literal));
  assert.equal(text, `${"word ".repeat(10)}\n[9 lines to 4]`);
  assert.deepEqual(decision.elision, {
    key: job.original,
    total: 9,
    kept: 4,
  });
  assert.equal(decision.tokensBefore, 100);
  assert.equal(decision.tokensAfter, 10 + 4);
});

Deno.test("router leaves nothing out of what the model asks for again, and says so where nothing else gains", async () => {
  const asked = { ...job, notElided: ["fake"] };
  const decide = (text: string) =>
    routerWith(
      (mayElide) =>
        mayElide ? elided(10) : { type: "reformatted", text: "word" },
      () => text,
    );
  const decision = await decide(job.text)(asked);
  assert(decision.type === "form");
  assert.equal(decision.elision, undefined);
  assert.equal(await reasonOf(decide("another"), asked), "asked_for");
  const other = { ...job, notElided: ["other"] };
  const free = await decide(job.text)(other);
  assert(free.type === "form" && free.elision !== undefined);
});

/** The reason why a job is left alone, or `form`. */
async function reasonOf(
  decide: ReturnType<typeof routerWith>,
  asked: BlockJob,
): Promise<string> {
  const decision = await decide(asked);
  return decision.type === "form" ? "form" : decision.reason;
}

Deno.test("router accepts an elided text only if it saves more than its marker and 20 tokens", async () => {
  const reason = (words: number) =>
    reasonOf(routerWith(() => elided(words)), job);
  assert.equal(await reason(100 - 20 - 4 - 1), "form");
  assert.equal(await reason(100 - 20 - 4), "not_smaller");
});

Deno.test("router uses a reformatted text only if its inverse gives the original back", async () => {
  const small: CompressOutcome = { type: "reformatted", text: "word" };
  const reason = (
    outcome: CompressOutcome,
    restore?: (text: string) => string,
  ) => reasonOf(routerWith(() => outcome, restore), job);
  assert.equal(await reason(small, () => job.text), "form");
  assert.equal(await reason(small), "not_reversible");
  assert.equal(await reason(small, () => job.text.trim()), "not_reversible");
  const same: CompressOutcome = { type: "reformatted", text: job.text };
  assert.equal(await reason(same, () => job.text), "not_smaller");
  const own = { ...small, restore: () => job.text };
  assert.equal(await reason(own, () => "of the compressor"), "form");
});

Deno.test("router uses no reformatted text where folds are off", async () => {
  const decide = routerWith(
    () => ({ type: "reformatted", text: "word" }),
    () => job.text,
  );
  const options = { ...job.options, folds: false };
  assert.equal(await reasonOf(decide, { ...job, options }), "folds_off");
});

Deno.test("router asks for a reformatted text when the elided one does not pay", async () => {
  const decide = routerWith(
    (mayElide) => mayElide ? elided(99) : { type: "reformatted", text: "w" },
    () => job.text,
  );
  const decision = await decide(job);
  assert(decision.type === "form");
  assert.equal(decision.elision, undefined);
});

Deno.test("router elides neither without permission nor from a file that an agent edits", async () => {
  const changes: Partial<BlockJob>[] = [
    { mayElide: false },
    { rule: "read" },
    { rule: "lossless" },
  ];
  for (const change of changes) {
    const asked: boolean[] = [];
    const decide = routerWith((mayElide) => {
      asked.push(mayElide);
      return { type: "unchanged", reason: "nothing" };
    });
    const isRead = change.rule === "read";
    const reason = isRead ? "file_read" : "nothing";
    assert.equal(await reasonOf(decide, { ...job, ...change }), reason);
    assert.deepEqual(asked, isRead ? [] : [false]);
  }
});

Deno.test("router leaves marker text, unknown kinds and blank forms alone, with a reason", async () => {
  const decide = routerWith(
    () => ({ ...elided(1), text: " " } as CompressOutcome),
  );
  assert.equal(await reasonOf(decide, jobOf("a b [marker]")), "holds_marker");
  assert.equal(await reasonOf(decide, jobOf("? what")), "no_kind");
  assert.equal(await reasonOf(decide, jobOf("text")), "blank_form");
});

Deno.test("router reports a recogniser or compressor that throws", async () => {
  const decide = routerWith(() => {
    throw new RangeError("boom");
  });
  assert.deepEqual(await decide(job), { type: "failed", reason: "boom" });
  assert.deepEqual(await decide(jobOf(`!${job.text}`)), {
    type: "failed",
    reason: "odd",
  });
});

Deno.test("router removes terminal codes before anything else, and alone where nothing else gains", async () => {
  const coloured = "\x1b[1m word \x1b[0m".repeat(50);
  const plain = " word ".repeat(50);
  const seen: string[] = [];
  const decide = routerWith((_, text) => {
    seen.push(text);
    return { type: "unchanged", reason: "nothing" };
  });
  const decision = await decide(jobOf(coloured));
  assert(decision.type === "form");
  assert.equal(JSON.parse(new TextDecoder().decode(decision.literal)), plain);
  assert.equal(decision.strategy, "terminal");
  assert.equal(decision.elision, undefined);
  for (
    const facts of [
      { options: { ...job.options, exact: true } },
      { rule: "lossless" as const },
    ]
  ) {
    assert.equal(await reasonOf(decide, jobOf(coloured, facts)), "nothing");
  }
  const read = jobOf(coloured, { rule: "read" });
  assert.equal(await reasonOf(decide, read), "file_read");
  assert.deepEqual(seen, [plain, coloured, coloured]);
});

Deno.test("router leaves a text alone whose colours hide a marker, and a form that would hold one", async () => {
  const elide = routerWith(() => elided(10));
  const hidden = `${job.text}[mar\x1b[1mker]`;
  assert.equal(await reasonOf(elide, jobOf(hidden)), "holds_marker");
  const marked = routerWith(
    () => ({ ...elided(1), text: "a [marker] b" } as CompressOutcome),
  );
  assert.equal(await reasonOf(marked, job), "holds_marker");
});

Deno.test("router takes a form that has the markers of its text, and no form without them", async () => {
  const text = `${job.text}\nan old [marker] here\n${job.text}`;
  const keeping = routerWith(
    () => ({ ...elided(1), text: "word\nan old [marker] here" }),
    () => text,
  );
  assert.equal(await reasonOf(keeping, jobOf(text)), "form");
  const losing = routerWith(() => elided(2), () => text);
  assert.equal(await reasonOf(losing, jobOf(text)), "holds_marker");
});
