import assert from "node:assert/strict";
import fc from "fast-check";
import { searchKind } from "../../../src/compressors/search_results/kind.ts";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";
import { searchUnits } from "../../../src/compressors/search_results/units.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { contextOf, goldensIn } from "../goldens.ts";
import { grepLines } from "./samples.ts";

const { compressor } = entryOf(searchKind);

function formOf(text: string, query = ""): string {
  const outcome = compressor.compress(text, contextOf(true, query));
  assert(outcome.type !== "unchanged");
  // What loses nothing shows every row.
  return outcome.type === "reformatted" ? text : outcome.text;
}

Deno.test("searchUnits covers the whole text, each unit behind its parent", () => {
  for (const { name, input } of goldensIn("search_results")) {
    const view = parseSearch(input);
    assert(view !== undefined, name);
    const { starts, weights, parents } = searchUnits(view, "");
    assert.equal(starts.length, weights.length + 1);
    assert.equal(starts[0], 0);
    assert.equal(starts.at(-1), input.length);
    assert.ok(starts.every((start, i) => i === 0 || start >= starts[i - 1]!));
    assert.ok(parents!.every((parent, unit) => parent < unit));
  }
});

Deno.test("searchUnits makes a match stay that reports a failure or fits the question", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(
        '  throw new PaymentError("card was declined")',
        "  // FATAL: must not happen",
        "request path=/a status=502 ms=31",
        "  const tenant = lookupTenant(acme);",
      ),
      fc.nat(),
      fc.integer({ min: 2, max: 30 }),
      (needle, place, each) => {
        const lines = grepLines(20, each);
        const at = place % lines.length;
        lines[at] = lines[at]!.replace(/(:\d+:).*/, `$1${needle}`);
        const query = "where is the acme tenant looked up?";
        const number = lines[at]!.split(":")[1];
        assert.ok(
          formOf(lines.join("\n"), query).includes(`${number}:${needle}`),
        );
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("searchUnits makes rare values and extreme numbers stay", () => {
  const lines = Array.from(
    { length: 300 },
    (_, i) =>
      `logs/a.log:${i + 1}:GET /v1/items cache=HIT took ${20 + i % 9}ms`,
  );
  lines[117] = lines[117]!.replace("HIT", "BYPASS");
  lines[203] = lines[203]!.replace(/took \d+ms/, "took 48210ms");
  const form = formOf(lines.join("\n"));
  assert.ok(form.includes("118:GET /v1/items cache=BYPASS"));
  assert.ok(form.includes("took 48210ms"));
});

Deno.test("searchUnits makes the first and the last of failures stay that are alike", () => {
  const lines = Array.from(
    { length: 200 },
    (_, i) => `logs/a.log:${i + 1}:[w${i}] ERROR connection ${i} was lost`,
  );
  const form = formOf(lines.join("\n"));
  assert.ok(form.includes("1:[w0] ERROR") && form.includes("200:[w199] ERROR"));
  assert.ok(form.length < 0.3 * lines.join("\n").length);
});

Deno.test("searchUnits keeps the first match of each of a few files, and declarations", () => {
  const lines = grepLines(6, 30);
  for (let file = 0; file < 6; file++) {
    const path = lines[30 * file]!.split(":")[0];
    lines[30 * file + 9] = `${path}:109:export function compute${file}() {`;
  }
  const form = formOf(lines.join("\n"));
  for (let file = 0; file < 6; file++) {
    assert.ok(form.includes(`export function compute${file}()`), form);
    assert.ok(form.includes(lines[30 * file]!.replace(/^[^:]+:/, "")), form);
  }
});

Deno.test("searchUnits keeps of a long row its ends and what the question names", () => {
  const row = `${"x".repeat(3000)};refundOrder();${"y".repeat(3000)}`;
  const text = grepLines(5, 5).concat(`dist/app.min.js:7:${row}`).join("\n");
  assert.match(
    formOf(text, "who calls refund"),
    /^7:x+ … \[2,\d+ characters omitted\] … x+;refundOrder\(\);y+ … \[2,\d+ characters omitted\] … y+$/m,
  );
});

Deno.test("searchUnits writes every file, with the lines that are missing behind its path", () => {
  const lines = grepLines(9, 12);
  const form = formOf(lines.join("\n"));
  assert.match(form, /^… \("\+3,7" behind a path: /m);
  const shown = form.split("\n").filter((line) => /^\d+:/.test(line)).length;
  let missing = 0;
  for (let file = 0; file < 9; file++) {
    const note = new RegExp(
      `module_${file}\\.ts \\+(?:([\\d,]+)|(\\d+) matches in lines .*)$`,
      "m",
    ).exec(form);
    missing += Number(note?.[2] ?? note?.[1]?.split(",").length ?? 0);
  }
  assert.equal(shown + missing, lines.length);
});

Deno.test("searchUnits counts lines of context apart from matches", () => {
  const lines = grepLines(3, 30).flatMap((row) => [
    row.replace(/:(\d+):.*/, (_, n) => `-${n - 1}-  // before`),
    row,
  ]);
  const form = formOf(lines.join("\n"));
  assert.match(
    form,
    /_0\.ts \+\d+ matches in lines \d+-\d+ \+\d+ lines of context$/m,
  );
});
