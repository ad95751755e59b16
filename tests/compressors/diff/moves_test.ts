import assert from "node:assert/strict";
import fc from "fast-check";
import { movesIn } from "../../../src/compressors/diff/moves.ts";
import {
  type DiffView,
  parseDiff,
} from "../../../src/compressors/diff/parse.ts";
import { diffKind } from "../../../src/compressors/diff/kind.ts";
import { diffLines } from "../../../src/compressors/diff/units.ts";
import { entryOf } from "../../../src/engine/compressor.ts";

/** A diff that removes `gone` from a.ts and adds `come` to b.ts. */
function diffOf(gone: readonly string[], come: readonly string[]): string {
  const part = (path: string, sign: string, lines: readonly string[]) => [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    sign === "-"
      ? `@@ -10,${lines.length + 1} +10,1 @@`
      : `@@ -20,1 +20,${lines.length + 1} @@`,
    " const unchanged = true;",
    ...lines.map((line) => sign + line),
  ];
  return [...part("a.ts", "-", gone), ...part("b.ts", "+", come), ""]
    .join("\n");
}

function viewOf(text: string): DiffView {
  const view = parseDiff(text);
  assert(view !== undefined);
  return view;
}

const { compressor } = entryOf(diffKind);

function formOf(text: string): string {
  const context = {
    query: "",
    mayElide: true,
    countTokens: (each: string) => 100 * each.length,
  };
  const outcome = compressor.compress(text, context);
  return outcome.type === "elided" ? outcome.text : text;
}

const body = Array.from(
  { length: 24 },
  (_, i) => `  const value${i} = compute(${i}, options);`,
);

Deno.test("movesIn finds the inside of a run that was removed above, and says where", () => {
  const text = diffOf(body, ["// new here", ...body, "// and here"]);
  const diff = viewOf(text);
  const [move, ...others] = movesIn(diff, diffLines(diff));
  assert.deepEqual(others, []);
  assert(move);
  assert.deepEqual(
    diff.lines.slice(move.start, move.end),
    body.slice(2, -1).map((line) => `+${line}`),
  );
  assert.equal(move.said, "the same as removed from a.ts, old lines 13-33");
});

Deno.test("movesIn takes no short run and none that differs in a line", () => {
  for (
    const come of [
      body.slice(0, 3),
      body.map((line, i) => i % 5 === 0 ? `${line} // changed` : line),
    ]
  ) {
    const diff = viewOf(diffOf(body, come));
    assert.deepEqual(movesIn(diff, diffLines(diff)), []);
  }
});

Deno.test("diffKind keeps both ends of a moved run and every other changed line", () => {
  const text = diffOf(body, ["// new here", ...body, "// and here"]);
  const lines = formOf(text).split("\n");
  for (
    const line of [
      ...body.map((line) => `-${line}`),
      "+// new here",
      "+// and here",
    ]
  ) {
    assert.ok(lines.includes(line), line);
  }
  assert.ok(lines.includes(`+${body[0]}`) && lines.includes(`+${body.at(-1)}`));
  assert.ok(!lines.includes(`+${body[10]}`));
  const note = lines.find((line) => line.includes("the same as"));
  assert.equal(
    note,
    "… lines 24-44 omitted (+21 -0; the same as removed from a.ts, old lines 13-33)",
  );
});

Deno.test("diffKind leaves no changed line out that does not stand elsewhere in the diff", () => {
  const line = fc.constantFrom(...body.slice(0, 6), "}", "");
  fc.assert(fc.property(
    fc.array(line, { maxLength: 40 }),
    fc.array(line, { maxLength: 40 }),
    (gone, come) => {
      const text = formOf(diffOf(gone, come));
      const kept = new Set(text.split("\n").map((each) => each.slice(1)));
      for (const each of [...gone, ...come]) assert.ok(kept.has(each), each);
    },
  ));
});

Deno.test("movesIn leaves the added lines of a file that took the place of another", () => {
  const lines = Array.from(
    { length: 60 },
    (_, i) => `  const value${i} = compute(${i}, options);`,
  );
  const text = [
    "diff --git a/old.ts b/old.ts",
    "deleted file mode 100644",
    "--- a/old.ts",
    "+++ /dev/null",
    "@@ -1,60 +0,0 @@",
    ...lines.map((line) => `-${line}`),
    "diff --git a/new.ts b/new.ts",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/new.ts",
    "@@ -0,0 +1,60 @@",
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
  const form = formOf(text);
  for (const line of lines) assert.ok(form.includes(`+${line}\n`), line);
  assert.ok(form.includes("the same as added to new.ts"), form);
});
