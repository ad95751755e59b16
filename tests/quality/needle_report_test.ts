import assert from "node:assert/strict";
import type { Decision } from "../../src/core/decision.ts";
import { bodies, bodyNeedles } from "./needle_bodies.ts";
import { needleForms, needleReport, needleTable } from "./needle_report.ts";
import { type Found, plantedNeedles } from "./needles.ts";

const left: Decision = { type: "alone", reason: "no_kind" };
const router = { decide: () => left };

Deno.test("bodies and bodyNeedles make 600 lines in each of ten shapes, with failing, rare and extreme values", () => {
  assert.equal(bodies().length, 10);
  for (const { file, text } of bodies()) {
    const lines = text.split("\n");
    assert.ok(lines.length === 600 || lines.length === 601, file);
    const needles = bodyNeedles().filter(({ item }) => item.file === file);
    const sorts = new Set(needles.map(({ sort }) => sort));
    assert.deepEqual([...sorts].sort(), ["extreme", "failing", "rare"], file);
    for (const { item, word } of needles) {
      const changed = item.text.split("\n").filter((line) =>
        !lines.includes(line)
      );
      assert.equal(changed.length, 1, `${file}: ${word}`);
      assert.ok(changed[0]!.includes(word), `${file}: ${word}`);
    }
  }
});

Deno.test("needleTable counts what was missed of what was compressed", () => {
  const [planted] = plantedNeedles([]);
  const found = (fate: Found["fate"], isInline: boolean): Found => ({
    planted: planted!,
    fate,
    isInline,
    form: "",
  });
  const text = needleTable([
    found("alone", true),
    found("whole", true),
    found("elided", false),
    found("elided", true),
    found("elided", true),
  ]);
  const { item, sort } = planted!;
  assert.match(
    text,
    new RegExp(
      `\\| ${item.kind} \\| ${sort} \\| 5 \\| 1 \\| 1 \\| 3 \\| 1 \\| 75.0 \\| - \\| - \\| 75.0 \\|`,
    ),
  );
});

Deno.test("needleReport and needleForms say what became of the texts of one kind", async () => {
  const text = await needleReport(router, [], { kind: "table", all: false });
  assert.match(text, /\| table \| failing \|/);
  assert.doesNotMatch(text, /\| json \|/);
  const forms = await needleForms(router, [], "synthetic/pods: node: node-q");
  assert.equal(forms.length, 1);
  assert.match(forms[0]!, /--- synthetic\/pods: node: node-q \(rare\): alone/);
});
