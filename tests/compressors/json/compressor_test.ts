import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonCompressor } from "../../../src/compressors/json/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { GOLDEN } from "./golden.ts";
import { anyDocument, print, STYLES } from "./json_text.ts";
import { contextOf } from "./tapes.ts";

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

function logRow(i: number): Record<string, unknown> {
  return {
    id: 1_000 + i,
    time: new Date(1_700_000_000_000 + i * 60_000).toISOString(),
    level: i % 9 === 0 ? "warn" : "info",
    host: `worker-${i % 13}`,
    latency: 50 + i * 7 % 20,
    text: `handled request ${i * 7919 % 10_007} for a user`,
  };
}

function compressed(text: string, query = ""): string {
  const outcome = jsonCompressor.compress(text, contextOf({ query }));
  assert.ok(outcome.type !== "unchanged", JSON.stringify(outcome));
  return outcome.text;
}

function reasonOf(text: string): string {
  const outcome = jsonCompressor.compress(text, contextOf());
  assert.ok(outcome.type === "unchanged", outcome.type);
  return outcome.reason;
}

testCompressor(jsonCompressor, GOLDEN.map(({ input }) => input));

for (const { name, type, query, input, expected } of GOLDEN) {
  Deno.test(`jsonCompressor turns ${name} into its golden form`, () => {
    const mayElide = type === "elided";
    const outcome = jsonCompressor.compress(
      input,
      contextOf({ mayElide, query }),
    );
    assert.ok(outcome.type !== "unchanged");
    assert.deepEqual([outcome.type, outcome.text], [type, expected]);
  });
}

