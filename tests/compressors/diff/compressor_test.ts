import assert from "node:assert/strict";
import fc from "fast-check";
import { diffCompressor } from "../../../src/compressors/diff/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextWith, diffLine, madeDiff } from "./make_diff.ts";

/** A diff of `files` files, each with one change between wide context. */
function wideDiff(files: number): string {
  const body = Array.from(
    { length: 20 },
    (_, i) => i === 10 ? "-old\n+new\n" : ` context line number ${i}\n`,
  ).join("");
  return Array.from(
    { length: files },
    (_, i) =>
      `diff --git a/src/f${i}.ts b/src/f${i}.ts\nindex 1..2 100644\n--- a/src/f${i}.ts\n+++ b/src/f${i}.ts\n@@ -1,20 +1,20 @@\n${body}`,
  )
    .join("");
}

Deno.test("diffCompressor elides context where it may", () => {
  const text = wideDiff(3);
  const outcome = diffCompressor.compress(text, contextWith(true));
  assert(outcome.type === "elided");
  assert.deepEqual(outcome.omitted, {
    count: 3 * (2 + 19),
    total: 3 * 26,
    unit: "lines",
  });
  assert.ok(outcome.text.includes(
    "+++ b/src/f2.ts\n@@ -11 +11 @@ … 19 context lines\n-old\n+new\n",
  ));
});

Deno.test("diffCompressor only folds names where it may not elide", () => {
  const text = wideDiff(3);
  const outcome = diffCompressor.compress(text, contextWith(false));
  assert(outcome.type === "reformatted");
  assert.equal(
    outcome.text,
    text.replace(/^(---|\+\+\+) .*\n/gm, "").replace(/ a\/\S+ b\//g, " "),
  );
  assert.equal(diffCompressor.restore!(outcome.text), text);
});

Deno.test("diffCompressor prefers the fold to a small gain", () => {
  const text =
    "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n";
  const outcome = diffCompressor.compress(text, contextWith(true));
  assert.equal(outcome.type, "reformatted");
});

Deno.test("diffCompressor leaves alone what is no diff, was compressed or does not fold", () => {
  for (
    const [text, reason] of [
      ["hello\n", "no_diff"],
      ["", "no_diff"],
      [`${wideDiff(2)}[9 lines. Retrieve more: hash=0]`, "already_compressed"],
      [`${wideDiff(2)}<<ccr:0123>>`, "already_compressed"],
      [`${wideDiff(2)}… 3 context lines\n`, "already_compressed"],
      [
        `${wideDiff(2)}@@ -1 +1 @@ f() … 1 context line\n-a\n+b\n`,
        "already_compressed",
      ],
      ["--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", "nothing_to_fold"],
      [
        "diff --git a/x b/y\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n",
        "nothing_to_fold",
      ],
    ] as const
  ) {
    assert.deepEqual(diffCompressor.compress(text, contextWith(true)), {
      type: "unchanged",
      reason,
    });
  }
});

Deno.test("diffCompressor folds no names whose fold has no exact inverse", () => {
  // The second file has no name lines to begin with; the inverse would add them.
  const text = `${
    wideDiff(1)
  }diff --git a/x b/x\nindex 1..2\n@@ -1 +1 @@\n-a\n+b\n`;
  const outcome = diffCompressor.compress(text, contextWith(false));
  assert(outcome.type === "reformatted");
  assert.ok(outcome.text.includes("--- a/src/f0.ts\n+++ b/src/f0.ts\n"));
  assert.equal(outcome.restore!(outcome.text), text);
});

Deno.test("diffCompressor folds nothing but names beside lines that look like its folds", () => {
  for (
    const line of [
      "~ x",
      "diff --git x",
      "new file x (100644), 1 line:",
      "@@ -1 +1 @@ … + left out of all lines",
    ]
  ) {
    const text = `${line}\n\n${wideDiff(2)}`;
    const outcome = diffCompressor.compress(text, contextWith(false));
    assert(outcome.type === "reformatted");
    assert.ok(outcome.text.includes("diff --git a/src/f0.ts b/src/f0.ts"));
    assert.equal(outcome.restore!(outcome.text), text);
  }
});

Deno.test("diffCompressor turns every fold back", () => {
  const text = fc.oneof(
    fc.array(madeDiff.map((made) => made.text)).map((all) => all.join("")),
    fc.array(diffLine).map((lines) => lines.join("\n")),
  );
  fc.assert(
    fc.property(text, (text) => {
      const outcome = diffCompressor.compress(text, contextWith(false));
      if (outcome.type !== "reformatted") return;
      const restore = outcome.restore ?? diffCompressor.restore!;
      assert.equal(restore(outcome.text), text);
    }),
    { numRuns: 500 },
  );
});

Deno.test("diffCompressor keeps every changed line of a file that stays, alone or in a pair", () => {
  const sides = (line: string) =>
    line.startsWith("~")
      ? [
        `-${
          line.slice(1).replace(/\{\+.*?\+\}/, "").replace(/\[-(.*?)-\]/, "$1")
        }`,
        `+${
          line.slice(1).replace(/\[-.*?-\]/, "").replace(/\{\+(.*?)\+\}/, "$1")
        }`,
      ]
      : [line];
  const needle =
    "  const connection = await pool.acquire(options, 30, retries);";
  fc.assert(fc.property(
    madeDiff,
    fc.nat(),
    fc.boolean(),
    ({ text }, at, isPair) => {
      const lines = text.split("\n");
      const changed = lines.slice(4).filter((line) => /^[-+]/.test(line));
      const place = lines.lastIndexOf(changed[at % changed.length]!);
      const other = needle.replace("30", "90");
      const added = isPair ? [`-${needle}`, `+${other}`] : [`+${needle}`];
      const hunk = `@@ -999,${isPair ? 1 : 0} +999 @@`;
      const whole = [...lines.slice(0, -1), hunk, ...added, ""].join("\n");
      const outcome = diffCompressor.compress(whole, {
        ...contextWith(true),
        countTokens: (each) => 100 * each.length,
      });
      if (outcome.type === "unchanged") return;
      const kept = new Set(outcome.text.split("\n").flatMap(sides));
      for (const line of added) assert.ok(kept.has(line), line);
      assert.ok(kept.has(lines[place]!), `line ${place}`);
    },
  ));
});

Deno.test("diffCompressor does not look like a patch in its notes", () => {
  fc.assert(fc.property(madeDiff, ({ text }) => {
    const outcome = diffCompressor.compress(text, {
      ...contextWith(true),
      countTokens: (t) => 100 * t.length,
    });
    if (outcome.type !== "elided") return;
    const original = new Set(text.split("\n"));
    for (const line of outcome.text.split("\n")) {
      if (original.has(line)) continue;
      assert.match(line, /^(?:@@ -\d|… |~)/);
    }
  }));
});

testCompressor(diffCompressor, [
  wideDiff(1),
  wideDiff(8),
  wideDiff(2).replaceAll("\n", "\r\n"),
  wideDiff(2).slice(0, -100),
  `--- /dev/null\n+++ b/x\n@@ -0,0 +1,400 @@\n${"+a line\n".repeat(400)}`,
  `--- a/yarn.lock\n+++ /dev/null\n@@ -1,400 +0,0 @@\n${"-x\n".repeat(400)}`,
]);
