import assert from "node:assert/strict";
import {
  foldRepeats,
  unfoldRepeats,
} from "../../../src/compressors/prose/repeats.ts";

const ONE =
  "A line that is long enough to be worth a note in its place, twice.";
const TWO =
  "Another line that is long enough to be worth a note, like the first.";

Deno.test("foldRepeats names the lines that a stretch repeats", () => {
  const text = [ONE, "", TWO, "x", ONE, "", TWO, "y", TWO].join("\n");
  const folded = foldRepeats(text, { firstLine: 1 });
  assert.equal(
    folded,
    [ONE, "", TWO, "x", "… (same as lines 1-3)", "y", "… (same as line 3)"]
      .join("\n"),
  );
  assert.equal(unfoldRepeats(folded, { firstLine: 1 }), text);
});

Deno.test("foldRepeats counts from the first line of the text", () => {
  const long = `${ONE} ${TWO}`;
  const text = `${long}\n${long}\n`;
  const folded = foldRepeats(text, { firstLine: 40 });
  assert.equal(folded, `${long}\n… (same as line 40)\n`);
  assert.equal(unfoldRepeats(folded, { firstLine: 40 }), text);
});

Deno.test("foldRepeats leaves short lines alone", () => {
  const text = "a\nb\na\nb\n";
  assert.equal(foldRepeats(text, { firstLine: 1 }), text);
});

Deno.test("foldRepeats is linear where one line stands many times", () => {
  const text = `${"x\n".repeat(100_000)}${`${ONE}\n`.repeat(20_000)}`;
  const folded = foldRepeats(text, { firstLine: 1 });
  assert.ok(folded.length < text.length / 100);
  assert.ok(unfoldRepeats(folded, { firstLine: 1 }) === text);
});
