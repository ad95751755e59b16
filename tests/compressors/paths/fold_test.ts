import assert from "node:assert/strict";
import fc from "fast-check";
import {
  foldPaths,
  hasSelf,
  readList,
  unfoldPaths,
} from "../../../src/compressors/paths/fold.ts";
import { GOLDENS, manyPaths } from "./samples.ts";

Deno.test("foldPaths is undone by unfoldPaths on real lists", () => {
  for (const { name, input } of GOLDENS) {
    const end = input.endsWith("\r\n") ? "\r\n" : "\n";
    for (const text of [input, input.slice(0, -end.length), input + end]) {
      const folded = foldPaths(readList(text)!)!;
      assert.equal(unfoldPaths(folded), text, name);
    }
  }
});

Deno.test("readList knows each form by its text", () => {
  const labels = Object.fromEntries(
    GOLDENS.map(({ name, input }) => [name, readList(input)!.form.label]),
  );
  assert.equal(labels["treeCut"], "tree");
  assert.equal(labels["lsRecursive"], "ls");
  assert.equal(labels["gitStatus"], "git status without its usual hints");
  assert.equal(labels["diffStat"], "diff --stat with name|lines changed");
  assert.equal(labels["duSizes"], "du with name|size");
  assert.equal(labels["wcLines"], "wc with name|count");
  for (const name of ["findFew", "globAbsolute", "windowsCrlf", "lsNames"]) {
    assert.equal(labels[name], "", name);
  }
});

Deno.test("readList refuses mixed line ends", () => {
  assert.equal(readList("a/b\r\na/c\na/d\r\n"), undefined);
});

const segment = fc.constantFrom(
  ..."src net a.ts b.ts c.test.ts f1.bin f2.bin f3.bin f10.bin 007 008 009 . .. .env x.y.z é.md [id] @scope a|b a..1 1..3"
    .split(" "),
  "to do",
  "q*",
  'say "x"',
  "a: b",
);
const path = fc.array(segment, { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join("/"));
const prefix = fc.constantFrom(
  "",
  "",
  "",
  "./",
  "/",
  "C:\\",
  " M ",
  "?? ",
  "\t",
  "M\t",
  "\tmodified:   ",
);
const line = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.tuple(prefix, path).map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "src:",
      "./src:",
      "… 3 paths; names fill the *",
      "src/*.ts: a b",
      "find: ‘x’: Permission denied",
      "12 directories, 40 files",
      "├── a",
      "│   └── b",
      "On branch main",
      "Untracked files:",
      "4\tsrc/a",
      " a.ts | 3 ++",
      "  12 a.ts",
    ),
  },
);

Deno.test("foldPaths is undone by unfoldPaths on generated lists", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 40 }),
      fc.boolean(),
      (lines, ends) => {
        for (const chosen of [lines, lines.slice().sort()]) {
          const text = chosen.join("\n") + (ends ? "\n" : "");
          const list = readList(text);
          const folded = list === undefined ? undefined : foldPaths(list);
          if (folded !== undefined) assert.equal(unfoldPaths(folded), text);
        }
      },
    ),
    { numRuns: 600 },
  );
});

Deno.test("foldPaths is undone by unfoldPaths on directories and their entries", () => {
  const tree = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40 });
  fc.assert(
    fc.property(tree, fc.constantFrom("", "/"), (depths, end) => {
      const stack = ["/home/x"];
      const lines = depths.map((wanted, i) => {
        stack.length = Math.min(wanted, stack.length);
        stack.push(`${stack.at(-1)!}/n${i % 7}`);
        return stack.at(-1)! + end;
      });
      const text = ["/home/x", ...lines].join("\n");
      const folded = foldPaths(readList(text)!);
      assert.equal(unfoldPaths(folded!), text);
    }),
  );
});

Deno.test("foldPaths writes each directory once", () => {
  const text = ["src/net/a.ts", "src/net/b.ts", "src/net/c.ts", "src/app.ts"];
  assert.equal(
    foldPaths(readList(text.join("\n"))!),
    "… 4 paths; names fill the *\nsrc/net/*.ts: a b c\nsrc/app.ts",
  );
  const folded = foldPaths(readList(manyPaths(9, 9).join("\n"))!)!;
  assert.equal(folded.split("\n").length, 10);
});

Deno.test("unfoldPaths throws on a text without a heading", () => {
  assert.throws(() => unfoldPaths("src/a.ts\n"), /no heading/);
});

Deno.test("hasSelf sees a directory among its names", () => {
  assert.ok(hasSelf("src/*.ts: . a b"));
  assert.ok(hasSelf("src/*.ts: .|36 a|4"));
  assert.ok(!hasSelf("src/*: .env a"));
  assert.ok(!hasSelf("a: ./b"));
});
