import assert from "node:assert/strict";
import fc from "fast-check";
import { blocksOf } from "../../../src/compressors/source_code/blocks.ts";
import { layoutOf } from "../../../src/compressors/source_code/layout.ts";
import { outlineOf } from "../../../src/compressors/source_code/outline.ts";
import { commentSignOf } from "../../../src/compressors/source_code/recognise.ts";
import { isSealed, notesIn } from "../../../src/engine/note.ts";
import { assertLinear } from "../../cpu_time.ts";
import { LISTED } from "./outline_samples.ts";
import { LISTED_SYSTEMS } from "./outline_systems_samples.ts";
import { compressor, contextOf, GOLDENS, linesOf } from "./samples.ts";

/** The outline of a file, its entries read back. */
function outline(text: string, path: string, firstLine = 1) {
  const sign = commentSignOf(text, { path });
  const form = sign && outlineOf(blocksOf(layoutOf(text, sign)), firstLine);
  if (form === undefined) return undefined;
  const [head = "", ...rest] = form.text.trimEnd().split("\n");
  const note = rest.pop() ?? "";
  const entries = rest.map((line) => {
    const [, first = "", last = first, indent = "", words = ""] =
      /^(\d+)(?:-(\d+))? ( *)(.*)$/.exec(line) ?? [];
    return {
      first: Number(first),
      last: Number(last),
      depth: indent.length / 2,
      words,
    };
  });
  return { ...form, head, note, entries };
}

const shown = (text: string, path: string) =>
  outline(text, path)?.text.split("\n").slice(1, -2);

Deno.test("outlineOf names declarations, imports and methods with their first and last lines", () => {
  const text = `/** A store. */
import { a } from "./a.ts";
import {
  b,
} from "./b.ts";

// TODO: forget old ones
export const MAX = 10;

/** Keeps rows. */
export class Store {
  readonly #rows = new Map();

  constructor(path: string) {
    this.path = path;
  }

  /** Reads one. */
  async get(
    key: string,
    fallback?: Row,
  ): Promise<Row | undefined> {
    // FIXME
    return this.#rows.get(key) ?? fallback;
  }
}

export function open(path: string): Store {
  if (path === "") {
    throw new Error("no path");
  } else {
    return new Store(path);
  }
}
`;
  assert.deepEqual(shown(text, "a.ts"), [
    "2-5 imports ./a.ts, ./b.ts",
    "8 export const MAX = 10;",
    "11-26 export class Store",
    "12   readonly #rows = new Map();",
    "14-16   constructor(path: string)",
    "19-25   async get(key: string, fallback?: Row): Promise<Row | undefined>",
    "28-34 export function open(path: string): Store",
  ]);
  const found = outline(text, "a.ts")!;
  assert.match(found.head, /^\[Outline of lines 1-34 instead of the file:/);
  assert.equal(
    found.note,
    "… 25 lines omitted (2 with TODO, FIXME or the like)",
  );
  assert.deepEqual(found.omitted, { count: 25, total: 34, unit: "lines" });
  assert.equal(outline(text, "a.ts", 101)!.entries[4]!.first, 114);
});

Deno.test("outlineOf reads languages without braces, and imports without quotes", () => {
  const text = `"""Orders."""
import os
from decimal import Decimal

RATE = 3

@dataclass
class Order:
    """One order."""
    total: Decimal

    def pay(self, amount):
        if amount < 0:
            raise ValueError(amount)
        self.paid = amount

    @property
    def open(self):
        return self.paid < self.total


def main():
    print(Order())
    return 0
`;
  assert.deepEqual(shown(text, "orders.py"), [
    "2-3 imports os, decimal",
    "5 RATE = 3",
    "7 @dataclass",
    "8-19 class Order:",
    "10   total: Decimal",
    "12-15   def pay(self, amount):",
    "18-19   def open(self):",
    "22-24 def main():",
  ]);
});

for (const [path, text, listed] of [...LISTED, ...LISTED_SYSTEMS]) {
  Deno.test(`outlineOf lists each declaration from its first to its last line: ${path}`, () => {
    assert.deepEqual(shown(text, path), listed);
    const crlf = text.replaceAll("\n", "\r\n");
    assert.deepEqual(shown(crlf, path), listed, "CRLF");
  });
}

Deno.test("outlineOf counts members of one line that follow each other in large number", () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => `  A${i} = ${i},`).join("\n");
  const text = (count: number) =>
    `export enum Code {\n${rows(count)}\n}\nfunction a() {\n  return 1;\n}\n`;
  assert.equal(shown(text(40), "a.ts")!.length, 42);
  const many = shown(text(41), "a.ts")!;
  assert.equal(many.length, 1 + 24 + 1 + 1);
  assert.deepEqual(many.slice(-3), [
    "25   A23 = 23,",
    "26-42   17 more members of one line each",
    "44-46 function a()",
  ]);
  assert.equal(outline(text(41), "a.ts")!.omitted.count, 46 - 26);
});

