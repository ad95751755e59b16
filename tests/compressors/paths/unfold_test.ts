import assert from "node:assert/strict";
import fc from "fast-check";
import { foldPaths, foldRows } from "../../../src/compressors/paths/fold.ts";
import { readStat, readTree } from "../../../src/compressors/paths/forms.ts";
import {
  plainLine,
  readColumns,
  readPaths,
  readPlain,
} from "../../../src/compressors/paths/parse.ts";
import {
  unfoldPaths,
  unfoldRows,
  withHints,
} from "../../../src/compressors/paths/unfold.ts";
import { goldensIn } from "../goldens.ts";

const length = (text: string) => text.length;

Deno.test("unfoldRows is the inverse of foldRows for any list", () => {
  const part = fc.constantFrom("src", "a b", "x1", "lib.d", "..3", "é", ".git");
  const name = fc.constantFrom(
    "a.ts",
    "b.ts",
    "c9.ts",
    "c10.ts",
    "c11.ts",
    "1..4",
    "to do.md",
    ".",
    "x|y",
    "Makefile",
    ".env",
    "frame_099.png",
    "frame_100.png",
    "frame_101.png",
    "",
    "é.tar.gz",
    '"q"',
  );
  const lead = fc.constantFrom(
    "",
    "",
    "",
    " M ",
    "?? ",
    "M\t",
    "\t",
    "./",
    "/",
  );
  const line = fc.tuple(lead, fc.array(part, { maxLength: 3 }), name)
    .map(([lead, parts, name]) => lead + [...parts, name].join("/"));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const folded = foldRows(readPlain(lines).rows, "");
      if (folded === undefined) return;
      assert.deepEqual(unfoldRows(folded, "").map(plainLine), lines);
    }),
    { numRuns: 400 },
  );
});

Deno.test("unfoldPaths gives every golden list and every prefix of it back from nothing but the form", () => {
  const ways = [readTree, readStat, readColumns, readPlain];
  let count = 0;
  for (const { name, input } of goldensIn("paths")) {
    const lines = input.split("\n");
    for (const share of [0.3, 0.6, 0.8, 1]) {
      const text = lines.slice(0, Math.ceil(share * lines.length)).join("\n");
      const view = readPaths(text, ways);
      const folded = view && foldPaths(view, length);
      if (folded === undefined) continue;
      count++;
      assert.equal(unfoldPaths(folded.text), text, name);
    }
  }
  assert.ok(count > 30, `${count}`);
});

Deno.test("unfoldPaths reads a form that was written elsewhere", () => {
  const form = "… 3 paths in src/; names fill the *, CRLF\n*.ts: a net/b c\n";
  assert.equal(
    unfoldPaths(form),
    "src/a.ts\r\nsrc/net/b.ts\r\nsrc/c.ts\r\n",
  );
});

Deno.test("withHints writes hints where none are", () => {
  assert.deepEqual(withHints(["Untracked files:", "\ta"]), [
    "Untracked files:",
    '  (use "git add <file>..." to include in what will be committed)',
    "\ta",
  ]);
  const whole = ["Untracked files:", "  (all of them)", "\ta"];
  assert.deepEqual(withHints(whole), whole);
});
