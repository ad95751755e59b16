import assert from "node:assert/strict";
import fc from "fast-check";
import {
  leadIn,
  leadOf,
  withLead,
  withoutLead,
} from "../../../src/compressors/search_results/lead.ts";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";

function leadOfRows(texts: readonly string[]) {
  const view = parseSearch(
    texts.map((text, i) => `src/a.ts:${i + 1}:${text}`).join("\n"),
    "Grep",
  );
  assert(view !== undefined);
  return leadOf(view);
}

const THROWS = Array.from(
  { length: 20 },
  (_, i) => `    throw new ${i % 3 ? "Range" : "Type"}Error(text${i});`,
);

Deno.test("leadOf finds what most matches begin with, behind their indentation", () => {
  const lead = leadOfRows([...THROWS, "  if (a) throw new Error(b);"]);
  assert.equal(lead?.text, "throw new ");
  assert.equal(lead?.note, '… (rows "12 x" are "12:throw new x")\n');
  assert.equal(leadIn(lead?.note.trimEnd() ?? ""), "throw new ");
});

Deno.test("leadOf takes a beginning that goes on to the end of rows", () => {
  const rows = Array.from({ length: 12 }, () => "  throw new RangeError(");
  assert.equal(leadOfRows(rows)?.text, "throw new RangeError(");
});

Deno.test("leadOf finds none where it saves less than its line costs", () => {
  assert.equal(leadOfRows(THROWS.slice(0, 4)), undefined);
  const mixed = Array.from({ length: 40 }, (_, i) => `  call${i}(a);`);
  assert.equal(leadOfRows(mixed), undefined);
});

Deno.test("withoutLead leaves rows as they are that could not be restored", () => {
  const lead = { text: "throw ", note: "" };
  assert.equal(withoutLead("7:  throw x\n", lead), "7   x\n");
  assert.equal(withoutLead("7:  throw  x\n", lead), "7:  throw  x\n");
  assert.equal(withoutLead("7-  throw x\n", lead), "7-  throw x\n");
  assert.equal(withoutLead("7:  catch x\n", lead), "7:  catch x\n");
});

Deno.test("withLead is the inverse of withoutLead", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab \t:-(1é") });
  fc.assert(fc.property(text, text, fc.nat(), (lead, rest, number) => {
    for (
      const row of [`${number}:${lead}${rest}`, `${number}: ${lead}${rest}`]
    ) {
      const folded = withoutLead(row, { text: lead, note: "" });
      const isFolded = folded !== row;
      assert.equal(isFolded ? withLead(folded, lead) : row, row);
    }
  }));
});
