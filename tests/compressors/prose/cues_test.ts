import assert from "node:assert/strict";
import {
  CLAIM,
  cuesOf,
  findCues,
  foreignCue,
  HINT,
  RULE,
} from "../../../src/compressors/prose/cues.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { codesOf, indexLines } from "../../../src/text/lines.ts";

function cueOf(sentence: string): number {
  let strongest = 0;
  findCues(codesOf(sentence), (cue) => {
    strongest = Math.max(strongest, cue);
  });
  return strongest;
}

Deno.test("findCues finds instructions", () => {
  for (
    const sentence of [
      "It must be open.",
      "Do not open it.",
      "You should not open it.",
      "Don't open it.",
      "You can’t open it.",
      "It is open only if somebody rings.",
      "Warning: wet.",
    ]
  ) assert.equal(cueOf(sentence), RULE, sentence);
});

Deno.test("findCues finds claims", () => {
  for (
    const sentence of [
      "It is only for guests.",
      "This is the default.",
      "The limit is high.",
    ]
  ) assert.equal(cueOf(sentence), CLAIM, sentence);
});

Deno.test("findCues finds hints, and nothing in a plain sentence", () => {
  for (
    const sentence of [
      "It is not open.",
      "It doesn't open.",
      "You should open it.",
      "However, it is open.",
    ]
  ) assert.equal(cueOf(sentence), HINT, sentence);
  assert.equal(cueOf("The door is open all day."), 0);
});

Deno.test("foreignCue finds instructions and negations of other languages", () => {
  for (
    const sentence of [
      "Das darf nie passieren.",
      "Нельзя удалять копию.",
      "升级之前必须先停止。",
      "削除しないでください。",
      "Il ne faut jamais le supprimer.",
      "No se debe borrar nunca.",
    ]
  ) assert.equal(foreignCue(sentence), RULE, sentence);
  assert.equal(foreignCue("Das ist nicht so."), HINT);
  assert.equal(foreignCue("Копия лежит на диске."), 0);
  assert.equal(foreignCue("Das Notizbuch liegt hier."), 0);
});

Deno.test("cuesOf gives each unit its strongest cue, also in other languages", () => {
  const cues = (text: string, isEnglish: boolean) => {
    const lines = indexLines(text);
    return [...cuesOf(lines, unitsOf(lines), isEnglish)];
  };
  assert.deepEqual(
    cues("It is not open, and it must stay so. It is a door there.", true),
    [RULE, 0],
  );
  assert.deepEqual(
    cues("Das ist eine Tür im Haus. Sie darf nie offen sein.", false),
    [0, RULE],
  );
});
