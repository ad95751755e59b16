import assert from "node:assert/strict";
import fc from "fast-check";
import {
  groupLine,
  namesOf,
  pathsOf,
  quoted,
  readGroup,
} from "../../../src/compressors/paths/group_line.ts";

const paths = (line: string, root = "", isSized = false) =>
  pathsOf(readGroup(line)!, root, isSized);

Deno.test("pathsOf puts each name in place of the star", () => {
  assert.deepEqual(paths("src/net/*.ts: a b", "/x/"), [
    "/x/src/net/a.ts",
    "/x/src/net/b.ts",
  ]);
  assert.deepEqual(paths("\tmodified:   *: a.ts b/c.md"), [
    "\tmodified:   a.ts",
    "\tmodified:   b/c.md",
  ]);
});

Deno.test("pathsOf reads the directory itself, quotes and ranges", () => {
  assert.deepEqual(paths("src/*.ts: . a"), ["src", "src/a.ts"]);
  assert.deepEqual(paths("src/*: ./ a"), ["src/", "src/a"]);
  assert.deepEqual(paths('d/*.md: "to do" "." "a1..3"'), [
    "d/to do.md",
    "d/..md",
    "d/a1..3.md",
  ]);
  assert.deepEqual(paths("f*.bin: 08..11 8..11"), [
    ...["f08.bin", "f09.bin", "f10.bin", "f11.bin"],
    ...["f8.bin", "f9.bin", "f10.bin", "f11.bin"],
  ]);
});

Deno.test("pathsOf puts what is hoisted before the number of a sized name", () => {
  assert.deepEqual(paths("src/*.ts: .|36 a|4 b|12++--", "", true), [
    "src|36",
    "src/a.ts|4",
    "src/b.ts|12++--",
  ]);
  assert.deepEqual(paths("src/*.ts: a|4", "", false), ["src/a|4.ts"]);
});

Deno.test("readGroup refuses lines without a star, a colon or names", () => {
  for (
    const line of ["", "src/a.ts", "src/*", "src/*: ", "a: *", "a * b: c"]
  ) assert.equal(readGroup(line), undefined, line);
});

Deno.test("namesOf does not write out a range that nobody wrote", () => {
  assert.deepEqual(namesOf("1..99999999999").length, 1);
  assert.deepEqual(namesOf("9..1").length, 1);
});

Deno.test("quoted names come back from namesOf as they were", () => {
  const name = fc.string({ minLength: 1, maxLength: 8 })
    .map((text) => text.replace(/["\n]/g, "x"));
  const odd = fc.constantFrom(".", "./", "a b", "1..3", "a1..", "..", "x..2");
  fc.assert(
    fc.property(fc.array(fc.oneof(name, odd), { minLength: 1 }), (names) => {
      const line = groupLine("d/", "", names.map(quoted));
      const read = namesOf(readGroup(line)!.names).map(({ name }) => name);
      assert.deepEqual(read, names);
    }),
  );
});
