import assert from "node:assert/strict";
import fc from "fast-check";
import { diffKind } from "../../../src/compressors/diff/kind.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { cutOriginal } from "../../../src/compute/open_router.ts";
import { assertLinear } from "../../cpu_time.ts";
import { goldensIn, inputOf } from "../goldens.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import {
  applyPatch,
  contextWith,
  diffLine,
  madeDiff,
  patchOf,
} from "./make_diff.ts";

const { compressor } = entryOf(diffKind);

for (const { name, input, expected } of goldensIn("diff")) {
  Deno.test(`diffKind gives the recorded outcome for ${name}`, () => {
    const outcome = compressor.compress(input, contextWith(true));
    const [what, text] = outcome.type === "unchanged"
      ? [`unchanged ${outcome.reason}`, ""]
      : outcome.type === "reformatted"
      ? ["reformatted", outcome.text]
      : [
        `elided ${outcome.omitted.count} of ${outcome.omitted.total} ${outcome.omitted.unit}`,
        outcome.text,
      ];
    assert.equal(
      `${what}
${text}`,
      expected,
    );
  });
}

/** The form with lines left out, whatever it gains. */
function elided(text: string) {
  const countTokens = (each: string) => 100 * each.length;
  const outcome = compressor.compress(text, {
    query: "",
    mayElide: true,
    countTokens,
  });
  return outcome.type === "elided" ? outcome : undefined;
}

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

Deno.test("diffKind leaves out context, which the header of each hunk counts", () => {
  const outcome = compressor.compress(wideDiff(3), contextWith(true));
  assert(outcome.type === "elided");
  assert.deepEqual(outcome.omitted, {
    count: 3 * (3 + 19),
    total: 3 * 26,
    unit: "lines",
  });
  assert.ok(outcome.text.includes(
    "diff --git src/f2.ts\n@@ -11 +11 @@ … 19 unchanged\n-old\n+new\n",
  ));
});

