import assert from "node:assert/strict";
import { parseProse } from "../../../src/compressors/prose/parse.ts";
import { unitsOf } from "../../../src/compressors/prose/units.ts";
import { weightsOf } from "../../../src/compressors/prose/weights.ts";
import { STAYS } from "../../../src/engine/choose.ts";

/** The weight of the unit that starts with `start`. */
function weightIn(text: string, start: string, query = ""): number {
  const document = parseProse(text, { path: "a.md" });
  assert.ok(document);
  const units = unitsOf(document);
  const weights = weightsOf(document.lines, units, query);
  const at = units.findIndex(({ said }) => text.startsWith(start, said));
  assert.ok(at >= 0, start);
  return weights[at] ?? 0;
}

const TALK =
  "The garden is quiet today. It has been like this for a long time now. People like the way it looks there. Some come back on other days.";

for (
  const said of [
    "You must close the gate.",
    "Never open the lid.",
    "It does not work: the pump failed.",
    "It opens only if it rains.",
    "Don't touch it.",
    "Decision: it goes.",
    "Das ist verboten und ändert nichts.",
  ]
) {
  Deno.test(`weightsOf keeps an instruction, a failure, a decision: ${said}`, () => {
    assert.equal(weightIn(`# Garden\n\n${TALK} ${said} ${TALK}`, said), STAYS);
  });
}

Deno.test("weightsOf gives numbers and names more weight than talk", () => {
  const text =
    `# Garden\n\n${TALK} There are 37 trees. See \`trees.ts\` for it. ${TALK}`;
  const talk = weightIn(text, "People like");
  assert.ok(weightIn(text, "There are 37") > talk);
  assert.ok(weightIn(text, "See `trees") > talk);
});

Deno.test("weightsOf keeps what answers the question, and each section's first sentence", () => {
  const text = `# Garden\n\n${TALK}\n\n## Trees\n\n${
    TALK.replace("garden", "wood")
  }`;
  assert.equal(weightIn(text, "The wood"), STAYS);
  assert.ok(weightIn(text, "Some come") < STAYS);
  assert.equal(
    weightIn(text, "Some come", "which days do they come back?"),
    STAYS,
  );
});

Deno.test("weightsOf lets go of echoes, licences and badges", () => {
  const text =
    `# Garden\n\n${TALK} ${TALK}\n\n![a](https://a.b/badge.svg)\n\nPermission is hereby granted, free of charge, to all.`;
  assert.equal(weightIn(text, "![a]"), 0);
  assert.equal(weightIn(text, "Permission"), 0);
  const twice = `# A\n\nIt goes.\n\n${TALK}\n\n${TALK.slice(27)}`;
  const document = parseProse(twice, { path: "a.md" });
  assert.ok(document);
  const units = unitsOf(document);
  const last = weightsOf(document.lines, units, "").slice(-3, -2);
  assert.ok((last[0] ?? 255) < 10);
});

Deno.test("weightsOf keeps the entries of a long list that are unlike the others, and who speaks", () => {
  const list = Array.from({ length: 20 }, (_, i) => `- pkg${i} MIT`);
  list[15] = "- other ISC";
  const text = `# Packages\n\n${TALK}\n\n${list.join("\n")}\n`;
  assert.equal(weightIn(text, "- other"), STAYS);
  assert.ok(weightIn(text, "- pkg12") < 10);
  const thread = ["@ann wrote:", "@bob wrote:", "@ann wrote:"].map((who) =>
    `${who}\n\n${TALK}`
  ).join("\n\n");
  assert.equal(weightIn(thread, "@bob"), STAYS);
});

Deno.test("weightsOf keeps failing rows of a table, and what a question leads to", () => {
  const rows = ["door", "lid", "gate", "lamp"].map((name, i) =>
    `| test of a ${name} | ${i === 2 ? "**failed**" : "passed"} | ${name} |`
  ).join("\n");
  const table = `# A\n\n${TALK}\n\n${TALK}\n\n| name | state | of |\n` +
    `| --- | --- | --- |\n${rows}\n`;
  assert.equal(weightIn(table, "| test of a gate"), STAYS);
  assert.ok(weightIn(table, "| test of a lamp") < STAYS);
  const items = `# A\n\n${TALK}\n\nIt is so.\n\nThe gates of the town:\n\n` +
    "- The door is old. You must close it.\n- The lid is new, as people say there.\n";
  assert.ok(weightIn(items, "- The lid") < STAYS);
  assert.equal(weightIn(items, "- The lid", "which gates are there?"), STAYS);
});

Deno.test("weightsOf keeps the sections whose headings name what is asked for", () => {
  const parts = ["Doors", "Windows", "Roofs", "Walls"].map((head) =>
    `## ${head}\n\nThis is of ${head}. The ${
      head[0]
    } ones are tall and green. It is so.\n`
  );
  const text = `# House\n\n${TALK}\n\n${parts.join("\n")}`;
  assert.ok(weightIn(text, "The W ones") < STAYS);
  assert.equal(weightIn(text, "The W ones", "how many windows?"), STAYS);
  assert.ok(weightIn(text, "The D ones", "how many windows?") < STAYS);
});

Deno.test("weightsOf keeps failing lines of long code", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `step ${i} is done`);
  lines[30] = "ERROR: step 30 failed";
  const text = `# A\n\n${TALK.repeat(12)}\n\n\`\`\`\n${
    lines.join("\n")
  }\n\`\`\`\n`;
  assert.equal(weightIn(text, "ERROR: step 30"), STAYS);
  assert.ok(weightIn(text, "step 31") < STAYS);
});
