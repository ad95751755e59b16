import assert from "node:assert/strict";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import {
  askedOf,
  weighBodies,
} from "../../../src/compressors/source_code/bodies.ts";
import { layoutOf } from "../../../src/compressors/source_code/layout.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { indexLines } from "../../../src/text/lines.ts";
import {
  compressor,
  contextOf,
  linesOf,
  outlineOf,
  readOutline,
} from "./samples.ts";

/** Weights of the lines of bodies; nothing else is weighed. */
function weighed(text: string, named = "", sign: "//" | "#" = "//"): number[] {
  const blocks = blocksOf(layoutOf(text, sign));
  const weights = new Uint8Array(blocks.zones.length);
  const bundles = new Int32Array(weights.length);
  const asked = { isNamed: (name: string) => name === named, lines: [] };
  weighBodies(blocks, { weights, bundles }, asked);
  return [...weights];
}

Deno.test("weighBodies knows functions by the names that they are declared or assigned under", () => {
  const body = "    a();\n".repeat(9);
  const cases: readonly (readonly [string, string])[] = [
    ["function one() {", "one"],
    ["export const two = async (a) => {", "two"],
    ["  three: function () {", "three"],
    ["func (s *S) four(a int) error {", "four"],
    ["pub fn five<T>(a: T) -> T {", "five"],
    ["static int six(int a)\n{", "six"],
    ["std::string A::seven() const {", "seven"],
  ];
  for (const [head, name] of cases) {
    const weights = weighed(`${head}\n${body}}\n`, name);
    assert.ok(weights.includes(STAYS), head);
    const others = weighed(`${head}\n${body}}\n`, "other");
    assert.ok(!others.includes(STAYS), head);
  }
  const python = `def eight(\n    a,\n):\n${"    b()\n".repeat(9)}`;
  assert.ok(weighed(python, "eight", "#").includes(STAYS));
});

Deno.test("weighBodies keeps no docstring for a body, and no body in a body", () => {
  const text = 'def f():\n    """A.\n\n    B."""\n    return 1\n';
  const weights = weighed(text, "", "#");
  assert.deepEqual(weights.map((weight) => weight > 0), [
    false,
    false,
    false,
    false,
    true,
  ]);
});

Deno.test("weighBodies shows where a function branches that is most of a text", () => {
  const text = `def main():\n${"    step()\n".repeat(20)}    if ready:\n${
    "        step()\n".repeat(10)
  }    return 1\n`;
  const weights = weighed(text, "", "#");
  assert.ok((weights[21] ?? 0) > 0, "the branch");
  assert.ok((weights[32] ?? 0) > 0, "the end");
  assert.equal(weights.filter((weight) => weight > 0).length, 2);
});

/** Twelve lines that occur once. */
function bodyOf(name: string): string {
  return Array.from(
    { length: 12 },
    (_, i) => `  ${name}.step(first${i}, second, third);\n`,
  ).join("");
}

const TWO = `function f(a) {\n${bodyOf("b")}}\n\nfunction g(a) {\n${
  bodyOf("c")
}}\n`;

Deno.test("shutBodies writes what is missing behind the line that begins a body, and what closes it", () => {
  assert.equal(
    outlineOf(TWO, { path: "a.ts" }).text,
    "function f(a) { … lines 2-14 omitted }\n\nfunction g(a) { … lines 17-29 omitted }\n",
  );
});

Deno.test("shutBodies counts from the first line of the text", () => {
  const { text } = outlineOf(TWO, { path: "a.ts", firstLine: 101 });
  assert.ok(text.startsWith("function f(a) { … lines 102-114 omitted }\n"));
});

Deno.test("shutBodies says what a body may throw", () => {
  const text = TWO.replace("b.step", 'throw new RangeError("no"); b.step');
  assert.ok(
    outlineOf(text, { path: "a.ts" }).text.includes(
      "{ … lines 2-14 omitted (throws RangeError) }\n",
    ),
  );
});

