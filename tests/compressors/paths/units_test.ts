import assert from "node:assert/strict";
import {
  readColumns,
  readPaths,
  readPlain,
} from "../../../src/compressors/paths/parse.ts";
import {
  cutIds,
  labelOf,
  polish,
  unitsOf,
} from "../../../src/compressors/paths/units.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { contextOf } from "../goldens.ts";
import { manyPaths } from "./samples.ts";

function viewOf(lines: readonly string[]) {
  return readPaths(lines.join("\n"), [readPlain])!;
}

Deno.test("unitsOf leaves short lists whole", () => {
  assert.equal(unitsOf(viewOf(manyPaths(20, 10)), contextOf(true)), undefined);
});

Deno.test("unitsOf keeps messages and changed files and thinks little of what nobody wrote", () => {
  const lines = manyPaths(70, 10);
  lines[5] = "find: x: Permission denied";
  lines[6] = " M src/changed.ts";
  lines[7] = "?? src/unknown.ts";
  lines[8] = "node_modules/a/index.js";
  lines[9] = "packages/README.md";
  const { weights, groups } = unitsOf(viewOf(lines), contextOf(true))!;
  assert.deepEqual([weights[5], weights[6]], [STAYS, STAYS]);
  assert.ok(weights[7]! < STAYS);
  assert.ok(weights[8]! < weights[20]! && weights[20]! < weights[9]!);
  assert.equal(groups![20], groups![21]);
  assert.notEqual(groups![20], groups![31]);
});

Deno.test("unitsOf keeps a name that breaks the pattern of its directory", () => {
  const lines = Array.from({ length: 700 }, (_, i) => `data/frame_${i}.png`);
  lines[200] = "data/frame_missing.png";
  const { weights } = unitsOf(viewOf(lines), contextOf(true))!;
  assert.ok(weights[200]! > weights[201]!);
});

Deno.test("labelOf counts the paths of a gap by what they are", () => {
  const view = viewOf(["a/b/c.ts", "a/b/d.ts", "a/e/f.md", "g.ts"]);
  assert.equal(
    labelOf(view, { from: 0, to: 3 }),
    "a/ 3: 2 .ts, 1 .md in 2 folders: b e",
  );
  assert.equal(labelOf(view, { from: 0, to: 2 }), "a/b/ 2 .ts");
});

Deno.test("polish writes kept paths with each directory once, and notes as they are", () => {
  const view = viewOf(manyPaths(70, 10));
  const [first, second, third] = manyPaths(1, 3);
  const note = "… lines 4-9 omitted (packages/ 6 .ts)";
  const text = [first, second, third, note, first].join("\n");
  const lines = polish(text, view).split("\n");
  assert.equal(lines[0], "… 4 of 700 paths; names fill the *");
  assert.match(lines[1]!, /^packages\/part000\/src\/\*\.ts: \S+ \S+ \S+$/);
  assert.equal(lines[2], note);
});

Deno.test("cutIds cuts the ids behind the first rows, and no id that is asked about", () => {
  const lines = manyPaths(4, 10).map((path, i) =>
    `100644 ${(i + 17).toString(16).padStart(8, "7").repeat(5)} 0\t${path}`
  );
  lines[20] = lines[20]!.replace("100644", "120000");
  const view = readPaths(`${lines.join("\n")}\n`, [readColumns])!;
  const { text, omitted } = cutIds(view, contextOf(true))!;
  assert.deepEqual(omitted, { count: 34, total: 40, unit: "ids" });
  assert.ok(text.startsWith(lines.slice(0, 6).join("\n")));
  assert.ok(!text.includes(lines[30]!.slice(7, 47)));
  assert.match(text, new RegExp(`\\|${lines[30]!.slice(7, 15)}[ \\n]`));
  assert.ok(text.includes("\n120000 # 0\t"));
  const asked = cutIds(
    view,
    contextOf(true, `what is ${lines[30]!.slice(7, 47)}?`),
  )!;
  assert.ok(asked.text.includes(lines[30]!.slice(7, 47)));
});

Deno.test("cutIds leaves ids alone that would look the same, and lists without ids", () => {
  const same = manyPaths(4, 10).map((path, i) =>
    `100644 ${
      `abcdef01${i.toString(16).padStart(8, "0")}`.repeat(2)
    } 0\t${path}`
  );
  for (const lines of [same, manyPaths(4, 10)]) {
    const view = readPaths(lines.join("\n"), [readColumns, readPlain])!;
    assert.equal(cutIds(view, contextOf(true)), undefined);
  }
});

Deno.test("unitsOf keeps the largest folders of a list of sizes, however many have the same", () => {
  const sizes = manyPaths(70, 10).map((path, i) => ({ path, size: 4 + i % 5 }));
  for (const [i, size] of [[311, 198_128], [402, 91_748]] as const) {
    sizes[i] = { path: sizes[i]!.path, size };
  }
  const lines = sizes.map(({ path, size }) => `${size}\t${path}`);
  const view = readPaths(lines.join("\n"), [readColumns])!;
  assert.deepEqual(view.rows[311]?.values, []);
  const { weights } = unitsOf(view, contextOf(true))!;
  assert.deepEqual([weights[311], weights[402]], [STAYS, STAYS]);
});
