import assert from "node:assert/strict";
import {
  countsUp,
  partLine,
} from "../../../src/compressors/paths/part_line.ts";
import { partsOf } from "../../../src/compressors/paths/parts.ts";
import { rowsOf } from "./samples.ts";

function lines(paths: readonly string[], isSized = false): string[] {
  const rows = rowsOf(paths.join("\n"), isSized);
  const style = { root: 0, alwaysStar: false };
  return partsOf(rows, [0, paths.length], 0).map((part) =>
    partLine(rows, part, style)
  );
}

Deno.test("partLine writes common ends once, cut where words end", () => {
  assert.deepEqual(
    lines(["t/test_read.py", "t/test_real.py", "t/test_run.py"]),
    [
      "t/test_*.py: read real run",
    ],
  );
  assert.deepEqual(lines(["src/a_test.ts", "src/bb_test.ts"]), [
    "src/*_test.ts: a bb",
  ]);
});

Deno.test("partLine leaves something of each name", () => {
  assert.deepEqual(lines(["d/a.ts", "d/.a.ts", "d/x.a.ts"]), [
    "d/*.ts: a .a x.a",
  ]);
});

Deno.test("partLine writes numbers that count up as a range, not versions", () => {
  assert.deepEqual(
    lines([98, 99, 100, 102, 103].map((n) => `d/f${n}.bin`)),
    ["d/*.bin: f98..100 f102 f103"],
  );
  assert.deepEqual(
    lines(["1.0.1", "1.0.2", "1.0.3"].map((n) => `d/v${n}.txt`)),
    [
      "d/v1.0.*.txt: 1 2 3",
    ],
  );
  assert.deepEqual(lines(["d/007", "d/008", "d/009", "d/010", "d/0011"]), [
    "d/*: 007..010 0011",
  ]);
});

Deno.test("partLine quotes what has a space, and a name like the folder's own", () => {
  assert.deepEqual(lines(["./d/to do.md", "./d/done.md", "./d/x y.md"]), [
    './d/*.md: "to do" done "x y"',
  ]);
});

Deno.test("partLine writes a number behind its name", () => {
  assert.deepEqual(lines(["src/a.ts|3", "src/bc.ts|14", "src/d.ts|1"], true), [
    "src/*.ts: a|3 bc|14 d|1",
  ]);
});

Deno.test("partLine writes one path as it is unless a root or a star is wanted", () => {
  const rows = rowsOf("src/a.ts");
  const [part] = partsOf(rows, [0, 1], 0);
  const write = (root: number, alwaysStar: boolean) =>
    partLine(rows, part!, { root, alwaysStar });
  assert.equal(write(0, false), "src/a.ts");
  assert.equal(write(0, true), "src/*: a.ts");
  assert.equal(write(4, false), "*: a.ts");
});

Deno.test("countsUp compares all but the last number", () => {
  const rows = rowsOf("d/f1.bin\nd/f2.bin\nd/g3.bin\nd/f3.txt\nd/f 4.txt");
  assert.ok(countsUp(rows, 0, 1));
  assert.ok(!countsUp(rows, 1, 2));
  assert.ok(!countsUp(rows, 1, 3));
  assert.ok(!countsUp(rows, 0, 0));
});
