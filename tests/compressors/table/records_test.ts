import assert from "node:assert/strict";
import fc from "fast-check";
import {
  recordsIn,
  splitRecord,
} from "../../../src/compressors/table/records.ts";

Deno.test("recordsIn and splitRecord read back what was joined", () => {
  const cell = fc.oneof(
    fc.stringMatching(/^[a-z ]{0,6}$/),
    fc.stringMatching(/^[a-z,\n"]{0,6}$/).map((text) =>
      `"${text.replaceAll('"', '""')}"`
    ),
  );
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), {
    minLength: 1,
  });
  fc.assert(fc.property(rows, (value) => {
    const text = value.map((row) => row.join(",")).join("\n");
    const read = recordsIn(text, ",").map((record) => splitRecord(record, ","));
    assert.deepEqual(read, value);
  }));
});

Deno.test("recordsIn ends a record whose quotes do not close at its line", () => {
  assert.deepEqual(recordsIn('a,"b\nc,d', ","), ['a,"b', "c,d"]);
  assert.deepEqual(recordsIn('a,"b"c\nd,e', ","), ['a,"b"c', "d,e"]);
});
