import assert from "node:assert/strict";
import fc from "fast-check";
import { mayBeDelimited } from "../../../src/compressors/table/delimited_look.ts";
import { looksDelimited } from "../../../src/compressors/table/delimited_signs.ts";
import { GOLDENS } from "./samples.ts";

Deno.test("mayBeDelimited holds for all that looksDelimited takes", () => {
  for (const { name, input } of GOLDENS) {
    if (looksDelimited(input)) assert.ok(mayBeDelimited(input), name);
  }
  const line = fc.constantFrom(
    "name,count",
    "a,1",
    "b,2",
    "c,30",
    '"d,e",4',
    "total",
    "",
    "note; more",
    "x\ty",
  );
  const texts = fc.array(line, { minLength: 1, maxLength: 60 }).map((lines) =>
    ["name,count", ...lines].join("\n")
  );
  fc.assert(fc.property(texts, (text) => {
    assert.ok(!looksDelimited(text) || mayBeDelimited(text));
  }));
});

Deno.test("mayBeDelimited takes quoted cells with newlines, whatever their lines hold", () => {
  assert.ok(mayBeDelimited('a,b\n1,"x\ny\nz\nu\nv\nw\nq"\n2,x\n'));
});

Deno.test("mayBeDelimited leaves texts with few delimiters alone", () => {
  const texts = [
    "",
    "a\n",
    "One, two.\nThree, four.\nFive.\nSix.\nSeven.\nEight.\nNine.\n",
    "no sign of it\n".repeat(20),
    "a,b\nc\nd\ne,f\n".repeat(12) + "g\n".repeat(20),
  ];
  for (const text of texts) assert.ok(!mayBeDelimited(text), text);
});
