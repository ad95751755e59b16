import assert from "node:assert/strict";
import fc from "fast-check";
import { editBetween, takenBack } from "../../../src/cli/agents/text_edit.ts";

Deno.test("takenBack undoes what editBetween saw, whatever was inserted", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "\n") });
  fc.assert(fc.property(texts, texts, texts, texts, (head, old, now, tail) => {
    fc.pre(now !== "");
    const before = head + old + tail;
    const after = head + now + tail;
    const edit = editBetween(before, after);
    if (edit.inserted === "") return;
    assert.equal(takenBack(after, edit), before);
  }));
});

Deno.test("editBetween is as small as one replacement can be", () => {
  assert.deepEqual(editBetween("abcd", "abXcd"), {
    at: 2,
    removed: "",
    inserted: "X",
  });
  assert.deepEqual(editBetween("same", "same"), {
    at: 4,
    removed: "",
    inserted: "",
  });
});

Deno.test("takenBack finds the inserted text at another place, if it is there once", () => {
  const edit = { at: 1, removed: "-", inserted: "XY" };
  assert.equal(takenBack("longer XY.", edit), "longer -.");
  assert.equal(takenBack("XY and XY", edit), undefined);
  assert.equal(takenBack("nothing", edit), undefined);
  assert.equal(takenBack("abc", { ...edit, inserted: "" }), undefined);
});