Deno.test("jsonCompressor restores every reformatted text and never grows one", () => {
  let forms = 0;
  fc.assert(
    fc.property(
      anyDocument,
      fc.constantFrom(...Object.values(STYLES)),
      fc.constantFrom("", "\n"),
      (value, style, end) => {
        const text = print(value, style) + end;
        const outcome = jsonCompressor.compress(text, {
          ...contextOf({ mayElide: false }),
          countTokens: (counted) => counted.length,
        });
        if (outcome.type === "unchanged") return;
        forms++;
        assert.equal(outcome.type, "reformatted");
        assert.ok(outcome.text.length < text.length);
        assert.equal(jsonCompressor.restore!(outcome.text), text);
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(forms > 20, `${forms}`);
});

Deno.test("jsonCompressor keeps a needle in any row inline", () => {
  const needles: Record<string, object> = {
    "exit 137: out of memory error": { text: "exit 137: out of memory error" },
    "987654": { latency: 987_654 },
    "audit": { level: "audit" },
    "cache rebuilt from snapshot": { text: "cache rebuilt from snapshot" },
    "zeppelin": { text: "handled request 12 for a zeppelin" },
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(needles)),
      fc.integer({ min: 0, max: 299 }),
      (needle, at) => {
        const rows = times(
          300,
          (i) => i === at ? { ...logRow(i), ...needles[needle] } : logRow(i),
        );
        const text = compressed(
          JSON.stringify({ rows }),
          "where is the zeppelin",
        );
        assert.ok(text.includes(needle), text);
        assert.ok(text.length < 4_000);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("jsonCompressor names all ranges that it omits and counts them", () => {
  const outcome = jsonCompressor.compress(
    JSON.stringify(times(240, logRow)),
    contextOf(),
  );
  assert.ok(outcome.type === "elided");
  const { count, total, unit } = outcome.omitted;
  assert.deepEqual([total, unit], [240, "items"]);
  const notes = [
    ...outcome.text.matchAll(/… items? (\d+)(?:-(\d+))? of 240 omitted/g),
  ];
  const sum = notes.reduce(
    (n, [, from, to]) => n + Number(to ?? from) - Number(from) + 1,
    0,
  );
  const kept = outcome.text.split("\n").filter((line) => /^1\d{3},/.test(line));
  assert.equal(sum, count);
  assert.equal(sum + kept.length, 240);
});

Deno.test("jsonCompressor gives the same text a hundred times", () => {
  const text = JSON.stringify(times(60, logRow));
  const first = compressed(text, "worker-3");
  for (let i = 0; i < 100; i++) {
    assert.equal(compressed(text, "worker-3"), first);
  }
});

Deno.test("jsonCompressor tells why it leaves a text unchanged", () => {
  const rows = JSON.stringify(times(60, logRow));
  assert.equal(
    reasonOf(`${rows.slice(0, -1)},{"note":"<<ccr:012345678901>>"}]`),
    "already_compressed",
  );
  assert.equal(reasonOf(rows.slice(0, -20)), "invalid_json");
  assert.equal(reasonOf(`${rows.slice(0, -20)}]`), "invalid_json");
  assert.equal(reasonOf('{"a":1}'), "too_small");
  assert.equal(
    reasonOf(rows.replace('"id":1005', '"id":1,"id":2')),
    "duplicate_keys",
  );
  assert.equal(reasonOf("[".repeat(100_000) + "]".repeat(100_000)), "too_deep");
  assert.equal(
    reasonOf(`{"a": 1,"b":"${"word ".repeat(200)}"}`),
    "irregular_layout",
  );
  assert.equal(
    reasonOf(`{"a":1,"b":"${"word ".repeat(200)}"}`),
    "nothing_to_gain",
  );
});

Deno.test("jsonCompressor does not elide where that is not allowed or saves little", () => {
  const text = JSON.stringify(times(100, logRow));
  const outcome = jsonCompressor.compress(text, contextOf({ mayElide: false }));
  assert.equal(outcome.type, "reformatted");
  const failing = JSON.stringify(
    times(100, (i) => ({ ...logRow(i), text: `error ${i}` })),
  );
  assert.equal(
    jsonCompressor.compress(failing, contextOf()).type,
    "reformatted",
  );
});

Deno.test("jsonCompressor elides irregular white space too", () => {
  const text = JSON.stringify(times(100, logRow)).replaceAll(
    '"level":',
    '"level" : ',
  );
  const outcome = jsonCompressor.compress(text, contextOf());
  assert.equal(outcome.type, "elided");
  const lossless = jsonCompressor.compress(
    text,
    contextOf({ mayElide: false }),
  );
  assert.deepEqual(lossless, { type: "unchanged", reason: "irregular_layout" });
});

Deno.test("jsonCompressor takes time in proportion to the text", () => {
  const time = (text: string) => {
    let best = Infinity;
    for (let run = 0; run < 5; run++) {
      const start = performance.now();
      jsonCompressor.compress(text, contextOf({ query: "worker-3" }));
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  const shapes: Record<string, (size: number) => string> = {
    rows: (n) => JSON.stringify(times(n, logRow)),
    keys: (n) =>
      JSON.stringify(
        Object.fromEntries(times(n, (i) => [`key number ${i}`, logRow(i)])),
      ),
    "different rows": (n) =>
      JSON.stringify(
        times(
          n,
          (i) => ({ [`a${i}`]: i, [`b${i % 90}`]: "some text here", c: i }),
        ),
      ),
    nested: (n) =>
      JSON.stringify(times(n / 20, (i) => ({ i, list: times(20, logRow) }))),
  };
  for (const [name, make] of Object.entries(shapes)) {
    const small = make(1_000);
    const large = make(4_000);
    assert.ok(time(large) < 14 * Math.max(time(small), 2), name);
  }
});

Deno.test("jsonCompressor is quick with hostile texts", () => {
  const texts = [
    "[".repeat(1_000_000),
    "[".repeat(100_000) + "]".repeat(100_000),
    `["${"x".repeat(1_000_000)}"]`,
    `["${"\\\\".repeat(500_000)}"]`,
    `["${"error ".repeat(160_000)}"]`,
    `[${"[],".repeat(300_000)}[]]`,
    `[${"{},".repeat(300_000)}{}]`,
    `{"a":[${'{"b":[{"c":1},{"c":2}]},'.repeat(30_000)}{}]}`,
    JSON.stringify(Object.fromEntries(times(60_000, (i) => [`k${i}`, i]))),
    JSON.stringify(times(20_000, (i) => ({ [`k${i}`]: { [`j${i}`]: [i] } }))),
    "[" + '{"a":'.repeat(190) + "1" + "}".repeat(190) +
    ',{"a":2}'.repeat(20_000) + "]",
  ];
  for (const text of texts) {
    const start = performance.now();
    const outcome = jsonCompressor.compress(
      text,
      contextOf({ query: "error x y" }),
    );
    const spent = performance.now() - start;
    assert.ok(spent < 3_000, `${spent} ms for ${text.slice(0, 40)}`);
    if (outcome.type !== "unchanged") {
      assert.ok(outcome.text.length < text.length);
    }
  }
});
