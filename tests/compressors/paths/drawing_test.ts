import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ASCII,
  depthOf,
  draw,
  FORKED,
  nameAt,
  openLevels,
  PLAIN_LINES,
  PLUS,
  WIDE,
} from "../../../src/compressors/paths/drawing.ts";

const DRAWINGS = [ASCII, FORKED, PLAIN_LINES, PLUS, WIDE];

Deno.test("draw prints a tree as the program does", () => {
  const entries = [
    { depth: 0, name: "shop" },
    { depth: 1, name: "a" },
    { depth: 2, name: "b" },
    { depth: 1, name: "c" },
    { depth: 2, name: "d" },
  ];
  assert.deepEqual(draw(entries, PLAIN_LINES, []), [
    "shop",
    "├── a",
    "│   └── b",
    "└── c",
    "    └── d",
  ]);
  assert.deepEqual(draw(entries, FORKED, [1]), [
    "shop",
    "├─┬ a",
    "│ └── b",
    "├─┬ c",
    "│ └── d",
  ]);
});

Deno.test("depthOf, nameAt and openLevels read what draw prints", () => {
  const step = fc.nat(3);
  fc.assert(
    fc.property(
      fc.constantFrom(...DRAWINGS),
      fc.array(step, { minLength: 1, maxLength: 30 }),
      (drawing, steps) => {
        let depth = 0;
        const entries = steps.map((down, i) => {
          depth = i === 0 ? 0 : Math.min(depth + 1, Math.max(1, down));
          return { depth, name: `n${i}` };
        });
        const lines = draw(entries, drawing, []);
        for (const [i, line] of lines.entries()) {
          const { depth, name } = entries[i]!;
          assert.equal(depthOf(line, drawing), depth);
          assert.equal(line.slice(nameAt(depth, drawing)), name);
        }
        assert.deepEqual(openLevels(lines.at(-1)!, drawing), []);
      },
    ),
  );
});

Deno.test("depthOf gives 0 for other lines", () => {
  for (const line of ["", "├──", "a ├── b", "    text", "│   │   x"]) {
    assert.equal(depthOf(line, PLAIN_LINES), 0, line);
  }
});
