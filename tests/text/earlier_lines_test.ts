import assert from "node:assert/strict";
import fc from "fast-check";
import { comparedLines, EarlierLines } from "../../src/text/earlier_lines.ts";
import { assertLinear } from "../cpu_time.ts";

const compared = (text: string, path = "") => comparedLines(text, path)!;
const linesOf = (text: string, path = "") => {
  const { starts, ends } = compared(text, path);
  return [...starts].map((start, i) => text.slice(start, ends[i]));
};
const LINES = Array.from({ length: 20 }, (_, i) => `line ${i} of this text`);

/** What is found of `text` behind `earlier`. */
function find(earlier: readonly string[], text: string) {
  const known = new EarlierLines<number>();
  for (const [i, one] of earlier.entries()) known.add(i, compared(one));
  return known.find(compared(text));
}

Deno.test("comparedLines takes numbers off where most lines have them, and only there", () => {
  const numbered = LINES.map((line, i) => `${i + 7}→${line}`);
  const text = ["head", ...numbered].join("\n");
  assert.deepEqual(linesOf(text), LINES);
  assert.equal(compared(text).first, 7);
  assert.equal(compared(text).skipped, 1);
  assert.deepEqual(linesOf("1→a\nb\nc\n"), ["1→a", "b", "c"]);
  const keys = LINES.map((line, i) => `${i + 7}: ${line}`);
  assert.deepEqual(linesOf(keys.join("\n"), "a.yaml"), keys);
});

Deno.test("comparedLines reads lines as an array of them has them, for any text without numbers", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 })), (parts) => {
      const text = parts.map((part) => `x${part}`).join("\n");
      fc.pre(text !== "" && !/^[ 0]*\d/m.test(text));
      assert.deepEqual(linesOf(text), text.split("\n"));
    }),
  );
});

Deno.test("comparedLines refuses a text with more lines than are looked at in one step", () => {
  assert.notEqual(comparedLines("a\n".repeat(11_999), ""), undefined);
  assert.equal(comparedLines("a\n".repeat(12_001), ""), undefined);
});

Deno.test("EarlierLines finds the longest run, of several as long the first one", () => {
  const head = LINES.slice(0, 5).join("\n");
  const all = LINES.join("\n");
  assert.deepEqual(find([head, all, all], `new\n${all}\nnew`), [
    { line: 1, count: 20, owner: 1, at: 0 },
  ]);
});

Deno.test("EarlierLines finds runs around what was changed, beginning with lines that are in other texts too", () => {
  const common = ["}", "", "}"];
  const others = Array.from(
    { length: 5 },
    (_, i) => [`a${i}`, ...common, `b${i}`].join("\n"),
  );
  const own = [...LINES.slice(0, 8), ...common, ...LINES.slice(8)];
  const changed = own.with(7, "changed");
  assert.deepEqual(find([...others, own.join("\n")], changed.join("\n")), [
    { line: 0, count: 7, owner: 5, at: 0 },
    { line: 8, count: 15, owner: 5, at: 8 },
  ]);
});

Deno.test("EarlierLines finds no run below three lines and forty characters, and none across two texts", () => {
  assert.deepEqual(find([LINES.slice(0, 2).join("\n")], LINES.join("\n")), []);
  assert.deepEqual(find(["a\nb\nc\nd"], "a\nb\nc\nd"), []);
  const [first, second] = [LINES.slice(0, 2), LINES.slice(2, 4)];
  assert.deepEqual(
    find([first.join("\n"), second.join("\n")], LINES.join("\n")),
    [],
  );
});

Deno.test("EarlierLines finds disjoint runs in order whose lines are the same, for any texts", () => {
  const line = fc.constantFrom("one long line", "another line", "}", "", "x");
  const text = fc.array(line, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (earlier, own) => {
      let next = 0;
      const runs = find(
        earlier.map((lines) => `${lines.join("\n")}\n`),
        `${own.join("\n")}\n`,
      );
      for (const { line, count, owner, at } of runs) {
        assert(line >= next && count >= 3);
        next = line + count;
        assert(next <= own.length);
        assert.deepEqual(
          earlier[owner]!.slice(at, at + count),
          own.slice(line, next),
        );
      }
    }),
  );
});

Deno.test("EarlierLines leaves a text out that is too much, and finds those before it", () => {
  const known = new EarlierLines<number>();
  const long = compared("line of a text\n".repeat(11_000));
  for (let i = 0; i < 30; i++) known.add(i, long);
  assert(known.size <= 200_000);
  assert.equal(known.find(long)[0]!.owner, 0);
});

Deno.test("EarlierLines takes time in proportion to its texts", async () => {
  const hostile: Record<string, (lines: number) => string> = {
    "equal lines": (n) => "the same line again\n".repeat(n),
    "near-equal lines": (n) =>
      Array.from({ length: n }, (_, i) => `line ${i % 7 ? 0 : i}`).join("\n"),
    "blank lines": (n) => "\n".repeat(n),
    "three lines in turn": (n) => "a\nb\nc\n".repeat(n / 3),
    "numbered lines": (n) =>
      Array.from({ length: n }, (_, i) => `${i + 1}→line ${i % 5}`).join("\n"),
    "different lines": (n) =>
      Array.from({ length: n }, (_, i) => `line ${i * 7919}`).join("\n"),
  };
  for (const [name, make] of Object.entries(hostile)) {
    await assertLinear(name, {
      make,
      work: (text) => find([text, `x\n${text}`, text.slice(7)], `y\n${text}`),
      sizes: [300, 3000, 11_000],
    });
  }
});
