import assert from "node:assert/strict";
import fc from "fast-check";
import { foldProse } from "../../../src/compressors/prose/fold.ts";

const LINE = "This line of the document is in several places of it, as it is.";

Deno.test("foldProse has an inverse, whatever the text", () => {
  const line = fc.constantFrom(
    "",
    "short",
    LINE,
    "see https://github.com/acme/widgets/pull/7",
    "see https://github.com/acme/widgets/pull/8 too\r",
    "Defined in: src/a.ts:12",
    "Defined in: src/a.ts:7",
    "#### run()",
    "> **run**(): [`A`](#a)",
    "#### > **x**",
    "[`A`](#a) and [`A`](#a) and [b](#b)",
    "[`A`] [b](#c)",
    "§ ¶ †",
    "… (§ = a)",
    '<a id="a.b_c"></a>',
    "### b\\_c",
    "### id=a.b_c",
    "### a",
    "## b",
    "***",
    "[**md**](../a.md)",
    "[md](../a.md) / b",
    "[md](../a.md) / # b",
    "# b",
    "a\\nb",
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 1, max: 500 }),
      (lines, firstLine) => {
        const text = lines.join("\n");
        const folded = foldProse(text, firstLine);
        if (folded === undefined) return;
        assert.ok(folded.text.length < text.length);
        assert.equal(folded.restore(folded.text), text);
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("foldProse writes repeated lines, headings, targets and phrases once", () => {
  const member = (name: string, line: number) =>
    `#### ${name}\n\n> **${name}**: [\`Key\`](#key)\n\nDefined in: src/store/a.ts:${line}\n`;
  const text = ["one", "two", "three", "four", "five"].map(member).join("\n");
  const folded = foldProse(text, 1);
  const [first, second, third] = folded?.text.split("\n") ?? [];
  assert.equal(first, "… (§ = Defined in: src/store/a.ts:)");
  assert.equal(second, "#### > **one**: [`Key`](#key)");
  assert.equal(third, "");
  assert.ok(folded?.text.includes("#### > **two**: [`Key`]\n\n§1\n"));
});

Deno.test("foldProse writes the anchor of a heading in it", () => {
  const text = '<a id="shop.order"></a>\n\n# shop.order\n\nValues.\n\n' +
    '<a id="shop.order.may_go"></a>\n\n#### may\\_go\n\n' +
    '<a id="shop.order.Line"></a>\n\n## Line Objects\n';
  assert.equal(
    foldProse(text, 1)?.text,
    "# id=shop.order\n\nValues.\n\n#### id=shop.order.may_go\n\n" +
      "## id=shop.order.Line Objects\n",
  );
});

Deno.test("foldProse writes what several lines start with once", () => {
  const text = ["ann", "bob", "carl", "dora"].map((name) =>
    `association:\tnone of these\nedited:\tfalse by ${name}\nIt is ${name}.\n`
  ).join("");
  const [header, first] = foldProse(text, 1)?.text.split("\n") ?? [];
  assert.equal(
    header,
    "… (§ = association:\tnone of these\\nedited:\tfalse by )",
  );
  assert.equal(first, "§ann");
});

Deno.test("foldProse leaves a text alone that gains little or has such notes", () => {
  assert.equal(foldProse("a\nb\na\n", 1), undefined);
  const text = `${LINE}\n`.repeat(9);
  assert.notEqual(foldProse(text, 1), undefined);
  assert.equal(foldProse(`${text}… (repeated 3 times)\n`, 1), undefined);
});
