import assert from "node:assert/strict";
import {
  isNamed,
  isWanted,
  wantedOf,
} from "../../../src/compressors/source_code/wanted.ts";
import { indexLines } from "../../../src/text/lines.ts";

const LINES = indexLines(
  "alpha beta\ngamma zebra\n" + "other words\n".repeat(50),
);

Deno.test("wantedOf finds the lines of a query, and none without one", () => {
  const wanted = wantedOf(LINES, "where is the zebra?");
  assert.ok(isWanted(wanted, 1, 1));
  assert.ok(isWanted(wanted, 0, 40));
  assert.ok(!isWanted(wanted, 0, 0));
  assert.ok(!isWanted(wanted, 2, 51));
  assert.ok(!isWanted(wantedOf(LINES, ""), 0, 51));
});

Deno.test("wantedOf takes identifiers as names, short words only where they are marked", () => {
  const { names } = wantedOf(
    LINES,
    "read the map, then Berth.book() and `scan`; runAll too, and tick(",
  );
  for (const name of ["Berth", "book", "scan", "runAll", "tick"]) {
    assert.ok(names.has(name), name);
  }
  for (const name of ["read", "map", "the"]) assert.ok(!names.has(name), name);
});

Deno.test("isNamed wants the whole name, or two words and more of it", () => {
  const wanted = wantedOf(
    LINES,
    "where does it load the root of a tree? see scan()",
  );
  for (const name of ["scan", "loadRoot", "tree_roots"]) {
    assert.ok(isNamed(wanted, name), name);
  }
  for (const name of ["", "root", "loadLeaf", "scanner"]) {
    assert.ok(!isNamed(wanted, name), name);
  }
});

Deno.test("wantedOf takes no names from files, folders and keys of arguments", () => {
  const { names, terms } = wantedOf(
    LINES,
    'how is it remembered?\n{"filePath":"src/cache/Reads.ts","command":"git show HEAD~5:lib/a/rows.py /var/data/zebra"}',
  );
  for (const name of ["filePath", "Reads", "cache", "rows", "zebra"]) {
    assert.ok(!names.has(name) && !terms.has(name.toLowerCase()), name);
  }
  assert.ok(names.has("remembered"));
});

Deno.test("wantedOf wants no line for a word in many lines", () => {
  const lines = indexLines("other words\nthe zebra\nthe end\n".repeat(9));
  assert.ok(!isWanted(wantedOf(lines, "zebra?"), 0, 26));
});
