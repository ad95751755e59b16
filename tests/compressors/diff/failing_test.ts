import assert from "node:assert/strict";
import { diffKind } from "../../../src/compressors/diff/kind.ts";
import { failingIn } from "../../../src/compressors/diff/failing.ts";
import { parseDiff } from "../../../src/compressors/diff/parse.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { assertLinear } from "../../cpu_time.ts";
import { contextWith } from "./make_diff.ts";

const { compressor } = entryOf(diffKind);

const TELLING = [
  "2026-01-02T10:01:00Z ERROR store: cannot open db-7: connection refused",
  "panic: runtime error: index out of range [7] with length 3",
  "2026-01-02T10:01:40Z INFO request path=/a/3 status=502 ms=77",
  "2026-01-02T10:02:10Z INFO request path=/a/3 status=200 ms=48210",
  '  File "/app/src/jobs.py", line 41, in run',
  "ValueError: bad token 'xq9'",
  "FAILED tests/test_store.py::test_open - AssertionError: 3 != 4",
];

/** A log of `count` lines with the telling ones in its middle, far apart. */
function logLines(count: number): string[] {
  const lines = Array.from(
    { length: count },
    (_, i) =>
      `2026-01-02T10:${10 + i % 50}:00Z INFO request path=/a/${
        i % 7
      } status=200 ms=${40 + i * 7 % 160}`,
  );
  for (const [i, line] of TELLING.entries()) lines[70 + 20 * i] = line;
  return lines;
}

function diffOf(path: string, sign: string, lines: readonly string[]): string {
  const range = { "+": "-0,0 +1,N", "-": "-1,N +0,0", " ": "-1,N +1,N" }[sign];
  return [
    `diff --git a/${path} b/${path}`,
    `--- ${sign === "+" ? "/dev/null" : `a/${path}`}`,
    `+++ ${sign === "-" ? "/dev/null" : `b/${path}`}`,
    `@@ ${range!.replaceAll("N", `${lines.length}`)} @@`,
    ...lines.map((line) => sign + line),
    "",
  ].join("\n");
}

function formOf(text: string): string {
  const outcome = compressor.compress(text, contextWith(true));
  assert.equal(outcome.type, "elided");
  return outcome.type === "elided" ? outcome.text : "";
}

for (
  const [path, sign] of [
    ["tests/fixtures/app.log", "+"],
    ["out.txt", "+"],
    ["tests/__snapshots__/run.snap", "+"],
    ["dist/report", "+"],
    ["old.log", "-"],
  ] as const
) {
  Deno.test(`failingIn keeps failures, rare and extreme values of ${sign}${path}`, () => {
    const form = formOf(diffOf(path, sign, logLines(300)));
    for (const line of TELLING) assert.ok(form.includes(sign + line), line);
    assert.ok(form.length < 6000, `${form.length}`);
  });
}

Deno.test("failingIn keeps failures that did not change, but not in code or on a page", () => {
  const report = Array.from({ length: 30 }, (_, i) => `ok ${i} - case ${i}`);
  report[12] = "FAILED tests/test_z.py::test_q - AssertionError: 3 != 4";
  const withChange = (path: string) =>
    diffOf(path, " ", [...report, "the end"])
      .replace("-1,31 +1,31", "-1,30 +1,31").replace(
        "\n the end",
        "\n+the end",
      );
  assert.ok(formOf(withChange("out.txt")).includes(report[12]));
  for (const path of ["src/a.ts", "a.py", "README.md"]) {
    assert.ok(!formOf(withChange(path)).includes(report[12]), path);
  }
});

Deno.test("failingIn keeps the marks of a conflict in any file", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `int line_${i};`);
  lines[20] = "<<<<<<< HEAD";
  lines[25] = "=======";
  lines[30] = ">>>>>>> feature";
  const text = diffOf("a.c", " ", [...lines, "the end"])
    .replace("-1,61 +1,61", "-1,60 +1,61").replace("\n the end", "\n+the end");
  const form = formOf(text);
  for (const mark of [20, 25, 30]) assert.ok(form.includes(lines[mark]!));
  assert.ok(!form.includes("line_22"));
});

Deno.test("failingIn keeps the first and the last of many failures that are alike", () => {
  const lines = logLines(300).map((line, i) =>
    i % 3 === 0 ? `ERROR upload ${i} failed: connection reset` : line
  );
  const form = formOf(diffOf("a.log", "-", lines));
  const kept = form.split("\n").filter((line) => line.includes("upload"));
  assert.ok(kept.length >= 3 && kept.length < 12, `${kept.length}`);
  assert.ok(kept.at(-1)!.includes("upload 297 "));
});

Deno.test("failingIn takes time in proportion to the lines of a file", async () => {
  await assertLinear("failingIn", {
    make: (lines) => diffOf("a.log", "+", logLines(lines)),
    work: (text) => {
      const view = parseDiff(text)!;
      const stays = new Uint8Array(view.lines.length);
      return failingIn(view, view.files[0]!, { stays, isChange: () => true });
    },
    sizes: [1000, 8000],
  });
});

for (const sign of ["-", "+"] as const) {
  Deno.test(`diffKind keeps the line that is built like no other among ${sign} lines of code`, () => {
    const calls = Array.from(
      { length: 300 },
      (_, i) => `  store${i % 7}.put${"abc"[i % 3]}(order${i}, "n${i}");`,
    );
    const check = "  if (!user.isAdmin) throw new Forbidden();";
    const sent = formOf(
      diffOf("src/guard.ts", sign, calls.with(146, check)),
    );
    assert.ok(sent.includes(`${sign}${check}\n`), sent);
    assert.ok(sent.split("\n").length < 50);
  });
}

Deno.test("diffKind keeps no line for its form where many have one of their own", () => {
  const lines = Array.from(
    { length: 200 },
    (_, i) => `  call(${"(".repeat(i % 60)}x${")".repeat(i % 60)});`,
  );
  const sent = formOf(diffOf("src/a.ts", "-", lines));
  assert.ok(sent.split("\n").length < 20, sent);
});
