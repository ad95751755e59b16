import assert from "node:assert/strict";
import { logKind } from "../../../src/compressors/log/kind.ts";
import {
  gradeOf,
  rareFindings,
  ruleOf,
} from "../../../src/compressors/log/rules.ts";
import { viewLog } from "../../../src/compressors/log/view.ts";
import { weigh } from "../../../src/compressors/log/weights.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { ERROR, WARNING } from "../../../src/text/signs/flags.ts";
import { contextOf } from "../goldens.ts";

const RULES: Readonly<Record<string, string | undefined>> = {
  "app/a.py:3:7: F401 `os` imported but unused": "F401",
  "   3:7  F401 [*] `os` imported but unused": "F401",
  "block.ts(7,22): error TS7006: Parameter 'a' has no type.": "TS7006",
  "app/a.py:3: error: Returning Any [no-any-return]": "no-any-return",
  "app/a.py:19:7: C0121: x == None (singleton-comparison)": "C0121",
  "  1:20  warning  Strings must use singlequote    quotes": "quotes",
  "  7:1   error   too many spaces after colon  (colons)": "colons",
  "sh/a.sh:2:4: note: Double quote to prevent globbing. [SC2086]": "SC2086",
  "a.js: line 1, col 7, Error - 'fs' is never used. (no-unused)": "no-unused",
  "GET /health 200 (cached)": undefined,
  "took 12:30 in the end  really": undefined,
};

for (const [line, rule] of Object.entries(RULES)) {
  Deno.test(`ruleOf reads ${rule ?? "no rule"} in ${line.trim()}`, () => {
    assert.equal(ruleOf(line), rule);
  });
}

Deno.test("gradeOf reads the level that stands with a rule", () => {
  const said = "a.js:1:7: 'fs' is never used.";
  assert.equal(gradeOf(`${said} [Error/no-unused-vars]`), ERROR);
  assert.equal(gradeOf(`${said} [Warning/quotes]`), WARNING);
  assert.equal(gradeOf(`${said} [errors/no]`), 0);
});

/** Findings of a linter by file, as ruff groups them; the last ones of `rare` files break another rule. */
function grouped(files: number, rare: ReadonlyMap<number, string>): string[] {
  return Array.from({ length: files }, (_, i) => {
    const name = `"name_${i}"`;
    return [
      `app/m${i}.py:`,
      `   2:8  F401 [*] ${name} imported but unused`,
      `  18:5  ANN201 Missing return type annotation for ${name}`,
      `  19:13 E711 Comparison to None should be cond is None`,
      ...rare.has(i) ? [`  34:16 ${rare.get(i)}`] : [],
      "",
    ];
  }).flat();
}

Deno.test("weigh keeps the one finding of a rule, with its file, among hundreds of others", () => {
  const rare = new Map([
    [11, "F821 Undefined name"],
    [52, "S605 Starting a process with a shell"],
  ]);
  const lines = grouped(90, rare);
  const weights = weigh(viewLog(lines.join("\n")), "");
  for (const [file, said] of rare) {
    const at = lines.findIndex((line) => line.endsWith(said));
    assert.equal(weights[at], STAYS, said);
    assert.equal(weights[lines.indexOf(`app/m${file}.py:`)], STAYS, said);
  }
});

Deno.test("rareFindings finds the rarest, none in a list in which every rule is rare, and few of many", () => {
  const find = (lines: readonly string[]) =>
    rareFindings(indexLines(lines.join("\n")), () => true);
  const usual = Array.from({ length: 40 }, (_, i) => `a.py:${i}:1: E501 long`);
  assert.deepEqual(find([...usual, "a.py:7:1: F821 gone", ...usual]), [40]);
  assert.deepEqual(find(usual), []);
  const each = Array.from({ length: 90 }, (_, i) => `a.py:1:1: E${100 + i} x`);
  assert.deepEqual(find(each), []);
  assert.equal(find([...usual, ...each]).length, 30);
});

Deno.test("logKind keeps what a build looked for and did not find", () => {
  const names = [..."abcdefghijklmnopqrstuvwxyz"];
  const headers = names.map((name, i) => `sys/${name}${names[25 - i]}.h`);
  const missing = new Set([7, 18, 21]);
  const lines = headers.flatMap((header, i) => [
    `-- Looking for ${header}`,
    `-- Looking for ${header} - ${missing.has(i) ? "not found" : "found"}`,
  ]);
  const text = ["-- The C compiler is GNU", ...lines, "-- Configuring done"]
    .join("\n");
  const outcome = entryOf(logKind).compressor.compress(text, contextOf(true));
  for (const i of missing) {
    assert.ok(outcome.type !== "unchanged");
    assert.ok(outcome.text.includes(`${headers[i]} - not found`), outcome.text);
  }
});

Deno.test("weigh keeps the name of the test above the extreme time that it took", () => {
  const lines = Array.from({ length: 200 }, (_, i) => [
    `    ok ${i + 1} - case ${i} adds`,
    "      ---",
    `      duration_ms: ${i === 77 ? "912.7" : `0.${100 + i * 37 % 800}`}`,
    "      ...",
  ]).flat();
  const view = viewLog(["TAP version 13", ...lines, "1..200"].join("\n"));
  const weights = weigh(view, "");
  assert.equal(weights[1 + 4 * 77 + 2], STAYS);
  assert.equal(weights[1 + 4 * 77], STAYS);
});
