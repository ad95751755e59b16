import assert from "node:assert/strict";
import { FIELD, fieldAt, skipSigns } from "../../src/text/line_fields.ts";

const ANY = 0xff;
const FIRST = { at: 0, isFirst: true, isTimed: false };

Deno.test("fieldAt gives the kind of a field and where it ends", () => {
  const fields: readonly [string, number, string][] = [
    ["10:00:00 up and ready", FIELD.time, "10:00:00"],
    ["[warn] up and ready", FIELD.level, "[warn]"],
    ["api-1 | up and ready", FIELD.source, "api-1 |"],
    ["a.b.C: up and ready", FIELD.name, "a.b.C:"],
    ["[main] up and ready", FIELD.bracket, "[main]"],
    ["10.0.0.7 up and ready", FIELD.number, "10.0.0.7"],
    ["up and ready", FIELD.word, "up"],
  ];
  for (const [text, kind, said] of fields) {
    assert.deepEqual(
      fieldAt(text, FIRST, ANY),
      { kind, stop: said.length },
      text,
    );
  }
  assert.equal(fieldAt('"quoted"', FIRST, ANY).kind, 0);
});

Deno.test("fieldAt takes a letter for a level after a time only, and tries only the kinds it may", () => {
  const { time, level, word } = FIELD;
  assert.equal(fieldAt("D up", FIRST, ANY).kind, word);
  const timed = { ...FIRST, isFirst: false, isTimed: true };
  assert.equal(fieldAt("D up", timed, ANY).kind, level);
  assert.notEqual(
    fieldAt("10:00:00 up", FIRST, ANY & ~(1 << time)).kind,
    time,
  );
});

Deno.test("skipSigns goes to the next field", () => {
  assert.equal(skipSigns(" - | text", 0), 5);
  assert.equal(skipSigns("text", 0), 0);
  assert.equal(skipSigns("-text", 0), 0);
});