const SHELL = "set -e\na() {\n  echo 1\n}\nb() {\n  echo 2\n}\n".repeat(3);
for (
  const [name, path, text] of [
    ["heredoc", "a.sh", "c() {\n  cat <<EOT\n}\nEOT\n  echo\n}\n"],
    ["quoted heredoc", "a.sh", "c() {\n  cat << 'E-T'\nd() {\n}\nE-T\n}\n"],
    ["squiggly heredoc", "a.rb", "def c\n  a(<<~SQL.strip)\nend\n  SQL\nend\n"],
    ["string over lines", "a.sh", "c() {\n  awk '\n/a/ {\n}\n'\n}\n"],
    ["POD", "a.pl", "sub c {\n  1;\n}\n\n=pod\n\nsub d {\n}\n\n=cut\n"],
    ["brackets that do not match", "a.sh", "c() {\n  echo {\n}\n"],
    ["long string", "a.lua", "function c()\n  x([[\nend\n]])\nend\n"],
    ["function in dollars", "a.sql", "CREATE FUNCTION c() AS $$\nEND;\n$$;\n"],
  ] as const
) {
  Deno.test(`outlineOf makes none where no range is sure: ${name}`, () => {
    const sign = path.endsWith(".lua") || path.endsWith(".sql") ? "--" : "#";
    const blocks = (all: string) => blocksOf(layoutOf(all, sign));
    assert.ok(outlineOf(blocks(SHELL), 1));
    assert.equal(outlineOf(blocks(SHELL + text), 1), undefined);
    if (name.includes("heredoc")) {
      const unnamed = blocksOf(layoutOf(SHELL + text, "//"));
      assert.equal(outlineOf(unnamed, 1), undefined);
    }
  });
}

Deno.test("outlineOf takes a shift for no heredoc", () => {
  assert.ok(outlineOf(
    blocksOf(layoutOf(`${SHELL}x = 1 << BITS\nclass << self\nself\n`, "#")),
    1,
  ));
});

Deno.test("outlineOf gives ranges that are in the file, in order, each inside of the one it is nested in", () => {
  const property = fc.property(
    fc.constantFrom(...GOLDENS),
    fc.nat(),
    fc.nat(),
    fc.integer({ min: 1, max: 5000 }),
    ({ input, path }, from, size, firstLine) => {
      const lines = linesOf(input);
      const start = from % lines.length;
      const part = lines.slice(start, start + 20 + size % lines.length);
      const found = outline(`${part.join("\n")}\n`, path, firstLine);
      if (found === undefined) return;
      const open: { last: number }[] = [];
      let before = firstLine - 1;
      for (const { first, last, depth, words } of found.entries) {
        assert.ok(first > before && last >= first);
        assert.ok(last < firstLine + part.length);
        before = first;
        open.length = Math.min(open.length, depth);
        for (const outer of open) assert.ok(last <= outer.last);
        open[depth] = { last };
        const own = part[first - firstLine]!.trim();
        const isQuoted = words.startsWith(
          own.slice(0, 8).replace(/\s*\{$/, ""),
        );
        assert.ok(isQuoted || words.startsWith("imports "), `${own}: ${words}`);
      }
      const { count, total } = found.omitted;
      assert.equal(total, part.length);
      assert.ok(count > 0 && count <= total);
      assert.equal(notesIn(found.text).length, 1, "one note, found again");
      assert.ok(!isSealed(found.text));
    },
  );
  fc.assert(property, { numRuns: 200 });
});

Deno.test("outlineOf makes none of what says little, and of what is compressed already", () => {
  assert.equal(outline("const a = 1;\n".repeat(1), "a.ts"), undefined);
  const whole = "export function a() {\n  return 1;\n}\n".repeat(9);
  assert.ok(outline(whole, "a.ts"));
  assert.equal(
    outline(`${whole}// … lines 3-9 omitted\n`, "a.ts"),
    undefined,
  );
});

Deno.test("sourceCodeKind writes an outline only where that is asked for, and where it gains", () => {
  for (const { input, path } of GOLDENS) {
    const context = contextOf({ path });
    const normal = compressor.compress(input, context);
    assert.ok(!("text" in normal) || !normal.text.startsWith("[Outline"));
    const form = compressor.compress(input, { ...context, isOutline: true });
    if (form.type === "unchanged") continue;
    assert.ok(form.text.startsWith("[Outline"));
    assert.ok(form.text.length < 0.85 * input.length, path);
  }
  const constants = Array.from({ length: 60 }, (_, i) => `const A${i} = ${i};`);
  const outcome = compressor.compress(
    constants.join("\n"),
    contextOf({ path: "a.ts", isOutline: true }),
  );
  assert.deepEqual(outcome, { type: "unchanged", reason: "nothing_to_fold" });
});

for (
  const [name, line] of [
    ["imports", 'import a from "a";\n'],
    ["one declaration in another", "class A {\n"],
    ["long lines", `const a = "${"x, ".repeat(400)}";\n`],
    ["parameters without an end", "function f(\n"],
  ] as const
) {
  Deno.test(`outlineOf takes time in proportion to the text: ${name}`, async () => {
    await assertLinear(name, {
      make: (size) => line.repeat(Math.ceil(size / line.length)),
      work: (text) => outlineOf(blocksOf(layoutOf(text, "//")), 1),
      sizes: [20_000, 200_000],
    });
  });
}
