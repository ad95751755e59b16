import assert from "node:assert/strict";
import { openRouter } from "../../src/compute/open_router.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import type { Compressor } from "../../src/core/compressor.ts";
import { randomSource } from "../bench/corpus.ts";
import { jobOf } from "../pipeline/jobs.ts";

const log = Array.from(
  { length: 200 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");

Deno.test("openRouter puts real compressors, counter and marker together", async () => {
  const { decide, counter } = await openRouter();
  const job = jobOf(log, { model: "gpt-5" });
  const decision = await decide(job);
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
  const again = await decide(jobOf(text));
  assert.deepEqual(again, { type: "alone", reason: "holds_marker" });
});

/** Inputs of all golden files and results of the corpus. */
async function originals(): Promise<string[]> {
  const found: string[] = [];
  for (const name of ["golden", "corpus"]) {
    const root = new URL(`../${name}/`, import.meta.url);
    for await (const kind of Deno.readDir(root)) {
      if (!kind.isDirectory) continue;
      const folder = new URL(`${kind.name}/`, root);
      for await (const { name } of Deno.readDir(folder)) {
        if (!name.endsWith(".txt")) continue;
        const file = await Deno.readTextFile(new URL(name, folder));
        const input = file.split("\n-----\n")[0]!;
        if (input.length <= MAX_LENGTH) found.push(input);
      }
    }
  }
  return found.sort();
}

/** Longer texts take long, and show nothing that shorter ones do not. */
const MAX_LENGTH = 40_000;

/** Texts as they are, cut, one behind the other, with lines lost and doubled. */
function* variants(texts: readonly string[]): Generator<string> {
  const random = randomSource(7);
  for (const [i, text] of texts.entries()) {
    yield text;
    yield text.slice(0, text.length / 2);
    yield text.slice(text.length / 3);
    const lines = text.slice(0, 8_000).split("\n");
    yield lines.flatMap((line) => {
      const dice = random();
      return dice < 0.06 ? [] : dice > 0.94 ? [line, line] : [line];
    }).join("\n");
    const next = texts[(i * 31 + 7) % texts.length]!;
    yield `${text.slice(0, 3_000)}\n\n${next.slice(0, 3_000)}`;
  }
}

Deno.test("every form of the real router is smaller in tokens, marker and share of the tool included, and no inverse fails (laws 3 and 4)", async () => {
  const { decide, counter } = await openRouter();
  let forms = 0;
  for (const text of variants(await originals())) {
    const tokens = counter.count(text, "gpt-5");
    for (const rule of ["normal", "read"] as const) {
      const mayElide = rule === "read" || forms % 3 > 0;
      const decision = await decide(jobOf(text, {
        rule,
        query: "why did it fail",
        mayElide,
        model: "gpt-5",
      }));
      assert.notEqual(decision.type, "failed", JSON.stringify(decision));
      if (decision.type === "failed") continue;
      const reasons = decision.looked?.parts.map(({ reason }) => reason) ?? [];
      if (decision.type === "alone") reasons.push(decision.reason);
      assert.ok(!reasons.includes("not_reversible"), text.slice(0, 400));
      if (decision.type === "alone") continue;
      forms++;
      const { literal, tokensBefore, tokensAfter, elision } = decision;
      const form: string = JSON.parse(new TextDecoder().decode(literal));
      assert.equal(tokensBefore, tokens);
      assert.equal(tokensAfter, counter.count(form, "gpt-5"));
      assert(tokensAfter + (elision ? 20 : 0) < tokensBefore);
      const names = form.includes(`hash=${ccrKey(text)}]`);
      assert.equal(names, elision !== undefined);
      if (!mayElide) assert.equal(elision, undefined);
    }
  }
  assert(forms > 1000, `${forms} forms`);
});

Deno.test("the strategy of a wrapped text says what is in the wrapper", async () => {
  const { decide } = await openRouter();
  const lines = Array.from(
    { length: 200 },
    (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
  );
  const decision = await decide(jobOf(
    `Exit code: 0\nWall time: 1.2 seconds\nOutput:\n${lines.join("\n")}\n`,
  ));
  assert(decision.type === "form");
  assert.equal(decision.strategy, "wrapped:log");
});

Deno.test("openRouter asks compressors that it was given first, on a counter that it was given", async () => {
  const first = await openRouter();
  const { decide, counter, detector } = await openRouter({
    counter: first.counter,
    own: [
      { recognise: () => 0.7, compressor: elider("unsure") },
      { recognise: () => 0.8, compressor: elider("sure") },
    ],
  });
  assert.equal(counter, first.counter);
  const decision = await decide(jobOf(log));
  assert(decision.type === "form");
  assert.equal(decision.strategy, "sure");
  assert.equal(detector.detect(log), "log");
});

function elider(id: string): Compressor {
  return {
    id,
    compress: (text) => ({
      type: "elided",
      text: text.split("\n")[0]!,
      omitted: { count: 199, total: 200, unit: "lines" },
    }),
  };
}
