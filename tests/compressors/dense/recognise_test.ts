import assert from "node:assert/strict";
import { recogniseDense } from "../../../src/compressors/dense/recognise.ts";
import { GOLDEN as JSON_GOLDENS } from "../json/golden.ts";
import { GOLDENS as LOG_GOLDENS } from "../log/samples.ts";
import { GOLDENS as PROSE_GOLDENS } from "../prose/samples.ts";
import { GOLDENS as SEARCH_GOLDENS } from "../search_results/samples.ts";
import { GOLDENS, minified } from "./samples.ts";

for (const { name, input } of GOLDENS) {
  Deno.test(`recogniseDense claims ${name}`, () => {
    const confidence = recogniseDense(input);
    assert.ok(confidence >= 0.8, `${confidence}`);
  });
}

for (
  const { name, input } of [
    ...JSON_GOLDENS,
    ...LOG_GOLDENS,
    ...PROSE_GOLDENS,
    ...SEARCH_GOLDENS,
  ].filter((golden) => golden.name !== "minified")
) {
  Deno.test(`recogniseDense leaves ${name} to others`, () => {
    const confidence = recogniseDense(input);
    assert.ok(confidence < 0.8, `${confidence}`);
  });
}

const words = "the door is open and the light is on in the hall ";
const OTHERS: Record<string, string> = {
  paragraph: words.repeat(60),
  chinese: "门是开着的灯也亮着房间里没有人一切都和昨天一样".repeat(60),
  json: `{"a":"${"x1Y".repeat(500)}"}`,
  array: `[${Array.from({ length: 500 }, (_, i) => i).join(",")}]\n`,
  csv: `${Array.from({ length: 90 }, (_, i) => `c${i}`).join(",")}\n`.repeat(9),
  log: `2026-02-02T10:00:01Z ${minified(500)}\n`.repeat(9),
  paths: "/home/dev/project/src/components/navigation/toolbar/button/index\n"
    .repeat(30),
  commits: "4f1c2aa90b1e7d55c0a8f6b3d2e19c7745a0bb12 fix the door\n".repeat(30),
  code: "export function read(a: string) {\n  return open(a);\n}\n".repeat(30),
  empty: "",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`recogniseDense leaves ${name} text to others`, () => {
    const confidence = recogniseDense(text);
    assert.ok(confidence < 0.8, `${confidence}`);
  });
}

Deno.test("recogniseDense claims one long line, and leaves a short one alone", () => {
  assert.ok(recogniseDense(minified(3000)) >= 0.8);
  assert.ok(recogniseDense(minified(100)) < 0.8);
});

Deno.test("recogniseDense leaves pages of tags to others", () => {
  const page = `<!doctype html><html>${"<p>one</p><b>two</b>".repeat(200)}`;
  assert.equal(recogniseDense(page), 0);
  assert.equal(recogniseDense(page.slice(20)), 0);
});
