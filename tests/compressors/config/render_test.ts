import assert from "node:assert/strict";
import { renderElided } from "../../../src/compressors/config/render.ts";
import { selectLines } from "../../../src/compressors/config/select.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";
import { hostLines } from "./samples.ts";

function render(text: string, firstLine = 1) {
  const view = viewConfig(text);
  return renderElided(view, selectLines(view, ""), { firstLine });
}

Deno.test("renderElided puts a note in place of each gap", () => {
  const { text, omitted } = render(hostLines(20).join("\n") + "\n", 10);
  assert.match(
    text,
    /\n… lines 42-119 omitted \(13 items: host-5, host-6, .*host-17\)\n/,
  );
  assert.deepEqual(omitted, { count: 78, total: 123, unit: "lines" });
  assert.ok(text.endsWith("done: yes\n"));
});

Deno.test("renderElided keeps a gap that a note would not pay for", () => {
  const text = "# a\n# b\n# c\n# d\nx: 1";
  assert.deepEqual(render(text), {
    text,
    omitted: { count: 0, total: 5, unit: "lines" },
  });
});

Deno.test("renderElided says how many failures it leaves out", () => {
  const lines = hostLines(60);
  for (let i = 6; i < 50; i++) lines[2 + 6 * i + 2] = "    role: failed";
  const { text } = render(lines.join("\n"));
  assert.match(text, /omitted \(.*; 24 with a failure\)/);
  assert.equal(
    text.split("\n").filter((line) => line === "    role: failed").length >= 1,
    true,
  );
});

Deno.test("renderElided counts a line with a shortened value", () => {
  const hash = "0123456789abcdef".repeat(4);
  const { text, omitted } = render(`a: 1\nsum: ${hash}\n`);
  assert.equal(text, "a: 1\nsum: … 64 characters omitted\n");
  assert.equal(omitted.count, 1);
});
