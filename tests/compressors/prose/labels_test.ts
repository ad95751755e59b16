import assert from "node:assert/strict";
import { labelOf } from "../../../src/compressors/prose/labels.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

function label(text: string): string {
  const lines = indexLines(text);
  const units = unitsOf(lines);
  return labelOf(lines, units, { from: 0, to: units.length });
}

const talk = "This is said at some length so that there is room for names. "
  .repeat(6);

Deno.test("labelOf names every heading and every option", () => {
  assert.equal(
    label(`#### one\n\n${talk}\n\n#### two()\n\n${talk}\n`),
    "one; two()",
  );
  assert.equal(
    label(
      "  -a, --all          Shows all of it\n      --brief <LEVEL>  Shows less\n",
    ),
    "-a, --all; --brief <LEVEL>",
  );
  assert.equal(label(`add\n\n> ${talk}\n\nlock\n\n> ${talk}\n`), "add; lock");
});

Deno.test("labelOf counts items and rows and names some of them, none of them shortened", () => {
  const item = (name: string) => `- **${name}**: ${talk}\n`;
  assert.equal(
    label(["retries", "pools"].map(item).join("")),
    "2 items: retries; pools",
  );
  const many = label(
    Array.from({ length: 30 }, (_, i) => item(`number ${i}`)).join(""),
  );
  assert.match(many, /^30 items: number 0; number 1; .*; …$/);
  assert.ok(many.length < 130);
  assert.match(
    label(["a", "b", "c"].map((c) => `| \`${c}\` | ${talk}|\n`).join("")),
    /^3 rows: `a`; `b`; `c`$/,
  );
});

Deno.test("labelOf says how all items of a list end", () => {
  assert.equal(
    label(
      Array.from(
        { length: 7 },
        (_, i) => `- [package${i}](http://a.b/c) - MIT\n`,
      ).join(""),
    ),
    "7 items, each ends with MIT: package0; package1; package2; …",
  );
});

Deno.test("labelOf names code in running text, and nothing where there is nothing", () => {
  assert.equal(label(`It calls \`openValve\` there. ${talk}\n`), "`openValve`");
  assert.equal(label(talk), "");
});

Deno.test("labelOf stays fast on a long line of blanks", () => {
  assert.equal(label(`# a${" ".repeat(500_000)}b\n`).startsWith("a"), true);
});
