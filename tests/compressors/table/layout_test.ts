import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Layout,
  LAYOUTS,
  layoutWords,
  LISTINGS,
  readLayout,
  tightLayout,
} from "../../../src/compressors/table/layout.ts";

Deno.test("layoutWords is short for what is usual", () => {
  assert.equal(layoutWords(tightLayout("CSV", ",")), "CSV");
  assert.equal(layoutWords(tightLayout("CSV", ";")), "CSV split by semicolon");
  const columns = [{ side: "<", place: undefined }, { side: ">", place: 17 }];
  assert.equal(
    layoutWords({ ...tightLayout("table", " "), columns, gap: 3 } as Layout),
    "table unpadded <>17 gap 3",
  );
});

Deno.test("readLayout reads every layout that layoutWords wrote", () => {
  const column = fc.record({
    side: fc.constantFrom("<" as const, ">" as const, "^" as const),
    place: fc.option(fc.nat(300), { nil: undefined }),
  }, { noNullPrototype: true });
  const layout = fc.record({
    name: fc.constantFrom(...LAYOUTS.keys()),
    split: fc.constantFrom(",", "\t", ";", "|", " "),
    columns: fc.array(column, { minLength: 1, maxLength: 9 }),
    gap: fc.nat(20),
    end: fc.nat(200),
    rule: fc.constantFrom("", "-", "|---|", "---,---:"),
    head: fc.constantFrom("", "<", "^", "="),
    isCrlf: fc.boolean(),
  }, { noNullPrototype: true });
  fc.assert(fc.property(layout, (value) => {
    if (value.split === " " && LAYOUTS.get(value.name) !== " ") return;
    assert.deepEqual(readLayout(layoutWords(value)), value);
  }));
});

Deno.test("readLayout knows the columns of listings and refuses other words", () => {
  assert.equal(
    readLayout("ls -l")!.columns.length,
    LISTINGS.get("ls -l")!.length,
  );
  assert.equal(readLayout("rows of something"), undefined);
  assert.equal(readLayout("table upside down"), undefined);
});
