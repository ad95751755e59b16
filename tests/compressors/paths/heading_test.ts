import assert from "node:assert/strict";
import {
  readHeading,
  writeHeading,
} from "../../../src/compressors/paths/heading.ts";

Deno.test("readHeading reads what writeHeading wrote", () => {
  for (const label of ["", "tree", "git status without its usual hints"]) {
    for (const root of ["", "/home/dev/my shop, 12 paths/", "C:\\x\\"]) {
      for (
        const notes of [
          "",
          " drawn plain",
          " drawn ASCII, more follows at level 1",
        ]
      ) {
        for (const flag of [true, false]) {
          const heading = {
            label,
            count: 12,
            root,
            notes,
            hasSelf: flag,
            isCrlf: !flag,
          };
          assert.deepEqual(readHeading(writeHeading(heading)), heading);
        }
      }
    }
  }
});

Deno.test("readHeading refuses other lines and headings of elided lists", () => {
  const some = writeHeading({
    label: "",
    count: 12,
    shown: 3,
    root: "",
    notes: "",
    hasSelf: false,
    isCrlf: false,
  });
  assert.equal(some, "… 3 of 12 paths; names fill the *");
  assert.equal(readHeading(some), undefined);
  assert.equal(readHeading("src/a.ts"), undefined);
});