Deno.test("shutBodies writes nothing behind a line whose gap is more than its body", () => {
  const members = Array.from(
    { length: 40 },
    (_, i) => `  a${i}: (x) => {\n${bodyOf(`b${i}`)}  },\n`,
  ).join("");
  const { text } = outlineOf(`const a = {\n${members}};\n`, { path: "a.ts" });
  let covered = 0;
  for (const [, from, to] of text.matchAll(/lines (\d+)-(\d+) omitted/g)) {
    covered += Number(to) - Number(from) + 1;
  }
  const kept =
    text.split("\n").filter((line) => line !== "" && !/^\s*\/\/ …/.test(line))
      .length;
  assert.equal(covered + kept, 2 + 14 * 40);
});

Deno.test("shutBodies leaves bodies in which a note of an earlier compression is to notes of their own", () => {
  const text = TWO.replace(
    "  b.step(first11, second, third);\n}\n\n",
    "// … lines 5-9 omitted\n  last();\n}\n\n",
  );
  const outcome = compressor.compress(text, contextOf({ path: "a.ts" }));
  assert(outcome.type === "elided");
  assert.ok(outcome.text.includes("// … lines 5-9 omitted\n"));
  assert.ok(!outcome.text.includes("{ …"));
  assert.ok(outcome.text.includes("  // … lines 2-11 omitted\n"), outcome.text);
});

const LINES = indexLines(
  "alpha beta\ngamma zebra\n" + "other words\n".repeat(50),
);

Deno.test("askedOf finds the lines of a question, and none without one", () => {
  assert.deepEqual(askedOf(LINES, "where is the zebra?").lines, [1]);
  assert.deepEqual(askedOf(LINES, "").lines, []);
  const many = indexLines("other words\nthe zebra\nthe end\n".repeat(9));
  assert.deepEqual(askedOf(many, "zebra?").lines, []);
});

Deno.test("askedOf takes identifiers as names, short words only where they are marked", () => {
  const { isNamed } = askedOf(
    LINES,
    "read the map, then Berth.book() and `scan`; runAll too, and tick(",
  );
  for (const name of ["Berth", "book", "scan", "runAll", "tick"]) {
    assert.ok(isNamed(name), name);
  }
  for (const name of ["read", "map", "the", ""]) assert.ok(!isNamed(name));
});

Deno.test("askedOf wants the whole name, or two words and more of it", () => {
  const { isNamed } = askedOf(
    LINES,
    "where does it load the root of a tree? see scan()",
  );
  for (const name of ["scan", "loadRoot", "tree_roots"]) {
    assert.ok(isNamed(name), name);
  }
  for (const name of ["", "root", "loadLeaf", "scanner"]) {
    assert.ok(!isNamed(name), name);
  }
});

Deno.test("askedOf knows a name by another form of its word", () => {
  const { isNamed } = askedOf(LINES, "how does eviction work, with retries?");
  for (const name of ["evict", "evicts", "retry", "retried"]) {
    assert.ok(isNamed(name), name);
  }
  for (const name of ["evidence", "return", "works"]) {
    assert.ok(!isNamed(name), name);
  }
});

Deno.test("askedOf finds what handles errors only where the question is about them", () => {
  const lines = indexLines(
    "catch (e) {\nraise Late\nonFailure.accept(e)\n" + "a line\n".repeat(50),
  );
  const found = askedOf(lines, "what happens when it throws?").failures;
  assert.deepEqual([...found].sort(), [0, 1, 2]);
  assert.deepEqual(askedOf(lines, "how fast is the job?").failures, []);
});

Deno.test("askedOf takes no names from files, folders and keys of arguments", () => {
  const { isNamed, lines } = askedOf(
    LINES,
    'how is it remembered?\n{"filePath":"src/cache/Reads.ts","command":"git show HEAD~5:lib/a/rows.py /var/data/zebra"}',
  );
  for (const name of ["filePath", "Reads", "cache", "rows", "zebra"]) {
    assert.ok(!isNamed(name), name);
  }
  assert.deepEqual(lines, []);
  assert.ok(isNamed("remembered"));
});

Deno.test("shutBodies leaves out what closes a body only where no kept line is below it", () => {
  const text = `class A {\n  f() {\n${
    bodyOf("  b")
  }  }\n\n  /**\n   * The end.\n   */\n`;
  const { text: form } = outlineOf(text, { path: "A.java" });
  const { kept, covered } = readOutline(form);
  assert.equal(kept.length + covered, linesOf(text).length, form);
});
