import assert from "node:assert/strict";
import fc from "fast-check";
import { tabularCompressor } from "../../../src/compressors/table/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import {
  contextOf,
  GOLDENS,
  inputOf,
  orderLines,
  padded,
  podLines,
} from "./samples.ts";
import { assertLinear } from "../../cpu_time.ts";

testCompressor(tabularCompressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`tabularCompressor writes the golden text of ${name}`, () => {
    const outcome = tabularCompressor.compress(
      input,
      contextOf(!name.startsWith("fold_")),
    );
    const text = outcome.type === "unchanged"
      ? `unchanged: ${outcome.reason}\n`
      : outcome.text;
    assert.equal(text, expected);
  });
}

function elided(text: string, query = "", firstLine?: number) {
  const context = contextOf(true, query);
  const outcome = tabularCompressor.compress(
    text,
    firstLine === undefined ? context : { ...context, firstLine },
  );
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

Deno.test("tabularCompressor restores every golden text and every prefix of lines of it", () => {
  for (const { input } of GOLDENS) {
    const lines = input.split("\n");
    for (const share of [0.3, 0.5, 0.7, 0.9, 1]) {
      const text = lines.slice(0, Math.ceil(share * lines.length)).join("\n");
      const outcome = tabularCompressor.compress(text, contextOf(false));
      assert.notEqual(outcome.type, "elided");
      if (outcome.type !== "reformatted") continue;
      assert.equal(tabularCompressor.restore!(outcome.text), text);
    }
  }
});

Deno.test("tabularCompressor restores texts that a few changed characters make irregular", () => {
  const texts = GOLDENS.map(({ input }) => input).filter(({ length }) =>
    length < 4000
  );
  const parts = [
    "",
    " ",
    "  ",
    "|",
    ",",
    '"',
    "\n",
    "\r\n",
    "″",
    "~",
    "*",
    "=",
    "\t",
    "-",
    "é",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.array(
        fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...parts)),
        { minLength: 1, maxLength: 4 },
      ),
      (text, edits) => {
        let changed = text;
        for (const [place, removed, added] of edits) {
          const at = place % (changed.length + 1);
          changed = changed.slice(0, at) + added + changed.slice(at + removed);
        }
        const outcome = tabularCompressor.compress(changed, contextOf(false));
        if (outcome.type !== "reformatted") return;
        assert.equal(tabularCompressor.restore!(outcome.text), changed);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("tabularCompressor accounts for every line exactly once", () => {
  const texts = [
    orderLines(300).join("\n"),
    `$ kubectl get pods\n${podLines(200).join("\n")}\n`,
    inputOf("ps_aux"),
    inputOf("kubectl_pods"),
  ];
  for (const text of texts) {
    const outcome = elided(text);
    const total = text.replace(/\n$/, "").split("\n").length;
    assert.equal(outcome.omitted.total, total);
    let covered = 0;
    let line = 0;
    for (const row of outcome.text.replace(/\n$/, "").split("\n")) {
      if (row.startsWith("… (") || row.startsWith("… the ")) continue;
      const note = /^… lines? (\d+)(?:-(\d+))? omitted/.exec(row);
      if (note === null) {
        line++;
        continue;
      }
      // A note starts where the lines before it end.
      assert.equal(Number(note[1]), line + 1, row);
      const last = Number(note[2] ?? note[1]);
      covered += last - line;
      line = last;
    }
    assert.equal(line, total);
    assert.equal(outcome.omitted.count, covered);
    assert.equal(outcome.text.endsWith("\n"), text.endsWith("\n"));
  }
});

/** Rows that must stay, each for a reason of its own. */
const ORDERS: readonly string[] = [
  "99001,C-7,31.50,EUR,failed,2026-03-02",
  "99002,C-7,98000.00,EUR,paid,2026-03-02",
  "99003,C-7,-4.00,EUR,paid,2026-03-02",
  "99004,C-7,31.50,EUR,chargeback,2026-03-02",
  'total,,18231.50,EUR,"",',
  '99005,C-7,31.50,EUR,"payment error: card refused",2026-03-02',
];

Deno.test("tabularCompressor keeps failures, extremes, rare values and totals wherever they stand", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ORDERS),
      fc.integer({ min: 60, max: 900 }),
      fc.nat(),
      (needle, count, place) => {
        const lines = orderLines(count);
        lines.splice(1 + place % count, 0, needle);
        const { text } = elided(lines.join("\n"));
        const value = needle.split(",").find((cell) =>
          /fail|98000|-4|charge|total|error/.test(cell)
        )!;
        assert.ok(text.includes(value), needle);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("tabularCompressor keeps pods that are not well wherever they stand", () => {
  const sick = [
    ["0/1", "CrashLoopBackOff", "17", "2d"],
    ["0/1", "ImagePullBackOff", "0", "2d"],
    ["0/1", "OOMKilled", "2", "2d"],
    ["0/1", "Error", "0", "2d"],
    ["1/1", "Evicted", "0", "2d"],
    ["0/1", "Running", "1", "2d"],
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...sick),
      fc.integer({ min: 80, max: 400 }),
      fc.nat(),
      (cells, count, place) => {
        const rows = podLines(count).map((line) => line.split(/ {2,}/));
        rows.splice(1 + place % count, 0, ["victim-7", ...cells]);
        const { text } = elided(padded(rows).join("\n"));
        // What all rows share stands in the header.
        assert.ok(text.includes("\nvictim-7 "), `${cells[1]}`);
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("tabularCompressor keeps the row that fits the query although it is like the others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 700 }), (place) => {
      const { text } = elided(
        orderLines(800).join("\n"),
        `what about order ${70_000 + place}?`,
      );
      assert.ok(text.includes(`${70_000 + place},`));
    }),
    { numRuns: 20 },
  );
});

Deno.test("tabularCompressor says how many failing rows a gap holds when there are many", () => {
  const lines = orderLines(400).map((line, i) =>
    i > 50 && i % 5 === 0 ? line.replace(/paid|shipped|open/, "failed") : line
  );
  const { text } = elided(lines.join("\n"));
  const said = [...text.matchAll(/\((\d+) failing\)/g)]
    .reduce((sum, [, count]) => sum + Number(count), 0);
  const shown = text.split("\n").filter((line) => /,failed,/.test(line)).length;
  assert.equal(said + shown, 70);
  assert.ok(shown >= 3);
});

Deno.test("tabularCompressor gives notes the numbers of the text around it", () => {
  const text = orderLines(200).join("\n");
  const own = /lines (\d+)-/.exec(elided(text).text)![1];
  const shifted = /lines (\d+)-/.exec(elided(text, "", 1001).text)![1];
  assert.equal(Number(shifted), Number(own) + 1000);
});

Deno.test("tabularCompressor sums over all rows exactly", () => {
  const lines = orderLines(300);
  const sum = lines.slice(1).reduce(
    (all, line) => all + Math.round(100 * Number(line.split(",")[2])),
    0,
  );
  const { text } = elided(lines.join("\n"));
  assert.ok(
    text.includes(`sum of all 300 rows: amount ${(sum / 100).toFixed(2)}`),
    text,
  );
});

Deno.test("tabularCompressor keeps line ends, in quoted cells too", () => {
  const crlf = orderLines(60).join("\r\n") + "\r\n";
  const mixed = orderLines(60).map((line, i) =>
    i === 7 ? '7,"two\nlines",1.00,EUR,paid,x' : line
  ).join("\r\n");
  for (const text of [crlf, mixed]) {
    const outcome = tabularCompressor.compress(text, contextOf(false));
    assert(outcome.type === "reformatted");
    assert.equal(tabularCompressor.restore!(outcome.text), text);
  }
  assert.ok(
    !/[^\r]\n/.test(elided(crlf + crlf.slice(crlf.indexOf("\n") + 1)).text),
  );
});

Deno.test("tabularCompressor leaves marked text, its own notes and other text alone", () => {
  const table = orderLines(100).join("\n");
  for (
    const mark of [
      "[3 lines compressed. Retrieve more: hash=0123456789abcdef01234567]",
      "<<ccr:0123456789abcdef01234567>>",
      "… lines 4-99 omitted",
    ]
  ) {
    assert.deepEqual(
      tabularCompressor.compress(`${table}\n${mark}`, contextOf(true)),
      { type: "unchanged", reason: "already_compressed" },
    );
  }
  assert.deepEqual(
    tabularCompressor.compress("just a sentence, or two.\n", contextOf(true)),
    { type: "unchanged", reason: "no_table" },
  );
});

Deno.test("tabularCompressor takes time in proportion to its input", async () => {
  const makers: ((size: number) => string)[] = [
    (size) => "a".repeat(40 * size),
    (size) => ",".repeat(40 * size),
    (size) => "| ".repeat(20 * size),
    (size) => 'a,"b\n'.repeat(8 * size),
    (size) => "| a | b |\n|---|---|\n".repeat(2 * size),
    (size) => "A  B  C\n".repeat(5 * size),
    (size) => `NAME  READY  STATUS\n${"abc  def ".repeat(5 * size)}`,
    (size) => orderLines(size).join("\n"),
    (size) => podLines(size).join("\n"),
    (size) =>
      `d:\n${"-rw-r--r-- 1 root root 5 Nov 21 19:00 a\n".repeat(3)}\n`
        .repeat(size >> 2),
  ];
  const work = (text: string) =>
    tabularCompressor.compress(text, contextOf(true, "order status"));
  for (const make of makers) {
    const name = make(4).slice(0, 20);
    await assertLinear(name, { make, work, sizes: [400, 10_000] });
  }
});
