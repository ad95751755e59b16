import assert from "node:assert/strict";
import { noteOf, withNotes } from "../../../src/compressors/json/note.ts";
import { childrenOf } from "../../../src/compressors/json/tape.ts";
import { tapeOfValue } from "./tapes.ts";

function noted(value: unknown, kept: readonly number[]): string[] {
  const tape = tapeOfValue(value);
  const rows = childrenOf(tape, 1);
  const keyed = !Array.isArray(value);
  const keep = Uint8Array.from(rows, (_, i) => kept.includes(i) ? 1 : 0);
  return withNotes(tape, { rows, keyed, keep }, (i) => `row ${i}`);
}

Deno.test("withNotes names each range left out, counted from 1", () => {
  assert.deepEqual(noted([1, 2, 3, 4, 5, 6], [1, 5]), [
    "… item 1 of 6 omitted",
    "row 1",
    "… items 3-5 of 6 omitted",
    "row 5",
  ]);
});

Deno.test("withNotes names keys left out, as many as are worth it", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [`key${i}`, "some value or other"]),
  );
  const [, note] = noted({ ...wide, "a b": 1, "": 2 }, [0]);
  assert.match(
    note!,
    /^… keys 2-62 of 62 omitted: key1, key2, .* and \d+ more$/,
  );
  assert.ok(note!.length < 460);
  assert.deepEqual(
    noted({ "a b": 1, "": 2, c: 3 }, [2])[0],
    '… keys 1-2 of 3 omitted: "a b", ""',
  );
});

Deno.test("withNotes writes all rows where nothing is left out", () => {
  const tape = tapeOfValue([1, 2]);
  const rows = childrenOf(tape, 1);
  assert.deepEqual(
    withNotes(tape, { rows, keyed: false, keep: undefined }, String),
    ["0", "1"],
  );
});

Deno.test("noteOf stands for a whole container and names its keys once", () => {
  const tape = tapeOfValue([{ a: 1, b: 2 }, [1], { only: 1 }]);
  const [object, list, single] = childrenOf(tape, 1);
  assert.equal(noteOf(tape, object!, true), "{… 2 keys omitted: a, b}");
  assert.equal(noteOf(tape, object!, false), "{… 2 keys omitted}");
  assert.equal(noteOf(tape, list!, true), "[… 1 item omitted]");
  assert.equal(noteOf(tape, single!, true), "{… 1 key omitted: only}");
});

Deno.test("noteOf counts the keys of a wide object", () => {
  const wide = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`k${i}`, i]),
  );
  const tape = tapeOfValue([wide]);
  assert.match(
    noteOf(tape, 2, true),
    /^\{… 100 keys omitted: k0, .* and \d+ more\}$/,
  );
});
