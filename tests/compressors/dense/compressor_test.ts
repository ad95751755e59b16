import assert from "node:assert/strict";
import fc from "fast-check";
import { denseCompressor } from "../../../src/compressors/dense/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextOf, GOLDENS, inputOf, minified } from "./samples.ts";

testCompressor(denseCompressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected, query } of GOLDENS) {
  Deno.test(`denseCompressor writes the golden text of ${name}`, () => {
    const outcome = denseCompressor.compress(input, contextOf(true, query));
    assert(outcome.type !== "unchanged");
    assert.equal(outcome.text, expected);
  });
}

function elided(text: string, query = "") {
  const outcome = denseCompressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

Deno.test("denseCompressor keeps what the query asks for, and messages of errors, wherever they stand", () => {
  const code = minified(20_000);
  fc.assert(
    fc.property(
      fc.constantFrom(
        "function renderToolbar(n){return n.bar}",
        'throw Error("cannot open the file that was asked for")',
      ),
      fc.nat(),
      (needle, place) => {
        const at = code.indexOf("}", place % (code.length - 100)) + 1;
        const text = `${code.slice(0, at)}${needle}${code.slice(at)}`;
        assert.ok(
          elided(text, "where is renderToolbar?").text.includes(needle),
        );
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("denseCompressor keeps lines that people may read", () => {
  const lines = [
    "Error: upload refused",
    minified(4000),
    "exit code 3",
    ...inputOf("base64").trimEnd().split("\n"),
    "done in 3 s",
  ];
  const { text } = elided(lines.join("\n"));
  for (const line of ["Error: upload refused", "exit code 3", "done in 3 s"]) {
    assert.ok(text.split("\n").includes(line), line);
  }
});

Deno.test("denseCompressor counts exactly the characters that are gone", () => {
  for (const { name, input } of GOLDENS) {
    const outcome = denseCompressor.compress(input, contextOf(true));
    if (outcome.type !== "elided") continue;
    const noted = [...outcome.text.matchAll(
      /(?:… \[|omitted \()([\d,]+) characters/g,
    )].reduce((sum, [, count]) => sum + Number(count!.replaceAll(",", "")), 0);
    assert.deepEqual(
      outcome.omitted,
      { count: noted, total: input.length, unit: "characters" },
      name,
    );
    const kept = outcome.text
      .replace(/^… lines .*\n/gm, "")
      .replace(/ … \[[\d,]+ characters omitted\] … /g, "");
    assert.equal(kept.length + noted, input.length, name);
  }
});

Deno.test("denseCompressor counts lines from the first line of a section", () => {
  const context = { ...contextOf(true), firstLine: 101 };
  const outcome = denseCompressor.compress(inputOf("pem"), context);
  assert(outcome.type === "elided");
  assert.match(outcome.text, /^… lines 102-\d+ omitted/m);
});

Deno.test("denseCompressor leaves short texts and its own notes alone", () => {
  for (const text of ["short", minified(350), "plain text\n".repeat(3)]) {
    assert.deepEqual(denseCompressor.compress(text, contextOf(true)), {
      type: "unchanged",
      reason: "nothing_to_fold",
    });
  }
  for (
    const text of [
      elided(inputOf("pem")).text,
      elided(minified(4000)).text,
      `${minified(4000)}\n<<ccr:0123456789abcdef01234567>>`,
    ]
  ) {
    assert.deepEqual(denseCompressor.compress(text, contextOf(true)), {
      type: "unchanged",
      reason: "already_compressed",
    });
  }
});

Deno.test("denseCompressor only folds when it may not elide", () => {
  const outcome = denseCompressor.compress(inputOf("zeros"), contextOf(false));
  assert(outcome.type === "reformatted");
  assert.equal(denseCompressor.restore!(outcome.text), inputOf("zeros"));
  assert.equal(
    denseCompressor.compress(inputOf("pem"), contextOf(false)).type,
    "unchanged",
  );
});

Deno.test("denseCompressor never splits a character", () => {
  const text = `${minified(2000)}${"😀".repeat(40)}${minified(2000)}`;
  const { text: out } = elided(text, "f33");
  assert.ok(out.isWellFormed());
});
