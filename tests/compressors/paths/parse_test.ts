import assert from "node:assert/strict";
import {
  plainLine,
  readColumns,
  readPaths,
  readPlain,
  rowOf,
} from "../../../src/compressors/paths/parse.ts";
import { goldensIn } from "../goldens.ts";

Deno.test("rowOf takes apart a path and what git says of it, and gives anything else back", () => {
  const row = rowOf(" M src/a.ts", "src/a.ts", { lead: " M " });
  assert.deepEqual([row.lead, row.dir, row.name], [" M ", "src/", "a.ts"]);
  assert.equal(plainLine(row), " M src/a.ts");
  const folder = rowOf("src/net/", "src/net/");
  assert.deepEqual([folder.dir, folder.name], ["src/", "net/"]);
  for (
    const line of ["a -> b", "some words", "x: y", "a|b", "---", "a/..", ""]
  ) {
    assert.equal(rowOf(line, line).lead, undefined, line);
    assert.equal(plainLine(rowOf(line, line)), line);
  }
});

Deno.test("readColumns keeps what varies apart and aligns it as it was", () => {
  const lines = [9, 120, 33, 4567, 81, 6].map((size) =>
    `dev ${String(size).padStart(6)} 2026-11-22 src/f${size}.ts`
  );
  const { rows } = readColumns(lines)!;
  assert.equal(rows[0]!.lead, "dev   #### 2026-11-22 ");
  assert.deepEqual(rows[3]!.values, ["4567"]);
  assert.deepEqual(rows.map(plainLine), lines);
});

Deno.test("readPaths prints back every list that it reads", () => {
  for (const { name, input } of goldensIn("paths")) {
    const view = readPaths(input, [readColumns, readPlain])!;
    const end = view.isCrlf ? "\r\n" : "\n";
    assert.equal(
      view.form.print(view.rows).join(end),
      input.slice(0, -end.length),
      name,
    );
  }
  assert.equal(readPaths("a/b\r\nc/d\n", [readPlain]), undefined);
});