Deno.test("diffKind only folds where it may not elide", () => {
  const text = wideDiff(3);
  const outcome = compressor.compress(text, contextWith(false));
  assert(outcome.type === "reformatted");
  assert.equal(
    outcome.text,
    text.replace(/^(---|\+\+\+) .*\n/gm, "").replace(/ a\/\S+ b\//g, " "),
  );
  assert.equal(outcome.restore!(outcome.text), text);
});

Deno.test("diffKind keeps a patch that gives the same file, with counts that hold", () => {
  let forms = 0;
  fc.assert(fc.property(madeDiff, ({ old, added, text }) => {
    const form = elided(text)?.text;
    if (form === undefined) return;
    forms++;
    const view = parseDiff(patchOf(form, old));
    assert(view !== undefined);
    const [file, ...others] = view.files;
    assert.deepEqual(others, []);
    assert.ok(file!.hunks.every((hunk) => hunk.isComplete), form);
    assert.deepEqual(applyPatch(old, view.lines, file!), added);
  }));
  assert.ok(forms > 10, `${forms}`);
});

Deno.test("diffKind keeps every changed line of a file that stays, alone or in a pair", () => {
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
      const outcome = compressor.compress(whole, {
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

Deno.test("diffKind turns every fold back", () => {
  const text = fc.oneof(
    fc.array(madeDiff.map((made) => made.text)).map((all) => all.join("")),
    fc.array(diffLine).map((lines) => lines.join("\n")),
  );
  fc.assert(
    fc.property(text, (text) => {
      const outcome = compressor.compress(text, contextWith(false));
      if (outcome.type !== "reformatted") return;
      assert.equal(outcome.restore!(outcome.text), text);
    }),
    { numRuns: 500 },
  );
});

Deno.test("diffKind protects the lines around a marker, and compresses the others", () => {
  const marker = "+// Retrieve more: hash=0123456789abcdef01234567";
  const text = wideDiff(40).replace("-old\n+new\n", `-old\n${marker}\n`);
  const form = elided(text)?.text ?? "";
  assert.ok(form.includes(marker));
  assert.ok(form.length < 0.3 * text.length);
});

Deno.test("diffKind keeps the names of commits and their messages", () => {
  const text = `commit ${
    "ab".repeat(20)
  } (HEAD)\nAuthor: A <a@b.c>\n\n    Why it is so\n\n${wideDiff(1)}`;
  const form = elided(text)?.text ?? "";
  assert.ok(
    form.startsWith(
      "commit abababababab… (HEAD)\nAuthor: A <a@b.c>\n\n    Why it is so\n\ndiff --git",
    ),
  );
});

Deno.test("diffKind writes notes by which the lines of a file are found again", () => {
  const form = elided(inputOf("diff/new_large_and_generated"))?.text ?? "";
  const [note, first, last] = /^… lines (\d+)-(\d+) omitted \(\+\d+ -0/m.exec(
    form,
  )!;
  const name = /diff --git (\S+)(?![^]*diff --git)/.exec(
    form.slice(0, form.indexOf(note)),
  )![1]!;
  const cut = cutOriginal(
    {
      original: inputOf("diff/new_large_and_generated"),
      strategy: "diff",
      toolName: "",
    },
    { path: name, lines: `${first}-${last}` },
  );
  assert(cut.ok);
  assert.equal(cut.items, Number(last) - Number(first) + 1);
});

testCompressor(compressor, [
  ...goldensIn("diff").map(({ input }) => input),
  wideDiff(1),
  wideDiff(8),
  wideDiff(2).replaceAll("\n", "\r\n"),
  wideDiff(2).slice(0, -100),
  `--- /dev/null\n+++ b/x\n@@ -0,0 +1,400 @@\n${"+a line\n".repeat(400)}`,
  `--- a/yarn.lock\n+++ /dev/null\n@@ -1,400 +0,0 @@\n${"-x\n".repeat(400)}`,
]);

Deno.test("diffKind names the tests that a file had which is gone", () => {
  const tests = Array.from({ length: 10 }, (_, i) => [
    `it("does thing ${i}", () => {`,
    ...Array.from({ length: 6 }, (_, k) => `  expect(f(${i}, ${k})).toBe(1);`),
    "});",
  ]).flat();
  const form = elided([
    "diff --git a/a.test.ts b/a.test.ts",
    "deleted file mode 100644",
    "--- a/a.test.ts",
    "+++ /dev/null",
    "@@ -1,80 +0,0 @@",
    ...tests.map((line) => `-${line}`),
    "",
  ].join("\n"));
  for (let i = 0; i < 10; i++) {
    assert.ok(form?.text.includes(`"does thing ${i}"`), form?.text ?? "");
  }
});

const NAMES = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n";
const MOVED = "  const value = compute(1, options);\n";

/** Diffs that no program writes, of about so many UTF-16 units. */
const HOSTILE: Readonly<Record<string, (size: number) => string>> = {
  "empty hunks": (size) => NAMES + "@@ -1,0 +1,0 @@ f() {\n".repeat(size / 23),
  "one long line": (size) =>
    `${NAMES}@@ -1 +1 @@\n-${"a".repeat(size)}\n+${"a".repeat(size)}b\n`,
  "hunks that promise more": (size) =>
    NAMES + "@@ -1,9999 +1,9999 @@\n a\n".repeat(size / 25),
  "files without end": (size) =>
    `${NAMES}@@ -1 +1 @@\n-a\n+b\n`.repeat(size / 70),
  "lines that moved nearly": (size) => {
    const count = Math.floor(size / 80);
    const added = `${`+${MOVED}`.repeat(9)}+x\n`.repeat(count / 10);
    return `${NAMES}@@ -1,${count} +1,${Math.floor(count / 10) * 10} @@\n${
      `-${MOVED}`.repeat(count)
    }${added}`;
  },
  "a file that moved": (size) => {
    const lines = Array.from({ length: size / 60 }, (_, i) => `${i}${MOVED}`);
    const removed = lines.map((line) => `-${line}`).join("");
    const added = lines.map((line) => `+${line}`).join("");
    return `${NAMES}@@ -1,${lines.length} +0,0 @@\n${removed}${NAMES}` +
      `@@ -0,0 +1,${lines.length} @@\n${added}`;
  },
};

for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`diffKind takes time in proportion to ${name}`, async () => {
    await assertLinear(name, {
      make,
      work: (text) => compressor.compress(text, contextWith(true)),
      sizes: [25_000, 200_000],
    });
  });
}
