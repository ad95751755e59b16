import assert from "node:assert/strict";
import { HARD, MOST } from "../../../src/compressors/prose/points.ts";
import { rateUnits } from "../../../src/compressors/prose/salience.ts";
import { rateUnit } from "../../../src/compressors/prose/unit_points.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

/** Points of each unit of a text, in order. */
function points(text: string): number[] {
  const lines = indexLines(text);
  const units = unitsOf(lines);
  return [...rateUnits(lines, units, { query: "", isEnglish: true }).points];
}

const START = "It begins like that. ";
const END = "\n\nThis is where the text ends.";

/** Points of a second sentence. */
function second(sentence: string): number {
  return points(`${START}${sentence} Then it goes on like that.${END}`)[1]!;
}

Deno.test("rateUnit keeps rules, verdicts and questions, and nothing plain", () => {
  assert.equal(typeof rateUnit, "function");
  for (
    const sentence of [
      "Never open the door.",
      "Warning: the floor is wet.",
      "The build failed again.",
      "**Decision:** we take the stairs.",
      "Shall we take the stairs?",
    ]
  ) assert.equal(second(sentence), HARD, sentence);
  assert.ok(second("The stairs are nice.") <= MOST);
});

Deno.test("rateUnit gives more points to names, numbers and definitions, fewer to examples and traces", () => {
  const plain = second("The stairs were rather nice.");
  assert.ok(second("The `stairs` were rather nice.") > plain);
  assert.ok(second("The 39 stairs were rather nice.") > plain);
  assert.ok(second("A stair is a step of wood.") > plain);
  assert.ok(second("For example, stairs were nice.") < plain);
  assert.ok(second("Defined in: stairs of that house.") < plain);
});

Deno.test("rateUnit takes pleasantries, licences and repetitions as empty", () => {
  const same = "The door leads into the garden behind the house.";
  const rated = points(
    `${START}I hope this helps a little. Permission is hereby granted, free of charge, to any person. ${same} ${same}${END}`,
  );
  assert.deepEqual(rated.slice(1, 3), [0, 0]);
  assert.ok(rated[4]! < 12 && rated[3]! > 12);
});

Deno.test("rateUnit keeps the head of a table and of code", () => {
  const rows = ["| a |", "| - |", "| 1 |", "| 2 |", "| 3 |"].join("\n");
  assert.deepEqual(
    points(`${START}\n\n${rows}\n${END}`).slice(1, 6)
      .map((each) => each === HARD),
    [true, true, true, false, false],
  );
  const code = Array.from({ length: 12 }, (_, i) => `x${i}`).join("\n");
  const rated = points(`${START}\n\n\`\`\`\n${code}\n\`\`\`\n${END}`);
  assert.deepEqual(
    rated.slice(1, 15).map((each) => each === HARD),
    [...Array(9).fill(true), ...Array(4).fill(false), true],
  );
});

Deno.test("rateUnit keeps no more rules of a section than the first ones and those with numbers", () => {
  const many = (said: string) =>
    points(`${START}${said.repeat(30)}`).filter((each) => each === HARD).length;
  const plain = many("Never open door now (a). ");
  assert.ok(plain < 10, `${plain}`);
  const rules = Array.from({ length: 30 }, (_, i) => `Never open door ${i}.`);
  const numbered = points(START + rules.join(" "))
    .filter((each) => each === HARD).length;
  assert.ok(numbered >= 6 && numbered < 20, `${numbered}`);
});
