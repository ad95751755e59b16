import assert from "node:assert/strict";
import { recogniseMixed } from "../../../src/compressors/mixed/recognise.ts";

Deno.test("recogniseMixed claims what has seams, and nothing short or seamless", () => {
  const long = "some words on a line\n".repeat(30);
  assert.equal(recogniseMixed(`${long}\n${long}`), 0.8);
  assert.equal(recogniseMixed(`${long}\`\`\`js\nx\n\`\`\`\n`), 0.8);
  assert.equal(recogniseMixed(long), 0);
  assert.equal(recogniseMixed("a\n\nb"), 0);
});
