import assert from "node:assert/strict";
import { pathsCompressor } from "../../../src/compressors/paths/compressor.ts";
import { testCompressor } from "../../conformance/compressor.ts";
import { contextOf, GOLDENS, inputOf, manyPaths } from "./samples.ts";
import { assertLinear } from "../../cpu_time.ts";

testCompressor(pathsCompressor, GOLDENS.map(({ input }) => input));

for (const { name, input, expected } of GOLDENS) {
  Deno.test(`pathsCompressor writes the golden text of ${name}`, () => {
    const outcome = pathsCompressor.compress(input, contextOf(true));
    assert(outcome.type !== "unchanged");
    assert.equal(outcome.text, expected);
  });
}

Deno.test("pathsCompressor folds a list that it may not elide", () => {
  const input = inputOf("findLarge");
  const outcome = pathsCompressor.compress(input, contextOf(false));
  assert(outcome.type === "reformatted");
  assert.ok(outcome.text.length < 0.6 * input.length);
  assert.equal(pathsCompressor.restore!(outcome.text), input);
});

Deno.test("pathsCompressor halves a small list without loss", () => {
  const input = manyPaths(2, 10).join("\n");
  const outcome = pathsCompressor.compress(input, contextOf(true));
  assert(outcome.type === "reformatted");
  assert.ok(outcome.text.length < 0.6 * input.length);
});

Deno.test("pathsCompressor keeps what the query asks for in an elided list", () => {
  const needle = "packages/part007/src/zebra_loader.ts";
  const input = manyPaths(40, 50).toSpliced(375, 0, needle).join("\n");
  const shown = (query: string) => {
    const outcome = pathsCompressor.compress(input, contextOf(true, query));
    assert(outcome.type === "elided");
    assert.ok(outcome.text.length < 0.4 * input.length);
    return outcome.text.includes("zebra_loader");
  };
  assert.ok(shown("Where is the zebra loader?"));
  assert.ok(!shown(""));
});

Deno.test("pathsCompressor counts lines from the first one of the context", () => {
  const input = manyPaths(40, 50).join("\n");
  const numbersIn = (firstLine: number) => {
    const context = { ...contextOf(true), firstLine };
    const outcome = pathsCompressor.compress(input, context);
    assert(outcome.type === "elided");
    return [...outcome.text.matchAll(/^… lines (\d+)-/gm)].map((found) =>
      Number(found[1])
    );
  };
  assert.deepEqual(numbersIn(101), numbersIn(1).map((line) => line + 100));
});

Deno.test("pathsCompressor leaves its own output and mixed line ends alone", () => {
  const reasonOf = (text: string) => {
    const outcome = pathsCompressor.compress(text, contextOf(true));
    return outcome.type === "unchanged" ? outcome.reason : outcome.type;
  };
  for (const name of ["findLarge", "treeCut", "gitStatus"]) {
    const outcome = pathsCompressor.compress(inputOf(name), contextOf(true));
    assert(outcome.type !== "unchanged");
    assert.equal(reasonOf(outcome.text), "already_compressed");
  }
  assert.equal(reasonOf("a/b\r\na/c\n"), "mixed_line_ends");
  assert.equal(
    reasonOf("src/*.ts: a b\nsrc/a.ts\nsrc/b.ts"),
    "nothing_to_fold",
  );
});

Deno.test("pathsCompressor takes time in proportion to the text", async () => {
  const makers: Record<string, (size: number) => string> = {
    "one name": (n) => "a".repeat(n),
    "one deep path": (n) => "a/".repeat(n / 2),
    "short lines": (n) => "a\n".repeat(n / 2),
    "deep paths": (n) => `${"/a".repeat(2000)}\n`.repeat(n / 4001),
    spaces: (n) => " ".repeat(n),
    "a tree": (n) => "├── a\n".repeat(n / 6),
    "a deep tree": (n) => `${"    ".repeat(50)}└── a\n`.repeat(n / 206),
    directories: (n) => "a:\n\n".repeat(n / 4),
    "numbered names": (n) => "1 a\n".repeat(n / 4),
    "many files": (n) => manyPaths(n / 2000, 50).join("\n"),
  };
  const work = (text: string) =>
    pathsCompressor.compress(text, contextOf(true));
  for (const [name, make] of Object.entries(makers)) {
    await assertLinear(name, { make, work, sizes: [10_000, 200_000] });
  }
});

Deno.test("pathsCompressor uses no fold of a damaged listing that would not give it back", () => {
  const listing = inputOf("lsRecursive");
  const damaged = listing.replace(/^(\S+:)$/gm, "$1\n$1");
  for (const text of [listing, damaged]) {
    const outcome = pathsCompressor.compress(text, {
      query: "",
      mayElide: false,
      countTokens: (part) => Math.ceil(part.length / 4),
    });
    if (outcome.type !== "reformatted") continue;
    assert.equal(pathsCompressor.restore?.(outcome.text), text);
  }
});
