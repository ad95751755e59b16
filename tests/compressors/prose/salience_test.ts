import assert from "node:assert/strict";
import { HARD, HEADS } from "../../../src/compressors/prose/points.ts";
import { rateUnits } from "../../../src/compressors/prose/salience.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { indexLines } from "../../../src/text/lines.ts";

/** Points of each unit, by its text. */
function points(text: string, query = ""): Map<string, number> {
  const lines = indexLines(text);
  const units = unitsOf(lines);
  const rated = rateUnits(lines, units, { query, isEnglish: true });
  return new Map(
    units.map(({ start, end }, u) => [
      text.slice(start, end).trim(),
      rated.points[u]!,
    ]),
  );
}

const END = "\n\nThis is where the text ends.";

Deno.test("rateUnits keeps headings, first sentences and rules, and gives the others fewer points the later they come", () => {
  const rated = points(
    "# Doors\n\nThe door leads into the garden. It looks good in the evening. It is not heavy. " +
      "It must stay shut. Some say that it is old. It has been there for long." +
      END,
  );
  assert.equal(rated.get("# Doors"), HEADS);
  assert.equal(rated.get("The door leads into the garden."), HARD);
  assert.equal(rated.get("It must stay shut."), HARD);
  const plain = [
    "It looks good in the evening.",
    "Some say that it is old.",
    "It has been there for long.",
  ].map((said) => rated.get(said)!);
  assert.ok(plain[0]! > plain[1]! && plain[1]! >= plain[2]!, `${plain}`);
  assert.ok(rated.get("It is not heavy.")! > plain[0]!);
});

Deno.test("rateUnits keeps what a query asks for, and a small section whole whose heading does", () => {
  const section = (word: string) =>
    `## The ${word}\n\nHere is the place of it. People come by day. They go at night. They like the ${word}.\n\n`;
  const text = ["valve", "pipe", "tank", "pump", "lid", "tap"].map(section)
    .join("");
  const lines = indexLines(text);
  const units = unitsOf(lines);
  const rated = rateUnits(lines, units, {
    query: "what of the tank?",
    isEnglish: true,
  }).points;
  const hard = units.map((_, u) => u).filter((u) => rated[u] === HARD);
  const tank = units.findIndex(({ start }) =>
    text.startsWith("## The tank", start)
  );
  for (let u = tank; u < tank + 5; u++) assert.ok(hard.includes(u), `${u}`);
  assert.ok(!hard.includes(units.length - 1));
});

Deno.test("rateUnits lets members go whole, or keeps what they are with what stays of them", () => {
  const member = (i: number, said: string) =>
    `##### get${i}()\n\n> **get${i}**(): \`string\`\n\n${said}\n\n`;
  const text = `# A\n\nIt is a store.\n\n${
    Array.from({ length: 8 }, (_, i) =>
      member(
        i,
        i === 5 ? `It must be open (${i}).` : `Gives the value ${i} back.`,
      )).join("")
  }`;
  const rated = points(text);
  assert.equal(
    rated.get("> **get2**(): `string`"),
    rated.get("Gives the value 2 back."),
  );
  assert.ok(rated.get("> **get2**(): `string`")! < HEADS);
  assert.equal(rated.get("> **get5**(): `string`"), HARD);
});

Deno.test("rateUnits keeps the head of an item or an option as long as what is said of it", () => {
  const rated = points(
    `Some text is here.\n\n${
      Array.from({ length: 9 }, (_, i) =>
        `- Point ${i} is here. ${i === 8 ? "It must stay so." : "It is so."}\n`)
        .join("")
    }${END}`,
  );
  assert.equal(rated.get("- Point 8 is here."), HARD);
  assert.ok(rated.get("- Point 7 is here.")! < HARD);
});

Deno.test("rateUnits keeps the first errors in the rest of long code", () => {
  const code = Array.from(
    { length: 90 },
    (_, i) => i >= 20 ? `error: line ${i} is bad` : `x = ${i}`,
  );
  const rated = points(`Log:\n\n\`\`\`\n${code.join("\n")}\n\`\`\`\n${END}`);
  assert.equal(rated.get("error: line 20 is bad"), HARD);
  assert.equal(rated.get("error: line 22 is bad"), HARD);
  assert.ok(rated.get("error: line 89 is bad")! < HARD);
  assert.ok(rated.get("x = 19")! < HEADS);
});
