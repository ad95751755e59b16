import assert from "node:assert/strict";
import fc from "fast-check";
import {
  numberedRun,
  prefixOf,
  withNumbers,
  withoutNumbers,
} from "../../src/text/line_numbers.ts";

const LINES = Array.from({ length: 30 }, (_, i) => `line ${i}`);

/** The text as each tool would number it. */
const STYLES: Readonly<Record<string, (line: string, i: number) => string>> = {
  arrow: (line, i) => `${`${i + 1}`.padStart(6)}→${line}`,
  tab: (line, i) => `${`${i + 1}`.padStart(6)}\t${line}`,
  zeros: (line, i) => `${`${i + 1}`.padStart(5, "0")}| ${line}`,
  bars: (line, i) => `${`${i + 96}`.padStart(4)} | ${line}`,
  colon: (line, i) => `${i + 996}: ${line}`,
  tight: (line, i) => `${i + 1}:${line}`,
};

for (const [name, number] of Object.entries(STYLES)) {
  Deno.test(`numberedRun takes the numbers off and withNumbers puts them back, ${name}`, () => {
    const text = LINES.map(number).join("\n");
    for (
      const whole of [text, `${text}\n`, `Contents of a.ts:\n${text}\n\n(end)`]
    ) {
      const run = numberedRun(whole);
      assert(run);
      assert.equal(withoutNumbers(whole, run), LINES.join("\n"));
      assert.equal(
        withNumbers(LINES.join("\n"), run.style, run.first),
        whole.slice(run.start, run.end),
      );
    }
  });
}

Deno.test("numberedRun gives any lines back, in any style", () => {
  fc.assert(fc.property(
    fc.array(fc.string().filter((line) => !line.includes("\n")), {
      minLength: 8,
      maxLength: 40,
    }),
    fc.constantFrom(" ", "0", ""),
    fc.constantFrom("→", "\t", " | ", "| ", "|", ": ", ":"),
    fc.integer({ min: 1, max: 2000 }),
    (lines, pad, separator, first) => {
      const style = pad === ""
        ? { pad: "" as const, width: 0, separator }
        : { pad: pad as " " | "0", width: 5, separator };
      const text = withNumbers(lines.join("\n"), style, first);
      const run = numberedRun(text);
      assert(run);
      // A separator may be taken for a longer one where every line allows it.
      const prefix = prefixOf(run.style, first);
      assert.ok(text.startsWith(prefix));
      assert.equal(
        withNumbers(withoutNumbers(text, run), run.style, run.first),
        text,
      );
    },
  ));
});

Deno.test("numberedRun finds none in short runs, gaps, or a list within other lines", () => {
  const few = LINES.slice(0, 7).map(STYLES["arrow"]!).join("\n");
  assert.equal(numberedRun(few), undefined);
  const gaps = LINES.map((line, i) => `${i * 2}: ${line}`).join("\n");
  assert.equal(numberedRun(gaps), undefined);
  const list = LINES.slice(0, 9).map(STYLES["colon"]!).join("\n");
  assert.equal(numberedRun(`${list}\n${LINES.join("\n")}`), undefined);
  assert.equal(numberedRun(""), undefined);
});

Deno.test("numberedRun finds no line numbers in the rows of a database", () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => ` ${50_000 + i} | worker-${i} | ready`,
  );
  const text = ["  id   |   name    | state", "-------+-----------+------"]
    .concat(rows, "(30 rows)").join("\n");
  assert.equal(numberedRun(text), undefined);
});
