import assert from "node:assert/strict";
import { askedOf } from "../../../src/compressors/source_code/question.ts";
import { indexLines } from "../../../src/text/lines.ts";

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
