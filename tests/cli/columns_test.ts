import assert from "node:assert/strict";
import { columnWriter, figureTable } from "../../src/cli/columns.ts";

Deno.test("columnWriter aligns columns and lets them grow", () => {
  const line = columnWriter([
    { heading: "A", width: 3 },
    { heading: "NUMBER", width: 0, right: true },
    { heading: "LAST", width: 0 },
  ]);
  assert.equal(line(["A", "NUMBER", "LAST"]), "A    NUMBER  LAST\n");
  assert.equal(line(["abcd", "12", "x y"]), "abcd      12  x y\n");
  assert.equal(line(["é", "3", ""]), "é          3\n");
});

Deno.test("figureTable puts names to the left and figures to the right", () => {
  assert.equal(
    figureTable(["NAME", "COUNT", "X"], [["a", "12,345,678", "1"], [
      "longer",
      "1",
      "é",
    ]]),
    `NAME         COUNT  X
a       12,345,678  1
longer           1  é
`,
  );
});
