import assert from "node:assert/strict";
import fc from "fast-check";
import { denseKind } from "../../../src/compressors/dense/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { contextOf, goldensIn, inputOf, testGoldens } from "../goldens.ts";
import { minified } from "./samples.ts";

const { compressor, recognise } = entryOf(denseKind);

testGoldens(compressor, {
  folder: "dense",
  queries: {
    minified_js: "where does foldPrefixes look at the longest start?",
    minified_css: "which colour has btn-danger",
  },
});

function elided(text: string, query = "") {
  const outcome = compressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

Deno.test("denseKind keeps what the query asks for, and messages of errors, wherever they stand", () => {
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

Deno.test("denseKind keeps lines that people may read", () => {
  const lines = [
    "Error: upload refused",
    minified(4000),
    "exit code 3",
    ...inputOf("dense/base64").trimEnd().split("\n"),
    "done in 3 s",
  ];
  const { text } = elided(lines.join("\n"));
  for (const line of ["Error: upload refused", "exit code 3", "done in 3 s"]) {
    assert.ok(text.split("\n").includes(line), line);
  }
});

Deno.test("denseKind counts exactly the characters that are gone", () => {
  for (const { name, input } of goldensIn("dense")) {
    const outcome = compressor.compress(input, contextOf(true));
    if (outcome.type !== "elided") continue;
    const noted = [...outcome.text.matchAll(
      /(?:… \[|omitted \()([\d,]+) characters/g,
    )].reduce((sum, [, count]) => sum + Number(count!.replaceAll(",", "")), 0);
    assert.deepEqual(
      outcome.omitted,
      { count: noted, total: input.length, unit: "characters" },
      name,
    );
    const spaces = outcome.text.match(/ … \[/g)?.length ?? 0;
    const kept = outcome.text
      .replace(/^… lines .*\n/gm, "")
      .replace(/ ?… \[[\d,]+ characters omitted\] … /g, "");
    const missing = input.length - kept.length - noted;
    // A note adds a space where none is.
    assert.ok(missing >= 0 && missing <= spaces, `${name}: ${missing}`);
  }
});

Deno.test("denseKind counts lines from the first line of a section", () => {
  const context = { ...contextOf(true), firstLine: 101 };
  const outcome = compressor.compress(inputOf("dense/pem"), context);
  assert(outcome.type === "elided");
  assert.match(outcome.text, /^… lines 102-\d+ omitted/m);
});

Deno.test("denseKind leaves texts alone that are a form already", () => {
  const text = `${minified(4000)}\n<<ccr:0123456789abcdef01234567>>`;
  assert.deepEqual(compressor.compress(text, contextOf(true)), {
    type: "unchanged",
    reason: "already_compressed",
  });
});

Deno.test("denseKind only folds when it may not elide", () => {
  const outcome = compressor.compress(inputOf("dense/zeros"), contextOf(false));
  assert(outcome.type === "reformatted");
  assert.equal(outcome.restore?.(outcome.text), inputOf("dense/zeros"));
  assert.equal(
    compressor.compress(inputOf("dense/pem"), contextOf(false)).type,
    "unchanged",
  );
});

Deno.test("denseKind never splits a character", () => {
  const text = `${minified(2000)}${"😀".repeat(40)}${minified(2000)}`;
  const { text: out } = elided(text, "f33");
  assert.ok(out.isWellFormed());
});

for (const { name, input } of goldensIn("dense")) {
  Deno.test(`denseKind claims ${name}`, () => {
    const confidence = recognise(input);
    assert.ok(confidence === 1, `${confidence}`);
  });
}

for (
  const { name, input } of ["json", "log", "prose", "search_results"].flatMap(
    goldensIn,
  ).filter((golden) => golden.name !== "minified")
) {
  Deno.test(`denseKind leaves ${name} to others`, () => {
    const confidence = recognise(input);
    assert.ok(confidence === 0, `${confidence}`);
  });
}

const words = "the door is open and the light is on in the hall ";
const OTHERS: Record<string, string> = {
  paragraph: words.repeat(60),
  chinese: "门是开着的灯也亮着房间里没有人一切都和昨天一样".repeat(60),
  json: `{"a":"${"x1Y".repeat(500)}"}`,
  report: `(node:7) DeprecationWarning: old thing\n${
    JSON.stringify({
      total: 90,
      results: Array.from(
        { length: 90 },
        (_, i) => ({ name: `case ${i}`, status: "passed", took: i % 7 }),
      ),
    })
  }\n`,
  array: `[${Array.from({ length: 500 }, (_, i) => i).join(",")}]\n`,
  csv: `${Array.from({ length: 90 }, (_, i) => `c${i}`).join(",")}\n`.repeat(9),
  log: `2026-02-02T10:00:01Z ${minified(500)}\n`.repeat(9),
  paths: "/home/dev/project/src/components/navigation/toolbar/button/index\n"
    .repeat(30),
  commits: "4f1c2aa90b1e7d55c0a8f6b3d2e19c7745a0bb12 fix the door\n".repeat(30),
  code: "export function read(a: string) {\n  return open(a);\n}\n".repeat(30),
  empty: "",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`denseKind leaves ${name} text to others`, () => {
    const confidence = recognise(text);
    assert.ok(confidence === 0, `${confidence}`);
  });
}

Deno.test("denseKind claims one long line, and leaves a short one alone", () => {
  assert.ok(recognise(minified(3000)) === 1);
  assert.ok(recognise(minified(100)) === 0);
});

Deno.test("denseKind leaves pages of tags to others", () => {
  const page = `<!doctype html><html>${"<p>one</p><b>two</b>".repeat(200)}`;
  assert.equal(recognise(page), 0);
  assert.equal(recognise(page.slice(20)), 0);
});
